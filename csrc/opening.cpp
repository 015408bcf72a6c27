// From the deal to the first discard (docs/rules.md 4.2).
#include "context.hpp"
#include "pack.hpp"
#include "referee.hpp"
#include "wins.hpp"

#include <algorithm>

namespace paohuzi {

void Referee::begin() {
    if (hides_shown(play())) {
        lift_red_tiles();
    }
    if (!find_heaven()) {
        ask_shown(0);
    }
    draw_all();
}

// The wall's last tile lies open; while it is red it goes to the top.
void Referee::lift_red_tiles() {
    std::uint8_t *begin = game_.wall.data();
    std::uint8_t *end = begin + game_.wall_count;
    while (game_.wall_seen < game_.wall_count && is_red(end[-1])) {
        std::rotate(begin, end - 1, end);
        ++game_.wall_seen;
    }
}

bool Referee::find_heaven() {
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        if (is_forced_heaven(Query{game_.player(seat).hand})) {
            game_.is_heaven = true;
            note(EventKind::hu, seat, 0, true);
            win(seat);
            return true;
        }
    }
    return false;
}

void Referee::ask_shown(int first_seat) {
    const bool is_dealers = hides_shown(play()) || face() == WANG;
    for (int seat = first_seat; seat < (is_dealers ? 1 : PLAYER_COUNT); ++seat) {
        if (can_hu(game_, seat)) {
            ask(Question::shown_hu, seat);
            return;
        }
    }
    open_hands();
}

void Referee::open_hands() {
    game_.is_opening = false;
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        lay_dealt_quads(seat);
        game_.player(seat).has_skip = seat != 0 && game_.player(seat).quads >= 2;
    }
    if (game_.player(0).quads >= 2) {
        drawer_ = seat_after(0);
    } else {
        ask_discard(0);
    }
}

void Referee::lay_dealt_quads(int seat) {
    Player &player = game_.player(seat);
    for (Packed quads = player.hand & TILE_BITS & FOURS; quads != 0; quads &= quads - 1) {
        const int quad = __builtin_ctzll(quads) / COUNT_BITS;
        const std::uint32_t passed = player.hu_dead;
        player.hand -= COPY_COUNT * one_of(quad);
        ++player.quads;
        expose(player, TI_CODE + quad);
        player.hu_dead = passed; // the quads counted as laid out when the win was passed
        note({.kind = EventKind::ti,
              .seat = static_cast<std::uint8_t>(seat),
              .from = static_cast<std::uint8_t>(seat),
              .face = static_cast<std::uint8_t>(quad),
              .chi = {static_cast<std::uint8_t>(TI_CODE + quad), {}},
              .is_forced = true,
              .is_dealt = true});
    }
}

} // namespace paohuzi
