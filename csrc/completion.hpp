// The divisions that a hand can reach with so many outside tiles, unseen copies looked at (docs/rules.md 7).
#pragma once

#include "outlook.hpp"

#include <array>
#include <cstdint>

namespace paohuzi {

struct Target { // of what is filled: what the growths leave to do
    Need need;
    bool is_half_pair = false; // a tile left over is the pair, with one from outside
    int xi = 0;                // still wanted
};

// What a division is made of, beside the exposed groups that stay.
struct Path {
    std::array<const Filling *, GROUP_COUNT> fillings{};
    int size = 0;
    std::array<std::uint8_t, GROUP_COUNT> grown{}; // by growth: GROWN_NOT, GROWN_OUTSIDE, GROWN_WANG
    int pair_face = NO_WIN_TILE; // of a half pair
};
inline constexpr std::uint8_t GROWN_NOT = 0, GROWN_OUTSIDE = 1, GROWN_WANG = 2;

// Calls visit(hand, path) for each division with just so many outside tiles and enough xi, until it answers
// true.
template <class AnyRests, class Cell, class Visit>
class Completions {
public:
    Completions(const AnyRests &rests, const Outlook<Cell> &outlook, const Fillings &fillings, int min_xi,
                Visit &visit)
        : rests_(rests), outlook_(outlook), hand_(rests.hand()), fillings_(fillings), min_xi_(min_xi),
          visit_(visit), unseen_(hand_.unseen), growth_xi_(best_growths(hand_)) {}

    // The least number of outside tiles, this one or more, with which there may be one if no two groups want
    // the same copy; LANES or more if there is none.
    int least(int outside) const {
        int least = Outlook<Cell>::LANES;
        for (int wangs = 0; wangs <= hand_.wangs; ++wangs) {
            for (int grown = 0; grown <= hand_.growth_count; ++grown) {
                const int xi = growth_xi_[static_cast<std::size_t>(wangs)][static_cast<std::size_t>(grown)];
                if (xi != NO_GROWTH) {
                    const bool has_quad = hand_.quads + wangs + grown > 0;
                    const int wanted = min_xi_ - hand_.xi - xi;
                    least = std::min(
                        least, grown + least_filled(outside - grown, hand_.wangs - wangs, wanted, has_quad));
                }
            }
        }
        return least;
    }

    // Whether anything was visited.
    bool search(int outside) {
        has_visited_ = false;
        grow(0, outside, hand_.wangs, hand_.xi, hand_.quads > 0);
        return has_visited_;
    }

private:
    using GrowthXi = std::array<std::array<int, GROUP_COUNT + 1>, WANG_MAX + 1>; // by wangs, outside tiles
    static constexpr int NO_GROWTH = -30000;

    static GrowthXi best_growths(const Unfinished &hand) {
        GrowthXi best;
        best.fill({NO_GROWTH, NO_GROWTH, NO_GROWTH, NO_GROWTH, NO_GROWTH, NO_GROWTH, NO_GROWTH, NO_GROWTH});
        best[0][0] = 0;
        for (int i = 0; i < hand.growth_count; ++i) {
            const Growth &growth = hand.growths[static_cast<std::size_t>(i)];
            for (auto wangs = static_cast<std::size_t>(hand.wangs) + 1; wangs-- > 0;) {
                for (auto outside = static_cast<std::size_t>(i) + 2; outside-- > 0;) {
                    int &xi = best[wangs][outside];
                    if (growth.takes_outside && outside > 0 && best[wangs][outside - 1] != NO_GROWTH) {
                        xi = std::max(xi, best[wangs][outside - 1] + growth.pao_more);
                    }
                    if (growth.takes_wang && wangs > 0 && best[wangs - 1][outside] != NO_GROWTH) {
                        xi = std::max(xi, best[wangs - 1][outside] + growth.ti_more);
                    }
                }
            }
        }
        return best;
    }

    bool grow(int place, int outside, int wangs, int xi, bool has_quad) {
        if (place == hand_.growth_count) {
            return fill(outside, wangs, xi, has_quad);
        }
        const Growth &growth = hand_.growths[static_cast<std::size_t>(place)];
        std::uint8_t &grown = path_.grown[static_cast<std::size_t>(place)];
        std::int8_t &unseen = unseen_[growth.face];
        if (grow(place + 1, outside, wangs, xi, has_quad)) {
            return true;
        }
        bool is_done = false;
        if (growth.takes_outside && outside > 0) {
            grown = GROWN_OUTSIDE;
            --unseen;
            is_done = grow(place + 1, outside - 1, wangs, xi + growth.pao_more, true);
            ++unseen;
        }
        if (!is_done && growth.takes_wang && wangs > 0) {
            grown = GROWN_WANG;
            is_done = grow(place + 1, outside, wangs - 1, xi + growth.ti_more, true);
        }
        grown = GROWN_NOT;
        return is_done;
    }

    bool fill(int outside, int wangs, int xi, bool has_quad) {
        const int wanted = min_xi_ - xi;
        if (!has_quad && pursue({{wangs, 0, hand_.room, outside}, false, wanted})) {
            return true;
        }
        const int groups = hand_.room - 1;
        for (int quad = has_quad ? 0 : HAS_QUAD; quad < outlook_.flag_count(); quad += HAS_QUAD) {
            if (pursue({{wangs, HAS_PAIR | quad, groups, outside}, false, wanted}) ||
                (outside > 0 && pursue({{wangs, quad, groups, outside - 1}, true, wanted}))) {
                return true;
            }
        }
        return false;
    }

