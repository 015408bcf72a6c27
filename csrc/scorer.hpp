// Rules with what is known beforehand about their score.
#pragma once

#include "reckoning.hpp"

namespace paohuzi {

class Scorer {
public:
    explicit Scorer(const Rules &rules) noexcept;

    const Rules &rules() const { return rules_; }

    // Whether such a win counts at all.
    bool may_win(const Query &query) const {
        return query.source != Source::discard || rules_.play.discards_win;
    }
    // What a division pays; no win when its xi is too low.
    Reckoning of_division(const Query &query, const Context &context,
                          const Division &division) const noexcept;
    // What fans look at in a division; the winning tile stands where it pays most.
    Facts best_facts(const Query &query, const Context &context, const Division &division) const noexcept;

    bool uses(Fact fact) const { return (facts_used_ >> static_cast<int>(fact) & 1) != 0; }
    // 对对胡 and 项项息 never lower what the other fans pay.
    bool is_rising() const { return is_rising_; }
    // Only the colours of the tiles and the way of winning count, so that wangs need no look at the division.
    bool counts_colour_only() const { return counts_colour_only_; }

private:
    Rules rules_;
    std::uint32_t facts_used_ = 0;
    bool is_rising_ = false;
    bool counts_colour_only_ = false;
};

} // namespace paohuzi
