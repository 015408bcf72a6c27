// The codes of groups: one byte for every group that tiles alone can form (docs/rules.md 2).
#pragma once

#include "tiles.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

enum class Kind : std::uint8_t { run, r27a, jiao, pair, peng, kan, wei, chouwei, pao, ti };

// First code of each kind; code 0 is "no group".
inline constexpr int RUN_CODE = 1;       // + start: 0-7 small 1-2-3 to 8-9-10, 8-15 big
inline constexpr int R27A_CODE = 17;     // + case
inline constexpr int JIAO_SMALL_CODE = 19; // + rank: two small tiles and one big
inline constexpr int JIAO_BIG_CODE = 29;   // + rank: one small tile and two big
inline constexpr int PAIR_CODE = 39;     // + face, and so on below
inline constexpr int PENG_CODE = 59;
inline constexpr int KAN_CODE = 79;
inline constexpr int WEI_CODE = 99;
inline constexpr int CHOUWEI_CODE = 119;
inline constexpr int PAO_CODE = 139;
inline constexpr int TI_CODE = 159;
inline constexpr int CODE_COUNT = 179;

struct Group {
    Kind kind{};
    std::uint8_t size = 0;
    std::array<std::uint8_t, 4> faces{}; // ascending
};

constexpr Group make_group(int code) {
    Group group;
    auto fill = [&group](Kind kind, int size, int a, int b, int c, int d) {
        group.kind = kind;
        group.size = static_cast<std::uint8_t>(size);
        group.faces = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b),
                       static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(d)};
    };
    if (code >= TI_CODE) {
        const int f = code - TI_CODE;
        fill(Kind::ti, 4, f, f, f, f);
    } else if (code >= PAO_CODE) {
        const int f = code - PAO_CODE;
        fill(Kind::pao, 4, f, f, f, f);
    } else if (code >= PENG_CODE) {
        const int f = (code - PENG_CODE) % FACE_COUNT;
        const Kind kinds[] = {Kind::peng, Kind::kan, Kind::wei, Kind::chouwei};
        fill(kinds[(code - PENG_CODE) / FACE_COUNT], 3, f, f, f, 0);
    } else if (code >= PAIR_CODE) {
        const int f = code - PAIR_CODE;
        fill(Kind::pair, 2, f, f, 0, 0);
    } else if (code >= JIAO_BIG_CODE) {
        const int r = code - JIAO_BIG_CODE;
        fill(Kind::jiao, 3, r, r + RANK_COUNT, r + RANK_COUNT, 0);
    } else if (code >= JIAO_SMALL_CODE) {
        const int r = code - JIAO_SMALL_CODE;
        fill(Kind::jiao, 3, r, r, r + RANK_COUNT, 0);
    } else if (code >= R27A_CODE) {
        const int base = (code - R27A_CODE) * RANK_COUNT;
        fill(Kind::r27a, 3, base + 1, base + 6, base + 9, 0);
    } else if (code >= RUN_CODE) {
        const int start = code - RUN_CODE;
        const int face = start < 8 ? start : start - 8 + RANK_COUNT;
        fill(Kind::run, 3, face, face + 1, face + 2, 0);
    }
    return group;
}

inline constexpr auto GROUPS = [] {
    std::array<Group, CODE_COUNT> groups{};
    for (int code = 1; code < CODE_COUNT; ++code) {
        groups[static_cast<std::size_t>(code)] = make_group(code);
    }
    return groups;
}();

// The tiles of each group as a packed hand.
inline constexpr auto GROUP_TILES = [] {
    std::array<Packed, CODE_COUNT> tiles{};
    for (std::size_t code = 1; code < tiles.size(); ++code) {
        for (int i = 0; i < GROUPS[code].size; ++i) {
            tiles[code] += one_of(GROUPS[code].faces[static_cast<std::size_t>(i)]);
        }
    }
    return tiles;
}();

constexpr bool is_quad_code(int code) { return code >= PAO_CODE; }

// A group that may hold wangs: the code, and in bits 8-11 which of its tiles (in the order of
// Group::faces; among equal faces the last ones) are wangs.
using WangGroup = std::uint16_t;
constexpr WangGroup wang_group(int code, int wang_mask) {
    return static_cast<WangGroup>(code | wang_mask << 8);
}

} // namespace paohuzi
