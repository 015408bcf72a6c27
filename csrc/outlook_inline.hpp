// The inner loops of an outlook, to be included by one file for each kind of processor, which defines
// VECTOR_BYTES. Everything is in an unnamed namespace: each level must keep its own machine code.
#pragma once

#include "outlook_job.hpp"

#include <cstring>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace paohuzi {
namespace {

// Calls visit(rest, its first step, the one after its last) for each that has steps, those of few tiles
// first.
template <class Cell, class Visit>
void for_each_rising(const OutlookJob<Cell> &job, Visit visit) {
    for (const RestStep *end = job.steps + job.step_count; end != job.steps;) {
        const RestStep *first = end - 1;
        while (first != job.steps && first[-1].from == first->from) {
            --first;
        }
        visit(first->from, first, end);
        end = first;
    }
}

template <class Cell>
void fill_empty(const OutlookJob<Cell> &job, std::size_t stride) {
    Cell *const empty = job.cells + job.empty * stride;
    std::memset(empty, 0, stride * sizeof(Cell));
    *empty = CellOf<Cell>::VALID;
}

// One cell after the other. No sum of the xi of seven groups overflows a cell (CellOf).
template <int FLAGS>
class WordFiller {
    using Cell = std::uint16_t;
    static constexpr int LANES = CellOf<Cell>::LANES;
    static constexpr int FLAG_CELLS = ROWS_MAX * LANES;
    static constexpr int SPAN = FLAGS * FLAG_CELLS;

public:
    explicit WordFiller(const OutlookJob<Cell> &job)
        : job_(job), stride_(static_cast<std::size_t>(job.wangs + 1) * SPAN) {}

    void fill() const {
        fill_empty(job_, stride_);
        for_each_rising(job_, [this](std::uint32_t rest, const RestStep *step, const RestStep *end) {
            if (rest != job_.empty) {
                std::memset(block_of(rest), 0, stride_ * sizeof(Cell));
            }
            for (; step != end; ++step) {
                if (step->choice == DISCARD) {
                    raise<0>(block_of(rest), block_of(step->to), stride_, 0);
                } else if (step->choice != NO_CHOICE) {
                    take(*step, job_.moves[step->choice]);
                }
            }
        });
    }

private:
    Cell *block_of(std::uint32_t rest) const { return job_.cells + rest * stride_; }

    void take(const RestStep &step, const Move<Cell> &move) const {
        for (int wangs = move.wangs; wangs <= job_.wangs; ++wangs) {
            Cell *result = block_of(step.from) + wangs * SPAN;
            const Cell *source = block_of(step.to) + (wangs - move.wangs) * SPAN;
            for (int flags = 0; flags < FLAGS; ++flags) {
                if ((flags & move.flag) == move.flag) {
                    add(result + flags * FLAG_CELLS, source + (flags - move.flag) * FLAG_CELLS, move);
                }
                if ((flags & move.flag & HAS_QUAD) != 0) { // it may be the second one as well
                    add(result + flags * FLAG_CELLS, source + flags * FLAG_CELLS, move);
                }
            }
        }
    }

    static void add(Cell *result, const Cell *source, const Move<Cell> &move) {
        for (int row = 1; row < ROWS_MAX; ++row, source += LANES) {
            result += LANES;
            if (move.outside == 0) {
                raise<0>(result, source, LANES, move.xi);
            } else if (move.outside == 1) {
                raise<1>(result, source, LANES, move.xi);
            } else {
                raise<2>(result, source, LANES, move.xi);
            }
        }
    }

    template <std::size_t OUTSIDE>
    static void raise(Cell *result, const Cell *source, std::size_t size, Cell xi) {
        for (std::size_t i = OUTSIDE; i < size; ++i) {
            const Cell value = static_cast<Cell>(source[i - OUTSIDE] + xi);
            result[i] = value > result[i] ? value : result[i];
        }
    }

