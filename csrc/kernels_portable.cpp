// Kernels in plain C++, for any processor.
#include "kernels_inline.hpp"
#include "pack.hpp"

namespace paohuzi {
namespace {

struct Portable {
    static Packed pack_row(const std::uint8_t *row, int width) { return paohuzi::pack_row(row, width); }

    class Merge {
    public:
        void add(const std::uint8_t *left, const std::uint8_t *right) {
            for (int i = 0; i < VECTOR_BYTES; ++i) {
                best_[i] =
                    std::max({best_[i], sum(left[i] & 15, right[i] & 15), sum(left[i] >> 4, right[i] >> 4)});
            }
        }
        void raise(int thirds) {
            for (std::uint8_t &best : best_) {
                best = static_cast<std::uint8_t>(best == 0 ? 0 : best + thirds);
            }
        }
        int best() const { return *std::max_element(best_, best_ + VECTOR_BYTES) - 2; }

    private:
        static std::uint8_t sum(int left, int right) {
            return static_cast<std::uint8_t>(left == 0 || right == 0 ? 0 : left + right);
        }
        std::uint8_t best_[VECTOR_BYTES] = {};
    };

    static constexpr auto block_without_wang = paohuzi::block_without_wang;
    static constexpr auto read_hands = read_hands_singly;
    static constexpr auto read_draws = read_draws_singly;
    static constexpr auto plain = plain_singly;
    static constexpr auto plain_draws = plain_draws_singly;
};

} // namespace

const Kernels PORTABLE_KERNELS = make_kernels<Portable>("portable");

} // namespace paohuzi
