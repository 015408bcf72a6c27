// Hidden tiles as a seat may imagine them: drawn at random from all that fit what it has seen
// (docs/search.md).
#pragma once

#include "belief_weights.hpp"
#include "clues.hpp"
#include "likeness.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

class Belief {
public:
    // The view is that of a seat that is asked; scorer and policy, of the same rules, must stay.
    Belief(const Scorer &scorer, const Policy &policy, const Observation &view,
           const BeliefWeights &weights = {});

    // Whether any tiles fit.
    bool is_possible() const { return is_whole_ && total() > 0; }

    // A whole game that the seat cannot tell from its own; false if none was found.
    bool sample(Random &random, Game &game) const noexcept;

    // Whether the hidden tiles of this game, of which the seat has the view, can come out of sample().
    bool allows(const Game &game) const noexcept;

private:
    static constexpr std::size_t FACES = WANG + 1;

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

    void set_player(const Observation &view, int seat);
    bool are_hidden_told(const Observation &view) const;
    void count_unseen(const Observation &view);
    void weigh_counts(int seat, const BeliefWeights &weights);
    void list_options(int face);
    void list_splits(int face, int copies, unsigned wei);
    void add_option(int face, Option option);
    double weight_of(const BeliefWeights &weights, int seat, int face, int count) const;
    double weight(int seat, int face, int count) const {
        return weights_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(face)]
                       [static_cast<std::size_t>(count)];
    }
    bool can_hold(int seat, int face, int count) const;
    void sum_up();

    struct Slots { // the hidden tiles that are not in a wei: of both hands, then of the wall
        std::array<std::uint8_t, TILE_COUNT + WANG_MAX> tiles;
        std::size_t first_end = 0;
        std::size_t second_end = 0;
        std::size_t end = 0;
    };

    void fill(Random &random, Game &game) const;
    void give(Game &game, int face, const Option &option) const;
    Slots slots_of(const Game &game, const std::array<std::uint8_t, FACES> &in_wall) const;
    void make_likely(Random &random, Game &game, Slots &slots) const;
    void exchange(Random &random, Game &game, Slots &slots, std::array<double, PLAYER_COUNT> &likeness) const;
    int owner_of(const Slots &slots, const std::uint8_t &tile) const;
    int discards_of(int seat) const { return clues_.players[static_cast<std::size_t>(seat)].discard_count; }
    double change(const Game &game, int seat, int gone, int come) const;
    void deal_wall(Random &random, Game &game, Slots &slots) const;
    void finish_player(Game &game, int seat) const;
    void finish_pending(Game &game) const;
    bool is_consistent(const Game &game) const;
    Packed hand_then(const Game &game, int seat, Packed given, std::size_t hidden_place) const;

    std::size_t index(std::size_t face, Left left) const {
        return ((face * (all_.first + 1) + left.first) * (all_.second + 1) + left.second) * (all_.wei + 1) +
               left.wei;
    }
    double total() const { return sums_[index(0, all_)]; }

    AllClues clues_;
    Likeness likeness_;
    Game base_; // with all that the seat knows
    int seat_;
    int first_;
    int second_;
    bool is_whole_ = true; // the counts of the view add up
    Left all_;
    std::array<std::uint32_t, PLAYER_COUNT> declined_peng_{};
    std::array<int, FACES> unseen_{};
    // By seat, face and copies held: how much likelier than by their number alone; 0: impossible.
    std::array<std::array<std::array<double, COPY_COUNT + 1>, FACES>, PLAYER_COUNT> weights_{};
    std::array<std::vector<Option>, FACES> options_;
    std::vector<double> sums_; // of the weights of all ways to fill, with the faces from this one on
};

} // namespace paohuzi
