#include "distance.hpp"

#include "completion.hpp"

namespace paohuzi {

namespace {

struct Workspace { // kept between queries
    Rests rests;
    Outlook<std::uint8_t> bytes;
    Outlook<std::uint16_t> words;
};

// The least number of outside tiles, -1 if it is more than the outlook tells.
template <class Cell>
int least_outside(const Rests &rests, const Outlook<Cell> &outlook, const Fillings &fillings, int min_xi) {
    auto stop = [](const Path &) { return true; };
    Completions completions(rests, outlook, fillings, min_xi, stop);
    for (int outside = 0; outside < Outlook<Cell>::LANES; ++outside) {
        if (completions.may_be(outside) && completions.search(outside)) {
            return outside;
        }
    }
    return -1;
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

int Distances::of(const Query &query, Packed visible) const noexcept {
    thread_local Workspace workspace;
    const Unfinished hand(query, visible, options_);
    if (hand.room < 0) {
        return UNREACHABLE;
    }
    Rests &rests = workspace.rests;
    rests.find(hand, fillings_);
    if (fillings_.most_xi <= CellOf<std::uint8_t>::FILLING_MAX) {
        workspace.bytes.start(rests);
        const int outside = least_outside(rests, workspace.bytes, fillings_, options_.min_xi);
        if (outside >= 0 || most_outside(hand) < Outlook<std::uint8_t>::LANES) {
            return outside < 0 ? UNREACHABLE : outside - 1;
        }
    }
    workspace.words.start(rests);
    const int outside = least_outside(rests, workspace.words, fillings_, options_.min_xi);
    return outside < 0 ? UNREACHABLE : outside - 1;
}

} // namespace paohuzi
