// A hand on its way to a win: what is settled, what may grow, and what is still to be filled
// (docs/rules.md 7).
#pragma once

#include "fillings.hpp"
#include "query.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

// Copies of each face that cannot be seen, less than 0 where more are told than there are.
std::array<std::int8_t, FACE_COUNT> unseen_tiles(const Query &query, Packed visible);

struct Growth { // a kan in hand or an exposed triplet, which one more tile makes a quad
    std::uint8_t face = 0;
    std::uint8_t grown_from = 0; // the exposed group, 0 for a kan
    bool takes_outside = false;
    bool takes_wang = false;
    std::int16_t pao_more = 0; // xi
    std::int16_t ti_more = 0;
};

struct Unfinished {
    // visible: the tiles seen beside those of the query.
    Unfinished(const Query &query, Packed visible, const Options &options);

    Ranked free = 0; // tiles to be put into groups or discarded
    Ranked kept = 0; // of these the faces that may not be discarded, all bits of their counts
    int wangs = 0;
    int room = 0; // groups still to be filled
    int quads = 0; // settled
    int xi = 0; // settled
    int growth_count = 0;
    std::array<Growth, GROUP_COUNT> growths{};
    std::array<std::int8_t, FACE_COUNT> unseen; // copies

private:
    void settle(int code, const Options &options);
    void add_growth(int face, int grown_from, int xi, const Options &options);
};

} // namespace paohuzi
