#include "engine.hpp"

#include "referee.hpp"

namespace paohuzi {

Game start_game(const Scorer &scorer, const Deal &deal, EventLog *events) noexcept {
    Game game;
    game.scorer = &scorer;
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        game.player(seat).hand = deal.hands[static_cast<std::size_t>(seat)];
    }
    game.player(0).hand += one_of(deal.shown);
    game.shown = deal.shown;
    game.pending.face = deal.shown;
    game.wall = deal.wall;
    game.wall_count = deal.wall_count;
    Referee(game, events).begin();
    return game;
}

void apply(Game &game, const Action &action, EventLog *events) noexcept {
    Referee(game, events).answer(action);
}

} // namespace paohuzi
