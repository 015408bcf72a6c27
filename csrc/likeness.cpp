#include "likeness.hpp"

#include "pack.hpp"
#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

Likeness::Likeness(const Policy &policy, const Rules &rules, const BeliefWeights &weights)
    : values_(policy.values_when_much_is_missing()), weights_(weights), options_(rules.options),
      group_(values_.group(JIAO_SMALL_CODE)), wang_(rules.play.wang) {
    if (!is_covered(options_)) {
        options_ = Options{};
        options_.min_xi = rules.options.min_xi;
    }
}

double Likeness::of(const Player &player, int discards) const {
    if (is_flat(discards)) {
        return 0;
    }
    const Packed free = free_tiles(player.hand);
    const int value = parting_of(values_, free).value();
    const Packed kans = player.hand & player.hand >> 1 & ONES & TILE_BITS;
    const int missing = GROUP_COUNT - player.exposed_count - __builtin_popcountll(kans);
    const bool may_wait = value >= group_ * (missing - 1); // all but one group are there
    const double waits = may_wait && is_ready(player) ? weights_.ready[stage(discards)] : 0;
    return weights_.value[stage(discards)] * value / group_ + waits;
}

bool Likeness::is_ready(const Player &player) const {
    const Query query{player.hand, player.exposed, NO_WIN_TILE, Source::none};
    const Source source = count_of(player.hand, WANG) > 0 ? Source::self : Source::other;
    std::array<std::int16_t, WANG + 1> xi_by_face;
    return waits(query, source, options_, wang_, xi_by_face.data()) &&
           *std::max_element(xi_by_face.begin(), xi_by_face.end()) >= options_.min_xi;
}

} // namespace paohuzi
