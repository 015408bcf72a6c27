# What a seat is told of a hand, as Python sees it.

cdef object known(int number, int unknown):
    return None if number == unknown else number


cdef class View:
    """What a seat may know of a hand (csrc/observe.hpp). Equal when nothing tells two of them apart."""

    def __bytes__(self):
        return (<const char*>&self.seen)[:sizeof(Observation)]

    def __eq__(self, other):
        return isinstance(other, View) and bytes(self) == bytes(other)

    def __hash__(self):
        return hash(bytes(self))

    def __reduce__(self):
        return restored_view, (bytes(self),)

    @property
    def seat(self):
        return self.seen.seat

    @property
    def hand(self):
        """The seat's own concealed tiles, packed."""
        return self.seen.hand

    @property
    def key(self):
        """The key of the query of the seat's hand and groups."""
        cdef uint8_t[KEY_SIZE] key
        memset(key, 0, KEY_SIZE)
        memcpy(key, &self.seen.hand, sizeof(self.seen.hand))
        memcpy(&key[sizeof(self.seen.hand)], &self.seen.exposed[self.seen.seat][0], GROUP_COUNT)
        key[sizeof(self.seen.hand) + GROUP_COUNT] = NO_TILE
        return (<const char*>&key[0])[:KEY_SIZE]

    @property
    def visible(self):
        """All tiles whose place the seat knows, its own among them, packed."""
        return self.seen.visible

    @property
    def dead(self):
        """Masks of the faces that the seat may no longer take by chi, by peng and by hu."""
        return self.seen.chi_dead, self.seen.peng_dead, self.seen.hu_dead

    @property
    def declined_peng(self):
        """By seat, the faces that came up, could have been claimed by peng, and were not."""
        return (self.seen.declined_peng[0], self.seen.declined_peng[1], self.seen.declined_peng[2])

    @property
    def declined_chi(self):
        """By seat, the same for chi."""
        return (self.seen.declined_chi[0], self.seen.declined_chi[1], self.seen.declined_chi[2])

    def exposed(self, int seat):
        """The codes of a seat's exposed groups; 255 for a hidden wei."""
        return (<const char*>&self.seen.exposed[read_seat(seat)][0])[:7].rstrip(b"\0")

    @property
    def hand_sizes(self):
        return (self.seen.hand_sizes[0], self.seen.hand_sizes[1], self.seen.hand_sizes[2])

    @property
    def drawn_wangs(self):
        """By seat, the wangs that all saw drawn."""
        return (self.seen.drawn_wangs[0], self.seen.drawn_wangs[1], self.seen.drawn_wangs[2])

    @property
    def skips(self):
        """By seat, whether the next tile taken in is not followed by a discard."""
        return (bool(self.seen.has_skip[0]), bool(self.seen.has_skip[1]), bool(self.seen.has_skip[2]))

    @property
    def wall(self):
        """The faces still to be drawn, in order, None for one that is not known."""
        return [known(self.seen.wall[place], HIDDEN) for place in range(self.seen.tiles_left)]

    @property
    def tiles_left(self):
        return self.seen.tiles_left

    @property
    def asked(self):
        """The seat itself when it is asked, or whoever has to discard; else None."""
        return known(self.seen.asked, NOBODY)

    @property
    def question(self):
        """What that seat is asked, as one of QUESTIONS."""
        return QUESTIONS[self.seen.question]

    @property
    def shown(self):
        """The face of the shown tile, None when it is hidden."""
        return known(self.seen.shown, HIDDEN)

    @property
    def pending(self):
        """The face that may be claimed (None: not seen), whose tile it is, and whether a discard; or None."""
        if self.seen.pending_owner == NOBODY:
            return None
        return known(self.seen.pending, HIDDEN), self.seen.pending_owner, bool(self.seen.pending_is_discard)

    @property
    def appearances(self):
        """Every tile drawn or discarded, in order: face (None: another's wei), seat, whether a discard, what
        became of it as one of FATES, and who took it."""
        cdef int place
        return [appearance_tuple(self.seen.appearances[place]) for place in range(self.seen.appearance_count)]

    @property
    def is_over(self):
        return self.seen.end != <uint8_t>End.none

    @property
    def winner(self):
        return known(self.seen.winner, NOBODY)


cdef tuple appearance_tuple(const Appearance& appearance):
    return (
        known(appearance.face, HIDDEN), appearance.seat, bool(appearance.is_discard), FATES[appearance.fate],
        appearance.taker,
    )


def restored_view(bytes source):
    """The view that has these bytes. Raises ValueError for what is none."""
    cdef View view = View.__new__(View)
    if len(source) != sizeof(Observation):
        raise ValueError(f"expected {sizeof(Observation)} bytes of a view, got {len(source)}")
    memcpy(<void*>&view.seen, <const char*>source, sizeof(Observation))
    if not is_view(view.seen):
        raise ValueError("expected the bytes of a view, got others")
    return view


cdef bint is_view(const Observation& seen) noexcept nogil:
    """Whether nothing in it would be read as what there is not."""
    cdef int place
    cdef uint32_t faces = seen.chi_dead | seen.peng_dead | seen.hu_dead
    if not (_core.is_hand(seen.hand) and _core.is_hand(seen.visible)):
        return False
    for place in range(SEATS):
        faces |= seen.declined_peng[place] | seen.declined_chi[place]
    if faces >> FACES or not is_known_or(seen.pending, FACES, HIDDEN) or seen.pending_is_discard > 1:
        return False
    if not (
        is_known_or(seen.asked, SEATS, NOBODY) and is_known_or(seen.winner, SEATS, NOBODY)
        and is_known_or(seen.pending_owner, SEATS, NOBODY)
    ):
        return False
    if seen.seat >= SEATS or seen.question >= QUESTION_COUNT or not is_known_or(seen.shown, FACES, HIDDEN):
        return False
    return are_tiles_known(seen)


cdef inline bint is_known_or(int number, int limit, int unknown) noexcept nogil:
    return number < limit or number == unknown


cdef bint are_tiles_known(const Observation& seen) noexcept nogil:
    """The same of the wall, and of the tiles that came up."""
    cdef int place
    cdef Appearance appearance
    if seen.appearance_count > 52 or seen.tiles_left > WALL_MAX:
        return False
    for place in range(seen.tiles_left):
        if not is_known_or(seen.wall[place], FACES, HIDDEN):
            return False
    for place in range(seen.appearance_count):
        appearance = seen.appearances[place]
        if not is_known_or(appearance.face, FACES, HIDDEN) or appearance.fate >= FATE_COUNT:
            return False
        if appearance.seat >= SEATS or appearance.taker >= SEATS:
            return False
    return True
