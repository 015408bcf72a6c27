// Queries sixteen at a time: checked as check.hpp says, and answered as plain_answer.hpp does.
#include "queries_avx512.hpp"

#include "lanes_avx512.hpp"
#include "pack.hpp"
#include "query_lanes_avx512.hpp"

#include <algorithm>
#include <cstdint>

namespace paohuzi {
namespace {

constexpr int TILES_MOST = 26;
constexpr int NO_XI = -1;
constexpr int NO_WAY = -(1 << 20); // below 0 whatever is added

// Look-ups in the table without wang. They are made ready for many queries at a time, so that the matrix,
// most of which is in no near cache, is asked for before it is read.
template <std::size_t ROOM>
class Lookups {
public:
    std::size_t size() const { return size_; }
    void add(int left, int right, int xi) {
        left_[size_] = left;
        right_[size_] = right;
        xi_[size_++] = xi;
    }
    void add(__mmask16 lanes, __m512i left, __m512i right, __m512i xi) {
        _mm512_mask_compressstoreu_epi32(left_ + size_, lanes, left);
        _mm512_mask_compressstoreu_epi32(right_ + size_, lanes, right);
        _mm512_mask_compressstoreu_epi32(xi_ + size_, lanes, xi);
        size_ += static_cast<std::size_t>(__builtin_popcount(lanes));
    }
    void add(__m512i left, __m512i right, __m512i xi) {
        _mm512_storeu_si512(left_ + size_, left);
        _mm512_storeu_si512(right_ + size_, right);
        _mm512_storeu_si512(xi_ + size_, xi);
        size_ += LANES;
    }
    // Calls visit(i, xi) for sixteen of them at a time, less than 0 for no division.
    template <class Visit>
    void answer(Visit visit) {
        std::fill_n(left_ + size_, LANES, 0);
        std::fill_n(right_ + size_, LANES, 0);
        for (std::size_t i = 0; i < size_; i += LANES) {
            const PlainPlace place = place_of(_mm512_load_si512(left_ + i), _mm512_load_si512(right_ + i));
            _mm512_store_si512(left_ + i, place.place);
            _mm512_store_si512(xi_ + i, _mm512_add_epi32(place.more, _mm512_load_si512(xi_ + i)));
            for (std::size_t j = i; j < i + LANES; ++j) {
                __builtin_prefetch(tables.plain.matrix + left_[j]);
            }
        }
        for (std::size_t i = 0; i < size_; i += LANES) {
            const __m512i rest = rest_at(_mm512_load_si512(left_ + i));
            const __m512i xi = _mm512_add_epi32(rest, _mm512_load_si512(xi_ + i));
            visit(i, _mm512_mask_mov_epi32(xi, _mm512_movepi32_mask(rest), _mm512_set1_epi32(NO_XI)));
        }
    }

private:
    alignas(64) int left_[ROOM + LANES];
    alignas(64) int right_[ROOM + LANES];
    alignas(64) int xi_[ROOM + LANES];
    std::size_t size_ = 0;
};

// The first way of each query of a block, and the further ways with the query that each is of.
struct Ways {
    static constexpr std::size_t FURTHER_MOST = QUERY_BLOCK * (CHI_MAX + 1); // all groups but the peng

    Lookups<QUERY_BLOCK> first;
    Lookups<FURTHER_MOST> further;
    int places[FURTHER_MOST + LANES];

    void answer_first(std::int16_t *out, std::size_t n) {
        first.answer([out, n](std::size_t i, __m512i xi) {
            const auto wanted = static_cast<__mmask16>(i + LANES <= n ? 0xFFFF : (1U << (n - i)) - 1);
            _mm512_mask_cvtepi32_storeu_epi16(out + i, wanted,
                                              _mm512_max_epi32(xi, _mm512_set1_epi32(NO_XI)));
        });
    }
    void answer_further(std::int16_t *out) {
        further.answer([this, out](std::size_t i, __m512i xi) {
            alignas(64) int answers[LANES];
            _mm512_store_si512(answers, xi);
            for (std::size_t j = i; j < std::min(i + LANES, further.size()); ++j) {
                std::int16_t &best = out[places[j]];
                best = std::max(best, static_cast<std::int16_t>(answers[j - i]));
            }
        });
    }
};

// Another player's tile of which two are held: all groups but the peng.
struct Third {
    Packed hand;
    int place; // in Weights
    int left;  // of the other free tiles
    int right;
    int xi; // with the peng
    bool owes_pair;
};

inline void add_third(const Third &third, std::size_t place, Ways &ways) {
    const auto face = static_cast<std::size_t>(third.place - 1);
    const int left_weight = LEFT_WEIGHTS[face + 1];
    const int right_weight = RIGHT_WEIGHTS[face + 1];
    const int xi = third.xi - peng_xi(static_cast<int>(face));
    std::size_t count = ways.further.size();
    if (third.owes_pair) {
        ways.further.add(third.left + left_weight, third.right + right_weight, xi);
    }
    const Packed free = free_tiles(third.hand);
    const ChiWith &chi = CHI_WITH[face];
    for (std::size_t i = 0; i < chi.size; ++i) {
        const Meld &others = chi.others[i];
        if (holds(free, others.need)) {
            ways.further.add(third.left + 2 * left_weight - others.left,
                             third.right + 2 * right_weight - others.right, xi + others.xi);
        }
    }
    for (; count < ways.further.size(); ++count) {
        ways.places[count] = static_cast<int>(place);
    }
}

inline __m512i of_both(__m512i low, __m512i high) { // the lower halves of the lanes
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_epi32(low, even, high);
}

inline __m512i weights_at(const Weights &weights, __m512i places) {
    return _mm512_permutex2var_epi32(_mm512_load_si512(weights.data()), places,
                                     _mm512_load_si512(weights.data() + LANES));
}

// Sixteen queries with what their first ways look up.
struct Sixteen {
    Eight low;
    Eight high;
    __m512i place;
    __m512i left;
    __m512i right;
    __m512i xi;
    __m512i tiles;
    __mmask16 open; // refused, or with wangs
    __mmask16 complete;

