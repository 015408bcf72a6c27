#include "belief.hpp"

#include "check.hpp"
#include "chi.hpp"
#include "seen_game.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr std::uint32_t bit_of(int face) { return 1U << face; }

std::size_t lowest_bit(unsigned bits) { return static_cast<std::size_t>(__builtin_ctz(bits)); }

double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }

// The faces that stand in a 吃 group with each face.
constexpr auto NEAR = [] {
    std::array<std::uint32_t, FACE_COUNT> near{};
    for (std::size_t face = 0; face < near.size(); ++face) {
        for (const ChiGroup &group : CHI_GROUPS[face]) {
            for (int other = 0; other < FACE_COUNT; ++other) {
                near[face] |= count_of(group.others, other) > 0 ? bit_of(other) : 0;
            }
        }
        near[face] &= ~bit_of(static_cast<int>(face));
    }
    return near;
}();

double power(double base, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; ++i) {
        result *= base;
    }
    return result;
}

} // namespace

Belief::Belief(const Scorer &scorer, const Policy &policy, const Observation &view,
               const BeliefWeights &weights)
    : clues_(read_clues(scorer.rules(), view)), likeness_(policy, scorer.rules(), weights),
      base_(seen_game(scorer, view)), seat_(view.seat), first_(seat_after(view.seat)),
      second_(seat_after(view.seat, 2)), declined_peng_(view.declined_peng) {
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        set_player(view, seat);
    }
    count_unseen(view);
    weigh_counts(first_, weights);
    weigh_counts(second_, weights);
    if (clues_.dealer_has_shown) {
        weights_[0][view.shown][0] = 0;
    }
    for (int face = 0; face <= WANG; ++face) {
        list_options(face);
    }
    sum_up();
}

// What the course of the hand tells of the players.
void Belief::set_player(const Observation &view, int seat) {
    const auto place = static_cast<std::size_t>(seat);
    const Clues &clues = clues_.players[place];
    const DeadTiles &dead = base_.rules().play.dead;
    Player &player = base_.player(seat);
    player.is_untouched = clues.is_untouched;
    if (seat != seat_) {
        player.chi_dead = (dead.chi_by_discard ? clues.discarded : 0) |
                          (dead.chi_by_passed_chi ? view.declined_chi[place] : 0);
        player.peng_dead = dead.peng_by_passed_peng ? view.declined_peng[place] : 0;
    }
}

// Whether the hidden wei of others are those that the course of the hand tells of.
bool Belief::are_hidden_told(const Observation &view) const {
    std::size_t count = 0;
    for (const auto &codes : view.exposed) {
        count += static_cast<std::size_t>(std::count(codes.begin(), codes.end(), HIDDEN_GROUP));
    }
    return count == clues_.hidden.size() &&
           std::all_of(clues_.hidden.begin(), clues_.hidden.end(), [&view](const HiddenWei &wei) {
               return view.exposed[wei.seat][wei.place] == HIDDEN_GROUP;
           });
}

void Belief::count_unseen(const Observation &view) {
    int copies = 0;
    for (int face = 0; face <= WANG; ++face) {
        const int all = face == WANG ? base_.rules().play.wang : COPY_COUNT;
        const bool is_shown = clues_.dealer_has_shown && face == view.shown;
        int &count = unseen_[static_cast<std::size_t>(face)];
        count = all - count_of(view.visible, face) + is_shown;
        is_whole_ &= count >= 0;
        copies += count;
    }
    const auto slots = [&view](int seat) {
        const auto place = static_cast<std::size_t>(seat);
        return static_cast<unsigned>(std::max(0, view.hand_sizes[place] - view.drawn_wangs[place]));
    };
    const auto hidden = clues_.hidden.size();
    all_ = {slots(first_), slots(second_), (1U << hidden) - 1};
    const auto *end = view.wall.begin() + std::min<int>(view.tiles_left, WALL_MAX);
    const auto open_wall = std::count(view.wall.begin(), end, HIDDEN_FACE);
    is_whole_ &= are_hidden_told(view);
    is_whole_ &= copies == static_cast<int>(all_.first + all_.second + 3 * hidden) + open_wall;
}

