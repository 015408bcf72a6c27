// The best score without wang: the tiles settle all facts but 对对胡, 项项息 and 印, the tables the xi.
#pragma once

#include "scorer.hpp"

namespace paohuzi {

// Under rules that the tables cover, where more fans never pay less.
Reckoning best_plain_score(const Scorer &scorer, const Query &query, const Context &context) noexcept;

} // namespace paohuzi
