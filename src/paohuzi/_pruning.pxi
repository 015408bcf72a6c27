# What the search need not try: shapes that are never the best, and frames that lead to nothing, to too little
# xi, or to what was there before.

cdef void prepare_pruning(Search* search, const Frame* root) noexcept nogil:
    search.bounded = root.wang > 0 and (search.best_only or search.floor >= 0)
    search.remembers = root.wang > 1 and search.best_only
    choose_shapes(search, root.free)
    if search.bounded:
        bound_xi(search, root)
    if search.remembers:
        memset(search.seen, 0, SEEN_COUNT * sizeof(Seen))


cdef void choose_shapes(Search* search, uint64_t free) noexcept nogil:
    """Say which shapes are to be tried for each face; of rivals the best, if the best alone is asked for."""
    cdef int face, i
    while free:
        face = lowest_bit(free) / COUNT_BITS
        free &= ~tiles_of(face, 7)
        search.usable[face] = search.own
        if search.best_only:
            search.usable[face] &= LASTING[face]
        if search.remembers:  # not worth while with fewer wangs
            for i in range(CONTEST_MAX):
                drop_losers(search, face, CONTESTS[face][i] & search.own)


cdef inline void drop_losers(Search* search, int face, uint64_t rivals) noexcept nogil:
    """Leave the best of rivals; of the winning face the best of those that may hold it and of the others."""
    cdef uint64_t hosts = 0
    if search.places_win and face == search.win:
        hosts = rivals & search.host
        search.usable[face] &= ~hosts | best_shape(search, face, hosts)
    rivals &= ~hosts
    search.usable[face] &= ~rivals | best_shape(search, face, rivals)


cdef inline uint64_t best_shape(const Search* search, int face, uint64_t shapes) noexcept nogil:
    """The shape of most xi, the first among equals, as a set; none of none."""
    cdef uint64_t best = 0
    cdef int shape, xi, most = -1
    while shapes:
        shape = lowest_bit(shapes)
        shapes &= shapes - 1
        xi = search.xi[TYPES[face][shape].xi_place]
        if xi > most:
            most = xi
            best = <uint64_t>1 << shape
    return best


cdef void bound_xi(Search* search, const Frame* root) noexcept nogil:
    """Bound the xi of what is laid from each face on.

    Groups without wang count for their lowest face. Wangs take all xi of their groups, in equal parts; but a
    wang that joins three held tiles only what it adds. A wang counts as much as its best use brings.
    """
    cdef int face, natural = 0, wang = 0
    for face in range(XI_COUNT):
        wang = max(wang, (search.xi[face] + 2) / 3)  # three or four wangs alone
    for face in range(TYPE_FACE_COUNT - 1, -1, -1):
        if face < FACE_COUNT:
            natural += natural_worth(search, root, face)
            wang = max(wang, wang_worth(search, root, face))
        search.natural_xi[face] = natural
        search.wang_xi[face] = wang
    cost_stuck(search)


cdef void cost_stuck(Search* search) noexcept nogil:
    """Say what a stuck tile takes off the bound: what the wangs of its group count for above its xi.

    One wang may serve two such tiles, then in a chi; otherwise there are two or three wangs for one.
    """
    cdef int face, wang, alone, triplet = 0, quad = 0, chi = 0
    for face in range(4):
        triplet = max(triplet, max(search.xi[PENG_XI + face], search.xi[KAN_XI + face]))
        quad = max(quad, max(search.xi[PAO_XI + face], search.xi[TI_XI + face]))
        chi = max(chi, search.xi[R123_XI + face])
    for face in range(TYPE_FACE_COUNT):
        wang = search.wang_xi[face]
        alone = 2 * min(2 * wang - triplet, 3 * wang - quad)
        search.stuck_cost[face] = max(0, min(wang, alone))
        search.scoring_stuck_cost[face] = max(0, min(wang - chi, min(alone, 2 * (2 * wang - chi))))


cdef inline int triplet_worth(const Search* search, int face) noexcept nogil:
    cdef int colour = XI_PLACE[PENG_CODE + face]
    return max(search.xi[PENG_XI + colour], search.xi[KAN_XI + colour])


cdef inline int quad_worth(const Search* search, int face) noexcept nogil:
    cdef int colour = XI_PLACE[PENG_CODE + face]
    return max(search.xi[PAO_XI + colour], search.xi[TI_XI + colour])


