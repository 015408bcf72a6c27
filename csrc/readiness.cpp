#include "readiness.hpp"

#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

Readiness::Readiness(const Rules &rules) : options_(rules.options), wang_(rules.play.wang) {
    if (!is_covered(options_)) {
        options_ = Options{};
        options_.min_xi = rules.options.min_xi;
    }
}

Readiness::Wins Readiness::wins(const Player &player, Packed seen) const {
    const Query query{player.hand, player.exposed, NO_WIN_TILE, Source::none};
    const Source source = count_of(player.hand, WANG) > 0 ? Source::self : Source::other;
    std::array<std::int16_t, WANG + 1> xi_by_face;
    if (!waits(query, source, options_, wang_, xi_by_face.data())) {
        return {};
    }
    Wins wins;
    for (int face = 0; face < FACE_COUNT; ++face) {
        const int xi = xi_by_face[static_cast<std::size_t>(face)];
        if (xi >= std::max<int>(options_.min_xi, 0)) {
            const int copies = std::max(0, COPY_COUNT - count_of(seen, face));
            wins.copies += copies;
            wins.xi += copies * xi;
        }
    }
    return wins;
}

} // namespace paohuzi
