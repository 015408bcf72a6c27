// The deal, and the random numbers it comes from: fixed for good, the same on every platform
// (docs/rules.md 4.1).
#pragma once

#include "rules.hpp"
#include "tiles.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

inline constexpr int PLAYER_COUNT = 3; // who play; with four seats one sits out
inline constexpr int DEALT_COUNT = 20; // tiles of each player, the shown one apart
inline constexpr int TILE_COUNT = FACE_COUNT * COPY_COUNT;
inline constexpr int WALL_MAX = TILE_COUNT + WANG_MAX - PLAYER_COUNT * DEALT_COUNT - 1;

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a counter and a mixing function.
class Random {
public:
    static constexpr std::uint64_t STEP = 0x9E3779B97F4A7C15;

    explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t next() {
        std::uint64_t z = state_ += STEP;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    // From 0 to bound - 1, bound at most 2^32: the upper half of the next number, times bound, over 2^32.
    constexpr std::uint32_t below(std::uint64_t bound) {
        return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
    }

private:
    std::uint64_t state_;
};

// By seat: 0 the dealer, 1 the next player, 2 the previous one.
struct Deal {
    std::array<Packed, PLAYER_COUNT> hands{}; // the dealer's without the shown tile
    std::array<std::uint8_t, WALL_MAX> wall{}; // in the order of drawing
    std::uint8_t wall_count = 0;
    std::uint8_t shown = 0;
};

constexpr int wall_count(int wang) { return TILE_COUNT + wang - PLAYER_COUNT * DEALT_COUNT - 1; }

// The tiles by face, wangs last; from the last place down to the second, each swapped with that of
// below(place + 1), places from 0. Then 20 for the dealer, the shown tile, 20 for the next player, 20 for the
// previous one, and the wall.
Deal make_deal(int wang, std::uint64_t seed) noexcept;

// The seat that deals first in a match: below(seats) of the seed's complement.
int first_dealer(int seats, std::uint64_t seed) noexcept;

// The seed of a hand of a match, from 0: that many numbers of the match's seed are left out.
std::uint64_t hand_seed(std::uint64_t match_seed, std::uint64_t number) noexcept;

} // namespace paohuzi
