// What a score must know beside the query, and which contexts can be (docs/rules.md 4.2 and 5).
#pragma once

#include "check.hpp"

namespace paohuzi {

struct Context {
    bool last_tile = false;     // won on the wall's last tile
    bool shown_tile = false;    // won on the shown tile
    bool dealer = false;        // the winner deals
    bool untouched = false;     // the winner has never taken a tile in
    bool first_discard = false; // the next player wins on the dealer's discard that opens the hand
    bool heaven = false;        // forced heaven at the deal
};

// Why a context is refused. The door has a text for each, in this order.
enum class ContextFault : std::uint8_t {
    none,
    last_tile_source,
    last_tile_elsewhere,
    dealer_shown,
    other_shown,
    taken_in,
    first_discard_source,
    first_discard_shown,
    heaven_win_tile,
    heaven_sets,
    heaven_tiles,
    heaven_before,
};

inline constexpr int HEAVEN_QUADS = 3, HEAVEN_SETS = 5, DEALT_TILES = 20; // and the dealer's shown tile

// Dealt quads may be laid out as ti already.
constexpr int dealt_quads(const Query &query) { return quad_count(query); }
constexpr int dealt_kan(const Query &query) {
    const Packed hand = query.hand & TILE_BITS;
    return tile_count(hand & hand >> 1 & ~(hand >> 2) & ONES);
}
constexpr bool is_forced_heaven(const Query &query) {
    const int quads = dealt_quads(query);
    return quads >= HEAVEN_QUADS || quads + dealt_kan(query) >= HEAVEN_SETS;
}

constexpr bool has_taken_in(const Query &query) {
    return std::any_of(query.exposed.begin(), query.exposed.end(),
                       [](int code) { return code != 0 && code < TI_CODE; });
}

constexpr ContextFault check_win_of(const Query &query, const Context &context) {
    const bool is_from_wall = query.source == Source::self || query.source == Source::other;
    if (context.last_tile && !is_from_wall) {
        return ContextFault::last_tile_source;
    }
    if (context.last_tile && (context.shown_tile || context.first_discard)) {
        return ContextFault::last_tile_elsewhere;
    }
    if (context.shown_tile && context.dealer && query.source > Source::self) {
        return ContextFault::dealer_shown;
    }
    if (context.shown_tile && !context.dealer && query.source != Source::other) {
        return ContextFault::other_shown;
    }
    if (context.first_discard && (query.source != Source::discard || context.dealer)) {
        return ContextFault::first_discard_source;
    }
    return context.first_discard && context.shown_tile ? ContextFault::first_discard_shown
                                                       : ContextFault::none;
}

constexpr ContextFault check_heaven(const Query &query) {
    if (query.win != NO_WIN_TILE) {
        return ContextFault::heaven_win_tile;
    }
    if (!is_forced_heaven(query)) {
        return ContextFault::heaven_sets;
    }
    const int tiles = tile_count(visible_tiles(query));
    return tiles < DEALT_TILES || tiles > DEALT_TILES + 1 ? ContextFault::heaven_tiles : ContextFault::none;
}

// Whether the hand of an early win had won at the deal: all of it was dealt but the winning tile, and even
// that if it is the dealer's shown tile. A dealt kan or quad is never parted with.
constexpr bool had_forced_heaven(Query query, const Context &context) {
    if (context.shown_tile && context.dealer && query.win != NO_WIN_TILE && query.win != WANG) {
        query.hand += one_of(query.win);
    }
    return is_forced_heaven(query);
}

constexpr ContextFault check_context(const Query &query, const Context &context) {
    const bool is_early = context.shown_tile || context.untouched || context.first_discard;
    if ((is_early || context.heaven) && has_taken_in(query)) {
        return ContextFault::taken_in;
    }
    ContextFault fault = context.heaven ? check_heaven(query) : ContextFault::none;
    if (fault == ContextFault::none) {
        fault = check_win_of(query, context);
    }
    if (fault == ContextFault::none && is_early && !context.heaven && had_forced_heaven(query, context)) {
        fault = ContextFault::heaven_before;
    }
    return fault;
}

} // namespace paohuzi
