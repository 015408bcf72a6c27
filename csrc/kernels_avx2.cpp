// Kernels for processors with AVX2 and BMI2.
#include "kernels_bmi2.hpp"
#include "kernels_inline.hpp"

#include <cstring>
#include <immintrin.h>

namespace paohuzi {
namespace {

struct Avx2 {
    static constexpr auto pack_row = pack_row_bmi2;

    class Merge {
    public:
        void add(const std::uint8_t *left, const std::uint8_t *right) {
            for (int i = 0; i < VECTOR_BYTES; i += 32) {
                const __m256i a = _mm256_load_si256(reinterpret_cast<const __m256i *>(left + i));
                const __m256i b = _mm256_load_si256(reinterpret_cast<const __m256i *>(right + i));
                add_states(a, b);
                add_states(_mm256_srli_epi16(a, 4), _mm256_srli_epi16(b, 4));
            }
        }
        void raise(int thirds) {
            best_ = _mm256_add_epi8(best_, _mm256_set1_epi8(static_cast<char>(thirds)));
        }
        int best() const {
            const __m128i half =
                _mm_max_epi8(_mm256_castsi256_si128(best_), _mm256_extracti128_si256(best_, 1));
            alignas(16) std::int8_t values[16];
            _mm_store_si128(reinterpret_cast<__m128i *>(values), half);
            int best = values[0];
            for (int i = 1; i < 16; ++i) {
                best = values[i] > best ? values[i] : best;
            }
            return best;
        }

    private:
        // Four bits to a third of the xi; nothing (0) to a value so low that no sum of two reaches 0.
        void add_states(__m256i left, __m256i right) {
            const __m256i table = _mm256_broadcastsi128_si256(
                _mm_setr_epi8(-64, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
            const __m256i mask = _mm256_set1_epi8(15);
            const __m256i sum = _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(left, mask)),
                                                _mm256_shuffle_epi8(table, _mm256_and_si256(right, mask)));
            best_ = _mm256_max_epi8(best_, sum);
        }
        __m256i best_ = _mm256_set1_epi8(-128);
    };

    static constexpr auto block_without_wang = paohuzi::block_without_wang;
    static constexpr auto read_hands = read_hands_singly;
    static constexpr auto read_draws = read_draws_singly;
    static constexpr auto plain = plain_singly;
    static constexpr auto plain_draws = plain_draws_singly;
};

// Rows without wang: straight from the counts to the chunks.
void max_xi_rows_avx2(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                      const std::uint8_t *wang, std::int8_t *out) {
    if (width != FACE_COUNT || wang != nullptr || tables.chunks == nullptr) {
        max_xi_rows<Avx2>(rows, stride, n, width, wang, out);
        return;
    }
    const auto load = [](const std::uint8_t *bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    };
    constexpr std::uint64_t FIVE = 0x0707070707;
    constexpr std::uint64_t TOO_MANY = 0xF8F8F8F8F8F8F8F8;
    const std::uint32_t *chunks = tables.chunks;
    ChunkWords words;
    for (std::size_t start = 0; start < n; start += BLOCK) {
        const std::size_t size = std::min(BLOCK, n - start);
        for (std::size_t i = 0; i < size; ++i, rows += stride) {
            const std::uint64_t first = load(rows);
            const std::uint64_t second = load(rows + 8);
            const std::uint64_t last = load(rows + 12);
            words.set(i, chunks, _pext_u64(first, FIVE), _pext_u64(load(rows + 5), FIVE),
                      _pext_u64(load(rows + 10), FIVE), _pext_u64(last >> 24, FIVE));
            words.left_small[i] |= ((first | second | last) & TOO_MANY) != 0 ? CHUNK_INVALID : 0;
        }
        whole_xi(words, size, out + start);
    }
}

} // namespace

const Kernels AVX2_KERNELS = [] {
    Kernels kernels = make_kernels<Avx2>("avx2");
    kernels.max_xi_rows = max_xi_rows_avx2;
    return kernels;
}();

} // namespace paohuzi
