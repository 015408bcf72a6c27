// The fast answers from the tables (docs/algorithm.md).
#pragma once

#include "query.hpp"
#include "rules.hpp"

#include <cstddef>
#include <cstdint>

namespace paohuzi {

// Whether the tables answer under these options, once attached.
bool is_covered(const Options &options) noexcept;

// One query that passes check.hpp: best xi, NO_DIVISION, or NOT_COVERED (also while a table needed is not
// attached).
int best_xi(const Query &query, const Options &options) noexcept;

// A concealed whole hand under the classic rules, checked and answered at once: best xi, NO_DIVISION,
// INVALID, or NOT_COVERED for one with wangs.
int best_xi(Packed hand) noexcept;

// The same as for a query with the division itself, the first in the fixed order (docs/rules.md 3.6).
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

} // namespace paohuzi
