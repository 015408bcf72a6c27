// The kernels' code, to be included by one file for each level with its own class Level (see
// kernels_portable.cpp):
//   Level::pack_row(row, width)                  packs 20 or 21 counts; a count above 7 makes an invalid hand
//   Level::Merge                                 best sum of two vectors over the states, of several pairs of
//   vectors Level::block_without_wang(hands, n, out)     answers hands Level::read_hands(hands, n, items,
//   out)      makes items of hands (read_hand below) Level::read_draws(state, items, first)       makes 21
//   items of a hand that draws (read_draw below) Level::plain_draws(state, xi_by_face)        answers a hand
//   without wang that draws any face but a wang
// Everything is in an unnamed namespace: each level must keep its own machine code.
#pragma once

#include "index.hpp"
#include "kernels.hpp"
#include "score_key.hpp"

#include <algorithm>

namespace paohuzi {
namespace {

constexpr std::int8_t INVALID_HAND = -3;
constexpr std::int8_t NOT_IN_TABLES = -2;
constexpr std::int8_t NONE = -1;
constexpr std::size_t FACES = WANG + 1;
constexpr std::size_t BLOCK = 256;

// What a division may look like, beside the kan and natural quads.
enum Form : int {
    with_pair, // there is a natural quad: a pair, no other quad
    with_kan, // neither; or a kan that a wang makes a quad, and a pair
    without_kan, // neither; or a quad of wangs and at most two own tiles, and a pair
    impossible, // the number of tiles is wrong
    with_quad, // a quad of wangs and at most two own tiles, and a pair
    FORM_COUNT = 8
};
constexpr int LIST_COUNT = (WANG_MAX + 1) * FORM_COUNT;

constexpr int PROMOTED = 2; // thirds of xi that a kan gains as a quad, in both cases: 9 - 3 and 12 - 6

// Many of them, field by field; the spare places let whole vectors be written.
struct Items {
    static constexpr std::size_t SIZE = BLOCK + 16;
    alignas(64) int left[SIZE];
    alignas(64) int right[SIZE];
    alignas(64) int xi[SIZE]; // of kan and natural quads
    alignas(64) int list[SIZE]; // wangs * FORM_COUNT + form
};

inline int list_of(int wangs, bool is_complete, bool has_quad, bool has_kan) {
    const Form form = !is_complete ? impossible : has_quad ? with_pair : has_kan ? with_kan : without_kan;
    return wangs * FORM_COUNT + form;
}

// More tiles than one quad allows for: so many quads must hold wangs. As many of them as can be are kan, for
// whatever wangs another quad would hold, moving one of them to a kan leaves a triplet there and changes
// nothing in the sum. Returns what the hand comes to if the item is impossible.
inline std::int8_t read_rare(const HandIndex &index, int wangs, int owes_quads, Items &items,
                             std::size_t place) {
    const int kan = std::min(index.kan_count(), owes_quads);
    const int quads = owes_quads - kan;
    items.xi[place] += 3 * PROMOTED * kan;
    const int rest = wangs - kan;
    const bool is_possible = quads <= 1 && rest >= 2 * quads;
    items.list[place] =
        is_possible ? rest * FORM_COUNT + (quads == 1 ? with_quad : with_pair) : static_cast<int>(impossible);
    return quads > 1 ? NOT_IN_TABLES : NONE;
}

// An item of a whole hand; in out what it comes to if it is impossible.
inline void read_hand(Packed hand, Items &items, std::size_t place, std::int8_t *out) {
    const HandIndex index = index_of(hand);
    const int wangs = wang_count(hand);
    const int quads = index.ti_count();
    const int tiles = index.tile_count() + wangs - quads;
    const bool is_valid = !index.is_invalid() && wangs <= WANG_MAX && hand >> 63 == 0;
    items.left[place] = index.left;
    items.right[place] = index.right;
    items.xi[place] = index.xi();
    out[place] = is_valid ? NONE : INVALID_HAND;
    if (is_valid && wangs > 0 && tiles > (quads == 0 ? 21 : 20)) {
        out[place] = read_rare(index, wangs, tiles - 20, items, place);
        return;
    }
    items.list[place] =
        is_valid ? list_of(wangs, is_complete_count(tiles, quads), quads > 0, index.kan_count() > 0)
                 : static_cast<int>(impossible);
}

// What becomes of a hand when it draws a face: free, a forced triplet, or a forced quad.
struct Drawn {
    int shift = 0; // of the pattern of the face's half
    int xi = 0;
    bool is_quad = false;
};

inline Drawn draw(Packed hand, int face) {
    const int weight = PLACE_WEIGHT[static_cast<std::size_t>(face)];
    switch (count_of(hand, face)) {
    case 2:
        return {-2 * weight, is_big(face) ? 6 : 3, false};
    case 3:
        return {0, 6, true}; // from 3 to 9, from 6 to 12
    default:
        return {weight, 0, false};
    }
}

inline DrawState draw_state(Packed hand) {
    const HandIndex index = index_of(hand);
    const int quads = index.ti_count();
    const int wangs = wang_count(hand);
    return {hand,  index.left,        index.right, index.xi(), index.tile_count() + wangs + 1 - quads,
            quads, index.kan_count(), wangs};
}

inline void read_draw(const DrawState &state, int face, Items &items, std::size_t place) {
    const Drawn drawn = face == WANG ? Drawn{} : draw(state.hand, face);
    const int quads = state.quads + drawn.is_quad;
    const bool is_left_over = face == WANG ? state.wangs < WANG_MAX : count_of(state.hand, face) < COPY_COUNT;
    const bool is_complete = is_left_over && is_complete_count(state.tiles - drawn.is_quad, quads);
    items.left[place] = state.left + (face != WANG && is_left(face) ? drawn.shift : 0);
    items.right[place] = state.right + (face != WANG && !is_left(face) ? drawn.shift : 0);
    items.xi[place] = state.xi + drawn.xi;
    items.list[place] = is_complete ? list_of(state.wangs + (face == WANG), true, quads > 0, state.kan > 0)
                                    : static_cast<int>(impossible);
}

inline std::int8_t plain_xi(int left, int right, int more) {
    const int xi = tables.plain.xi(left, right);
    static_assert(NONE == -1);
    return static_cast<std::int8_t>((xi + more) | xi >> 31);
}

template <int WANGS>
struct Sides { // the vector numbers of both halves of a hand with so many wangs
    const VectorNumber *left;
    const VectorNumber *right;

