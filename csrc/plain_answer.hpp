// The quick way for queries without wang: a few look-ups of the matrix, no state.
#pragma once

#include "routes.hpp"

#include <cstring>

namespace paohuzi {

class PlainAnswer { // to a query without wang, whatever the winning tile
public:
    explicit PlainAnswer(const Holding &holding) : holding_(holding) {}

    // A look-up that gives the best xi of one way: less than 0 there, or an xi less than 0 here, is no
    // division.
    struct Lookup {
        int left;
        int right;
        int xi;
    };

    int best_xi(int win, Source source) const {
        const Lookup lookup = first(win, source);
        const int rest = tables.plain.xi(lookup.left, lookup.right);
        const int xi = rest < 0 || lookup.xi < 0 ? NO_DIVISION : rest + lookup.xi;
        return has_others(win, source) ? std::max(xi, others(win, source)) : xi;
    }

    // The first way, or the only one. Without branches on the face and how often it is held: nobody can
    // foresee them.
    Lookup first(int win, Source source) const {
        if (win == NO_WIN_TILE) {
            return lookup(0, 0, 0, 0, false);
        }
        const bool is_own = source == Source::self;
        const First &way = holding_.exposed[0] != 0 && is_own && is_in_wei(win)
                               ? FORCED_QUAD
                               : FIRST[is_own][is_big(win)][holding_.held(win)];
        const int shift = way.copies * PLACE_WEIGHT[static_cast<std::size_t>(win)];
        const int left = is_left(win) ? shift : 0;
        return lookup(left, shift - left, way.xi, 1, way.is_quad);
    }

    bool has_others(int win, Source source) const {
        const bool is_open = holding_.exposed[0] != 0 && win != NO_WIN_TILE && grows_exposed(win, source);
        // All three looked at, as nobody can foresee them.
        return is_open |
               ((win != NO_WIN_TILE) & (source != Source::self) & (holding_.held(std::max(win, 0)) >= 2));
    }

    // Another player's tile in groups other than a peng, or on a kan or an exposed triplet.
    int others(int win, Source source) const {
        const int held = source == Source::self ? 0 : holding_.held(win);
        const int best = held == 2 ? xi_of_third(win) : NO_DIVISION;
        if (held == 3 || (source != Source::self && is_in_wei(win))) {
            return xi_of_quad(pao_xi(win) - kan_xi(win));
        }
        const bool may_run = source != Source::discard && is_exposed(PENG_CODE + win);
        return may_run ? std::max(best, xi_of_quad(pao_xi(win) - peng_xi(win))) : best;
    }

private:
    // What becomes of the winning tile: free, a triplet with the two held, or a quad with the kan.
    struct First {
        int copies; // that come to the free tiles
        int xi;
        bool is_quad;
    };
    // [own draw][big][copies held, with four as impossible as the fifth copy is]
    static constexpr First FIRST[2][2][COPY_COUNT + 1] = {
        {{{1, 0, false}, {1, 0, false}, {-2, peng_xi(0), false}, {1, 0, false}, {0, 0, false}},
         {{1, 0, false}, {1, 0, false}, {-2, peng_xi(10), false}, {1, 0, false}, {0, 0, false}}},
        {{{1, 0, false},
          {1, 0, false},
          {-2, kan_xi(0), false},
          {0, ti_xi(0) - kan_xi(0), true},
          {0, 0, false}},
         {{1, 0, false},
          {1, 0, false},
          {-2, kan_xi(10), false},
          {0, ti_xi(10) - kan_xi(10), true},
          {0, 0, false}}}};

    static constexpr First FORCED_QUAD{0, ti_xi(0) - kan_xi(0), true}; // 6 in both cases

    // Whether one of the seven codes is this one, all bytes at once.
    bool is_exposed(int code) const {
        if (holding_.exposed[0] == 0) {
            return false;
        }
        constexpr std::uint64_t EACH = 0x01010101010101; // seven bytes
        std::uint64_t codes = 0;
        std::memcpy(&codes, holding_.exposed.data(), GROUP_COUNT);
        codes ^= EACH * static_cast<std::uint64_t>(code);
        return ((codes - EACH) & ~codes & EACH << 7) != 0;
    }
    // Whether an exposed triplet may take the winning tile, but need not.
    bool grows_exposed(int win, Source source) const {
        return (source != Source::self && is_in_wei(win)) ||
               (source != Source::discard && is_exposed(PENG_CODE + win));
    }
    bool is_in_wei(int win) const { return is_exposed(WEI_CODE + win) || is_exposed(CHOUWEI_CODE + win); }

    // With `more` tiles, some of them laid out: changes of the patterns, the xi and the quads.
    Lookup lookup(int left, int right, int xi, int more, bool is_quad) const {
        const bool is_complete =
            is_complete_count(holding_.tiles_less_quads + more - is_quad, holding_.quads + is_quad);
        return {holding_.left + left, holding_.right + right, is_complete ? holding_.xi + xi : NO_DIVISION};
    }
    int xi_of(int left, int right, int xi) const { // with one tile more and no new quad
        const Lookup way = lookup(left, right, xi, 1, false);
        const int rest = tables.plain.xi(way.left, way.right);
        return rest < 0 || way.xi < 0 ? NO_DIVISION : rest + way.xi;
    }
    int xi_with(int win, int copies, int xi) const {
        const int shift = copies * PLACE_WEIGHT[static_cast<std::size_t>(win)];
        return is_left(win) ? xi_of(shift, 0, xi) : xi_of(0, shift, xi);
    }
    // The winning tile makes a quad of a triplet that is already counted.
    int xi_of_quad(int gain) const {
        const int rest = is_complete_count(holding_.tiles_less_quads, holding_.quads + 1)
                             ? tables.plain.xi(holding_.left, holding_.right)
                             : NO_DIVISION;
        return rest < 0 ? NO_DIVISION : rest + holding_.xi + gain;
    }
    // The third copy, from another player, in each of the groups but a peng.
    int xi_of_third(int win) const {
        int best = NO_DIVISION;
        const Packed free = free_tiles(holding_.hand);
        const ChiWith &chi = CHI_WITH[static_cast<std::size_t>(win)];
        for (std::size_t i = 0; i < chi.size; ++i) {
            const Meld &others = chi.others[i];
            if (holds(free, others.need)) {
                best = std::max(best, xi_of(-others.left, -others.right, others.xi));
            }
        }
        return holding_.quads > 0 ? std::max(best, xi_with(win, -1, 0)) : best; // the pair
    }

    const Holding &holding_;
};

} // namespace paohuzi
