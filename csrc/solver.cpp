#include "solver.hpp"

#include "index.hpp"
#include "kernels.hpp"
#include "tables.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace paohuzi {

namespace {

constexpr XiTable CLASSIC{};

constexpr int kan_xi(int face) { return CLASSIC.kan[is_big(face)]; }
constexpr int peng_xi(int face) { return CLASSIC.peng[is_big(face)]; }
constexpr int pao_xi(int face) { return CLASSIC.pao[is_big(face)]; }
constexpr int ti_xi(int face) { return CLASSIC.ti[is_big(face)]; }

// ---- worth of a group
// ---------------------------------------------------------------------------------------------

struct Worth {
    std::int16_t xi = 0;
    std::uint8_t is_quad = 0;
    std::uint8_t is_group = 0;
};

constexpr int group_xi(int code) {
    const Group &group = GROUPS[static_cast<std::size_t>(code)];
    const bool big = is_big(group.faces[0]);
    switch (group.kind) {
    case Kind::run:
        return rank_of(group.faces[0]) == 0 ? CLASSIC.r123[big] : 0;
    case Kind::r27a:
        return CLASSIC.r27a[big];
    case Kind::peng:
        return CLASSIC.peng[big];
    case Kind::kan:
    case Kind::wei:
    case Kind::chouwei:
        return CLASSIC.kan[big];
    case Kind::pao:
        return CLASSIC.pao[big];
    case Kind::ti:
        return CLASSIC.ti[big];
    default:
        return 0;
    }
}

constexpr auto WORTHS = [] {
    std::array<Worth, CODE_COUNT> worths{};
    for (int code = 1; code < CODE_COUNT; ++code) {
        const Group &group = GROUPS[static_cast<std::size_t>(code)];
        worths[static_cast<std::size_t>(code)] = {static_cast<std::int16_t>(group_xi(code)),
                                                  static_cast<std::uint8_t>(group.size == 4), 1};
    }
    return worths;
}();

// ---- melds: groups with every choice of wangs, by their lowest own tile
// -------------------------------------------

// Whose tiles a group may be made of.
enum class Use : std::uint8_t {
    any,     // own ones and another player's
    own,     // a triplet or quad with wangs
    kan,     // a kan, by itself or with a wang
    foreign, // another player's tile must be in it: peng, pao
};

struct Meld {
    std::uint8_t code = 0;
    std::uint8_t wang_mask = 0;
    std::uint8_t wangs = 0;
    std::uint8_t own_count = 0;
    std::int8_t lowest = WANG; // lowest face with an own tile; WANG: none
    Use use = Use::any;
    bool is_pair = false;
    bool is_quad = false;
    std::int16_t xi = 0;
    Packed need = 0; // own tiles, and what they take from the patterns
    int left = 0;
    int right = 0;
};

bool is_canonical(const Group &group, int mask) { // among equal faces the last ones are wangs
    for (std::size_t i = 0; i + 1 < group.size; ++i) {
        if (group.faces[i] == group.faces[i + 1] && (mask >> i & 1) != 0 && (mask >> (i + 1) & 1) == 0) {
            return false;
        }
    }
    return true;
}

Meld make_meld(int code, int mask) {
    const Group &group = GROUPS[static_cast<std::size_t>(code)];
    Meld meld;
    meld.code = static_cast<std::uint8_t>(code);
    meld.wang_mask = static_cast<std::uint8_t>(mask);
    meld.is_pair = group.kind == Kind::pair;
    meld.is_quad = group.kind == Kind::pao || group.kind == Kind::ti;
    meld.xi = WORTHS[static_cast<std::size_t>(code)].xi;
    for (std::size_t i = 0; i < group.size; ++i) {
        const int face = group.faces[i];
        if ((mask >> i & 1) != 0) {
            ++meld.wangs;
        } else {
            ++meld.own_count;
            meld.need += one_of(face);
            (is_left(face) ? meld.left : meld.right) += PLACE_WEIGHT[static_cast<std::size_t>(face)];
            meld.lowest = static_cast<std::int8_t>(std::min<int>(meld.lowest, face));
        }
    }
    if (group.kind == Kind::kan || group.kind == Kind::ti) {
        meld.use = meld.own_count == 3 ? Use::kan : Use::own;
    } else if (group.kind == Kind::peng || group.kind == Kind::pao) {
        meld.use = Use::foreign;
    }
    return meld;
}

// A concealed hand forms neither wei nor chouwei of its own, and natural quads stand apart.
bool is_meld(const Group &group, int mask) {
    const bool is_quad = group.kind == Kind::pao || group.kind == Kind::ti;
    return group.kind != Kind::wei && group.kind != Kind::chouwei && !(is_quad && mask == 0) &&
           is_canonical(group, mask);
}

using MeldLists = std::vector<std::vector<Meld>>; // by lowest face, in the fixed order: code, then mask

MeldLists make_melds(bool with_wangs) {
    MeldLists lists(WANG + 1);
    for (int code = 1; code < CODE_COUNT; ++code) {
        const Group &group = GROUPS[static_cast<std::size_t>(code)];
        for (int mask = 0; mask < (with_wangs ? 1 << group.size : 1); ++mask) {
            if (is_meld(group, mask)) {
                const Meld meld = make_meld(code, mask);
                lists[static_cast<std::size_t>(meld.lowest)].push_back(meld);
            }
        }
    }
    return lists;
}

const MeldLists MELDS = make_melds(true);
const MeldLists PLAIN_MELDS = make_melds(false); // those without wangs

// ---- what is still to be divided
// ----------------------------------------------------------------------------------

// Tiles held, less the kan and quads.
Packed free_tiles(Packed hand) {
    constexpr Packed ONES = 0x1249249249249249 & TILE_BITS;
    const Packed out = (hand >> 2 | (hand & hand >> 1)) & ONES; // three or four
    return hand & TILE_BITS & ~(out * COUNT_MASK);
}

struct State {
    Packed free = 0; // own free tiles
    Rest rest;       // of those
    std::uint32_t kan = 0; // faces whose kan is not yet laid out, bit by face
    int foreign = NO_WIN_TILE; // another player's tile that is still to be put into some group

