# The groups that the search can lay, by face and shape.
#
# A *shape* is a kind of group with its wang mask, a *type* a shape whose lowest natural tile is of a face.
# Ascending shape is ascending (code, wang mask) for every face, so that a bit set of shapes is walked in the
# fixed order of divisions.

cdef extern from "groups.hpp" namespace "paohuzi" nogil:
    cdef struct Group:
        uint8_t size
        uint8_t faces[4]

    const Group GROUPS[179]

cdef enum:  # as in csrc/groups.hpp and csrc/tiles.hpp
    RUN_CODE = 1
    R27A_CODE = 17
    JIAO_SMALL_CODE = 19
    JIAO_BIG_CODE = 29
    PAIR_CODE = 39
    PENG_CODE = 59
    KAN_CODE = 79
    WEI_CODE = 99
    PAO_CODE = 139
    TI_CODE = 159
    CODE_COUNT = 179
    FACE_COUNT = 20
    RANK_COUNT = 10
    WANG = 20
    COUNT_BITS = 3

cdef enum:  # places in XiTable, four by big + 2 * red or two by case
    PENG_XI = 0
    KAN_XI = 4
    PAO_XI = 8
    TI_XI = 12
    R123_XI = 16
    R27A_XI = 18
    NO_XI = 20  # behind them: a group worth nothing
    XI_COUNT = 21

cdef enum:
    SHAPE_MAX = 64
    WANG_ONLY = 18  # n wangs alone are laid as if of face WANG_ONLY + n, from 20 on
    TYPE_FACE_COUNT = WANG_ONLY + 5

# First code, number of codes and wang masks of each kind. ~mask is a locked shape, of held tiles that stay
# together: a kan, a ti, the wei, ti or pao of a winning tile, and a kan that a wang makes a ti. In runs the
# mask also says the code: the later its lowest natural tile, the lower the run.
_KINDS = (
    (RUN_CODE, 16, (3, 1, 5, 0, 2, 4, 6)),
    (R27A_CODE, 2, (3, 1, 5, 0, 2, 4, 6)),
    (JIAO_SMALL_CODE, 10, (0, 2, 3, 4, 6)),
    (JIAO_BIG_CODE, 10, (0, 1, 4, 5, 6)),
    (PAIR_CODE, 20, (0, 2)),
    (PENG_CODE, 20, (0, 4, 6)),
    (KAN_CODE, 20, (0, ~0, 4, 6)),
    (WEI_CODE, 20, (0, ~0, 4, 6)),
    (PAO_CODE, 20, (~0, 8, 12, 14)),
    (TI_CODE, 20, (0, ~0, 8, ~8, 12, 14)),
)
# Every shape as (first code, number of codes, wang mask, locked).
_SHAPES = [(first, count, max(mask, ~mask), mask < 0) for first, count, masks in _KINDS for mask in masks]


def _shapes(fits):
    """The bit set of the shapes of (first code, wang mask, locked) that fit."""
    return sum(1 << i for i, (first, _, mask, locked) in enumerate(_SHAPES) if fits(first, mask, locked))


cdef uint64_t PAIRS = _shapes(lambda first, mask, locked: first == PAIR_CODE)
cdef uint64_t QUADS = _shapes(lambda first, mask, locked: first >= PAO_CODE)
cdef uint64_t TRIPLES = _shapes(lambda first, mask, locked: first != PAIR_CODE and first < PAO_CODE)
cdef uint64_t LOCKED = _shapes(lambda first, mask, locked: locked)
cdef uint64_t LOCKED_KAN = _shapes(lambda first, mask, locked: locked and first == KAN_CODE)
cdef uint64_t LOCKED_WEI = _shapes(lambda first, mask, locked: locked and first == WEI_CODE)
cdef uint64_t LOCKED_PAO = _shapes(lambda first, mask, locked: locked and first == PAO_CODE)
cdef uint64_t LOCKED_TI = _shapes(lambda first, mask, locked: locked and first == TI_CODE and not mask)
cdef uint64_t PROMOTED_KAN = _shapes(lambda first, mask, locked: locked and first == TI_CODE and mask)
cdef uint64_t PENG = _shapes(lambda first, mask, locked: first == PENG_CODE)
cdef uint64_t WEI = _shapes(lambda first, mask, locked: first == WEI_CODE and not locked)
cdef uint64_t PAO = _shapes(lambda first, mask, locked: first == PAO_CODE and not locked)
cdef uint64_t OWN = ~(LOCKED | PENG | WEI | PAO)  # all that holds no settled tiles and no winning tile
cdef uint64_t OWN_SET = _shapes(lambda first, mask, locked: first in (KAN_CODE, TI_CODE))
cdef uint64_t NATURAL_KAN = _shapes(lambda first, mask, locked: first == KAN_CODE and not mask and not locked)
cdef uint64_t NATURAL_TI = _shapes(lambda first, mask, locked: first == TI_CODE and not mask and not locked)
cdef uint64_t WANG_IN_TRIPLET = _shapes(lambda first, mask, locked: mask and PENG_CODE <= first < PAO_CODE)
cdef uint64_t WANG_IN_QUAD = _shapes(lambda first, mask, locked: mask and first >= PAO_CODE)

