// The precomputed tables in memory (their meaning: tables/*.cpp; the idea: docs/algorithm.md).
#pragma once

#include "tiles.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

// A half of the free tiles (at most two of a face): ranks 1-5 or 6-10, digit = small count + 3 * big count,
// base 9.
inline constexpr int PATTERN_COUNT = 59049;
inline constexpr int HALF_RANKS = 5;
inline constexpr std::array<int, FACE_COUNT> PLACE_WEIGHT = [] {
    std::array<int, FACE_COUNT> weights{};
    for (int face = 0; face < FACE_COUNT; ++face) {
        int weight = is_big(face) ? 3 : 1;
        for (int i = rank_of(face) % HALF_RANKS; i > 0; --i) {
            weight *= 9;
        }
        weights[static_cast<std::size_t>(face)] = weight;
    }
    return weights;
}();
constexpr bool is_left(int face) { return rank_of(face) < HALF_RANKS; }

// Five faces of a packed hand (15 bits) at once: bits 0-13 the pattern of the free tiles (without the factor
// 3 of the big ones), 14-18 the number of kan, 19-23 of ti, 24-30 the tiles, 31 set when a face is held more
// than four times. The entries of the four chunks of a hand may be added, but for the patterns.
inline constexpr int CHUNK_BITS = 15;
inline constexpr int CHUNK_COUNT = 1 << CHUNK_BITS;
inline constexpr std::uint32_t CHUNK_PATTERN = (1U << 14) - 1;
inline constexpr int CHUNK_KAN = 14;
inline constexpr int CHUNK_TI = 19;
inline constexpr int CHUNK_TILES = 24;
inline constexpr std::uint32_t CHUNK_INVALID = 1U << 31;

inline constexpr int ROW_BITS = 13;

struct PlainTable {
    const std::uint16_t *left = nullptr;  // bits 0-12 row of the matrix, 13-15 a third of the xi to add
    const std::uint16_t *right = nullptr; // column
    const std::int8_t *matrix = nullptr;  // negative: no division
    std::uint32_t stride = 0;

    int xi(int left_pattern, int right_pattern) const {
        const std::uint32_t row = left[left_pattern];
        const int rest = matrix[(row & ((1U << ROW_BITS) - 1)) * std::size_t{stride} + right[right_pattern]];
        return (rest + 3 * static_cast<int>(row >> ROW_BITS)) | rest >> 31; // -1 without a branch to foresee
    }
};

struct DivisionsTable {
    const std::uint16_t *numbers = nullptr; // [pattern][left, left with pair, right, right with pair]
    const std::uint8_t *vectors = nullptr; // [number][128]
};

inline constexpr int STATE_COUNT = 108; // states at the cut that two halves can share
inline constexpr int VECTOR_BYTES = 64; // two states a byte, the rest zero
inline constexpr int VECTOR_USED = 54;
// What a half makes with exactly k wangs: neither pair nor quad; a pair; a quad that holds a wang; both. In
// such an order that the first 4 * w (the first 4 for one wang) are all that a hand with w wangs needs.
inline constexpr int FAMILY_COUNT = 16;
constexpr int plain_family(int wangs) { return wangs < 2 ? wangs : 4 * wangs - 4; }
constexpr int pair_family(int wangs) { return wangs < 2 ? 2 + wangs : 4 * wangs - 3; }
constexpr int quad_family(int wangs) { return 4 * wangs - 2; } // wangs >= 2
constexpr int quad_pair_family(int wangs) { return 4 * wangs - 1; } // wangs >= 2

using VectorNumber = std::uint16_t;

// Vector numbers by [pattern][family], kept apart for hands with few wangs: less memory to touch.
inline constexpr int STRIDE_COUNT = 3;
constexpr int stride_index(int wangs) { return wangs <= 1 ? 0 : wangs == 2 ? 1 : 2; }
constexpr int stride_of(int wangs) { return 4 << stride_index(wangs); }

struct WangHalf {
    std::array<const VectorNumber *, STRIDE_COUNT> numbers{};
    std::array<const std::uint8_t *, FAMILY_COUNT>
        vectors{}; // four bits a state: xi / 3 + 1, 0 for no division

    const std::uint8_t *vector(const VectorNumber *pattern_numbers, int family) const {
        return vectors[static_cast<std::size_t>(family)] +
               std::size_t{pattern_numbers[family]} * VECTOR_BYTES;
    }
};

struct WangTable {
    WangHalf left;
    WangHalf right;

    bool is_attached() const { return right.numbers[0] != nullptr; }
};

struct Tables {
    const std::uint32_t *chunks = nullptr; // [CHUNK_COUNT]
    PlainTable plain;
    DivisionsTable divisions;
    WangTable wang;
};

extern Tables tables; // read only once attached

// Makes a table usable, as its generator wrote it; false when it is not such a table or of another version.
// "wang" is expanded, which takes a moment, and its bytes are then no longer needed; the others must stay.
// Not to be called twice for one table, nor from two threads.
bool attach_table(const char *name, const void *bytes, std::size_t size) noexcept;

// Takes over what another copy of the core has attached, in another extension module: its memory stays there.
void share_tables(const Tables &attached) noexcept;

// Bytes that the tables take in memory, attached and made.
std::size_t table_bytes() noexcept;

} // namespace paohuzi
