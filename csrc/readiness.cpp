#include "readiness.hpp"

#include "backtracker.hpp"
#include "check.hpp"
#include "scoring.hpp"
#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr std::int64_t PAYMENT_MAX = 1000; // more counts as so much

using XiByFace = std::array<std::int16_t, WANG + 1>;

// The same as waits() by the independent search, face by face, to compare.
void find_waits_plainly(Query query, Source source, const Options &options, XiByFace &xi_by_face) {
    query.source = source;
    for (int face = 0; face < FACE_COUNT; ++face) {
        query.win = static_cast<std::int8_t>(face);
        const bool can_come = check(query) == Fault::none;
        xi_by_face[static_cast<std::size_t>(face)] =
            static_cast<std::int16_t>(can_come ? exact_xi(query, options) : NO_DIVISION);
    }
}

} // namespace

Readiness::Readiness(const Rules &rules) : scorer_(rules), options_(rules.options) {
    if (!is_covered(options_)) {
        options_ = Options{};
        options_.min_xi = 0; // the payment tells
    }
}

Readiness::Wins Readiness::wins(const Player &player, Packed seen) const {
    const Query query{player.hand, player.exposed, NO_WIN_TILE, Source::none};
    const Source source = count_of(player.hand, WANG) > 0 ? Source::self : Source::other;
    XiByFace xi_by_face;
    if (backtracker.is_preferred) {
        find_waits_plainly(query, source, options_, xi_by_face);
    } else if (!waits(query, source, options_, scorer_.rules().play.wang, xi_by_face.data())) {
        return {};
    }
    Wins wins;
    for (int face = 0; face < FACE_COUNT; ++face) {
        const int copies = COPY_COUNT - count_of(seen, face);
        const int xi = xi_by_face[static_cast<std::size_t>(face)];
        if (xi < std::max<int>(options_.min_xi, 0) || copies <= 0) {
            continue;
        }
        if (const std::int64_t payment = payment_of(query, face, source); payment != NO_DIVISION) {
            wins.copies += copies;
            wins.payment += copies * std::min(payment, PAYMENT_MAX);
        }
    }
    return wins;
}

std::int64_t Readiness::payment_of(Query won, int face, Source source) const {
    won.win = static_cast<std::int8_t>(face);
    won.source = source;
    return best_score(scorer_, won, {}).payment;
}

} // namespace paohuzi
