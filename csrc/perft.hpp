// How many ways a hand may go on.
#pragma once

#include "game.hpp"

#include <cstdint>

namespace paohuzi {

// Sequences of exactly so many legal actions: draws do not branch.
std::uint64_t perft(const Game &game, int depth) noexcept;

} // namespace paohuzi