    Sides(int left_pattern, int right_pattern)
        : left(tables.wang.left.numbers[stride_index(WANGS)] + left_pattern * stride_of(WANGS)),
          right(tables.wang.right.numbers[stride_index(WANGS)] + right_pattern * stride_of(WANGS)) {}
};

// Calls visit(left family, right family) for all ways to share wangs and perhaps a pair between the halves.
template <int WANGS, class Visit>
inline void share_plain(bool pair, Visit visit) {
#pragma GCC unroll 5
    for (int left = 0; left <= WANGS; ++left) {
        const int right = WANGS - left;
        if (pair) {
            visit(plain_family(left), pair_family(right));
            visit(pair_family(left), plain_family(right));
        } else {
            visit(plain_family(left), plain_family(right));
        }
    }
}

// The same with a quad that holds two wangs or more.
template <int WANGS, class Visit>
inline void share_quad(bool pair, Visit visit) {
#pragma GCC unroll 5
    for (int quad = 2; quad <= WANGS; ++quad) {
        const int rest = WANGS - quad;
        visit(quad_family(quad), pair ? pair_family(rest) : plain_family(rest));
        visit(pair ? pair_family(rest) : plain_family(rest), quad_family(quad));
        if (pair) {
            visit(quad_pair_family(quad), plain_family(rest));
            visit(plain_family(rest), quad_pair_family(quad));
        }
    }
}

// A quad owed is best made of a kan, if there is one: whatever wangs another quad would hold, moving one of
// them to the kan leaves a triplet there and changes nothing in the sum. So the kan goes first, raised by
// what it gains.
template <int WANGS, Form FORM, class Visit, class Raise>
inline void share(Visit visit, Raise raise) {
    if constexpr (FORM == with_kan) {
        share_plain<WANGS - 1>(true, visit);
        raise();
    }
    if constexpr (FORM == without_kan || FORM == with_quad) {
        share_quad<WANGS>(true, visit);
    }
    if constexpr (FORM != with_quad) {
        share_plain<WANGS>(FORM == with_pair, visit);
    }
}

// How many families of a half share() looks at: the first ones, in their order.
template <int WANGS, Form FORM, class Visit>
inline void for_each_family(Visit visit) {
#pragma GCC unroll 5
    for (int wangs = 0; wangs <= WANGS; ++wangs) {
        visit(plain_family(wangs));
        if (FORM == with_pair || (FORM == with_kan && wangs < WANGS) ||
            ((FORM == without_kan || FORM == with_quad) && wangs + 2 <= WANGS)) {
            visit(pair_family(wangs));
        }
        if ((FORM == without_kan || FORM == with_quad) && wangs >= 2) {
            visit(quad_family(wangs));
            visit(quad_pair_family(wangs));
        }
    }
}

template <class Level, int WANGS, Form FORM>
inline std::int8_t xi_of(const Items &items, std::size_t place) {
    const WangTable &wang = tables.wang;
    const Sides<WANGS> sides(items.left[place], items.right[place]);
    typename Level::Merge merge;
    share<WANGS, FORM>(
        [&](int left, int right) {
            merge.add(wang.left.vector(sides.left, left), wang.right.vector(sides.right, right));
        },
        [&] { merge.raise(PROMOTED); });
    const int best = merge.best();
    return static_cast<std::int8_t>(best < 0 ? NONE : 3 * best + items.xi[place]);
}

template <int WANGS, Form FORM>
inline void prefetch(const Items &items, std::size_t place) {
    const WangTable &wang = tables.wang;
    const Sides<WANGS> sides(items.left[place], items.right[place]);
    for_each_family<WANGS, FORM>([&](int family) {
        __builtin_prefetch(wang.left.vector(sides.left, family));
        __builtin_prefetch(wang.right.vector(sides.right, family));
    });
}

// Places of items by list, so that each inner loop does one thing only.
struct Lists {
    std::array<std::array<std::uint16_t, BLOCK>, LIST_COUNT> places;
    std::array<std::size_t, LIST_COUNT> sizes{};

