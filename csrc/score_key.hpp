// What the fan of a whole hand is looked up by, and what else its score may hang on (docs/algorithm.md).
#pragma once

#include "tiles.hpp"

namespace paohuzi {

// What a hand's fan is looked up by: all tiles, big ones and red ones, wangs being neither; above that its
// red quads, up to QUADS_KNOWN; and from LOOK_BIT on what its division may have beside.
constexpr int colour_key(int tiles, int big, int red) { return tiles << 10 | big << 5 | red; }
inline constexpr int COLOUR_BITS = 15;
inline constexpr int QUADS_KNOWN = 3;
inline constexpr int KEY_COUNT = (QUADS_KNOWN + 1) << COLOUR_BITS;
inline constexpr int LOOK_BIT = 20;
inline constexpr std::uint32_t LOOK_SETS = 1 << LOOK_BIT;  // perhaps 对对胡: no tile is alone
inline constexpr std::uint32_t LOOK_XI = 2 << LOOK_BIT; // perhaps 项项息: all fits 1-2-3, 2-7-10 and a pair
inline constexpr std::uint32_t LOOK_QUADS = 4 << LOOK_BIT; // more red quads than QUADS_KNOWN
inline constexpr std::uint32_t LOOK_WANG = 8 << LOOK_BIT; // wangs

// Ten counts of three bits each, as numbers of 32 bits: so that compilers answer many hands at a time.
struct CaseCounts {
    std::uint32_t tiles;

    static constexpr std::uint32_t ONES = 01111111111;
    static constexpr std::uint32_t RUN_123 = 0111;
    static constexpr std::uint32_t RUN_27A = 01001000010;
    static constexpr std::uint32_t REDS = 7 * RUN_27A; // ranks 2, 7 and 10

    std::uint32_t sum() const {
        constexpr std::uint32_t SIXES = 0707070707;
        return ((tiles & SIXES) + (tiles >> 3 & SIXES)) * 0101010101 >> 24 & 63;
    }
    std::uint32_t quads() const { return tiles >> 2 & ONES; }
    std::uint32_t alone() const { return tiles & ~(tiles >> 1) & ONES; } // faces held once
    // What is left of the free tiles when as many 1-2-3 and 2-7-10 as there are 1 and 10 are out; a count
    // that falls below 0 borrows from the next.
    std::uint32_t left_of_runs() const {
        const std::uint32_t sets = (tiles & tiles >> 1 & ONES) | quads();
        const std::uint32_t free = tiles & ~(7 * sets);
        return free - (free & 7) * RUN_123 - (free >> 27) * RUN_27A;
    }
};

// 0 exactly where all of both cases but a pair is 1-2-3 and 2-7-10, from what left_of_runs left: of one case
// nothing, of the other the pair, or, where the pair is of 1 or 10, what two runs more than there are took.
inline std::uint32_t rest_beside_pair(std::uint32_t left, std::uint32_t other_left) {
    constexpr std::uint32_t PAIRS = CaseCounts::ONES << 1;
    constexpr std::uint32_t PAIR_OF_1 = 2 - 2 * CaseCounts::RUN_123;
    constexpr std::uint32_t PAIR_OF_10 = (2U << 27) - 2 * CaseCounts::RUN_27A;
    const std::uint32_t both = left | other_left;
    const std::uint32_t smaller = left < other_left ? left : other_left;
    std::uint32_t rest = (both & (both - 1)) | (both & ~PAIRS);
    rest = both == PAIR_OF_1 ? 0 : rest;
    rest = both == PAIR_OF_10 ? 0 : rest;
    rest = both == 0 ? 1 : rest;
    return rest | smaller;
}

// The sum of the counts of ranks 2, 7 and 10, each up to eight.
inline std::uint32_t red_sum(std::uint32_t counts) {
    return (counts >> 3 & 15) + (counts >> 18 & 15) + (counts >> 27);
}

// Looks at 项项息 and quads cost most: without them LOOK_XI is not set and there are no red quads.
template <bool looks_at_xi_and_quads = true>
inline std::uint32_t score_key(Packed hand) {
    const CaseCounts small{static_cast<std::uint32_t>(hand) & 07777777777};
    const CaseCounts big{static_cast<std::uint32_t>(hand >> 30) & 07777777777};
    const auto wangs = static_cast<std::uint32_t>(hand >> COUNT_BITS * WANG) & 7;
    const std::uint32_t bigs = big.sum();
    const std::uint32_t red = red_sum((small.tiles & CaseCounts::REDS) + (big.tiles & CaseCounts::REDS));
    std::uint32_t key = (small.sum() + bigs + wangs) << 10 | bigs << 5 | red;
    const std::uint32_t alone = small.alone() | big.alone();
    key |= (alone == 0 ? LOOK_SETS : 0U) | (wangs != 0 ? LOOK_WANG : 0U);
    if constexpr (looks_at_xi_and_quads) {
        const std::uint32_t quads =
            red_sum((small.quads() & CaseCounts::REDS) + (big.quads() & CaseCounts::REDS));
        const std::uint32_t left = small.left_of_runs();
        const std::uint32_t other_left = big.left_of_runs();
        const bool owes_pair = (small.quads() | big.quads()) != 0;
        const std::uint32_t rest = owes_pair ? rest_beside_pair(left, other_left) : left | other_left;
        key |=
            (quads & 3) << COLOUR_BITS | (quads > QUADS_KNOWN ? LOOK_QUADS : 0U) | (rest == 0 ? LOOK_XI : 0U);
    }
    return key;
}

} // namespace paohuzi
