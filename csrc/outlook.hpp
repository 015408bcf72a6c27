// What may become of tiles, and the most xi that each rest of them can still bring (docs/algorithm.md 12).
#pragma once

#include "check.hpp"
#include "unfinished.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace paohuzi {

inline constexpr int HAS_PAIR = 1;
inline constexpr int HAS_QUAD = 2; // told apart only while no quad is settled

// What must come out of some tiles, just so much of each.
struct Need {
    int wangs = 0;
    int flags = 0;  // HAS_PAIR, HAS_QUAD
    int groups = 0; // without the pair
    int outside = 0;
};

// The rests of a hand, each reached from the whole by discarding its lowest tile or putting it into a group.
class Rests {
public:
    struct Rest {
        Ranked tiles = 0;
        std::uint32_t first_step = 0;
        std::uint32_t end_step = 0;
        std::uint32_t next = 0;  // of those with as many tiles
        std::uint32_t block = 0; // for Outlook
        std::int32_t rows = 0;
        std::int16_t lowest = WANG; // place of the lowest tile
        std::int16_t count = 0;     // of tiles
    };
    struct Step {
        std::uint32_t to;
        std::uint32_t choice; // DISCARD, or which of the choices
    };
    static constexpr std::uint32_t DISCARD = 0xFFFFFFFF;
    struct Choice {
        Ranked own;
        const Filling *filling; // the best of those alike
    };

    // Finds them all. The hand must stay.
    void find(const Unfinished &hand, const Fillings &fillings);

    const Unfinished &hand() const { return *hand_; }
    bool has_quads() const { return has_quads_; }
    static constexpr std::uint32_t WHOLE = 0;
    const Rest &operator[](std::uint32_t rest) const { return rests_[rest]; }
    std::size_t size() const { return rests_.size(); }
    const Step *begin(const Rest &rest) const { return steps_.data() + rest.first_step; }
    const Step *end(const Rest &rest) const { return steps_.data() + rest.end_step; }
    const std::vector<Choice> &choices() const { return choices_; } // those of wangs alone last
    std::uint32_t first_of_wangs() const { return begin_[WANG]; }

    // Calls visit(rest) for each, those of fewer tiles first.
    template <class Visit>
    void for_each_rising(Visit visit) {
        for (const std::uint32_t first : by_count_) {
            for (std::uint32_t rest = first; rest != NONE; rest = rests_[rest].next) {
                visit(rests_[rest]);
            }
        }
    }

private:
    static constexpr std::uint32_t NONE = 0xFFFFFFFF;
    static constexpr std::size_t STEPS_MAX = 128; // of a rest, two slots each
    struct Slot {
        Ranked tiles = 0;
        std::uint32_t query = 0; // for which it was filled
        std::uint32_t rest = 0;
    };

    void choose(const Fillings &fillings);
    void choose_from(const Fillings &fillings, int lowest);
    bool is_kept(int place) const { return (hand_->kept >> COUNT_BITS * place & COUNT_MASK) != 0; }
    int skip_lone(Ranked &tiles, int &count) const;
    std::uint32_t rest_of(Ranked tiles, int count);
    std::uint32_t first_met(Ranked tiles, int count, Slot &slot);
    std::uint32_t add_rest(Ranked tiles, int count, int lowest, Slot &slot);
    void find_steps(std::uint32_t rest);
    void make_room();
    Slot &slot_of(Ranked tiles) {
        std::size_t place = (tiles * 0x9E3779B97F4A7C15U) >> 40 & slot_mask_;
        while (slots_[place].query == query_ && slots_[place].tiles != tiles) {
            place = (place + 1) & slot_mask_;
        }
        return slots_[place];
    }

    const Unfinished *hand_ = nullptr;
    bool has_quads_ = false;
    std::uint32_t places_ = 0; // where there are free tiles, as bits
    std::uint32_t query_ = 0;
    std::size_t filled_ = 0;
    std::size_t slot_mask_ = (std::size_t{1} << 10) - 1;
    std::vector<Slot> slots_ = std::vector<Slot>(slot_mask_ + 1);
    std::vector<Rest> rests_;
    std::vector<Step> steps_;
    std::array<std::uint32_t, TILES_MAX + 1> by_count_{};
    std::vector<Choice> choices_;
    std::array<std::uint32_t, WANG + 1> begin_{};
    std::array<std::uint32_t, WANG + 1> end_{};
};

