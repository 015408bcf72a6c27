#include "belief.hpp"

#include "check.hpp"
#include "chi.hpp"
#include "pack.hpp"

#include <algorithm>
#include <utility>

namespace paohuzi {

namespace {

constexpr int TRIES_MAX = 1000; // few samples need a second

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

double unit(Random &random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

std::uint32_t pairs(Packed hand) {
    std::uint32_t faces = 0;
    for (Packed twos = hand >> 1 & ~hand & ONES & TILE_BITS; twos != 0; twos &= twos - 1) {
        faces |= bit_of(__builtin_ctzll(twos) / COUNT_BITS);
    }
    return faces;
}

double power(double base, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; ++i) {
        result *= base;
    }
    return result;
}

} // namespace

Belief::Belief(const Scorer &scorer, const Observation &view, const BeliefWeights &weights)
    : clues_(read_clues(scorer.rules(), view)), seat_(view.seat), first_(seat_after(view.seat)),
      second_(seat_after(view.seat, 2)), declined_chi_(view.declined_chi), declined_peng_(view.declined_peng) {
    base_.scorer = &scorer;
    make_base(view);
    count_unseen(view);
    for (int face = 0; face <= WANG; ++face) {
        list_options(view, weights, face);
    }
    sum_up();
}

void Belief::make_base(const Observation &view) {
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        make_player(view, seat);
    }
    base_.appearances = view.appearances;
    base_.appearance_count = view.appearance_count;
    base_.wall = view.wall;
    base_.wall_count = view.tiles_left;
    const auto *hidden = std::find(view.wall.begin(), view.wall.end(), HIDDEN_FACE);
    base_.wall_seen = static_cast<std::uint8_t>(hidden - view.wall.begin());
    base_.shown = view.shown == HIDDEN_FACE ? 0 : view.shown;
    base_.question = static_cast<Question>(view.question);
    base_.asked = view.seat;
    base_.is_opening = base_.question == Question::shown_hu;
    if (view.pending_owner != NOBODY) {
        base_.pending.face = view.pending;
        base_.pending.owner = view.pending_owner;
        base_.pending.is_discard = view.pending_is_discard != 0;
    }
}

void Belief::make_player(const Observation &view, int seat) {
    const auto place = static_cast<std::size_t>(seat);
    const Clues &clues = clues_.players[place];
    const DeadTiles &dead = base_.rules().play.dead;
    Player &player = base_.player(seat);
    for (const std::uint8_t code : view.exposed[place]) {
        if (code == 0) {
            break;
        }
        player.exposed[player.exposed_count] = code;
        ++player.exposed_count;
        player.quads += code != HIDDEN_GROUP && is_quad_code(code);
        const bool is_triplet = code >= PENG_CODE && code < PAO_CODE;
        player.triplets |= is_triplet ? bit_of((code - PENG_CODE) % FACE_COUNT) : 0;
    }
    player.has_skip = view.has_skip[place] & 1;
    player.is_untouched = clues.is_untouched;
    if (seat == seat_) {
        player.hand = view.hand;
        player.chi_dead = view.chi_dead;
        player.peng_dead = view.peng_dead;
        player.hu_dead = view.hu_dead;
        return;
    }
    player.hand = view.drawn_wangs[place] * one_of(WANG);
    player.chi_dead = (dead.chi_by_discard ? clues.discarded : 0) |
                      (dead.chi_by_passed_chi ? view.declined_chi[place] : 0);
    player.peng_dead = dead.peng_by_passed_peng ? view.declined_peng[place] : 0;
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
    is_whole_ &= copies == static_cast<int>(all_.first + all_.second + 3 * hidden) + open_wall;
}

void Belief::list_options(const Observation &view, const BeliefWeights &weights, int face) {
    const int unseen = unseen_[static_cast<std::size_t>(face)];
    const int shown = clues_.dealer_has_shown && face == view.shown ? 1 : 0;
    list_splits(weights, face, std::max(0, unseen), shown, 0);
    for (std::size_t wei = 0; wei < clues_.hidden.size(); ++wei) { // three copies are it
        const HiddenWei &hidden = clues_.hidden[wei];
        if ((hidden.faces >> face & 1) != 0) {
            list_splits(weights, face, unseen - 3, hidden.seat == 0 ? 0 : shown, 1U << wei);
        }
    }
}

