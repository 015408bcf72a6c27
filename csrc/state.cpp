#include "state.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

int rest_xi(const Rest &rest) {
    if (rest.wangs > 0) {
        return kernels().rest_with_wang(rest);
    }
    return rest.owes_quads > 0 ? NO_DIVISION : tables.plain.xi(rest.left, rest.right);
}

int foreign_xi(const State &state) {
    int best = NO_DIVISION;
    for (const Meld &meld : MELDS_WITH[static_cast<std::size_t>(state.foreign)]) {
        State after;
        if (lay_out(state, meld, after)) {
            const int xi = rest_xi(after.rest);
            best = xi < 0 ? best : std::max(best, xi + meld.xi);
        }
    }
    return best;
}

} // namespace

int kan_sum(std::uint32_t kan) {
    int xi = 0;
    for (; kan != 0; kan &= kan - 1) {
        xi += kan_xi(__builtin_ctz(kan));
    }
    return xi;
}

bool lay_out(const State &state, const Meld &meld, State &after) {
    if (meld.wangs > state.rest.wangs || (meld.is_pair && !state.rest.owes_pair) ||
        (meld.is_quad && state.rest.owes_quads == 0)) {
        return false;
    }
    if (meld.use == Use::kan) {
        if ((state.kan >> meld.lowest & 1) == 0) {
            return false;
        }
        after = state;
        after.kan &= ~(1U << meld.lowest);
        after.rest.kan -= 1;
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
    after.rest.owes_quads -= meld.is_quad;
    return true;
}

int best_of(const State &state) {
    const int xi = state.foreign < 0 ? rest_xi(state.rest) : foreign_xi(state);
    return xi < 0 ? NO_DIVISION : xi + kan_sum(state.kan);
}

} // namespace paohuzi