cdef struct Type:
    uint64_t need  # natural tiles, packed
    uint32_t lock  # bit of the face whose locked tiles are used up
    uint16_t group  # code and wang mask
    uint8_t xi_place
    uint8_t wang
    uint8_t size

cdef Type TYPES[TYPE_FACE_COUNT][SHAPE_MAX]
cdef int WANG_ONLY_COUNT[5]  # groups of so many wangs
cdef uint8_t XI_PLACE[CODE_COUNT]

# Shapes for which there is enough: of the face itself, of the next two faces, of the big face of the same
# rank, of 7 and 10 of the case, of wangs. EXISTS has the shapes that a face can have at all.
cdef uint64_t EXISTS[FACE_COUNT]
cdef uint64_t OWN_FITS[8]
cdef uint64_t RUN_FITS[64]
cdef uint64_t JIAO_FITS[8]
cdef uint64_t R27A_FITS[4]
cdef uint8_t TO_SEVEN[FACE_COUNT]  # bits from a face to 7 and 10 of its 2-7-10, where it is the lower
cdef uint8_t TO_TEN[FACE_COUNT]
cdef uint64_t WANG_FITS[8]

# Shapes of a face that take the same tiles and as many wangs are *rivals*: in the place of one another they
# leave the same rest, so the best division has the one of most xi, the first among equals. LASTING is without
# those that a rival of the same place in XiTable precedes; between the others, CONTESTS, the xi decide.
cdef enum:
    CONTEST_MAX = 3
cdef uint64_t LASTING[TYPE_FACE_COUNT]
cdef uint64_t CONTESTS[FACE_COUNT][CONTEST_MAX]


cdef int count_of(uint64_t hand, int face) noexcept nogil:
    return hand >> (COUNT_BITS * face) & 7


cdef uint64_t tiles_of(int face, int count) noexcept nogil:
    return <uint64_t>count << (COUNT_BITS * face)


cdef int xi_place_of(int code) noexcept:
    cdef int face = GROUPS[code].faces[0], rank = face % RANK_COUNT, big = face >= RANK_COUNT
    cdef int colour = big + 2 * (rank == 1 or rank == 6 or rank == 9)
    if code < R27A_CODE:
        return R123_XI + big if rank == 0 else NO_XI
    if code < JIAO_SMALL_CODE:
        return R27A_XI + big
    if code < PENG_CODE:
        return NO_XI
    if code < KAN_CODE:
        return PENG_XI + colour
    if code < PAO_CODE:
        return KAN_XI + colour
    return (PAO_XI if code < TI_CODE else TI_XI) + colour


cdef void write_type(Type* kind, int code, int mask, bint locked) noexcept:
    cdef int i
    kind.group = code | mask << 8
    kind.xi_place = XI_PLACE[code]
    kind.size = GROUPS[code].size
    kind.lock = <uint32_t>locked << GROUPS[code].faces[0]
    for i in range(kind.size):
        if mask >> i & 1:
            kind.wang += 1
        elif not locked:
            kind.need += tiles_of(GROUPS[code].faces[i], 1)


cdef void note_need(const Type* kind, int face, uint64_t shape) noexcept:
    """Put the shape into the sets of what fits, which are the same for every face."""
    cdef int i, rank = face % RANK_COUNT, big = rank + RANK_COUNT, seven = face - rank + 6
    cdef int code = kind.group & 255
    cdef uint64_t run = kind.need if code < R27A_CODE else 0
    cdef uint64_t jiao = kind.need if JIAO_SMALL_CODE <= code < PAIR_CODE and face < RANK_COUNT else 0
    cdef uint64_t others = kind.need - tiles_of(face, 1) if R27A_CODE <= code < JIAO_SMALL_CODE else 0
    EXISTS[face] |= shape
    for i in range(8):
        OWN_FITS[i] |= shape if count_of(kind.need, face) <= i else 0
        WANG_FITS[i] |= shape if kind.wang <= i else 0
        JIAO_FITS[i] |= shape if count_of(jiao, big) <= i else 0
    for i in range(64):
        RUN_FITS[i] |= shape if count_of(run, face + 1) <= i & 7 and count_of(run, face + 2) <= i >> 3 else 0
    for i in range(4):
        if count_of(others, seven) <= i & 1 and count_of(others, seven + 3) <= i >> 1:
            R27A_FITS[i] |= shape


