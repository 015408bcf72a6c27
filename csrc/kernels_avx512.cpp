// Kernels for processors with AVX-512 (F, BW, DQ, VL, VBMI) and BMI2.
#include "kernels_bmi2.hpp"
#include "kernels_inline.hpp"
#include "lanes_avx512.hpp"
#include "queries_avx512.hpp"

#include <immintrin.h>

namespace paohuzi {
namespace {

// Answers of sixteen hands that are valid.
inline __m512i xi_of(const Columns &columns) {
    __m512i left, right, fixed, tiles;
    patterns_of(columns, left, right);
    whole_of(columns, fixed, tiles);
    const __m512i rest = plain_xi(left, right);
    const __mmask16 good = complete_mask(tiles) & ~_mm512_movepi32_mask(rest);
    return _mm512_mask_add_epi32(_mm512_set1_epi32(NONE), good, rest, fixed);
}

inline void sixteen_packed(const std::uint64_t *hands, std::int8_t *out, __mmask16 wanted) {
    const __m512i low = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(wanted), hands);
    const __m512i high = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(wanted >> 8), hands + 8);
    const auto invalid = static_cast<__mmask16>(invalid_mask(low) | invalid_mask(high) << 8);
    const __m512i xi = xi_of(columns_of(low, high));
    _mm512_mask_cvtepi32_storeu_epi8(out, wanted,
                                     _mm512_mask_mov_epi32(xi, invalid, _mm512_set1_epi32(INVALID_HAND)));
}

// Sixteen rows of 20 bytes on end: five vectors of 16 dwords, of which each hand has five in a row.
inline Columns columns_of_rows(const std::uint8_t *rows) {
    __m512i parts[5];
    for (int i = 0; i < 5; ++i) {
        parts[i] = _mm512_loadu_si512(rows + 64 * i);
    }
    const __m512i fives = _mm512_setr_epi32(0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75);
    Columns columns;
    for (int i = 0; i < 5; ++i) {
        const __m512i place = _mm512_add_epi32(fives, _mm512_set1_epi32(i)); // modulo 32 in the permutations
        const __m512i first = _mm512_permutex2var_epi32(parts[0], place, parts[1]);
        const __m512i second = _mm512_permutex2var_epi32(parts[2], place, parts[3]);
        const __m512i most =
            _mm512_mask_mov_epi32(first, _mm512_cmpge_epi32_mask(place, _mm512_set1_epi32(32)), second);
        columns.faces[i] = _mm512_mask_permutexvar_epi32(
            most, _mm512_cmpge_epi32_mask(place, _mm512_set1_epi32(64)), place, parts[4]);
    }
    return columns;
}

inline void sixteen_rows(const std::uint8_t *rows, std::int8_t *out) {
    const Columns columns = columns_of_rows(rows);
    __m512i largest = columns.faces[0];
    for (int i = 1; i < 5; ++i) {
        largest = _mm512_max_epu8(largest, columns.faces[i]);
    }
    const __m512i too_many = _mm512_subs_epu8(largest, _mm512_set1_epi8(COPY_COUNT));
    const __mmask16 invalid = _mm512_test_epi32_mask(too_many, too_many);
    const __m512i xi = _mm512_mask_mov_epi32(xi_of(columns), invalid, _mm512_set1_epi32(INVALID_HAND));
    _mm512_mask_cvtepi32_storeu_epi8(out, 0xFFFF, xi);
}

inline void block_without_wang_by_lanes(const std::uint64_t *hands, std::size_t n, std::int8_t *out) {
    for (std::size_t i = 0; i < n; i += LANES) {
        const std::size_t left = n - i;
        sixteen_packed(hands + i, out + i, static_cast<__mmask16>(left >= LANES ? 0xFFFF : (1U << left) - 1));
    }
}

// wangs * FORM_COUNT + form
inline __m512i lists_of(__m512i wangs, __mmask16 is_complete, __mmask16 has_quad, __mmask16 has_kan) {
    __m512i form =
        _mm512_mask_mov_epi32(_mm512_set1_epi32(without_kan), has_kan, _mm512_set1_epi32(with_kan));
    form = _mm512_mask_mov_epi32(form, has_quad, _mm512_set1_epi32(with_pair));
    form = _mm512_mask_mov_epi32(_mm512_set1_epi32(impossible), is_complete, form);
    return _mm512_add_epi32(_mm512_slli_epi32(wangs, 3), form);
}

