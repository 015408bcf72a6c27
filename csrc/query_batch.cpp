#include "query_batch.hpp"

#include "check.hpp"
#include "kernels.hpp"
#include "plain_answer.hpp"
#include "solver.hpp"
#include "tables.hpp"

#include <algorithm>
#include <numeric>

namespace paohuzi {

namespace {

// A block of queries without wang: the first way of each in one go, further ways for the few that have some.
class PlainBlock {
public:
    // As Kernels::solve_queries. A query is taken over before it is checked: what another thread may write to
    // it meanwhile changes the answer, and nothing else.
    std::size_t solve(const Query *queries, std::size_t n, std::int16_t *out, std::uint16_t *open) {
        std::size_t open_count = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Query query = queries[i];
            const bool is_open = check(query) != Fault::none || has_wang(query);
            read(is_open ? Query{} : query, i);
            open[open_count] = static_cast<std::uint16_t>(i);
            open_count += is_open;
        }
        answer(n, out);
        return open_count;
    }

private:
    void read(const Query &query, std::size_t place) {
        const Holding holding(query);
        const PlainAnswer answer(holding);
        const auto lookup = answer.first(query.win, query.source);
        left_[place] = lookup.left;
        right_[place] = lookup.right;
        more_[place] = lookup.xi;
        further_[further_count_] = query;
        places_[further_count_] = place;
        further_count_ += answer.has_others(query.win, query.source);
    }

    void answer(std::size_t n, std::int16_t *out) {
        int rest[QUERY_BLOCK];
        kernels().plain(left_, right_, QUERY_BLOCK, rest);
        for (std::size_t i = 0; i < n; ++i) {
            out[i] =
                static_cast<std::int16_t>(rest[i] < 0 || more_[i] < 0 ? NO_DIVISION : rest[i] + more_[i]);
        }
        for (std::size_t i = 0; i < further_count_; ++i) {
            const Query &query = further_[i];
            const Holding holding(query);
            const int xi = PlainAnswer(holding).others(query.win, query.source);
            out[places_[i]] = std::max(out[places_[i]], static_cast<std::int16_t>(xi));
        }
    }

    int left_[QUERY_BLOCK] = {};
    int right_[QUERY_BLOCK] = {};
    int more_[QUERY_BLOCK];
    Query further_[QUERY_BLOCK];
    std::size_t places_[QUERY_BLOCK];
    std::size_t further_count_ = 0;
};

std::size_t solve_plainly(const Query *queries, std::size_t n, std::int16_t *out, std::uint16_t *open) {
    return PlainBlock().solve(queries, n, out, open);
}

struct Answer {
    std::int16_t xi;
    std::uint8_t fault;
};

Answer solve_one(Query query, const Options &options) {
    const Fault fault = check(query);
    const int xi = fault == Fault::none ? best_xi(query, options) : NO_DIVISION;
    return {static_cast<std::int16_t>(xi), static_cast<std::uint8_t>(fault)};
}

} // namespace

void solve_queries(const Query *queries, std::size_t n, const Options &options, std::int16_t *xi,
                   std::uint8_t *faults) noexcept {
    const bool by_tables = is_covered(options) && tables.chunks != nullptr;
    const auto solve = kernels().solve_queries != nullptr ? kernels().solve_queries : solve_plainly;
    for (std::size_t start = 0; start < n; start += QUERY_BLOCK) {
        const std::size_t size = std::min(QUERY_BLOCK, n - start);
        std::uint16_t open[QUERY_BLOCK];
        std::size_t open_count = size;
        if (by_tables) {
            open_count = solve(queries + start, size, xi + start, open);
            std::fill_n(faults + start, size, std::uint8_t{0});
        } else {
            std::iota(open, open + size, std::uint16_t{0});
        }
        for (std::size_t i = 0; i < open_count; ++i) {
            const std::size_t row = start + open[i];
            const Answer answer = solve_one(queries[row], options);
            xi[row] = answer.xi;
            faults[row] = answer.fault;
        }
    }
}

} // namespace paohuzi
