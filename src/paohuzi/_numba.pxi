# Single queries as plain C functions, for compiled code that holds no GIL (nb.py). The exposed groups come as
# their codes in the bytes of one number, the rules as a number from register_rules. INVALID: not a query.

cdef Options RULES[RULES_MAX]
cdef int RULES_WANG[RULES_MAX]
cdef list registered = []
cdef int64_t registered_count = 0


def register_rules(bytes options, int wang_total):
    """The number by which compiled code names these rules in this process; 0 are the classic ones."""
    global registered_count
    cdef Options rules
    read_options(options, &rules)
    read_wang_total(wang_total)
    if (options, wang_total) not in registered:
        if len(registered) == RULES_MAX:
            raise ValueError(f"expected at most {RULES_MAX} different rules, got one more")
        RULES[len(registered)] = rules
        RULES_WANG[len(registered)] = wang_total
        registered.append((options, wang_total))
        registered_count = len(registered)
    return registered.index((options, wang_total))


register_rules(default_options(), 0)


cdef bint read_native(
    uint64_t hand, uint64_t exposed, int64_t win, int64_t source, int64_t rules, Query* query
) noexcept nogil:
    query.hand = hand
    memcpy(<void*>&query.exposed, &exposed, GROUP_COUNT)
    query.win = <int8_t>win
    query.source = <Source><int>source
    return (
        exposed >> 8 * GROUP_COUNT == 0
        and NO_WIN_TILE <= win <= WANG
        and 0 <= source <= 3
        and 0 <= rules < registered_count
        and <int>_core.check(query[0]) == 0
    )


cdef api int64_t paohuzi_max_xi(uint64_t hand, int64_t rules) noexcept nogil:
    cdef Query query
    cdef int xi = _core.best_hand_xi(hand) if rules == 0 else NOT_COVERED
    if xi != NOT_COVERED:
        return xi
    query.hand = hand
    if not 0 <= rules < registered_count or <int>_core.check(query):
        return INVALID
    return answer_xi(&query, &RULES[rules], False)


cdef api int64_t paohuzi_is_hu(uint64_t hand, int64_t rules) noexcept nogil:
    cdef int64_t xi = paohuzi_max_xi(hand, rules)
    return xi >= RULES[rules].min_xi if xi >= 0 else 0


cdef api int64_t paohuzi_solve_xi(
    uint64_t hand, uint64_t exposed, int64_t win, int64_t source, int64_t rules
) noexcept nogil:
    cdef Query query
    if not read_native(hand, exposed, win, source, rules, &query):
        return INVALID
    return answer_xi(&query, &RULES[rules], False)


cdef api int64_t paohuzi_waits(uint64_t hand, uint64_t exposed, int64_t source, int64_t rules) noexcept nogil:
    cdef Query query
    cdef int16_t xi_by_face[FACE_AXIS]
    if not 1 <= source <= 3 or not read_native(hand, exposed, NO_WIN_TILE, 0, rules, &query):
        return INVALID
    answer_waits(&query, <Source><int>source, &RULES[rules], RULES_WANG[rules], False, xi_by_face)
    return faces_from(xi_by_face, RULES[rules].min_xi)


cdef api int64_t paohuzi_wait_xi(
    uint64_t hand, uint64_t exposed, int64_t source, int64_t rules, int16_t* xi_by_face
) noexcept nogil:
    """Fills 21 places."""
    cdef Query query
    if not 1 <= source <= 3 or not read_native(hand, exposed, NO_WIN_TILE, 0, rules, &query):
        return INVALID
    answer_waits(&query, <Source><int>source, &RULES[rules], RULES_WANG[rules], False, xi_by_face)
    return 0


cdef api int64_t paohuzi_ready_discards(
    uint64_t hand, uint64_t exposed, int64_t source, int64_t rules
) noexcept nogil:
    cdef Query query
    if not 1 <= source <= 3 or not read_native(hand, exposed, NO_WIN_TILE, 0, rules, &query):
        return INVALID
    return answer_discards(&query, <Source><int>source, &RULES[rules], RULES_WANG[rules], False)
