// The best score with wangs where only the colours of the tiles and 王吊 matter beside the xi.
#pragma once

#include "scorer.hpp"

namespace paohuzi {

// Under rules that the tables cover. False where the divisions must be looked at one by one.
bool best_wang_score(const Scorer &scorer, const Query &query, const Context &context,
                     Reckoning &best) noexcept;

} // namespace paohuzi
