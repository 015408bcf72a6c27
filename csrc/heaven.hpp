// Forced heaven (docs/rules.md 3.11): quads and triplets as dealt win, with any groups of the rest.
#pragma once

#include "reckoning.hpp"

namespace paohuzi {

// The best by payment, then xi, then fewest groups; tiles in no group are left out. The query passes
// context.hpp as a forced heaven.
ScoredDivision best_heaven(const Query &query, const Rules &rules) noexcept;

} // namespace paohuzi
