// The most xi that each rest of a hand can still bring (docs/algorithm.md 12).
#pragma once

#include "plain_rests.hpp"
#include "rests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

// What must come out of some tiles, just so much of each.
struct Need {
    int wangs = 0;
    int flags = 0;  // HAS_PAIR, HAS_QUAD
    int groups = 0; // without the pair
    int outside = 0;
};

template <class Cell>
class Outlook {
public:
    static constexpr int VALID = CellOf<Cell>::VALID;
    static constexpr int LANES = CellOf<Cell>::LANES;
    static constexpr int XI_MAX = VALID - 1; // more counts as so much

    void start(const Rests &rests);
    void start(const PlainRests &rests); // bytes only

    // Best xi of a rest, below 0 if there is no way. Whether two groups want the same unseen copy is not
    // looked at, and a pair with an outside tile is not among them.
    int best(std::uint32_t rest, const Need &need) const { return row_of(rest, need)[need.outside] - VALID; }

    // The least number of outside tiles, as many as needed or more, with which a rest has such xi; LANES if
    // there is none.
    int least_outside(std::uint32_t rest, const Need &need, int xi) const {
        const Cell *row = row_of(rest, need);
        const int enough = VALID + std::clamp(xi, 0, XI_MAX);
        int outside = need.outside;
        while (outside < LANES && row[outside] < enough) {
            ++outside;
        }
        return outside;
    }

    int flag_count() const { return flag_count_; }

private:
    const Cell *row_of(std::uint32_t rest, const Need &need) const {
        const int row = (static_cast<int>(rest) * (wangs_ + 1) + need.wangs) * flag_count_ + need.flags;
        const int group = need.groups + (need.flags & HAS_PAIR);
        return blocks_ + (row * rows_ + group) * LANES;
    }
    static constexpr std::size_t LINE = 64; // bytes of a line of the cache: a block begins with one

    void set_shape(const Unfinished &hand, bool has_quads, std::size_t rests);
    Move<Cell> move_of(const Filling &filling) const;

    int wangs_ = 0;
    int flag_count_ = 2;
    int rows_ = ROWS_MAX; // by number of groups
    std::vector<Move<Cell>> moves_;
    std::vector<Cell> cells_ = std::vector<Cell>(std::size_t{1} << 14);
    Cell *blocks_ = nullptr; // in the cells
};

extern template class Outlook<std::uint8_t>;
extern template class Outlook<std::uint16_t>;

} // namespace paohuzi
