# How far hands are from a win. Tiles seen beside those of a query come as a packed hand.

UNREACHABLE = _core.UNREACHABLE
HOWS = ("hu", "peng", "chi", "wei", "ti", "pao", "wang")  # by How of csrc/improving.hpp
SEEN_TEXT = "more than four copies of a face in the query and among the visible tiles together"


cdef class NativeDistances:
    """The groups on the way to a win under some options."""

    cdef _core.Distances* distances

    def __cinit__(self, bytes source):
        cdef Options options
        read_options(source, &options)
        self.distances = new _core.Distances(options)

    def __dealloc__(self):
        del self.distances


cdef dict _native_distances = {}


cdef NativeDistances native_distances(bytes options):
    found = _native_distances.get(options)
    if found is None:
        if len(_native_distances) >= RULES_MAX:
            _native_distances.clear()
        found = _native_distances[options] = NativeDistances(options)
    return <NativeDistances>found


cdef bint is_seen(const Query& query, uint64_t visible) noexcept nogil:
    """Whether there can be such tiles beside those of the query."""
    cdef uint64_t held = _core.visible_tiles(query)
    cdef int face
    if not _core.is_hand(visible):
        return False
    for face in range(FACE_AXIS):
        if _core.count_of(held, face) + _core.count_of(visible, face) > 4:
            return False
    return True


cdef int read_on_the_way(bytes key, uint64_t visible, Query* query) except -1:
    """A query without winning tile, and the tiles seen beside it."""
    read_key(key, query)
    if query.win != NO_WIN_TILE:
        raise ValueError("expected a query without winning tile")
    if not is_seen(query[0], visible):
        raise ValueError(SEEN_TEXT)
    return 0


def distance(bytes key, uint64_t visible, bytes options):
    """The distance of a query, None if it is unreachable."""
    cdef Query query
    read_on_the_way(key, visible, &query)
    cdef int steps = native_distances(options).distances.of(query, visible)
    return None if steps == _core.UNREACHABLE else steps


def distance_records(
    const uint8_t[:, ::1] records, const uint64_t[::1] visible, bytes options, int8_t[::1] out
):
    """The distances of queries, UNREACHABLE for those with a fault or a winning tile too. Returns the first
    row whose tiles cannot be seen together, or -1."""
    cdef Py_ssize_t row, bad = -1, count = _same_rows(records.shape[0], out.shape[0])
    cdef NativeDistances native = native_distances(options)
    cdef const _core.Distances* distances = native.distances
    cdef Query query
    cdef uint8_t fault = 0
    _same_rows(count, visible.shape[0])
    if count == 0:
        return bad
    cdef const Query* queries = _queries(records)
    with nogil:
        for row in range(count):
            out[row] = <int8_t>_core.UNREACHABLE
            if not _load_checked(&queries[row], &query, &fault) or query.win != NO_WIN_TILE:
                continue
            if not is_seen(query, visible[row]):
                bad = row
                break
            out[row] = <int8_t>distances.of(query, visible[row])
    return bad


def improving(bytes key, uint64_t visible, bytes rules):
    """What makes the distance less, by source and face: face, source, how, code of the chi, those of its bi,
    the discard (-1 for none), all that leave as little as bits, the distance then."""
    cdef Query query
    cdef _core.Improvement found[63]
    cdef size_t size, i, j
    read_on_the_way(key, visible, &query)
    cdef NativeRules native = native_rules(rules)
    cdef NativeDistances distances = native_distances(rules[:OPTIONS_SIZE])
    with nogil:
        size = _core.find_improving(
            distances.distances[0], native.scorer.rules().play, query, visible, found
        )
    finish(False)
    return [
        (
            found[i].face, <int>found[i].source, HOWS[<int>found[i].how], found[i].chi.code,
            tuple([found[i].chi.bi[j] for j in range(2) if found[i].chi.bi[j]]),
            found[i].discard, found[i].discards, found[i].distance,
        )
        for i in range(size)
    ]


def prospects(bytes key, uint64_t visible, bytes rules):
    """The best and the expected payment of the wins that a query leads to, and whether those are its waits;
    None if there is none."""
    cdef Query query
    cdef _core.Prospects found
    read_on_the_way(key, visible, &query)
    cdef NativeRules native = native_rules(rules)
    cdef NativeDistances distances = native_distances(rules[:OPTIONS_SIZE])
    with nogil:
        found = _core.find_prospects(distances.distances[0], native.scorer[0], query, visible)
    finish(False)
    return None if found.best < 0 else (found.best, found.expected, found.is_ready)
