// From rows of counts, one byte a face, to packed hands and back (docs/rules.md 6).
#pragma once

#include "tiles.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace paohuzi {

static_assert(std::endian::native == std::endian::little, "counts are read eight bytes at a time");

// The lowest, second and third bit of every count, wangs included.
inline constexpr Packed ONES = 0x1249249249249249;
inline constexpr Packed TWOS = ONES << 1;
inline constexpr Packed FOURS = ONES << 2;
// Stands for a row that is no hand: bit 63 belongs to no count.
inline constexpr Packed BAD_HAND = Packed{1} << 63;

// Whether all counts are at most COPY_COUNT and bit 63 is free.
constexpr bool is_hand(Packed hand) {
    return (hand & BAD_HAND) == 0 && (hand >> 2 & (hand >> 1 | hand) & ONES) == 0;
}

// Tiles held, less the kan and quads.
constexpr Packed free_tiles(Packed hand) {
    const Packed out = (hand >> 2 | (hand & hand >> 1)) & ONES & TILE_BITS; // three or four
    return hand & TILE_BITS & ~(out * COUNT_MASK);
}

// Whether each face is held at least as often as needed; free tiles leave the top bit of each count unset.
constexpr bool holds(Packed free, Packed need) {
    constexpr Packed TOP_BITS = FOURS & TILE_BITS;
    return (((free | TOP_BITS) - need) & TOP_BITS) == TOP_BITS;
}

// Eight counts of three bits, from one byte each to side by side.
constexpr Packed squeeze(std::uint64_t counts) {
    counts = (counts | counts >> 5) & 0x003f003f003f003f;
    counts = (counts | counts >> 10) & 0x00000fff00000fff;
    return (counts | counts >> 20) & 0xffffff;
}

constexpr std::uint64_t spread(Packed counts) {
    counts = (counts | counts << 20) & 0x00000fff00000fff;
    counts = (counts | counts << 10) & 0x003f003f003f003f;
    return (counts | counts << 5) & 0x0707070707070707;
}

// The hand of a row of counts, 20 or 21 of them with the wangs last; BAD_HAND if a count is above four.
template <int width>
Packed pack_row(const std::uint8_t *row) {
    std::uint64_t low = 0;
    std::uint64_t middle = 0;
    std::uint64_t high = 0;
    std::memcpy(&low, row, 8);
    std::memcpy(&middle, row + 8, 8);
    std::memcpy(&high, row + 16, width - 16);
    constexpr std::uint64_t too_large = 0xf8f8f8f8f8f8f8f8;
    const Packed hand = squeeze(low) | squeeze(middle) << 24 | squeeze(high) << 48;
    const bool good = ((low | middle | high) & too_large) == 0 && is_hand(hand);
    return good ? hand : BAD_HAND;
}

inline Packed pack_row(const std::uint8_t *row, int width) {
    return width == FACE_COUNT ? pack_row<FACE_COUNT>(row) : pack_row<FACE_COUNT + 1>(row);
}

// The 21 counts of a hand.
inline void unpack_row(Packed hand, std::uint8_t *row) {
    const std::uint64_t low = spread(hand & 0xffffff);
    const std::uint64_t middle = spread(hand >> 24 & 0xffffff);
    const std::uint64_t high = spread(hand >> 48 & 0x7fff);
    std::memcpy(row, &low, 8);
    std::memcpy(row + 8, &middle, 8);
    std::memcpy(row + 16, &high, 5);
}

// Bit f set where xi_by_face[f] is at least min_xi, 0 to 127; of 21 faces, eight at a time.
inline std::uint32_t faces_reaching(const std::int8_t *xi_by_face, int min_xi) {
    constexpr std::uint64_t each = 0x0101010101010101;
    constexpr std::uint64_t high = each << 7;
    const std::uint64_t to_high = each * static_cast<std::uint64_t>(128 - min_xi);
    std::uint32_t mask = 0;
    for (int face = 0; face <= WANG; face += 8) {
        std::uint64_t xi = high; // below zero past the last face
        std::memcpy(&xi, xi_by_face + face, static_cast<std::size_t>(face < 16 ? 8 : WANG + 1 - 16));
        const std::uint64_t reach = ((xi & ~high) + to_high) & ~xi & high;
        mask |= static_cast<std::uint32_t>((reach >> 7) * 0x0102040810204080 >> 56) << face;
    }
    return mask;
}

} // namespace paohuzi
