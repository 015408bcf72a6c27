// A quick player for rollouts: some look-ups a decision, no search (docs/search.md).
#pragma once

#include "game.hpp"
#include "hand_values.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

// Plays by a seat's own tiles and what lies open, whatever else the game holds.
class Policy {
public:
    explicit Policy(const Rules &rules, const PolicyWeights &weights = {});

    // A legal action of the asked seat; ties fall by the random state.
    Action choose(const Game &game, Random &random) const noexcept;

    // What each of the legal actions is worth to the asked seat, in no unit; the best is chosen.
    std::size_t rank(const Game &game, Action *actions, int *values) const noexcept;

    const HandValues &values_when_much_is_missing() const { return values_.back(); }

    // The rest of the hand, every seat played so.
    void play_out(Game &game, Random &random) const noexcept;

private:
    // Call visit(action, value) for each legal action, passing last.
    template <class Visit> void for_each_action(const Game &game, Visit visit) const;
    template <class Visit> void for_each_discard(const Game &game, Visit visit) const;
    template <class Visit> void for_each_peng(const Game &game, Visit visit) const;
    template <class Visit> void for_each_chi(const Game &game, Visit visit) const;

    int after_taking(const HandValues &values, Packed free, bool has_skip) const;
    const HandValues &values_for(const Player &player) const;
    int worth_of_red(const Player &player) const;

    PolicyWeights weights_;
    int min_xi_;
    bool reds_pay_;
    std::array<std::int8_t, CODE_COUNT> xi_{};
    std::array<HandValues, PolicyWeights::NEED_COUNT> values_;
};

} // namespace paohuzi
