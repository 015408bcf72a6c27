#include "score_batch.hpp"

#include "colours.hpp"
#include "kernels.hpp"
#include "pack.hpp"
#include "routes.hpp"
#include "score_plain.hpp"
#include "solver.hpp"

#include <algorithm>
#include <cstring>

namespace paohuzi {

namespace {

constexpr Packed CASE_BITS = (Packed{1} << COUNT_BITS * RANK_COUNT) - 1;

bool is_whole(Packed hand) {
    Query query;
    query.hand = hand;
    return check(query) == Fault::none;
}

// x * ((1 << TUN_SHIFT) / per + 1) >> TUN_SHIFT is x / per while x * per is less than 1 << TUN_SHIFT:
// whatever per is, x being at most 127 and the quotient 0 where per is more.
static_assert(127 * 128 < 1 << TUN_SHIFT);

constexpr int WORTH_BITS = 32; // rules whose fans and fan need more are answered slowly
constexpr int TILES_LEAST = 21;
constexpr int RED_MAX = 24 + WANG_MAX;
constexpr int RED_MASK = 31;

void add_wangs(const Packed *hands, std::size_t n, const std::uint8_t *wang, Packed *out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = hands[i] + (Packed{std::min<std::uint8_t>(wang[i], COUNT_MASK)} << COUNT_BITS * WANG);
    }
}

int pair_count(Packed free) { return __builtin_popcountll(free >> 1 & ONES & TILE_BITS); }

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

} // namespace

void set_score(const ScoreColumns &out, std::size_t row, const Reckoning &reckoning) noexcept {
    out.payment[row] = static_cast<std::int32_t>(reckoning.payment);
    out.fan[row] = reckoning.fan;
    out.fans[row] = reckoning.fans;
    out.base[row] = static_cast<std::int16_t>(reckoning.base);
    out.xi[row] = reckoning.xi;
}

namespace {

void no_scores(const ScoreColumns &out, std::size_t n) {
    std::fill(out.payment, out.payment + n, NO_DIVISION);
    std::fill(out.fan, out.fan + n, 0);
    std::fill(out.fans, out.fans + n, 0U);
    std::fill(out.base, out.base + n, std::int16_t{0});
    std::fill(out.xi, out.xi + n, std::int16_t{NO_DIVISION});
}

} // namespace

HandScores::HandScores(const Scorer &scorer)
    : scorer_(scorer), min_xi_(scorer.rules().options.min_xi),
      is_covered_(is_covered(scorer.rules().options) && scorer.is_rising()),
      looks_at_sets_(scorer.uses(Fact::duidui)), looks_at_xi_(scorer.uses(Fact::xiangxiangxi)),
      looks_(LOOK_WANG | (looks_at_sets_ ? LOOK_SETS : 0) | (looks_at_xi_ ? LOOK_XI : 0) |
             (scorer.uses(Fact::yin) ? LOOK_QUADS : 0)),
      key_mask_(static_cast<std::uint32_t>(scorer.uses(Fact::yin) ? KEY_COUNT : 1 << COLOUR_BITS) - 1),
      fan_shift_(
          std::min(scorer.rules().scoring.fan_count + scorer.rules().scoring.together_count, WORTH_BITS - 1)),
      worth_(static_cast<std::size_t>(SHAPE_COUNT) * (key_mask_ + 1)),
      tun_factor_((1 << TUN_SHIFT) / scorer.rules().scoring.tun_per + 1) {
    const Scoring &scoring = scorer.rules().scoring;
    Facts facts = facts_of_win(Query{}, scoring, Context{});
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        facts.has_xi_everywhere = shape != any_shape;
        facts.has_only_sets = shape == only_sets;
        if (shape == any_shape || looks_at_sets_ || looks_at_xi_) {
            fill(facts, shape);
        }
    }
    if (scorer.counts_colour_only()) {
        find_settled();
    }
}

void HandScores::fill(Facts facts, int shape) {
    const auto quads_end = static_cast<int>(key_mask_ >> COLOUR_BITS);
    for (facts.red_quads = 0; facts.red_quads <= quads_end; ++facts.red_quads) {
        const std::uint32_t first = static_cast<std::uint32_t>(shape) * (key_mask_ + 1) +
                                    (static_cast<std::uint32_t>(facts.red_quads) << COLOUR_BITS);
        for (int tiles = TILES_LEAST; tiles <= TILES_MAX; ++tiles) {
            for (facts.big = 0; facts.big <= tiles; ++facts.big) {
                facts.small = tiles - facts.big;
                for (facts.red = 0; facts.red <= RED_MAX; ++facts.red) {
                    const Reckoning found = reckon(scorer_.rules().scoring, facts, 0);
                    const auto key =
                        first + static_cast<std::uint32_t>(colour_key(tiles, facts.big, facts.red));
                    worth_[key] = static_cast<std::uint32_t>(found.fan) << fan_shift_ | found.fans;
                    is_covered_ &= (found.fans >> fan_shift_) == 0 &&
                                   static_cast<std::uint32_t>(found.fan) >> (WORTH_BITS - fan_shift_) == 0;
                }
            }
        }
    }
}

