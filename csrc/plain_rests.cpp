#include "plain_rests.hpp"

#include "kernels.hpp"

namespace paohuzi {

namespace {

constexpr std::uint32_t NONE = 0xFFFFFFFF;
constexpr std::size_t VECTOR_MORE = 16; // words that may be written past the last

#ifdef PAOHUZI_X86
PlainRestsFound find_by_vectors(const PlainRestsJob &job) {
    return &kernels() == &AVX512_KERNELS ? find_plain_rests_avx512(job) : PlainRestsFound{};
}
#else
PlainRestsFound find_by_vectors(const PlainRestsJob &) { return {}; }
#endif

} // namespace

PlainRests::PlainRests() { set_capacity((TILES_MAX + 1) * Level::SIZE); }

void PlainRests::set_capacity(std::size_t rests) {
    order_.resize(rests);
    next_.resize(rests);
    tiles_.resize(rests + VECTOR_MORE);
    rests_.resize(rests);
    steps_.resize(rests * PlainRest::STEPS_MAX + VECTOR_MORE);
}

void PlainRests::find(const Unfinished &hand, const Fillings &fillings) {
    hand_ = &hand;
    fillings_ = &fillings;
    const PlainRestsFound found = find_by_vectors(
        {hand_, fillings_, &kinds_, levels_.get(), tiles_.data(), rests_.data(), steps_.data()});
    is_in_order_ = found.rests > 0;
    size_ = found.rests;
    step_count_ = found.steps;
    if (!is_in_order_) {
        list_kinds();
        find_one_by_one();
    }
}

void PlainRests::list_kinds() {
    kinds_.chosen = 0;
    kinds_.has_quads = false;
    for (Ranked left = hand_->free; left != 0; left &= ~(COUNT_MASK * one_of(lowest_place(left)))) {
        list_kinds_of(lowest_place(left));
    }
}

void PlainRests::list_kinds_of(int lowest) {
    const auto place = static_cast<std::size_t>(lowest);
    const Fillings::Pairs &pairs = fillings_->pairs[place];
    const auto is_out = [this](std::uint8_t face, int copies) {
        return face != Fillings::NO_FACE && hand_->unseen[face] >= copies;
    };
    std::uint32_t found = 0;
    std::uint32_t seconds = 0;
    for (std::uint32_t kinds = all_kinds(hand_->free, lowest); kinds != 0; kinds &= kinds - 1) {
        const auto kind = static_cast<std::size_t>(__builtin_ctz(kinds));
        const int outside = Fillings::OUTSIDE[kind];
        const bool has_first = is_out(pairs.face[kind], outside);
        found |= static_cast<std::uint32_t>(has_first || is_out(pairs.other_face[kind], outside)) << kind;
        seconds |= static_cast<std::uint32_t>(!has_first) << kind;
        kinds_.xi[place][kind] = has_first ? pairs.xi[kind] : pairs.other_xi[kind];
    }
    kinds_.kinds[place] = static_cast<std::uint16_t>(found);
    kinds_.seconds[place] = static_cast<std::uint16_t>(seconds);
    kinds_.chosen |= own_of(found, lowest);
    kinds_.has_quads |= (found >> Fillings::QUAD & 1) != 0;
}

void PlainRests::find_one_by_one() {
    index_.start();
    ordered_ = 0;
    by_count_.fill(NONE);
    const Ranked tiles = worth_keeping(hand_->free, kinds_.chosen);
    const int whole = tile_count(tiles);
    rest_of(tiles, whole);
    for (int count = whole; count >= 0; --count) {
        for (std::uint32_t rest = by_count_[static_cast<std::size_t>(count)]; rest != NONE;
             rest = next_[rest]) {
            if (size_ + PlainRest::STEPS_MAX > next_.size()) {
                set_capacity(2 * next_.size());
            }
            find_steps(rest, count);
        }
    }
}

void PlainRests::find_steps(std::uint32_t rest, int count) {
    order_[ordered_++] = rest;
    if (count == 0) {
        rests_[rest] = {step_count_, 0, WANG, 0};
        return;
    }
    const Ranked tiles = tiles_[rest];
    const int lowest = lowest_place(tiles);
    const std::uint32_t all = kinds_at(tiles, lowest, kinds_.kinds[static_cast<std::size_t>(lowest)]);
    rests_[rest] = {step_count_, static_cast<std::uint16_t>(all), static_cast<std::int8_t>(lowest),
                    static_cast<std::int8_t>(count)};
    std::uint32_t *step = steps_.data() + step_count_;
    for (std::uint32_t kinds = all & Fillings::FIRST_OF_OWN; kinds != 0; kinds &= kinds - 1) {
        const auto kind = static_cast<std::size_t>(__builtin_ctz(kinds));
        *step++ = rest_of(tiles - (Fillings::KINDS[kind] << COUNT_BITS * lowest),
                          count - Fillings::OWN_COUNTS[kind]);
    }
    // Copies that stand in no group with the others go together.
    const int copies = all != 0 ? 1 : count_of(tiles, lowest);
    *step++ = rest_of(tiles - static_cast<Ranked>(copies) * one_of(lowest), count - copies);
    step_count_ = static_cast<std::uint32_t>(step - steps_.data());
}

inline std::uint32_t PlainRests::rest_of(Ranked tiles, int count) {
    const auto next = static_cast<std::uint32_t>(size_);
    const std::uint32_t number = index_.number_of(tiles, next);
    if (number == next) {
        std::uint32_t &first = by_count_[static_cast<std::size_t>(count)];
        tiles_[number] = tiles;
        next_[number] = first;
        first = number;
        ++size_;
    }
    return number;
}

} // namespace paohuzi