inline void read_sixteen(const std::uint64_t *hands, Items &items, std::size_t first, std::int8_t *out,
                         __mmask16 wanted) {
    static_assert(FORM_COUNT == 8);
    const __m512i low = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(wanted), hands);
    const __m512i high = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(wanted >> 8), hands + 8);
    const __m512i wangs = _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm512_cvtepi64_epi32(_mm512_srli_epi64(low, COUNT_BITS * WANG))),
        _mm512_cvtepi64_epi32(_mm512_srli_epi64(high, COUNT_BITS * WANG)), 1);
    const auto invalid = static_cast<__mmask16>(invalid_mask(low) | invalid_mask(high) << 8 |
                                                _mm512_cmpgt_epi32_mask(wangs, _mm512_set1_epi32(WANG_MAX)));
    const Columns columns = columns_of(low, high);
    __m512i left, right;
    patterns_of(columns, left, right);
    const Sums sums = sums_of(columns);
    const __m512i quads = _mm512_srli_epi32(sums.kan_and_quads, 5);
    const __m512i kan = _mm512_and_si512(sums.kan_and_quads, _mm512_set1_epi32(31));
    const __mmask16 has_quad = _mm512_test_epi32_mask(quads, quads);
    const __m512i tiles = _mm512_add_epi32(sums.tiles, wangs);
    const __m512i whole = _mm512_mask_mov_epi32(_mm512_set1_epi32(21), has_quad, _mm512_set1_epi32(20));
    const __mmask16 complete = _mm512_cmpeq_epi32_mask(tiles, whole) & ~invalid;
    const __mmask16 rare = _mm512_cmpgt_epi32_mask(tiles, whole) & _mm512_test_epi32_mask(wangs, wangs);
    _mm512_store_si512(items.left + first, left);
    _mm512_store_si512(items.right + first, right);
    _mm512_store_si512(items.xi + first, sums.xi);
    _mm512_store_si512(items.list + first, lists_of(_mm512_maskz_mov_epi32(complete, wangs), complete,
                                                    has_quad, _mm512_test_epi32_mask(kan, kan)));
    const __m512i answers =
        _mm512_mask_mov_epi32(_mm512_set1_epi32(NONE), invalid, _mm512_set1_epi32(INVALID_HAND));
    _mm512_mask_cvtepi32_storeu_epi8(out + first, wanted, answers);
    for (unsigned lanes = rare & ~invalid; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(__builtin_ctz(lanes));
        read_hand(hands[lane], items, first + lane, out);
    }
}

inline void read_hands_by_lanes(const std::uint64_t *hands, std::size_t n, Items &items, std::int8_t *out) {
    for (std::size_t i = 0; i < n; i += LANES) {
        const std::size_t left = n - i;
        read_sixteen(hands + i, items, i, out,
                     static_cast<__mmask16>(left >= LANES ? 0xFFFF : (1U << left) - 1));
    }
}

// A byte for each face of one hand, 0-20.
struct Faces {
    __m256i counts;
    __m256i shifts; // what drawing the face does to its half, in units of its weight
    __m256i xi; // what it brings: a forced triplet, or a kan that becomes a quad
};

constexpr __mmask16 LOW_LEFT_FACES = 0x7C1F; // 0-4 and 10-14

inline Faces faces_of(Packed hand) {
    const __m256i places = _mm256_setr_epi8(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48,
                                            51, 54, 57, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i big = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0, 0,
                                         0, 0, 0, 0, 0, 0, 0, 0, 0);
    Faces faces;
    faces.counts = _mm256_and_si256(
        _mm256_multishift_epi64_epi8(places, _mm256_set1_epi64x(static_cast<long long>(hand))),
        _mm256_set1_epi8(7));
    faces.shifts = _mm256_shuffle_epi8(
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 1, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        faces.counts);
    faces.xi = _mm256_shuffle_epi8(
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 3, 6, 0, 0, 0, 0, 0, 0, 6, 6, 0, 0, 0, 0)),
        _mm256_or_si256(faces.counts, big));
    return faces;
}

