// What a win pays, from its facts and its xi (docs/rules.md 5).
#pragma once

#include "facts.hpp"

namespace paohuzi {

struct Reckoning {
    std::int64_t payment = NO_DIVISION; // of each loser at stake 1; NO_DIVISION: no win
    std::int32_t fan = 0;               // the total that multiplies
    std::int32_t base = 0;
    std::int32_t tun = 0;
    std::int16_t xi = NO_DIVISION;
    std::uint32_t fans = 0; // bit by place in Scoring::fans, then those of Scoring::together

    bool is_win() const { return payment != NO_DIVISION; }
    bool is_less_than(const Reckoning &other) const {
        return payment != other.payment ? payment < other.payment : xi < other.xi;
    }
};

// A forced heaven may have more groups than a whole hand: a wang and one tile each beside its quads and kan.
inline constexpr int SCORED_GROUPS_MAX = 12;

// A reckoning and the groups that it is for.
struct ScoredDivision {
    Reckoning reckoning;
    Route route = Route::dealt;
    std::uint8_t size = 0;
    std::array<WangGroup, SCORED_GROUPS_MAX> groups{};
    std::array<std::int8_t, FACT_COUNT> numbers{}; // by Fact
};

int tun_of(const Scoring &scoring, int xi) noexcept;

std::array<std::int8_t, FACT_COUNT> numbers_of(const Facts &facts) noexcept; // by Fact

// What these facts and this xi pay, whether or not the xi suffices.
Reckoning reckon(const Scoring &scoring, const Facts &facts, int xi) noexcept;

} // namespace paohuzi
