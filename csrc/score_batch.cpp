#include "score_batch.hpp"

#include "colours.hpp"
#include "kernels.hpp"
#include "pack.hpp"
#include "routes.hpp"
#include "score_plain.hpp"
#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr Packed CASE_BITS = (Packed{1} << COUNT_BITS * RANK_COUNT) - 1;

// Sum of ten counts of three bits.
constexpr int sum_of_case(Packed tiles) {
    constexpr Packed SIXES = 0707070707;
    tiles = (tiles & SIXES) + (tiles >> COUNT_BITS & SIXES);
    return static_cast<int>(tiles * 0101010101 >> 24 & 63);
}

// Red tiles: ranks 2, 7 and 10 of both cases added up in lanes of four bits or more.
constexpr int red_of(Packed hand) {
    constexpr Packed REDS = RED_TILES & CASE_BITS;
    const Packed both = (hand & REDS) + (hand >> COUNT_BITS * RANK_COUNT & REDS);
    return static_cast<int>((both >> 3 & 15) + (both >> 18 & 15) + (both >> 27));
}

// The same of a row of counts, a byte each.
struct RowWords {
    std::uint64_t low = 0;
    std::uint64_t middle = 0;
    std::uint64_t high = 0;

    explicit RowWords(const std::uint8_t *row) {
        std::memcpy(&low, row, 8);
        std::memcpy(&middle, row + 8, 8);
        std::memcpy(&high, row + 16, 4);
    }
    static int sum(std::uint64_t bytes) { return static_cast<int>(bytes * 0x0101010101010101 >> 56); }
};

struct WholeHand {
    Packed hand;
    int wangs;
};

inline WholeHand with_wangs(Packed hand, int more) {
    const Packed whole = hand + (static_cast<Packed>(more) << COUNT_BITS * WANG);
    return {whole, wang_count(whole)};
}

bool is_whole(Packed hand) {
    Query query;
    query.hand = hand;
    return check(query) == Fault::none;
}

int sum_of_pairs(Packed free) { return __builtin_popcountll(free >> 1 & ONES & TILE_BITS); }

// xi of the kan and quads.
int settled_xi(Packed hand) {
    const Packed quads = hand >> 2 & ONES & TILE_BITS;
    const Packed kan = hand & hand >> 1 & ONES & TILE_BITS & ~quads;
    const auto worth = [](Packed faces, int small, int big) {
        return small * __builtin_popcountll(faces & CASE_BITS) +
               big * __builtin_popcountll(faces & BIG_TILES);
    };
    return worth(kan, kan_xi(0), kan_xi(RANK_COUNT)) + worth(quads, ti_xi(0), ti_xi(RANK_COUNT));
}

constexpr std::uint64_t bytes_of(Packed faces, int first) { // 255 for each of eight faces in the set
    std::uint64_t bytes = 0;
    for (int i = 0; i < 8 && first + i < FACE_COUNT; ++i) {
        bytes |= count_of(faces, first + i) != 0 ? std::uint64_t{255} << 8 * i : 0;
    }
    return bytes;
}

} // namespace

struct HandScores::Counts {
    int tiles; // wangs apart
    int big;
    int red;
    int wangs;

    static Counts of(Packed hand, int wangs) {
        const int big = sum_of_case(hand >> COUNT_BITS * RANK_COUNT & CASE_BITS);
        return {sum_of_case(hand & CASE_BITS) + big, big, red_of(hand), wangs};
    }
    static Counts of(const RowWords &row, int wangs) {
        constexpr std::uint64_t RED[] = {bytes_of(RED_TILES, 0), bytes_of(RED_TILES, 8),
                                         bytes_of(RED_TILES, 16)};
        constexpr std::uint64_t BIG = bytes_of(BIG_TILES, 8);
        return {RowWords::sum(row.low + row.middle + row.high), RowWords::sum((row.middle & BIG) + row.high),
                RowWords::sum((row.low & RED[0]) + (row.middle & RED[1]) + (row.high & RED[2])), wangs};
    }
};

ScoreRow score_row(const Reckoning &reckoning) noexcept {
    return {static_cast<std::int32_t>(reckoning.payment), reckoning.fan, reckoning.fans,
            static_cast<std::int16_t>(reckoning.base), reckoning.xi};
}