// Faces 0-15 or 16-19; see read_draw.
inline void read_drawn_faces(const DrawState &state, __m128i counts, __m128i shifts, __m128i xi,
                             __m512i weights, __mmask16 left_faces, Items &items, std::size_t first,
                             __mmask16 wanted) {
    const auto all = [](bool value) { return static_cast<__mmask16>(value ? 0xFFFF : 0); };
    const __m512i shift = _mm512_mullo_epi32(_mm512_cvtepi8_epi32(shifts), weights);
    const __mmask16 quad = _mm_cmpeq_epi8_mask(counts, _mm_set1_epi8(3));
    const __mmask16 single = _mm_cmplt_epi8_mask(counts, _mm_set1_epi8(3));
    const __mmask16 complete = (all(is_complete_count(state.tiles, state.quads)) & single) |
                               (all(is_complete_count(state.tiles - 1, state.quads + 1)) & quad);
    const __m512i left = _mm512_set1_epi32(state.left);
    const __m512i right = _mm512_set1_epi32(state.right);
    const __m512i lists = lists_of(_mm512_maskz_set1_epi32(complete, state.wangs), complete,
                                   static_cast<__mmask16>(all(state.quads > 0) | quad), all(state.kan > 0));
    _mm512_mask_storeu_epi32(items.left + first, wanted,
                             _mm512_mask_add_epi32(left, left_faces, left, shift));
    _mm512_mask_storeu_epi32(items.right + first, wanted,
                             _mm512_mask_add_epi32(right, static_cast<__mmask16>(~left_faces), right, shift));
    _mm512_mask_storeu_epi32(items.xi + first, wanted,
                             _mm512_add_epi32(_mm512_set1_epi32(state.xi), _mm512_cvtepi8_epi32(xi)));
    _mm512_mask_storeu_epi32(items.list + first, wanted, lists);
}

inline void read_draws_by_lanes(const DrawState &state, Items &items, std::size_t first) {
    const Faces faces = faces_of(state.hand);
    read_drawn_faces(state, _mm256_castsi256_si128(faces.counts), _mm256_castsi256_si128(faces.shifts),
                     _mm256_castsi256_si128(faces.xi), _mm512_loadu_si512(PLACE_WEIGHT.data()),
                     LOW_LEFT_FACES, items, first, 0xFFFF);
    read_drawn_faces(state, _mm256_extracti128_si256(faces.counts, 1),
                     _mm256_extracti128_si256(faces.shifts, 1), _mm256_extracti128_si256(faces.xi, 1),
                     _mm512_maskz_loadu_epi32(0xF, PLACE_WEIGHT.data() + 16), 0, items, first + 16, 0xF);
    read_draw(state, WANG, items, first + WANG);
}

