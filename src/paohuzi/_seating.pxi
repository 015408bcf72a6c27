# Views as the seats of a table tell them: decoded here, for a bot may read much of many.

cdef extern from *:
    int bit_count "__builtin_popcount"(unsigned int bits) nogil
    int lowest_bit "__builtin_ctz"(unsigned int bits) nogil

cdef uint64_t ALL_TILES = 0o44444444444444444444  # four copies of each face, packed


cdef class Seating:
    """Who sits where, and the values that views are made of; one serves all hands of these seats.

    playing: the seats from the dealer on. xi: of exposed groups by code, 256. tiles: by face, 21.
    The makers are asked for what has not come up before.
    """

    cdef int[3] places
    cdef int[4] players  # by seat; SEATS for one that sits out
    cdef int seats
    cdef int wangs
    cdef int[256] xi_by_code
    cdef tuple tiles
    cdef object make_appearance
    cdef object make_pending
    cdef object make_groups
    cdef list known_appearances
    cdef list known_pending
    cdef dict known_groups

    def __cinit__(
        self, tuple playing, int seats, int wangs, tuple xi, tuple tiles, make_appearance, make_pending,
        make_groups,
    ):
        cdef int seat, player, code
        if len(playing) != SEATS or not SEATS <= seats <= 4 or len(xi) != 256 or len(tiles) != FACE_COUNT + 1:
            raise ValueError("expected three seats of three or four, xi of 256 codes and 21 tiles")
        for seat in range(4):
            self.players[seat] = SEATS
        for player in range(SEATS):
            self.places[player] = playing[player]
            if not 0 <= self.places[player] < seats:
                raise ValueError(f"expected seats from 0 to {seats - 1}, got {playing}")
            self.players[self.places[player]] = player
        for code in range(256):
            self.xi_by_code[code] = xi[code]
        self.seats = seats
        self.wangs = wangs
        self.tiles = tiles
        self.make_appearance = make_appearance
        self.make_pending = make_pending
        self.make_groups = make_groups
        self.known_appearances = [None] * (1 << 14)
        self.known_pending = [None] * (1 << 8)
        self.known_groups = {}

    cdef tuple numbers(self, const uint8_t* by_player):
        return self.by_seat(by_player[0], by_player[1], by_player[2], 0)

    cdef tuple by_seat(self, first, second, third, beside):
        """beside: of a seat that sits out."""
        cdef tuple by_player = (first, second, third, beside)
        cdef int* player = self.players
        if self.seats == SEATS:
            return (by_player[player[0]], by_player[player[1]], by_player[player[2]])
        return (by_player[player[0]], by_player[player[1]], by_player[player[2]], by_player[player[3]])

    cdef tuple tiles_of(self, uint32_t faces):
        cdef tuple tiles = PyTuple_New(bit_count(faces))
        cdef Py_ssize_t place = 0
        while faces:
            put(tiles, place, self.tiles[lowest_bit(faces)])
            faces &= faces - 1
            place += 1
        return tiles

    cdef tuple groups_of(self, const uint8_t* codes):
        cdef int size = 0
        while size < GROUP_COUNT and codes[size] != 0:
            size += 1
        if size == 0:
            return ()
        key = PyBytes_FromStringAndSize(<const char*>codes, size)
        found = self.known_groups.get(key)
        if found is None:
            if len(self.known_groups) >= KNOWN_MAX:
                self.known_groups.clear()
            found = self.known_groups[key] = self.make_groups(key)
        return found

    def exposed(self, View view not None):
        """By seat, the exposed groups; None for a hidden wei."""
        cdef Observation* seen = &view.seen
        return self.by_seat(
            self.groups_of(&seen.exposed[0][0]), self.groups_of(&seen.exposed[1][0]),
            self.groups_of(&seen.exposed[2][0]), (),
        )

    def groups(self, View view not None):
        """The seat's own exposed groups."""
        return self.groups_of(&view.seen.exposed[view.seen.seat][0])

    def xi(self, View view not None):
        """By seat, the xi of the exposed groups."""
        cdef int player, place
        cdef int[3] xi = [0, 0, 0]
        for player in range(SEATS):
            for place in range(GROUP_COUNT):
                xi[player] += self.xi_by_code[view.seen.exposed[player][place]]
        return self.by_seat(xi[0], xi[1], xi[2], 0)

    def hand_sizes(self, View view not None):
        """By seat, how many concealed tiles."""
        return self.numbers(&view.seen.hand_sizes[0])

    def drawn_wangs(self, View view not None):
        """By seat, the wangs that all saw drawn."""
        return self.numbers(&view.seen.drawn_wangs[0])

    def skips(self, View view not None):
        """By seat, whether the next tile taken in is not followed by a discard."""
        cdef uint8_t* has_skip = &view.seen.has_skip[0]
        return self.by_seat(has_skip[0] != 0, has_skip[1] != 0, has_skip[2] != 0, False)

    def declined_peng(self, View view not None):
        """By seat, the tiles that came up, could have been claimed by peng, and were not."""
        return self.declined(&view.seen.declined_peng[0])

    def declined_chi(self, View view not None):
        """By seat, the same for chi."""
        return self.declined(&view.seen.declined_chi[0])

    cdef tuple declined(self, const uint32_t* faces):
        return self.by_seat(self.tiles_of(faces[0]), self.tiles_of(faces[1]), self.tiles_of(faces[2]), ())

    def dead_for_chi(self, View view not None):
        """The tiles that the seat may no longer take by chi."""
        return self.tiles_of(view.seen.chi_dead)

    def dead_for_peng(self, View view not None):
        """The same for peng."""
        return self.tiles_of(view.seen.peng_dead)

    def dead_for_hu(self, View view not None):
        """The same for hu."""
        return self.tiles_of(view.seen.hu_dead)

    def wall(self, View view not None):
        """What is still to be drawn, in order; None where it is not known."""
        cdef int place, face
        cdef tuple wall = PyTuple_New(view.seen.tiles_left)
        for place in range(view.seen.tiles_left):
            face = view.seen.wall[place]
            put(wall, place, None if face == HIDDEN else self.tiles[face])
        return wall

    def appearances(self, View view not None):
        """Every tile drawn or discarded, in order, as values of make_appearance."""
        cdef int place
        cdef tuple appearances = PyTuple_New(view.seen.appearance_count)
        for place in range(view.seen.appearance_count):
            put(appearances, place, self.appearance(view.seen.appearances[place]))
        return appearances

    cdef object appearance(self, const Appearance& appearance):
        cdef int place = (
            appearance.face | appearance.seat << 5 | appearance.is_discard << 7 | appearance.fate << 8
            | appearance.taker << 12
        )
        found = self.known_appearances[place]
        if found is None:
            found = self.known_appearances[place] = self.make_appearance(appearance_tuple(appearance))
        return found

    def lying(self, View view not None):
        """By seat, the tiles that lie before it, in order."""
        cdef int place
        cdef Appearance appearance
        cdef list first = [], second = [], third = []
        for place in range(view.seen.appearance_count):
            appearance = view.seen.appearances[place]
            if appearance.fate == LIES and appearance.face != HIDDEN:
                lying = first if appearance.seat == 0 else second if appearance.seat == 1 else third
                lying.append(self.tiles[appearance.face])
        return self.by_seat(tuple(first), tuple(second), tuple(third), ())

    def pending(self, View view not None):
        """The tile that may be claimed, as a value of make_pending; or None."""
        cdef Observation* seen = &view.seen
        cdef int place
        if seen.pending_owner == NOBODY:
            return None
        place = seen.pending | seen.pending_owner << 5 | seen.pending_is_discard << 7
        found = self.known_pending[place]
        if found is None:
            found = self.known_pending[place] = self.make_pending(view.pending)
        return found

    def visible(self, View view not None):
        """The 21 counts of the tiles whose place the seat knows."""
        return counts_of(view.seen.visible)

    def unseen(self, View view not None):
        """The 21 counts of all others."""
        return counts_of(ALL_TILES + (<uint64_t>self.wangs << 3 * WANG) - view.seen.visible)


cdef inline void put(tuple values, Py_ssize_t place, object value):
    """Fill a place of a new tuple."""
    Py_INCREF(value)
    PyTuple_SET_ITEM(values, place, value)


cdef tuple counts_of(uint64_t tiles):
    cdef int face
    cdef tuple counts = PyTuple_New(FACE_COUNT + 1)
    for face in range(FACE_COUNT + 1):
        put(counts, face, tiles >> 3 * face & 7)
    return counts
