#include "facts.hpp"

namespace paohuzi {

namespace {

int wangs_in(WangGroup group) { return __builtin_popcount(group >> 8); }

// The wangs beside the winning tile in a group that is it and wangs, 0 for any other group.
int wangs_beside(WangGroup group, int win) {
    const auto code = static_cast<std::size_t>(group & 255);
    const int own = GROUPS[code].size - wangs_in(group);
    const bool is_of_win = win == WANG ? own == 0 : own == 1 && GROUPS[code].faces[0] == win;
    return LOOKS[code].is_set && is_of_win ? GROUPS[code].size - 1 : 0;
}

void add_group(Facts &facts, const XiTable &xi, WangGroup group) {
    const int code = group & 255;
    const Looks &looks = LOOKS[static_cast<std::size_t>(code)];
    const bool is_pair = looks.size == 2;
    facts.red += looks.red;
    facts.big += looks.big;
    facts.small += looks.size - looks.big;
    facts.red_quads += looks.is_red_quad;
    facts.has_only_sets &= looks.is_set;
    facts.has_xi_everywhere &= is_pair || xi_of(xi, code) > 0;
}

} // namespace

Facts facts_of_win(const Query &query, const Scoring &scoring, const Context &context) noexcept {
    const bool is_others_shown = context.shown_tile && !context.dealer;
    const bool is_dealt_tianhu = context.heaven || (context.shown_tile && context.dealer);
    Facts facts;
    facts.is_wang_win = query.win == WANG;
    facts.is_last_tile = context.last_tile;
    facts.is_tianhu = is_dealt_tianhu || (is_others_shown && scoring.other_shown != OtherShown::plain);
    facts.is_own_draw = query.source == Source::self || is_dealt_tianhu ||
                        (is_others_shown && scoring.other_shown == OtherShown::tianhu_own_draw);
    facts.is_dihu = is_others_shown && scoring.other_shown == OtherShown::plain;
    facts.is_dihu_discard = context.first_discard;
    facts.is_tinghu = context.untouched && !facts.is_tianhu && !facts.is_dihu && !facts.is_dihu_discard;
    return facts;
}

Facts facts_of(const Query &query, const Rules &rules, const Context &context, const Division &division,
               std::uint32_t &beside) noexcept {
    Facts facts = facts_of_win(query, rules.scoring, context);
    facts.has_only_sets = true;
    facts.has_xi_everywhere = true;
    const bool may_stand_alone =
        query.source == Source::self && (division.route == Route::single || division.route == Route::wang);
    beside = 0;
    for (std::size_t i = 0; i < division.size; ++i) {
        add_group(facts, rules.options.xi, division.groups[i]);
        beside |= may_stand_alone ? 1U << wangs_beside(division.groups[i], query.win) : 0U;
    }
    beside &= ~1U;
    return facts;
}

} // namespace paohuzi
