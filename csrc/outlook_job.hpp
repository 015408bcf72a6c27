// The numbers of an outlook to be worked out: what the code for each kind of processor is given.
#pragma once

#include "fillings.hpp"
#include "tiles.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

inline constexpr int HAS_PAIR = 1;
inline constexpr int HAS_QUAD = 2; // told apart only while no quad is settled

struct RestOfHand {
    std::uint64_t tiles = 0;
    std::uint32_t first_step = 0;
    std::uint32_t end_step = 0;
    std::uint32_t next = 0;     // of those with as many tiles
    std::int16_t lowest = WANG; // place of the lowest tile
    std::int16_t count = 0;     // of tiles
};

struct alignas(16) RestStep { // to a smaller rest
    std::uint32_t to;
    std::uint32_t choice; // DISCARD, or which of the choices
    std::uint32_t from;
};
inline constexpr std::uint32_t NO_CHOICE = 0xFFFFFFFE; // of a step that leads nowhere
inline constexpr std::uint32_t DISCARD = 0xFFFFFFFF;

// A rest of a hand without wangs and with no face more than twice.
struct PlainRest {
    static constexpr std::size_t STEPS_MAX = 12; // by kinds, and the discard
    std::uint32_t first_step =
        0; // where its steps begin: one for each own tiles of the kinds, then the discard
    std::uint16_t kinds = 0;      // of fillings of the lowest tile, as bits
    std::int8_t lowest = WANG;    // place of the lowest tile
    std::int8_t count = 0;        // of tiles
};

// A cell holds VALID and the xi above it; less is no way at all.
template <class Cell>
struct CellOf;
template <>
struct CellOf<std::uint8_t> {
    static constexpr int VALID = 128;
    static constexpr int LANES = 8;        // by number of outside tiles: enough for nearly all hands
    static constexpr int FILLING_MAX = 18; // seven times as much does not lift nothing to VALID
};
template <>
struct CellOf<std::uint16_t> {
    static constexpr int VALID = 32768;
    static constexpr int LANES = 16; // enough for all
    static constexpr int FILLING_MAX = 1000;
};

// What a choice does to a block.
template <class Cell>
struct Move {
    std::uint8_t flag = 0; // that it brings, of those told apart
    std::uint8_t outside = 0;
    std::uint8_t wangs = 0;
    Cell xi = 0;
};

inline constexpr int ROWS_MAX = 8; // for no group to seven; half as many may do

// The blocks of all rests. A block is [wangs][flags][groups, the pair one of them][outside].
template <class Cell>
struct OutlookJob {
    const RestStep *steps; // of rests with fewer tiles last
    std::size_t step_count;
    std::uint32_t empty;     // the rest without tiles
    const Move<Cell> *moves; // by choice
    int wangs;
    Cell *cells; // room for two rows before the first block
};

// The same of rests of a hand without wangs.
struct PlainOutlookJob {
    const PlainRest *rests;
    const std::uint32_t *order; // those of few tiles last; nullptr where the rests are in it
    std::size_t count;
    const std::uint32_t *steps; // the rests that they lead to
    const KindBytes *xi;        // by place
    std::uint8_t *cells;
};

struct OutlookFill {
    void (*plain)(const PlainOutlookJob &job, int flags, int rows);
    void (*bytes)(const OutlookJob<std::uint8_t> &job, int flags, int rows);
    void (*words)(const OutlookJob<std::uint16_t> &job, int flags); // ROWS_MAX
};

extern const OutlookFill PORTABLE_OUTLOOK;
#ifdef PAOHUZI_X86
extern const OutlookFill AVX2_OUTLOOK;
extern const OutlookFill AVX512_OUTLOOK;
#endif

} // namespace paohuzi