void Belief::weigh_counts(int seat, const BeliefWeights &weights) {
    const Clues &clues = clues_.players[static_cast<std::size_t>(seat)];
    for (int face = 0; face <= WANG; ++face) {
        for (int count = 0; count <= COPY_COUNT; ++count) {
            const auto place = static_cast<std::size_t>(face);
            const bool fits_kan = !clues.has_only_kan || face == WANG || count % 3 == 0;
            const bool can_be = count <= std::max<int>(0, clues.most[place]) && fits_kan;
            weights_[static_cast<std::size_t>(seat)][place][static_cast<std::size_t>(count)] =
                can_be ? weight_of(weights, seat, face, count) : 0;
        }
    }
}

double Belief::weight_of(const BeliefWeights &weights, int seat, int face, int count) const {
    if (face == WANG) {
        return 1;
    }
    const auto place = static_cast<std::size_t>(seat);
    const auto held = static_cast<std::size_t>(count);
    const Clues &clues = clues_.players[place];
    const std::uint32_t near = NEAR[static_cast<std::size_t>(face)];
    double weight = power(weights.near_discard[held], __builtin_popcount(clues.discarded & near));
    weight *= (clues.discarded & bit_of(face)) != 0 ? weights.discarded[held] : 1;
    return weight * ((declined_peng_[place] & bit_of(face)) != 0 ? weights.declined_peng[held] : 1);
}

void Belief::list_options(int face) {
    const int unseen = unseen_[static_cast<std::size_t>(face)];
    list_splits(face, unseen, 0);
    for (std::size_t wei = 0; wei < clues_.hidden.size(); ++wei) { // three copies are it
        if ((clues_.hidden[wei].faces >> face & 1) != 0) {
            list_splits(face, unseen - 3, 1U << wei);
        }
    }
}

// All ways to share so many copies.
void Belief::list_splits(int face, int copies, unsigned wei) {
    const auto small = [](int number) { return static_cast<std::uint8_t>(number); };
    for (int first = 0; first <= copies; ++first) {
        for (int second = 0; first + second <= copies; ++second) {
            add_option(face, {small(first), small(second), small(copies - first - second),
                              static_cast<std::uint16_t>(wei), 0});
        }
    }
}

void Belief::add_option(int face, Option option) {
    const auto weight_at = [&](int seat, int count) {
        const bool is_its_wei = option.wei != 0 && clues_.hidden[lowest_bit(option.wei)].seat == seat;
        return is_its_wei ? static_cast<double>(count == 0) : weight(seat, face, count);
    };
    option.weight = weight_at(first_, option.first) * weight_at(second_, option.second) *
                    factorial(unseen_[static_cast<std::size_t>(face)]) /
                    (factorial(option.first) * factorial(option.second) * factorial(option.wall) *
                     factorial(option.wei == 0 ? 0 : 3));
    if (option.weight > 0) {
        options_[static_cast<std::size_t>(face)].push_back(option);
    }
}

// From the last face to the first.
void Belief::sum_up() {
    sums_.assign(index(FACES, {0, 0, 0}) + (all_.first + 1) * (all_.second + 1) * (all_.wei + 1), 0);
    sums_[index(FACES, {0, 0, 0})] = 1;
    for (std::size_t face = FACES; face-- > 0;) {
        Left left;
        for (left.first = 0; left.first <= all_.first; ++left.first) {
            for (left.second = 0; left.second <= all_.second; ++left.second) {
                for (left.wei = 0; left.wei <= all_.wei; ++left.wei) {
                    double sum = 0;
                    for (const Option &option : options_[face]) {
                        sum +=
                            left.has(option) ? option.weight * sums_[index(face + 1, left.less(option))] : 0;
                    }
                    sums_[index(face, left)] = sum;
                }
            }
        }
    }
}

} // namespace paohuzi
