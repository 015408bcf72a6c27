// How much a hand looks like one that is played to win, and not like any tiles (docs/search.md).
#pragma once

#include "belief_weights.hpp"
#include "game.hpp"
#include "policy.hpp"

#include <array>

namespace paohuzi {

class Likeness {
public:
    Likeness(const Policy &policy, const Rules &rules, const BeliefWeights &weights);

    // The logarithm of how much likelier a player who has made so many discards holds the hand.
    double of(const Player &player, int discards) const;

    bool is_flat(int discards) const { return weights_.value[stage(discards)] == 0; }

    struct Looks { // what `of` weighs
        double value = 0; // of the free tiles, in groups
        bool is_ready = false;
    };
    Looks looks_of(const Player &player) const;

private:
    static std::size_t stage(int discards) {
        return std::min(static_cast<std::size_t>(discards), BeliefWeights::DISCARDS_MAX);
    }
    bool is_ready(const Player &player) const;

    const HandValues &values_;
    BeliefWeights weights_;
    Options options_; // under which the tables answer
    int group_;
    int wang_;
};

} // namespace paohuzi
