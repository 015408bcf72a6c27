// The scores of many hands at once (docs/algorithm.md).
#pragma once

#include "kernels.hpp"
#include "score_key.hpp"
#include "scoring.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

void set_score(const ScoreColumns &out, std::size_t row, const Reckoning &reckoning) noexcept;

// Whole hands without winning tile and context: what their fan is is looked up by the number of their tiles,
// big ones and red ones, and by what their division may add.
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
    enum Shape : int { any_shape, with_xi_everywhere, only_sets, SHAPE_COUNT };
    static constexpr std::size_t BLOCK = 256;

    void fill(Facts facts, int shape);
    void find_settled();
    Reckoning reckoning(std::uint32_t key, int shape, int xi) const;
    Reckoning look(Packed hand, int xi) const;
    Reckoning with_shape(Packed hand, std::uint32_t key, int xi) const;
    Reckoning slowly(Packed hand) const;
    std::size_t answer(const Packed *hands, const std::int8_t *xi, std::size_t n,
                       const ScoreColumns &out) const;

    template <class Read>
    std::size_t in_blocks(std::size_t n, const std::uint8_t *wang, const ScoreColumns &out, Read read) const;

    const Scorer &scorer_;
    int min_xi_;
    bool is_covered_;
    bool looks_at_sets_;
    bool looks_at_xi_;
    std::uint32_t looks_;      // the looks of kernels.hpp that may matter
    std::uint32_t key_mask_;
    int fan_shift_;                    // the bits of fans
    std::vector<std::uint32_t> worth_; // by [shape][key]: fans, above them the fan
    int tun_factor_; // instead of a division by tun_per
    // Bit r: a hand of r red tiles pays the same whatever so many wangs stand for.
    std::array<std::uint32_t, WANG_MAX + 1> settled_{};
};

} // namespace paohuzi
