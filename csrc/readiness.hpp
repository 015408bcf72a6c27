// Whether a hand waits for a win, and for how many tiles.
#pragma once

#include "game.hpp"
#include "scorer.hpp"

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
    std::int64_t payment_of(Query won, int face, Source source) const;

    Scorer scorer_;
    Options options_; // of the tables
};

} // namespace paohuzi
