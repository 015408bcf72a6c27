// Sixteen hands in the lanes of AVX-512 vectors: what their tiles are, and what the table without wang says.
// To be included by files that are compiled for AVX-512 (F, BW, DQ, VL, VBMI) and BMI2 only.
#pragma once

#include "tables.hpp"

#include <immintrin.h>

namespace paohuzi {
namespace {

constexpr int LANES = 16;

// Four faces of sixteen hands: a byte a face, a lane a hand.
struct Columns {
    __m512i faces[5]; // 0-3, 4-7, 8-11, 12-15, 16-19
};

// Bytes 0-7 of each hand's counts from three-bit fields that begin at bit `first`.
inline __m512i spread(__m512i hands, int first) {
    const __m512i shifts =
        _mm512_add_epi8(_mm512_set1_epi64(0x1512'0F0C'0906'0300), _mm512_set1_epi8(static_cast<char>(first)));
    return _mm512_and_si512(_mm512_multishift_epi64_epi8(shifts, hands), _mm512_set1_epi8(7));
}

inline Columns columns_of(__m512i low, __m512i high) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    Columns columns;
    for (int pair = 0; pair < 3; ++pair) {
        const __m512i a = spread(low, 24 * pair);
        const __m512i b = spread(high, 24 * pair);
        columns.faces[2 * pair] = _mm512_permutex2var_epi32(a, even, b);
        if (pair < 2) {
            columns.faces[2 * pair + 1] = _mm512_permutex2var_epi32(a, odd, b);
        }
    }
    return columns;
}

inline __m512i lookup(__m512i counts, const char (&table)[16]) {
    return _mm512_shuffle_epi8(
        _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i *>(table))), counts);
}

// Sum over the four bytes b0-b3 of each lane: w0 * (f0 * b0 + f1 * b1) + w1 * (f2 * b2 + f3 * b3).
template <int F0, int F1, int F2, int F3, int W0, int W1>
inline __m512i weigh(__m512i bytes) {
    const __m512i factors = _mm512_set1_epi32(F0 | F1 << 8 | F2 << 16 | F3 << 24);
    const __m512i weights = _mm512_set1_epi32(W0 | W1 << 16);
    return _mm512_madd_epi16(_mm512_maddubs_epi16(bytes, factors), weights);
}

inline __m512i sum(__m512i a, __m512i b, __m512i c, __m512i d) {
    return _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
}

// Patterns of the free tiles (see tables.hpp); faces by column: s1-s4, s5 | s6-s8, s9 s10 | b1 b2, b3-b5 |
// b6, b7-b10.
inline void patterns_of(const Columns &columns, __m512i &left, __m512i &right) {
    constexpr char FREE[16] = {0, 1, 2, 0, 0, 0, 0, 0};
    __m512i free[5];
    for (int i = 0; i < 5; ++i) {
        free[i] = lookup(columns.faces[i], FREE);
    }
    left = sum(weigh<1, 9, 1, 9, 1, 81>(free[0]), weigh<1, 0, 0, 0, 6561, 0>(free[1]),
               weigh<0, 0, 3, 27, 0, 1>(free[2]), weigh<1, 9, 1, 0, 243, 19683>(free[3]));
    right = sum(weigh<0, 1, 9, 81, 1, 1>(free[1]), weigh<1, 9, 0, 0, 729, 0>(free[2]),
                weigh<0, 0, 0, 3, 0, 1>(free[3]), weigh<1, 9, 1, 9, 27, 2187>(free[4]));
}

// xi of kan and quads; and all tiles, each quad counted as three, plus 32 for each quad.
inline void whole_of(const Columns &columns, __m512i &xi, __m512i &tiles) {
    constexpr char XI[16] = {0, 0, 0, 3, 9, 0, 0, 0, 0, 0, 0, 6, 12, 0, 0, 0}; // big faces: count + 8
    constexpr char TILES[16] = {0, 1, 2, 3, 3 + 32, 0, 0, 0};
    const __m512i big[5] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_set1_epi32(0x08080000),
                            _mm512_set1_epi8(8), _mm512_set1_epi8(8)};
    __m512i xi_bytes = _mm512_setzero_si512();
    __m512i tile_bytes = _mm512_setzero_si512();
    for (int i = 0; i < 5; ++i) {
        xi_bytes = _mm512_add_epi8(xi_bytes, lookup(_mm512_or_si512(columns.faces[i], big[i]), XI));
        tile_bytes = _mm512_add_epi8(tile_bytes, lookup(columns.faces[i], TILES)); // at most 5 * 35
    }
    xi = weigh<1, 1, 1, 1, 1, 1>(xi_bytes);
    tiles = weigh<1, 1, 1, 1, 1, 1>(tile_bytes);
}

