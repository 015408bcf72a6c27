# Deals, and the seeds they come from.

cdef int read_deal(int wang, tuple hands, int shown, bytes wall, Deal* deal) except -1:
    """Every tile of the deck once, 20 in each hand."""
    cdef int counts[21]
    cdef int seat, face, place
    cdef uint64_t hand
    for face in range(FACE_COUNT + 1):
        counts[face] = 0
    if len(hands) != SEATS or len(wall) != wall_count(wang):
        raise ValueError(
            f"expected {SEATS} hands and a wall of {wall_count(wang)} tiles, got {len(hands)} and {len(wall)}"
        )
    for seat in range(SEATS):
        hand = deal.hands[seat] = hands[seat]
        if not _core.is_hand(hand) or hand_size(hand) != DEALT_COUNT:
            raise ValueError(f"expected a packed hand of {DEALT_COUNT} tiles for seat {seat}, got {hand:#x}")
        for face in range(FACE_COUNT + 1):
            counts[face] += _core.count_of(hand, face)
    deal.shown = <uint8_t>read_face(shown, WANG, "as the shown tile")
    counts[deal.shown] += 1
    deal.wall_count = <uint8_t>len(wall)
    for place in range(deal.wall_count):
        deal.wall[place] = <uint8_t>read_face(wall[place], WANG, f"at place {place} of the wall")
        counts[deal.wall[place]] += 1
    for face in range(FACE_COUNT + 1):
        if counts[face] != (wang if face == WANG else COPIES):
            raise ValueError(
                f"expected {COPIES} of each face and {wang} wangs, got {counts[face]} of face {face}"
            )
    return 0


cdef int hand_size(uint64_t hand) noexcept nogil:
    cdef int face, size = 0
    for face in range(FACE_COUNT + 1):
        size += _core.count_of(hand, face)
    return size


cdef tuple deal_tuple(const Deal& deal):
    return (
        (deal.hands[0], deal.hands[1], deal.hands[2]), deal.shown,
        (<const char*>&deal.wall[0])[:deal.wall_count],
    )


def make_deal(int wang, uint64_t seed):
    """The deal of a seed: three packed hands, the shown tile, the wall as bytes of faces."""
    return deal_tuple(deal_of_seed(_read_wang(wang), seed))


cdef int _read_wang(int wang) except -1:
    if not 0 <= wang <= _core.WANG_MAX:
        raise ValueError(f"expected 0 to {_core.WANG_MAX} wangs (王) in the deck, got {wang}")
    return wang


def first_dealer(int seats, uint64_t seed):
    """The seat that deals first in the match of a seed."""
    if not 3 <= seats <= 4:
        raise ValueError(f"expected 3 or 4 seats, got {seats}")
    return dealer_of_seed(seats, seed)


def hand_seed(uint64_t match_seed, uint64_t number):
    """The seed of the deal with this number, from 0, in the match of a seed."""
    return seed_of_hand(match_seed, number)