// All ways to share so many copies, of which the dealer has some.
void Belief::list_splits(const BeliefWeights &weights, int face, int copies, int dealers, unsigned wei) {
    const auto small = [](int number) { return static_cast<std::uint8_t>(number); };
    for (int first = 0; first <= copies; ++first) {
        for (int second = 0; first + second <= copies; ++second) {
            const int others = first_ == 0 ? first : second_ == 0 ? second : dealers;
            if (others >= dealers) {
                add_option(weights, face,
                           {small(first), small(second), small(copies - first - second),
                            static_cast<std::uint16_t>(wei), 0});
            }
        }
    }
}

void Belief::add_option(const BeliefWeights &weights, int face, Option option) {
    const auto fits = [&](int seat, int count) {
        const bool is_in_wei = option.wei != 0 && clues_.hidden[lowest_bit(option.wei)].seat == seat;
        return is_in_wei ? count == 0 : can_hold(seat, face, count);
    };
    if (!fits(first_, option.first) || !fits(second_, option.second)) {
        return;
    }
    option.weight = factorial(unseen_[static_cast<std::size_t>(face)]) /
                    (factorial(option.first) * factorial(option.second) * factorial(option.wall) *
                     factorial(option.wei == 0 ? 0 : 3));
    option.weight *= weight_of(weights, first_, face, option.first);
    option.weight *= weight_of(weights, second_, face, option.second);
    options_[static_cast<std::size_t>(face)].push_back(option);
}

bool Belief::can_hold(int seat, int face, int count) const {
    const Clues &clues = clues_.players[static_cast<std::size_t>(seat)];
    const bool is_kan_only = clues.has_only_kan && face != WANG;
    return count <= std::max<int>(0, clues.most[static_cast<std::size_t>(face)]) &&
           (!is_kan_only || count % 3 == 0);
}

double Belief::weight_of(const BeliefWeights &weights, int seat, int face, int count) const {
    if (face == WANG) {
        return 1;
    }
    const auto place = static_cast<std::size_t>(seat);
    const auto held = static_cast<std::size_t>(count);
    const Clues &clues = clues_.players[place];
    const std::uint32_t near = NEAR[static_cast<std::size_t>(face)];
    const auto stage =
        std::min<std::size_t>(clues.discard_count / 2U, BeliefWeights::STAGE_COUNT - 1);
    double weight = weights.held[stage][held];
    weight *= (clues.discarded & bit_of(face)) != 0 ? weights.discarded[held] : 1;
    weight *= (declined_peng_[place] & bit_of(face)) != 0 ? weights.declined_peng[held] : 1;
    weight *= power(weights.near_discard[held], __builtin_popcount(clues.discarded & near));
    return weight * power(weights.near_declined[held], __builtin_popcount(declined_chi_[place] & near));
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
                        sum += left.has(option) ? option.weight * sums_[index(face + 1, left.less(option))] : 0;
                    }
                    sums_[index(face, left)] = sum;
                }
            }
        }
    }
}

bool Belief::sample(Random &random, Game &game) const noexcept {
    if (!is_possible()) {
        return false;
    }
    for (int i = 0; i < TRIES_MAX; ++i) {
        fill(random, game);
        if (is_consistent(game)) {
            finish_player(game, first_);
            finish_player(game, second_);
            finish_pending(game);
            return true;
        }
    }
    return false;
}

void Belief::fill(Random &random, Game &game) const {
    game = base_;
    std::array<std::uint8_t, TILE_COUNT + WANG_MAX> wall;
    std::size_t size = 0;
    Left left = all_;
    for (std::size_t face = 0; face < FACES; ++face) {
        double target = unit(random) * sums_[index(face, left)];
        const Option *chosen = nullptr;
        for (const Option &option : options_[face]) {
            if (left.has(option)) {
                const double weight = option.weight * sums_[index(face + 1, left.less(option))];
                chosen = weight > 0 ? &option : chosen;
                target -= weight;
                if (target < 0) {
                    break;
                }
            }
        }
        give(game, static_cast<int>(face), *chosen);
        left = left.less(*chosen);
        for (int i = 0; i < chosen->wall; ++i) {
            wall[size++] = static_cast<std::uint8_t>(face);
        }
    }
    for (std::size_t place = 0; place < game.wall_count; ++place) {
        if (game.wall[place] == HIDDEN_FACE) {
            const std::size_t drawn = random.below(size);
            game.wall[place] = wall[drawn];
            wall[drawn] = wall[--size];
        }
    }
}

