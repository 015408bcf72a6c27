// What free tiles are worth to a player in a hurry: as groups, parts of groups and single tiles
// (docs/search.md).
#pragma once

#include "groups.hpp"
#include "rules.hpp"
#include "state.hpp"
#include "tables.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace paohuzi {

// Found by play against itself (docs/search.md). Only their ratios count.
struct PolicyWeights {
    int whole = 64; // a group
    int pair = 32;  // two tiles of one face
    int jiao = 24;  // of one rank and both cases
    int two_way = 18; // two others that either of two faces completes
    int one_way = 20;
    int xi = 4; // of a group, each, as the usual tables and minimum have them
    int missing_xi = 9; // the same while the minimum is not reached
    int part_xi = 1; // quarters of that for the xi of a group that a tile is missing from
    int part_peng = 3;
    int claim_chi = 12; // what a claim must gain more than nothing
    int claim_peng = -10;
    int ready = 40;      // of a hand that waits for a win
    int ready_copy = 10; // for each copy that is still out, of these at most
    int copies_max = 8;
    int ready_payment = 6; // for each copy, times what its win pays
    int live = 10;    // eighths, of a tile, for each copy still out that makes a group of it and another
    int seen = 2;     // of a discard, for each copy that all can see
    int hope_red = 40; // where fans count red tiles, for the base paid once more
    int hope_big = 15; // big or small ones
};

// Of a division into parts: below the value stands how many parts of groups there are, and how many whole
// groups. With eight parts or more the value is too great by one.
struct PartSum {
    static constexpr int COUNT_BITS = 3;
    static constexpr int COUNT_MASK = (1 << COUNT_BITS) - 1;

    int packed = 0;

    int value() const { return packed >> 2 * COUNT_BITS; }
    int parts() const { return packed >> COUNT_BITS & COUNT_MASK; }
    int wholes() const { return packed & COUNT_MASK; }
};

// Tiles that are a group, or a group without one.
struct Part {
    Packed tiles = 0;
    int left = 0; // of the patterns
    int right = 0;
    int value = 0; // packed as in PartSum
};

// The best sum over all ways to divide free tiles into parts; what does not cross the cut between the halves
// is in a table of each half.
class HandValues {
public:
    HandValues() = default;
    HandValues(const XiTable &xi, const PolicyWeights &weights, int xi_value);

    int group(int code) const { return groups_[static_cast<std::size_t>(code)]; }
    // Packed as in PartSum.
    int left(int pattern) const { return left_[static_cast<std::size_t>(pattern)]; }
    int right(int pattern) const { return right_[static_cast<std::size_t>(pattern)]; }
    const std::vector<Part> &crossing() const { return crossing_; } // of different faces each

private:
    std::array<int, CODE_COUNT> groups_{};
    std::vector<Part> crossing_;
    std::vector<std::uint16_t> left_;
    std::vector<std::uint16_t> right_;
};

// Free tiles divided well: first what crosses the cut, the part that gains most before others, then the
// halves.
class Parting {
public:
    Parting(const HandValues &values, Packed free, int left, int right);

    PartSum sum() const { return {value_}; }
    int value() const { return sum().value(); }
    // What is left when one tile of the face is given away.
    PartSum without(int face) const;

private:
    bool take_one_of(std::span<const Part *const> parts);
    int halves(int left, int right) const { return values_.left(left) + values_.right(right); }

    static constexpr std::size_t TAKEN_MAX = 4;
    static constexpr std::size_t CROSSING_MAX = 20; // there are 16 parts of faces from both halves

    const HandValues &values_;
    Packed free_; // less what is taken, and its patterns
    int left_;
    int right_;
    int value_ = 0;
    int taken_value_ = 0;
    std::size_t taken_count_ = 0;
    std::array<const Part *, TAKEN_MAX> taken_{};
};

Parting parting_of(const HandValues &values, Packed free);

} // namespace paohuzi
