#include "heaven.hpp"

#include "colours.hpp"
#include "melds.hpp"
#include "state.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

// Every choice of groups from the rest; a tile may be left out.
class HeavenSearch {
public:
    HeavenSearch(const Query &query, const Rules &rules) : rules_(rules), facts_(start(query, rules)) {
        free_ = free_tiles(query.hand);
        wangs_ = count_of(query.hand, WANG);
        for (const int code : query.exposed) {
            settle(code);
        }
        for (int face = 0; face < FACE_COUNT; ++face) {
            const int count = count_of(query.hand, face);
            settle(count == COPY_COUNT ? TI_CODE + face : count == 3 ? KAN_CODE + face : 0);
        }
    }

    ScoredDivision best() {
        search(free_, wangs_);
        auto *end = best_.groups.begin() + best_.size;
        std::sort(best_.groups.begin(), end, [](WangGroup a, WangGroup b) { return lowest(a) < lowest(b); });
        return best_;
    }

private:
    static Facts start(const Query &query, const Rules &rules) {
        Context context;
        context.heaven = true;
        Facts facts = facts_of_win(query, rules.scoring, context);
        count_colours(visible_tiles(query), facts);
        return facts;
    }

    static int lowest(WangGroup group) {
        const Group &tiles = GROUPS[static_cast<std::size_t>(group & 255)];
        int lowest = WANG;
        for (std::size_t i = 0; i < tiles.size; ++i) {
            if ((group >> (8 + i) & 1) == 0) {
                lowest = std::min<int>(lowest, tiles.faces[i]);
            }
        }
        return lowest;
    }

    void settle(int code) {
        if (code != 0) {
            add(code, 0);
        }
    }

    void add(int code, int mask) {
        now_.groups[now_.size++] = wang_group(code, mask);
        xi_ += xi_of(rules_.options.xi, code);
        facts_.red_quads += LOOKS[static_cast<std::size_t>(code)].is_red_quad;
        paint(code, mask, 1);
    }
    void remove(int code, int mask) {
        --now_.size;
        xi_ -= xi_of(rules_.options.xi, code);
        facts_.red_quads -= LOOKS[static_cast<std::size_t>(code)].is_red_quad;
        paint(code, mask, -1);
    }
    void paint(int code, int mask, int sign) { // the wangs of a group as the tiles that they stand for
        for (; mask != 0; mask &= mask - 1) {
            const auto place = static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(mask)));
            const int face = GROUPS[static_cast<std::size_t>(code)].faces[place];
            facts_.red += sign * is_red(face);
            (is_big(face) ? facts_.big : facts_.small) += sign;
        }
    }

    bool may_use(const Meld &meld, Packed free, int wangs) const {
        const bool is_allowed =
            meld.use == Use::any || (meld.use == Use::own && (meld.is_quad ? rules_.options.wang_in_quad
                                                                           : rules_.options.wang_in_triplet));
        // A pair is worth nothing but the colour of its wang.
        const bool is_of_use = !meld.is_pair || meld.wangs > 0;
        return is_allowed && is_of_use && meld.wangs <= wangs && holds(free, meld.need) &&
               now_.size < SCORED_GROUPS_MAX;
    }

    void search(Packed free, int wangs) {
        if (free == 0) {
            const Reckoning found = reckon(rules_.scoring, facts_, xi_);
            const bool is_shorter = !found.is_less_than(best_.reckoning) && now_.size < best_.size;
            if (best_.reckoning.is_less_than(found) || is_shorter) {
                best_ = now_;
                best_.reckoning = found;
                best_.numbers = numbers_of(facts_);
            }
            return;
        }
        const int face = __builtin_ctzll(free) / COUNT_BITS;
        for (const Meld &meld : MELDS[static_cast<std::size_t>(face)]) {
            if (may_use(meld, free, wangs)) {
                add(meld.code, meld.wang_mask);
                search(free - meld.need, wangs - meld.wangs);
                remove(meld.code, meld.wang_mask);
            }
        }
        search(free - one_of(face), wangs);
    }

    const Rules &rules_;
    Facts facts_;
    Packed free_ = 0;
    int wangs_ = 0;
    int xi_ = 0;
    ScoredDivision now_;
    ScoredDivision best_;
};

} // namespace

ScoredDivision best_heaven(const Query &query, const Rules &rules) noexcept {
    return HeavenSearch(query, rules).best();
}

} // namespace paohuzi
