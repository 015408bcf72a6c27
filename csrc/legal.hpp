// What the asked seat may do (docs/rules.md 4.13).
#pragma once

#include "game.hpp"

#include <cstddef>

namespace paohuzi {

// Sorted; ACTIONS_MAX places are enough. None when the hand is over.
std::size_t legal_actions(const Game &game, Action *out) noexcept;

bool is_legal(const Game &game, const Action &action) noexcept;

} // namespace paohuzi
