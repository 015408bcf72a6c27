# Many hands played at once on the native side.

def random_play(rules, uint64_t first_seed, uint64_t hands, bint with_events=False):
    """Totals over whole hands of random legal actions, from this seed on; events by kind if asked for."""
    cdef TableRules known_rules = table_rules(rules)
    cdef Totals totals
    with nogil:
        play_randomly(known_rules.scorer[0], first_seed, hands, with_events, totals)
    return {
        "hands": totals.hands,
        "decisions": totals.decisions,
        "choices": totals.choices,
        "heavens": totals.heavens,
        "drawn": totals.drawn,
        "payment": totals.payment,
        "questions": {QUESTIONS[i]: totals.questions[i] for i in range(QUESTION_COUNT)},
        "events": {EVENTS[i]: totals.events[i] for i in range(EVENT_COUNT)},
    }


def play_states(rules, uint64_t seed, uint64_t first_game, size_t count):
    """The keys of the queries of so many states of play, one after the other (csrc/played_states.hpp)."""
    cdef TableRules known_rules = table_rules(rules)
    cdef bytes keys
    cdef Query* out
    if count > ROWS_MAX:
        raise ValueError(f"expected at most {ROWS_MAX} states, got {count}")
    keys = PyBytes_FromStringAndSize(NULL, count * sizeof(Query))
    out = <Query*><char*>keys
    with nogil:
        engine_states(known_rules.scorer[0], seed, first_game, count, out)
    return keys
