# The search itself: a stack of frames, each with the shapes still to be tried for the lowest face left.

cdef enum:
    GROUP_COUNT = 7

# As ones of a packed hand: every face, those that start a run, those with a next one, the first of each case.
cdef const uint64_t ONES = 0o1111111111_1111111111
cdef const uint64_t RUN_STARTS = 0o0011111111_0011111111
cdef const uint64_t PAIR_STARTS = 0o0111111111_0111111111
cdef const uint64_t CASES = 0o0000000001_0000000001
cdef const uint64_t TILE_BITS = 0o7777777777_7777777777

cdef enum:  # of Frame.housed
    HOUSED = 1  # the winning tile has a place
    SPECIAL = 2  # a group has the kind that only the winning tile gives

cdef struct Frame:
    uint64_t free  # natural tiles left that may go anywhere, packed
    uint64_t choices  # shapes still to be tried for `face`
    uint32_t locked  # faces left whose held tiles stay together
    int xi
    uint8_t face  # the lowest left; for groups of wangs alone see WANG_ONLY
    uint8_t wang
    uint8_t groups  # how many are left to lay
    uint8_t quads  # how many of them are quads
    uint8_t pairs  # how many of them are pairs
    uint8_t housed

cdef struct Search:
    Frame frames[GROUP_COUNT + 1]
    int depth  # -1: nothing left on this route
    bint whole  # the exposed groups are the division, not given out yet
    bint either  # 21 tiles and no quad so far: a quad with a pair, or neither
    bint places_win  # groups with the winning tile have kinds of their own
    int floor  # only divisions of more xi are asked for
    bint best_only  # and the floor will rise
    bint bounded  # so that it pays to compare it with bounds
    int natural_xi[TYPE_FACE_COUNT]  # by lowest face: no groups without wang from there on are worth more
    int wang_xi[TYPE_FACE_COUNT]  # and no wang in a group from there on is worth more
    uint64_t usable  # shapes that the options allow
    uint64_t special  # shapes that hold the winning tile and show it by their kind
    uint64_t host  # shapes that may hold the winning tile without showing it
    uint64_t lock_choices[FACE_COUNT]
    int16_t xi[XI_COUNT]  # by Type.xi_place
    Division found
    const Options* options
    uint64_t hand
    uint8_t exposed[GROUP_COUNT]
    int exposed_count
    int exposed_quads
    int exposed_xi
    int raisable  # which exposed triplet is of the winning face, -1 for none
    int made_quads  # exposed ones, with the one that the winning tile makes
    int win
    int source
    int total
    int route  # the next to be searched
    int routes  # bit set


cdef void prepare(Search* search, const Query* query, const Options* options) noexcept nogil:
    """Read the query. The first route starts with the first step of the search."""
    cdef int face
    search.options = options
    memcpy(search.xi, &options.xi, sizeof(XiTable))
    search.xi[NO_XI] = 0
    search.hand = query.hand
    search.win = query.win
    search.source = <int>query.source
    search.total = query.win >= 0
    for face in range(FACE_COUNT + 1):
        search.total += count_of(query.hand, face)
    read_exposed(search, query)
    search.routes = routes_of(search)
    search.route = 0
    search.depth = -1
    search.whole = search.best_only = False
    search.floor = -1
    search.usable = allowed(options, ~(LOCKED | PENG | WEI | PAO))


cdef uint64_t allowed(const Options* options, uint64_t shapes) noexcept nogil:
    if not options.wang_in_triplet:
        shapes &= ~WANG_IN_TRIPLET
    if not options.wang_in_quad:
        shapes &= ~WANG_IN_QUAD
    return shapes


cdef void read_exposed(Search* search, const Query* query) noexcept nogil:
    cdef int i, code
    search.exposed_count = search.exposed_quads = search.exposed_xi = 0
    search.raisable = -1
    for i in range(GROUP_COUNT):
        code = query.exposed[i]
        if code == 0:
            break
        search.exposed[i] = code
        search.exposed_count += 1
        search.exposed_quads += GROUPS[code].size == 4
        search.exposed_xi += search.xi[XI_PLACE[code]]
        search.total += GROUPS[code].size
        if PENG_CODE <= code < PAO_CODE and GROUPS[code].faces[0] == query.win:
            search.raisable = i


