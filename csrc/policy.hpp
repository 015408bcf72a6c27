// A quick player for rollouts: some look-ups a decision, no search (docs/search.md).
#pragma once

#include "fan_hopes.hpp"
#include "game.hpp"
#include "hand_values.hpp"
#include "readiness.hpp"

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

    const HandValues &values_when_xi_are_missing() const { return missing_xi_values_; }

    // The rest of the hand, every seat played so.
    void play_out(Game &game, Random &random) const noexcept;

private:
    struct Need { // of a player: groups, the pair with quads among them, and xi
        int groups;
        int xi;
        bool has_quad;
    };

    // Call visit(action, value) for each legal action, passing last; it answers with a value below which
    // another need not be exact.
    template <class Visit>
    void for_each_action(const Game &game, Visit visit) const;
    template <class Visit>
    void for_each_discard(const Game &game, Visit visit) const;
    template <class Visit>
    void for_each_peng(const Game &game, Visit visit) const;
    template <class Visit>
    void for_each_chi(const Game &game, Visit visit) const;

    int after_taking(const Game &game, const HandValues &values, const Player &after) const;
    int after_passing(const Game &game, const HandValues &values) const;
    bool may_wait(const Need &need, Packed free, PartSum sum) const;
    int waiting(const Player &player, Packed seen) const;
    int sum_up(const Game &game, const Player &after, PartSum sum) const;
    Need need_of(const Player &player) const;
    const HandValues &values_for(const Need &need) const {
        return need.xi <= 0 ? values_ : missing_xi_values_;
    }

    PolicyWeights weights_;
    Readiness readiness_;
    FanHopes hopes_;
    int min_xi_;
    int xi_to_come_; // at most, with the winning tile
    std::array<std::int16_t, CODE_COUNT> xi_{};
    HandValues values_;
    HandValues missing_xi_values_; // while the minimum is not reached
    HandValues xi_values_;         // the xi of whole groups, and nothing else
};

} // namespace paohuzi
