// What the course of a hand tells for certain of the tiles that a seat does not see (docs/search.md).
#pragma once

#include "observe.hpp"
#include "rules.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace paohuzi {

struct HiddenWei { // of another player, its face not known
    std::uint8_t seat = 0;
    std::uint8_t place = 0;  // among the exposed groups
    std::uint32_t faces = 0; // that it may have, as bits
};

// A tile that a player would have had to take by 碰 if he had held a pair of it and any other free tile.
struct ForcedPeng {
    std::uint8_t seat = 0;
    std::uint8_t face = 0;
    std::uint8_t hidden_place = 0; // hidden wei at this place or later came after it
    Packed given = 0;              // what has left the hand since
};

struct Clues { // of a player's concealed tiles
    std::array<std::int8_t, WANG + 1> most{}; // of each face
    Packed given = 0;          // what is known to have left the hand since dealt quads were laid out
    bool has_only_kan = false; // beside wangs
    bool is_untouched = true;  // has taken no tile in
    std::uint8_t dealt_quads = 0;
    std::uint8_t discard_count = 0;
    std::uint32_t discarded = 0; // faces, as bits
};

struct AllClues {
    std::array<Clues, PLAYER_COUNT> players{};
    std::vector<HiddenWei> hidden; // by seat, then place
    std::vector<ForcedPeng> forced;
    bool dealer_has_shown = false; // in hand or in a hidden wei; `visible` of the view then counts it
};

// From the view of a seat that is asked.
AllClues read_clues(const Rules &rules, const Observation &view);

} // namespace paohuzi