cdef int routes_of(const Search* search) noexcept nogil:
    """Where the winning tile may go (docs/rules.md 3.4), as a bit set of routes."""
    cdef bint own = search.source == <int>Source.self
    cdef bint beside_peng = search.raisable >= 0 and search.exposed[search.raisable] < KAN_CODE
    cdef bint beside_wei = search.raisable >= 0 and not beside_peng
    cdef bint forced = search.options.self_draw_forced
    cdef int held, routes = 0
    if search.win < 0:
        return 1 << <int>Route.dealt
    if search.win == WANG:
        return 1 << <int>Route.wang
    held = count_of(search.hand, search.win)
    if not own or not forced or (held < 2 and not beside_wei):
        routes |= 1 << <int>Route.single
    if own and forced and held == 2:  # when not forced the single route has these divisions
        routes |= 1 << <int>Route.wei
    if held == 3 or beside_wei:
        routes |= 1 << (<int>Route.ti if own else <int>Route.pao)
    if beside_peng and search.source != <int>Source.discard:
        routes |= 1 << <int>Route.pao
    return routes


cdef bint start_next_route(Search* search) noexcept nogil:
    """Start the next route that the number of tiles allows; False if there is none."""
    while search.routes >> search.route:
        search.route += 1
        if search.routes >> (search.route - 1) & 1 and start_route(search, search.route - 1):
            return True
    return False


cdef bint start_route(Search* search, int route) noexcept nogil:
    cdef Frame* root = &search.frames[0]
    cdef int i, locked_quads = 0
    search.found.route = <Route>route
    search.found.size = GROUP_COUNT
    for i in range(search.exposed_count):
        search.found.groups[i] = search.exposed[i]
    search.made_quads = search.exposed_quads
    root.free = search.hand & TILE_BITS
    root.wang = count_of(search.hand, WANG)
    root.locked = 0
    root.xi = search.exposed_xi
    root.groups = GROUP_COUNT - search.exposed_count
    if not search.options.kan_splittable:
        locked_quads = lock_held(search, root)
    locked_quads += place_win(search, root, route)
    choose_win_shapes(search, route)
    root.housed = 0 if search.places_win else HOUSED
    if not share_out(search, root, locked_quads):
        return False
    if root.groups > 1 and is_hopeless(search, root):
        return False
    search.bounded = search.best_only and root.wang > 0
    if search.bounded:
        bound_xi(search, root)
    search.depth = 0
    search.whole = root.groups == 0
    root.face = lowest_face(root)
    open_frame(search, root, -1, 0)
    return True


cdef int lock_held(Search* search, Frame* root) noexcept nogil:
    """Set every kan and ti of the hand apart (docs/rules.md 3.3); return how many are ti."""
    cdef uint64_t many = (root.free >> 2 | root.free >> 1 & root.free) & ONES
    cdef uint64_t kan_choices = LOCKED_KAN | allowed(search.options, PROMOTED_KAN)
    cdef int face, quads = 0
    while many:
        face = lowest_bit(many) / COUNT_BITS
        many &= many - 1
        search.lock_choices[face] = kan_choices
        if count_of(root.free, face) == 4:
            search.lock_choices[face] = LOCKED_TI
            quads += 1
        lock(root, face)
    return quads


cdef inline void lock(Frame* root, int face) noexcept nogil:
    root.free &= ~tiles_of(face, 7)
    root.locked |= 1 << face


cdef int place_win(Search* search, Frame* root, int route) noexcept nogil:
    """Put the winning tile where the route says; return how many quads it makes in the hand."""
    cdef int face = search.win, at = search.raisable, code
    if route == <int>Route.wang:
        root.wang += 1
    elif route == <int>Route.single:
        root.free += tiles_of(face, 1)
    elif route == <int>Route.wei:
        search.lock_choices[face] = LOCKED_WEI
        lock(root, face)
    elif route != <int>Route.dealt and at < 0:
        search.lock_choices[face] = LOCKED_TI if route == <int>Route.ti else LOCKED_PAO
        lock(root, face)
        return 1
    elif route != <int>Route.dealt:
        code = face + (TI_CODE if route == <int>Route.ti else PAO_CODE)
        root.xi += search.xi[XI_PLACE[code]] - search.xi[XI_PLACE[search.exposed[at]]]
        search.found.groups[at] = code
        search.made_quads += 1
    return 0


