# What happened, as Python sees it.

cdef inline uint64_t event_key(const Event& event) noexcept nogil:
    """Another number for every other event."""
    return (
        <uint64_t>event.kind | <uint64_t>event.seat << 4 | <uint64_t>event.giver << 6
        | <uint64_t>event.face << 8 | <uint64_t>event.is_forced << 13 | <uint64_t>event.is_dealt << 14
        | <uint64_t>event.is_hidden << 15 | <uint64_t>event.chi.code << 16
        | <uint64_t>event.chi.bi[0] << 24 | <uint64_t>event.chi.bi[1] << 32
    )


cdef inline bint stands_alone(EventKind kind) noexcept nogil:
    """Whether it is told without regard to those before it or to the state."""
    return not (
        kind == EventKind.peng or kind == EventKind.wei or kind == EventKind.ti or kind == EventKind.pao
        or kind == EventKind.hu
    )


cdef tuple event_tuple(const Event& event):
    return (
        EVENTS[<int>event.kind], event.seat, event.giver, event.face, event.chi.code, event.chi.bi[0],
        event.chi.bi[1], event.is_forced, event.is_dealt, event.is_hidden,
    )
