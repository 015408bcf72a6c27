#include "likeness.hpp"

#include "pack.hpp"
#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

Likeness::Likeness(const Policy &policy, const Rules &rules, const BeliefWeights &weights)
    : values_(policy.values_when_xi_are_missing()), weights_(weights), options_(rules.options),
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
    const Looks looks = looks_of(player);
    return weights_.value[stage(discards)] * looks.value +
           (looks.is_ready ? weights_.ready[stage(discards)] : 0);
}

Likeness::Looks Likeness::looks_of(const Player &player) const {
    const Packed kans = player.hand & player.hand >> 1 & ONES & TILE_BITS;
    const int value =
        parting_of(values_, free_tiles(player.hand)).value() + group_ * __builtin_popcountll(kans);
    const bool may_wait = value >= group_ * (GROUP_COUNT - 1 - player.exposed_count); // all but one are there
    return {static_cast<double>(value) / group_, may_wait && is_ready(player)};
}

bool Likeness::is_ready(const Player &player) const {
    const Query query{player.hand, player.exposed, NO_WIN_TILE, Source::none};
    const Source source = count_of(player.hand, WANG) > 0 ? Source::self : Source::other;
    std::array<std::int16_t, WANG + 1> xi_by_face;
    return waits(query, source, options_, wang_, xi_by_face.data()) &&
           *std::max_element(xi_by_face.begin(), xi_by_face.end()) >= options_.min_xi;
}

} // namespace paohuzi