    Lists(const Items &items, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto list = static_cast<std::size_t>(items.list[i]);
            places[list][sizes[list]++] = static_cast<std::uint16_t>(i);
            const auto stride = static_cast<std::size_t>(stride_index(static_cast<int>(list) / FORM_COUNT));
            __builtin_prefetch(tables.wang.left.numbers[stride] + (items.left[i] << (2 + stride)));
            __builtin_prefetch(tables.wang.right.numbers[stride] + (items.right[i] << (2 + stride)));
        }
    }
};

template <class Level, int WANGS, Form FORM>
inline void answer_list(const Lists &lists, const Items &items, std::int8_t *out) {
    constexpr std::size_t LIST = WANGS * FORM_COUNT + FORM;
    constexpr std::size_t AHEAD = 8;
    const std::size_t n = lists.sizes[LIST];
    const auto &places = lists.places[LIST];
    for (std::size_t i = 0; i < std::min(n, AHEAD); ++i) {
        prefetch<WANGS, FORM>(items, places[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (i + AHEAD < n) {
            prefetch<WANGS, FORM>(items, places[i + AHEAD]);
        }
        out[places[i]] = xi_of<Level, WANGS, FORM>(items, places[i]);
    }
}

template <class Level, int WANGS>
inline void answer_lists(const Lists &lists, const Items &items, std::int8_t *out) {
    answer_list<Level, WANGS, with_pair>(lists, items, out);
    answer_list<Level, WANGS, with_kan>(lists, items, out);
    answer_list<Level, WANGS, without_kan>(lists, items, out);
    answer_list<Level, WANGS, with_quad>(lists, items, out);
}

// Overwrites out[] where a division exists.
template <class Level>
void answer(const Items &items, std::size_t n, std::int8_t *out) {
    const Lists lists(items, n);
    for (std::size_t list = 0; list < impossible; ++list) {
        for (std::size_t i = 0; i < lists.sizes[list]; ++i) {
            const std::size_t place = lists.places[list][i];
            out[place] = plain_xi(items.left[place], items.right[place], items.xi[place]);
        }
    }
    answer_lists<Level, 1>(lists, items, out);
    answer_lists<Level, 2>(lists, items, out);
    answer_lists<Level, 3>(lists, items, out);
    answer_lists<Level, 4>(lists, items, out);
}

template <class Level, int WANGS>
int rest_with_wang(const Rest &rest, bool owes_quad) {
    const WangTable &wang = tables.wang;
    const Sides<WANGS> sides(rest.left, rest.right);
    typename Level::Merge merge;
    const auto visit = [&](int left, int right) {
        merge.add(wang.left.vector(sides.left, left), wang.right.vector(sides.right, right));
    };
    if (owes_quad) {
        share_quad<WANGS>(rest.owes_pair, visit);
    } else {
        share_plain<WANGS>(rest.owes_pair, visit);
    }
    return merge.best();
}

inline int plain_thirds(const Rest &rest) {
    const int xi = tables.plain.xi(rest.left, rest.right);
    return xi < 0 ? NONE : xi / 3;
}

template <class Level>
int rest_with_wang(const Rest &rest) {
    const int kan = std::min(rest.kan, rest.owes_quads);
    const int quads = rest.owes_quads - kan;
    const int wangs = rest.wangs - kan;
    if (quads > 1 || wangs < 2 * quads) {
        return quads > 1 ? NOT_IN_TABLES : NONE;
    }
    const int thirds = wangs == 0   ? plain_thirds(rest)
                       : wangs == 1 ? rest_with_wang<Level, 1>(rest, quads > 0)
                       : wangs == 2 ? rest_with_wang<Level, 2>(rest, quads > 0)
                       : wangs == 3 ? rest_with_wang<Level, 3>(rest, quads > 0)
                                    : rest_with_wang<Level, 4>(rest, quads > 0);
    return thirds < 0 ? NONE : 3 * (thirds + PROMOTED * kan);
}

inline void plain_singly(const int *left, const int *right, std::size_t n, int *xi) {
    for (std::size_t i = 0; i < n; ++i) {
        xi[i] = tables.plain.xi(left[i], right[i]);
    }
}

// Hands without wang, by the words of their chunks: each step for all of them, so that compilers take many at
// a time and no step waits for the loads of the one before.
struct ChunkWords {
    std::uint32_t left_small[BLOCK], right_small[BLOCK], left_big[BLOCK], right_big[BLOCK];

    void set(std::size_t place, const std::uint32_t *chunks, std::uint64_t small_low,
             std::uint64_t small_high, std::uint64_t big_low, std::uint64_t big_high) {
        left_small[place] = chunks[small_low];
        right_small[place] = chunks[small_high];
        left_big[place] = chunks[big_low];
        right_big[place] = chunks[big_high];
    }
};

inline void whole_xi(const ChunkWords &words, std::size_t n, std::int8_t *out) {
    std::int32_t left[BLOCK], right[BLOCK], more[BLOCK], fault[BLOCK];
    for (std::size_t i = 0; i < n; ++i) {
        const HandIndex index =
            index_of_words(words.left_small[i], words.right_small[i], words.left_big[i], words.right_big[i]);
        const int quads = index.ti_count();
        const bool is_complete = is_complete_count(index.tile_count() - quads, quads);
        left[i] = index.left;
        right[i] = index.right;
        more[i] = index.xi();
        fault[i] = index.is_invalid() ? INVALID_HAND : is_complete ? 0 : NONE;
    }
    const PlainTable plain = tables.plain;
    for (std::size_t i = 0; i < n; ++i) {
        const int xi = plain.xi(left[i], right[i]);
        out[i] = static_cast<std::int8_t>(fault[i] < 0 ? fault[i] : (xi + more[i]) | xi >> 31);
    }
}

inline void block_without_wang(const std::uint64_t *hands, std::size_t n, std::int8_t *out) {
    constexpr std::uint64_t MASK = CHUNK_COUNT - 1;
    const std::uint32_t *chunks = tables.chunks;
    ChunkWords words;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t hand = hands[i];
        words.set(i, chunks, hand & MASK, hand >> CHUNK_BITS & MASK, hand >> 2 * CHUNK_BITS & MASK,
                  hand >> 3 * CHUNK_BITS & MASK);
    }
    whole_xi(words, n, out);
}

// Whether the tables are attached that a block of hands needs, by all their bits.
inline bool has_tables(std::uint64_t any) {
    return tables.chunks != nullptr && (any >> COUNT_BITS * WANG == 0 || tables.wang.is_attached());
}

// Fills hands[0..BLOCK) by load(i), adds the wangs given apart, and answers.
template <class Level, class Load>
void max_xi(std::size_t n, const std::uint8_t *wang, std::int8_t *out, Load load) {
    std::uint64_t hands[BLOCK];
    for (std::size_t start = 0; start < n; start += BLOCK) {
        const std::size_t size = std::min(BLOCK, n - start);
        std::uint64_t any = 0;
        for (std::size_t i = 0; i < size; ++i) {
            hands[i] = load(start + i);
            if (wang != nullptr) {
                const std::uint64_t more = std::min<std::uint64_t>(wang[start + i], COUNT_MASK);
                hands[i] += more << COUNT_BITS * WANG; // beyond four in all: bit 62 or 63, invalid
            }
            any |= hands[i];
        }
        if (!has_tables(any)) {
            std::fill(out + start, out + start + size, NOT_IN_TABLES);
        } else if (any >> COUNT_BITS * WANG != 0) {
            Items items;
            Level::read_hands(hands, size, items, out + start);
            answer<Level>(items, size, out + start);
        } else {
            Level::block_without_wang(hands, size, out + start);
        }
    }
}

template <class Level>
void max_xi_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                 const std::uint8_t *wang, std::int8_t *out) {
    max_xi<Level>(n, wang, out, [=](std::size_t i) {
        return Level::pack_row(rows + static_cast<std::ptrdiff_t>(i) * stride, width);
    });
}

template <class Level>
void max_xi_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang, std::int8_t *out) {
    max_xi<Level>(n, wang, out, [=](std::size_t i) { return hands[i]; });
}

