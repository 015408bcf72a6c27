// Red, big and small tiles of a packed hand.
#pragma once

#include "facts.hpp"

namespace paohuzi {

inline constexpr Packed RED_TILES = [] {
    Packed tiles = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        tiles |= is_red(face) ? COUNT_MASK << COUNT_BITS * face : 0;
    }
    return tiles;
}();
inline constexpr Packed BIG_TILES = TILE_BITS & ~((Packed{1} << COUNT_BITS * RANK_COUNT) - 1);

constexpr void count_colours(Packed tiles, Facts &facts) {
    const int all = tile_count(tiles & TILE_BITS);
    facts.red = tile_count(tiles & RED_TILES);
    facts.big = tile_count(tiles & BIG_TILES);
    facts.small = all - facts.big;
}

} // namespace paohuzi