void Belief::give(Game &game, int face, const Option &option) const {
    game.player(first_).hand += option.first * one_of(face);
    game.player(second_).hand += option.second * one_of(face);
    if (option.wei != 0) {
        const HiddenWei &wei = clues_.hidden[lowest_bit(option.wei)];
        Player &player = game.player(wei.seat);
        player.exposed[wei.place] = static_cast<std::uint8_t>(WEI_CODE + face);
        player.triplets |= bit_of(face);
    }
}

// What is dead for a player depends on his hand: a pair of a face that lay open to him was passed.
void Belief::finish_player(Game &game, int seat) const {
    Player &player = game.player(seat);
    const std::uint32_t passed = declined_peng_[static_cast<std::size_t>(seat)] & pairs(player.hand);
    player.chi_dead |= game.rules().play.dead.chi_by_passed_peng ? passed : 0;
}

// Who has passed the tile that waits, before the seat was asked.
void Belief::finish_pending(Game &game) const {
    if (game.question != Question::chi) {
        return;
    }
    const int face = game.pending.face;
    for (int step = 1; step < PLAYER_COUNT; ++step) {
        const int seat = seat_after(game.pending.owner, step);
        const Player &player = game.player(seat);
        const bool could = player.held(face) == 2 && (player.peng_dead & bit_of(face)) == 0 &&
                           (player.has_skip || free_tiles(player.hand) != 2 * one_of(face));
        game.pending.passed_peng |= static_cast<std::uint8_t>(could ? bit_of(seat) : 0);
    }
    const Player &owner = game.player(game.pending.owner);
    const bool could = game.pending.owner != seat_ && !game.pending.is_discard &&
                       (owner.chi_dead & bit_of(face)) == 0 && can_chi(owner.hand, face, !owner.has_skip);
    game.pending.passed_chi |= static_cast<std::uint8_t>(could ? bit_of(game.pending.owner) : 0);
}

// The hand of another as it was before it gave these tiles.
Packed Belief::hand_then(const Game &game, int seat, Packed given, std::size_t hidden_place) const {
    Packed hand = game.player(seat).hand + given;
    for (const HiddenWei &wei : clues_.hidden) {
        if (wei.seat == seat && wei.place >= hidden_place) {
            hand += 2 * one_of(game.player(seat).exposed[wei.place] - WEI_CODE);
        }
    }
    return hand;
}

bool Belief::is_consistent(const Game &game) const {
    for (const int seat : {first_, second_}) {
        const Clues &clues = clues_.players[static_cast<std::size_t>(seat)];
        const Packed dealt = hand_then(game, seat, clues.given, 0) & TILE_BITS;
        const int quads = clues.dealt_quads + __builtin_popcountll(dealt & FOURS);
        const int kans = __builtin_popcountll(dealt & dealt >> 1 & ONES);
        if (quads >= HEAVEN_QUADS || quads + kans >= HEAVEN_SETS) {
            return false;
        }
    }
    return std::none_of(clues_.forced.begin(), clues_.forced.end(), [&](const ForcedPeng &forced) {
        const Packed hand = hand_then(game, forced.seat, forced.given, forced.hidden_place);
        return count_of(hand, forced.face) == 2 && free_tiles(hand) != 2 * one_of(forced.face);
    });
}

bool Belief::allows(const Game &game) const noexcept {
    Game other = base_;
    for (int face = 0; face <= WANG; ++face) {
        const auto more = [&](int seat) {
            return count_of(game.player(seat).hand, face) - count_of(base_.player(seat).hand, face);
        };
        unsigned wei = 0;
        for (std::size_t i = 0; i < clues_.hidden.size(); ++i) {
            const HiddenWei &hidden = clues_.hidden[i];
            wei |= game.player(hidden.seat).exposed[hidden.place] == WEI_CODE + face ? 1U << i : 0;
        }
        const auto &options = options_[static_cast<std::size_t>(face)];
        const auto found = std::find_if(options.begin(), options.end(), [&](const Option &option) {
            return option.first == more(first_) && option.second == more(second_) && option.wei == wei;
        });
        if (found == options.end() || found->weight <= 0) {
            return false;
        }
        give(other, face, *found);
    }
    return is_consistent(other);
}

} // namespace paohuzi
