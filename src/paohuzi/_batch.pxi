# Many queries: arrays that batch.py has shaped, without the GIL. Every row is checked here.

cdef Py_ssize_t _same_rows(Py_ssize_t rows, Py_ssize_t others) except -1:
    if rows != others:
        raise ValueError(f"expected arrays of as many rows, got {rows} and {others}")
    return rows


cdef const Query* _queries(const uint8_t[:, ::1] records) except? NULL:
    if records.shape[1] != KEY_SIZE or <uintptr_t>&records[0, 0] % cython.sizeof(uint64_t):
        raise ValueError(f"expected aligned records of {KEY_SIZE} bytes, got {records.shape[1]}")
    return <const Query*>&records[0, 0]


cdef Query EMPTY_QUERY


cdef bint _load_checked(const Query* source, Query* query, uint8_t* fault) noexcept nogil:
    """Take a query over unless it is none."""
    fault[0] = <uint8_t><int>_core.check(source[0])
    if fault[0]:
        query[0] = EMPTY_QUERY
        return False
    query[0] = source[0]
    return True


def pack_rows(const uint8_t[:, :] rows, uint64_t[::1] out):
    """Pack rows of 20 or 21 counts; returns the first row that is no hand, or -1."""
    cdef Py_ssize_t row, count = _same_rows(rows.shape[0], out.shape[0])
    cdef Py_ssize_t face, bad = -1
    cdef int width = <int>rows.shape[1]
    cdef bint is_adjacent = count > 0 and rows.strides[1] == 1
    cdef uint8_t counts[FACE_AXIS]
    if not FACE_COUNT <= width <= FACE_AXIS:
        raise ValueError(f"expected 20 or 21 columns, got {width}")
    with nogil:
        for row in range(count):
            if is_adjacent:
                out[row] = _core.pack_row(&rows[row, 0], width)
            else:
                for face in range(width):
                    counts[face] = rows[row, face]
                out[row] = _core.pack_row(counts, width)
            if out[row] == BAD_HAND and bad < 0:
                bad = row
    return bad


def unpack_hands(const uint64_t[:] hands, uint8_t[:, ::1] out):
    """Unpack hands into rows of 21 counts; returns the first that is no hand, or -1."""
    cdef Py_ssize_t row, count = _same_rows(hands.shape[0], out.shape[0])
    cdef Py_ssize_t bad = -1
    if out.shape[1] != FACE_AXIS:
        raise ValueError(f"expected 21 columns, got {out.shape[1]}")
    with nogil:
        for row in range(count):
            if not _core.is_hand(hands[row]) and bad < 0:
                bad = row
            _core.unpack_row(hands[row], &out[row, 0])
    return bad


def max_xi_rows(const uint8_t[:, :] rows, const uint8_t[::1] wang, int8_t[::1] out):
    """The best xi of rows of counts under the classic rules: -1 for none, -2 where the tables have no answer,
    -3 for no hand."""
    cdef Py_ssize_t count = _same_rows(rows.shape[0], out.shape[0])
    cdef const uint8_t* wangs = NULL
    if not FACE_COUNT <= rows.shape[1] <= FACE_AXIS or (count and rows.strides[1] != 1):
        raise ValueError(f"expected 20 or 21 adjacent columns, got {rows.shape[1]}, stride {rows.strides[1]}")
    if count == 0:
        return
    if wang is not None:
        _same_rows(count, wang.shape[0])
        wangs = &wang[0]
    load_tables(False)
    with nogil:
        _core.max_xi_rows(&rows[0, 0], rows.strides[0], count, <int>rows.shape[1], wangs, &out[0])


def max_xi_packed(const uint64_t[::1] hands, const uint8_t[::1] wang, int8_t[::1] out):
    """As max_xi_rows, from packed hands."""
    cdef Py_ssize_t count = _same_rows(hands.shape[0], out.shape[0])
    cdef const uint8_t* wangs = NULL
    if count == 0:
        return
    if wang is not None:
        _same_rows(count, wang.shape[0])
        wangs = &wang[0]
    load_tables(False)
    with nogil:
        _core.max_xi_packed(&hands[0], count, wangs, &out[0])


