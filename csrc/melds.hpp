// Groups with every choice of wangs, and what they are worth under the classic table.
#pragma once

#include "groups.hpp"
#include "rules.hpp"

#include <array>
#include <vector>

namespace paohuzi {

inline constexpr XiTable CLASSIC{};

constexpr int kan_xi(int face) { return CLASSIC.kan[is_big(face)]; }
constexpr int peng_xi(int face) { return CLASSIC.peng[is_big(face)]; }
constexpr int pao_xi(int face) { return CLASSIC.pao[is_big(face)]; }
constexpr int ti_xi(int face) { return CLASSIC.ti[is_big(face)]; }

struct Worth {
    std::int16_t xi = 0;
    std::uint8_t is_quad = 0;
    std::uint8_t is_group = 0;
};

constexpr int group_xi(int code) {
    const Group &group = GROUPS[static_cast<std::size_t>(code)];
    const bool big = is_big(group.faces[0]);
    switch (group.kind) {
    case Kind::run:
        return rank_of(group.faces[0]) == 0 ? CLASSIC.r123[big] : 0;
    case Kind::r27a:
        return CLASSIC.r27a[big];
    case Kind::peng:
        return CLASSIC.peng[big];
    case Kind::kan:
    case Kind::wei:
    case Kind::chouwei:
        return CLASSIC.kan[big];
    case Kind::pao:
        return CLASSIC.pao[big];
    case Kind::ti:
        return CLASSIC.ti[big];
    default:
        return 0;
    }
}

inline constexpr auto WORTHS = [] {
    std::array<Worth, CODE_COUNT> worths{};
    for (int code = 1; code < CODE_COUNT; ++code) {
        const Group &group = GROUPS[static_cast<std::size_t>(code)];
        worths[static_cast<std::size_t>(code)] = {static_cast<std::int16_t>(group_xi(code)),
                                                  static_cast<std::uint8_t>(group.size == 4), 1};
    }
    return worths;
}();

// Whose tiles a group may be made of.
enum class Use : std::uint8_t {
    any,     // own ones and another player's
    own,     // a triplet or quad with wangs
    kan,     // a kan, by itself or with a wang
    foreign, // another player's tile must be in it: peng, pao
};

struct Meld {
    std::uint8_t code = 0;
    std::uint8_t wang_mask = 0;
    std::uint8_t wangs = 0;
    std::uint8_t own_count = 0;
    std::int8_t lowest = WANG; // lowest face with an own tile; WANG: none
    Use use = Use::any;
    bool is_pair = false;
    bool is_quad = false;
    std::int16_t xi = 0;
    Packed need = 0; // own tiles, and what they take from the patterns
    int left = 0;
    int right = 0;
};

using MeldLists = std::vector<std::vector<Meld>>; // by lowest face, in the fixed order: code, then mask

extern const MeldLists MELDS;
extern const MeldLists PLAIN_MELDS; // those without wangs
extern const MeldLists MELDS_WITH;  // by each face held: those that may take another player's tile of it

constexpr std::size_t CHI_MAX = 6;

struct ChiWith { // the groups of three that hold a face beside two others: up to three runs, 2-7-10, two 绞
    std::array<Meld, CHI_MAX> others; // what the two others take
    std::size_t size = 0;
};

extern const std::array<ChiWith, FACE_COUNT> CHI_WITH;

} // namespace paohuzi