cdef void choose_win_shapes(Search* search, int route) noexcept nogil:
    """Say which groups of the winning face show that the winning tile is in them (docs/rules.md 3.4, 3.7)."""
    cdef bint own = search.source == <int>Source.self
    search.places_win = route == <int>Route.single and not (own and search.options.self_draw_forced)
    if not search.places_win:
        search.special = search.host = 0
    elif own:
        search.special = WEI & ~WANG_IN_TRIPLET
        search.host = ~(search.special | NATURAL_KAN)
    else:
        search.special = PAO | (WEI if search.options.third_from_other_is_wei else PENG)
        search.special = allowed(search.options, search.special)
        search.host = ~(search.special | OWN_SET)


cdef bint share_out(Search* search, Frame* root, int locked_quads) noexcept nogil:
    """Fix how many quads and pairs are to be laid; False if the number of tiles fits no division (3.1)."""
    cdef int wanted = search.total - 20, to_lay = wanted - search.made_quads
    cdef bint can_quad = search.options.kan_splittable or (root.wang > 0 and search.options.wang_in_quad)
    search.either = wanted == 1 and search.made_quads + locked_quads == 0
    if search.either:
        root.quads = root.pairs = can_quad
        return True
    root.quads = to_lay
    root.pairs = 1
    return wanted >= 1 and locked_quads <= to_lay < root.groups and (can_quad or to_lay == locked_quads)


cdef void bound_xi(Search* search, const Frame* root) noexcept nogil:
    """Bound the xi of what is laid from each face on, for best-only searches.

    Groups without wang count for their lowest face. Wangs take all xi of their groups, in equal parts; but a
    wang that joins three held tiles only what it adds.
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


cdef inline uint64_t fitting(int face, uint64_t view) noexcept nogil:
    """Shapes of a face for which there are natural tiles; `view` is the packed tiles from that face on."""
    cdef uint64_t fits
    if view & 7 == 0:
        return 0
    fits = EXISTS[face] & OWN_FITS[view & 7] & RUN_FITS[view >> 3 & 63] & JIAO_FITS[view >> 30 & 7]
    if face % RANK_COUNT == 1:
        fits &= R27A_FITS[(view >> 15 & 7 != 0) | (view >> 24 & 7 != 0) << 1]
    elif face % RANK_COUNT == 6:
        fits &= R27A_FITS[1 | (view >> 9 & 7 != 0) << 1]
    return fits


cdef void open_frame(const Search* search, Frame* frame, int last_face, int last_shape) noexcept nogil:
    """Find the shapes to try for the lowest face left."""
    cdef uint64_t choices
    cdef int face = frame.face
    if face == FACE_COUNT:
        open_wang_only(search, frame)
        return
    choices = fitting(face, frame.free >> (COUNT_BITS * face))
    if face == search.win:
        choices &= search.usable | (0 if frame.housed & SPECIAL else search.special)
        choices &= ~NATURAL_TI  # that is the business of the routes ti and pao
    else:
        choices &= search.usable
    if frame.locked >> face & 1:
        choices |= search.lock_choices[face]
    choices &= WANG_FITS[frame.wang] & sizes_left(search, frame)
    if face == last_face:
        choices &= ~<uint64_t>0 << last_shape
    frame.choices = choices


cdef inline int lowest_face(const Frame* frame) noexcept nogil:
    cdef int face = lowest_bit(frame.free) / COUNT_BITS if frame.free else FACE_COUNT
    if frame.locked:
        face = min(face, lowest_bit(frame.locked))
    return face


cdef inline uint64_t sizes_left(const Search* search, const Frame* frame) noexcept nogil:
    """Shapes whose size leaves room for the quads and the pair that must come."""
    cdef uint64_t sizes = TRIPLES
    if search.either and frame.quads and frame.pairs:
        return TRIPLES if frame.groups == 1 else TRIPLES | QUADS | PAIRS
    if frame.quads + frame.pairs == frame.groups:
        sizes = 0
    if frame.quads:
        sizes |= QUADS
    if frame.pairs:
        sizes |= PAIRS
    return sizes


cdef void open_wang_only(const Search* search, Frame* frame) noexcept nogil:
    """No tile is left to lay: the wangs, four at most, can only be one group more."""
    cdef int count = 0
    if frame.groups == 1 and 2 <= frame.wang <= 4:
        count = WANG_ONLY_COUNT[frame.wang]
        if frame.wang == 3 and not search.options.wang_in_triplet:
            count -= FACE_COUNT  # triplets come last
        if frame.wang == 4 and not search.options.wang_in_quad:
            count = 0
    frame.face = WANG_ONLY + frame.wang
    frame.choices = (<uint64_t>1 << count) - 1


cdef bint advance(Search* search) noexcept nogil:
    """Go on to the next division of the route, in the fixed order of equal xi; False if there is none."""
    cdef Frame* frame
    cdef Frame* child
    cdef int shape
    if search.whole:
        search.whole = False
        search.found.xi = search.frames[0].xi
        return search.frames[0].housed != 0
    while search.depth >= 0:
        frame = &search.frames[search.depth]
        if frame.choices == 0:
            search.depth -= 1
            continue
        shape = lowest_bit(frame.choices)
        frame.choices &= frame.choices - 1
        child = frame + 1
        lay(search, frame, child, shape)
        if search.bounded and is_too_low(search, child):
            continue
        if child.groups == 0:
            if child.housed and child.xi > search.floor:
                search.found.xi = child.xi
                return True
        elif child.groups == 1 or not is_hopeless(search, child):
            search.depth += 1
            open_frame(search, child, frame.face, shape)
    return False


cdef inline void lay(Search* search, const Frame* frame, Frame* child, int shape) noexcept nogil:
    """Lay a group of the frame's lowest face; the child has what is left."""
    cdef const Type* kind = &TYPES[frame.face][shape]
    search.found.groups[search.exposed_count + search.depth] = kind.group
    child.free = frame.free - kind.need
    child.locked = frame.locked & ~kind.lock
    child.face = lowest_face(child)
    child.xi = frame.xi + search.xi[kind.xi_place]
    child.wang = frame.wang - kind.wang
    child.groups = frame.groups - 1
    child.quads = frame.quads - (kind.size == 4)
    child.pairs = frame.pairs - (kind.size == 2)
    child.housed = frame.housed
    if search.places_win and count_of(kind.need, search.win):
        if search.special >> shape & 1:
            child.housed |= HOUSED | SPECIAL
        elif search.host >> shape & 1:
            child.housed |= HOUSED


