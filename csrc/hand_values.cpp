#include "hand_values.hpp"

#include "facts.hpp"
#include "index.hpp"
#include "pack.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

using Parts = std::vector<Part>;

Part part_of(Packed tiles, int value) {
    Part part{tiles, 0, 0, value};
    for (int face = 0; face < FACE_COUNT; ++face) {
        const int weight = count_of(tiles, face) * PLACE_WEIGHT[static_cast<std::size_t>(face)];
        (is_left(face) ? part.left : part.right) += weight;
    }
    return part;
}

constexpr int packed(int value, bool is_whole) {
    return value << 2 * PartSum::COUNT_BITS | 1 << (is_whole ? 0 : PartSum::COUNT_BITS);
}

// Two tiles: what the groups that they are parts of are worth, and how many faces complete them.
Part two_tiles(const HandValues &values, const PolicyWeights &weights, int face, int other) {
    const Packed tiles = one_of(face) + one_of(other);
    int ways = 0;
    int xi_value = 0;
    for (int code = RUN_CODE; code < PAIR_CODE; ++code) {
        const Packed group = GROUP_TILES[static_cast<std::size_t>(code)];
        const bool is_part = count_of(group, face) > 0 && count_of(group - one_of(face), other) > 0;
        ways += is_part;
        xi_value += is_part ? values.group(code) - weights.whole : 0;
    }
    if (face == other) {
        const int peng_value = values.group(PENG_CODE + face) - weights.whole;
        return part_of(tiles, weights.pair + peng_value * weights.part_peng / 4);
    }
    const int several = other == face + RANK_COUNT ? weights.jiao : weights.two_way;
    const int base = ways > 1 ? several : weights.one_way;
    return part_of(tiles, ways == 0 ? 0 : base + xi_value * weights.part_xi / (4 * ways));
}

Parts all_parts(const HandValues &values, const PolicyWeights &weights) {
    Parts parts;
    for (int code = RUN_CODE; code < PAIR_CODE; ++code) {
        parts.push_back(
            part_of(GROUP_TILES[static_cast<std::size_t>(code)], packed(values.group(code), true)));
    }
    for (int face = 0; face < FACE_COUNT; ++face) {
        for (int other = face; other < FACE_COUNT; ++other) {
            Part part = two_tiles(values, weights, face, other);
            if (part.value > 0) {
                part.value = packed(part.value, false);
                parts.push_back(part);
            }
        }
    }
    return parts;
}

// The patterns of a half (tables.hpp): a digit to base 3 for each of its tiles, lowest rank first.
class HalfSums {
public:
    HalfSums(const Parts &parts, int Part::*pattern_of, std::vector<std::uint16_t> &best)
        : pattern_of_(pattern_of), best_(best) {
        best_.assign(PATTERN_COUNT, 0);
        for (const Part &part : parts) {
            parts_[lowest(part.*pattern_of)].push_back(part);
        }
    }

    // From those with fewer tiles: the lowest tile is by itself or in one of its parts.
    void fill() {
        for (int pattern = 1; pattern < PATTERN_COUNT; ++pattern) {
            const std::size_t tile = lowest(pattern);
            int best = at(pattern - PLACES[tile]);
            for (const Part &part : parts_[tile]) {
                if (contains(pattern, part.*pattern_of_)) {
                    best = std::max(best, part.value + at(pattern - part.*pattern_of_));
                }
            }
            best_[static_cast<std::size_t>(pattern)] = static_cast<std::uint16_t>(best);
        }
    }

private:
    static constexpr std::size_t TILE_KINDS = 2 * HALF_RANKS;
    static constexpr auto PLACES = [] {
        std::array<int, TILE_KINDS> places{1};
        for (std::size_t i = 1; i < TILE_KINDS; ++i) {
            places[i] = 3 * places[i - 1];
        }
        return places;
    }();

    static std::size_t lowest(int pattern) {
        std::size_t tile = 0;
        while (pattern / PLACES[tile] % 3 == 0) {
            ++tile;
        }
        return tile;
    }
    static bool contains(int pattern, int part) {
        return std::all_of(PLACES.begin(), PLACES.end(),
                           [=](int place) { return pattern / place % 3 >= part / place % 3; });
    }
    int at(int pattern) const { return best_[static_cast<std::size_t>(pattern)]; }

    int Part::*pattern_of_;
    std::vector<std::uint16_t> &best_;
    std::array<Parts, TILE_KINDS> parts_;
};

std::vector<std::uint16_t> best_sums(const Parts &parts, int Part::*pattern_of) {
    std::vector<std::uint16_t> best;
    HalfSums(parts, pattern_of, best).fill();
    return best;
}

} // namespace

HandValues::HandValues(const XiTable &xi, const PolicyWeights &weights, int xi_value) {
    for (int code = 1; code < CODE_COUNT; ++code) {
        groups_[static_cast<std::size_t>(code)] = weights.whole + xi_value * xi_of(xi, code);
    }
    Parts left;
    Parts right;
    for (const Part &part : all_parts(*this, weights)) {
        (part.left == 0 ? right : part.right == 0 ? left : crossing_).push_back(part);
    }
    left_ = best_sums(left, &Part::left);
    right_ = best_sums(right, &Part::right);
}

Parting::Parting(const HandValues &values, Packed free, int left, int right)
    : values_(values), free_(free), left_(left), right_(right) {
    std::array<const Part *, CROSSING_MAX> held;
    std::size_t size = 0;
    for (const Part &part : values.crossing()) {
        held[size] = &part;
        size += holds(free, part.tiles);
    }
    while (taken_count_ < TAKEN_MAX && take_one_of({held.data(), size})) {
    }
    value_ = taken_value_ + halves(left_, right_);
}

// The crossing part that gains most, if any does.
bool Parting::take_one_of(std::span<const Part *const> parts) {
    const Part *best = nullptr;
    int most = halves(left_, right_);
    for (const Part *part : parts) {
        if (!holds(free_, part->tiles)) {
            continue;
        }
        const int value = part->value + halves(left_ - part->left, right_ - part->right);
        if (value > most) {
            most = value;
            best = part;
        }
    }
    if (best == nullptr) {
        return false;
    }
    taken_value_ += best->value;
    free_ -= best->tiles;
    left_ -= best->left;
    right_ -= best->right;
    taken_[taken_count_++] = best;
    return true;
}

PartSum Parting::without(int face) const {
    const int weight = PLACE_WEIGHT[static_cast<std::size_t>(face)];
    const int less_left = is_left(face) ? weight : 0;
    const int less_right = weight - less_left;
    if (count_of(free_, face) > 0) {
        return {taken_value_ + halves(left_ - less_left, right_ - less_right)};
    }
    int best = 0;
    for (std::size_t i = 0; i < taken_count_; ++i) {
        const Part &part = *taken_[i];
        if (count_of(part.tiles, face) > 0) {
            const int rest = halves(left_ + part.left - less_left, right_ + part.right - less_right);
            best = std::max(best, taken_value_ - part.value + rest);
        }
    }
    return {best};
}

Parting parting_of(const HandValues &values, Packed free) {
    const HandIndex index = index_of(free);
    return {values, free, index.left, index.right};
}

} // namespace paohuzi
