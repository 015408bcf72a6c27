// Hidden tiles as a seat may imagine them: drawn at random from all that fit what it has seen (docs/search.md).
#pragma once

#include "belief_weights.hpp"
#include "clues.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

class Belief {
public:
    // The view is that of a seat that is asked; the scorer must stay.
    Belief(const Scorer &scorer, const Observation &view, const BeliefWeights &weights = {});

    // Whether any tiles fit.
    bool is_possible() const { return is_whole_ && total() > 0; }

    // A whole game that the seat cannot tell from its own; false if none was found.
    bool sample(Random &random, Game &game) const noexcept;

    // Whether the hidden tiles of this game, of which the seat has the view, can come out of sample().
    bool allows(const Game &game) const noexcept;

private:
    struct Option { // what becomes of the unseen copies of a face; those not named are in the wall
        std::uint8_t first = 0; // in the hand of the seat after, and of the one after that
        std::uint8_t second = 0;
        std::uint8_t wall = 0;
        std::uint16_t wei = 0; // bit of the hidden wei that it is
        double weight = 0;
    };
    struct Left { // to be filled
        unsigned first = 0;
        unsigned second = 0;
        unsigned wei = 0;

        bool has(const Option &option) const {
            return option.first <= first && option.second <= second && (option.wei & ~wei) == 0;
        }
        Left less(const Option &option) const {
            return {first - option.first, second - option.second, wei ^ option.wei};
        }
    };

    void make_base(const Observation &view);
    void make_player(const Observation &view, int seat);
    void count_unseen(const Observation &view);
    void list_options(const Observation &view, const BeliefWeights &weights, int face);
    void list_splits(const BeliefWeights &weights, int face, int copies, int dealers, unsigned wei);
    void add_option(const BeliefWeights &weights, int face, Option option);
    double weight_of(const BeliefWeights &weights, int seat, int face, int count) const;
    bool can_hold(int seat, int face, int count) const;
    void sum_up();

    void fill(Random &random, Game &game) const;
    void give(Game &game, int face, const Option &option) const;
    void finish_player(Game &game, int seat) const;
    void finish_pending(Game &game) const;
    bool is_consistent(const Game &game) const;
    Packed hand_then(const Game &game, int seat, Packed given, std::size_t hidden_place) const;

    std::size_t index(std::size_t face, Left left) const {
        return ((face * (all_.first + 1) + left.first) * (all_.second + 1) + left.second) * (all_.wei + 1) +
               left.wei;
    }
    double total() const { return sums_[index(0, all_)]; }

    static constexpr std::size_t FACES = WANG + 1;

    AllClues clues_;
    Game base_; // with all that the seat knows
    int seat_;
    int first_;
    int second_;
    bool is_whole_ = true; // the counts of the view add up
    Left all_;
    std::array<std::uint32_t, PLAYER_COUNT> declined_chi_{};
    std::array<std::uint32_t, PLAYER_COUNT> declined_peng_{};
    std::array<int, FACES> unseen_{};
    std::array<std::vector<Option>, FACES> options_;
    std::vector<double> sums_; // of the weights of all ways to fill, with the faces from this one on
};

} // namespace paohuzi