    explicit Sixteen(const Query *queries) : low(read_eight(queries)), high(read_eight(queries + 8)) {
        const Columns columns = columns_of(low.hands, high.hands);
        const __m512i settled = of_both(low.tiles, high.tiles);
        const __m512i wangs = of_both(low.wangs, high.wangs);
        place = of_both(low.place, high.place);
        patterns_of(columns, left, right);
        whole_of(columns, xi, tiles);
        xi = _mm512_add_epi32(xi, of_both(low.xi, high.xi));
        tiles = _mm512_add_epi32(tiles, settled);
        const __m512i beside = _mm512_add_epi32(
            _mm512_add_epi32(_mm512_and_si512(settled, _mm512_set1_epi32(31)), _mm512_srli_epi32(settled, 5)),
            _mm512_add_epi32(wangs, tile_count(columns)));
        open = static_cast<__mmask16>(sixteen(low.bad, high.bad) | _mm512_test_epi32_mask(wangs, wangs) |
                                      _mm512_cmpgt_epi32_mask(beside, _mm512_set1_epi32(TILES_MOST)));
        complete = static_cast<__mmask16>(complete_mask(tiles) & ~open);
    }

private:
    static __m512i tile_count(const Columns &columns) {
        __m512i bytes = columns.faces[0];
        for (int i = 1; i < 5; ++i) {
            bytes = _mm512_add_epi8(bytes, columns.faces[i]);
        }
        return weigh<1, 1, 1, 1, 1, 1>(bytes);
    }
};

inline void add_first(const Sixteen &read, Ways &ways) {
    ways.first.add(_mm512_maskz_mov_epi32(read.complete, read.left),
                   _mm512_maskz_mov_epi32(read.complete, read.right),
                   _mm512_mask_mov_epi32(_mm512_set1_epi32(NO_WAY), read.complete, read.xi));
}

// The winning tile makes a quad of a triplet that is already counted, and does not join the free tiles.
inline void add_quads(const Sixteen &read, std::size_t first, Ways &ways) {
    const __m512i less = _mm512_sub_epi32(read.tiles, _mm512_set1_epi32(1));
    const __mmask16 complete = _mm512_cmpeq_epi32_mask(_mm512_and_si512(less, _mm512_set1_epi32(31)),
                                                       _mm512_set1_epi32(20)); // 20, as there is a quad
    const auto lanes = static_cast<__mmask16>(sixteen(read.low.quad, read.high.quad) & complete & ~read.open);
    const __m512i places =
        _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                         _mm512_set1_epi32(static_cast<int>(first)));
    _mm512_mask_compressstoreu_epi32(ways.places + ways.further.size(), lanes, places);
    ways.further.add(lanes, _mm512_sub_epi32(read.left, weights_at(LEFT_WEIGHTS, read.place)),
                     _mm512_sub_epi32(read.right, weights_at(RIGHT_WEIGHTS, read.place)),
                     _mm512_add_epi32(read.xi, of_both(read.low.gain, read.high.gain)));
}

inline void add_thirds(const Sixteen &read, std::size_t first, Ways &ways) {
    unsigned lanes = sixteen(read.low.third, read.high.third) & read.complete;
    alignas(64) Packed hands[LANES];
    alignas(64) int place[LANES], left[LANES], right[LANES], xi[LANES], tiles[LANES];
    _mm512_store_si512(hands, read.low.held);
    _mm512_store_si512(hands + 8, read.high.held);
    _mm512_store_si512(place, read.place);
    _mm512_store_si512(left, read.left);
    _mm512_store_si512(right, read.right);
    _mm512_store_si512(xi, read.xi);
    _mm512_store_si512(tiles, read.tiles);
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto i = static_cast<std::size_t>(__builtin_ctz(lanes));
        add_third({hands[i], place[i], left[i], right[i], xi[i], tiles[i] > 31}, first + i, ways);
    }
}

inline __mmask16 add_sixteen(const Query *queries, std::size_t first, Ways &ways) {
    const Sixteen read(queries);
    add_first(read, ways);
    add_quads(read, first, ways);
    add_thirds(read, first, ways);
    return read.open;
}

} // namespace

std::size_t solve_queries_avx512(const Query *queries, std::size_t n, std::int16_t *xi, std::uint16_t *open) {
    Ways ways;
    std::size_t open_count = 0;
    const auto add = [&](const Query *some, std::size_t first) {
        unsigned lanes = add_sixteen(some, first, ways);
        for (; lanes != 0; lanes &= lanes - 1) {
            open[open_count++] =
                static_cast<std::uint16_t>(first + static_cast<unsigned>(__builtin_ctz(lanes)));
        }
    };
    std::size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        add(queries + i, i);
    }
    if (i < n) {
        Query last[LANES];
        std::copy(queries + i, queries + n, last);
        add(last, i);
    }
    ways.answer_first(xi, n);
    ways.answer_further(xi);
    return open_count;
}

} // namespace paohuzi
