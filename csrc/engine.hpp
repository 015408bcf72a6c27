// The game of one hand: its questions and what follows from each answer (docs/rules.md 4).
#pragma once

#include "events.hpp"
#include "game.hpp"

#include <cstdint>

namespace paohuzi {

// All until the first question. The scorer must stay; `events` may be null here and below.
Game start_game(const Scorer &scorer, const Deal &deal, EventLog *events = nullptr) noexcept;
inline Game start_game(const Scorer &scorer, std::uint64_t seed, EventLog *events = nullptr) noexcept {
    return start_game(scorer, make_deal(scorer.rules().play.wang, seed), events);
}

// One of the legal actions, and all until the next question.
void apply(Game &game, const Action &action, EventLog *events = nullptr) noexcept;

} // namespace paohuzi
