// What a win pays, the best of all its divisions (docs/rules.md 3.6 and 5).
#pragma once

#include "query.hpp"
#include "rules.hpp"

#include <cstdint>

namespace paohuzi {

struct Context { // what a score must know beside the query
    bool last_tile = false;     // won on the wall's last tile
    bool shown_tile = false;    // won on the shown tile
    bool dealer = false;        // the winner deals
    bool untouched = false;     // the winner has never taken a tile in
    bool first_discard = false; // the next player wins on the dealer's discard that opens the hand
    bool heaven = false;        // forced heaven at the deal
};

struct Reckoning {
    std::int64_t payment = NO_DIVISION; // of each loser at stake 1; NO_DIVISION: no win
    std::int32_t fan = 0;               // the total that multiplies
    std::int32_t base = 0;
    std::int32_t tun = 0;
    std::int16_t xi = NO_DIVISION;
    std::uint32_t fans = 0; // bit by place in Scoring::fans, then those of Scoring::together

    bool is_win() const { return payment != NO_DIVISION; }
};

// The best division's: by payment, then xi. The query passes check.hpp, the context is possible.
Reckoning best_score(const Query &query, const Rules &rules, const Context &context) noexcept;

// The best xi whatever the options, NO_DIVISION for none: from the tables, or by the backtracker.
int exact_xi(const Query &query, const Options &options) noexcept;

// The best xi of exposed groups, quads and kan kept, with any groups of a part of the other tiles.
int part_xi(const Query &query, const Options &options) noexcept;

int tun_of(const Scoring &scoring, int xi) noexcept;

} // namespace paohuzi
