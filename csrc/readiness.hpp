// Whether a hand waits for a win, and for how many tiles.
#pragma once

#include "game.hpp"

namespace paohuzi {

class Readiness {
public:
    explicit Readiness(const Rules &rules);

    struct Wins {
        int copies = 0; // of all faces that win
        int xi = 0;     // of the wins, added up over the copies
    };

    // The copies not in `seen` of the faces that complete the hand when another draws or discards them, with
    // a wang in it when the player draws them. Rules that the tables do not hold are taken as the usual ones.
    Wins wins(const Player &player, Packed seen) const;

private:
    Options options_;
    int wang_;
};

} // namespace paohuzi
