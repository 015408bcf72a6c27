#include "score_wang.hpp"

#include "colours.hpp"
#include "routes.hpp"

#include <algorithm>
#include <array>

namespace paohuzi {

namespace {

template <std::size_t count>
constexpr std::array<int, count> faces_of(bool red) {
    std::array<int, count> faces{};
    std::size_t size = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        if (is_red(face) == red) {
            faces[size++] = face;
        }
    }
    return faces;
}
constexpr auto RED_FACES = faces_of<6>(true);
constexpr auto BLACK_FACES = faces_of<14>(false);

// How many wangs must stand for red and for black tiles; the others may stand for any.
struct Colours {
    int red = 0;
    int black = 0;

    int count() const { return red + black; }
};

// The best xi of divisions where so many wangs stand for red and for black tiles. One face after the other
// takes a wang, which then is a tile of that face: free beside one copy or none; beside two it makes a kan or
// goes where a third copy goes; or it makes a quad of a kan. That own tiles of the face may change places
// with it loses nothing, since a group's worth does not tell them apart.
class ColourSearch {
public:
    // NO_DIVISION unless more than the floor.
    static int best(const State &state, Colours need, int floor) {
        ColourSearch search(floor);
        search.look(state, 0, need, 0);
        return search.best_ > floor ? search.best_ : NO_DIVISION;
    }

private:
    explicit ColourSearch(int floor) : best_(floor) {}

    void look(const State &state, int xi, Colours need, std::size_t first) {
        if (state.rest.wangs < need.count()) {
            return;
        }
        const int rest = best_of(state);
        if (rest < 0 || rest + xi <= best_) {
            return;
        }
        if (need.red > 0) {
            for (std::size_t i = first; i < RED_FACES.size(); ++i) {
                put(state, xi, RED_FACES[i], {need.red - 1, need.black}, need.red > 1 ? i : 0);
            }
        } else if (need.black > 0) {
            for (std::size_t i = first; i < BLACK_FACES.size(); ++i) {
                put(state, xi, BLACK_FACES[i], {0, need.black - 1}, i);
            }
        } else {
            best_ = rest + xi;
        }
    }

    void put(const State &state, int xi, int face, Colours need, std::size_t next) {
        State after = state;
        after.rest.wangs -= 1;
        if ((state.kan >> face & 1) != 0 && state.rest.owes_quads > 0) {
            State quad = after;
            quad.kan &= ~(1U << face);
            quad.rest.kan -= 1;
            quad.rest.owes_quads -= 1;
            look(quad, xi + ti_xi(face), need, next);
        }
        if (count_of(state.free, face) == 2) {
            put_in_kan(after, xi, face, need, next);
            put_in_chi(after, xi, face, need, next);
        } else {
            after.add(face);
            look(after, xi, need, next);
        }
    }

    void put_in_kan(State after, int xi, int face, Colours need, std::size_t next) {
        after.take_two(face);
        if ((after.kan >> face & 1) != 0) { // a second one of the same face
            xi += kan_xi(face);
        } else {
            after.kan |= 1U << face;
            after.rest.kan += 1;
        }
        look(after, xi, need, next);
    }

    void put_in_chi(State after, int xi, int face, Colours need, std::size_t next) {
        after.foreign = face;
        for (const Meld &meld : MELDS_WITH[static_cast<std::size_t>(face)]) {
            State rest;
            if (meld.use == Use::any && lay_out(after, meld, rest)) {
                look(rest, xi + meld.xi, need, next);
            }
        }
    }

    int best_;
};

// Divisions alike in what they owe: how many wangs stand alone beside the winning tile, and how many of the
// tiles outside `state` are red.
struct Part {
    State state;
    int xi;
    int beside_win;
    int red;
};

class WangScore {
public:
    WangScore(const Scorer &scorer, const Query &query, const Context &context)
        : scorer_(scorer), facts_(facts_of_win(query, scorer.rules().scoring, context)) {
        count_colours(visible_tiles(query), facts_);
        red_ = facts_.red;
    }

    void add(const Part &part) {
        const int best_xi = ColourSearch::best(part.state, {}, NO_DIVISION) + part.xi;
        if (best_xi - part.xi < 0 || best_xi < scorer_.rules().options.min_xi) {
            return;
        }
        const int wangs = part.state.rest.wangs;
        std::array<Reckoning, WANG_MAX + 1> bounds; // by red wangs
        bool is_rising = true;
        for (int red = 0; red <= wangs; ++red) {
            const auto place = static_cast<std::size_t>(red);
            bounds[place] = reckon_with(part, red, best_xi);
            is_rising &= red == 0 || is_step_up(bounds[place - 1], bounds[place]);
        }
        if (is_rising) {
            add_rising(part, best_xi, bounds);
        } else {
            add_each(part, bounds);
        }
    }

    const Reckoning &best() const { return best_; }
    bool has_tie() const { return has_tie_; }

private:
    // More red tiles pay more: so it matters only that there are enough.
    void add_rising(const Part &part, int best_xi, const std::array<Reckoning, WANG_MAX + 1> &bounds) {
        for (int red = part.state.rest.wangs; red > 0; --red) {
            const Reckoning &bound = bounds[static_cast<std::size_t>(red)];
            if (bound.fans != bounds[static_cast<std::size_t>(red - 1)].fans && may_be_more(bound)) {
                search(part, red, {red, 0});
            }
        }
        take(part, 0, best_xi);
    }

