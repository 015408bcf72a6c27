#include "readiness.hpp"

#include "backtracker.hpp"
#include "check.hpp"
#include "colours.hpp"
#include "scoring.hpp"
#include "solver.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace paohuzi {

namespace {

constexpr std::size_t KNOWN_BITS = 9; // of hands of which the payments are kept: they come up again and again

std::size_t place_of(Packed hand, const std::array<std::uint8_t, GROUP_COUNT> &exposed) {
    std::uint64_t groups = 0;
    std::memcpy(&groups, exposed.data(), exposed.size());
    return static_cast<std::size_t>((hand ^ groups * 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93 >>
                                    (64 - KNOWN_BITS));
}

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
    static std::atomic<std::uint64_t> last{0};
    serial_ = ++last;
    if (!is_covered(options_)) {
        options_ = Options{};
        options_.min_xi = 0; // the payment tells
    }
}

Readiness::Wins Readiness::wins(const Player &player, Packed seen) const {
    const Payments &paid = payments(player);
    Wins wins;
    for (std::uint32_t faces = paid.faces; faces != 0; faces &= faces - 1) {
        const int face = __builtin_ctz(faces);
        const int copies = std::max(COPY_COUNT - count_of(seen, face), 0);
        wins.copies += copies;
        wins.payment += copies * paid.by_face[static_cast<std::size_t>(face)];
    }
    return wins;
}

const Readiness::Payments &Readiness::payments(const Player &player) const {
    thread_local std::array<Payments, std::size_t{1} << KNOWN_BITS> known;
    Payments &payments = known[place_of(player.hand, player.exposed)];
    if (payments.rules != serial_ || payments.hand != player.hand || payments.exposed != player.exposed ||
        backtracker.is_preferred) {
        payments = {serial_, player.hand, player.exposed, 0, {}};
        find(payments);
    }
    return payments;
}

void Readiness::find(Payments &payments) const {
    const Query query{payments.hand, payments.exposed, NO_WIN_TILE, Source::none};
    const Source source = count_of(query.hand, WANG) > 0 ? Source::self : Source::other;
    XiByFace xi_by_face;
    if (backtracker.is_preferred) {
        find_waits_plainly(query, source, options_, xi_by_face);
    } else if (!waits(query, source, options_, scorer_.rules().play.wang, xi_by_face.data())) {
        return;
    }
    const bool is_simple = does_xi_settle(query);
    const Facts facts = is_simple ? facts_without_tile(query, source) : Facts{};
    for (int face = 0; face < FACE_COUNT; ++face) {
        const auto i = static_cast<std::size_t>(face);
        if (const int xi = xi_by_face[i]; xi >= std::max<int>(options_.min_xi, 0)) {
            const std::int64_t payment =
                is_simple ? payment_with(facts, face, xi) : payment_of(query, face, source);
            payments.faces |= static_cast<std::uint32_t>(payment != NO_DIVISION) << face;
            payments.by_face[i] = static_cast<std::int16_t>(std::min(payment, PAYMENT_MAX));
        }
    }
}

// Whether nothing that is paid for hangs on the division but the xi; then wins differ by the colour of their
// tile alone.
bool Readiness::does_xi_settle(const Query &query) const {
    if (backtracker.is_preferred || !is_covered(scorer_.rules().options) || !scorer_.is_rising() ||
        scorer_.uses(Fact::yin) || count_of(query.hand, WANG) > 0) {
        return false;
    }
    const auto any_exposed = [&](auto is_such) {
        return std::any_of(query.exposed.begin(), query.exposed.end(),
                           [&](int code) { return code != 0 && is_such(static_cast<std::size_t>(code)); });
    };
    return (!scorer_.uses(Fact::duidui) ||
            any_exposed([](std::size_t code) { return !LOOKS[code].is_set; })) &&
           (!scorer_.uses(Fact::xiangxiangxi) ||
            any_exposed([](std::size_t code) { return WORTHS[code].xi == 0; }));
}

Facts Readiness::facts_without_tile(Query query, Source source) const {
    query.source = source;
    Facts facts = facts_of_win(query, scorer_.rules().scoring, {});
    count_colours(visible_tiles(query), facts);
    return facts;
}

std::int64_t Readiness::payment_with(Facts facts, int face, int xi) const {
    facts.red += is_red(face);
    facts.big += is_big(face);
    facts.small += !is_big(face);
    return reckon(scorer_.rules().scoring, facts, xi).payment;
}

std::int64_t Readiness::payment_of(Query won, int face, Source source) const {
    won.win = static_cast<std::int8_t>(face);
    won.source = source;
    return best_score(scorer_, won, {}).payment;
}

} // namespace paohuzi