// One half of the hand stays as it is, so one look-up in the index and one in the matrix are enough for a
// face.
inline void plain_draws_by_lanes(const DrawState &state, std::int8_t *xi_by_face) {
    const bool is_complete = is_complete_count(state.tiles, state.quads);
    const bool is_complete_quad = is_complete_count(state.tiles - 1, state.quads + 1);
    if (!is_complete && !is_complete_quad) {
        return;
    }
    const PlainTable &plain = tables.plain;
    const Faces faces = faces_of(state.hand);
    const __mmask32 quad = _mm256_cmpeq_epi8_mask(faces.counts, _mm256_set1_epi8(3));
    const __mmask32 single = _mm256_cmplt_epi8_mask(faces.counts, _mm256_set1_epi8(3));
    const __mmask32 possible = (is_complete ? single : 0) | (is_complete_quad ? quad : 0);

    const int row = plain.left[state.left];
    const int row_place = (row & ((1 << ROW_BITS) - 1)) * static_cast<int>(plain.stride);
    const int column = plain.right[state.right];
    const int fixed = state.xi;
    const int right_fixed = fixed + 3 * (row >> ROW_BITS);

    // Faces 0-15, of both halves.
    const auto low = static_cast<__mmask16>(possible);
    const __m512i shift = _mm512_mullo_epi32(_mm512_cvtepi8_epi32(_mm256_castsi256_si128(faces.shifts)),
                                             _mm512_loadu_si512(PLACE_WEIGHT.data()));
    const int right_table = static_cast<int>(plain.right - plain.left); // both in one file
    const __m512i base = _mm512_mask_mov_epi32(_mm512_set1_epi32(state.right + right_table), LOW_LEFT_FACES,
                                               _mm512_set1_epi32(state.left));
    const __m512i word =
        _mm512_and_si512(_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), low,
                                                     _mm512_add_epi32(base, shift), plain.left, 2),
                         _mm512_set1_epi32(0xFFFF));
    const __m512i rows = _mm512_mullo_epi32(_mm512_and_si512(word, _mm512_set1_epi32((1 << ROW_BITS) - 1)),
                                            _mm512_set1_epi32(static_cast<int>(plain.stride)));
    const __m512i place = _mm512_mask_add_epi32(_mm512_add_epi32(word, _mm512_set1_epi32(row_place)),
                                                LOW_LEFT_FACES, rows, _mm512_set1_epi32(column));
    const __m512i rest =
        sign_of_byte(_mm512_mask_i32gather_epi32(_mm512_set1_epi32(NONE), low, place, plain.matrix, 1));
    const __m512i thirds = _mm512_srli_epi32(word, ROW_BITS);
    const __m512i more =
        _mm512_mask_add_epi32(_mm512_set1_epi32(right_fixed), LOW_LEFT_FACES, _mm512_set1_epi32(fixed),
                              _mm512_add_epi32(thirds, _mm512_add_epi32(thirds, thirds)));
    const __m512i gain = _mm512_cvtepi8_epi32(_mm256_castsi256_si128(faces.xi));
    const __mmask16 good = low & ~_mm512_movepi32_mask(rest);
    _mm512_mask_cvtepi32_storeu_epi8(xi_by_face, good, _mm512_add_epi32(rest, _mm512_add_epi32(more, gain)));

    // Faces 16-19, all of the right half.
    const auto high = static_cast<__mmask8>(possible >> 16 & 0xF);
    const __m128i high_shift =
        _mm_mullo_epi32(_mm_cvtepi8_epi32(_mm256_extracti128_si256(faces.shifts, 1)),
                        _mm_loadu_si128(reinterpret_cast<const __m128i *>(PLACE_WEIGHT.data() + 16)));
    const __m128i columns = _mm_and_si128(
        _mm_mmask_i32gather_epi32(_mm_setzero_si128(), high,
                                  _mm_add_epi32(high_shift, _mm_set1_epi32(state.right)), plain.right, 2),
        _mm_set1_epi32(0xFFFF));
    const __m128i high_word = _mm_mmask_i32gather_epi32(
        _mm_set1_epi32(NONE), high, _mm_add_epi32(columns, _mm_set1_epi32(row_place)), plain.matrix, 1);
    const __m128i high_rest = _mm_srai_epi32(_mm_slli_epi32(high_word, 24), 24);
    const __m128i high_gain = _mm_cvtepi8_epi32(_mm256_extracti128_si256(faces.xi, 1));
    const auto high_good = static_cast<__mmask8>(high & ~_mm_movepi32_mask(high_rest));
    _mm_mask_cvtepi32_storeu_epi8(
        xi_by_face + 16, high_good,
        _mm_add_epi32(high_rest, _mm_add_epi32(high_gain, _mm_set1_epi32(right_fixed))));
}

inline void plain_by_lanes(const int *left, const int *right, std::size_t n, int *xi) {
    for (std::size_t i = 0; i < n; i += LANES) {
        _mm512_storeu_si512(xi + i, plain_xi(_mm512_loadu_si512(left + i), _mm512_loadu_si512(right + i)));
    }
}

struct Avx512 {
    static constexpr auto pack_row = pack_row_bmi2;

    class Merge {
    public:
        void add(const std::uint8_t *left, const std::uint8_t *right) {
            const __m512i a = _mm512_load_si512(left);
            const __m512i b = _mm512_load_si512(right);
            add_states(a, b);
            add_states(_mm512_srli_epi16(a, 4), _mm512_srli_epi16(b, 4));
        }
        void raise(int thirds) {
            best_ = _mm512_add_epi8(best_, _mm512_set1_epi8(static_cast<char>(thirds)));
        }
        int best() const {
            const __m256i half =
                _mm256_max_epi8(_mm512_castsi512_si256(best_), _mm512_extracti64x4_epi64(best_, 1));
            const __m128i quarter =
                _mm_max_epi8(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
            // The least unsigned 16 bits by one instruction: 127 - best, both bytes of a word.
            const __m128i flipped = _mm_sub_epi8(_mm_set1_epi8(127), quarter);
            const __m128i bytes = _mm_min_epu8(flipped, _mm_srli_epi16(flipped, 8));
            return 127 -
                   (_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_and_si128(bytes, _mm_set1_epi16(255)))) & 255);
        }