cdef void build_types():
    cdef int code, face
    for code in range(1, CODE_COUNT):
        XI_PLACE[code] = xi_place_of(code)
    for i, (first, count, mask, locked) in enumerate(_SHAPES):
        for code in range(first, first + count):
            face = GROUPS[code].faces[lowest_bit(~<uint64_t>mask)]
            write_type(&TYPES[face][i], code, mask, locked)
            note_need(&TYPES[face][i], face, <uint64_t>1 << i)


cdef void build_wang_only():
    cdef int code, size
    # The triplets come after the other groups of three, as the search takes them away by count.
    for code in (*range(RUN_CODE, PENG_CODE), *range(KAN_CODE, WEI_CODE), *range(TI_CODE, CODE_COUNT)):
        size = GROUPS[code].size
        write_type(&TYPES[WANG_ONLY + size][WANG_ONLY_COUNT[size]], code, (1 << size) - 1, False)
        WANG_ONLY_COUNT[size] += 1


cdef uint64_t rivals_of(int face, int shape, uint64_t shapes, bint alike) noexcept:
    """The rivals of a shape, itself one of them; only those of its place in XiTable if they must be alike."""
    cdef const Type* kind = &TYPES[face][shape]
    cdef const Type* other
    cdef uint64_t rivals = 0
    cdef int i
    for i in range(SHAPE_MAX):
        other = &TYPES[face][i]
        if shapes >> shape & shapes >> i & 1 and other.need == kind.need and other.size == kind.size:
            rivals |= <uint64_t>(not alike or other.xi_place == kind.xi_place) << i
    return rivals


cdef uint64_t lasting(int face, uint64_t shapes) noexcept:
    cdef int shape
    cdef uint64_t rivals, last = 0
    for shape in range(SHAPE_MAX):
        rivals = rivals_of(face, shape, shapes, True)
        last |= rivals & -rivals
    return last


cdef void note_contests(int face) noexcept:
    cdef int shape, count = 0
    cdef uint64_t rivals
    for shape in range(SHAPE_MAX):
        rivals = rivals_of(face, shape, LASTING[face], False)
        if rivals & (rivals - 1) and rivals & -rivals == <uint64_t>1 << shape:
            CONTESTS[face][count] = rivals
            count += 1


cdef void build_lasting():
    cdef int face, size
    for face in range(FACE_COUNT):
        LASTING[face] = lasting(face, EXISTS[face] & OWN)
        note_contests(face)
    for size in range(2, 5):
        LASTING[WANG_ONLY + size] = lasting(WANG_ONLY + size, (<uint64_t>1 << WANG_ONLY_COUNT[size]) - 1)


cdef inline uint64_t fitting(int face, uint64_t view) noexcept nogil:
    """Shapes of a face for which there are natural tiles; `view` is the packed tiles from that face on."""
    cdef uint64_t fits
    if view & 7 == 0:
        return 0
    fits = EXISTS[face] & OWN_FITS[view & 7] & RUN_FITS[view >> 3 & 63] & JIAO_FITS[view >> 30 & 7]
    return fits & R27A_FITS[(view >> TO_SEVEN[face] & 7 != 0) | (view >> TO_TEN[face] & 7 != 0) << 1]


cdef uint64_t allowed(const Options* options, uint64_t shapes) noexcept nogil:
    if not options.wang_in_triplet:
        shapes &= ~WANG_IN_TRIPLET
    if not options.wang_in_quad:
        shapes &= ~WANG_IN_QUAD
    return shapes


cdef void build_places():
    cdef int face, rank
    for face in range(FACE_COUNT):
        rank = face % RANK_COUNT
        TO_SEVEN[face] = 5 * COUNT_BITS if rank == 1 else 0
        TO_TEN[face] = 8 * COUNT_BITS if rank == 1 else 3 * COUNT_BITS if rank == 6 else 0


build_types()
build_places()
build_wang_only()
build_lasting()
