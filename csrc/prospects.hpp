// What the wins pay that a hand leads to (docs/rules.md 7.5).
#pragma once

#include "distance.hpp"
#include "scorer.hpp"

#include <cstdint>

namespace paohuzi {

struct Prospects {
    std::int64_t best = NO_DIVISION; // payment of each loser; NO_DIVISION if there is no win
    double expected = 0;
    bool is_ready = false;
};

// Only so many divisions are looked at.
inline constexpr int NEAREST_MAX = 2000;

// Of a query without winning tile: by its waits if there are any, else by its nearest divisions.
Prospects find_prospects(const Distances &distances, const Scorer &scorer, const Query &query,
                         Packed visible) noexcept;

} // namespace paohuzi
