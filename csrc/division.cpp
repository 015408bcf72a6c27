// The division itself, and how many there are.
#include "routes.hpp"
#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

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
    const auto &list = MELDS_WITH[static_cast<std::size_t>(face)];
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

} // namespace paohuzi