def solve_records(
    const uint8_t[:, ::1] records, bytes options, bint backtrack, int16_t[::1] xi, uint8_t[::1] faults
):
    """The best xi of queries, -1 for none and for rows with a fault."""
    cdef Py_ssize_t size, start = 0, count = _same_rows(records.shape[0], xi.shape[0])
    cdef Options rules
    _same_rows(count, faults.shape[0])
    read_options(options, &rules)
    if count == 0:
        return
    cdef const Query* queries = _queries(records)
    with nogil:
        while start < count:
            size = min(<Py_ssize_t>BLOCK_ROWS, count - start)
            if backtrack:
                _fill_not_covered(&xi[start], size)
            else:
                _core.solve_queries(&queries[start], size, rules, &xi[start], &faults[start])
            _settle_rows(&queries[start], size, &rules, backtrack, &xi[start], &faults[start])
            start += size
    finish(backtrack)


cdef void _fill_not_covered(int16_t* xi, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(size):
        xi[i] = NOT_COVERED


cdef void _settle_rows(
    const Query* queries,
    Py_ssize_t size,
    const Options* options,
    bint backtrack,
    int16_t* xi,
    uint8_t* faults,
) noexcept nogil:
    """Answer what is not covered."""
    cdef Query query
    cdef Py_ssize_t i
    for i in range(size):
        if xi[i] == NOT_COVERED:
            xi[i] = NO_DIVISION
            if _load_checked(&queries[i], &query, &faults[i]):
                xi[i] = <int16_t>answer_xi(&query, options, backtrack)


def divide_records(
    const uint8_t[:, ::1] records,
    bytes options,
    bint backtrack,
    const int16_t[::1] xi,
    uint8_t[::1] route,
    uint16_t[:, ::1] groups,
):
    """The route and the native groups of each best division; 255 and zeros where xi says there is none."""
    cdef Py_ssize_t row, i, count = _same_rows(records.shape[0], groups.shape[0])
    cdef Options rules
    cdef Query query
    cdef Division division
    cdef uint8_t fault = 0
    _same_rows(count, route.shape[0])
    _same_rows(count, xi.shape[0])
    if groups.shape[1] != 7:
        raise ValueError(f"expected 7 columns of groups, got {groups.shape[1]}")
    read_options(options, &rules)
    if count == 0:
        return
    cdef const Query* queries = _queries(records)
    with nogil:
        for row in range(count):
            memset(&groups[row, 0], 0, 7 * sizeof(uint16_t))
            route[row] = 255
            if xi[row] == NO_DIVISION or not _load_checked(&queries[row], &query, &fault):
                continue
            if answer_division(&query, &rules, backtrack, &division) == NO_DIVISION:
                continue
            route[row] = <uint8_t><int>division.route
            for i in range(division.size):
                groups[row, i] = division.groups[i]
    finish(backtrack)


def wait_records(
    const uint8_t[:, ::1] records,
    bytes options,
    int source,
    int wang_total,
    bint backtrack,
    uint32_t[::1] masks,
    int16_t[:, ::1] xi,
):
    """The waits of queries: as masks by face of those that reach the minimum, or all their xi."""
    cdef Py_ssize_t row, face, count = records.shape[0]
    cdef Options rules
    cdef Query query
    cdef int16_t xi_by_face[FACE_AXIS]
    cdef uint8_t fault = 0
    cdef Source from_source = <Source>read_source(source)
    cdef bint has_masks = masks is not None, has_xi = xi is not None
    read_wang_total(wang_total)
    read_options(options, &rules)
    if has_masks:
        _same_rows(count, masks.shape[0])
    if has_xi:
        _same_rows(count, xi.shape[0])
        _same_rows(FACE_AXIS, xi.shape[1])
    if count == 0:
        return
    cdef const Query* queries = _queries(records)
    with nogil:
        for row in range(count):
            if _load_checked(&queries[row], &query, &fault):
                answer_waits(&query, from_source, &rules, wang_total, backtrack, xi_by_face)
            else:
                for face in range(FACE_AXIS):
                    xi_by_face[face] = NO_DIVISION
            if has_masks:
                masks[row] = faces_from(xi_by_face, rules.min_xi)
            if has_xi:
                memcpy(&xi[row, 0], xi_by_face, sizeof(xi_by_face))
    finish(backtrack)


def self_wait_hands(
    const uint64_t[::1] hands, int wang_total, int min_xi, uint32_t[::1] masks, int8_t[:, ::1] xi
):
    """As wait_records for concealed hands under the classic rules on own draws.

    Returns the first row that is no hand, or -1; the rows from there on are not filled.
    """
    cdef Py_ssize_t i, size, start = 0, count = hands.shape[0]
    cdef Py_ssize_t bad = -1
    cdef int8_t block[BLOCK_ROWS * FACE_AXIS]
    cdef int8_t* row
    cdef int8_t* rows
    cdef bint has_masks = masks is not None, has_xi = xi is not None
    read_wang_total(wang_total)
    if min_xi < 0:
        raise ValueError(f"expected a minimum xi from 0 up, got {min_xi}")
    if has_masks:
        _same_rows(count, masks.shape[0])
    if has_xi:
        _same_rows(count, xi.shape[0])
        _same_rows(FACE_AXIS, xi.shape[1])
    load_tables(False)
    with nogil:
        while start < count:
            size = min(<Py_ssize_t>BLOCK_ROWS, count - start)
            for i in range(start, start + size):
                if not _core.is_hand(hands[i]):
                    bad = i
                    break
            if bad >= 0:
                break
            rows = &xi[start, 0] if has_xi else block
            if not _core.self_waits_packed(&hands[start], size, rows):
                if not can_attach_more(True) or not _core.self_waits_packed(&hands[start], size, rows):
                    break  # finish() tells why
            for i in range(size):
                row = rows + i * FACE_AXIS
                _settle_waits(hands[start + i], wang_total, row)
                if has_masks:
                    masks[start + i] = _core.faces_reaching(row, min_xi) if min_xi <= INT8_MAX else 0
            start += size
    finish(False)  # for the wang that a hand without one may draw
    return bad


cdef void _settle_waits(uint64_t hand, int wang_total, int8_t* xi_by_face) noexcept nogil:
    """Only a hand that lacks one tile waits, and for a wang only if the deck has a further one."""
    cdef Query query
    query.hand = hand
    if _core.missing_tiles(query) != 1:
        memset(xi_by_face, NO_DIVISION, FACE_AXIS)
        return
    cdef int held = _core.count_of(hand, WANG)
    if wang_total <= held:
        xi_by_face[WANG] = NO_DIVISION
    elif held == 0:
        query.win = WANG
        query.source = Source.self
        xi_by_face[WANG] = <int8_t>answer_xi(&query, &DEFAULT_OPTIONS, False)


def discard_records(
    const uint8_t[:, ::1] records,
    bytes options,
    int source,
    int wang_total,
    bint backtrack,
    uint32_t[::1] masks,
):
    """The faces after whose discard a query waits, as masks; 0 for rows that need not discard."""
    cdef Py_ssize_t row, count = _same_rows(records.shape[0], masks.shape[0])
    cdef Options rules
    cdef Query query
    cdef uint8_t fault = 0
    cdef Source from_source = <Source>read_source(source)
    read_wang_total(wang_total)
    read_options(options, &rules)
    if count == 0:
        return
    cdef const Query* queries = _queries(records)
    with nogil:
        for row in range(count):
            masks[row] = 0
            if _load_checked(&queries[row], &query, &fault):
                masks[row] = answer_discards(&query, from_source, &rules, wang_total, backtrack)
    finish(backtrack)


def check_records(const uint8_t[:, ::1] records, uint8_t[::1] faults, int8_t[::1] missing):
    """The fault of each query, and how many tiles it lacks to a whole hand (0 where it has a fault)."""
    cdef Py_ssize_t row, count = _same_rows(records.shape[0], faults.shape[0])
    cdef Query query
    _same_rows(count, missing.shape[0])
    if count == 0:
        return
    cdef const Query* queries = _queries(records)
    with nogil:
        for row in range(count):
            missing[row] = 0
            if _load_checked(&queries[row], &query, &faults[row]):
                missing[row] = <int8_t>_core.missing_tiles(query)
