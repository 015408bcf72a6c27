#include "outlook.hpp"

#include "kernels.hpp"

namespace paohuzi {

namespace {

const OutlookFill &choose_fill() {
#ifdef PAOHUZI_X86
    if (&kernels() == &AVX512_KERNELS) {
        return AVX512_OUTLOOK;
    }
    if (&kernels() == &AVX2_KERNELS) {
        return AVX2_OUTLOOK;
    }
#endif
    return PORTABLE_OUTLOOK;
}

void fill(const OutlookJob<std::uint8_t> &job, int flags, int rows) { choose_fill().bytes(job, flags, rows); }
void fill(const OutlookJob<std::uint16_t> &job, int flags, int) { choose_fill().words(job, flags); }

} // namespace

template <class Cell>
void Outlook<Cell>::set_shape(const Unfinished &hand, bool has_quads, std::size_t rests) {
    wangs_ = hand.wangs;
    flag_count_ = hand.quads == 0 && has_quads ? 4 : 2;
    rows_ = hand.room < ROWS_MAX / 2 && sizeof(Cell) == 1 ? ROWS_MAX / 2 : ROWS_MAX;
    const std::size_t span = static_cast<std::size_t>(rows_ * flag_count_ * LANES);
    const std::size_t size = LINE + rests * static_cast<std::size_t>(wangs_ + 1) * span;
    if (size > cells_.size()) {
        cells_.resize(2 * size);
    }
    const auto place = reinterpret_cast<std::uintptr_t>(cells_.data());
    blocks_ = cells_.data() + (-place & (LINE - 1)) / sizeof(Cell);
}

template <class Cell>
void Outlook<Cell>::start(const Rests &rests) {
    set_shape(rests.hand(), rests.has_quads(), rests.size() + 1);
    moves_.clear();
    for (const Rests::Choice &choice : rests.choices()) {
        moves_.push_back(move_of(*choice.filling));
    }
    fill({rests.steps().data(), rests.steps().size(), rests.empty(), moves_.data(), wangs_, blocks_},
         flag_count_, rows_);
}

template <class Cell>
void Outlook<Cell>::start(const PlainRests &rests) {
    if constexpr (sizeof(Cell) == 1) {
        set_shape(rests.hand(), rests.has_quads(), rests.size());
        PlainOutlookJob job = rests.job();
        job.cells = blocks_;
        choose_fill().plain(job, flag_count_, rows_);
    }
}

template <class Cell>
Move<Cell> Outlook<Cell>::move_of(const Filling &filling) const {
    const int flag = filling.is_pair ? HAS_PAIR : filling.is_quad && flag_count_ == 4 ? HAS_QUAD : 0;
    return {static_cast<std::uint8_t>(flag), filling.outside, filling.wangs,
            static_cast<Cell>(std::min<int>(filling.xi, CellOf<Cell>::FILLING_MAX))};
}

template class Outlook<std::uint8_t>;
template class Outlook<std::uint16_t>;

} // namespace paohuzi
