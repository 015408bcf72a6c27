// What may be asked at all (docs/rules.md 1, 3 and 6): every query is checked before it is looked up.
#pragma once

#include "pack.hpp"
#include "query.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace paohuzi {

// Why a query is refused. The door has a text for each, in this order.
enum class Fault : std::uint8_t {
    none,
    spare_bit,
    copies,
    wangs,
    exposed_kind,
    exposed_gap,
    source,
    win_face,
    win_without_source,
    wang_source,
    tile_count,
};

inline constexpr auto CAN_BE_EXPOSED = [] {
    std::array<bool, 256> can{};
    for (int code = 0; code < CODE_COUNT; ++code) {
        const bool is_pair = code >= PAIR_CODE && code < PENG_CODE;
        const bool is_kan = code >= KAN_CODE && code < WEI_CODE;
        can[static_cast<std::size_t>(code)] = !is_pair && !is_kan;
    }
    return can;
}();

// Adds up the counts in lanes of 6, then of 12 bits: no popcount instruction is needed.
constexpr int tile_count(Packed hand) {
    constexpr Packed sixes = 0x71c71c71c71c71c7;
    constexpr Packed twelves = 0xf03f03f03f03f03f;
    hand = (hand & sixes) + (hand >> 3 & sixes);
    hand = (hand & twelves) + (hand >> 6 & twelves);
    return static_cast<int>((hand * 0x0001001001001001 >> 48 & 0xfff) + (hand >> 60));
}

// Quads of natural tiles that are there without the winning tile.
constexpr int quad_count(const Query &query) {
    return tile_count((query.hand & TILE_BITS) >> 2 & ONES) +
           static_cast<int>(std::count_if(query.exposed.begin(), query.exposed.end(), is_quad_code));
}

// All tiles of the query together, or BAD_HAND if a face has more than four copies. Faces are added up in
// lanes of 6 bits, where no copies are lost: at most 4 in hand, 28 exposed and the winning tile.
constexpr Packed visible_tiles(const Query &query) {
    constexpr Packed lanes = 0x01c71c71c71c71c7;
    constexpr Packed ones = 0x0041041041041041;
    Packed even = query.hand & lanes;
    Packed odd = query.hand >> COUNT_BITS & lanes;
    for (const int code : query.exposed) {
        const Packed tiles = GROUP_TILES[static_cast<std::size_t>(code)];
        even += tiles & lanes;
        odd += tiles >> COUNT_BITS & lanes;
    }
    int wangs = count_of(query.hand, WANG);
    if (query.win == WANG) {
        ++wangs;
    } else if (query.win != NO_WIN_TILE) {
        const Packed tile = one_of(query.win);
        even += tile & lanes;
        odd += tile >> COUNT_BITS & lanes;
    }
    constexpr Packed to_32 = ones * (32 - COPY_COUNT - 1);
    const bool is_over = (((even + to_32) | (odd + to_32)) & ones * 32) != 0 || wangs > WANG_MAX;
    return is_over ? BAD_HAND
                   : even | odd << COUNT_BITS | Packed{static_cast<unsigned>(wangs)} << COUNT_BITS * WANG;
}

// How many tiles the player still has to take in: 0 for a whole hand, 1 for one that waits.
constexpr int missing_tiles(const Query &query) {
    return FACE_COUNT + std::max(1, quad_count(query)) - tile_count(visible_tiles(query));
}

// Six quads and a pair. Fewer tiles than that may fit no division, and yet be asked about.
inline constexpr int TILES_MAX = 26;

constexpr Fault check_hand(Packed hand) {
    if (is_hand(hand)) {
        return Fault::none;
    }
    if ((hand & BAD_HAND) != 0) {
        return Fault::spare_bit;
    }
    return count_of(hand, WANG) > WANG_MAX ? Fault::wangs : Fault::copies;
}

constexpr Fault check_exposed(const Query &query) {
    unsigned taken = 0; // bit by place
    bool is_known = true;
    for (int place = 0; place < GROUP_COUNT; ++place) {
        const std::size_t code = query.exposed[static_cast<std::size_t>(place)];
        is_known &= CAN_BE_EXPOSED[code];
        taken |= static_cast<unsigned>(code != 0) << place;
    }
    if (!is_known) {
        return Fault::exposed_kind;
    }
    return (taken & (taken + 1)) == 0 ? Fault::none : Fault::exposed_gap;
}

constexpr Fault check_win(const Query &query) {
    if (query.source > Source::discard) {
        return Fault::source;
    }
    if (query.win < NO_WIN_TILE || query.win > WANG) {
        return Fault::win_face;
    }
    if ((query.win == NO_WIN_TILE) != (query.source == Source::none)) {
        return Fault::win_without_source;
    }
    return query.win == WANG && query.source != Source::self ? Fault::wang_source : Fault::none;
}

constexpr Fault check(const Query &query) {
    Fault fault = check_hand(query.hand);
    if (fault == Fault::none) {
        fault = check_exposed(query);
    }
    if (fault == Fault::none) {
        fault = check_win(query);
    }
    if (fault != Fault::none) {
        return fault;
    }
    const Packed tiles = visible_tiles(query);
    if (tiles == BAD_HAND) {
        const bool is_wang = query.win == WANG && count_of(query.hand, WANG) == WANG_MAX;
        return is_wang ? Fault::wangs : Fault::copies;
    }
    return tile_count(tiles) > TILES_MAX ? Fault::tile_count : Fault::none;
}

} // namespace paohuzi
