// The scores of many hands at once (docs/algorithm.md).
#pragma once

#include "scoring.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

struct ScoreColumns { // payment NO_DIVISION and xi NO_DIVISION where there is no win
    std::int64_t *payment;
    std::int16_t *base;
    std::int32_t *fan;
    std::uint32_t *fans;
    std::int16_t *xi;

    void set(std::size_t row, const Reckoning &reckoning) const {
        payment[row] = reckoning.payment;
        base[row] = static_cast<std::int16_t>(reckoning.base);
        fan[row] = reckoning.fan;
        fans[row] = reckoning.fans;
        xi[row] = reckoning.xi;
    }
};

inline void set_score(const ScoreColumns &out, std::size_t row, const Reckoning &reckoning) {
    out.set(row, reckoning);
}

// Whole hands without winning tile, all won in the same way: what their fan is is looked up by the number of
// their tiles, big ones and red ones.
class HandScores {
public:
    explicit HandScores(const Scorer &scorer);

    // Hands by rows of 20 or 21 counts or packed, with wangs to add (may be null). Returns the first that is
    // no hand, or n; what comes after it is not filled.
    std::size_t of_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                        const std::uint8_t *wang, const ScoreColumns &out) const noexcept;
    std::size_t of_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                          const ScoreColumns &out) const noexcept;

private:
    struct Entry {
        std::int32_t fan;
        std::uint32_t fans;
    };
    struct Counts;

    template <class Answer, class Hand, class Count>
    std::size_t of_hands(std::size_t n, const std::uint8_t *wang, const ScoreColumns &out, Answer answer,
                         Hand hand_at, Count count) const;
    Entry &entry(int tiles, int big, int red) {
        return entries_[static_cast<std::size_t>((tiles * BIG_COUNT + big) * RED_COUNT + red)];
    }
    void set(const Counts &counts, Packed hand, int xi, std::size_t row, const ScoreColumns &out) const;
    bool set_slowly(Packed hand, std::size_t row, const ScoreColumns &out) const;
    bool needs_look(Packed hand) const;

    static constexpr int LEAST_TILES = 21, TILE_NUMBERS = 6, BIG_COUNT = 27, RED_COUNT = 27;

    const Scorer &scorer_;
    int min_xi_;
    bool is_covered_;
    bool looks_at_sets_;
    bool looks_at_xi_;
    bool looks_at_quads_;
    std::vector<Entry> entries_; // by [tiles - 21][big][red]
    std::array<std::int16_t, 128> bases_{}; // by xi
    // Bit r: a hand of r red tiles pays the same whatever so many wangs stand for.
    std::array<std::uint32_t, WANG_MAX + 1> settled_{};
};

} // namespace paohuzi
