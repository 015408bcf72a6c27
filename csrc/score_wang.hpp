// The best score with wangs where only the colours of the tiles and 王吊 matter beside the xi.
#pragma once

#include "scorer.hpp"

namespace paohuzi {

struct WangReckoning {
    bool is_found = false; // otherwise the divisions must be looked at one by one
    bool has_tie = false;  // whether divisions with other fans may pay as much with as much xi
    Reckoning best;
};

// Under rules that the tables cover.
WangReckoning best_wang_score(const Scorer &scorer, const Query &query, const Context &context) noexcept;

} // namespace paohuzi