cdef int natural_worth(const Search* search, const Frame* root, int face) noexcept nogil:
    """At most the xi of groups without wang that have this lowest face."""
    cdef int rank = face % RANK_COUNT, big = face >= RANK_COUNT, count, worth = 0
    cdef uint64_t view = root.free >> (COUNT_BITS * face)
    count = view & 7
    if root.locked >> face & 1:
        worth = search.xi[TYPES[face][lowest_bit(search.lock_choices[face])].xi_place]
    if count >= 3:
        worth += max(triplet_worth(search, face), quad_worth(search, face) if count == 4 else 0)
    if rank == 0:
        worth += search.xi[R123_XI + big] * min(count, min(count_of(view, 1), count_of(view, 2)))
    elif rank == 1:
        worth += search.xi[R27A_XI + big] * min(count, min(count_of(view, 5), count_of(view, 8)))
    return worth


cdef int wang_worth(const Search* search, const Frame* root, int face) noexcept nogil:
    """At most the xi of each wang in groups that have this lowest natural face."""
    cdef int rank = face % RANK_COUNT, big = face >= RANK_COUNT, count = count_of(root.free, face), worth = 0
    cdef int triplet = triplet_worth(search, face) if search.options.wang_in_triplet else 0
    cdef int quad = quad_worth(search, face) if search.options.wang_in_quad and root.quads else 0
    if root.locked >> face & 1 or count >= 3:
        worth = quad - search.xi[XI_PLACE[KAN_CODE + face]]
    if count == 0:
        return worth
    if count == 1:
        worth = max(worth, max((triplet + 1) / 2, (quad + 2) / 3))
    else:
        worth = max(worth, max(triplet, (quad + 1) / 2))
    if rank < 3:
        worth = max(worth, search.xi[R123_XI + big] if rank < 2 else (search.xi[R123_XI + big] + 1) / 2)
    if rank == 1 or rank == 6:
        worth = max(worth, search.xi[R27A_XI + big])
    elif rank == 9:
        worth = max(worth, (search.xi[R27A_XI + big] + 1) / 2)
    return worth


cdef inline bint leads_on(Search* search, Frame* frame, const Frame* child) noexcept nogil:
    """Whether it is worth while to open the child."""
    cdef uint64_t stuck
    if search.remembers and is_seen(search, frame, child):
        return False
    stuck = stuck_faces(child)
    if is_hopeless(search, child, stuck):
        return False
    return not (search.bounded and is_too_low(search, frame, child, stuck & ~held_twice(child.free)))


cdef inline bint is_too_low(
    const Search* search, Frame* frame, const Frame* child, uint64_t stuck
) noexcept nogil:
    """Whether the child, with these single tiles stuck, cannot lead to more xi than the floor."""
    cdef int face = child.face
    cdef int cost = search.stuck_cost[face] * sum_of_counts(stuck & ~SCORING)
    cdef int scoring_cost = search.scoring_stuck_cost[face] * sum_of_counts(stuck & SCORING)
    cdef int most = child.xi + search.natural_xi[face] + search.wang_xi[face] * child.wang
    most -= (cost + scoring_cost) / 2
    if most > search.floor:
        return False
    frame.most = max(frame.most, most)
    return True


cdef inline uint32_t rest_of(const Frame* frame) noexcept nogil:
    """What beside free tiles and wangs decides what can be laid; the number of groups follows."""
    return (frame.face | frame.quads << 5 | frame.pairs << 8 | frame.housed << 9 | frame.first_shape << 11
            | 1 << 17)


cdef inline uint64_t tiles_left(const Frame* frame) noexcept nogil:
    return frame.free | <uint64_t>frame.wang << COUNT_BITS * WANG


cdef inline Seen* place_of(const Search* search, uint64_t tiles, uint32_t rest) noexcept nogil:
    cdef uint64_t mixed = (tiles ^ <uint64_t>rest << 43) * <uint64_t>0x9E3779B97F4A7C15
    return &search.seen[mixed >> (64 - SEEN_BITS)]


cdef inline bint is_seen(const Search* search, Frame* frame, const Frame* child) noexcept nogil:
    """Whether the same rest was searched before, and gains too little to exceed the floor."""
    cdef uint64_t tiles = tiles_left(child)
    cdef uint32_t rest = rest_of(child)
    cdef const Seen* seen = place_of(search, tiles, rest)
    if seen.tiles != tiles or seen.rest != rest or child.xi + seen.gain > search.floor:
        return False
    frame.most = max(frame.most, child.xi + seen.gain)
    return True