    private:
        // Four bits to a third of the xi; nothing (0) to a value so low that no sum of two reaches 0.
        void add_states(__m512i left, __m512i right) {
            constexpr char THIRDS[16] = {-64, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
            const __m512i mask = _mm512_set1_epi8(15);
            const __m512i sum = _mm512_add_epi8(lookup(_mm512_and_si512(left, mask), THIRDS),
                                                lookup(_mm512_and_si512(right, mask), THIRDS));
            best_ = _mm512_max_epi8(best_, sum);
        }
        __m512i best_ = _mm512_set1_epi8(-128);
    };

    static constexpr auto block_without_wang = block_without_wang_by_lanes;
    static constexpr auto read_hands = read_hands_by_lanes;
    static constexpr auto read_draws = read_draws_by_lanes;
    static constexpr auto plain = plain_by_lanes;
    static constexpr auto plain_draws = plain_draws_by_lanes;
};

// Rows on end need no packing; what remains goes the common way.
void max_xi_rows_avx512(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                        const std::uint8_t *wang, std::int8_t *out) {
    std::size_t done = 0;
    if (stride == FACE_COUNT && width == FACE_COUNT && wang == nullptr && tables.chunks != nullptr) {
        constexpr std::size_t AHEAD = 2560; // bytes
        for (; done + LANES <= n; done += LANES) {
            const std::uint8_t *place = rows + done * FACE_COUNT;
            for (int line = 0; line < 5; ++line) {
                __builtin_prefetch(place + AHEAD + 64 * line);
            }
            sixteen_rows(place, out + done);
        }
    }
    max_xi_rows<Avx512>(rows + static_cast<std::ptrdiff_t>(done) * stride, stride, n - done, width,
                        wang == nullptr ? nullptr : wang + done, out + done);
}

// Eight counts, a byte each, as 24 bits; a lane a hand.
inline __m512i squeeze_eight(__m512i counts) {
    const __m512i twos = _mm512_maddubs_epi16(counts, _mm512_set1_epi16(1 | 8 << 8));
    const __m512i fours = _mm512_madd_epi16(twos, _mm512_set1_epi32(1 | 64 << 16));
    return _mm512_and_si512(_mm512_or_si512(fours, _mm512_srli_epi64(fours, 20)),
                            _mm512_set1_epi64(0xFFFFFF));
}

// Rows of 20 counts, eight at a time; what remains goes the common way.
void pack_rows_avx512(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                      Packed *out) {
    constexpr int EIGHT = 8;
    constexpr std::ptrdiff_t AHEAD = 2560; // bytes
    std::size_t done = 0;
    const __m512i places =
        _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(stride));
    for (; width == FACE_COUNT && done + EIGHT <= n; done += EIGHT, rows += EIGHT * stride) {
        for (std::ptrdiff_t line = 0; line < EIGHT * stride; line += 64) {
            __builtin_prefetch(rows + AHEAD + line);
        }
        const __m512i low = _mm512_i64gather_epi64(places, rows, 1);
        const __m512i middle = _mm512_i64gather_epi64(places, rows + 8, 1);
        const __m512i high = _mm512_srli_epi64(_mm512_i64gather_epi64(places, rows + 12, 1), 32);
        const __m512i any = _mm512_or_si512(_mm512_or_si512(low, middle), high);
        const __mmask8 is_bad = _mm512_test_epi64_mask(any, _mm512_set1_epi8(static_cast<char>(0xF8)));
        const __m512i hands =
            _mm512_or_si512(_mm512_or_si512(squeeze_eight(low), _mm512_slli_epi64(squeeze_eight(middle), 24)),
                            _mm512_slli_epi64(squeeze_eight(high), 48));
        _mm512_storeu_si512(out + done, _mm512_mask_mov_epi64(hands, is_bad, _mm512_set1_epi64(-1)));
    }
    pack_rows<Avx512>(rows, stride, n - done, width, out + done);
}

} // namespace

const Kernels AVX512_KERNELS = [] {
    Kernels kernels = make_kernels<Avx512>("avx512");
    kernels.max_xi_rows = max_xi_rows_avx512;
    kernels.pack_rows = pack_rows_avx512;
    kernels.solve_queries = solve_queries_avx512;
    return kernels;
}();

} // namespace paohuzi
