# The search itself: a stack of frames, each with the shapes still to be tried for the lowest face left.

cdef enum:
    GROUP_COUNT = 7
    SEEN_BITS = 9
    SEEN_COUNT = 1 << SEEN_BITS
    NONE_YET = -(1 << 14)  # below any xi by more than any xi

# As ones of a packed hand: every face, those that start a run, those with a next one, the first of each case,
# those in a 1-2-3 or 2-7-10.
cdef const uint64_t ONES = 0o1111111111_1111111111
cdef const uint64_t RUN_STARTS = 0o0011111111_0011111111
cdef const uint64_t PAIR_STARTS = 0o0111111111_0111111111
cdef const uint64_t CASES = 0o0000000001_0000000001
cdef const uint64_t SCORING = 0o1001000111_1001000111

cdef const uint64_t TILE_BITS = 0o7777777777_7777777777
cdef const uint64_t FOURS = 0o4444444444_4444444444
cdef const uint64_t EVEN_COUNTS = 0o0707070707_0707070707
cdef const uint64_t EVEN_ONES = 0o0101010101_0101010101
cdef const uint64_t END_OF_TILES = 0o1_0000000000_0000000000

cdef enum:  # of Frame.housed
    HOUSED = 1  # the winning tile has a place
    SPECIAL = 2  # a group has the kind that only the winning tile gives, and more such tiles are left

cdef struct Frame:
    uint64_t free  # natural tiles left that may go anywhere, packed
    uint64_t choices  # shapes still to be tried for `face`
    uint32_t locked  # faces left whose held tiles stay together
    int xi
    int most  # xi that no division from here on exceeds, of those tried
    uint8_t face  # the lowest left; for groups of wangs alone see WANG_ONLY
    uint8_t first_shape  # of `face` to be tried, for the groups of a face come in order
    uint8_t wang
    uint8_t groups  # how many are left to lay
    uint8_t quads  # how many of them are quads
    uint8_t pairs  # how many of them are pairs
    uint8_t housed

cdef struct Seen:  # what a frame came to that was searched to the end
    uint64_t tiles  # free ones and wangs
    uint32_t rest  # all else that decides what can be laid; never 0
    int gain  # xi that nothing laid from there on exceeds

cdef struct Search:
    Frame frames[GROUP_COUNT + 1]
    int depth  # -1: nothing left on this route
    bint whole  # the exposed groups are the division, not given out yet
    bint either  # 21 tiles and no quad so far: a quad with a pair, or neither
    bint places_win  # groups with the winning tile have kinds of their own
    int floor  # only divisions of more xi are asked for
    bint best_only  # and of them only the first of most xi, so that the floor will rise
    int best_xi  # of the best so far, -1 for none
    bint bounded  # it pays to compare the floor with bounds
    bint remembers  # and to remember frames
    Seen* seen  # SEEN_COUNT places for them, or none
    int natural_xi[TYPE_FACE_COUNT]  # by lowest face: no groups without wang from there on are worth more
    int wang_xi[TYPE_FACE_COUNT]  # and no wang in a group from there on is worth more
    int stuck_cost[TYPE_FACE_COUNT]  # twice what a stuck tile takes off that
    int scoring_stuck_cost[TYPE_FACE_COUNT]  # and one that is SCORING
    uint64_t own  # shapes that the options allow for any face
    uint64_t usable[FACE_COUNT]  # those of them that are to be tried
    uint64_t special  # shapes that hold the winning tile and show it by their kind
    uint64_t host  # shapes that may hold the winning tile without showing it
    uint64_t lock_choices[FACE_COUNT]
    int16_t xi[XI_COUNT]  # by Type.xi_place
    Division found
    const Options* options
    bint wang_in_quad
    uint64_t hand
    uint8_t exposed[GROUP_COUNT]
    int exposed_count
    int exposed_quads
    int exposed_xi
    int raisable  # which exposed triplet is of the winning face, -1 for none
    int made_quads  # exposed ones, with the one that the winning tile makes
    int win
    uint64_t win_tiles  # all that a packed hand can hold of it
    int source
    int total
    int routes  # bit set of those not searched yet


cdef void prepare(Search* search, const Query* query, const Options* options) noexcept nogil:
    """Read the query. The first route starts with the first step of the search."""
    cdef int face
    search.options = options
    search.wang_in_quad = options.wang_in_quad
    memcpy(search.xi, &options.xi, sizeof(XiTable))
    search.xi[NO_XI] = 0
    search.hand = query.hand
    search.win = query.win
    search.win_tiles = tiles_of(query.win, 7) if 0 <= query.win < FACE_COUNT else 0
    search.source = <int>query.source
    search.total = query.win >= 0
    for face in range(FACE_COUNT + 1):
        search.total += count_of(query.hand, face)
    read_exposed(search, query)
    search.routes = routes_of(search)
    search.best_xi = -1
    search.depth = -1
    search.whole = search.best_only = False
    search.seen = NULL
    search.floor = -1
    search.own = allowed(options, OWN)


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
    """Start the next route that the number of tiles allows; False if there is none.

    For the best alone the later ones come first: they have fewer tiles to lay, and what they come to an
    earlier one need only equal.
    """
    cdef int route
    while search.routes:
        route = highest_bit(search.routes) if search.best_only else lowest_bit(search.routes)
        search.routes &= ~(1 << route)
        if search.best_only:
            search.floor = max(search.best_xi - 1, -1)
        if start_route(search, route):
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
    if root.groups > 1 and is_hopeless(search, root, stuck_faces(root)):
        return False
    prepare_pruning(search, root)
    search.depth = 0
    search.whole = root.groups == 0
    root.face = lowest_face(root.free, root.locked)
    root.first_shape = 0
    open_frame(search, root)
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
    search.either = wanted == 1 and search.made_quads + locked_quads == 0
    if search.either:
        root.quads = root.pairs = can_quad(search, root)
        return True
    root.quads = to_lay
    root.pairs = 1
    return wanted >= 1 and locked_quads <= to_lay < root.groups and (
        to_lay == locked_quads or can_quad(search, root)
    )


