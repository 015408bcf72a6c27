// The fast answers from the tables (docs/algorithm.md).
#pragma once

#include "rules.hpp"
#include "tiles.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

enum class Source : std::uint8_t { none, self, other, discard };
enum class Route : std::uint8_t { dealt, single, wei, ti, wang, pao };

inline constexpr int GROUP_COUNT = 7;
inline constexpr int NO_WIN_TILE = -1;
inline constexpr int NO_DIVISION = -1;
// The tables do not hold the answer (options or a hand of a rare shape): ask the backtracker.
inline constexpr int NOT_COVERED = -2;
// Batch answers only: not a hand (more than four copies of a face or wangs, bit 63).
inline constexpr int INVALID = -3;

struct Query {
    Packed hand = 0; // concealed tiles without the winning tile, wangs included
    std::array<std::uint8_t, GROUP_COUNT> exposed{}; // group codes, 0 from the first empty place on
    std::int8_t win = NO_WIN_TILE; // face of the winning tile, 20 for a wang
    Source source = Source::none;
};
static_assert(sizeof(Query) == 24);

struct Division {
    std::int16_t xi = NO_DIVISION;
    Route route = Route::dealt;
    std::uint8_t size = 0;
    std::array<WangGroup, GROUP_COUNT> groups{}; // exposed groups in their order, then by lowest tile
};

// Whether the tables answer under these options, once attached.
bool is_covered(const Options &options) noexcept;

// One query that passes check.hpp: best xi, NO_DIVISION, or NOT_COVERED (also while a table needed is not
// attached).
int best_xi(const Query &query, const Options &options) noexcept;

// The same with the division itself, the first in the fixed order (docs/rules.md 3.6).
int best_division(const Query &query, const Options &options, Division *division) noexcept;

// Number of divisions; NOT_COVERED with wangs.
std::int64_t count_divisions(const Query &query, const Options &options) noexcept;

// Best xi by the face that comes from the source to a query without winning tile, NO_DIVISION for none and
// for faces of which no copy is left; the wang counts when the deck has more than are held. False: not
// covered.
bool waits(const Query &query, Source source, const Options &options, int wang_total,
           std::int16_t *xi_by_face) noexcept;

// The faces that a query without winning tile may discard so that it waits for something that reaches the
// minimum, as bits. The discarded tile stays in sight. False: not covered.
bool ready_discards(const Query &query, Source source, const Options &options, int wang_total,
                    std::uint32_t *faces) noexcept;

// Whole hands under the classic rules: best xi, NO_DIVISION, NOT_COVERED or INVALID each. Rows have 20 or 21
// counts; `wang` (may be null) holds wangs to add.
void max_xi_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                 const std::uint8_t *wang, std::int8_t *out) noexcept;
void max_xi_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                   std::int8_t *out) noexcept;

// Waits on own draws of concealed hands under the classic rules: [n][21] as by waits(), but a hand with wangs
// waits for one more while it has fewer than four, a hand without for none. False: a table needed is not
// attached.
bool self_waits_packed(const std::uint64_t *hands, std::size_t n, std::int8_t *xi_by_face) noexcept;

// best_xi of many queries.
void best_xi_queries(const Query *queries, std::size_t n, const Options &options, std::int16_t *out) noexcept;

} // namespace paohuzi
