// Eight queries in the lanes of AVX-512 vectors, checked but for the number of tiles.
// To be included by files that are compiled for AVX-512 (F, BW, DQ, VL, VBMI) and BMI2 only.
#pragma once

#include "melds.hpp"
#include "query.hpp"
#include "tables.hpp"

#include <algorithm>
#include <array>
#include <immintrin.h>

namespace paohuzi {
namespace {

constexpr int KAN_TO_PAO = 3; // xi that a kan, wei or chouwei gains, in both cases
constexpr int KAN_TO_TI = 6;

// What the code of an exposed group tells: bits 0-3 the xi, bit 4 a quad, bit 7 that it is no such code.
constexpr int CODE_XI = 15;
constexpr int CODE_QUAD = 16;
constexpr int CODE_BAD = 128;
alignas(64) constexpr auto CODE_BYTES = [] {
    std::array<std::uint8_t, 256> bytes{};
    for (int code = 1; code < 256; ++code) {
        const bool is_pair = code >= PAIR_CODE && code < PENG_CODE;
        const bool is_kan = code >= KAN_CODE && code < WEI_CODE;
        const bool is_bad = code >= CODE_COUNT || is_pair || is_kan;
        const int byte = is_bad ? CODE_BAD : group_xi(code) + CODE_QUAD * is_quad_code(code);
        bytes[static_cast<std::size_t>(code)] = static_cast<std::uint8_t>(byte);
    }
    return bytes;
}();
alignas(64) constexpr auto CODE_TILES = [] { // for whatever a byte may be
    std::array<Packed, 256> tiles{};
    std::copy(GROUP_TILES.begin(), GROUP_TILES.end(), tiles.begin());
    return tiles;
}();

// What a tile weighs in the pattern of a half: by its face + 1; 0 stands for no tile, 21 for a wang.
using Weights = std::array<int, 32>;
constexpr Weights weights_of_half(bool left) {
    Weights weights{};
    for (std::size_t face = 0; face < FACE_COUNT; ++face) {
        weights[face + 1] = is_left(static_cast<int>(face)) == left ? PLACE_WEIGHT[face] : 0;
    }
    return weights;
}
alignas(64) constexpr Weights LEFT_WEIGHTS = weights_of_half(true);
alignas(64) constexpr Weights RIGHT_WEIGHTS = weights_of_half(false);

constexpr std::uint64_t EACH = 0x0101010101010101;
constexpr std::uint64_t EXPOSED = EACH * 0x7F; // seven of each eight bytes

inline __m512i all_lanes(long long value) { return _mm512_set1_epi64(value); }
inline __mmask8 equal(__m512i a, long long b) { return _mm512_cmpeq_epi64_mask(a, all_lanes(b)); }
inline __mmask8 above(__m512i a, long long b) { return _mm512_cmpgt_epi64_mask(a, all_lanes(b)); }
inline __mmask8 eight(unsigned lanes) { return static_cast<__mmask8>(lanes); }
inline __mmask16 sixteen(unsigned low, unsigned high) { return static_cast<__mmask16>(low | high << 8); }

// The lanes in which some byte is set.
inline __mmask8 lanes_with(__mmask64 bytes) {
    const __m512i all = _mm512_movm_epi8(bytes);
    return _mm512_test_epi64_mask(all, all);
}

inline __m512i code_bytes(__m512i codes) {
    const auto part = [](int i) { return _mm512_load_si512(CODE_BYTES.data() + 64 * i); };
    const __m512i low = _mm512_permutex2var_epi8(part(0), codes, part(1));
    const __m512i high = _mm512_permutex2var_epi8(part(2), codes, part(3));
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(codes), high);
}

inline __m512i sum_of_bytes(__m512i bytes) { return _mm512_sad_epu8(bytes, _mm512_setzero_si512()); }

// The words of eight queries by what they are: the hand; the exposed codes, the winning face above them; the
// source.
struct Words {
    __m512i hands;
    __m512i groups;
    __m512i sources;
};

template <int FIRST>
inline __m512i every_third(const __m512i (&words)[3]) {
    const __m512i places = _mm512_add_epi64(_mm512_setr_epi64(0, 3, 6, 9, 12, 15, 18, 21), all_lanes(FIRST));
    constexpr __mmask8 IN_LAST = FIRST == 0 ? 0xC0 : 0xE0; // from place 16 on
    return _mm512_mask_permutexvar_epi64(_mm512_permutex2var_epi64(words[0], places, words[1]), IN_LAST,
                                         places, words[2]);
}

inline Words load_words(const Query *queries) {
    __m512i words[3];
    for (int i = 0; i < 3; ++i) {
        words[i] = _mm512_loadu_si512(reinterpret_cast<const std::uint64_t *>(queries) + 8 * i);
    }
    return {every_third<0>(words), every_third<1>(words),
            _mm512_and_si512(every_third<2>(words), all_lanes(255))};
}

// Adds tiles up in lanes of six bits, where no copies are lost.
class Copies {
public:
    void add(__m512i tiles) {
        even_ = _mm512_add_epi64(even_, _mm512_and_si512(tiles, lanes()));
        odd_ = _mm512_add_epi64(odd_, _mm512_and_si512(_mm512_srli_epi64(tiles, COUNT_BITS), lanes()));
    }
    // The lanes with a face of more than four copies.
    __mmask8 too_many() const {
        constexpr long long ONES_OF_SIX = 0x0041041041041041;
        const __m512i to_32 = all_lanes(ONES_OF_SIX * (32 - COPY_COUNT - 1));
        const __m512i sums = _mm512_or_si512(_mm512_add_epi64(even_, to_32), _mm512_add_epi64(odd_, to_32));
        return _mm512_test_epi64_mask(sums, all_lanes(ONES_OF_SIX * 32));
    }

private:
    static __m512i lanes() { return all_lanes(0x01c71c71c71c71c7); }
    __m512i even_ = _mm512_setzero_si512();
    __m512i odd_ = _mm512_setzero_si512();
};

// What is known of the exposed groups of eight queries, and of the winning tile among them.
struct Exposed {
    __mmask8 bad;
    __mmask8 wei;  // one of the winning face
    __mmask8 peng;
    __m512i xi;
    __m512i tiles; // each quad counted as three, plus 32 for each
};

inline Exposed read_exposed(__m512i groups, __mmask64 codes) {
    const __m512i bytes = _mm512_maskz_mov_epi8(codes, code_bytes(groups));
    const __m512i quads = _mm512_and_si512(bytes, _mm512_set1_epi8(CODE_QUAD));
    const __m512i threes = _mm512_maskz_mov_epi8(codes, _mm512_set1_epi8(3));
    const __m512i last_bytes = _mm512_set4_epi32(0x0F0F0F0F, 0x0F0F0F0F, 0x07070707, 0x07070707);
    const __m512i faces = _mm512_shuffle_epi8(groups, last_bytes);
    const auto with = [&](int first_code) {
        return _mm512_mask_cmpeq_epi8_mask(
            codes, groups, _mm512_add_epi8(faces, _mm512_set1_epi8(static_cast<char>(first_code))));
    };
    const __mmask64 after_gap = codes & (codes + EACH);
    return {lanes_with(_mm512_movepi8_mask(bytes) | after_gap),
            lanes_with(with(WEI_CODE) | with(CHOUWEI_CODE)), lanes_with(with(PENG_CODE)),
            sum_of_bytes(_mm512_and_si512(bytes, _mm512_set1_epi8(CODE_XI))),
            sum_of_bytes(_mm512_add_epi8(threes, _mm512_add_epi8(quads, quads)))};
}

struct Winning {
    __m512i place; // in Weights
    __m512i tile;  // packed; nothing for a wang
    __m512i held;  // how many are held already
    __mmask8 bad;
    __mmask8 wang;
    __mmask8 big;
    __mmask8 own;     // by the player's own draw
    __mmask8 others;  // drawn or discarded by another player
    __mmask8 drawn;   // not discarded
};

inline Winning read_win(const Words &words) {
    const __m512i place =
        _mm512_and_si512(_mm512_add_epi64(_mm512_srli_epi64(words.groups, 56), all_lanes(1)), all_lanes(255));
    const __m512i shift = _mm512_sub_epi64(_mm512_add_epi64(place, _mm512_add_epi64(place, place)),
                                           all_lanes(COUNT_BITS)); // beyond 63 where there is no face
    const __m512i held = _mm512_and_si512(_mm512_srlv_epi64(words.hands, shift), all_lanes(COUNT_MASK));
    const unsigned is_there = _mm512_test_epi64_mask(place, place);
    const unsigned has_source = _mm512_test_epi64_mask(words.sources, words.sources);
    const unsigned own = equal(words.sources, 1);
    const unsigned wang = equal(place, WANG + 1);
    const unsigned bad =
        above(place, WANG + 1) | above(words.sources, 3) | (is_there ^ has_source) | (wang & ~own);
    return {place,
            _mm512_maskz_sllv_epi64(eight(is_there & ~wang), all_lanes(1), shift),
            held,
            eight(bad),
            eight(wang),
            above(place, RANK_COUNT),
            eight(own),
            above(words.sources, 1),
            eight(is_there & ~unsigned{equal(words.sources, 3)})};
}

// Faces of which hand, exposed groups and winning tile have too many copies.
inline __mmask8 too_many_copies(const Words &words, __m512i win_tile, std::uint64_t codes) {
    Copies copies;
    copies.add(_mm512_and_si512(words.hands, all_lanes(static_cast<long long>(TILE_BITS))));
    copies.add(win_tile);
    __m512i left = words.groups;
    for (; (codes & EACH) != 0; codes >>= 1) { // a code that comes after a gap in all eight is bad anyway
        copies.add(_mm512_i64gather_epi64(_mm512_and_si512(left, all_lanes(255)), CODE_TILES.data(), 8));
        left = _mm512_srli_epi64(left, 8);
    }
    return copies.too_many();
}

// Eight queries, ready for the first way of PlainAnswer: in `hands` what becomes free tiles, kan and quads,
// in xi and tiles what is settled beside.
struct Eight {
    __m512i held; // concealed, as they came
    __m512i hands;
    __m512i xi;
    __m512i tiles; // each quad counted as three, plus 32 for each
    __m512i wangs;
    __m512i place; // of the winning tile in Weights
    __m512i gain;  // xi that a quad of the winning tile brings which is not forced
    __mmask8 bad;
    __mmask8 quad;  // there is such a way
    __mmask8 third; // another player's tile, and two of it held
};

inline __m512i by_case(__mmask8 big, int small_xi, int big_xi) {
    return _mm512_mask_mov_epi64(all_lanes(small_xi), big, all_lanes(big_xi));
}

// The winning tile joins the hand, where two or three of it make a kan or ti of it: the triplet and the quad
// that an own draw is forced into, and another's third copy, but for the xi. It does not join when forced to
// an exposed triplet. Another's fourth copy leaves the kan as it is: alone it stays in the hand.
inline void lay_win(const Winning &win, __mmask8 forced, __mmask8 fourth, Eight &read) {
    constexpr int BIG = FACE_COUNT - 1;
    const __m512i two = _mm512_add_epi64(win.tile, win.tile);
    const __m512i kan = by_case(win.big, kan_xi(0), kan_xi(BIG));
    const __m512i above_peng = by_case(win.big, kan_xi(0) - peng_xi(0), kan_xi(BIG) - peng_xi(BIG));
    const __mmask8 joins = eight(~(unsigned{forced} | fourth));
    read.hands = _mm512_mask_add_epi64(read.held, joins, read.held, win.tile);
    read.hands = _mm512_mask_sub_epi64(read.hands, fourth, read.held, two);
    read.xi = _mm512_mask_add_epi64(read.xi, forced, read.xi, all_lanes(KAN_TO_TI));
    read.xi = _mm512_mask_add_epi64(read.xi, fourth, read.xi, kan);
    read.xi = _mm512_mask_sub_epi64(read.xi, read.third, read.xi, above_peng);
    read.tiles = _mm512_mask_add_epi64(read.tiles, forced, read.tiles, all_lanes(32));
    read.tiles = _mm512_mask_add_epi64(read.tiles, fourth, read.tiles, all_lanes(3));
}

inline Eight read_eight(const Query *queries) {
    constexpr int BIG = FACE_COUNT - 1;
    const Words words = load_words(queries);
    const __mmask64 codes = _mm512_test_epi8_mask(words.groups, words.groups) & EXPOSED;
    const Exposed exposed = read_exposed(words.groups, codes);
    const Winning win = read_win(words);
    const __mmask8 fourth = eight(win.others & equal(win.held, 3));
    const __mmask8 peng = eight(win.drawn & exposed.peng);
    const __m512i wangs = _mm512_srli_epi64(words.hands, COUNT_BITS * WANG);
    Eight read;
    read.held = words.hands;
    read.xi = exposed.xi;
    read.tiles = exposed.tiles;
    read.wangs = _mm512_mask_add_epi64(wangs, win.wang, wangs, all_lanes(1));
    read.place = win.place;
    read.gain = _mm512_mask_mov_epi64(all_lanes(KAN_TO_PAO), peng,
                                      by_case(win.big, pao_xi(0) - peng_xi(0), pao_xi(BIG) - peng_xi(BIG)));
    read.third = eight(win.others & equal(win.held, 2));
    read.quad = eight(fourth | peng | (win.others & exposed.wei));
    read.bad =
        eight(exposed.bad | win.bad | above(read.wangs, WANG_MAX) | too_many_copies(words, win.tile, codes));
    lay_win(win, eight(win.own & exposed.wei), fourth, read);
    return read;
}

} // namespace
} // namespace paohuzi