cdef inline void open_frame(const Search* search, Frame* frame) noexcept nogil:
    """Find the shapes to try for the lowest face left."""
    cdef uint64_t choices
    cdef int face = frame.face
    if face == FACE_COUNT:
        open_wang_only(search, frame)
        return
    choices = fitting(face, frame.free >> (COUNT_BITS * face))
    if face == search.win:
        choices &= search.usable[face] | (0 if frame.housed & SPECIAL else search.special)
        choices &= ~NATURAL_TI  # that is the business of the routes ti and pao
    else:
        choices &= search.usable[face]
    if frame.locked >> face & 1:
        choices |= search.lock_choices[face]
    choices &= WANG_FITS[frame.wang] & sizes_left(search, frame)
    frame.choices = choices & ~<uint64_t>0 << frame.first_shape
    frame.most = NONE_YET


cdef inline int lowest_face(uint64_t free, uint32_t locked) noexcept nogil:
    """FACE_COUNT if no tile is left."""
    return min(lowest_bit(free | END_OF_TILES) / COUNT_BITS, lowest_bit(locked | 1 << FACE_COUNT))


cdef inline uint64_t sizes_left(const Search* search, const Frame* frame) noexcept nogil:
    """Shapes whose size leaves room for the quads and the pair that must come."""
    cdef bint is_open = search.either & (frame.quads != 0) & (frame.pairs != 0)
    cdef bint is_last = is_open & (frame.groups == 1)
    cdef bint has_room = is_open | (frame.quads + frame.pairs != frame.groups)
    return (TRIPLES & -<uint64_t>has_room | QUADS & -<uint64_t>((frame.quads != 0) & ~is_last)
            | PAIRS & -<uint64_t>((frame.pairs != 0) & ~is_last))


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
    frame.most = NONE_YET
    if search.best_only:
        frame.choices = best_shape(search, frame.face, frame.choices & LASTING[frame.face])


cdef bint advance(Search* search) noexcept nogil:
    """Go on to the next division of the route, in the fixed order of equal xi; False if there is none."""
    cdef Frame* frame
    cdef Frame* child
    cdef const Type* kind
    cdef int shape
    if search.whole:
        search.whole = False
        search.found.xi = search.frames[0].xi
        return search.frames[0].housed != 0
    while search.depth >= 0:
        frame = &search.frames[search.depth]
        child = frame + 1
        if frame.choices == 0:
            close_frame(search, frame)
            continue
        shape = lowest_bit(frame.choices)
        frame.choices &= frame.choices - 1
        kind = &TYPES[frame.face][shape]
        take(search, frame, child, kind)
        if search.bounded and is_too_low(search, frame, child, 0):
            continue
        settle(search, frame, child, kind, shape)
        if child.groups == 0:
            if is_better(search, frame, child):
                return True
        elif child.groups == 1 or leads_on(search, frame, child):
            search.depth += 1
            open_frame(search, child)
    return False


cdef inline bint is_better(Search* search, Frame* frame, const Frame* child) noexcept nogil:
    """Whether a division is one and of more xi than those before it."""
    if not child.housed:
        return False
    frame.most = max(frame.most, child.xi)
    search.found.xi = child.xi
    return child.xi > search.floor


cdef inline void take(
    const Search* search, const Frame* frame, Frame* child, const Type* kind
) noexcept nogil:
    """Take the tiles of a group out of those left."""
    cdef uint64_t free = frame.free - kind.need
    cdef uint32_t locked = frame.locked & ~kind.lock
    child.xi = frame.xi + search.xi[kind.xi_place]
    child.wang = frame.wang - kind.wang
    child.free = free
    child.locked = locked
    child.face = lowest_face(free, locked)


cdef inline void settle(
    Search* search, const Frame* frame, Frame* child, const Type* kind, int shape
) noexcept nogil:
    """Note the group and what it leaves to be laid."""
    search.found.groups[search.exposed_count + search.depth] = kind.group
    child.groups = frame.groups - 1
    child.quads = frame.quads - (kind.size == 4)
    child.pairs = frame.pairs - (kind.size == 2)
    child.first_shape = shape if child.face == frame.face else 0
    child.housed = frame.housed
    if search.either & (child.quads & child.pairs) & (not can_quad(search, child)):
        child.quads = child.pairs = 0
    if search.places_win and kind.need & search.win_tiles:
        if search.special >> shape & 1:
            child.housed |= HOUSED | SPECIAL
        elif search.host >> shape & 1:
            child.housed |= HOUSED
        if child.free & search.win_tiles == 0:
            child.housed &= HOUSED


cdef bint next_division(Search* search) noexcept nogil:
    """Go on to the next division of all routes, in the fixed order of equal xi."""
    while not advance(search):
        if not start_next_route(search):
            return False
    return True
