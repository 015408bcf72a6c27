// The independent search for what the tables do not cover; _native.pyx lends it to the core.
#pragma once

#include "query.hpp"
#include "rules.hpp"

namespace paohuzi {

struct Backtracker {
    int (*best_xi)(const Query *query, const Options *options) = nullptr;
    int (*best_part)(const Query *query, const Options *options) = nullptr;
    // Calls visit(place, division) for every division of at least this xi, in the fixed order of equal xi,
    // until it says 0.
    void (*for_each_division)(const Query *query, const Options *options, int min_xi, void *place,
                              int (*visit)(void *place, const Division *division)) = nullptr;
    // Attaches the tables that are still missing; 0 when there is nothing new.
    int (*attach_tables)(int wang) = nullptr;
    // It answers in place of the tables, so that one can be measured against the other.
    bool is_preferred = false;
};
extern Backtracker backtracker;

} // namespace paohuzi
