#include "melds.hpp"

#include "tables.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

bool is_canonical(const Group &group, int mask) { // among equal faces the last ones are wangs
    for (std::size_t i = 0; i + 1 < group.size; ++i) {
        if (group.faces[i] == group.faces[i + 1] && (mask >> i & 1) != 0 && (mask >> (i + 1) & 1) == 0) {
            return false;
        }
    }
    return true;
}

Meld make_meld(int code, int mask) {
    const Group &group = GROUPS[static_cast<std::size_t>(code)];
    Meld meld;
    meld.code = static_cast<std::uint8_t>(code);
    meld.wang_mask = static_cast<std::uint8_t>(mask);
    meld.is_pair = group.kind == Kind::pair;
    meld.is_quad = group.kind == Kind::pao || group.kind == Kind::ti;
    meld.xi = WORTHS[static_cast<std::size_t>(code)].xi;
    for (std::size_t i = 0; i < group.size; ++i) {
        const int face = group.faces[i];
        if ((mask >> i & 1) != 0) {
            ++meld.wangs;
        } else {
            ++meld.own_count;
            meld.need += one_of(face);
            (is_left(face) ? meld.left : meld.right) += PLACE_WEIGHT[static_cast<std::size_t>(face)];
            meld.lowest = static_cast<std::int8_t>(std::min<int>(meld.lowest, face));
        }
    }
    if (group.kind == Kind::kan || group.kind == Kind::ti) {
        meld.use = meld.own_count == 3 ? Use::kan : Use::own;
    } else if (group.kind == Kind::peng || group.kind == Kind::pao) {
        meld.use = Use::foreign;
    }
    return meld;
}

// A concealed hand forms neither wei nor chouwei of its own, and natural quads stand apart.
bool is_meld(const Group &group, int mask) {
    const bool is_quad = group.kind == Kind::pao || group.kind == Kind::ti;
    return group.kind != Kind::wei && group.kind != Kind::chouwei && !(is_quad && mask == 0) &&
           is_canonical(group, mask);
}

MeldLists make_melds(bool with_wangs) {
    MeldLists lists(WANG + 1);
    for (int code = 1; code < CODE_COUNT; ++code) {
        const Group &group = GROUPS[static_cast<std::size_t>(code)];
        for (int mask = 0; mask < (with_wangs ? 1 << group.size : 1); ++mask) {
            if (is_meld(group, mask)) {
                const Meld meld = make_meld(code, mask);
                lists[static_cast<std::size_t>(meld.lowest)].push_back(meld);
            }
        }
    }
    return lists;
}

MeldLists make_melds_with() {
    MeldLists lists(FACE_COUNT);
    for (const auto &list : MELDS) {
        for (const Meld &meld : list) {
            const bool may_hold = meld.use == Use::any || meld.use == Use::foreign;
            for (int face = 0; face < FACE_COUNT && may_hold; ++face) {
                if (count_of(meld.need, face) > 0) {
                    lists[static_cast<std::size_t>(face)].push_back(meld);
                }
            }
        }
    }
    return lists;
}

} // namespace

const MeldLists MELDS = make_melds(true);
const MeldLists PLAIN_MELDS = make_melds(false);
const MeldLists MELDS_WITH = make_melds_with();

const std::array<ChiWith, FACE_COUNT> CHI_WITH = [] {
    std::array<ChiWith, FACE_COUNT> chi{};
    for (int face = 0; face < FACE_COUNT; ++face) {
        for (int code = RUN_CODE; code < PAIR_CODE; ++code) {
            Meld meld = make_meld(code, 0);
            if (count_of(meld.need, face) > 0) {
                meld.need -= one_of(face);
                (is_left(face) ? meld.left : meld.right) -= PLACE_WEIGHT[static_cast<std::size_t>(face)];
                ChiWith &list = chi[static_cast<std::size_t>(face)];
                list.others[list.size++] = meld;
            }
        }
    }
    return chi;
}();

} // namespace paohuzi