    // The same of what is filled, as fill tries it.
    int least_filled(int outside, int wangs, int wanted, bool has_quad) const {
        const auto least = [&](int flags, int groups, int from) {
            return groups < 0 ? Outlook<Cell>::LANES
                              : outlook_.least_outside(AnyRests::WHOLE,
                                                       {wangs, flags, groups, std::max(from, 0)}, wanted);
        };
        int best = has_quad ? Outlook<Cell>::LANES : least(0, hand_.room, outside);
        for (int quad = has_quad ? 0 : HAS_QUAD; quad < outlook_.flag_count(); quad += HAS_QUAD) {
            best = std::min(best, least(HAS_PAIR | quad, hand_.room - 1, outside));
            best = std::min(best, 1 + least(quad, hand_.room - 1, outside - 1));
        }
        return best;
    }

    bool pursue(const Target &target) {
        if (target.need.groups < 0 || !is_open(AnyRests::WHOLE, target)) {
            return false;
        }
        return descend(AnyRests::WHOLE, target, {});
    }

    bool is_open(std::uint32_t rest, const Target &target) const {
        const int best = outlook_.best(rest, target.need);
        return best >= 0 && best >= std::min<int>(target.xi, Outlook<Cell>::XI_MAX);
    }

    // Of tiles alike the fillings come in the order of the list, and discards last: no division twice.
    struct Order {
        int place = -1;
        const Filling *first = nullptr;
        bool is_discarding = false;
    };

    bool descend(std::uint32_t index, const Target &target, Order order) {
        const auto &rest = rests_[index];
        if (rest.count == 0) {
            return end_with_wangs(target, fillings_.by_lowest[WANG].data());
        }
        const bool is_same = rest.lowest == order.place;
        return rests_.any_step(
            rest,
            [&](std::uint32_t to, const Filling *best) {
                return !(is_same && order.is_discarding) &&
                       take_one(to, best, target, {rest.lowest, is_same ? order.first : nullptr, false});
            },
            [&](std::uint32_t to) {
                return is_open(to, target) && descend(to, target, {rest.lowest, nullptr, true});
            });
    }

    // One of those alike, from the first in order on.
    bool take_one(std::uint32_t to, const Filling *best, const Target &target, const Order &from) {
        for (const Filling *filling = best; filling->is_like(*best); ++filling) {
            if (filling >= from.first && take(*filling, target, [&](const Target &after) {
                    return is_open(to, after) && descend(to, after, {from.place, filling, false});
                })) {
                return true;
            }
        }
        return false;
    }

    bool end_with_wangs(const Target &target, const Filling *first) {
        if (target.need.wangs == 0) {
            return target.need.groups == 0 && target.need.outside == 0 && target.need.flags == 0 &&
                   target.xi <= 0 && end(target);
        }
        for (const Filling *filling = first; filling->wangs <= target.need.wangs; ++filling) {
            if (take(*filling, target, [&](const Target &after) { return end_with_wangs(after, filling); })) {
                return true;
            }
        }
        return false;
    }

    bool end(const Target &target) {
        if (!target.is_half_pair) {
            return visit();
        }
        Ranked left = hand_.free & ~hand_.kept;
        for (int i = 0; i < path_.size; ++i) {
            left -= path_.fillings[static_cast<std::size_t>(i)]->own & ~hand_.kept;
        }
        bool is_done = false;
        for (; left != 0 && !is_done; left &= ~(COUNT_MASK * one_of(lowest_place(left)))) {
            path_.pair_face = ranked_face(lowest_place(left));
            is_done = unseen_[static_cast<std::size_t>(path_.pair_face)] > 0 && visit();
        }
        path_.pair_face = NO_WIN_TILE;
        return is_done;
    }

    bool visit() {
        has_visited_ = true;
        return visit_(hand_, path_);
    }

    // Calls go_on(target) with what remains after the filling, if it can be.
    template <class GoOn>
    bool take(const Filling &filling, const Target &target, GoOn go_on) {
        Target after = target;
        after.need.wangs -= filling.wangs;
        after.need.outside -= filling.outside;
        after.need.groups -= !filling.is_pair;
        after.xi -= filling.xi;
        std::int8_t &unseen = unseen_[filling.face];
        const bool has_room = after.need.wangs >= 0 && after.need.outside >= 0 && after.need.groups >= 0;
        if (!has_room || unseen < filling.outside) {
            return false;
        }
        const int flag = filling.is_pair                                 ? HAS_PAIR
                         : filling.is_quad && outlook_.flag_count() == 4 ? HAS_QUAD
                                                                         : 0;
        if ((target.need.flags & flag) != flag) {
            return false;
        }
        path_.fillings[static_cast<std::size_t>(path_.size++)] = &filling;
        unseen = static_cast<std::int8_t>(unseen - filling.outside);
        after.need.flags &= ~flag;
        bool is_done = go_on(after);
        if (!is_done && flag == HAS_QUAD) { // another one may follow
            after.need.flags |= HAS_QUAD;
            is_done = go_on(after);
        }
        unseen = static_cast<std::int8_t>(unseen + filling.outside);
        path_.size -= 1;
        return is_done;
    }

    const AnyRests &rests_;
    const Outlook<Cell> &outlook_;
    const Unfinished &hand_;
    const Fillings &fillings_;
    int min_xi_;
    Visit &visit_;
    std::array<std::int8_t, FACE_COUNT> unseen_;
    GrowthXi growth_xi_;
    bool has_visited_ = false;
    Path path_;
};

} // namespace paohuzi