void HandScores::find_settled() {
    for (int wangs = 0; wangs <= WANG_MAX; ++wangs) {
        for (int red = 0; red + wangs <= RED_MAX; ++red) {
            bool is_settled = true;
            const auto key = static_cast<std::size_t>(colour_key(TILES_LEAST, 0, red));
            for (auto other = key; other <= key + static_cast<std::size_t>(wangs); ++other) {
                is_settled &= worth_[key] == worth_[other];
            }
            settled_[static_cast<std::size_t>(wangs)] |= static_cast<std::uint32_t>(is_settled) << red;
        }
    }
}

Reckoning HandScores::reckoning(std::uint32_t key, int shape, int xi) const {
    const std::size_t place = static_cast<std::size_t>(shape) * (key_mask_ + 1) + (key & key_mask_);
    Reckoning found;
    found.base = tun_of(scorer_.rules().scoring, xi); // no own draw
    found.fan = static_cast<std::int32_t>(worth_[place] >> fan_shift_);
    found.fans = worth_[place] & ((1U << fan_shift_) - 1);
    found.payment = std::int64_t{found.base} * found.fan;
    found.xi = static_cast<std::int16_t>(xi);
    return found;
}

Reckoning HandScores::slowly(Packed hand) const {
    Query query;
    query.hand = hand;
    return best_score(scorer_, query, Context{});
}

// Without wang: the best of any division, one into sets, and one with xi everywhere.
Reckoning HandScores::with_shape(Packed hand, std::uint32_t key, int xi) const {
    const Packed free = free_tiles(hand);
    const bool has_quad = (hand >> 2 & ONES & TILE_BITS) != 0;
    if (looks_at_sets_ && (free & ONES) == 0 && pair_count(free) == has_quad) {
        return reckoning(key, only_sets, xi); // the only division there is
    }
    const Reckoning found = reckoning(key, any_shape, xi);
    const int rest = looks_at_xi_ ? xi_runs_and_pair(free, has_quad) : NO_DIVISION;
    const int all = rest < 0 ? NO_DIVISION : rest + settled_xi(hand);
    if (all < 0 || all < min_xi_) {
        return found;
    }
    const Reckoning other = reckoning(key, with_xi_everywhere, all);
    return other.is_less_than(found) ? found : other;
}

Reckoning HandScores::look(Packed hand, int xi) const {
    const std::uint32_t key = score_key(hand);
    if ((key & LOOK_WANG) != 0) {
        const auto wangs = static_cast<std::size_t>(wang_count(hand));
        const bool is_settled = (settled_[wangs] >> (key & RED_MASK) & 1) != 0;
        return is_settled ? reckoning(key, any_shape, xi) : slowly(hand);
    }
    return (key & looks_ & LOOK_QUADS) != 0 ? slowly(hand) : with_shape(hand, key, xi);
}

// Returns the first that is no hand, or n.
std::size_t HandScores::answer(const Packed *hands, const std::int8_t *xi, std::size_t n,
                               const ScoreColumns &out) const {
    const auto is_of_interest = [this](int some_xi) { return some_xi >= min_xi_ || some_xi < NO_DIVISION; };
    if (std::none_of(xi, xi + n, is_of_interest)) {
        no_scores(out, n);
        return n;
    }
    std::uint8_t open[BLOCK] = {};
    kernels().scores({worth_.data(), fan_shift_, key_mask_, looks_, min_xi_, scorer_.rules().scoring.tun_less,
                      tun_factor_},
                     hands, xi, n, out, open);
    for (std::size_t first = 0; first < n; first += sizeof(std::uint64_t)) {
        std::uint64_t eight = 0;
        for (std::memcpy(&eight, open + first, sizeof eight); eight != 0; eight &= eight - 1) {
            const std::size_t i = first + static_cast<std::size_t>(__builtin_ctzll(eight)) / 8;
            if (xi[i] < 0 && !is_whole(hands[i])) {
                return i;
            }
            set_score(out, i, xi[i] < 0 ? slowly(hands[i]) : look(hands[i], xi[i])); // < 0: not in the tables
        }
    }
    return n;
}

// read(start, size, room) is where some hands are, packed.
template <class Read>
std::size_t HandScores::in_blocks(std::size_t n, const std::uint8_t *wang, const ScoreColumns &out,
                                  Read read) const {
    Packed room[BLOCK];
    std::int8_t xi[BLOCK];
    std::fill(xi, xi + BLOCK, std::int8_t{NOT_COVERED});
    for (std::size_t start = 0; start < n; start += BLOCK) {
        const std::size_t size = std::min(BLOCK, n - start);
        const Packed *hands = read(start, size, room);
        if (wang != nullptr) {
            add_wangs(hands, size, wang + start, room);
            hands = room;
        }
        if (is_covered_) {
            kernels().max_xi_packed(hands, size, nullptr, xi);
        }
        const std::size_t done = answer(hands, xi, size, out.from(start));
        if (done < size) {
            return start + done;
        }
    }
    return n;
}

std::size_t HandScores::of_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                                const std::uint8_t *wang, const ScoreColumns &out) const noexcept {
    return in_blocks(n, wang, out, [&](std::size_t start, std::size_t size, Packed *room) {
        kernels().pack_rows(rows + static_cast<std::ptrdiff_t>(start) * stride, stride, size, width, room);
        return room;
    });
}

std::size_t HandScores::of_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                                  const ScoreColumns &out) const noexcept {
    return in_blocks(n, wang, out, [&](std::size_t start, std::size_t, Packed *) { return hands + start; });
}

} // namespace paohuzi
