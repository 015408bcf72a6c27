// Which fillings the tiles of a plain hand stand in: one without wangs and with no face more than twice
// (docs/algorithm.md 12).
#pragma once

#include "unfinished.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

// By place, what the lowest tile there can make with the others: kinds of fillings (Fillings::KINDS) as bits.
struct PlainKinds {
    std::array<std::uint16_t, FACE_COUNT> kinds{};
    std::array<std::uint16_t, FACE_COUNT> seconds{}; // of these the second of two alike is taken
    std::array<KindBytes, FACE_COUNT> xi{};
    Ranked chosen = 0; // the tiles that stand in any, by themselves
    bool has_quads = false;
};

// Of the kinds the near ones are told by a few tiles from the lowest on: how many of its rank in both cases,
// and whether there are the next two in a row.
inline constexpr std::size_t NEAR_BITS = 9;
constexpr std::size_t near(Ranked tiles, int lowest) {
    const Ranked from = tiles >> COUNT_BITS * lowest;
    return (from & 037) | (from >> 1 & 0140) | (from >> 5 & 0600);
}
inline constexpr int NEAR_KIND_COUNT = 9;
inline constexpr std::uint32_t FAR_KINDS = 017 << NEAR_KIND_COUNT; // with a 7 or 2

inline constexpr auto KINDS_OF = [] {
    std::array<std::uint16_t, std::size_t{1} << NEAR_BITS> kinds{};
    for (std::size_t seen = 0; seen < kinds.size(); ++seen) {
        const Ranked first = seen & 3;
        const Ranked other = seen >> 3 & 3;
        const Ranked tiles = first | other << 3 | (seen >> 5 & 3) << 6 | (seen >> 7 & 3) << 12;
        for (std::size_t kind = 0; kind < NEAR_KIND_COUNT; ++kind) {
            if (has_all(tiles, Fillings::KINDS[kind])) {
                kinds[seen] = static_cast<std::uint16_t>(kinds[seen] | 1U << kind);
            }
        }
    }
    return kinds;
}();

constexpr std::uint32_t far_kinds(Ranked tiles, int lowest) {
    std::uint32_t kinds = 0;
    for (std::size_t kind = NEAR_KIND_COUNT; kind < Fillings::KIND_COUNT; ++kind) {
        kinds |= static_cast<std::uint32_t>(has_all(tiles >> COUNT_BITS * lowest, Fillings::KINDS[kind]))
                 << kind;
    }
    return kinds;
}

constexpr std::uint32_t all_kinds(Ranked tiles, int lowest) {
    constexpr std::uint32_t FAR_PLACES = 3U << ranked_place(9) | 3U << ranked_place(6); // of 10 and 7
    return KINDS_OF[near(tiles, lowest)] | ((FAR_PLACES >> lowest & 1) != 0 ? far_kinds(tiles, lowest) : 0);
}

// Those of the kinds for which the tiles are there.
constexpr std::uint32_t kinds_at(Ranked tiles, int lowest, std::uint32_t kinds) {
    const std::uint32_t near_kinds = kinds & KINDS_OF[near(tiles, lowest)];
    return (kinds & FAR_KINDS) == 0 ? near_kinds : near_kinds | (kinds & far_kinds(tiles, lowest));
}

// The own tiles of some kinds together, seen from the lowest.
inline constexpr auto OWN_OF_NEAR = [] {
    std::array<Ranked, std::size_t{1} << NEAR_KIND_COUNT> own{};
    for (std::size_t kinds = 0; kinds < own.size(); ++kinds) {
        for (std::size_t kind = 0; kind < NEAR_KIND_COUNT; ++kind) {
            own[kinds] |= (kinds >> kind & 1) != 0 ? Fillings::KINDS[kind] : 0;
        }
    }
    return own;
}();

inline Ranked own_of(std::uint32_t kinds, int lowest) {
    Ranked own = OWN_OF_NEAR[kinds & ~FAR_KINDS];
    for (std::uint32_t far = kinds & FAR_KINDS; far != 0; far &= far - 1) {
        own |= Fillings::KINDS[static_cast<std::size_t>(__builtin_ctz(far))];
    }
    return own << COUNT_BITS * lowest;
}

// All copies of the tiles that stand in any filling.
constexpr Ranked worth_keeping(Ranked free, Ranked chosen) {
    return free & ((chosen | chosen >> 1) & ONES & TILE_BITS) * COUNT_MASK;
}

} // namespace paohuzi
