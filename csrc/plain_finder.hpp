// Where the rests of a plain hand are written, and who finds them.
#pragma once

#include "check.hpp"
#include "outlook_job.hpp"
#include "plain_kinds.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

// Rests with as many tiles, each as often as a step leads to it; a place in `numbers` stands for an entry.
struct Level {
    static constexpr std::uint32_t SIZE = 256;
    std::array<Ranked, SIZE> tiles;
    std::array<std::uint32_t, SIZE> numbers;
};

class Levels {
public:
    Level &of(int count) { return levels_[static_cast<std::size_t>(count + BELOW)]; }
    // Of the first entry with so many tiles; entries are places counted from `all`.
    std::uint32_t entry(int count) { return static_cast<std::uint32_t>(of(count).numbers.data() - all()); }
    std::uint32_t *all() { return levels_[0].numbers.data(); }

private:
    static constexpr int BELOW = 3; // levels written to and not read
    std::array<Level, TILES_MAX + 1 + BELOW> levels_;
};

struct PlainRestsJob {
    const Unfinished *hand;
    const Fillings *fillings;
    PlainKinds *kinds;
    Levels *levels;
    Ranked *tiles; // by rest
    PlainRest *rests;
    std::uint32_t *steps;
};
struct PlainRestsFound {
    std::uint32_t rests = 0; // none where a level is too small
    std::uint32_t steps = 0;
};

#ifdef PAOHUZI_X86
PlainRestsFound find_plain_rests_avx512(const PlainRestsJob &job);
#endif

} // namespace paohuzi
