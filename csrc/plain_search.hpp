// The textbook search: lowest tile first, every group that holds it, no table, no bound. It is the yardstick
// of the benchmark and answers nothing else; the backtracker that the library uses is
// src/paohuzi/_backtrack.pyx.
#pragma once

#include "rules.hpp"
#include "tiles.hpp"

#include <algorithm>
#include <array>

namespace paohuzi {

class PlainSearch { // best xi of a concealed whole hand without wang, classic table
public:
    explicit PlainSearch(Packed hand) {
        int tiles = 0;
        for (int face = 0; face < FACE_COUNT; ++face) {
            const int count = count_of(hand, face);
            tiles += count;
            if (count == COPY_COUNT) {
                ++quads_;
                xi_ += table_.ti[is_big(face)];
            } else if (count == COPY_COUNT - 1) {
                xi_ += table_.kan[is_big(face)];
            } else {
                counts_[static_cast<std::size_t>(face)] = count;
            }
        }
        is_complete_ = tiles == FACE_COUNT + std::max(1, quads_);
    }

    int best_xi() {
        if (!is_complete_) {
            return -1;
        }
        search(0, quads_ > 0, xi_);
        return best_;
    }

private:
    int &count(int face) { return counts_[static_cast<std::size_t>(face)]; }

    void search(int face, bool owes_pair, int xi) {
        while (face < FACE_COUNT && count(face) == 0) {
            ++face;
        }
        if (face == FACE_COUNT) {
            best_ = owes_pair ? best_ : std::max(best_, xi);
            return;
        }
        const int rank = rank_of(face);
        const bool big = is_big(face);
        if (rank + 2 < RANK_COUNT) {
            with(face, face + 1, face + 2, owes_pair, xi + (rank == 0 ? table_.r123[big] : 0));
        }
        if (rank == 1) {
            with(face, face + 5, face + 8, owes_pair, xi + table_.r27a[big]);
        }
        if (!big) {
            with(face, face, face + RANK_COUNT, owes_pair, xi);
            with(face, face + RANK_COUNT, face + RANK_COUNT, owes_pair, xi);
        }
        if (owes_pair && count(face) == 2) {
            count(face) = 0;
            search(face, false, xi);
            count(face) = 2;
        }
    }

    void with(int a, int b, int c, bool owes_pair, int xi) {
        --count(a);
        --count(b);
        --count(c);
        if (count(a) >= 0 && count(b) >= 0 && count(c) >= 0) {
            search(a, owes_pair, xi);
        }
        ++count(a);
        ++count(b);
        ++count(c);
    }

    XiTable table_;
    std::array<int, FACE_COUNT> counts_{};
    int quads_ = 0;
    int xi_ = 0;
    int best_ = -1;
    bool is_complete_ = false;
};

} // namespace paohuzi
