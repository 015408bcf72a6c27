#include "scorer.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

bool is_of_shape(Fact fact) { return fact == Fact::duidui || fact == Fact::xiangxiangxi; }

std::int64_t highest_total(const Scoring &scoring, std::uint32_t parts) {
    const bool is_product = scoring.combine == Combine::product;
    std::int64_t total = is_product;
    for (; parts != 0; parts &= parts - 1) {
        const auto &values = scoring.fans[static_cast<std::size_t>(__builtin_ctz(parts))].values;
        const std::int64_t highest = *std::max_element(values.begin(), values.end());
        total = is_product ? total * highest : total + highest;
    }
    return total;
}

// Whether 对对胡 or 项项息 never lower what the other fans pay.
bool does_rise(const Scoring &scoring) {
    std::uint32_t shape_fans = 0;
    for (std::size_t i = 0; i < scoring.fan_count; ++i) {
        const Fan &fan = scoring.fans[i];
        if (is_of_shape(fan.fact)) {
            shape_fans |= 1U << i;
            if (fan.values[0] != 0) {
                return false;
            }
        }
        for (const std::int16_t value : fan.values) {
            if (value != 0 && fan.alone > value) {
                return false;
            }
        }
    }
    if (shape_fans == 0) {
        return true;
    }
    return std::all_of(scoring.together.begin(), scoring.together.begin() + scoring.together_count,
                       [&](const Together &together) {
                           return (together.parts & shape_fans) != 0 &&
                                  together.value >= highest_total(scoring, together.parts);
                       });
}

constexpr std::uint32_t bit_of(Fact fact) { return 1U << static_cast<int>(fact); }
constexpr std::uint32_t NOT_COLOUR = bit_of(Fact::big) | bit_of(Fact::small) | bit_of(Fact::duidui) |
                                     bit_of(Fact::xiangxiangxi) | bit_of(Fact::yin);

} // namespace

Scorer::Scorer(const Rules &rules) noexcept : rules_(rules), is_rising_(does_rise(rules.scoring)) {
    for (std::size_t i = 0; i < rules.scoring.fan_count; ++i) {
        facts_used_ |= bit_of(rules.scoring.fans[i].fact);
    }
    counts_colour_only_ = (facts_used_ & NOT_COLOUR) == 0;
}

Facts Scorer::best_facts(const Query &query, const Context &context,
                         const Division &division) const noexcept {
    std::uint32_t beside = 0;
    Facts facts = facts_of(query, rules_, context, division, beside);
    std::int64_t highest = NO_DIVISION;
    Facts best = facts;
    for (; beside != 0; beside &= beside - 1) {
        facts.wangs_beside_win = __builtin_ctz(beside);
        const std::int64_t payment = reckon(rules_.scoring, facts, division.xi).payment;
        if (payment > highest) {
            highest = payment;
            best = facts;
        }
    }
    return best;
}

Reckoning Scorer::of_division(const Query &query, const Context &context,
                              const Division &division) const noexcept {
    if (!may_win(query) || division.xi < rules_.options.min_xi) {
        return {};
    }
    return reckon(rules_.scoring, best_facts(query, context, division), division.xi);
}

} // namespace paohuzi
