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
void Outlook<Cell>::start(const Rests &rests) {
    const Unfinished &hand = rests.hand();
    wangs_ = hand.wangs;
    flag_count_ = hand.quads == 0 && rests.has_quads() ? 4 : 2;
    rows_ = hand.room < ROWS_MAX / 2 && sizeof(Cell) == 1 ? ROWS_MAX / 2 : ROWS_MAX;
    moves_.clear();
    for (const Rests::Choice &choice : rests.choices()) {
        moves_.push_back(move_of(*choice.filling));
    }
    const std::size_t span = static_cast<std::size_t>(rows_ * flag_count_ * LANES);
    const std::size_t size = BEFORE + (rests.size() + 1) * static_cast<std::size_t>(wangs_ + 1) * span;
    if (size > cells_.size()) {
        cells_.resize(2 * size);
    }
    fill({rests.steps(), rests.step_count(), rests.empty(), hand.wangs == 0 && hand.kept == 0, moves_.data(),
          wangs_, cells_.data() + BEFORE},
         flag_count_, rows_);
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
