// The rule switches that decide a division and its xi (docs/rules.md 2 and 3).
#pragma once

#include "groups.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

// xi of the groups, each by [big + 2 * red]; runs and 2-7-10 by [big]. All other groups are worth 0.
struct XiTable {
    std::array<std::int16_t, 4> peng{1, 3, 1, 3};
    std::array<std::int16_t, 4> kan{3, 6, 3, 6}; // kan, wei, chouwei
    std::array<std::int16_t, 4> pao{6, 9, 6, 9};
    std::array<std::int16_t, 4> ti{9, 12, 9, 12};
    std::array<std::int16_t, 2> r123{3, 6};
    std::array<std::int16_t, 2> r27a{3, 6};

    bool operator==(const XiTable &) const = default;
};

struct Options {
    XiTable xi;
    std::int16_t min_xi = 15;
    bool kan_splittable = false;
    bool third_from_other_is_wei = false;
    bool self_draw_forced = true;
    bool wang_in_quad = true;
    bool wang_in_triplet = true;
};

} // namespace paohuzi
