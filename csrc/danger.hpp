// What a discard may give others, by the tiles that cannot be seen (docs/rules.md 7.5).
#pragma once

#include "query.hpp"
#include "rules.hpp"

#include <compare>

namespace paohuzi {

struct Danger { // the less the better
    bool is_new = false; // no copy lies open
    int xi = 0;          // the most that a group made with it has
    int ways = 0;        // to take it

    auto operator<=>(const Danger &) const = default;
};

// Of a face that the hand holds. visible: tiles seen beside those of the query.
Danger danger_of(const Query &query, Packed visible, int face, const Options &options);

} // namespace paohuzi
