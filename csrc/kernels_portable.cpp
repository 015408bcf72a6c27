// Kernels in plain C++, for any processor.
#include "kernels_inline.hpp"

#include <cstring>

namespace paohuzi {
namespace {

struct Portable {
    // Three bits of each of eight bytes, by two doublings and a last step.
    static std::uint64_t squeeze(std::uint64_t bytes) {
        bytes = (bytes | bytes >> 5) & 0x003F003F003F003F;
        bytes = (bytes | bytes >> 10) & 0x00000FFF00000FFF;
        return (bytes | bytes >> 20) & 0xFFFFFF;
    }

    static Packed pack_row(const std::uint8_t *row, int width) {
        std::uint64_t first = 0, second = 0;
        std::uint32_t third = 0;
        std::memcpy(&first, row, 8);
        std::memcpy(&second, row + 8, 8);
        std::memcpy(&third, row + 16, 4);
        const std::uint64_t wang = width > FACE_COUNT ? row[WANG] : 0;
        constexpr std::uint64_t TOO_MANY = 0xF8F8F8F8F8F8F8F8;
        if (((first | second | third | wang) & TOO_MANY) != 0) {
            return ~Packed{0};
        }
        return squeeze(first) | squeeze(second) << 24 | squeeze(third) << 48 | wang << COUNT_BITS * WANG;
    }

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
    static constexpr auto plain_draws = plain_draws_singly;
};

} // namespace

const Kernels PORTABLE_KERNELS = make_kernels<Portable>("portable");

} // namespace paohuzi