    void add_weight(int face) {
        (is_left(face) ? rest.left : rest.right) += PLACE_WEIGHT[static_cast<std::size_t>(face)];
    }
    void add(int face) {
        free += one_of(face);
        add_weight(face);
    }
    void take_two(int face) {
        free -= 2 * one_of(face);
        (is_left(face) ? rest.left : rest.right) -= 2 * PLACE_WEIGHT[static_cast<std::size_t>(face)];
    }
};

int kan_sum(std::uint32_t kan) {
    int xi = 0;
    for (; kan != 0; kan &= kan - 1) {
        xi += kan_xi(__builtin_ctz(kan));
    }
    return xi;
}

int best_of(const State &state);

// Whether each face is held at least as often as needed; free tiles leave the top bit of each count unset.
bool holds(Packed free, Packed need) {
    constexpr Packed TOP_BITS = 0x4924924924924924 & TILE_BITS;
    return (((free | TOP_BITS) - need) & TOP_BITS) == TOP_BITS;
}

// Takes a meld out of a state, if it is there: then `after` is what remains. A triplet or quad with the
// foreign tile is peng or pao, and those are no others; any other group takes the foreign tile before an own
// one of the same face, which never loses xi: the own tile is worth as much as it anywhere.
bool lay_out(const State &state, const Meld &meld, State &after) {
    if (meld.wangs > state.rest.wangs || (meld.is_pair && !state.rest.owes_pair) ||
        (meld.is_quad && !state.rest.owes_quad)) {
        return false;
    }
    if (meld.use == Use::kan) {
        if ((state.kan >> meld.lowest & 1) == 0) {
            return false;
        }
        after = state;
        after.kan &= ~(1U << meld.lowest);
        after.rest.has_kan = after.kan != 0;
    } else {
        const bool takes_foreign =
            meld.use != Use::own && state.foreign >= 0 && count_of(meld.need, state.foreign) > 0;
        const Packed need = takes_foreign ? meld.need - one_of(state.foreign) : meld.need;
        if (!holds(state.free, need) || (meld.use == Use::foreign && !takes_foreign)) {
            return false;
        }
        after = state;
        if (takes_foreign) {
            after.add_weight(state.foreign);
            after.foreign = NO_WIN_TILE;
        }
        after.free -= need;
        after.rest.left -= meld.left;
        after.rest.right -= meld.right;
    }
    after.rest.wangs -= meld.wangs;
    after.rest.owes_pair &= !meld.is_pair;
    after.rest.owes_quad &= !meld.is_quad;
    return true;
}

int rest_xi(const Rest &rest) {
    if (rest.wangs > 0) {
        return kernels().rest_with_wang(rest);
    }
    return rest.owes_quad ? NO_DIVISION : tables.plain.xi(rest.left, rest.right);
}

// The groups that may hold a tile: its melds, whichever of its tiles is the lowest.
const std::vector<Meld> &melds_with(int face) {
    static const auto by_face = [] {
        std::vector<std::vector<Meld>> all(FACE_COUNT);
        for (const auto &list : MELDS) {
            for (const Meld &meld : list) {
                for (int each = 0; each < FACE_COUNT; ++each) {
                    const bool may_hold = meld.use == Use::any || meld.use == Use::foreign;
                    if (may_hold && count_of(meld.need, each) > 0) {
                        all[static_cast<std::size_t>(each)].push_back(meld);
                    }
                }
            }
        }
        return all;
    }();
    return by_face[static_cast<std::size_t>(face)];
}

int foreign_xi(const State &state) {
    int best = NO_DIVISION;
    for (const Meld &meld : melds_with(state.foreign)) {
        State after;
        if (lay_out(state, meld, after)) {
            const int xi = rest_xi(after.rest);
            best = xi < 0 ? best : std::max(best, xi + meld.xi);
        }
    }
    return best;
}

int best_of(const State &state) {
    const int xi = state.foreign < 0 ? rest_xi(state.rest) : foreign_xi(state);
    return xi < 0 ? NO_DIVISION : xi + kan_sum(state.kan);
}

// ---- a query before its winning tile
// ------------------------------------------------------------------------------

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

// ---- a query and its routes
// ---------------------------------------------------------------------------------------

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
        if (spare != 0) {
            return spare < 0 || wangs == 0;
        }
        State state = plan.state;
        state.rest.has_kan = state.kan != 0;
        state.rest.owes_pair = plan.quads > 0;
        visit(state);
        if (plan.quads == 0 && wangs > 0 && wang_in_quad_) {
            state.rest.owes_pair = true;
            state.rest.owes_quad = true;
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

int best_xi(const Routes &routes, int win, Source source) {
    int best = NO_DIVISION;
    bool is_covered = true;
    routes.for_each_route(win, source, [&](const RoutePlan &plan) {
        const int xi = routes.xi_of(plan);
        is_covered &= xi != NOT_COVERED;
        best = std::max(best, xi);
    });
    return is_covered ? best : NOT_COVERED;
}

// ---- the quick way for queries without wang
// -----------------------------------------------------------------------

constexpr std::size_t CHI_MAX = 6;

struct ChiWith { // the groups of three that hold a face beside two others: up to three runs, 2-7-10, two 绞
    std::array<Meld, CHI_MAX> others; // what the two others take
    std::size_t size = 0;
};

const std::array<ChiWith, FACE_COUNT> CHI_WITH = [] {
    std::array<ChiWith, FACE_COUNT> chi{};
    for (int face = 0; face < FACE_COUNT; ++face) {
        for (int code = RUN_CODE; code < PAIR_CODE; ++code) {
            Meld meld = make_meld(code, 0);
            if (count_of(meld.need, face) > 0) {
                meld.need -= one_of(face);
                (is_left(face) ? meld.left : meld.right) -= PLACE_WEIGHT[static_cast<std::size_t>(face)];
                ChiWith &list = chi[static_cast<std::size_t>(face)];
                list.others[list.size++] = meld;
            }
        }
    }
    return chi;
}();

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

int best_xi(const Holding &holding, int win, Source source, bool wang_in_quad) {
    if (holding.wangs == 0 && win != WANG) {
        return PlainAnswer(holding).best_xi(win, source);
    }
    return best_xi(Routes(holding, wang_in_quad), win, source);
}

// Faces whose tile does more than join the others when it comes: it may or must go to an exposed group, or is
// the third or fourth copy from another player.
std::uint32_t special_faces(const Holding &holding, Source source) {
    std::uint32_t faces = 0;
    for (const int code : holding.exposed) {
        if (code >= PENG_CODE && code < PAO_CODE) {
            faces |= 1U << (code - PENG_CODE) % FACE_COUNT;
        }
    }
    for (int face = 0; face < FACE_COUNT && source != Source::self; ++face) {
        faces |= static_cast<std::uint32_t>(holding.held(face) >= 2) << face;
    }
    return faces;
}

bool has_wang(const Query &query) { return wang_count(query.hand) > 0 || query.win == WANG; }

// Best xi by face for the faces that are left over; false where the tables do not hold the answer.
bool waits_of(const Holding &holding, std::uint32_t possible, Source source, bool wang_in_quad,
              std::int16_t *xi_by_face) {
    std::int8_t drawn[WANG + 1];
    std::uint32_t singly = possible;
    if (holding.wangs == 0 || (source == Source::self && wang_in_quad)) {
        kernels().draws({holding.hand, holding.left, holding.right, holding.xi, holding.tiles_less_quads + 1,
                         holding.quads, holding.kan, holding.wangs},
                        drawn);
        singly &= special_faces(holding, source) | (holding.wangs == 0 ? 1U << WANG : 0);
    }
    for (int face = 0; face <= WANG; ++face) {
        xi_by_face[face] = (possible >> face & 1) != 0 ? drawn[face] : std::int8_t{NO_DIVISION};
    }
    for (; singly != 0; singly &= singly - 1) {
        const int face = __builtin_ctz(singly);
        const int xi = best_xi(holding, face, source, wang_in_quad);
        if (xi == NOT_COVERED) {
            return false;
        }
        xi_by_face[face] = static_cast<std::int16_t>(xi);
    }
    return true;
}

// The faces of which the player has not seen all four, and the wang when one may come.
std::uint32_t left_over(const Query &query, Source source, int wang_total) {
    Packed visible = query.hand;
    for (const int code : query.exposed) {
        visible += GROUP_TILES[static_cast<std::size_t>(code)];
    }
    std::uint32_t faces = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        faces |= static_cast<std::uint32_t>(count_of(visible, face) < COPY_COUNT) << face;
    }
    const bool may_draw_wang = source == Source::self && wang_count(query.hand) < wang_total;
    return faces | static_cast<std::uint32_t>(may_draw_wang) << WANG;
}

bool is_ready(const Query &query) {
    return tables.chunks != nullptr && (!has_wang(query) || tables.wang.is_attached());
}

bool may_wait(const Query &query, Source source, const Options &options, int wang_total) {
    const bool may_draw_wang = source == Source::self && wang_count(query.hand) < wang_total;
    return is_covered(options) && is_ready(query) && (!may_draw_wang || tables.wang.is_attached());
}

// ---- the division itself
// ------------------------------------------------------------------------------------------

using Key = std::uint32_t; // of the fixed order: lowest own tile, code, wangs

Key key_of(WangGroup group) {
    const int code = group & 255;
    const int mask = group >> 8;
    int lowest = WANG;
    for (std::size_t i = GROUPS[static_cast<std::size_t>(code)].size; i-- > 0;) {
        if ((mask >> i & 1) == 0) {
            lowest = GROUPS[static_cast<std::size_t>(code)].faces[i];
        }
    }
    return static_cast<Key>(lowest << 16 | code << 4 | mask);
}

struct Groups {
    std::array<WangGroup, GROUP_COUNT> items{};
    int size = 0;

