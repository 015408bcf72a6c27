# One answer each: from the tables where they have it, else from the backtracker. No GIL.

cdef bint has_wang(const Query* query) noexcept nogil:
    return query.win == WANG or _core.count_of(query.hand, WANG) > 0


cdef int answer_xi(const Query* query, const Options* options, bint backtrack) noexcept nogil:
    cdef int xi = NOT_COVERED
    if not backtrack:
        xi = _core.best_xi(query[0], options[0])
        if xi == NOT_COVERED and can_attach_more(has_wang(query)):
            xi = _core.best_xi(query[0], options[0])
    return xi if xi != NOT_COVERED else bt_best_xi(query, options)


cdef int answer_division(
    const Query* query, const Options* options, bint backtrack, Division* division
) noexcept nogil:
    cdef int xi = NOT_COVERED
    if not backtrack:
        xi = _core.best_division(query[0], options[0], division)
        if xi == NOT_COVERED and can_attach_more(has_wang(query)):
            xi = _core.best_division(query[0], options[0], division)
    return xi if xi != NOT_COVERED else bt_best_division(query, options, division)


cdef int64_t answer_count(const Query* query, const Options* options, bint backtrack) noexcept nogil:
    cdef int64_t count = NOT_COVERED
    if not backtrack:
        count = _core.count_divisions(query[0], options[0])
        if count == NOT_COVERED and can_attach_more(has_wang(query)):
            count = _core.count_divisions(query[0], options[0])
    return count if count != NOT_COVERED else bt_count(query, options)


cdef void answer_waits(
    const Query* query,
    Source source,
    const Options* options,
    int wang_total,
    bint backtrack,
    int16_t* xi_by_face,
) noexcept nogil:
    """The best xi by winning face; NO_DIVISION for faces that cannot come, and unless one tile is missing."""
    cdef bint is_answered = False
    cdef int face
    if query.win != NO_WIN_TILE or _core.missing_tiles(query[0]) != 1:
        for face in range(FACE_AXIS):
            xi_by_face[face] = NO_DIVISION
        return
    if not backtrack:
        is_answered = _core.waits(query[0], source, options[0], wang_total, xi_by_face)
        if not is_answered and can_attach_more(has_wang(query) or wang_total > 0):
            is_answered = _core.waits(query[0], source, options[0], wang_total, xi_by_face)
    if not is_answered:
        bt_waits(query, source, options, wang_total, xi_by_face)


cdef uint32_t faces_from(const int16_t* xi_by_face, int min_xi) noexcept nogil:
    cdef uint32_t mask = 0
    cdef int face
    for face in range(FACE_AXIS):
        mask |= <uint32_t>(xi_by_face[face] >= max(min_xi, 0)) << face
    return mask


cdef uint32_t waits_after(
    const Query* query, int discard, Source source, const Options* options, int wang_total, bint backtrack
) noexcept nogil:
    """The waits of a hand that discards, as a mask by face. All copies of a face that are in the query stay
    visible, the discarded one too."""
    cdef Query after = query[0]
    cdef int16_t xi_by_face[FACE_AXIS]
    after.hand -= _core.one_of(discard)
    answer_waits(&after, source, options, wang_total, backtrack, xi_by_face)
    if _core.count_of(_core.visible_tiles(query[0]), discard) == 4:
        xi_by_face[discard] = NO_DIVISION
    return faces_from(xi_by_face, options.min_xi)


cdef uint32_t answer_discards(
    const Query* query, Source source, const Options* options, int wang_total, bint backtrack
) noexcept nogil:
    """The faces after whose discard the hand waits, as a mask; 0 for a hand that need not discard."""
    cdef uint32_t mask = 0
    cdef int face, held
    if query.win != NO_WIN_TILE or _core.missing_tiles(query[0]) != 0:
        return mask
    if not backtrack:
        if _core.ready_discards(query[0], source, options[0], wang_total, &mask):
            return mask
        if can_attach_more(has_wang(query) or wang_total > 0):
            if _core.ready_discards(query[0], source, options[0], wang_total, &mask):
                return mask
        mask = 0
    for face in range(FACE_COUNT):
        held = _core.count_of(query.hand, face)
        if 0 < held < 3 and waits_after(query, face, source, options, wang_total, backtrack):
            mask |= <uint32_t>1 << face
    return mask