    const OutlookJob<Cell> &job_;
    std::size_t stride_; // cells from block to block
};

template <int BYTES>
struct VectorOf; // row_later: all moved by a row, the first coming from the vector before
template <>
struct VectorOf<16> {
    typedef std::uint8_t Cells __attribute__((vector_size(16)));
    typedef std::uint64_t Rows __attribute__((vector_size(16)));
    static Rows row_later(const Rows &before, const Rows &value) {
        return __builtin_shuffle(before, value, Rows{1, 2});
    }
};
#ifdef __AVX2__
template <>
struct VectorOf<32> {
    typedef std::uint8_t Cells __attribute__((vector_size(32)));
    typedef std::uint64_t Rows __attribute__((vector_size(32)));
    static Rows row_later(const Rows &before, const Rows &value) {
        return __builtin_shuffle(before, value, Rows{3, 4, 5, 6});
    }
};
#endif
#ifdef __AVX512F__
template <>
struct VectorOf<64> {
    typedef std::uint8_t Cells __attribute__((vector_size(64)));
    typedef std::uint64_t Rows __attribute__((vector_size(64)));
    static Rows row_later(const Rows &before, const Rows &value) {
        return reinterpret_cast<Rows>(
            _mm512_alignr_epi64(reinterpret_cast<__m512i>(value), reinterpret_cast<__m512i>(before), 7));
    }
};
#endif

// Rows of eight bytes, the block of a rest in registers. A vector is only read as it was written: a read that
// took parts of two would have to wait for both.
template <int FLAGS, int ROWS>
class ByteFiller {
    static constexpr int FLAG_BYTES = 8 * ROWS;
    static constexpr int BYTES = VECTOR_BYTES < FLAG_BYTES ? VECTOR_BYTES : FLAG_BYTES;
    static constexpr int COUNT = FLAG_BYTES / BYTES; // vectors with the same flags
    static constexpr int SPAN = FLAGS * FLAG_BYTES;
    using Vector = typename VectorOf<BYTES>::Cells;
    using Rows = typename VectorOf<BYTES>::Rows;
    using Block = Vector[FLAGS * COUNT];
    using Job = OutlookJob<std::uint8_t>;

public:
    // Rests of a hand without wangs, in which the last step is a discard.
    static void fill_plain(const PlainOutlookJob &job) {
        for (std::size_t i = job.count; i-- > 0;) {
            const std::size_t rest = job.order == nullptr ? i : job.order[i];
            fill_one(job, job.rests[rest], job.cells + rest * SPAN);
        }
    }

    static void fill(const Job &job) {
        const std::size_t stride = static_cast<std::size_t>(job.wangs + 1) * SPAN;
        fill_empty(job, stride);
        for_each_rising(job, [&](std::uint32_t rest, const RestStep *first, const RestStep *end) {
            for (int wangs = 0; wangs <= job.wangs; ++wangs) {
                std::uint8_t *result = job.cells + rest * stride + wangs * SPAN;
                Block block{};
                if (rest == job.empty) {
                    std::memcpy(&block, result, sizeof block);
                }
                Block taken{};
                for (const RestStep *step = first; step != end; ++step) {
                    take_any(block, taken, job, *step, job.cells + step->to * stride, wangs);
                }
                add_row_later(block, taken);
                std::memcpy(result, &block, sizeof block);
            }
        });
    }

private:
    static void fill_one(const PlainOutlookJob &job, const PlainRest &rest, std::uint8_t *result) {
        if (rest.count == 0) {
            std::memset(result, 0, SPAN);
            *result = CellOf<std::uint8_t>::VALID;
            return;
        }
        Block taken{};
        const std::uint8_t *const xi = job.xi[static_cast<std::size_t>(rest.lowest)].data();
        const std::uint32_t *step = job.steps + rest.first_step;
        const auto source_of = [&](const std::uint32_t *to) { return job.cells + *to * SPAN; };
        const auto take_all = [&](std::uint32_t kinds) {
            for (; kinds != 0; kinds &= kinds - 1, ++step) {
                const int kind = __builtin_ctz(kinds);
                take(taken, source_of(step),
                     {0, Fillings::OUTSIDE[static_cast<std::size_t>(kind)], 0, xi[kind]});
            }
        };
        const std::uint32_t kinds = rest.kinds;
        take_all(kinds & NEAR_KINDS);
        if ((kinds >> Fillings::PAIR & 1) != 0) {
            const std::uint8_t *source = source_of(step++);
            take(taken, source, {HAS_PAIR, 0, 0, xi[Fillings::PAIR]});
            if ((kinds >> PENG & 1) != 0) {
                take(taken, source, {0, 1, 0, xi[PENG]});
            }
            if ((kinds >> Fillings::QUAD & 1) != 0) {
                take(taken, source, {FLAGS == 4 ? HAS_QUAD : 0, 2, 0, xi[Fillings::QUAD]});
            }
        }
        take_all(kinds & FAR_KINDS);
        Block block;
        std::memcpy(&block, source_of(step), sizeof block); // the discard
        add_row_later(block, taken);
        std::memcpy(result, &block, sizeof block);
    }
    static constexpr int PENG = Fillings::QUAD - 1;
    static constexpr std::uint32_t NEAR_KINDS = (1U << PENG) - 1;
    static constexpr std::uint32_t FAR_KINDS = ~0U << (Fillings::PAIR + 1);

