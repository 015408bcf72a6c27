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
        const int grown = exposed_xi_gain(win, source);
        if (source == Source::self) {
            return grown >= FORCED ? xi_of_quad(grown - FORCED)
                   : held == 3     ? xi_of_quad(ti_xi(win) - kan_xi(win))
                   : held == 2 ? xi_with(win, -2, kan_xi(win))
                               : std::max(xi_with(win, 1, 0), grown > 0 ? xi_of_quad(grown) : NO_DIVISION);
        }
        const int single = held == 2 ? xi_of_third(win) : xi_with(win, 1, 0);
        const int gain = held == 3 ? pao_xi(win) - kan_xi(win) : grown;
        return gain > 0 ? std::max(single, xi_of_quad(gain)) : single;
    }

private:
    static constexpr int FORCED = 100; // added to a gain that must be taken

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

    // With one tile more, some of them laid out: changes of the patterns and of the xi. No quad is new.
    int xi_of(int left, int right, int xi, int more = 0) const {
        if (!is_complete_count(holding_.tiles_less_quads + more, holding_.quads)) {
            return NO_DIVISION;
        }
        const int rest = tables.plain.xi(holding_.left + left, holding_.right + right);
        return rest < 0 ? NO_DIVISION : rest + holding_.xi + xi;
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
    // The third copy, from another player: a peng, or each of the other groups with it in turn.
    int xi_of_third(int win) const {
        int best = xi_with(win, -2, peng_xi(win));
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
