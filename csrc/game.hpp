// One hand of play as a value: copied whole to keep it (docs/rules.md 4).
#pragma once

#include "chi.hpp"
#include "deal.hpp"
#include "groups.hpp"
#include "query.hpp"
#include "rules.hpp"
#include "scorer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace paohuzi {

// What a seat is asked (docs/rules.md 4.13).
enum class Question : std::uint8_t {
    shown_hu, // a win on the shown tile
    draw_hu,  // a win on one's own draw that is a wang or makes wei or ti
    hu,       // a win on a tile that all see
    peng,
    chi,
    discard,
    none, // the hand is over
};
inline constexpr std::size_t QUESTION_COUNT = 7;

enum class ActionKind : std::uint8_t { hu, peng, chi, discard, pass };

struct Action { // lists of them are not filled beforehand
    ActionKind kind;
    std::uint8_t face; // of a discard
    Chi chi;

    bool operator==(const Action &) const = default;
};
static_assert(std::is_trivially_default_constructible_v<Action>);

inline constexpr std::size_t ACTIONS_MAX = CHI_ACTIONS_MAX + 1;

// What became of a tile that was drawn or discarded.
enum class Fate : std::uint8_t { open, lies, chi, peng, pao, wei, chouwei, ti, joined, hu };

struct Appearance {
    std::uint16_t face : 5;
    std::uint16_t seat : 2; // who drew or discarded it
    std::uint16_t is_discard : 1;
    std::uint16_t fate : 4;
    std::uint16_t taker : 2; // of a tile that lies: who drew or discarded it
    std::uint16_t spare : 2;
};
static_assert(sizeof(Appearance) == 2);
constexpr Fate fate_of(Appearance appearance) { return static_cast<Fate>(appearance.fate); }

// At most 23 draws, and discards: a player's first, one a group of three, one after the first quad, one a
// wang.
inline constexpr int APPEARANCES_MAX = 52;

struct Player {
    Packed hand = 0; // concealed tiles
    std::array<std::uint8_t, GROUP_COUNT> exposed{};
    std::uint8_t exposed_count : 3 = 0;
    std::uint8_t quads : 3 = 0;           // of the exposed groups
    std::uint8_t has_skip : 1 = 0;        // the next tile taken in is not followed by a discard
    std::uint8_t is_untouched : 1 = 1;    // has taken no tile in
    std::uint32_t triplets = 0;  // faces of the exposed triplets, as bits
    std::uint32_t chi_dead = 0;  // faces that may no longer be taken so
    std::uint32_t peng_dead = 0;
    std::uint32_t hu_dead = 0;   // passed wins, until the xi of the exposed groups changes

    int held(int face) const { return count_of(hand, face); }
    bool has_triplet(int face) const { return (triplets >> face & 1) != 0; }
    bool has_wei(int face) const { // chouwei too
        return has_triplet(face) &&
               std::find(exposed.begin(), exposed.end(), PENG_CODE + face) == exposed.end();
    }
};
static_assert(sizeof(Player) == 32);

enum class End : std::uint8_t { none, hu, drawn };

// The tile that all wait for: drawn, discarded, or the shown one while the hand opens.
struct Pending {
    std::uint8_t face = 0;
    std::uint8_t owner = 0;
    bool is_discard = false;
    std::uint8_t passed_peng = 0; // seats, as bits
    std::uint8_t passed_chi = 0;
};

struct Game {
    const Scorer *scorer = nullptr; // of the rules
    std::array<Player, PLAYER_COUNT> players{}; // 0 the dealer, 1 next, 2 previous
    std::array<Appearance, APPEARANCES_MAX> appearances{};
    Packed lying = 0; // the tiles among them that nobody took
    std::array<std::uint8_t, WALL_MAX> wall{};
    std::uint8_t wall_count = 0;
    std::uint8_t wall_next = 0;      // place of the next draw
    std::uint8_t wall_seen = 0;      // so many places from the top were shown before the hand began
    std::uint8_t appearance_count = 0;
    std::uint8_t shown = 0;
    Pending pending;
    Question question = Question::none;
    std::uint8_t asked = 0; // the seat
    End end = End::none;
    std::uint8_t winner = 0;
    bool is_heaven : 1 = false;
    bool is_opening : 1 = true;

    const Rules &rules() const { return scorer->rules(); }
    const Player &player(int seat) const { return players[static_cast<std::size_t>(seat)]; }
    Player &player(int seat) { return players[static_cast<std::size_t>(seat)]; }
    bool is_over() const { return end != End::none; }
    int tiles_left() const { return wall_count - wall_next; }
};
static_assert(sizeof(Game) <= 256 && std::is_trivially_copyable_v<Game>);

// With four seats the shown tile may stay hidden and the wall's last one be shown (docs/rules.md 4.12).
constexpr bool hides_shown(const Play &play) { return play.shown_hidden && play.seats == 4; }

constexpr int seat_after(int seat, int steps = 1) { return (seat + steps) % PLAYER_COUNT; }

} // namespace paohuzi
