// What is still to be divided, and its best xi.
#pragma once

#include "kernels.hpp"
#include "melds.hpp"
#include "pack.hpp"
#include "query.hpp"
#include "tables.hpp"

namespace paohuzi {

struct State {
    Packed free = 0; // own free tiles
    Rest rest;       // of those
    std::uint32_t kan = 0; // faces whose kan is not yet laid out, bit by face
    int foreign = NO_WIN_TILE; // another player's tile that is still to be put into some group

    void add_weight(int face) {
        (is_left(face) ? rest.left : rest.right) += PLACE_WEIGHT[static_cast<std::size_t>(face)];
    }
    void add(int face) {
        free += one_of(face);
        add_weight(face);
    }
    void remove(int face) {
        free -= one_of(face);
        (is_left(face) ? rest.left : rest.right) -= PLACE_WEIGHT[static_cast<std::size_t>(face)];
    }
    void take_two(int face) {
        free -= 2 * one_of(face);
        (is_left(face) ? rest.left : rest.right) -= 2 * PLACE_WEIGHT[static_cast<std::size_t>(face)];
    }
};

// xi of these kan, bit by face.
int kan_sum(std::uint32_t kan);

// Takes a meld out of a state, if it is there: then `after` is what remains. A triplet or quad with the
// foreign tile is peng or pao, and those are no others; any other group takes the foreign tile before an own
// one of the same face, which never loses xi: the own tile is worth as much as it anywhere.
bool lay_out(const State &state, const Meld &meld, State &after);

// NO_DIVISION if there is none. The kan not yet laid out are counted in.
int best_of(const State &state);

} // namespace paohuzi
