// How much likelier a player holds tiles than their number alone says (docs/search.md), as
// bench/belief_weights.py measures it.
#pragma once

#include "tiles.hpp"

#include <array>
#include <cstddef>

namespace paohuzi {

struct BeliefWeights {
    static constexpr std::size_t DISCARDS_MAX = 5;
    using ByCount = std::array<double, COPY_COUNT + 1>;

    ByCount discarded{1, 0.152, 1, 1, 1}; // a face that the player has discarded
    ByCount near_discard{1, 0.458, 0.522, 1.34, 1}; // for each discarded face that stands in a group with it
    ByCount declined_peng{1, 0.905, 0.073, 1, 1}; // a face that the player has not taken by 碰
    // By discards made, of the logarithm: a group's worth of the hand's value (hand_values.hpp), and a hand
    // that waits for a win.
    std::array<double, DISCARDS_MAX + 1> value{0, 1.36, 2.47, 3.44, 4.33, 5.06};
    std::array<double, DISCARDS_MAX + 1> ready{0, 1.06, 1.68, 1.68, 1.42, 1.03};
};

} // namespace paohuzi