cdef inline bint is_too_low(const Search* search, const Frame* frame) noexcept nogil:
    return frame.xi + search.natural_xi[frame.face] + search.wang_xi[frame.face] * frame.wang <= search.floor


cdef bint is_hopeless(const Search* search, Frame* frame) noexcept nogil:
    """Whether it is plain that the tiles left cannot all be laid; also gives up a quad that cannot come."""
    if search.either and frame.quads and frame.wang == 0 and not search.options.kan_splittable:
        if not frame.pairs:
            return True
        frame.quads = frame.pairs = 0
    return needs_more_wangs(frame)


cdef inline int ones_count(uint64_t ones) noexcept nogil:
    """How many counts of a packed hand are 1, all others being 0."""
    cdef uint64_t sums = (ones & 0o7777777777) + (ones >> 30)
    sums = (sums & 0o77777) + (sums >> 15)
    sums = (sums & 0o70707) + (sums >> 3 & 0o707)  # 6 bits each
    return sums * 0o10101 >> 12 & 63


cdef bint needs_more_wangs(const Frame* frame) noexcept nogil:
    """Whether the tiles that no group without wang holds need more wangs than there are.

    Such a tile shares a wang with one more tile at best; one without partner needs two wangs, or one for the
    pair.
    """
    cdef uint64_t some = (frame.free | frame.free >> 1 | frame.free >> 2) & ONES
    cdef uint64_t two = (frame.free >> 1 | frame.free >> 2) & ONES
    cdef uint64_t stuck = some & ~in_natural_group(frame.free, some, two)
    cdef int count, alone
    if frame.pairs:
        stuck &= ~two
    if frame.wang == 0 or stuck == 0:
        return stuck != 0
    count = ones_count(stuck) + ones_count(stuck & two)
    if count > 2 * frame.wang:
        return True
    alone = ones_count(some & ~(two | with_partner(some)))
    return 2 * alone + (count - alone + 1) / 2 > frame.wang + frame.pairs


cdef inline uint64_t in_natural_group(uint64_t free, uint64_t some, uint64_t two) noexcept nogil:
    """Faces in a possible group of three, as ones of a packed hand; `some` and `two`: faces held so often."""
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


cdef bint next_division(Search* search) noexcept nogil:
    """Go on to the next division of all routes, in the fixed order of equal xi."""
    while not advance(search):
        if not start_next_route(search):
            return False
    return True
