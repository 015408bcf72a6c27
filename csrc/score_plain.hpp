// The best score without wang: the tiles settle all facts but 对对胡, 项项息 and 印, the tables the xi.
#pragma once

#include "scorer.hpp"

namespace paohuzi {

// Faces of 1-2-3 and 2-7-10, the only groups of three different tiles that have xi.
inline constexpr Packed IN_XI_RUNS = [] {
    Packed faces = 0;
    for (const int rank : {0, 1, 2, 6, 9}) {
        faces |= COUNT_MASK << COUNT_BITS * rank | COUNT_MASK << COUNT_BITS * (rank + RANK_COUNT);
    }
    return faces;
}();

// xi of tiles divided into such groups and a pair, if one is owed; NO_DIVISION if that cannot be.
int xi_runs_and_pair(Packed tiles, bool owes_pair);

// Under rules that the tables cover, where more fans never pay less.
Reckoning best_plain_score(const Scorer &scorer, const Query &query, const Context &context) noexcept;

} // namespace paohuzi
