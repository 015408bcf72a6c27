#include "thumb_rule.hpp"

#include "legal.hpp"
#include "pack.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

// What a face is worth by what is held beside it. A group taken in is worth more than two tiles of it, but
// less than one that is whole in hand; a group with xi as much more.
constexpr int PAIR_WORTH = 5, WHOLE_WORTH = 8, PART_WORTH = 1, XI_WORTH = 2, TAKEN_WORTH = 16;

constexpr bool has_xi(int code) {
    return code == RUN_CODE || code == RUN_CODE + 8 || (code >= R27A_CODE && code < JIAO_SMALL_CODE);
}

constexpr Packed every_copy(Packed tiles) { return ((tiles | tiles >> 1) & ONES) * COUNT_MASK; }

template <class Visit>
void for_each_face(Packed free, Visit visit) {
    for (Packed faces = (free | free >> 1) & ONES; faces != 0; faces &= faces - 1) {
        visit(__builtin_ctzll(faces) / COUNT_BITS);
    }
}

int worth_of(Packed free, int face) {
    const Packed others = free - one_of(face);
    int worth = count_of(others, face) > 0 ? PAIR_WORTH : 0;
    for (const ChiGroup &group : CHI_GROUPS[static_cast<std::size_t>(face)]) {
        if (holds(others, group.others)) {
            worth += WHOLE_WORTH + (has_xi(group.code) ? XI_WORTH : 0);
        } else if ((others & every_copy(group.others)) != 0) {
            worth += PART_WORTH + (has_xi(group.code) ? PART_WORTH : 0);
        }
    }
    return worth;
}

int worth_of_all(Packed free) {
    int worth = 0;
    for_each_face(free, [&](int face) { worth += worth_of(free, face); });
    return worth;
}

int worth_of_taken(int code) { return TAKEN_WORTH + (has_xi(code) ? 2 * XI_WORTH : 0); }

int worth_after(const Player &player, const Pending &pending, const Chi &chi) {
    Packed tiles = GROUP_TILES[chi.code] - one_of(pending.face);
    int worth = worth_of_taken(chi.code);
    for (const int code : chi.bi) {
        tiles += code == 0 ? 0 : GROUP_TILES[static_cast<std::size_t>(code)];
        worth += code == 0 ? 0 : worth_of_taken(code);
    }
    return worth + worth_of_all(free_tiles(player.hand) - tiles);
}

Action choose_chi(const Game &game) {
    const Player &player = game.player(game.asked);
    std::array<Action, ACTIONS_MAX> actions;
    const std::size_t pass = legal_actions(game, actions.data()) - 1; // the last one
    std::size_t best = pass;
    int most = worth_of_all(free_tiles(player.hand));
    for (std::size_t i = 0; i < pass; ++i) {
        const int worth = worth_after(player, game.pending, actions[i].chi);
        if (worth > most) {
            most = worth;
            best = i;
        }
    }
    return actions[best];
}

Action choose_discard(const Game &game, Random &random) {
    constexpr std::uint32_t TIES = 16; // worth is compared first, then a random number below this
    const Packed free = free_tiles(game.player(game.asked).hand);
    Action action{ActionKind::discard, 0, {}};
    std::uint32_t least = UINT32_MAX;
    for_each_face(free, [&](int face) {
        const std::uint32_t rank =
            static_cast<std::uint32_t>(worth_of(free, face)) * TIES + random.below(TIES);
        if (rank < least) {
            least = rank;
            action.face = static_cast<std::uint8_t>(face);
        }
    });
    return action;
}

} // namespace

Action choose_by_thumb(const Game &game, Random &random) noexcept {
    switch (game.question) {
    case Question::discard:
        return choose_discard(game, random);
    case Question::chi:
        return choose_chi(game);
    default: // hu or peng
        return {game.question == Question::peng ? ActionKind::peng : ActionKind::hu, 0, {}};
    }
}

} // namespace paohuzi