    static void take_any(Block &block, Block &taken, const Job &job, const RestStep &step,
                         const std::uint8_t *source, int wangs) {
        if (step.choice == DISCARD) {
            Block other;
            std::memcpy(&other, source + wangs * SPAN, sizeof other);
            for (int i = 0; i < FLAGS * COUNT; ++i) {
                block[i] = other[i] > block[i] ? other[i] : block[i];
            }
        } else if (step.choice != NO_CHOICE && job.moves[step.choice].wangs <= wangs) {
            const Move<std::uint8_t> &move = job.moves[step.choice];
            take(taken, source + (wangs - move.wangs) * SPAN, move);
        }
    }

    // The loops are short, and a block stays in registers only if they are unrolled.
    static void take(Block &block, const std::uint8_t *source, const Move<std::uint8_t> &move) {
        const Vector xi = Vector{} + move.xi;
        const int bits = 8 * move.outside;
        if (move.flag == 0) {
#pragma GCC unroll 4
            for (int flags = 0; flags < FLAGS; ++flags) {
                add(block, flags, source, flags, bits, xi);
            }
        } else if (move.flag == HAS_PAIR) {
#pragma GCC unroll 4
            for (int flags = HAS_PAIR; flags < FLAGS; flags += 2) {
                add(block, flags, source, flags - HAS_PAIR, bits, xi);
            }
        } else if constexpr (FLAGS == 4) {
#pragma GCC unroll 4
            for (int flags = HAS_QUAD; flags < FLAGS; ++flags) { // it may be the second quad as well
                add(block, flags, source, flags - HAS_QUAD, bits, xi);
                add(block, flags, source, flags, bits, xi);
            }
        }
    }

    static void add(Block &taken, int flags, const std::uint8_t *source, int from_flags, int bits,
                    const Vector &xi) {
#pragma GCC unroll 8
        for (int i = 0; i < COUNT; ++i) {
            Rows value;
            std::memcpy(&value, source + (from_flags * COUNT + i) * BYTES, sizeof value);
            const Vector cells = reinterpret_cast<Vector>(value << bits) + xi;
            Vector &best = taken[flags * COUNT + i];
            best = cells > best ? cells : best;
        }
    }

    // What is taken makes a group more.
    static void add_row_later(Block &block, const Block &taken) {
#pragma GCC unroll 4
        for (int flags = 0; flags < FLAGS; ++flags) {
            Rows before{};
#pragma GCC unroll 8
            for (int i = flags * COUNT; i < (flags + 1) * COUNT; ++i) {
                const Rows value = reinterpret_cast<Rows>(taken[i]);
                const Vector cells = reinterpret_cast<Vector>(VectorOf<BYTES>::row_later(before, value));
                before = value;
                block[i] = cells > block[i] ? cells : block[i];
            }
        }
    }
};

void fill_plain(const PlainOutlookJob &job, int flags, int rows) {
    if (flags == 2) {
        rows == ROWS_MAX ? ByteFiller<2, ROWS_MAX>::fill_plain(job)
                         : ByteFiller<2, ROWS_MAX / 2>::fill_plain(job);
    } else {
        rows == ROWS_MAX ? ByteFiller<4, ROWS_MAX>::fill_plain(job)
                         : ByteFiller<4, ROWS_MAX / 2>::fill_plain(job);
    }
}

void fill_bytes(const OutlookJob<std::uint8_t> &job, int flags, int rows) {
    if (flags == 2) {
        rows == ROWS_MAX ? ByteFiller<2, ROWS_MAX>::fill(job) : ByteFiller<2, ROWS_MAX / 2>::fill(job);
    } else {
        rows == ROWS_MAX ? ByteFiller<4, ROWS_MAX>::fill(job) : ByteFiller<4, ROWS_MAX / 2>::fill(job);
    }
}

void fill_words(const OutlookJob<std::uint16_t> &job, int flags) {
    if (flags == 2) {
        WordFiller<2>(job).fill();
    } else {
        WordFiller<4>(job).fill();
    }
}

} // namespace
} // namespace paohuzi
