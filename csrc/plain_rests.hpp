// The rests of a hand without wangs and with no face more than twice (docs/algorithm.md 12).
#pragma once

#include "plain_finder.hpp"
#include "rest_index.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace paohuzi {

class PlainRests {
public:
    PlainRests();

    static bool may_be_of(const Unfinished &hand) { return hand.wangs == 0 && hand.kept == 0; }

    // Finds them all. Hand and fillings must stay.
    void find(const Unfinished &hand, const Fillings &fillings);

    const Unfinished &hand() const { return *hand_; }
    bool has_quads() const { return kinds_.has_quads; }
    static constexpr std::uint32_t WHOLE = 0;
    const PlainRest &operator[](std::uint32_t rest) const { return rests_[rest]; }
    std::size_t size() const { return size_; }
    PlainOutlookJob job() const {
        return {rests_.data(), is_in_order_ ? nullptr : order_.data(), size_, steps_.data(), kinds_.xi.data(),
                nullptr};
    }

    // As that of Rests.
    template <class Take, class Discard>
    bool any_step(const PlainRest &rest, Take take, Discard discard) const {
        const std::uint32_t *to = steps_.data() + rest.first_step;
        for (std::uint32_t kinds = rest.kinds; kinds != 0; kinds &= kinds - 1) {
            const int kind = __builtin_ctz(kinds);
            if (take(*to, filling_of(rest.lowest, kind))) {
                return true;
            }
            to += Fillings::is_last_of_own(kind);
        }
        return rest.count > 0 && discard(*to);
    }

private:
    void list_kinds();
    void list_kinds_of(int lowest);
    void find_one_by_one();
    void find_steps(std::uint32_t rest, int count);
    std::uint32_t rest_of(Ranked tiles, int count);
    void set_capacity(std::size_t rests);

    const Filling *filling_of(int place, int kind) const {
        const auto i = static_cast<std::size_t>(place);
        return &fillings_->by_lowest[i][fillings_->pairs[i].first[static_cast<std::size_t>(kind)]] +
               (kinds_.seconds[i] >> kind & 1);
    }

    const Unfinished *hand_ = nullptr;
    const Fillings *fillings_ = nullptr;
    PlainKinds kinds_;
    std::unique_ptr<Levels> levels_ = std::make_unique<Levels>();
    RestIndex index_;
    std::size_t size_ = 0;
    std::uint32_t step_count_ = 0;
    bool is_in_order_ = false; // the rests are, more tiles first
    std::size_t ordered_ = 0;
    std::vector<std::uint32_t> order_; // of the rests otherwise
    std::array<std::uint32_t, TILES_MAX + 1> by_count_{}; // the first with so many tiles
    std::vector<std::uint32_t> next_;                     // with as many
    std::vector<Ranked> tiles_;
    std::vector<PlainRest> rests_;
    std::vector<std::uint32_t> steps_;
};

} // namespace paohuzi
