// The part of Belief that draws.
#include "belief.hpp"

#include "check.hpp"
#include "chi.hpp"
#include "context.hpp"
#include "pack.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace paohuzi {

namespace {

constexpr int TRIES_MAX = 1000; // few samples need a second
constexpr int EXCHANGES = 100; // of two tiles; a third of them is between tiles of one place

constexpr std::uint32_t bit_of(int face) { return 1U << face; }

std::size_t lowest_bit(unsigned bits) { return static_cast<std::size_t>(__builtin_ctz(bits)); }

double unit(Random &random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

std::uint32_t pairs(Packed hand) {
    std::uint32_t faces = 0;
    for (Packed twos = hand >> 1 & ~hand & ONES & TILE_BITS; twos != 0; twos &= twos - 1) {
        faces |= bit_of(__builtin_ctzll(twos) / COUNT_BITS);
    }
    return faces;
}

} // namespace

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
    std::array<std::uint8_t, FACES> in_wall{};
    Left left = all_;
    for (std::size_t face = 0; face < FACES; ++face) {
        double target = unit(random) * sums_[index(face, left)];
        const Option *chosen = nullptr;
        for (const Option &option : options_[face]) {
            const double weight =
                left.has(option) ? option.weight * sums_[index(face + 1, left.less(option))] : 0;
            chosen = weight > 0 ? &option : chosen;
            target -= weight;
            if (target < 0 && weight > 0) {
                break;
            }
        }
        give(game, static_cast<int>(face), *chosen);
        left = left.less(*chosen);
        in_wall[face] = chosen->wall;
    }
    Slots slots = slots_of(game, in_wall);
    make_likely(random, game, slots);
    deal_wall(random, game, slots);
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

Belief::Slots Belief::slots_of(const Game &game, const std::array<std::uint8_t, FACES> &in_wall) const {
    Slots slots;
    const auto add = [&slots](int face, int count) {
        std::fill_n(slots.tiles.begin() + static_cast<std::ptrdiff_t>(slots.end), count,
                    static_cast<std::uint8_t>(face));
        slots.end += static_cast<std::size_t>(count);
    };
    const auto add_hand = [&](int seat) {
        for (int face = 0; face <= WANG; ++face) {
            add(face, count_of(game.player(seat).hand, face) - count_of(base_.player(seat).hand, face));
        }
    };
    add_hand(first_);
    slots.first_end = slots.end;
    add_hand(second_);
    slots.second_end = slots.end;
    for (int face = 0; face <= WANG; ++face) {
        add(face, in_wall[static_cast<std::size_t>(face)]);
    }
    return slots;
}

// By how much likelier a hand becomes by its counts when one tile goes and another comes.
double Belief::change(const Game &game, int seat, int gone, int come) const {
    const Player &player = game.player(seat);
    if ((player.triplets & bit_of(come)) != 0) { // as an exposed triplet it was all that the hand had
        return 0;
    }
    const auto known = [&](int face) { return count_of(base_.player(seat).hand, face); };
    const int fewer = player.held(gone) - known(gone);
    const int more = player.held(come) - known(come) + 1;
    return weight(seat, gone, fewer - 1) * weight(seat, come, more) /
           (weight(seat, gone, fewer) * weight(seat, come, more - 1));
}

// Tiles change places between a hand and what is hidden elsewhere, by the rule of Metropolis, until the hands
// are like those that are played.
void Belief::make_likely(Random &random, Game &game, Slots &slots) const {
    if (likeness_.is_flat(discards_of(first_)) && likeness_.is_flat(discards_of(second_))) {
        return;
    }
    std::array<double, PLAYER_COUNT> likeness{};
    for (const int seat : {first_, second_}) {
        likeness[static_cast<std::size_t>(seat)] = likeness_.of(game.player(seat), discards_of(seat));
    }
    for (int i = 0; i < EXCHANGES; ++i) {
        exchange(random, game, slots, likeness);
    }
}

void Belief::exchange(Random &random, Game &game, Slots &slots,
                      std::array<double, PLAYER_COUNT> &likeness) const {
    std::uint8_t &tile = slots.tiles[random.below(slots.second_end)];
    std::uint8_t &other_tile = slots.tiles[random.below(slots.end)];
    const int seat = owner_of(slots, tile);
    const int other = owner_of(slots, other_tile);
    if (seat == other || tile == other_tile) {
        return;
    }
    double ratio = change(game, seat, tile, other_tile);
    ratio *= other == NOBODY ? 1 : change(game, other, other_tile, tile);
    if (ratio <= 0) {
        return;
    }
    const double chance = unit(random);
    const auto before = likeness;
    double rise = 0;
    const auto pass = [&](int player, int gone, int come) {
        game.player(player).hand += one_of(come) - one_of(gone);
        double &now = likeness[static_cast<std::size_t>(player)];
        rise -= now;
        now = likeness_.of(game.player(player), discards_of(player));
        rise += now;
    };
    pass(seat, tile, other_tile);
    if (other != NOBODY) {
        pass(other, other_tile, tile);
    }
    if (chance < ratio * std::exp(rise)) {
        std::swap(tile, other_tile);
        return;
    }
    likeness = before;
    game.player(seat).hand += one_of(tile) - one_of(other_tile);
    if (other != NOBODY) {
        game.player(other).hand += one_of(other_tile) - one_of(tile);
    }
}

int Belief::owner_of(const Slots &slots, const std::uint8_t &tile) const {
    const auto place = static_cast<std::size_t>(&tile - slots.tiles.data());
    return place < slots.first_end ? first_ : place < slots.second_end ? second_ : int{NOBODY};
}

// What is left lies in the wall in any order.
void Belief::deal_wall(Random &random, Game &game, Slots &slots) const {
    for (std::size_t place = 0; place < game.wall_count; ++place) {
        if (game.wall[place] == HIDDEN_FACE) {
            const auto left = slots.end - slots.second_end;
            std::uint8_t &drawn = slots.tiles[slots.second_end + random.below(left)];
            game.wall[place] = drawn;
            drawn = slots.tiles[--slots.end];
        }
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