    void push(WangGroup group) { items[static_cast<std::size_t>(size++)] = group; }
    void sort() {
        std::sort(items.begin(), items.begin() + size,
                  [](WangGroup a, WangGroup b) { return key_of(a) < key_of(b); });
    }
    bool operator<(const Groups &other) const {
        return std::lexicographical_compare(items.begin(), items.begin() + size, other.items.begin(),
                                            other.items.begin() + other.size,
                                            [](WangGroup a, WangGroup b) { return key_of(a) < key_of(b); });
    }
};

int lowest_face(const State &state) {
    Packed held = state.free;
    for (std::uint32_t kan = state.kan; kan != 0; kan &= kan - 1) {
        held |= one_of(__builtin_ctz(kan));
    }
    if (state.foreign >= 0) {
        held |= one_of(state.foreign);
    }
    return held == 0 ? WANG : __builtin_ctzll(held) / COUNT_BITS;
}

// The first groups in the fixed order that make this xi, which is the best of the state.
bool lay_out_first(State &state, int &xi, Groups &groups) {
    const MeldLists &lists = state.rest.wangs > 0 ? MELDS : PLAIN_MELDS;
    for (const Meld &meld : lists[static_cast<std::size_t>(lowest_face(state))]) {
        State after;
        if (lay_out(state, meld, after) && best_of(after) == xi - meld.xi) {
            groups.push(wang_group(meld.code, meld.wang_mask));
            state = after;
            xi -= meld.xi;
            return true;
        }
    }
    return false;
}

void walk(State state, int xi, Groups &groups) {
    while ((lowest_face(state) != WANG || state.rest.wangs > 0) && lay_out_first(state, xi, groups)) {
    }
}

Groups concealed_groups(const Routes &routes, const Query &query, const RoutePlan &plan, int xi) {
    Groups settled;
    for (int face = 0; face < FACE_COUNT; ++face) {
        if (count_of(query.hand, face) == COPY_COUNT) {
            settled.push(wang_group(TI_CODE + face, 0));
        }
    }
    if (plan.new_code != 0 && plan.replaced == 0) {
        settled.push(wang_group(plan.new_code, 0));
    }
    Groups best;
    routes.for_each_debt(plan, [&](const State &state) {
        if (best_of(state) != xi - plan.xi) {
            return;
        }
        Groups groups = settled;
        walk(state, xi - plan.xi, groups);
        groups.sort();
        if (best.size == 0 || groups < best) {
            best = groups;
        }
    });
    return best;
}

Division make_division(const Query &query, const RoutePlan &plan, int xi, const Groups &concealed) {
    Division division;
    division.xi = static_cast<std::int16_t>(xi);
    division.route = plan.route;
    for (const int code : query.exposed) {
        if (code != 0) {
            const bool is_replaced = code == plan.replaced && plan.replaced != 0;
            division.groups[division.size++] = wang_group(is_replaced ? plan.new_code : code, 0);
        }
    }
    for (int i = 0; i < concealed.size; ++i) {
        division.groups[division.size++] = concealed.items[static_cast<std::size_t>(i)];
    }
    return division;
}

// ---- how many divisions
// -------------------------------------------------------------------------------------------

std::int64_t dot(const std::uint8_t *left, const std::uint8_t *right) {
    std::int64_t sum = 0;
    for (int i = 0; i < STATE_COUNT; ++i) {
        sum += left[i] * right[i];
    }
    return sum;
}

std::int64_t rest_count(const Rest &rest) {
    enum { left, left_pair, right, right_pair };
    const auto vector = [](int pattern, int part) {
        return tables.divisions.vectors + std::size_t{tables.divisions.numbers[pattern * 4 + part]} * 128;
    };
    if (!rest.owes_pair) {
        return dot(vector(rest.left, left), vector(rest.right, right));
    }
    return dot(vector(rest.left, left), vector(rest.right, right_pair)) +
           dot(vector(rest.left, left_pair), vector(rest.right, right));
}

// With the foreign tile and two more of its face: the groups that hold them are laid out in order, so that
// each set of groups comes once; the rest no longer holds the face.
std::int64_t foreign_count(const State &state, int face, std::size_t first) {
    if (state.foreign < 0 && count_of(state.free, face) == 0) {
        return rest_count(state.rest);
    }
    std::int64_t sum = 0;
    const auto &list = melds_with(face);
    for (std::size_t i = first; i < list.size(); ++i) {
        State after;
        if (lay_out(state, list[i], after)) {
            sum += foreign_count(after, face, i);
        }
    }
    return sum;
}

std::int64_t count_of_route(const Routes &routes, const RoutePlan &plan) {
    std::int64_t count = 0;
    routes.for_each_debt(plan, [&count](const State &state) {
        count += state.foreign < 0 ? rest_count(state.rest) : foreign_count(state, state.foreign, 0);
    });
    return count;
}

} // namespace

