// What a seat may know of a hand: nothing here depends on what is hidden from it (docs/rules.md 4.3).
#pragma once

#include "game.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

namespace paohuzi {

inline constexpr std::uint8_t HIDDEN_GROUP = 255; // another player's wei
inline constexpr int HIDDEN_FACE = 31;
inline constexpr std::uint8_t NOBODY = 255;

struct Observation {
    Packed hand = 0;    // the seat's own concealed tiles
    Packed visible = 0; // all tiles whose place the seat knows, its own among them
    std::uint32_t chi_dead = 0; // for the seat itself
    std::uint32_t peng_dead = 0;
    std::uint32_t hu_dead = 0;
    // Faces that came up, were the seat's to claim by 碰 or by 吃, and were not claimed so; by seat.
    std::array<std::uint32_t, PLAYER_COUNT> declined_peng{};
    std::array<std::uint32_t, PLAYER_COUNT> declined_chi{};
    std::array<std::array<std::uint8_t, GROUP_COUNT>, PLAYER_COUNT> exposed{};
    std::array<std::uint8_t, PLAYER_COUNT> hand_sizes{};
    std::array<std::uint8_t, PLAYER_COUNT> drawn_wangs{};
    std::array<std::uint8_t, PLAYER_COUNT> has_skip{};
    std::array<std::uint8_t, WALL_MAX> wall{}; // HIDDEN_FACE where not known, from the next draw on
    std::uint8_t tiles_left = 0;
    std::uint8_t seat = 0;
    std::uint8_t asked = NOBODY; // the seat itself, or whoever has to discard
    std::uint8_t question = 0;   // Question::none unless asked is known
    std::uint8_t shown = HIDDEN_FACE;
    std::uint8_t pending = HIDDEN_FACE;    // the tile that may be claimed
    std::uint8_t pending_owner = NOBODY;
    std::uint8_t pending_is_discard = 0;
    std::uint8_t end = 0;
    std::uint8_t winner = NOBODY;
    std::uint8_t appearance_count = 0;
    std::array<Appearance, APPEARANCES_MAX> appearances{}; // in order; HIDDEN_FACE for another's wei
    std::array<std::uint8_t, 4> spare{};

    bool operator==(const Observation &other) const;
};

Observation observe(const Game &game, int seat) noexcept;

} // namespace paohuzi
