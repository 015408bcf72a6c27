// What the kernels for AVX2 and for AVX-512 share: both kinds of processor have BMI2.
#pragma once

#include "tiles.hpp"

#include <cstring>
#include <immintrin.h>

namespace paohuzi {
namespace {

// A count above 7 makes an invalid hand.
inline Packed pack_row_bmi2(const std::uint8_t *row, int width) {
    std::uint64_t first = 0, second = 0;
    std::uint32_t third = 0;
    std::memcpy(&first, row, 8);
    std::memcpy(&second, row + 8, 8);
    std::memcpy(&third, row + 16, 4);
    const std::uint64_t wang = width > FACE_COUNT ? row[WANG] : 0;
    constexpr std::uint64_t TOO_MANY = 0xF8F8F8F8F8F8F8F8;
    constexpr std::uint64_t COUNTS = 0x0707070707070707;
    if (((first | second | third | wang) & TOO_MANY) != 0) {
        return ~Packed{0};
    }
    return _pext_u64(first, COUNTS) | _pext_u64(second, COUNTS) << 24 | _pext_u64(third, COUNTS) << 48 |
           wang << COUNT_BITS * WANG;
}

} // namespace
} // namespace paohuzi
