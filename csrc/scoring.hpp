// What a win pays, the best of all its divisions (docs/rules.md 3.6 and 5).
#pragma once

#include "scorer.hpp"

namespace paohuzi {

// The best division's: by payment, then xi. The query passes check.hpp, the context context.hpp.
Reckoning best_score(const Scorer &scorer, const Query &query, const Context &context) noexcept;
Reckoning best_score(const Query &query, const Rules &rules, const Context &context) noexcept;

// The same with its groups: the first division of the fixed order that pays so much with such a xi.
ScoredDivision best_scored_division(const Scorer &scorer, const Query &query,
                                    const Context &context) noexcept;

// The best xi whatever the options, NO_DIVISION for none: from the tables, or by the backtracker.
int exact_xi(const Query &query, const Options &options) noexcept;

// The best xi of exposed groups, quads and kan kept, with any groups of a part of the other tiles.
int part_xi(const Query &query, const Options &options) noexcept;

} // namespace paohuzi
