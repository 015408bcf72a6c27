// Whole hands of random legal actions, and what happened in them.
#pragma once

#include "events.hpp"
#include "game.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

struct Totals { // over many hands
    std::uint64_t hands = 0;
    std::uint64_t decisions = 0;
    std::uint64_t choices = 0; // actions that could have been taken
    std::uint64_t heavens = 0;
    std::uint64_t drawn = 0;
    std::uint64_t payment = 0; // of each loser, added up
    std::array<std::uint64_t, QUESTION_COUNT> questions{}; // by Question
    std::array<std::uint64_t, EVENT_COUNT> events{};       // by EventKind, where they are asked for
};

// Hands of the seeds first_seed, first_seed + 1 and so on, each with its own choices.
void play_randomly(const Scorer &scorer, std::uint64_t first_seed, std::uint64_t hands, bool with_events,
                   Totals &totals) noexcept;

} // namespace paohuzi
