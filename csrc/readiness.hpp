// Whether a hand waits for a win, and for how many tiles.
#pragma once

#include "game.hpp"
#include "scorer.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

class Readiness {
public:
    explicit Readiness(const Rules &rules);

    struct Wins {
        int copies = 0; // of all faces that win
        std::int64_t payment = 0; // of each loser, added up over the copies
    };

    // The copies not in `seen` of the faces that complete the hand when another draws or discards them, with
    // a wang in it when the player draws them. Under rules that the tables do not hold: of those that
    // complete it under the usual ones.
    Wins wins(const Player &player, Packed seen) const;

private:
    static constexpr std::int64_t PAYMENT_MAX = 1000; // more counts as so much
    struct Payments {
        std::uint64_t rules = 0; // serial_ of those under which they are
        Packed hand = 0;
        std::array<std::uint8_t, GROUP_COUNT> exposed{};
        std::uint32_t faces = 0; // that win, as bits
        std::array<std::int16_t, FACE_COUNT> by_face{};
    };

    const Payments &payments(const Player &player) const;
    void find(Payments &payments) const;
    bool does_xi_settle(const Query &query) const;
    Facts facts_without_tile(Query query, Source source) const;
    std::int64_t payment_with(Facts facts, int face, int xi) const;
    std::int64_t payment_of(Query won, int face, Source source) const;

    Scorer scorer_;
    Options options_; // of the tables
    std::uint64_t serial_;
};

} // namespace paohuzi
