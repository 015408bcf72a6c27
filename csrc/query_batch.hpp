// Many queries at once, each checked.
#pragma once

#include "query.hpp"
#include "rules.hpp"

#include <cstddef>
#include <cstdint>

namespace paohuzi {

// best_xi of each query, and its Fault as a number; NO_DIVISION where it has one. NOT_COVERED as best_xi
// says it.
void solve_queries(const Query *queries, std::size_t n, const Options &options, std::int16_t *xi,
                   std::uint8_t *faults) noexcept;

} // namespace paohuzi