// A cell holds VALID and the xi above it; less is no way at all.
template <class Cell>
struct CellOf;
template <>
struct CellOf<std::uint8_t> {
    typedef std::uint8_t Vector __attribute__((vector_size(16)));
    static constexpr int VALID = 128;
    static constexpr int LANES = 8;        // by number of outside tiles: enough for nearly all hands
    static constexpr int FILLING_MAX = 18; // seven times as much does not lift nothing to VALID
};
template <>
struct CellOf<std::uint16_t> {
    typedef std::uint16_t Vector __attribute__((vector_size(16)));
    static constexpr int VALID = 32768;
    static constexpr int LANES = 16; // enough for all
    static constexpr int FILLING_MAX = 1000;
};

template <class Cell>
class Outlook {
public:
    static constexpr int VALID = CellOf<Cell>::VALID;
    static constexpr int LANES = CellOf<Cell>::LANES;
    static constexpr int XI_MAX = VALID - 1; // more counts as so much

    void start(Rests &rests) {
        rests_ = &rests;
        wangs_ = rests.hand().wangs;
        if (rests.hand().quads == 0 && rests.has_quads()) {
            flag_count_ = 4;
            fill_all<4 * LANES>();
        } else {
            flag_count_ = 2;
            fill_all<2 * LANES>();
        }
    }

    // Best xi of a rest, below 0 if there is no way. Whether two groups want the same unseen copy is not
    // looked at, and a pair with an outside tile is not among them.
    int best(std::uint32_t index, const Need &need) const {
        const Rests::Rest &rest = (*rests_)[index];
        if (need.groups >= rest.rows) {
            return -1;
        }
        const int row = need.wangs * rest.rows + need.groups;
        return cells_[rest.block +
                      static_cast<std::size_t>((row * flag_count_ + need.flags) * LANES + need.outside)] -
               VALID;
    }

    int flag_count() const { return flag_count_; }

private:
    using Vector = typename CellOf<Cell>::Vector;
    static constexpr std::size_t CHUNK = sizeof(Vector) / sizeof(Cell);
    using Mask = std::array<Cell, 4 * LANES>;

    struct Move { // what a filling does to the rows of a block
        const Cell *mask;
        std::uint32_t back;  // cells from those that become to those that were
        std::uint16_t ahead; // groups
        std::uint8_t wangs;
        bool is_new_quad; // the cells without such a quad count too
        Cell xi;
    };

    // A block is [wangs][groups][flags][outside].
    template <std::size_t ROW>
    void fill_all() {
        moves_.clear();
        for (const Rests::Choice &choice : rests_->choices()) {
            moves_.push_back(move_of(*choice.filling));
        }
        used_ = ROW; // a row may be read from before its first cell
        rests_->for_each_rising([this](Rests::Rest &rest) { fill<ROW>(rest); });
    }

    Move move_of(const Filling &filling) const {
        const bool is_quad = filling.is_quad && flag_count_ == 4;
        const std::size_t flag = filling.is_pair ? HAS_PAIR : is_quad ? HAS_QUAD : 0;
        const int back = filling.outside + (filling.is_pair ? LANES : 0);
        return {MASKS[flag][filling.outside].data(),
                static_cast<std::uint32_t>(back),
                static_cast<std::uint16_t>(filling.is_pair ? 0 : 1),
                filling.wangs,
                is_quad,
                static_cast<Cell>(std::min<int>(filling.xi, XI_MAX))};
    }

    template <std::size_t ROW>
    void fill(Rests::Rest &rest) {
        rest.rows = std::min(rests_->hand().room, (rest.count + wangs_) / 2) + 1;
        rest.block = static_cast<std::uint32_t>(used_);
        used_ += static_cast<std::size_t>((wangs_ + 1) * rest.rows) * ROW;
        if (used_ > cells_.size()) {
            cells_.resize(2 * used_);
        }
        const Rests::Step *step = rests_->begin(rest);
        const Rests::Step *const end = rests_->end(rest);
        if (step != end && step->choice == Rests::DISCARD) {
            copy<ROW>((*rests_)[step->to], rest);
            ++step;
        } else {
            clear(&cells_[rest.block], used_ - rest.block);
            if (rest.count == 0) {
                fill_last<ROW>(rest);
            }
        }
        for (; step != end; ++step) {
            const Move &move = moves_[step->choice];
            for (int wangs = move.wangs; wangs <= wangs_; ++wangs) {
                take<ROW>(rest, wangs, (*rests_)[step->to], move);
            }
        }
    }

