#include "score_batch.hpp"

#include "colours.hpp"
#include "kernels.hpp"
#include "pack.hpp"
#include "routes.hpp"
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

    static Counts of(Packed hand) {
        const int big = sum_of_case(hand >> COUNT_BITS * RANK_COUNT & CASE_BITS);
        return {sum_of_case(hand & CASE_BITS) + big, big, red_of(hand), wang_count(hand)};
    }
    static Counts of(const RowWords &row, int wangs) {
        constexpr std::uint64_t RED[] = {bytes_of(RED_TILES, 0), bytes_of(RED_TILES, 8),
                                         bytes_of(RED_TILES, 16)};
        constexpr std::uint64_t BIG = bytes_of(BIG_TILES, 8);
        return {RowWords::sum(row.low + row.middle + row.high), RowWords::sum((row.middle & BIG) + row.high),
                RowWords::sum((row.low & RED[0]) + (row.middle & RED[1]) + (row.high & RED[2])), wangs};
    }
};

HandScores::HandScores(const Scorer &scorer)
    : scorer_(scorer), min_xi_(scorer.rules().options.min_xi),
      is_covered_(is_covered(scorer.rules().options)), looks_at_sets_(scorer.uses(Fact::duidui)),
      looks_at_xi_(scorer.uses(Fact::xiangxiangxi)), looks_at_quads_(scorer.uses(Fact::yin)),
      entries_(static_cast<std::size_t>(TILE_NUMBERS * BIG_COUNT * RED_COUNT)) {
    const Scoring &scoring = scorer.rules().scoring;
    Facts facts = facts_of_win(Query{}, scoring, Context{});
    for (int tiles = 0; tiles < TILE_NUMBERS; ++tiles) {
        for (facts.big = 0; facts.big < BIG_COUNT; ++facts.big) {
            facts.small = LEAST_TILES + tiles - facts.big;
            for (facts.red = 0; facts.red < RED_COUNT && facts.small >= 0; ++facts.red) {
                const Reckoning reckoning = reckon(scoring, facts, 0);
                entry(tiles, facts.big, facts.red) = {reckoning.fan, reckoning.fans};
            }
        }
    }
    for (std::size_t xi = 0; xi < bases_.size(); ++xi) {
        bases_[xi] = static_cast<std::int16_t>(reckon(scoring, facts, static_cast<int>(xi)).base);
    }
    for (std::size_t wangs = 0; wangs < settled_.size() && scorer.counts_colour_only(); ++wangs) {
        std::uint32_t settled = 0;
        for (int red = 0; red + static_cast<int>(wangs) < RED_COUNT; ++red) {
            bool is_settled = true;
            for (int more = 1; more <= static_cast<int>(wangs); ++more) {
                is_settled &= entry(0, 0, red).fans == entry(0, 0, red + more).fans &&
                              entry(0, 0, red).fan == entry(0, 0, red + more).fan;
            }
            settled |= static_cast<std::uint32_t>(is_settled) << red;
        }
        settled_[wangs] = settled;
    }
}

// Whether the hand might have a fan of the division.
inline bool HandScores::needs_look(Packed hand) const {
    const Packed quads = hand >> 2 & ONES & TILE_BITS;
    const Packed free = free_tiles(hand);
    constexpr Packed IN_RUNS = [] { // faces of 1-2-3 and 2-7-10
        Packed faces = 0;
        for (const int rank : {0, 1, 2, 6, 9}) {
            faces |= COUNT_MASK << COUNT_BITS * rank | COUNT_MASK << COUNT_BITS * (rank + RANK_COUNT);
        }
        return faces;
    }();
    return (looks_at_quads_ && (quads & RED_TILES) != 0) || (looks_at_sets_ && (free & ONES) == 0) ||
           (looks_at_xi_ && (free & ONES & ~IN_RUNS) == 0);
}

inline void HandScores::set(const Counts &counts, Packed hand, int xi, std::size_t row,
                            const ScoreColumns &out) const {
    const auto wangs = static_cast<std::size_t>(counts.wangs);
    const bool is_plain = wangs == 0 ? !needs_look(hand) : (settled_[wangs] >> counts.red & 1) != 0;
    if (!is_plain) {
        Query query;
        query.hand = hand;
        out.set(row, best_score(scorer_, query, Context{}));
        return;
    }
    const int tiles = counts.tiles + counts.wangs - LEAST_TILES;
    const Entry &found =
        entries_[static_cast<std::size_t>((tiles * BIG_COUNT + counts.big) * RED_COUNT + counts.red)];
    const std::int16_t base = bases_[static_cast<std::size_t>(xi)];
    out.payment[row] = std::int64_t{base} * found.fan;
    out.base[row] = base;
    out.fan[row] = found.fan;
    out.fans[row] = found.fans;
    out.xi[row] = static_cast<std::int16_t>(xi);
}

// False for no hand.
bool HandScores::set_slowly(Packed hand, std::size_t row, const ScoreColumns &out) const {
    Query query;
    query.hand = hand;
    if (check(query) != Fault::none) {
        return false;
    }
    out.set(row, best_score(scorer_, query, Context{}));
    return true;
}

// answer(start, size, xi) finds the best xi of a block, hand_at(row) packs a hand, count(row, hand) its
// tiles.
template <class Answer, class Hand, class Count>
std::size_t HandScores::of_hands(std::size_t n, const std::uint8_t *wang, const ScoreColumns &out,
                                 Answer answer, Hand hand_at, Count count) const {
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
                out.set(row, {});
                continue;
            }
            const Packed hand = hand_at(row) + (wang == nullptr ? 0 : Packed{wang[row]} << COUNT_BITS * WANG);
            if (best_xi >= 0) {
                set(count(row, hand), hand, best_xi, row, out);
            } else if (!set_slowly(hand, row, out)) {
                return row;
            }
        }
    }
    return n;
}

std::size_t HandScores::of_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                                const std::uint8_t *wang, const ScoreColumns &out) const noexcept {
    const auto at = [=](std::size_t row) { return rows + static_cast<std::ptrdiff_t>(row) * stride; };
    return of_hands(
        n, wang, out,
        [&](std::size_t start, std::size_t size, std::int8_t *xi) {
            max_xi_rows(at(start), stride, size, width, wang == nullptr ? nullptr : wang + start, xi);
        },
        [&](std::size_t row) { return pack_row(at(row), width); },
        [&](std::size_t row, Packed hand) { return Counts::of(RowWords(at(row)), wang_count(hand)); });
}

std::size_t HandScores::of_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                                  const ScoreColumns &out) const noexcept {
    return of_hands(
        n, wang, out,
        [&](std::size_t start, std::size_t size, std::int8_t *xi) {
            max_xi_packed(hands + start, size, wang == nullptr ? nullptr : wang + start, xi);
        },
        [&](std::size_t row) { return hands[row]; },
        [](std::size_t, Packed hand) { return Counts::of(hand); });
}

} // namespace paohuzi
