// What the fans look at: each fact is one small function with its name (docs/rules.md 5).
#pragma once

#include "context.hpp"
#include "rules.hpp"

#include <algorithm>
#include <array>

namespace paohuzi {

// What a group is worth under any table.
constexpr int xi_of(const XiTable &table, int code) {
    const Group &group = GROUPS[static_cast<std::size_t>(code)];
    const int face = group.faces[0];
    const std::size_t big = is_big(face);
    const std::size_t colour = big + 2 * static_cast<std::size_t>(is_red(face));
    switch (group.kind) {
    case Kind::run:
        return code != 0 && rank_of(face) == 0 ? table.r123[big] : 0;
    case Kind::r27a:
        return table.r27a[big];
    case Kind::peng:
        return table.peng[colour];
    case Kind::kan:
    case Kind::wei:
    case Kind::chouwei:
        return table.kan[colour];
    case Kind::pao:
        return table.pao[colour];
    case Kind::ti:
        return table.ti[colour];
    default:
        return 0;
    }
}

struct Looks { // of a group
    std::uint8_t size = 0;
    std::uint8_t red = 0;
    std::uint8_t big = 0;
    bool is_set = false; // pair, triplet or quad
    bool is_red_quad = false;
};

inline constexpr auto LOOKS = [] {
    std::array<Looks, CODE_COUNT> all{};
    for (int code = 1; code < CODE_COUNT; ++code) {
        const Group &group = GROUPS[static_cast<std::size_t>(code)];
        Looks &looks = all[static_cast<std::size_t>(code)];
        looks.size = group.size;
        for (std::size_t i = 0; i < group.size; ++i) {
            looks.red = static_cast<std::uint8_t>(looks.red + is_red(group.faces[i]));
            looks.big = static_cast<std::uint8_t>(looks.big + is_big(group.faces[i]));
        }
        looks.is_set = code >= PAIR_CODE;
        looks.is_red_quad = is_quad_code(code) && looks.red > 0;
    }
    return all;
}();

struct Facts {
    // Of the tiles.
    int red = 0;
    int big = 0;
    int small = 0;
    // Of the division.
    bool has_only_sets = false; // 对对胡
    bool has_xi_everywhere = false; // 项项息, the pair excepted
    int red_quads = 0;
    int wangs_beside_win = 0; // 王吊: in the winning tile's group, when there is nothing else in it
    // Of the way the hand was won.
    bool is_wang_win = false;
    bool is_own_draw = false;
    bool is_last_tile = false;
    bool is_tianhu = false;
    bool is_dihu = false;
    bool is_dihu_discard = false;
    bool is_tinghu = false;
};

struct FactEntry {
    const char *id;
    int most; // the greatest number that can be
    const char *chinese;
    const char *english;
    int (*number)(const Facts &facts);
};

// By Fact.
inline constexpr std::array<FactEntry, FACT_COUNT> FACTS{{
    {"red", COUNT_MAX, "红字", "red tiles", [](const Facts &facts) { return facts.red; }},
    {"big", COUNT_MAX, "大字", "big tiles", [](const Facts &facts) { return facts.big; }},
    {"small", COUNT_MAX, "小字", "small tiles", [](const Facts &facts) { return facts.small; }},
    {"duidui", 1, "各门都是坎、偎、碰、提、跑或将", "every group is a triplet, quad or pair",
     [](const Facts &facts) { return int{facts.has_only_sets}; }},
    {"xiangxiangxi", 1, "除将以外各门都有息", "every group but the pair has xi",
     [](const Facts &facts) { return int{facts.has_xi_everywhere}; }},
    {"yin", 6, "红字的跑或提", "red quads", [](const Facts &facts) { return facts.red_quads; }},
    {"haidi", 1, "胡墩上最后一张", "won on the wall's last tile",
     [](const Facts &facts) { return int{facts.is_last_tile}; }},
    {"tianhu", 1, "天胡", "forced heaven, or the dealer wins with the shown tile",
     [](const Facts &facts) { return int{facts.is_tianhu}; }},
    {"dihu", 1, "闲家胡亮张", "another than the dealer wins on the shown tile",
     [](const Facts &facts) { return int{facts.is_dihu}; }},
    {"dihu_discard", 1, "下家胡庄家打出的第一张", "next wins on the dealer's first discard",
     [](const Facts &facts) { return int{facts.is_dihu_discard}; }},
    {"tinghu", 1, "没有进过张", "won without having taken a tile in",
     [](const Facts &facts) { return int{facts.is_tinghu}; }},
    {"own_draw", 1, "自摸", "won on an own draw", [](const Facts &facts) { return int{facts.is_own_draw}; }},
    {"wang_diao", 3, "单独与所胡的牌成一门的王", "wangs that alone make a group with the winning tile",
     [](const Facts &facts) { return facts.wangs_beside_win; }},
    {"wang_diao_wang", 3, "所胡的牌是王，单独与它成一门的王", "the same, the winning tile being a wang too",
     [](const Facts &facts) { return facts.is_wang_win ? facts.wangs_beside_win : 0; }},
}};

inline const FactEntry &fact_entry(int fact) { return FACTS[static_cast<std::size_t>(fact)]; }

// Facts of the way the hand was won; those of the division and the tiles are added later.
Facts facts_of_win(const Query &query, const Scoring &scoring, const Context &context) noexcept;

// All of them, for a division of the query. Where the winning tile stands alone with wangs in several groups,
// as equal tiles may change places, `beside` tells of all: bit n for n wangs.
Facts facts_of(const Query &query, const Rules &rules, const Context &context, const Division &division,
               std::uint32_t &beside) noexcept;

} // namespace paohuzi
