// What the fans that count tiles may come to while a hand is on its way (docs/search.md).
#pragma once

#include "game.hpp"
#include "rules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

class FanHopes {
public:
    // What the base paid once more is worth: by the red tiles, and by the big or small ones.
    struct Weights {
        int red;
        int big;
    };

    FanHopes(const Scoring &scoring, Weights weights);

    // The tiles of a player that fans count: the fewer are free to go, the surer is what they come to.
    struct Counts {
        std::size_t free = 0;
        std::array<int, 3> counted{};
    };
    Counts counts_of(const Player &player) const;
    int of(const Counts &counts) const;
    int of(const Player &player) const { return counted_.empty() ? 0 : of(counts_of(player)); }
    int after_discard(const Counts &counts, int face) const;

private:
    static constexpr std::size_t FREE_MAX = 2 * FACE_COUNT;

    struct Counted { // tiles that fans count
        Packed tiles = 0;
        std::array<std::uint8_t, CODE_COUNT> in_group{}; // how many of them, by code
        std::array<std::array<int, COUNT_MAX + 1>, FREE_MAX + 1>
            hopes{}; // by free tiles, and by their number
    };

    void add(const Scoring &scoring, Fact fact, Packed tiles, int weight);

    std::vector<Counted> counted_;
};

} // namespace paohuzi
