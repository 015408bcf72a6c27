// 吃 with its 比 (docs/rules.md 4.6): every way to take a tile into a run, 2-7-10 or 绞.
#pragma once

#include "groups.hpp"
#include "state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

inline constexpr int BI_MAX = 2; // a third copy of the tile in hand would be a kan

struct Chi {
    std::uint8_t code;
    std::array<std::uint8_t, BI_MAX> bi; // ascending, 0 from the first empty place on

    bool operator==(const Chi &) const = default;
};

// At most: two copies held, each of five groups with every pair of five; ten more where a 绞 holds two.
inline constexpr std::size_t CHI_ACTIONS_MAX = 90;

struct ChiGroup {
    Packed tiles = 0;
    Packed others = 0; // what the hand gives when the group takes the tile from outside
    std::uint8_t code = 0;
};

struct ChiGroups { // that a tile may stand in
    std::array<ChiGroup, 6> groups{};
    std::size_t size = 0;

    constexpr const ChiGroup *begin() const { return groups.data(); }
    constexpr const ChiGroup *end() const { return groups.data() + size; }
};

inline constexpr auto CHI_GROUPS = [] {
    std::array<ChiGroups, FACE_COUNT> by_face{};
    for (int face = 0; face < FACE_COUNT; ++face) {
        ChiGroups &all = by_face[static_cast<std::size_t>(face)];
        for (int code = RUN_CODE; code < PAIR_CODE; ++code) {
            const Packed tiles = GROUP_TILES[static_cast<std::size_t>(code)];
            if (count_of(tiles, face) > 0) {
                all.groups[all.size++] = {tiles, tiles - one_of(face), static_cast<std::uint8_t>(code)};
            }
        }
    }
    return by_face;
}();

// Calls visit(bi, rest) for every set of groups that lays out all copies of the face among the free tiles,
// `rest` being the tiles that are left, until it answers true; whether it did.
template <class Visit>
bool lay_out_all(Packed free, int face, Visit visit) {
    const int held = count_of(free, face);
    if (held == 0) {
        return visit(std::array<std::uint8_t, BI_MAX>{}, free);
    }
    const ChiGroups &groups = CHI_GROUPS[static_cast<std::size_t>(face)];
    for (const ChiGroup *first = groups.begin(); first != groups.end(); ++first) {
        if (!holds(free, first->tiles)) {
            continue;
        }
        const Packed rest = free - first->tiles;
        if (count_of(rest, face) == 0) {
            if (visit(std::array<std::uint8_t, BI_MAX>{first->code}, rest)) {
                return true;
            }
            continue;
        }
        for (const ChiGroup *second = first; second != groups.end(); ++second) {
            if (holds(rest, second->tiles) &&
                visit(std::array<std::uint8_t, BI_MAX>{first->code, second->code}, rest - second->tiles)) {
                return true;
            }
        }
    }
    return false;
}

// Calls visit(chi, rest) for every way to take the tile, until it answers true; whether it did.
template <class Visit>
bool for_each_chi(Packed hand, int face, Visit visit) {
    if (count_of(hand, face) > 2) {
        return false;
    }
    const Packed free = free_tiles(hand);
    for (const ChiGroup &group : CHI_GROUPS[static_cast<std::size_t>(face)]) {
        if (holds(free, group.others) &&
            lay_out_all(free - group.others, face,
                        [&](const std::array<std::uint8_t, BI_MAX> &bi, Packed rest) {
                            return visit(Chi{group.code, bi}, rest);
                        })) {
            return true;
        }
    }
    return false;
}

// All of them, sorted; returns how many. With keep_one only those after which a free tile is left.
std::size_t chi_actions(Packed hand, int face, bool keep_one, Chi *out) noexcept;

// Whether there is one.
bool can_chi(Packed hand, int face, bool keep_one) noexcept;

} // namespace paohuzi
