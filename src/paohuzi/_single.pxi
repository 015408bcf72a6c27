# Single queries from Python. Bytes and ints only: a typed buffer argument would cost more than the answer.

cdef Options DEFAULT_OPTIONS
cdef object slow_max_xi, slow_is_hu, group_of, Solution
cdef list GROUPS = [None] * NATIVE_CODES
cdef list ROUTE_LIST = list(ROUTES)


def set_values(solution, group, max_xi, is_hu):
    """What the layers above lend the door: the class of solutions with its slots hu, xi, groups and route,
    what makes a group of its native code, and what max_xi and is_hu call for all but a packed hand."""
    global slow_max_xi, slow_is_hu, group_of, Solution
    Solution, group_of, slow_max_xi, slow_is_hu = solution, group, max_xi, is_hu


def default_options():
    """The options of the classic rules as the core has them."""
    return (<const char*>&DEFAULT_OPTIONS)[:OPTIONS_SIZE]


cdef int read_options(bytes source, Options* options) except -1:
    cdef const unsigned char* data = source
    cdef int i
    if len(source) != OPTIONS_SIZE:
        raise ValueError(f"expected {OPTIONS_SIZE} bytes of options, got {len(source)}")
    memcpy(<void*>options, data, XI_COUNT * 2)
    for i in range(XI_COUNT):
        if not 0 <= (<const int16_t*>options)[i] <= XI_LIMIT:
            raise ValueError(f"expected xi from 0 to {XI_LIMIT}, got {(<const int16_t*>options)[i]}")
    for i in range(TRUTHS_START, OPTIONS_SIZE):
        if data[i] > 1:
            raise ValueError(f"expected 0 or 1 for an option that is on or off, got {data[i]}")
    memcpy(<void*>options, data, OPTIONS_SIZE)
    if not 0 <= options.min_xi <= MIN_XI_LIMIT:
        raise ValueError(f"expected a minimum xi from 0 to {MIN_XI_LIMIT}, got {options.min_xi}")
    return 0


cdef int read_key(bytes key, Query* query) except -1:
    cdef int fault
    if len(key) != KEY_SIZE:
        raise ValueError(f"expected a query key of {KEY_SIZE} bytes, got {len(key)}")
    memcpy(<void*>query, <const char*>key, KEY_SIZE)
    fault = <int>_core.check(query[0])
    if fault:
        raise ValueError(f"not a query: {FAULT_TEXTS[fault]}")
    return 0


cdef int read_source(int source) except -1:
    if not 1 <= source <= 3:
        raise ValueError(f"expected a source from 1 to 3, got {source}")
    return source


cdef int read_wang_total(int wang_total) except -1:
    if not 0 <= wang_total <= WANG_MAX:
        raise ValueError(f"expected 0 to {WANG_MAX} wangs (王) in the deck, got {wang_total}")
    return wang_total


cdef bint read_packed(object hand, Query* query) except -1:
    """Whether it is a packed hand that can be: then it stands in the query."""
    if not PyLong_CheckExact(hand):
        return False
    query.hand = PyLong_AsUnsignedLongLong(hand)
    if query.hand == <uint64_t>-1 and PyErr_Occurred():
        PyErr_Clear()
        return False
    return <int>_core.check(query[0]) == 0


def max_xi(query, rules=None, method=None):
    """The best xi (胡息) of a whole hand or of a hand with its winning tile; None if no division exists.

    query: Query, Hand, text, packed int, or 20 or 21 counts by face. rules: Rules, the classic ones by
    default. method: "table", or "backtrack" for the independent search. Raises NotationError, IllegalHand.
    See docs/rules.md 3.

    >>> from paohuzi import max_xi
    >>> max_xi("122345678900s 122345670b")
    18
    """
    cdef Query key
    cdef int xi
    if rules is not None or method is not None or not read_packed(query, &key):
        return slow_max_xi(query, rules, method)
    xi = answer_xi(&key, &DEFAULT_OPTIONS, False)
    if table_error is not None:
        raise_table_error()
    return xi if xi != NO_DIVISION else None


def is_hu(query, rules=None, method=None):
    """Whether the hand wins (胡): a division exists and reaches the minimum xi of the rules.

    The arguments are those of max_xi. On a discard the rules must let discards win. See docs/rules.md 3.

    >>> from paohuzi import is_hu
    >>> is_hu("122345678900s 122345670b")
    True
    """
    cdef Query key
    cdef int xi
    if rules is not None or method is not None or not read_packed(query, &key):
        return slow_is_hu(query, rules, method)
    xi = answer_xi(&key, &DEFAULT_OPTIONS, False)
    if table_error is not None:
        raise_table_error()
    return xi >= DEFAULT_OPTIONS.min_xi


