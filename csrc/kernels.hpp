// The inner loops, compiled once for each kind of processor and chosen at load.
#pragma once

#include "tiles.hpp"

#include <cstddef>
#include <cstdint>

namespace paohuzi {

// Free tiles and wangs that must all go into groups of three, one pair if owed, and quads that hold wangs, as
// many as are owed.
struct Rest {
    int left = 0;  // patterns of the free tiles
    int right = 0;
    int wangs = 0;
    bool owes_pair = false;
    int owes_quads = 0;
    int kan = 0; // how many kan there are that a wang could make a quad owed
};

// A player's tiles before a draw, exposed groups counted in.
struct DrawState {
    Packed hand = 0; // concealed
    int left = 0;    // patterns of the free tiles
    int right = 0;
    int xi = 0;      // of kan, quads and exposed groups
    int tiles = 0;   // with the one drawn, each quad counted as three
    int quads = 0;
    int kan = 0;
    int wangs = 0;
};

// tun = (xi - tun_less) * tun_factor >> TUN_SHIFT, at least 0.
inline constexpr int TUN_SHIFT = 20;

struct ScoreTable { // without wang, and with no look at the division
    const std::uint32_t *worth; // by key: fans, above them the fan; 0 for key 0, which stands for no win
    int fan_shift;
    std::uint32_t key_mask; // bits of the key that matter
    std::uint32_t looks;       // the same from LOOK_BIT on
    int min_xi;
    int tun_less;
    int tun_factor;
};

struct ScoreColumns { // payment and xi are NO_DIVISION, the others 0, where there is no win
    std::int32_t *payment;
    std::int32_t *fan;
    std::uint32_t *fans;
    std::int16_t *base;
    std::int16_t *xi;

    ScoreColumns from(std::size_t row) const {
        return {payment + row, fan + row, fans + row, base + row, xi + row};
    }
};

struct Query;
inline constexpr std::size_t QUERY_BLOCK = 256;

struct Kernels {
    const char *name;
    // Best xi of a rest with wangs and of the right number of tiles, with what kan gain as quads; -1: no
    // division, -2: two quads would have to be made of wangs and pairs.
    int (*rest_with_wang)(const Rest &rest);
    // Best xi of pairs of patterns without wang, less than 0 for no division. n is a multiple of 16.
    void (*plain)(const int *left, const int *right, std::size_t n, int *xi);
    // As in solver.hpp.
    void (*max_xi_rows)(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                        const std::uint8_t *wang, std::int8_t *out);
    void (*max_xi_packed)(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                          std::int8_t *out);
    // At most QUERY_BLOCK queries, checked; xi as in solver.hpp. Returns how many are left open, and where:
    // those that check.hpp refuses, and those with wangs. Null where there is no quicker way than one by one.
    std::size_t (*solve_queries)(const Query *queries, std::size_t n, std::int16_t *xi, std::uint16_t *open);
    // Rows of counts as packed hands; a count above 7 makes an invalid one.
    void (*pack_rows)(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width, Packed *out);
    // Scores of hands by their keys and best xi. open: whether a hand needs a further look.
    void (*scores)(const ScoreTable &table, const Packed *hands, const std::int8_t *xi, std::size_t n,
                   const ScoreColumns &out, std::uint8_t *open);
    // Best xi by face drawn, -1 none, wang last (only with wangs held): as if no exposed group could take it.
    void (*draws)(const DrawState &state, std::int8_t *xi_by_face);
    // The same for concealed hands.
    void (*self_waits)(const std::uint64_t *hands, std::size_t n, std::int8_t *xi_by_face);
};

extern const Kernels PORTABLE_KERNELS;
#ifdef PAOHUZI_X86
extern const Kernels AVX2_KERNELS;
extern const Kernels AVX512_KERNELS;
#endif

// The best kernels that this processor runs; or narrower ones, if the environment variable PAOHUZI_SIMD names
// them (avx2, portable). Any other value changes nothing.
const Kernels &kernels() noexcept;

} // namespace paohuzi