inline void plain_draws_singly(const DrawState &state, std::int8_t *xi_by_face) {
    for (int face = 0; face < FACE_COUNT; ++face) {
        const Drawn drawn = draw(state.hand, face);
        if (count_of(state.hand, face) < COPY_COUNT &&
            is_complete_count(state.tiles - drawn.is_quad, state.quads + drawn.is_quad)) {
            xi_by_face[face] = plain_xi(state.left + (is_left(face) ? drawn.shift : 0),
                                        state.right + (is_left(face) ? 0 : drawn.shift), state.xi + drawn.xi);
        }
    }
}

template <class Level>
void draws(const DrawState &state, std::int8_t *xi_by_face) {
    std::fill(xi_by_face, xi_by_face + FACES, NONE);
    if (state.wangs == 0) {
        Level::plain_draws(state, xi_by_face);
        return;
    }
    Items items;
    Level::read_draws(state, items, 0);
    answer<Level>(items, FACES, xi_by_face);
}

template <class Level>
void self_waits(const std::uint64_t *hands, std::size_t n, std::int8_t *xi_by_face) {
    constexpr std::size_t HANDS = BLOCK / FACES;
    Items items;
    std::fill(xi_by_face, xi_by_face + n * FACES, NONE);
    for (std::size_t i = 0; i < n;) {
        std::int8_t *out = xi_by_face + i * FACES;
        if (wang_count(hands[i]) == 0) {
            Level::plain_draws(draw_state(hands[i]), out);
            ++i;
            continue;
        }
        std::size_t size = 0;
        for (; size < HANDS && i < n && wang_count(hands[i]) > 0; ++size, ++i) {
            Level::read_draws(draw_state(hands[i]), items, size * FACES);
        }
        answer<Level>(items, size * FACES, out);
    }
}