cdef int finish(bint backtrack) except -1:
    """An answer that should have come from tables which cannot be read is not given."""
    if table_error is not None and not backtrack:
        raise_table_error()
    return 0


def best_xi(bytes key, bytes options, bint backtrack=False):
    """The best xi of a query, -1 if no division exists."""
    cdef Query query
    cdef Options rules
    read_key(key, &query)
    read_options(options, &rules)
    cdef int xi = answer_xi(&query, &rules, backtrack)
    finish(backtrack)
    return xi


cdef object group_from(int native):
    """The group of a native code, made once."""
    if native >= NATIVE_CODES or GROUPS[native] is None:
        made = group_of(native)  # raises for a code that is none
        GROUPS[native] = made
    return GROUPS[native]


cdef object solution_from(const Division* division, bint hu):
    """A Solution made the quick way, past its frozen __init__."""
    cdef int i
    cdef tuple groups = PyTuple_New(division.size)
    for i in range(division.size):
        group = group_from(division.groups[i])
        Py_INCREF(group)
        PyTuple_SET_ITEM(groups, i, group)
    solution = PyType_GenericAlloc(<PyTypeObject*>Solution, 0)
    PyObject_GenericSetAttr(solution, "hu", hu)
    PyObject_GenericSetAttr(solution, "xi", <int>division.xi)
    PyObject_GenericSetAttr(solution, "groups", groups)
    PyObject_GenericSetAttr(solution, "route", ROUTE_LIST[<int>division.route])
    return solution


def solve(bytes key, bytes options, bint discards_win, bint backtrack=False):
    """The best division of a query as a Solution, None if none exists."""
    cdef Query query
    cdef Options rules
    cdef Division division
    read_key(key, &query)
    read_options(options, &rules)
    cdef int xi = answer_division(&query, &rules, backtrack, &division)
    finish(backtrack)
    if xi == NO_DIVISION:
        return None
    return solution_from(&division, xi >= rules.min_xi and (discards_win or query.source != Source.discard))


def solutions(records, int min_xi):
    """The Solutions of divisions that the backtracker has collected, each made when it is asked for."""
    cdef bytes data = records.tobytes()
    cdef const Division* division
    cdef Py_ssize_t start
    for start in range(0, len(data), sizeof(Division)):
        division = <const Division*>(<const char*>data + start)
        yield solution_from(division, division.xi >= min_xi)


def count_divisions(bytes key, bytes options, bint backtrack=False):
    """How many divisions a query has."""
    cdef Query query
    cdef Options rules
    read_key(key, &query)
    read_options(options, &rules)
    cdef int64_t count = answer_count(&query, &rules, backtrack)
    finish(backtrack)
    return count


def best_part(bytes key, bytes options):
    """The best xi of groups that use any part of the tiles."""
    cdef Query query
    cdef Options rules
    read_key(key, &query)
    read_options(options, &rules)
    return bt_best_part(&query, &rules)


def waits(bytes key, bytes options, int source, int wang_total, bint backtrack=False):
    """The best xi by winning face as a list of 21, -1 where none; the query has no winning tile."""
    cdef Query query
    cdef Options rules
    cdef int16_t xi_by_face[FACE_AXIS]
    read_key(key, &query)
    read_options(options, &rules)
    answer_waits(
        &query, <Source>read_source(source), &rules, read_wang_total(wang_total), backtrack, xi_by_face
    )
    finish(backtrack)
    return [xi_by_face[face] for face in range(FACE_AXIS)]


def ready_discards(bytes key, bytes options, int source, int wang_total, bint backtrack=False):
    """The discards that leave a waiting hand, as {face: mask of the faces it waits for}."""
    cdef Query query
    cdef Options rules
    read_key(key, &query)
    read_options(options, &rules)
    cdef Source from_source = <Source>read_source(source)
    read_wang_total(wang_total)
    cdef uint32_t discards = answer_discards(&query, from_source, &rules, wang_total, backtrack)
    finish(backtrack)
    return {
        face: waits_after(&query, face, from_source, &rules, wang_total, backtrack)
        for face in range(FACE_COUNT) if discards >> face & 1
    }


def missing_tiles(bytes key):
    """How many tiles a query lacks to a whole hand; negative if it has too many."""
    cdef Query query
    read_key(key, &query)
    return _core.missing_tiles(query)


def unpacked(uint64_t hand):
    """The 21 counts of a packed hand, a byte each; None for what is none."""
    cdef uint8_t[21] counts
    cdef int face
    if not _core.is_hand(hand):
        return None
    for face in range(FACE_COUNT + 1):
        counts[face] = <uint8_t>_core.count_of(hand, face)
    return (<const char*>&counts[0])[:21]