    static void clear(Cell *cells, std::size_t size) {
        const Vector zero{};
        for (std::size_t i = 0; i < size; i += CHUNK) {
            std::memcpy(cells + i, &zero, sizeof zero);
        }
    }

    template <std::size_t ROW>
    void copy(const Rests::Rest &from, const Rests::Rest &to) {
        const std::size_t from_size = static_cast<std::size_t>(from.rows) * ROW;
        const std::size_t to_size = static_cast<std::size_t>(to.rows) * ROW;
        const Cell *source = &cells_[from.block];
        Cell *result = &cells_[to.block];
        for (int wangs = 0; wangs <= wangs_; ++wangs, source += from_size, result += to_size) {
            for (std::size_t i = 0; i < from_size; i += CHUNK) {
                const Vector value = load(source + i);
                std::memcpy(result + i, &value, sizeof value);
            }
            clear(result + from_size, to_size - from_size);
        }
    }

    // Without own tiles there are groups of wangs alone.
    template <std::size_t ROW>
    void fill_last(const Rests::Rest &rest) {
        cells_[rest.block] = VALID;
        for (int wangs = 1; wangs <= wangs_; ++wangs) {
            for (std::size_t i = rests_->first_of_wangs(); i < moves_.size(); ++i) {
                if (moves_[i].wangs <= wangs) {
                    take<ROW>(rest, wangs, rest, moves_[i]);
                }
            }
        }
    }

    template <std::size_t ROW>
    void take(const Rests::Rest &to, int to_wangs, const Rests::Rest &from, const Move &move) {
        const int from_row = (to_wangs - move.wangs) * from.rows;
        const int to_row = to_wangs * to.rows + move.ahead;
        const Cell *source = &cells_[from.block] + static_cast<std::size_t>(from_row) * ROW - move.back;
        Cell *result = &cells_[to.block] + static_cast<std::size_t>(to_row) * ROW;
        const int rows = std::min(from.rows, to.rows - move.ahead);
        add<ROW>(result, source, rows, move);
        if (move.is_new_quad) {
            add<ROW>(result, source - HAS_QUAD * LANES, rows, move);
        }
    }

    // Which cells of a row can be reached, by flag that a group brings and its outside tiles.
    static constexpr auto MASKS = [] {
        std::array<std::array<Mask, 3>, 3> masks{};
        for (std::size_t flag = 0; flag < 3; ++flag) {
            for (std::size_t outside = 0; outside < 3; ++outside) {
                for (std::size_t cell = 0; cell < 4 * LANES; ++cell) {
                    const bool is_reached = cell % LANES >= outside && (cell / LANES & flag) == flag;
                    masks[flag][outside][cell] = is_reached ? static_cast<Cell>(-1) : 0;
                }
            }
        }
        return masks;
    }();

    template <std::size_t ROW>
    static void add(Cell *result, const Cell *source, int rows, const Move &move) {
        const Vector xi = Vector{} + move.xi;
        std::array<Vector, ROW / CHUNK> masks;
        std::memcpy(&masks, move.mask, sizeof masks);
        for (; rows > 0; --rows, source += ROW, result += ROW) {
            for (std::size_t i = 0; i < ROW / CHUNK; ++i) {
                Vector value = load(source + i * CHUNK) & masks[i];
                const Vector old = load(result + i * CHUNK);
                value = (value < ~xi ? value : ~xi) + xi;
                value = value > old ? value : old;
                std::memcpy(result + i * CHUNK, &value, sizeof value);
            }
        }
    }

    static Vector load(const Cell *cells) {
        Vector value;
        std::memcpy(&value, cells, sizeof value);
        return value;
    }

    Rests *rests_ = nullptr;
    int wangs_ = 0;
    int flag_count_ = 2;
    std::size_t used_ = 0;
    std::vector<Move> moves_;
    std::vector<Cell> cells_ = std::vector<Cell>(std::size_t{1} << 14);
};

} // namespace paohuzi