// ---- the answers
// --------------------------------------------------------------------------------------------------

bool is_covered(const Options &options) noexcept {
    return std::memcmp(&options.xi, &CLASSIC, sizeof CLASSIC) == 0 && !options.kan_splittable &&
           !options.third_from_other_is_wei && options.self_draw_forced && options.wang_in_triplet;
}

int best_xi(const Query &query, const Options &options) noexcept {
    if (!is_covered(options) || !is_ready(query)) {
        return NOT_COVERED;
    }
    return best_xi(Holding(query), query.win, query.source, options.wang_in_quad);
}

int best_division(const Query &query, const Options &options, Division *division) noexcept {
    const int best = best_xi(query, options);
    if (best < 0) {
        return best;
    }
    const Holding holding(query);
    const Routes routes(holding, options.wang_in_quad);
    bool is_found = false;
    routes.for_each_route(query.win, query.source, [&](const RoutePlan &plan) {
        if (!is_found && routes.xi_of(plan) == best) {
            is_found = true;
            *division = make_division(query, plan, best, concealed_groups(routes, query, plan, best));
        }
    });
    return best;
}

std::int64_t count_divisions(const Query &query, const Options &options) noexcept {
    if (!is_covered(options) || has_wang(query) || tables.chunks == nullptr ||
        tables.divisions.numbers == nullptr) {
        return NOT_COVERED;
    }
    const Holding holding(query);
    const Routes routes(holding, options.wang_in_quad);
    std::int64_t count = 0;
    routes.for_each_route(query.win, query.source,
                          [&](const RoutePlan &plan) { count += count_of_route(routes, plan); });
    return count;
}

