// The groups on the way to a win: of own tiles, wangs and outside tiles (docs/rules.md 7.2).
#pragma once

#include "groups.hpp"
#include "rules.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace paohuzi {

// A packed hand rank by rank, from 10 down to 1 and small before big: then few tiles are near the lowest
// place that is left.
using Ranked = std::uint64_t;

constexpr int ranked_place(int face) { return 2 * (RANK_COUNT - 1 - rank_of(face)) + is_big(face); }
constexpr int ranked_face(int place) {
    return RANK_COUNT - 1 - place / 2 + (place % 2 == 0 ? 0 : RANK_COUNT);
}
constexpr Ranked one_ranked(int face) { return one_of(ranked_place(face)); }
constexpr Ranked all_ranked(int face) { return COUNT_MASK * one_ranked(face); }
constexpr int count_ranked(Ranked tiles, int face) { return count_of(tiles, ranked_place(face)); }

constexpr std::uint32_t places_of(Ranked tiles) {
    std::uint32_t places = 0;
    for (int place = 0; place < FACE_COUNT; ++place) {
        places |= static_cast<std::uint32_t>(count_of(tiles, place) > 0) << place;
    }
    return places;
}

// Of at least one tile.
constexpr int lowest_place(Ranked tiles) { return __builtin_ctzll(tiles) / COUNT_BITS; }

constexpr Ranked to_ranked(Packed tiles) {
    Ranked ranked = 0;
    for (int rank = 0; rank < RANK_COUNT; ++rank) {
        const Packed small = tiles >> COUNT_BITS * rank & COUNT_MASK;
        const Packed big = tiles >> COUNT_BITS * (RANK_COUNT + rank) & COUNT_MASK;
        ranked = ranked << 2 * COUNT_BITS | big << COUNT_BITS | small;
    }
    return ranked;
}

constexpr Packed from_ranked(Ranked tiles) {
    Packed packed = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        packed += static_cast<Packed>(count_ranked(tiles, face)) * one_of(face);
    }
    return packed;
}

// Whether each face is there as often as needed, up to all four copies.
constexpr bool has_all(Packed tiles, Packed need) {
    constexpr Packed TOP_BITS = 0x4924924924924924 & TILE_BITS;
    const Packed rest = tiles - need; // borrows where it is not
    return (((~tiles & need) | (~(tiles ^ need) & rest)) & TOP_BITS) == 0;
}

struct Filling {
    Ranked own = 0;
    std::uint32_t places = 0; // of these, as bits
    std::int16_t xi = 0;
    std::uint8_t code = 0;
    std::uint8_t own_count = 0;
    std::uint8_t wangs = 0;
    std::uint8_t outside = 0; // tiles of the face
    std::uint8_t face = 0;    // that comes from outside, if any
    bool is_pair = false;
    bool is_quad = false;
    std::uint8_t alike = 1; // of those alike, this one and how many follow

    static constexpr std::uint8_t NEVER = 255; // wangs of what ends a list
    bool is_half_pair() const { return is_pair && own_count == 1 && outside == 1; }
    // In all but xi and the outside face.
    bool is_like(const Filling &other) const {
        return own == other.own && wangs == other.wangs && outside == other.outside &&
               is_pair == other.is_pair && is_quad == other.is_quad;
    }
};

struct alignas(16) KindBytes : std::array<std::uint8_t, 16> {}; // by kind of filling

struct Fillings {
    explicit Fillings(const Options &options);

    // By the place of the lowest own tile; those of wangs alone under WANG. Fewer wangs first, then together
    // those alike in all but xi and outside face, the best first.
    std::array<std::vector<Filling>, WANG + 1> by_lowest;
    int most_xi = 0;

    // The own tiles of a group by its kind, of those without wang: seen from the lowest of them.
    static constexpr int KIND_COUNT = 13;
    static constexpr std::array<Ranked, KIND_COUNT> KINDS = {
        0010101,
        0000101,
        0010001, // in a row: all three, or two of them
        0000012,
        0000021,
        0000011, // of one rank in both cases
        0000002,
        0000002,
        0000002, // two of a face: with one outside, two outside, a pair
        Ranked{1} + (Ranked{1} << 18) + (Ranked{1} << 48), // 10, 7 and 2, or two of them
        Ranked{1} + (Ranked{1} << 18),
        Ranked{1} + (Ranked{1} << 48),
        Ranked{1} + (Ranked{1} << 30),
    };
    static constexpr int QUAD = 7;
    static constexpr int PAIR = 8;
    static constexpr KindBytes OWN_COUNTS = {3, 2, 2, 3, 3, 2, 2, 2, 2, 3, 2, 2, 2};
    static constexpr KindBytes OUTSIDE = {0, 1, 1, 0, 0, 1, 1, 2, 0, 0, 1, 1, 1};
    // Three kinds have the same own tiles; where any of them is there, the pair is.
    static constexpr bool is_last_of_own(int kind) { return kind != QUAD - 1 && kind != QUAD; }
    static constexpr std::uint32_t FIRST_OF_OWN = ~(3U << (QUAD - 1));
    // Of each kind the first filling of its place, and how a second differs that is alike in all else.
    struct Pairs {
        KindBytes first{}; // where in the list
        KindBytes face{};
        KindBytes other_face{};
        KindBytes xi{}; // to be used where most_xi fits in a byte
        KindBytes other_xi{};
    };
    static constexpr std::uint8_t NO_FACE = 31;
    std::array<Pairs, FACE_COUNT> pairs{};
};

} // namespace paohuzi
