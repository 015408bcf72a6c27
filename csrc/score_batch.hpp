// The scores of many hands at once (docs/algorithm.md).
#pragma once

#include "scoring.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

struct ScoreRow { // NO_DIVISION as payment and xi, else zeros, where there is no win
    std::int32_t payment = NO_DIVISION;
    std::int32_t fan = 0;
    std::uint32_t fans = 0;
    std::int16_t base = 0;
    std::int16_t xi = NO_DIVISION;
};

ScoreRow score_row(const Reckoning &reckoning) noexcept;

// Whole hands without winning tile and context: what their fan is is looked up by the number of their tiles,
// big ones and red ones, and by what their division may add.
class HandScores {
public:
    explicit HandScores(const Scorer &scorer);

    // Hands by rows of 20 or 21 counts or packed, with wangs to add (may be null). Returns the first that is
    // no hand, or n; what comes after it is not filled.
    std::size_t of_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                        const std::uint8_t *wang, ScoreRow *out) const noexcept;
    std::size_t of_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                          ScoreRow *out) const noexcept;

private:
    struct Entry {
        std::int32_t fan;
        std::uint32_t fans;
    };
    struct Counts;
    enum Shape : int { any_shape, with_xi_everywhere, only_sets, SHAPE_COUNT };

    void fill(int variant, Facts facts);
    void find_settled();
    Entry &at(int variant, int tiles, int big, int red) {
        const int place = ((variant * TILE_NUMBERS + tiles) * BIG_COUNT + big) * RED_COUNT + red;
        return entries_[static_cast<std::size_t>(place)];
    }
    ScoreRow row_of(const Counts &counts, int variant, int xi) const;
    ScoreRow plain(const Counts &counts, Packed hand, int xi) const;
    ScoreRow slowly(Packed hand) const;
    ScoreRow with_shape(const Counts &counts, Packed hand, int variant, int xi, const ScoreRow &row) const;

    template <class Answer, class Hand, class Count>
    std::size_t of_hands(std::size_t n, const std::uint8_t *wang, ScoreRow *out, Answer answer, Hand hand_at,
                         Count count) const;

    static constexpr int LEAST_TILES = 21, TILE_NUMBERS = 6, BIG_COUNT = 27, RED_COUNT = 27;
    static constexpr int QUADS_KNOWN = 3; // more red quads are looked at one by one

    const Scorer &scorer_;
    int min_xi_;
    bool is_covered_;
    bool looks_at_sets_;
    bool looks_at_xi_;
    bool looks_at_quads_;
    bool looks_at_division_;
    std::vector<Entry> entries_; // by [red quads * SHAPE_COUNT + shape][tiles - 21][big][red]
    std::array<std::int16_t, 128> bases_{}; // by xi
    // Bit r: a hand of r red tiles pays the same whatever so many wangs stand for.
    std::array<std::uint32_t, WANG_MAX + 1> settled_{};
};

} // namespace paohuzi