cdef inline void close_frame(Search* search, const Frame* frame) noexcept nogil:
    """Go back, all shapes tried, and note what the frame came to."""
    cdef Seen* seen
    cdef Frame* parent
    search.depth -= 1
    if not search.remembers or search.depth < 0:
        return
    parent = &search.frames[search.depth]
    parent.most = max(parent.most, frame.most)
    if frame.groups > 1:
        seen = place_of(search, tiles_left(frame), rest_of(frame))
        seen.tiles = tiles_left(frame)
        seen.rest = rest_of(frame)
        seen.gain = frame.most - frame.xi


cdef inline bint is_hopeless(const Search* search, const Frame* frame, uint64_t stuck) noexcept nogil:
    """Whether it is plain that not all that is left can be laid, or the winning tile finds no place."""
    if not frame.housed and frame.free & search.win_tiles == 0:
        return True
    if search.either and frame.quads > frame.pairs and not can_quad(search, frame):
        return True
    return needs_more_wangs(frame, stuck)


cdef inline bint can_quad(const Search* search, const Frame* frame) noexcept nogil:
    """Whether a quad may come of free tiles and wangs."""
    return (frame.free & FOURS != 0) | (frame.wang * search.wang_in_quad != 0)


cdef inline uint64_t held_once(uint64_t free) noexcept nogil:
    """Faces of which there is a tile, as ones of a packed hand."""
    return (free | free >> 1 | free >> 2) & ONES


cdef inline uint64_t held_twice(uint64_t free) noexcept nogil:
    return (free >> 1 | free >> 2) & ONES


cdef inline int sum_of_counts(uint64_t counts) noexcept nogil:
    """The tiles of a packed hand without wangs, fewer than 64 of them."""
    return ((counts & EVEN_COUNTS) + (counts >> COUNT_BITS & EVEN_COUNTS)) * EVEN_ONES >> 54 & 63


cdef inline uint64_t stuck_faces(const Frame* frame) noexcept nogil:
    """The faces, as ones of a packed hand, of tiles that no group without wang can hold."""
    cdef uint64_t two = held_twice(frame.free)
    cdef uint64_t stuck = held_once(frame.free) & ~in_natural_group(frame.free)
    return stuck & ~two if frame.pairs else stuck


cdef inline bint needs_more_wangs(const Frame* frame, uint64_t stuck) noexcept nogil:
    """Whether stuck tiles need more wangs than there are.

    Such a tile shares a wang with one more tile at best; one without partner needs two wangs, or one for the
    pair.
    """
    cdef uint64_t some = held_once(frame.free), two = held_twice(frame.free)
    cdef int count = sum_of_counts(stuck + (stuck & two))
    cdef int alone = sum_of_counts(some & ~(two | with_partner(some)))
    return (count > 2 * frame.wang) | (2 * alone + (count - alone + 1) / 2 > frame.wang + frame.pairs)


cdef inline uint64_t in_natural_group(uint64_t free) noexcept nogil:
    """Faces in a possible group of three, as ones of a packed hand."""
    cdef uint64_t some = held_once(free), two = held_twice(free)
    cdef uint64_t run = some & some >> 3 & some >> 6 & RUN_STARTS
    cdef uint64_t jiao = two & some >> 30 | some & two >> 30
    cdef uint64_t r27a = some >> 3 & some >> 18 & some >> 27 & CASES
    return (run | run << 3 | run << 6 | jiao | jiao << 30 | r27a << 3 | r27a << 18 | r27a << 27
            | free >> 2 | free >> 1 & free)


cdef inline uint64_t with_partner(uint64_t some) noexcept nogil:
    """Faces, as ones of a packed hand, that stand in a group with another face."""
    cdef uint64_t next = some & some >> 3 & PAIR_STARTS
    cdef uint64_t after_next = some & some >> 6 & RUN_STARTS
    cdef uint64_t jiao = some & some >> 30
    cdef uint64_t two = some >> 3 & CASES, seven = some >> 18 & CASES, ten = some >> 27 & CASES
    return (next | next << 3 | after_next | after_next << 6 | jiao | jiao << 30
            | (two & (seven | ten)) << 3 | (seven & (two | ten)) << 18 | (ten & (two | seven)) << 27)
