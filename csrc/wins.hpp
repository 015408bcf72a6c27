// Who may win on what, and what it pays (docs/rules.md 3.11 and 4).
#pragma once

#include "game.hpp"
#include "scoring.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

// The seat's hand with the pending tile as its winning tile; a whole hand for the dealer with the shown tile.
Query win_query(const Game &game, int seat) noexcept;

// How the seat would win on the pending tile.
Context win_context(const Game &game, int seat) noexcept;

// Whether the seat may win on the pending tile, were it not for wins it has passed.
bool can_win(const Game &game, int seat) noexcept;

// Whether it may.
inline bool can_hu(const Game &game, int seat) noexcept {
    return (game.player(seat).hu_dead >> game.pending.face & 1) == 0 && can_win(game, seat);
}

struct Result {
    End end = End::none;
    bool is_heaven = false;
    int winner = 0;
    int face = NO_WIN_TILE; // NO_WIN_TILE also when the hand was complete as dealt: then the source is none
    Source source = Source::none;
    Reckoning reckoning;
    std::array<std::int64_t, PLAYER_COUNT> payments{}; // by seat, at stake 1; their sum is 0
};

// Of a hand that is over.
Result result_of(const Game &game) noexcept;

} // namespace paohuzi
