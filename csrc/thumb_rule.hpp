// A player by rule of thumb, for samples of play: wins and takes when it can, keeps what belongs together.
#pragma once

#include "deal.hpp"
#include "game.hpp"

namespace paohuzi {

// A legal action of the asked seat, from what that seat knows. Fixed for good: the samples of a seed come of
// it.
Action choose_by_thumb(const Game &game, Random &random) noexcept;

} // namespace paohuzi
