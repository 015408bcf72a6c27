// What may become of tiles: each is discarded or put into a group (docs/algorithm.md 12).
#pragma once

#include "check.hpp"
#include "outlook_job.hpp"
#include "rest_index.hpp"
#include "unfinished.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

// The rests of a hand, each reached from the whole by discarding its lowest tile or putting it into a group.
// For any hand; those of most are found faster by PlainRests.
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
    std::size_t size() const { return rests_.size(); }
    const std::vector<Choice> &choices() const { return choices_; }
    // Those of rests with fewer tiles last.
    const std::vector<RestStep> &steps() const { return steps_; }
    std::uint32_t empty() const {
        return empty_;
    } // the rest without tiles; one that there is not, if none is

    // Calls take(next rest, the best of some fillings alike) and at last discard(next rest) until one answers
    // true.
    template <class Take, class Discard>
    bool any_step(const RestOfHand &rest, Take take, Discard discard) const {
        const RestStep *const end = steps_.data() + rest.end_step;
        for (const RestStep *step = steps_.data() + rest.first_step; step != end; ++step) {
            if (step->choice != NO_CHOICE &&
                (step->choice == DISCARD ? discard(step->to)
                                         : take(step->to, choices_[step->choice].filling))) {
                return true;
            }
        }
        return false;
    }

private:
    static constexpr std::uint32_t NONE = 0xFFFFFFFF;
    struct Span { // of choices
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    bool is_kept(int place) const { return (hand_->kept >> COUNT_BITS * place & COUNT_MASK) != 0; }
    void list(int lowest, std::uint32_t places, const Fillings &fillings);
    void add_choice(const Filling &first);
    void find_all();
    void find_steps(std::uint32_t index);
    void find_last_steps(std::uint32_t index);
    std::uint32_t rest_of(Ranked tiles, int count);

    const Unfinished *hand_ = nullptr;
    Ranked chosen_ = 0; // tiles that are in any of the choices
    bool has_quads_ = false;
    std::vector<Choice> choices_;
    std::array<Span, WANG + 1> spans_{}; // by the lowest place
    RestIndex index_;
    std::vector<RestOfHand> rests_;
    std::array<std::uint32_t, TILES_MAX + 1> by_count_{};
    std::uint32_t empty_ = 0;
    std::vector<RestStep> steps_;
};

} // namespace paohuzi
