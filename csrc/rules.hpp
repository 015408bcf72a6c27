// The rules of a table as the native side has them: divisions and xi (docs/rules.md 2 and 3), play (4), score
// (5).
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

// What a fan looks at: a number from 0 to COUNT_MAX (facts.hpp says how each is found).
enum class Fact : std::uint8_t {
    red,
    big,
    small,
    duidui,
    xiangxiangxi,
    yin,
    haidi,
    tianhu,
    dihu,
    dihu_discard,
    tinghu,
    own_draw,
    wang_diao,
    wang_diao_wang,
};
inline constexpr int FACT_COUNT = 14;
inline constexpr int COUNT_MAX = 26;
inline constexpr int FAN_MAX = 24;
inline constexpr int TOGETHER_MAX = 8;

struct Fan {
    Fact fact = Fact::red;
    std::uint8_t exclusive = 0; // of all fans with the same number here only the highest counts; 0: none
    std::int16_t alone = 0; // the total when it is the only fan; 0: its value
    std::array<std::int16_t, COUNT_MAX + 1> values{}; // by the number of the fact; 0: it does not apply
};

struct Together { // fans that count something else when they all apply
    std::uint32_t parts = 0; // bit by place in Scoring::fans
    std::int16_t value = 0;
};

enum class OwnDraw : std::uint8_t { nothing, tun, fan }; // what an own draw adds 1 to
enum class Combine : std::uint8_t { sum, product, none }; // none: no fan at all
enum class OtherShown : std::uint8_t { plain, tianhu, tianhu_own_draw }; // another's win on the shown tile

struct Scoring {
    std::int16_t tun_less = 12; // tun = (xi - tun_less) / tun_per, rounded down, at least 0
    std::int16_t tun_per = 3;
    std::int16_t tianhu_xi_factor = 1;
    OwnDraw own_draw = OwnDraw::tun;
    Combine combine = Combine::sum;
    OtherShown other_shown = OtherShown::plain;
    std::uint8_t fan_count = 0;
    std::uint8_t together_count = 0;
    std::array<Fan, FAN_MAX> fans{};
    std::array<Together, TOGETHER_MAX> together{};
};

// When a face goes dead for a player (docs/rules.md 4.7).
struct DeadTiles {
    bool chi_by_passed_chi = true;
    bool peng_by_passed_chi = true;
    bool peng_by_passed_peng = true;
    bool chi_by_passed_peng = true;
    bool chi_by_discard = true;
    bool peng_by_discard = true;
};

struct Play {
    std::uint8_t seats = 3;
    std::uint8_t wang = 0;
    bool discards_win = false;
    bool peng_forced = false;
    bool shown_hidden = false; // with four seats: the shown tile stays hidden, the wall's last tile is shown
    std::uint8_t wang_penalty =
        0; // what each holder of a wang pays a wang to each other one without, hand drawn
    DeadTiles dead;
};

struct Rules {
    Options options;
    Play play;
    Scoring scoring;
};

} // namespace paohuzi
