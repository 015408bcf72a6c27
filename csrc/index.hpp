// From a packed hand to its place in the tables.
#pragma once

#include "tables.hpp"

namespace paohuzi {

// What four look-ups tell of the concealed tiles (wangs apart): kan and quads out, the rest as two patterns.
struct HandIndex {
    int left;
    int right;
    std::uint32_t small; // chunk counts of the small tiles, from bit 0 on
    std::uint32_t big;

    static constexpr std::uint32_t FIELD = 31;
    int kan_count() const { return static_cast<int>((small & FIELD) + (big & FIELD)); }
    int ti_count() const {
        constexpr int TI = CHUNK_TI - CHUNK_KAN;
        return static_cast<int>((small >> TI & FIELD) + (big >> TI & FIELD));
    }
    int tile_count() const {
        constexpr int TILES = CHUNK_TILES - CHUNK_KAN;
        return static_cast<int>((small >> TILES & 127) + (big >> TILES & 127));
    }
    // xi of the kan and quads held, classic table.
    int xi() const {
        constexpr int TI = CHUNK_TI - CHUNK_KAN;
        return static_cast<int>(3 * (small & FIELD) + 9 * (small >> TI & FIELD) + 6 * (big & FIELD) +
                                12 * (big >> TI & FIELD));
    }
    bool is_invalid() const {
        constexpr int INVALID = 31 - CHUNK_KAN;
        return (small | big) >> INVALID != 0;
    }
};

// The words of the table of chunks for ranks 1-5 and 6-10 of the small tiles, and of the big ones.
inline HandIndex index_of_words(std::uint32_t left_small, std::uint32_t right_small, std::uint32_t left_big,
                                std::uint32_t right_big) {
    HandIndex index{};
    index.left = static_cast<int>((left_small & CHUNK_PATTERN) + 3 * (left_big & CHUNK_PATTERN));
    index.right = static_cast<int>((right_small & CHUNK_PATTERN) + 3 * (right_big & CHUNK_PATTERN));
    index.small = (left_small >> CHUNK_KAN) + (right_small >> CHUNK_KAN);
    index.big = (left_big >> CHUNK_KAN) + (right_big >> CHUNK_KAN);
    return index;
}

inline HandIndex index_of(Packed hand) {
    constexpr std::uint64_t MASK = CHUNK_COUNT - 1;
    const std::uint32_t *chunks = tables.chunks;
    return index_of_words(chunks[hand & MASK], chunks[hand >> CHUNK_BITS & MASK],
                          chunks[hand >> 2 * CHUNK_BITS & MASK], chunks[hand >> 3 * CHUNK_BITS & MASK]);
}

inline int wang_count(Packed hand) { return static_cast<int>(hand >> COUNT_BITS * WANG & COUNT_MASK); }

// A complete hand has 20 + max(1, quads) tiles: with each quad counted as three, 21 without a quad and 20
// with some.
constexpr bool is_complete_count(int tiles_less_quads, int quads) {
    return tiles_less_quads == (quads == 0 ? 21 : 20);
}

} // namespace paohuzi
