// The independent search for what the tables do not cover: another library fills these in (_native.pyx).
#pragma once

#include "query.hpp"
#include "rules.hpp"

namespace paohuzi {

struct Backtracker {
    int (*best_xi)(const Query *query, const Options *options) noexcept = nullptr;
};
extern Backtracker backtracker;

} // namespace paohuzi
