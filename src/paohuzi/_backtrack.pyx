# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# distutils: language = c++
"""Every division of a hand by plain search: the second, independent way to each answer (docs/rules.md 3).

A division is built group by group. The next group is always one whose lowest natural tile is of the lowest
face left, and groups of the same lowest face come in ascending order of (code, wang mask). So every division
is met exactly once, and those of a route come in the fixed order. No step allocates: a search is a stack of
eight frames.

The functions bt_... answer natively and are for cimport; they trust their arguments. The others check them.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector

import numpy as np

cdef extern from *:
    """
    static inline int lowest_bit(unsigned long long bits) { return __builtin_ctzll(bits); }
    static inline int highest_bit(unsigned long long bits) { return 63 - __builtin_clzll(bits); }
    """
    int lowest_bit(uint64_t bits) noexcept nogil
    int highest_bit(uint64_t bits) noexcept nogil

include "_shapes.pxi"
include "_search.pxi"
include "_pruning.pxi"

cdef enum:
    OPTIONS_SIZE = 47  # struct Options without its padding
    FLAGS_START = 42
    XI_MAX = 1000  # so that seven groups stay within int16

# struct Division of csrc/query.hpp
DIVISION = np.dtype([("xi", "i2"), ("route", "u1"), ("size", "u1"), ("groups", "u2", (GROUP_COUNT,))])


cdef int bt_best_division(const Query* query, const Options* options, Division* best) noexcept nogil:
    """The first division of the fixed order, the one of most xi; returns that, or -1 where there is none."""
    cdef Search search
    cdef Seen seen[SEEN_COUNT]
    prepare(&search, query, options)
    search.best_only = True
    search.seen = seen
    while next_division(&search):
        search.floor = search.best_xi = search.found.xi
        best[0] = search.found
    return search.best_xi


cdef int bt_best_xi(const Query* query, const Options* options) noexcept nogil:
    """The most xi of all divisions, -1 where there is none."""
    cdef Division best
    return bt_best_division(query, options, &best)


cdef void bt_for_each(const Query* query, const Options* options, int min_xi, void* place,
                      int (*visit)(void*, const Division*) noexcept nogil) noexcept nogil:
    """Call visit for every division of so much xi or more, in the order of the search, until it says 0."""
    cdef Search search
    prepare(&search, query, options)
    search.floor = min_xi - 1
    while next_division(&search):
        if not visit(place, &search.found):
            return


cdef int64_t bt_count(const Query* query, const Options* options) noexcept nogil:
    cdef Search search
    cdef int64_t count = 0
    prepare(&search, query, options)
    while next_division(&search):
        count += 1
    return count


cdef void bt_waits(const Query* query, Source source, const Options* options, int wang_total,
                   int16_t* xi_by_face) noexcept nogil:
    """Best xi with each face as the winning tile; -1 where that is no win or no such tile can come."""
    cdef Query asked = query[0]
    cdef int face
    asked.source = source
    for face in range(FACE_COUNT + 1):
        xi_by_face[face] = -1
        if can_come(query, source, face, wang_total):
            asked.win = face
            xi_by_face[face] = bt_best_xi(&asked, options)


cdef bint can_come(const Query* query, Source source, int face, int wang_total) noexcept nogil:
    cdef int i, j, held = count_of(query.hand, face)
    if face == WANG:
        return source == Source.self and held < wang_total
    for i in range(GROUP_COUNT):
        for j in range(GROUPS[query.exposed[i]].size):
            held += GROUPS[query.exposed[i]].faces[j] == face
    return held < 4


cdef int bt_best_part(const Query* query, const Options* options) noexcept nogil:
    """The most xi of exposed groups, kan and ti with groups of any part of the other tiles (docs/rules.md 3).

    A winning tile counts as one of the hand. Wangs join neither kan nor ti and are no group alone.
    """
    cdef Search search
    cdef Frame* root = &search.frames[0]
    cdef Query whole = query[0]
    cdef int face, xi
    if query.win >= 0:
        whole.hand += tiles_of(query.win, 1)
        whole.win = -1
    prepare(&search, &whole, options)
    root.free = whole.hand & TILE_BITS
    root.locked = 0
    lock_held(&search, root)
    xi = search.exposed_xi
    for face in range(FACE_COUNT):
        if root.locked >> face & 1:
            xi += search.xi[TYPES[face][lowest_bit(search.lock_choices[face])].xi_place]
    return xi + best_of_part(&search, root.free, count_of(whole.hand, WANG), 0)


cdef int best_of_part(const Search* search, uint64_t free, int wang, int first_shape) noexcept nogil:
    """The most xi of groups of free tiles: the lowest face stands in a group of worth or is left out."""
    cdef int face, shape, xi, best
    cdef uint64_t choices, left
    cdef const Type* kind
    if free == 0:
        return 0
    face = lowest_bit(free) / COUNT_BITS
    best = best_of_part(search, free & ~tiles_of(face, 7), wang, 0)
    choices = fitting(face, free >> (COUNT_BITS * face)) & search.own & WANG_FITS[wang]
    choices &= ~<uint64_t>0 << first_shape
    while choices:
        shape = lowest_bit(choices)
        choices &= choices - 1
        kind = &TYPES[face][shape]
        xi = search.xi[kind.xi_place]
        if xi > 0:
            left = free - kind.need
            xi += best_of_part(search, left, wang - kind.wang, shape if count_of(left, face) else 0)
            best = max(best, xi)
    return best


cdef int find_best_first(const Query* query, const Options* options, int64_t limit,
                         vector[Division]& best) except -1 nogil:
    """All divisions in the fixed order, or the first `limit` of them if that is not negative."""
    cdef Search search
    cdef vector[Division] found
    prepare(&search, query, options)
    while next_division(&search):
        found.push_back(search.found)
    if limit < 0 or limit > <int64_t>found.size():
        limit = found.size()
    best.resize(limit)
    return sort_by_xi(found, best)


cdef int sort_by_xi(const vector[Division]& found, vector[Division]& best) except -1 nogil:
    """Stable counting sort: the order of the search settles the rest of the fixed order."""
    cdef vector[size_t] places
    cdef size_t i, end = 0
    cdef int xi, highest = 0
    for i in range(found.size()):
        highest = max(highest, found[i].xi)
    places.resize(highest + 1)
    for i in range(found.size()):
        places[found[i].xi] += 1
    for xi in range(highest, -1, -1):
        end += places[xi]
        places[xi] = end - places[xi]
    for i in range(found.size()):
        if places[found[i].xi] < best.size():
            best[places[found[i].xi]] = found[i]
        places[found[i].xi] += 1
    return 0


cdef int read_query(bytes key, Query* query) except -1:
    cdef int i, held
    if len(key) != sizeof(Query):
        raise ValueError(f"expected a query key of {sizeof(Query)} bytes, not {len(key)}")
    memcpy(query, <const char*>key, sizeof(Query))
    for i in range(GROUP_COUNT):
        if query.exposed[i] >= CODE_COUNT:
            raise ValueError(f"expected group codes below {CODE_COUNT}, not {query.exposed[i]}")
    if not -1 <= query.win <= WANG:
        raise ValueError(f"expected a winning face from -1 to {WANG}, not {query.win}")
    if <int>query.source > <int>Source.discard:
        raise ValueError(f"expected a source from 0 to 3, not {<int>query.source}")
    for i in range(FACE_COUNT + 1):
        held = count_of(query.hand, i) + (i == query.win)
        if held > 4:
            raise ValueError(f"expected at most 4 tiles of face {i}, not {held}")
    return 0


cdef int read_options(bytes packed, Options* options) except -1:
    cdef const uint8_t* flags
    cdef int i
    if len(packed) != OPTIONS_SIZE:
        raise ValueError(f"expected options of {OPTIONS_SIZE} bytes, not {len(packed)}")
    memcpy(&options.xi, <const char*>packed, sizeof(XiTable))
    for i in range(NO_XI):
        if not 0 <= (<const int16_t*>&options.xi)[i] <= XI_MAX:
            raise ValueError(f"expected xi from 0 to {XI_MAX}, not {(<const int16_t*>&options.xi)[i]}")
    flags = <const uint8_t*><const char*>packed + FLAGS_START
    options.min_xi = 0  # nothing here asks for it
    options.kan_splittable = flags[0] != 0
    options.third_from_other_is_wei = flags[1] != 0
    options.self_draw_forced = flags[2] != 0
    options.wang_in_quad = flags[3] != 0
    options.wang_in_triplet = flags[4] != 0
    return 0


cdef tuple as_tuple(const Division* division):
    cdef const uint16_t* at = &division.groups[0]
    return division.xi, <int>division.route, (at[0], at[1], at[2], at[3], at[4], at[5], at[6])


cdef class Divisions:
    """Iterator over the divisions of a query, found one by one as they are asked for."""

    cdef Query query
    cdef Options options
    cdef Search search

    def __cinit__(self, bytes key, bytes options):
        read_query(key, &self.query)
        read_options(options, &self.options)
        prepare(&self.search, &self.query, &self.options)

    def __iter__(self):
        return self

    def __next__(self):
        if not next_division(&self.search):
            raise StopIteration
        return as_tuple(&self.search.found)


def divisions(bytes key, bytes options):
    """Every division of a query as (xi, route, groups), in no order of worth."""
    return Divisions(key, options)


def collect(bytes key, bytes options, int64_t limit=-1):
    """The divisions of a query, best first, as an array of records: xi, route, size, groups; -1 means all."""
    cdef Query query
    cdef Options rules
    cdef vector[Division] found
    cdef size_t size
    read_query(key, &query)
    read_options(options, &rules)
    with nogil:
        find_best_first(&query, &rules, limit, found)
    size = found.size() * sizeof(Division)
    return np.frombuffer((<const char*>found.data())[:size] if size else b"", DIVISION)


def count(bytes key, bytes options):
    """How many divisions a query has."""
    cdef Query query
    cdef Options rules
    cdef int64_t total
    read_query(key, &query)
    read_options(options, &rules)
    with nogil:
        total = bt_count(&query, &rules)
    return total


def best_xi(bytes key, bytes options):
    """The most xi of all divisions, -1 where there is none."""
    cdef Query query
    cdef Options rules
    read_query(key, &query)
    read_options(options, &rules)
    return bt_best_xi(&query, &rules)


def best_division(bytes key, bytes options):
    """The first division of the fixed order as (xi, route, groups), None where there is none."""
    cdef Query query
    cdef Options rules
    cdef Division best
    read_query(key, &query)
    read_options(options, &rules)
    if bt_best_division(&query, &rules, &best) < 0:
        return None
    return as_tuple(&best)


def best_part(bytes key, bytes options):
    """The most xi of groups that any part of the tiles makes."""
    cdef Query query
    cdef Options rules
    read_query(key, &query)
    read_options(options, &rules)
    return bt_best_part(&query, &rules)


def waits(bytes key, bytes options, int source, int wang_total):
    """The most xi by winning face as a list of 21, -1 where none; the query has no winning tile."""
    cdef Query query
    cdef Options rules
    cdef int16_t xi_by_face[FACE_COUNT + 1]
    read_query(key, &query)
    read_options(options, &rules)
    if not 1 <= source <= 3:
        raise ValueError(f"expected a source from 1 to 3, not {source}")
    bt_waits(&query, <Source>source, &rules, wang_total, xi_by_face)
    return [xi_by_face[face] for face in range(FACE_COUNT + 1)]