    void add_each(const Part &part, const std::array<Reckoning, WANG_MAX + 1> &bounds) {
        const int wangs = part.state.rest.wangs;
        const auto bound_of = [&](int red) { return bounds[static_cast<std::size_t>(red)]; };
        for (unsigned left = (1U << (wangs + 1)) - 1; left != 0;) { // what may pay most first
            int most = __builtin_ctz(left);
            for (int red = most + 1; red <= wangs; ++red) {
                most = (left >> red & 1) != 0 && bound_of(most).is_less_than(bound_of(red)) ? red : most;
            }
            left &= ~(1U << most);
            if (may_be_more(bound_of(most))) {
                search(part, most, {most, wangs - most});
            }
        }
    }

    void search(const Part &part, int red, Colours need) {
        const int floor = scorer_.rules().options.min_xi - 1 - part.xi;
        const int xi = ColourSearch::best(part.state, need, std::max(floor, NO_DIVISION));
        if (xi >= 0) {
            take(part, red, xi + part.xi);
        }
    }

    // One red tile more pays the same for the same fans, or more.
    static bool is_step_up(const Reckoning &less, const Reckoning &more) {
        return less.fans == more.fans ? less.fan == more.fan : less.fan < more.fan;
    }
    Reckoning reckon_with(const Part &part, int red, int xi) {
        facts_.red = red_ + part.red + red;
        facts_.wangs_beside_win = part.beside_win;
        return reckon(scorer_.rules().scoring, facts_, xi);
    }
    void take(const Part &part, int red, int xi) {
        const Reckoning found = reckon_with(part, red, xi);
        if (may_be_more(found)) {
            best_ = found;
            has_tie_ = false;
        }
    }
    bool may_be_more(const Reckoning &bound) {
        const bool is_more = best_.is_less_than(bound);
        has_tie_ |= !is_more && !bound.is_less_than(best_) && bound.fans != best_.fans;
        return is_more;
    }

    const Scorer &scorer_;
    Facts facts_;
    int red_;
    Reckoning best_;
    bool has_tie_ = false; // perhaps
};

class Parts { // of a query with wangs
public:
    Parts(const Scorer &scorer, const Query &query)
        : query_(query), holding_(query), routes_(holding_, scorer.rules().options.wang_in_quad),
          looks_at_diao_(scorer.uses(Fact::wang_diao) || scorer.uses(Fact::wang_diao_wang)) {}

    // Calls visit(part) for each; false when the tables do not hold all of them.
    template <class Visit>
    bool for_each(Visit visit) const {
        bool is_covered = true;
        routes_.for_each_route(query_.win, query_.source, [&](const RoutePlan &plan) {
            is_covered &= routes_.for_each_debt(plan, [&](const State &state) {
                visit(Part{state, plan.xi, 0, 0});
                if (looks_at_diao_ && query_.source == Source::self &&
                    (plan.route == Route::single || plan.route == Route::wang)) {
                    for_each_diao(state, plan.xi, visit);
                }
            });
        });
        return is_covered;
    }

private:
    // The winning tile with one, two or three wangs as pair, triplet or quad. Wangs alone are best big, and
    // red or black.
    template <class Visit>
    void for_each_diao(State state, int xi, Visit visit) const {
        if (query_.win == WANG) {
            state.rest.wangs -= 1;
            diao_of(BIG_RED, 1, state, xi, visit);
            diao_of(BIG_BLACK, 1, state, xi, visit);
        } else {
            state.remove(query_.win);
            diao_of(query_.win, 0, state, xi, visit);
        }
    }

    template <class Visit>
    static void diao_of(int face, int wang_win, const State &state, int xi, Visit visit) {
        const auto make = [&](State after, int beside, int more) {
            after.rest.wangs -= beside;
            if (after.rest.wangs >= 0) {
                visit(Part{after, xi + more, beside, is_red(face) ? beside + wang_win : 0});
            }
        };
        if (state.rest.owes_pair) {
            State after = state;
            after.rest.owes_pair = false;
            make(after, 1, 0);
        }
        make(state, 2, kan_xi(face));
        if (state.rest.owes_quads > 0) {
            State after = state;
            after.rest.owes_quads -= 1;
            make(after, 3, ti_xi(face));
        }
    }

    static constexpr int BIG_RED = 11;
    static constexpr int BIG_BLACK = 10;

    const Query &query_;
    Holding holding_;
    Routes routes_;
    bool looks_at_diao_;
};

} // namespace

WangReckoning best_wang_score(const Scorer &scorer, const Query &query, const Context &context) noexcept {
    if (query.source > Source::self) {
        return {}; // which group holds the other player's tile matters then
    }
    WangScore score(scorer, query, context);
    const bool is_covered = Parts(scorer, query).for_each([&](const Part &part) { score.add(part); });
    return {is_covered, score.has_tie(), score.best()};
}

} // namespace paohuzi
