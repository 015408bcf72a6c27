#include "seen_game.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

void add_group(Player &player, int code) {
    player.exposed[player.exposed_count] = static_cast<std::uint8_t>(code);
    ++player.exposed_count;
    player.quads += code != HIDDEN_GROUP && is_quad_code(code);
    if (code >= PENG_CODE && code < PAO_CODE) {
        player.triplets |= 1U << (code - PENG_CODE) % FACE_COUNT;
    }
}

void set_player(Player &player, const Observation &view, int seat) {
    const auto place = static_cast<std::size_t>(seat);
    for (const std::uint8_t code : view.exposed[place]) {
        if (code == 0) {
            break;
        }
        add_group(player, code);
    }
    player.has_skip = view.has_skip[place] & 1;
    player.hand = view.drawn_wangs[place] * one_of(WANG);
    if (seat == view.seat) {
        player.hand = view.hand;
        player.chi_dead = view.chi_dead;
        player.peng_dead = view.peng_dead;
        player.hu_dead = view.hu_dead;
    }
}

} // namespace

Game seen_game(const Scorer &scorer, const Observation &view) noexcept {
    Game game;
    game.scorer = &scorer;
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        set_player(game.player(seat), view, seat);
    }
    game.appearances = view.appearances;
    game.appearance_count = view.appearance_count;
    for (std::size_t i = 0; i < view.appearance_count; ++i) {
        const Appearance each = view.appearances[i];
        game.lying += fate_of(each) == Fate::lies ? one_of(each.face) : 0;
    }
    game.wall = view.wall;
    game.wall_count = view.tiles_left;
    const auto *hidden = std::find(view.wall.begin(), view.wall.end(), HIDDEN_FACE);
    game.wall_seen = static_cast<std::uint8_t>(hidden - view.wall.begin());
    game.shown = view.shown == HIDDEN_FACE ? 0 : view.shown;
    game.question = static_cast<Question>(view.question);
    game.asked = view.seat;
    game.is_opening = game.question == Question::shown_hu;
    if (view.pending_owner != NOBODY) {
        game.pending.face = view.pending;
        game.pending.owner = view.pending_owner;
        game.pending.is_discard = view.pending_is_discard != 0;
    }
    return game;
}

} // namespace paohuzi
