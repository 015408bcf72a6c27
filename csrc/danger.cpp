#include "danger.hpp"

#include "check.hpp"
#include "chi.hpp"
#include "facts.hpp"
#include "unfinished.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

// In how many ways so many tiles can be picked.
int ways_to_pick(Packed others, const std::array<std::int8_t, FACE_COUNT> &unseen) {
    int ways = 1;
    for (Packed left = others; left != 0; left &= ~(COUNT_MASK * one_of(lowest_place(left)))) {
        const int face = lowest_place(left);
        const int copies = std::max<int>(unseen[static_cast<std::size_t>(face)], 0);
        ways *= count_of(others, face) == 2 ? copies * (copies - 1) / 2 : copies;
    }
    return ways;
}

} // namespace

Danger danger_of(const Query &query, Packed visible, int face, const Options &options) {
    const std::array<std::int8_t, FACE_COUNT> unseen = unseen_tiles(query, visible);
    const int copies = std::max<int>(unseen[static_cast<std::size_t>(face)], 0);
    const int seen = count_of(visible_tiles(query), face) + count_of(visible, face);
    Danger danger;
    danger.is_new = seen == count_of(query.hand, face);
    danger.ways = copies * (copies - 1) / 2 + copies * (copies - 1) * (copies - 2) / 6;
    for (const ChiGroup &group : CHI_GROUPS[static_cast<std::size_t>(face)]) {
        if (const int ways = ways_to_pick(group.others, unseen); ways > 0) {
            danger.ways += ways;
            danger.xi = std::max(danger.xi, xi_of(options.xi, group.code));
        }
    }
    danger.xi = std::max(danger.xi, copies >= 2 ? xi_of(options.xi, PENG_CODE + face) : 0);
    danger.xi = std::max(danger.xi, copies >= 3 ? xi_of(options.xi, PAO_CODE + face) : 0);
    return danger;
}

} // namespace paohuzi
