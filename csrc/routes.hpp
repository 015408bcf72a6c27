// A query before its winning tile, and the routes that the tile may take (docs/rules.md 3.4).
#pragma once

#include "index.hpp"
#include "state.hpp"

#include <algorithm>

namespace paohuzi {

inline bool has_wang(const Query &query) { return wang_count(query.hand) > 0 || query.win == WANG; }

struct Holding {
    Packed hand;
    const std::array<std::uint8_t, GROUP_COUNT> &exposed;
    int wangs;
    int left; // patterns of the free tiles
    int right;
    int kan;
    int quads;            // natural ones, exposed and concealed
    int tiles_less_quads; // each quad counted as three
    int xi;               // of kan, quads and exposed groups

    explicit Holding(const Query &query) : hand(query.hand), exposed(query.exposed) {
        const HandIndex index = index_of(hand);
        wangs = wang_count(hand);
        left = index.left;
        right = index.right;
        kan = index.kan_count();
        quads = index.ti_count();
        tiles_less_quads = index.tile_count() + wangs - quads;
        xi = index.xi();
        if (exposed[0] == 0) {
            return;
        }
        for (const int code : exposed) {
            const Worth &worth = WORTHS[static_cast<std::size_t>(code)];
            xi += worth.xi;
            quads += worth.is_quad;
            tiles_less_quads += 3 * worth.is_group;
        }
    }

    int held(int face) const { return count_of(hand, face); }

    Holding without(int face) const { // one free tile less
        Holding rest = *this;
        rest.hand -= one_of(face);
        (is_left(face) ? rest.left : rest.right) -= PLACE_WEIGHT[static_cast<std::size_t>(face)];
        rest.tiles_less_quads -= 1;
        return rest;
    }
};

struct RoutePlan {
    Route route = Route::dealt;
    State state;
    int xi = 0;    // of the groups that are settled, without the kan
    int quads = 0; // settled
    int new_code = 0;       // the group of the winning tile on a forced route or a pao
    int replaced = 0;       // the exposed group it grew from
};

class Routes { // of a query, whatever the winning tile
public:
    Routes(const Holding &holding, bool wang_in_quad) : holding_(holding), wang_in_quad_(wang_in_quad) {}

    // Calls visit(plan) for every route of a winning tile, or of the whole hand without one.
    template <class Visit>
    void for_each_route(int win, Source source, Visit visit) const {
        if (win == NO_WIN_TILE) {
            visit(plan(Route::dealt));
        } else if (source == Source::self) {
            own_draw(win, visit);
        } else {
            from_other(win, source, visit);
        }
    }

    // Best xi on a route; NOT_COVERED when more than one quad would have to hold a wang.
    int xi_of(const RoutePlan &plan) const {
        int best = NO_DIVISION;
        const bool is_covered =
            for_each_debt(plan, [&best](const State &state) { best = std::max(best, best_of(state)); });
        return !is_covered ? NOT_COVERED : best < 0 ? NO_DIVISION : best + plan.xi;
    }

    // Calls visit(state) with what a division owes: a pair beside a quad, a quad made with wangs. False: not
    // covered.
    template <class Visit>
    bool for_each_debt(const RoutePlan &plan, Visit visit) const {
        const int wangs = plan.state.rest.wangs;
        const int tiles =
            holding_.tiles_less_quads + (plan.route == Route::dealt ? 0 : 1) - (plan.quads - holding_.quads);
        const int spare = tiles - (plan.quads == 0 ? 21 : 20);
        if (spare < 0 || (spare > 0 && (wangs == 0 || !wang_in_quad_))) {
            return true;
        }
        State state = plan.state;
        state.rest.kan = __builtin_popcount(state.kan);
        state.rest.owes_pair = plan.quads > 0;
        if (spare > 0) { // so many tiles that there must be more quads
            state.rest.owes_pair = true;
            state.rest.owes_quads = tiles - 20;
            visit(state);
            return state.rest.owes_quads == 1;
        }
        visit(state);
        if (plan.quads == 0 && wangs > 0 && wang_in_quad_) {
            state.rest.owes_pair = true;
            state.rest.owes_quads = 1;
            visit(state);
        }
        return true;
    }

private:
    std::uint32_t kan_faces() const {
        std::uint32_t faces = 0;
        for (int face = 0; face < FACE_COUNT; ++face) {
            faces |= static_cast<std::uint32_t>(holding_.held(face) == 3) << face;
        }
        return faces;
    }

    RoutePlan plan(Route route) const {
        RoutePlan plan;
        plan.route = route;
        plan.state.free = free_tiles(holding_.hand);
        plan.state.rest.left = holding_.left;
        plan.state.rest.right = holding_.right;
        plan.state.rest.wangs = holding_.wangs;
        plan.state.kan = kan_faces();
        plan.xi = holding_.xi - kan_sum(plan.state.kan);
        plan.quads = holding_.quads;
        return plan;
    }

    int exposed(int first_code, int face) const { // the code of this exposed group, or 0
        for (const int code : holding_.exposed) {
            if (code == first_code + face) {
                return code;
            }
        }
        return 0;
    }
    int exposed_wei(int face) const { return std::max(exposed(WEI_CODE, face), exposed(CHOUWEI_CODE, face)); }

    RoutePlan quad(Route route, int face, int replaced) const {
        RoutePlan quad = plan(route);
        const int code = (route == Route::ti ? TI_CODE : PAO_CODE) + face;
        quad.new_code = code;
        quad.replaced = replaced;
        quad.xi += group_xi(code) - (replaced == 0 ? 0 : WORTHS[static_cast<std::size_t>(replaced)].xi);
        quad.quads += 1;
        quad.state.kan &= ~(1U << face);
        return quad;
    }

    template <class Visit>
    void own_draw(int win, Visit visit) const {
        if (win == WANG) {
            RoutePlan wang = plan(Route::wang);
            wang.state.rest.wangs += 1;
            visit(wang);
            return;
        }
        const int wei = exposed_wei(win);
        if (holding_.held(win) == 3 || wei != 0) {
            visit(quad(Route::ti, win, wei));
        } else if (holding_.held(win) == 2) {
            RoutePlan triplet = plan(Route::wei);
            triplet.state.take_two(win);
            triplet.new_code = WEI_CODE + win;
            triplet.xi += kan_xi(win);
            visit(triplet);
        } else {
            RoutePlan single = plan(Route::single);
            single.state.add(win);
            visit(single);
            if (const int peng = exposed(PENG_CODE, win)) {
                visit(quad(Route::pao, win, peng));
            }
        }
    }

    template <class Visit>
    void from_other(int win, Source source, Visit visit) const {
        RoutePlan single = plan(Route::single);
        if (holding_.wangs > 0 || holding_.held(win) == 2) {
            single.state.foreign = win;
        } else {
            single.state.add(win); // no triplet can be made of it
        }
        visit(single);
        if (holding_.held(win) == 3) {
            visit(quad(Route::pao, win, 0));
        } else if (const int wei = exposed_wei(win)) {
            visit(quad(Route::pao, win, wei));
        } else if (const int peng = exposed(PENG_CODE, win); peng != 0 && source == Source::other) {
            visit(quad(Route::pao, win, peng));
        }
    }

    const Holding &holding_;
    bool wang_in_quad_;
};

} // namespace paohuzi