HandScores::HandScores(const Scorer &scorer)
    : scorer_(scorer), min_xi_(scorer.rules().options.min_xi),
      is_covered_(is_covered(scorer.rules().options) && scorer.is_rising()),
      looks_at_sets_(scorer.uses(Fact::duidui)), looks_at_xi_(scorer.uses(Fact::xiangxiangxi)),
      looks_at_quads_(scorer.uses(Fact::yin)),
      looks_at_division_(looks_at_sets_ || looks_at_xi_ || looks_at_quads_) {
    const int variants = looks_at_quads_ ? (QUADS_KNOWN + 1) * SHAPE_COUNT : int{SHAPE_COUNT};
    entries_.resize(static_cast<std::size_t>(variants * TILE_NUMBERS * BIG_COUNT * RED_COUNT));
    const Scoring &scoring = scorer.rules().scoring;
    Facts facts = facts_of_win(Query{}, scoring, Context{});
    for (int variant = 0; variant < variants; ++variant) {
        const int shape = variant % SHAPE_COUNT;
        facts.red_quads = variant / SHAPE_COUNT;
        facts.has_xi_everywhere = shape != any_shape;
        facts.has_only_sets = shape == only_sets;
        if (shape == any_shape || looks_at_sets_ || looks_at_xi_) {
            fill(variant, facts);
        }
    }
    for (std::size_t xi = 0; xi < bases_.size(); ++xi) {
        bases_[xi] = static_cast<std::int16_t>(reckon(scoring, facts, static_cast<int>(xi)).base);
    }
    if (scorer.counts_colour_only()) {
        find_settled();
    }
}

void HandScores::fill(int variant, Facts facts) {
    for (int tiles = 0; tiles < TILE_NUMBERS; ++tiles) {
        for (facts.big = 0; facts.big < BIG_COUNT; ++facts.big) {
            facts.small = LEAST_TILES + tiles - facts.big;
            for (facts.red = 0; facts.red < RED_COUNT && facts.small >= 0; ++facts.red) {
                const Reckoning reckoning = reckon(scorer_.rules().scoring, facts, 0);
                at(variant, tiles, facts.big, facts.red) = {reckoning.fan, reckoning.fans};
            }
        }
    }
}

void HandScores::find_settled() {
    for (int wangs = 0; wangs <= WANG_MAX; ++wangs) {
        for (int red = 0; red + wangs < RED_COUNT; ++red) {
            bool is_settled = true;
            for (int more = 1; more <= wangs; ++more) {
                const Entry &one = at(any_shape, 0, 0, red);
                const Entry &other = at(any_shape, 0, 0, red + more);
                is_settled &= one.fans == other.fans && one.fan == other.fan;
            }
            settled_[static_cast<std::size_t>(wangs)] |= static_cast<std::uint32_t>(is_settled) << red;
        }
    }
}

inline ScoreRow HandScores::row_of(const Counts &counts, int variant, int xi) const {
    const int tiles = counts.tiles + counts.wangs - LEAST_TILES;
    const int place = ((variant * TILE_NUMBERS + tiles) * BIG_COUNT + counts.big) * RED_COUNT + counts.red;
    const Entry &found = entries_[static_cast<std::size_t>(place)];
    const std::int16_t base = bases_[static_cast<std::size_t>(xi)];
    return {base * found.fan, found.fan, found.fans, base, static_cast<std::int16_t>(xi)};
}

ScoreRow HandScores::slowly(Packed hand) const {
    Query query;
    query.hand = hand;
    return score_row(best_score(scorer_, query, Context{}));
}

