// What may become of tiles: each is discarded or put into a group (docs/algorithm.md 12).
#pragma once

#include "check.hpp"
#include "outlook_job.hpp"
#include "unfinished.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

// The rests of a hand, each reached from the whole by discarding its lowest tile or putting it into a group.
class Rests {
public:
    struct Choice {
        Ranked own;
        const Filling *filling; // the best of those alike
    };

    // Finds them all. The hand must stay.
    void find(const Unfinished &hand, const Fillings &fillings);

    const Unfinished &hand() const { return *hand_; }
    bool has_quads() const { return has_quads_; }
    static constexpr std::uint32_t WHOLE = 0;
    const RestOfHand &operator[](std::uint32_t rest) const { return rests_[rest]; }
    std::size_t size() const { return size_; }
    const RestStep *begin(const RestOfHand &rest) const { return steps_.data() + rest.first_step; }
    const RestStep *end(const RestOfHand &rest) const { return steps_.data() + rest.end_step; }
    const std::vector<Choice> &choices() const { return choices_; }
    // Those of rests with fewer tiles last.
    const RestStep *steps() const { return steps_.data(); }
    std::size_t step_count() const { return step_count_; }
    std::uint32_t empty() const {
        return empty_;
    } // the rest without tiles; one that there is not, if none is

private:
    static constexpr std::uint32_t NONE = 0xFFFFFFFF;
    static constexpr std::size_t STEPS_MAX = 128; // of a rest
    static constexpr std::uint64_t SPREAD = 0x9E3779B97F4A7C15;
    static constexpr std::size_t SLOT_COUNT = 1 << 10; // at first
    struct Slot {
        std::uint32_t query = 0; // for which it was filled
        std::uint32_t rest = 0;
    };
    class ByList;
    class ByKind;

    bool is_kept(int place) const { return (hand_->kept >> COUNT_BITS * place & COUNT_MASK) != 0; }
    bool add_choice(const Filling &first);
    template <class Chooser>
    void find_with();
    class Finder;
    // All bits of the tiles are in the upper half of the product.
    static std::size_t place_of(Ranked tiles, std::size_t mask) {
        __extension__ typedef unsigned __int128 Product;
        return static_cast<std::size_t>(static_cast<Product>(tiles) * SPREAD >> 64) & mask;
    }
    Slot &slot_of(Ranked tiles, std::size_t place);
    void grow();

    const Unfinished *hand_ = nullptr;
    const Fillings *fillings_ = nullptr;
    Ranked chosen_ = 0; // tiles that are in any of the choices
    bool has_quads_ = false;
    std::uint32_t query_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(SLOT_COUNT);
    std::size_t size_ = 0;
    std::vector<RestOfHand> rests_ = std::vector<RestOfHand>(slots_.size() / 2);
    std::uint32_t empty_ = 0;
    std::size_t step_count_ = 0;
    std::vector<RestStep> steps_ = std::vector<RestStep>(slots_.size() * 4);
    std::vector<Choice> choices_;
};

} // namespace paohuzi