bool waits(const Query &query, Source source, const Options &options, int wang_total,
           std::int16_t *xi_by_face) noexcept {
    if (!may_wait(query, source, options, wang_total)) {
        return false;
    }
    return waits_of(Holding(query), left_over(query, source, wang_total), source, options.wang_in_quad,
                    xi_by_face);
}

bool ready_discards(const Query &query, Source source, const Options &options, int wang_total,
                    std::uint32_t *faces) noexcept {
    if (!may_wait(query, source, options, wang_total)) {
        return false;
    }
    const std::uint32_t possible = left_over(query, source, wang_total);
    const Holding holding(query);
    *faces = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        if (holding.held(face) == 0 || holding.held(face) > 2) {
            continue;
        }
        std::int16_t xi_by_face[WANG + 1];
        if (!waits_of(holding.without(face), possible, source, options.wang_in_quad, xi_by_face)) {
            return false;
        }
        const int best = *std::max_element(xi_by_face, xi_by_face + WANG + 1);
        *faces |= static_cast<std::uint32_t>(best >= std::max<int>(options.min_xi, 0)) << face;
    }
    return true;
}

void max_xi_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                 const std::uint8_t *wang, std::int8_t *out) noexcept {
    kernels().max_xi_rows(rows, stride, n, width, wang, out);
}

void max_xi_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                   std::int8_t *out) noexcept {
    kernels().max_xi_packed(hands, n, wang, out);
}

bool self_waits_packed(const std::uint64_t *hands, std::size_t n, std::int8_t *xi_by_face) noexcept {
    const bool has_wang = std::any_of(hands, hands + n, [](Packed hand) { return wang_count(hand) > 0; });
    if (tables.chunks == nullptr || (has_wang && !tables.wang.is_attached())) {
        return false;
    }
    kernels().self_waits(hands, n, xi_by_face);
    return true;
}

void best_xi_queries(const Query *queries, std::size_t n, const Options &options,
                     std::int16_t *out) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<std::int16_t>(best_xi(queries[i], options));
    }
}

} // namespace paohuzi
