// A question and its answer as the native side has them (docs/rules.md 3 and 6).
#pragma once

#include "groups.hpp"
#include "tiles.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

enum class Source : std::uint8_t { none, self, other, discard };
enum class Route : std::uint8_t { dealt, single, wei, ti, wang, pao };

inline constexpr int GROUP_COUNT = 7;
inline constexpr int NO_WIN_TILE = -1;
inline constexpr int NO_DIVISION = -1;
// The tables do not hold the answer (options or a hand of a rare shape): ask the backtracker.
inline constexpr int NOT_COVERED = -2;
// Batch answers only: not a hand (more than four copies of a face or wangs, bit 63).
inline constexpr int INVALID = -3;

struct Query {
    Packed hand = 0; // concealed tiles without the winning tile, wangs included
    std::array<std::uint8_t, GROUP_COUNT> exposed{}; // group codes, 0 from the first empty place on
    std::int8_t win = NO_WIN_TILE; // face of the winning tile, 20 for a wang
    Source source = Source::none;
};
static_assert(sizeof(Query) == 24);

struct Division {
    std::int16_t xi = NO_DIVISION;
    Route route = Route::dealt;
    std::uint8_t size = 0;
    std::array<WangGroup, GROUP_COUNT> groups{}; // exposed groups in their order, then by lowest tile
};

} // namespace paohuzi
