// Faces and packed hands (docs/rules.md 1 and 6).
#pragma once

#include <cstdint>

namespace paohuzi {

// Faces 0-9 are the small tiles of rank 1-10, faces 10-19 the big ones; 20 is the wang.
inline constexpr int RANK_COUNT = 10;
inline constexpr int FACE_COUNT = 20;
inline constexpr int WANG = 20;
inline constexpr int COPY_COUNT = 4;
inline constexpr int WANG_MAX = 4;

// A packed hand keeps the count of face f in bits 3f to 3f+2 and the wangs in bits 60 to 62.
using Packed = std::uint64_t;
inline constexpr int COUNT_BITS = 3;
inline constexpr Packed COUNT_MASK = 7;
inline constexpr Packed TILE_BITS = (Packed{1} << (COUNT_BITS * FACE_COUNT)) - 1;

constexpr int count_of(Packed hand, int face) {
    return static_cast<int>(hand >> (COUNT_BITS * face) & COUNT_MASK);
}
constexpr Packed one_of(int face) { return Packed{1} << (COUNT_BITS * face); }
constexpr bool is_big(int face) { return face >= RANK_COUNT; }
constexpr int rank_of(int face) { return face % RANK_COUNT; } // 0-9
constexpr bool is_red(int face) {
    const int rank = rank_of(face);
    return rank == 1 || rank == 6 || rank == 9;
}

} // namespace paohuzi