// The better of a row and what a division into sets, or one with xi everywhere, pays.
ScoreRow HandScores::with_shape(const Counts &counts, Packed hand, int variant, int xi,
                                const ScoreRow &row) const {
    const Packed free = free_tiles(hand);
    const bool has_quad = (hand >> 2 & ONES & TILE_BITS) != 0;
    if (looks_at_sets_ && (free & ONES) == 0 && sum_of_pairs(free) == has_quad) {
        return row_of(counts, variant + only_sets, xi); // the only division there is
    }
    if (!looks_at_xi_ || (free & ONES & ~IN_XI_RUNS) != 0) {
        return row;
    }
    const int rest = xi_runs_and_pair(free, has_quad);
    const int all = rest < 0 ? NO_DIVISION : rest + settled_xi(hand);
    if (all < min_xi_ || all < 0) {
        return row;
    }
    const ScoreRow other = row_of(counts, variant + with_xi_everywhere, all);
    const bool is_better = other.payment != row.payment ? other.payment > row.payment : other.xi >= row.xi;
    return is_better ? other : row;
}

// Without wang.
inline ScoreRow HandScores::plain(const Counts &counts, Packed hand, int xi) const {
    if (!looks_at_division_) {
        return row_of(counts, any_shape, xi);
    }
    int variant = any_shape;
    const Packed red_quads = hand >> 2 & ONES & RED_TILES;
    if (looks_at_quads_ && red_quads != 0) {
        const int count = __builtin_popcountll(red_quads);
        if (count > QUADS_KNOWN) {
            return slowly(hand);
        }
        variant = count * SHAPE_COUNT;
    }
    const ScoreRow row = row_of(counts, variant, xi);
    const Packed odd = free_tiles(hand) & ONES & ~IN_XI_RUNS;
    return odd != 0 || !(looks_at_sets_ || looks_at_xi_) ? row : with_shape(counts, hand, variant, xi, row);
}

// answer(start, size, xi) finds the best xi of a block, hand_at(row) packs a hand, count(row, wangs) its
// tiles.
template <class Answer, class Hand, class Count>
std::size_t HandScores::of_hands(std::size_t n, const std::uint8_t *wang, ScoreRow *out, Answer answer,
                                 Hand hand_at, Count count) const {
    constexpr std::size_t BLOCK = 256;
    std::int8_t xi[BLOCK];
    std::fill(xi, xi + BLOCK, std::int8_t{NOT_COVERED});
    for (std::size_t start = 0; start < n; start += BLOCK) {
        const std::size_t size = std::min(BLOCK, n - start);
        if (is_covered_) {
            answer(start, size, xi);
        }
        for (std::size_t row = start; row < start + size; ++row) {
            const int best_xi = xi[row - start];
            if (best_xi < min_xi_ && best_xi >= NO_DIVISION) {
                out[row] = {};
                continue;
            }
            const auto [hand, wangs] = hand_at(row, wang == nullptr ? 0 : int{wang[row]});
            if (best_xi < 0) {
                if (!is_whole(hand)) {
                    return row;
                }
                out[row] = slowly(hand);
                continue;
            }
            const Counts counts = count(row, wangs);
            const bool is_settled = (settled_[static_cast<std::size_t>(wangs)] >> counts.red & 1) != 0;
            out[row] = wangs == 0   ? plain(counts, hand, best_xi)
                       : is_settled ? row_of(counts, any_shape, best_xi)
                                    : slowly(hand);
        }
    }
    return n;
}

std::size_t HandScores::of_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                                const std::uint8_t *wang, ScoreRow *out) const noexcept {
    const auto row_at = [=](std::size_t row) { return rows + static_cast<std::ptrdiff_t>(row) * stride; };
    return of_hands(
        n, wang, out,
        [&](std::size_t start, std::size_t size, std::int8_t *xi) {
            max_xi_rows(row_at(start), stride, size, width, wang == nullptr ? nullptr : wang + start, xi);
        },
        [&](std::size_t row, int more) { return with_wangs(pack_row(row_at(row), width), more); },
        [&](std::size_t row, int wangs) { return Counts::of(RowWords(row_at(row)), wangs); });
}

std::size_t HandScores::of_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                                  ScoreRow *out) const noexcept {
    return of_hands(
        n, wang, out,
        [&](std::size_t start, std::size_t size, std::int8_t *xi) {
            max_xi_packed(hands + start, size, wang == nullptr ? nullptr : wang + start, xi);
        },
        [&](std::size_t row, int more) { return with_wangs(hands[row], more); },
        [&](std::size_t row, int wangs) { return Counts::of(hands[row], wangs); });
}

} // namespace paohuzi
