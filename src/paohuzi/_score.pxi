# What a win pays. Rules come as the bytes of struct Rules (csrc/rules.hpp), a context as a mask of CONTEXT.

CONTEXT = ("last_tile", "shown_tile", "dealer", "untouched", "first_discard", "heaven")
# Why a context is refused, by ContextFault of csrc/context.hpp.
CONTEXT_FAULT_TEXTS = (
    "",
    "expected a winning tile from the wall, @self or @other, for last_tile (海底)",
    "expected last_tile (海底) without shown_tile (亮张) and first_discard",
    "expected no winning tile from another for the dealer's win on the shown tile (亮张)",
    "expected the winning tile @other for another's win on the shown tile (亮张), or dealer for the dealer's",
    "expected no exposed groups but dealt quads (ti) with shown_tile, untouched, first_discard or heaven",
    "expected a winning tile @discard, and another winner than the dealer, for first_discard",
    "expected first_discard without shown_tile (亮张)",
    "expected no winning tile for forced heaven (天胡), which is dealt",
    "expected 3 quads, or 5 quads and triplets, for forced heaven (天胡)",
    "expected 20 tiles as dealt, or the dealer's 21, for forced heaven (天胡)",
    "expected heaven and no winning tile for a hand dealt with 3 quads, or 5 quads and triplets (天胡)",
)
# Id, greatest number, Chinese and English words of what a fan may look at, by Fact of csrc/rules.hpp.
FACTS = tuple(
    (
        _core.fact_entry(fact).id.decode(), _core.fact_entry(fact).most,
        _core.fact_entry(fact).chinese.decode(), _core.fact_entry(fact).english.decode(),
    )
    for fact in range(_core.FACT_COUNT)
)

cdef enum:
    CONTEXT_COUNT = 6
    CONTEXT_FLAGS = 1 << 6
    PLAY_SIZE = 12


cdef int attach_for_core(int wang) noexcept nogil:
    return can_attach_more(wang != 0)


_core.backtracker.best_xi = bt_best_xi
_core.backtracker.best_part = bt_best_part
_core.backtracker.for_each_division = bt_for_each
_core.backtracker.attach_tables = attach_for_core


cdef int read_scoring(const _core.Scoring* scoring) except -1:
    """Whether the core can reckon with it."""
    cdef int i, number
    if scoring.tun_per < 1 or scoring.tun_less < 0 or not 1 <= scoring.tianhu_xi_factor <= XI_LIMIT:
        raise ValueError("expected tun_per from 1, tun_less from 0 and tianhu_xi_factor from 1 up")
    if <int>scoring.own_draw > 2 or <int>scoring.combine > 2 or <int>scoring.other_shown > 2:
        raise ValueError("expected 0 to 2 for own_draw, combine and other_shown")
    if scoring.fan_count > _core.FAN_MAX or scoring.together_count > _core.TOGETHER_MAX:
        raise ValueError(f"expected at most {_core.FAN_MAX} fan and {_core.TOGETHER_MAX} together")
    for i in range(scoring.fan_count):
        if <int>scoring.fans[i].fact >= _core.FACT_COUNT or scoring.fans[i].exclusive > _core.FAN_MAX:
            raise ValueError(f"expected a known fact and group for fan {i}")
        for number in range(27):
            if scoring.fans[i].values[number] < 0 or scoring.fans[i].alone < 0:
                raise ValueError(f"expected fan from 0 up, got {scoring.fans[i].values[number]}")
    for i in range(scoring.together_count):
        if scoring.together[i].value < 1 or scoring.together[i].parts >> scoring.fan_count:
            raise ValueError(f"expected parts that are fan for together {i}")
    return 0


cdef class NativeRules:
    """Rules as the core has them, with what it finds out beforehand."""

    cdef _core.Scorer* scorer
    cdef _core.HandScores* hands

    def __cinit__(self, bytes source):
        cdef _core.Rules rules
        cdef Options options
        cdef const unsigned char* data = source
        cdef int i
        if len(source) != sizeof(_core.Rules):
            raise ValueError(f"expected {sizeof(_core.Rules)} bytes of rules, got {len(source)}")
        read_options(source[:OPTIONS_SIZE], &options)
        for i in range(2, PLAY_SIZE):
            if data[sizeof(Options) + i] > 1 and i != 5:
                raise ValueError(f"expected 0 or 1 for byte {i} of the rules of play")
        memcpy(<void*>&rules, data, sizeof(_core.Rules))
        if rules.play.seats not in (3, 4) or rules.play.wang > WANG_MAX:
            raise ValueError(f"expected 3 or 4 seats and 0 to {WANG_MAX} wangs (王) in the rules")
        read_scoring(&rules.scoring)
        self.scorer = new _core.Scorer(rules)

    cdef const _core.HandScores* hand_scores(self) except NULL:
        """Made at the first batch: its tables take some milliseconds."""
        with _lock:
            if self.hands is NULL:
                self.hands = new _core.HandScores(self.scorer[0])
        return self.hands

    def __dealloc__(self):
        del self.hands
        del self.scorer


cdef dict _native_rules = {}


cdef NativeRules native_rules(bytes source):
    found = _native_rules.get(source)
    if found is None:
        if len(_native_rules) >= RULES_MAX:
            _native_rules.clear()
        found = _native_rules[source] = NativeRules(source)
    return <NativeRules>found


