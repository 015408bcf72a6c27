// Queries as they come up in play, out of games between three players by rule of thumb.
#pragma once

#include "query.hpp"
#include "scorer.hpp"

#include <cstddef>
#include <cstdint>

namespace paohuzi {

// `count` states of seats with an exposed group, each with a tile that came up: drawn by the seat, drawn by
// another, or discarded. Up to four from a game, any of its decisions as likely; the games are those of the
// seed's hands, from `first_game` on.
void play_states(const Scorer &scorer, std::uint64_t seed, std::uint64_t first_game, std::size_t count,
                 Query *out) noexcept;

} // namespace paohuzi