inline void read_hands_singly(const std::uint64_t *hands, std::size_t n, Items &items, std::int8_t *out) {
    for (std::size_t i = 0; i < n; ++i) {
        read_hand(hands[i], items, i, out);
    }
}

inline void read_draws_singly(const DrawState &state, Items &items, std::size_t first) {
    for (int face = 0; face <= WANG; ++face) {
        read_draw(state, face, items, first + static_cast<std::size_t>(face));
    }
}

template <class Level>
void pack_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width, Packed *out) {
    constexpr std::ptrdiff_t AHEAD = 2560; // bytes
    for (std::size_t i = 0; i < n; ++i, rows += stride) {
        __builtin_prefetch(rows + AHEAD);
        out[i] = Level::pack_row(rows, width);
    }
}

// Many hands at a time, without branches on the hands: nobody can foresee them.
template <bool looks_at_xi_and_quads>
inline void scores_of(const ScoreTable &table, const Packed *hands, const std::int8_t *xi, std::size_t n,
                      const ScoreColumns &out, std::uint8_t *open) {
    std::int32_t *__restrict payment = out.payment;
    std::int32_t *__restrict fan = out.fan;
    std::uint32_t *__restrict fans = out.fans;
    std::int16_t *__restrict base = out.base;
    std::int16_t *__restrict xi_out = out.xi;
    const ScoreTable from = table;
    const std::uint32_t fans_mask = (1U << from.fan_shift) - 1;
#pragma GCC ivdep // nothing that is read is written
    for (std::size_t i = 0; i < n; ++i) {
        const int lack = (xi[i] - from.min_xi) >> 31; // all bits set where there is no win
        const std::uint32_t whole_key =
            score_key<looks_at_xi_and_quads>(hands[i]) & ~static_cast<std::uint32_t>(lack);
        const std::uint32_t key = whole_key & from.key_mask;
        const std::uint32_t worth = from.worth[key];
        const auto count = static_cast<std::int32_t>(worth >> from.fan_shift);
        const std::int32_t unit = (std::max(xi[i] - from.tun_less, 0) * from.tun_factor >> TUN_SHIFT) & ~lack;
        payment[i] = unit * count + lack;
        fan[i] = count;
        fans[i] = worth & fans_mask;
        base[i] = static_cast<std::int16_t>(unit);
        xi_out[i] = static_cast<std::int16_t>(xi[i] | lack);
        open[i] = static_cast<std::uint8_t>(((whole_key & from.looks) != 0) | (xi[i] < NONE));
    }
}

inline void scores(const ScoreTable &table, const Packed *hands, const std::int8_t *xi, std::size_t n,
                   const ScoreColumns &out, std::uint8_t *open) {
    if ((table.looks & (LOOK_XI | LOOK_QUADS)) != 0) {
        scores_of<true>(table, hands, xi, n, out, open);
    } else {
        scores_of<false>(table, hands, xi, n, out, open);
    }
}

template <class Level>
constexpr Kernels make_kernels(const char *name) {
    return {name,    rest_with_wang<Level>, Level::plain, max_xi_rows<Level>, max_xi_packed<Level>,
            nullptr, pack_rows<Level>,      scores,       draws<Level>,       self_waits<Level>};
}

} // namespace
} // namespace paohuzi
