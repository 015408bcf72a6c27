#include "scoring.hpp"

#include "backtracker.hpp"
#include "heaven.hpp"
#include "routes.hpp"
#include "score_plain.hpp"
#include "score_wang.hpp"
#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

Backtracker backtracker;

namespace {

bool are_tables_ready(bool wang) {
    const auto is_attached = [wang] {
        return !backtracker.is_preferred && tables.chunks != nullptr && (!wang || tables.wang.is_attached());
    };
    return is_attached() ||
           (backtracker.attach_tables != nullptr && backtracker.attach_tables(wang) != 0 && is_attached());
}

// What is carried through the divisions of a query.
struct Walk {
    const Scorer &scorer;
    const Query &query;
    const Context &context;
    Reckoning best;
    ScoredDivision *found = nullptr; // to be filled with the first that pays the best

    Reckoning look_at(const Division &division) const { return scorer.of_division(query, context, division); }
    void keep(const Reckoning &reckoning, const Division &division) const {
        found->reckoning = reckoning;
        found->route = division.route;
        found->size = division.size;
        std::copy(division.groups.begin(), division.groups.end(), found->groups.begin());
        found->numbers = numbers_of(scorer.best_facts(query, context, division));
    }
    bool is_best(const Reckoning &reckoning) const {
        return !reckoning.is_less_than(best) && !best.is_less_than(reckoning);
    }
};

int keep_best(void *place, const Division *division) {
    auto &walk = *static_cast<Walk *>(place);
    const Reckoning reckoning = walk.look_at(*division);
    walk.best = walk.best.is_less_than(reckoning) ? reckoning : walk.best;
    return 1;
}

int stop_at_best(void *place, const Division *division) {
    const auto &walk = *static_cast<Walk *>(place);
    const Reckoning reckoning = walk.look_at(*division);
    if (!walk.is_best(reckoning)) {
        return 1;
    }
    walk.keep(reckoning, *division);
    return 0;
}

Reckoning best_of_all(const Scorer &scorer, const Query &query, const Context &context) {
    const Options &options = scorer.rules().options;
    Walk walk{scorer, query, context, {}};
    backtracker.for_each_division(&query, &options, options.min_xi, &walk, keep_best);
    return walk.best;
}

// The first division that pays the best.
ScoredDivision first_of(const Scorer &scorer, const Query &query, const Context &context,
                        const Reckoning &best) {
    const Options &options = scorer.rules().options;
    ScoredDivision found;
    Walk walk{scorer, query, context, best, &found};
    Division division;
    if (paohuzi::best_division(query, options, &division) == best.xi) {
        stop_at_best(&walk, &division);
    }
    if (!found.reckoning.is_win()) {
        backtracker.for_each_division(&query, &options, best.xi, &walk, stop_at_best);
    }
    return found;
}

} // namespace

Reckoning best_score(const Scorer &scorer, const Query &query, const Context &context) noexcept {
    if (context.heaven) {
        return best_heaven(query, scorer.rules()).reckoning;
    }
    if (!scorer.may_win(query)) {
        return {};
    }
    const bool wang = has_wang(query);
    if (!is_covered(scorer.rules().options) || !are_tables_ready(wang)) {
        return best_of_all(scorer, query, context);
    }
    if (!wang && scorer.is_rising()) {
        return best_plain_score(scorer, query, context);
    }
    if (wang && scorer.counts_colour_only()) {
        const WangReckoning found = best_wang_score(scorer, query, context);
        if (found.is_found) {
            return found.has_tie ? first_of(scorer, query, context, found.best).reckoning : found.best;
        }
    }
    return best_of_all(scorer, query, context);
}

ScoredDivision best_scored_division(const Scorer &scorer, const Query &query,
                                    const Context &context) noexcept {
    if (context.heaven) {
        return best_heaven(query, scorer.rules());
    }
    const Reckoning best = best_score(scorer, query, context);
    return best.is_win() ? first_of(scorer, query, context, best) : ScoredDivision{};
}

Reckoning best_score(const Query &query, const Rules &rules, const Context &context) noexcept {
    return best_score(Scorer(rules), query, context);
}

int exact_xi(const Query &query, const Options &options) noexcept {
    if (is_covered(options) && are_tables_ready(has_wang(query))) {
        const int xi = best_xi(query, options);
        if (xi != NOT_COVERED) {
            return xi;
        }
    }
    return backtracker.best_xi(&query, &options);
}

int part_xi(const Query &query, const Options &options) noexcept {
    return backtracker.best_part(&query, &options);
}

} // namespace paohuzi
