// The quick way for queries without wang: a few look-ups of the matrix, no state.
#pragma once

#include "routes.hpp"

namespace paohuzi {

class PlainAnswer { // to a query without wang, whatever the winning tile
public:
    explicit PlainAnswer(const Holding &holding) : holding_(holding) {}

    int best_xi(int win, Source source) const {
        if (win == NO_WIN_TILE) {
            return xi_of(0, 0, 0);
        }
        const int held = holding_.held(win);
        const bool is_own = source == Source::self;
        const int grown = exposed_xi_gain(win, source);
        if (grown >= FORCED) {
            return xi_of_quad(grown - FORCED);
        }
        // The first way without branches: neither the face nor how often it is held can be foreseen.
        const First &first = FIRST[is_own][is_big(win)][held];
        const int shift = first.copies * PLACE_WEIGHT[static_cast<std::size_t>(win)];
        const int left = is_left(win) ? shift : 0;
        int best = xi_of(left, shift - left, first.xi, 1, first.is_quad);
        if (held >= 2 && !is_own) {
            best = std::max(best, held == 2 ? xi_of_third(win) : xi_of_quad(pao_xi(win) - kan_xi(win)));
        }
        return grown > 0 ? std::max(best, xi_of_quad(grown)) : best;
    }

private:
    static constexpr int FORCED = 100; // added to a gain that must be taken

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

    // What the exposed triplet of the winning tile gains as a quad, 0 if there is none or it may not grow.
    int exposed_xi_gain(int win, Source source) const {
        for (const int code : holding_.exposed) {
            if (code == 0) {
                return 0;
            }
            if (code == PENG_CODE + win) {
                return source == Source::discard ? 0 : pao_xi(win) - peng_xi(win);
            }
            if (code == WEI_CODE + win || code == CHOUWEI_CODE + win) {
                return source == Source::self ? ti_xi(win) - kan_xi(win) + FORCED : pao_xi(win) - kan_xi(win);
            }
        }
        return 0;
    }

    // With `more` tiles, some of them laid out: changes of the patterns, the xi and the quads.
    int xi_of(int left, int right, int xi, int more = 0, bool is_quad = false) const {
        const int rest = tables.plain.xi(holding_.left + left, holding_.right + right);
        const int quads = holding_.quads + is_quad;
        const bool is_complete = is_complete_count(holding_.tiles_less_quads + more - is_quad, quads);
        return rest < 0 || !is_complete ? NO_DIVISION : rest + holding_.xi + xi;
    }
    int xi_with(int win, int copies, int xi) const {
        const int shift = copies * PLACE_WEIGHT[static_cast<std::size_t>(win)];
        return is_left(win) ? xi_of(shift, 0, xi, 1) : xi_of(0, shift, xi, 1);
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
                best = std::max(best, xi_of(-others.left, -others.right, others.xi, 1));
            }
        }
        return holding_.quads > 0 ? std::max(best, xi_with(win, -1, 0)) : best; // the pair
    }

    const Holding &holding_;
};

} // namespace paohuzi
