#include "score_plain.hpp"

#include "colours.hpp"
#include "routes.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr Packed CASE_BITS = (Packed{1} << COUNT_BITS * RANK_COUNT) - 1;

// xi of one case divided into 1-2-3 and 2-7-10 only, NO_DIVISION if that cannot be.
int xi_runs_of_case(Packed tiles, int xi_each) {
    const Packed ones = count_of(tiles, 0);
    const Packed tens = count_of(tiles, 9);
    const Packed wanted =
        ones * (one_of(0) | one_of(1) | one_of(2)) + tens * (one_of(1) | one_of(6) | one_of(9));
    return tiles == wanted ? static_cast<int>(ones + tens) * xi_each : NO_DIVISION;
}

int xi_runs(Packed tiles) {
    const int small = xi_runs_of_case(tiles & CASE_BITS, CLASSIC.r123[0]);
    const int big = xi_runs_of_case(tiles >> COUNT_BITS * RANK_COUNT, CLASSIC.r123[1]);
    return small < 0 || big < 0 ? NO_DIVISION : small + big;
}

} // namespace

int xi_runs_and_pair(Packed tiles, bool owes_pair) {
    if (!owes_pair) {
        return xi_runs(tiles);
    }
    const Packed others = tiles & ~IN_XI_RUNS;
    if (others != 0) { // they can only be the pair, a single bit
        return (others & (others - 1)) == 0 && (others & ONES) == 0 ? xi_runs(tiles - others) : NO_DIVISION;
    }
    int best = NO_DIVISION;
    for (Packed pairs = tiles >> 1 & ONES; pairs != 0; pairs &= pairs - 1) { // counts of two and three
        best = std::max(best, xi_runs(tiles - 2 * (pairs & (~pairs + 1))));
    }
    return best;
}

namespace {

class PlainScore {
public:
    PlainScore(const Scorer &scorer, const Query &query, const Context &context)
        : scorer_(scorer), query_(query), facts_(facts_of_win(query, scorer.rules().scoring, context)) {
        count_colours(visible_tiles(query), facts_);
        for (const int code : query.exposed) {
            const Looks &looks = LOOKS[static_cast<std::size_t>(code)];
            is_all_sets_ &= code == 0 || looks.is_set;
            has_all_xi_ &= code == 0 || WORTHS[static_cast<std::size_t>(code)].xi > 0;
            facts_.red_quads += looks.is_red_quad;
        }
        facts_.red_quads += tile_count(query.hand >> 2 & ONES & RED_TILES);
    }

    void add(const Routes &routes, const RoutePlan &plan) {
        const int xi = routes.xi_of(plan);
        if (xi < scorer_.rules().options.min_xi) {
            return;
        }
        Facts facts = facts_;
        facts.red_quads += LOOKS[static_cast<std::size_t>(plan.new_code)].is_red_quad;
        take(facts, xi);
        if (scorer_.uses(Fact::xiangxiangxi) && has_all_xi_) {
            facts.has_xi_everywhere = true;
            take(facts, xi_everywhere(plan));
        }
        if (scorer_.uses(Fact::duidui) && is_all_sets_) {
            facts.has_xi_everywhere = true;
            facts.has_only_sets = true;
            take(facts, xi_of_sets(plan));
        }
    }

    const Reckoning &best() const { return best_; }

private:
    void take(const Facts &facts, int xi) {
        if (xi >= scorer_.rules().options.min_xi) {
            const Reckoning found = reckon(scorer_.rules().scoring, facts, xi);
            best_ = best_.is_less_than(found) ? found : best_;
        }
    }

    // xi of a division into triplets, quads and a pair: there is at most one.
    static int xi_of_sets(const RoutePlan &plan) {
        Packed free = plan.state.free;
        int xi = plan.xi + kan_sum(plan.state.kan);
        if (plan.state.foreign >= 0) { // held twice
            free -= 2 * one_of(plan.state.foreign);
            xi += peng_xi(plan.state.foreign);
        }
        const Packed pairs = free >> 1 & ONES;
        const bool is_divided = (free & ONES) == 0 && tile_count(pairs) == (plan.quads > 0);
        return is_divided ? xi : NO_DIVISION;
    }

    // The best xi of a division where every group but the pair has some.
    static int xi_everywhere(const RoutePlan &plan) {
        const bool owes_pair = plan.quads > 0;
        const int settled = plan.xi + kan_sum(plan.state.kan);
        const int win = plan.state.foreign;
        int xi = NO_DIVISION;
        if (win >= 0) { // held twice
            const int rest = xi_runs_and_pair(plan.state.free - 2 * one_of(win), owes_pair);
            xi = rest < 0 ? NO_DIVISION : rest + peng_xi(win);
        }
        xi = std::max(xi, xi_runs_and_pair(plan.state.free + (win >= 0 ? one_of(win) : 0), owes_pair));
        return xi < 0 ? NO_DIVISION : xi + settled;
    }

    const Scorer &scorer_;
    const Query &query_;
    Facts facts_;
    bool is_all_sets_ = true;
    bool has_all_xi_ = true;
    Reckoning best_;
};

} // namespace

Reckoning best_plain_score(const Scorer &scorer, const Query &query, const Context &context) noexcept {
    const Holding holding(query);
    const Routes routes(holding, scorer.rules().options.wang_in_quad);
    PlainScore score(scorer, query, context);
    routes.for_each_route(query.win, query.source, [&](const RoutePlan &plan) { score.add(routes, plan); });
    return score.best();
}

} // namespace paohuzi
