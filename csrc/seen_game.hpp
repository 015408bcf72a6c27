// A view as a game of which only that is there which the seat knows: for those who play on from it.
#pragma once

#include "observe.hpp"

namespace paohuzi {

// Of a seat that is asked. Others have no tiles but wangs that were drawn, and HIDDEN_GROUP for a hidden wei;
// what is not known of the wall is HIDDEN_FACE.
Game seen_game(const Scorer &scorer, const Observation &view) noexcept;

} // namespace paohuzi
