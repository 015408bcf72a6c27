// How much likelier a player holds tiles than their number alone says (docs/search.md; measured in games that
// the policy plays with itself).
#pragma once

#include "tiles.hpp"

#include <array>
#include <cstddef>

namespace paohuzi {

struct BeliefWeights {
    static constexpr std::size_t STAGE_COUNT = 4; // by discards made: none or one, to three, to five, more
    static constexpr std::size_t DISCARDS_MAX = 5;
    using ByCount = std::array<double, COPY_COUNT + 1>;

    std::array<ByCount, STAGE_COUNT> held{
        {{1, 0.99, 1, 1.01, 1}, {1, 0.91, 1.09, 1.05, 1}, {1, 0.8, 1.32, 1.26, 1}, {1, 0.58, 1.48, 1.24, 1}}};
    ByCount discarded{1, 0.26, 0.69, 1, 1}; // a face that the player has discarded
    ByCount near_discard{1, 0.6, 0.71, 1.05, 1}; // for each discarded face that stands in a group with it
    ByCount near_declined{1, 1.04, 0.97, 1.1, 1}; // for each such face that the player has not taken by 吃
    ByCount declined_peng{1, 0.92, 0.14, 1, 1}; // a face that the player has not taken by 碰
    // By discards made, of the logarithm: a group's worth of the hand's value (hand_values.hpp), and a hand
    // that waits for a win.
    std::array<double, DISCARDS_MAX + 1> value{0, 0.38, 0.7, 1.02, 1.4, 1.6};
    std::array<double, DISCARDS_MAX + 1> ready{0, 1.9, 2.7, 2.9, 3.1, 2.8};
};

} // namespace paohuzi