// 21 tiles without a quad, or 20 (quads as three) with some. Sums that look the same but are not have tiles
// left over that are 1 modulo 3, and no division: 32 is 2 modulo 3.
inline __mmask16 complete_mask(__m512i tiles) {
    const __m512i rest = _mm512_and_si512(tiles, _mm512_set1_epi32(31));
    return _mm512_cmpeq_epi32_mask(tiles, _mm512_set1_epi32(21)) |
           (_mm512_cmpeq_epi32_mask(rest, _mm512_set1_epi32(20)) &
            _mm512_cmpgt_epi32_mask(tiles, _mm512_set1_epi32(31)));
}

// Counts of five to seven in any face.
inline __mmask8 invalid_mask(__m512i hands) {
    constexpr std::uint64_t ONES = 0x1249249249249249 & TILE_BITS; // bit 0 of each field
    const __m512i more =
        _mm512_ternarylogic_epi64(_mm512_srli_epi64(hands, 2), _mm512_srli_epi64(hands, 1), hands,
                                  0xE0); // a & (b | c)
    return _mm512_test_epi64_mask(more, _mm512_set1_epi64(static_cast<long long>(ONES)));
}

struct Sums {
    __m512i xi;            // of kan and quads
    __m512i tiles;         // each quad counted as three
    __m512i kan_and_quads; // kan in bits 0-4, quads from bit 5 on
};

inline Sums sums_of(const Columns &columns) {
    constexpr char TILES[16] = {0, 1, 2, 3, 3, 0, 0, 0};
    constexpr char TRIPLETS[16] = {0, 0, 0, 1, 32, 0, 0, 0};
    Sums sums;
    __m512i unused;
    whole_of(columns, sums.xi, unused);
    __m512i tiles = _mm512_setzero_si512();
    __m512i triplets = _mm512_setzero_si512();
    for (const __m512i faces : columns.faces) {
        tiles = _mm512_add_epi8(tiles, lookup(faces, TILES));
        triplets = _mm512_add_epi8(triplets, lookup(faces, TRIPLETS)); // at most 5 * 32
    }
    sums.tiles = weigh<1, 1, 1, 1, 1, 1>(tiles);
    sums.kan_and_quads = weigh<1, 1, 1, 1, 1, 1>(triplets);
    return sums;
}

inline __m512i gather_u16(const std::uint16_t *table, __m512i index) {
    return _mm512_and_si512(_mm512_i32gather_epi32(index, table, 2), _mm512_set1_epi32(0xFFFF));
}

inline __m512i sign_of_byte(__m512i words) { return _mm512_srai_epi32(_mm512_slli_epi32(words, 24), 24); }

// Where the matrix has the xi of two patterns, and what is to be added to it.
struct PlainPlace {
    __m512i place;
    __m512i more;
};

inline PlainPlace place_of(__m512i left, __m512i right) {
    const PlainTable &plain = tables.plain;
    const __m512i row = gather_u16(plain.left, left);
    const __m512i column = gather_u16(plain.right, right);
    const __m512i row_number = _mm512_and_si512(row, _mm512_set1_epi32((1 << ROW_BITS) - 1));
    const __m512i row_place =
        _mm512_mullo_epi32(row_number, _mm512_set1_epi32(static_cast<int>(plain.stride)));
    const __m512i thirds = _mm512_srli_epi32(row, ROW_BITS);
    return {_mm512_add_epi32(row_place, column), _mm512_add_epi32(thirds, _mm512_add_epi32(thirds, thirds))};
}

// The entries of the matrix; negative where there is no division.
inline __m512i rest_at(__m512i place) {
    return sign_of_byte(_mm512_i32gather_epi32(place, tables.plain.matrix, 1));
}

// xi less what kan and quads bring; negative where there is no division.
inline __m512i plain_xi(__m512i left, __m512i right) {
    const PlainPlace place = place_of(left, right);
    const __m512i rest = rest_at(place.place);
    return _mm512_mask_add_epi32(rest, _mm512_movepi32_mask(rest) ^ 0xFFFF, rest, place.more);
}

} // namespace
} // namespace paohuzi