cdef void read_context(int flags, _core.Context* context) noexcept nogil:
    context.last_tile = flags & 1
    context.shown_tile = flags >> 1 & 1
    context.dealer = flags >> 2 & 1
    context.untouched = flags >> 3 & 1
    context.first_discard = flags >> 4 & 1
    context.heaven = flags >> 5 & 1


def score(bytes key, bytes rules, int context):
    """What a query pays, None when it is no win: payment, base, tun, xi, fan, mask of fans, groups, route,
    numbers of FACTS."""
    cdef Query query
    cdef _core.Context asked
    cdef _core.ScoredDivision found
    cdef NativeRules native = native_rules(rules)
    cdef int fault, i
    read_key(key, &query)
    if not 0 <= context < CONTEXT_FLAGS:
        raise ValueError(f"expected a context from 0 to {CONTEXT_FLAGS - 1}, got {context}")
    read_context(context, &asked)
    fault = <int>_core.check_context(query, asked)
    if fault:
        raise ValueError(CONTEXT_FAULT_TEXTS[fault])
    found = _core.best_scored_division(native.scorer[0], query, asked)
    finish(False)
    if found.reckoning.payment < 0:
        return None
    groups = tuple([group_from(found.groups[i]) for i in range(found.size)])
    return (
        found.reckoning.payment, found.reckoning.base, found.reckoning.tun, found.reckoning.xi,
        found.reckoning.fan, found.reckoning.fans, groups, ROUTE_LIST[<int>found.route],
        tuple([found.numbers[i] for i in range(_core.FACT_COUNT)]),
    )


cdef _core.ScoreColumns score_columns(list arrays, Py_ssize_t count) except *:
    """The columns payment, fan, fans, base and xi of so many rows."""
    cdef _core.ScoreColumns columns
    cdef int32_t[::1] payment = arrays[0]
    cdef int32_t[::1] fan = arrays[1]
    cdef uint32_t[::1] fans = arrays[2]
    cdef int16_t[::1] base = arrays[3]
    cdef int16_t[::1] xi = arrays[4]
    for column in arrays:
        _same_rows(count, len(column))
    columns.payment, columns.fan, columns.fans = &payment[0], &fan[0], &fans[0]
    columns.base, columns.xi = &base[0], &xi[0]
    return columns


def score_rows(const uint8_t[:, :] rows, const uint8_t[::1] wang, bytes native_bytes, list out):
    """The scores of rows of counts; returns the first that is no hand, or how many there are."""
    cdef Py_ssize_t count = rows.shape[0]
    cdef size_t done
    cdef const uint8_t* wangs = NULL
    cdef const _core.HandScores* scores = native_rules(native_bytes).hand_scores()
    if not FACE_COUNT <= rows.shape[1] <= FACE_AXIS or (count and rows.strides[1] != 1):
        raise ValueError(f"expected 20 or 21 adjacent columns, got {rows.shape[1]}, stride {rows.strides[1]}")
    if count == 0:
        return 0
    if wang is not None:
        _same_rows(count, wang.shape[0])
        wangs = &wang[0]
    cdef _core.ScoreColumns target = score_columns(out, count)
    load_tables(False)
    with nogil:
        done = scores.of_rows(&rows[0, 0], rows.strides[0], count, <int>rows.shape[1], wangs, target)
    finish(False)
    return done


def score_packed(const uint64_t[::1] hands, const uint8_t[::1] wang, bytes native_bytes, list out):
    """As score_rows, from packed hands."""
    cdef Py_ssize_t count = hands.shape[0]
    cdef size_t done
    cdef const uint8_t* wangs = NULL
    cdef const _core.HandScores* scores = native_rules(native_bytes).hand_scores()
    if count == 0:
        return 0
    if wang is not None:
        _same_rows(count, wang.shape[0])
        wangs = &wang[0]
    cdef _core.ScoreColumns target = score_columns(out, count)
    load_tables(False)
    with nogil:
        done = scores.of_packed(&hands[0], count, wangs, target)
    finish(False)
    return done


def score_records(
    const uint8_t[:, ::1] records,
    const uint8_t[::1] contexts,
    bytes native_bytes,
    uint8_t[::1] faults,
    list out,
):
    """The scores of queries with their contexts; faults of FAULT_TEXTS, behind those CONTEXT_FAULT_TEXTS."""
    cdef Py_ssize_t row, count = _same_rows(records.shape[0], faults.shape[0])
    cdef Query query
    cdef _core.Context context
    cdef _core.Reckoning none
    cdef int fault
    cdef int first_context_fault = len(FAULT_TEXTS) - 1
    cdef NativeRules native = native_rules(native_bytes)
    _same_rows(count, contexts.shape[0])
    if count == 0:
        return
    cdef const Query* queries = _queries(records)
    cdef _core.ScoreColumns target = score_columns(out, count)
    with nogil:
        for row in range(count):
            _core.set_score(target, row, none)
            if not _load_checked(&queries[row], &query, &faults[row]):
                continue
            read_context(contexts[row], &context)
            fault = <int>_core.check_context(query, context)
            if fault:
                faults[row] = <uint8_t>(first_context_fault + fault)
            else:
                _core.set_score(target, row, _core.best_score(native.scorer[0], query, context))
    finish(False)
