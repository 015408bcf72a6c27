#include "distance.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

struct Workspace { // kept between queries
    PlainRests plain;
    Rests rests;
    Outlook<std::uint8_t> bytes;
    Outlook<std::uint16_t> words;
};

constexpr int NOT_TOLD = -1;

// The least number of outside tiles with which a path was visited, NOT_TOLD if it is more than rows hold.
template <class AnyRests, class Cell, class Visit>
int least_outside(AnyRests &rests, Outlook<Cell> &outlook, const Unfinished &hand, const Fillings &fillings,
                  int min_xi, Visit &visit) {
    rests.find(hand, fillings);
    outlook.start(rests);
    Completions completions(rests, outlook, fillings, min_xi, visit);
    for (int outside = completions.least(0); outside < Outlook<Cell>::LANES;
         outside = completions.least(outside + 1)) {
        if (completions.search(outside)) {
            return outside;
        }
    }
    return NOT_TOLD;
}

// No division takes more: a group one, a pair that becomes a quad two, what is there already one.
int most_outside(const Unfinished &hand) {
    int pairs = 0;
    for (Ranked tiles = hand.free; tiles != 0; tiles &= ~(COUNT_MASK * one_of(lowest_place(tiles)))) {
        const int place = lowest_place(tiles);
        pairs += count_of(tiles, place) > 1 && hand.unseen[static_cast<std::size_t>(ranked_face(place))] > 1;
    }
    return hand.room + std::min(hand.room, pairs) + hand.growth_count;
}

} // namespace

template <class VisitPath>
int Distances::look(const Query &query, Packed visible, VisitPath visit) const {
    thread_local Workspace workspace;
    const Unfinished hand(query, visible, options_);
    if (hand.room < 0) {
        return UNREACHABLE;
    }
    const auto least = [&](auto &rests, auto &outlook) {
        return least_outside(rests, outlook, hand, fillings_, options_.min_xi, visit);
    };
    int outside = NOT_TOLD;
    if (fillings_.most_xi <= CellOf<std::uint8_t>::FILLING_MAX) {
        outside = PlainRests::may_be_of(hand) ? least(workspace.plain, workspace.bytes)
                                              : least(workspace.rests, workspace.bytes);
        if (outside == NOT_TOLD && most_outside(hand) < Outlook<std::uint8_t>::LANES) {
            return UNREACHABLE;
        }
    }
    if (outside == NOT_TOLD) {
        outside = least(workspace.rests, workspace.words);
    }
    return outside == NOT_TOLD ? UNREACHABLE : outside - 1;
}

int Distances::of(const Query &query, Packed visible) const noexcept {
    return look(query, visible, [](const Unfinished &, const Path &) { return true; });
}

int Distances::for_each_nearest(const Query &query, Packed visible, void *place, Visit visit) const noexcept {
    return look(query, visible, [place, visit](const Unfinished &hand, const Path &path) {
        return visit(place, hand, path);
    });
}

} // namespace paohuzi
