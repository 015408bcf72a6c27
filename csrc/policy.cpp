#include "policy.hpp"

#include "engine.hpp"
#include "facts.hpp"
#include "observe.hpp"
#include "pack.hpp"

#include <algorithm>
#include <numeric>

namespace paohuzi {

namespace {

constexpr int SHARE = 8;      // the finer weights are parts of one

constexpr Action PASS{ActionKind::pass, 0, {}};

int sum_of(const XiTable &table) {
    int sum = 0;
    for (const auto &sets : {table.peng, table.kan, table.pao, table.ti}) {
        sum = std::accumulate(sets.begin(), sets.end(), sum);
    }
    for (const auto &runs : {table.r123, table.r27a}) {
        sum = std::accumulate(runs.begin(), runs.end(), sum);
    }
    return sum;
}

// How many xi the winning tile brings at most: to a run, to a triplet, or to one that becomes a quad.
int xi_to_come(const XiTable &table) {
    int most = std::max(std::ranges::max(table.r123), std::ranges::max(table.r27a));
    for (std::size_t i = 0; i < table.kan.size(); ++i) {
        most = std::max({most, int{table.peng[i]}, int{table.kan[i]}, table.pao[i] - table.peng[i]});
    }
    return most;
}

// A xi is worth less where the table has many and where a win needs few.
int scaled(int weight, const Options &options) {
    constexpr int LEAST_XI = 10;
    const int usual = Options{}.min_xi;
    const int min_xi = std::clamp<int>(options.min_xi, LEAST_XI, usual);
    const int sum = std::max(sum_of(options.xi), sum_of(XiTable{}));
    return weight * min_xi * sum_of(XiTable{}) / (usual * sum);
}

template <class Visit>
void for_each_face(Packed free, Visit visit) {
    for (Packed faces = (free | free >> 1) & ONES; faces != 0; faces &= faces - 1) {
        visit(__builtin_ctzll(faces) / COUNT_BITS);
    }
}

// The tiles that the asked player sees.
Packed seen_tiles(const Game &game) {
    Packed tiles = game.player(game.asked).hand + game.lying;
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        const Player &player = game.player(seat);
        for (std::size_t i = 0; i < player.exposed_count; ++i) {
            const int code = player.exposed[i];
            const bool is_hidden =
                seat != game.asked && (code == HIDDEN_GROUP || (code >= WEI_CODE && code < CHOUWEI_CODE));
            tiles += is_hidden ? 0 : GROUP_TILES[static_cast<std::size_t>(code)];
        }
    }
    return tiles;
}

void lay(Player &player, int code) {
    player.exposed[player.exposed_count] = static_cast<std::uint8_t>(code);
    ++player.exposed_count;
}

// A face that with another makes a group of a third.
struct Missing {
    Packed others = 0; // any of these
    std::uint8_t face = 0;
};

constexpr auto MISSING = [] {
    std::array<std::array<Missing, 8>, FACE_COUNT> all{};
    for (int face = 0; face < FACE_COUNT; ++face) {
        std::size_t size = 0;
        for (int missing = 0; missing < FACE_COUNT; ++missing) {
            Packed others = 0;
            for (const ChiGroup &group : CHI_GROUPS[static_cast<std::size_t>(face)]) {
                others |= count_of(group.others, missing) > 0 ? group.others - one_of(missing) : 0;
            }
            if (others != 0) {
                all[static_cast<std::size_t>(face)][size++] = {others & ONES,
                                                               static_cast<std::uint8_t>(missing)};
            }
        }
    }
    return all;
}();

// How many tiles that are still out make a group with one of the face and one of the others.
int support(Packed others, Packed seen, int face) {
    int copies = count_of(others, face) == 1 ? COPY_COUNT - count_of(seen, face) : 0;
    const Packed held = others | others >> 1;
    for (const Missing &missing : MISSING[static_cast<std::size_t>(face)]) {
        copies += (held & missing.others) != 0 ? COPY_COUNT - count_of(seen, missing.face) : 0;
    }
    return copies;
}

} // namespace

Policy::Policy(const Rules &rules, const PolicyWeights &weights)
    : weights_(weights), readiness_(rules), hopes_(rules.scoring, {weights.hope_red, weights.hope_big}),
      min_xi_(rules.options.min_xi), xi_to_come_(xi_to_come(rules.options.xi)) {
    for (int code = 1; code < CODE_COUNT; ++code) {
        xi_[static_cast<std::size_t>(code)] = static_cast<std::int16_t>(xi_of(rules.options.xi, code));
    }
    values_ = HandValues(rules.options.xi, weights, scaled(weights.xi, rules.options));
    missing_xi_values_ = HandValues(rules.options.xi, weights, scaled(weights.missing_xi, rules.options));
    PolicyWeights xi;
    xi.whole = xi.pair = xi.jiao = xi.two_way = xi.one_way = xi.part_xi = xi.part_peng = 0;
    xi_values_ = HandValues(rules.options.xi, xi, 1);
}

Policy::Need Policy::need_of(const Player &player) const {
    Need need{GROUP_COUNT - player.exposed_count, min_xi_, player.quads > 0};
    for (std::size_t i = 0; i < player.exposed_count; ++i) {
        need.xi -= xi_[player.exposed[i]];
    }
    for (Packed kans = player.hand & player.hand >> 1 & ONES & TILE_BITS; kans != 0; kans &= kans - 1) {
        need.xi -= xi_[static_cast<std::size_t>(KAN_CODE + __builtin_ctzll(kans) / COUNT_BITS)];
        --need.groups;
    }
    return need;
}

// Whether free tiles may wait for a win, by how they divide: one group is missing of which a part is there,
// and the pair where there are quads.
bool Policy::may_wait(const Need &need, Packed free, PartSum sum) const {
    const int missing = need.groups - sum.wholes();
    if (missing > 1 + need.has_quad || sum.parts() < missing - (need.has_quad && missing == 1)) {
        return false;
    }
    return need.xi <= xi_to_come_ || parting_of(xi_values_, free).value() + xi_to_come_ >= need.xi;
}

// What a hand that waits is worth beside its tiles.
int Policy::waiting(const Player &player, Packed seen) const {
    const Readiness::Wins wins = readiness_.wins(player, seen);
    return wins.copies == 0
               ? 0
               : weights_.ready + weights_.ready_copy * std::min(wins.copies, weights_.copies_max) +
                     weights_.ready_payment * static_cast<int>(wins.payment);
}

template <class Visit>
void Policy::for_each_discard(const Game &game, Visit visit) const {
    const Player &player = game.player(game.asked);
    const Packed free = free_tiles(player.hand);
    const Packed seen = seen_tiles(game);
    const Need need = need_of(player);
    const Parting parting = parting_of(values_for(need), free);
    const FanHopes::Counts counts = hopes_.counts_of(player);
    int least = INT32_MIN;
    for_each_face(free, [&](int face) {
        const PartSum rest = parting.without(face);
        Player after = player;
        after.hand -= one_of(face);
        int value = rest.value() + hopes_.after_discard(counts, face);
        value += may_wait(need, free - one_of(face), rest) ? waiting(after, seen) : 0;
        value += weights_.seen * (count_of(seen, face) - count_of(player.hand, face));
        if (value >= least) { // what comes only lessens it
            value -= weights_.live * support(free - one_of(face), seen, face) / SHARE;
        }
        least = visit(Action{ActionKind::discard, static_cast<std::uint8_t>(face), {}}, value);
    });
}

// `after`: the asked player after an action, which changes nothing of what is seen.
int Policy::sum_up(const Game &game, const Player &after, PartSum sum) const {
    const bool may = may_wait(need_of(after), free_tiles(after.hand), sum);
    return sum.value() + hopes_.of(after) + (may ? waiting(after, seen_tiles(game)) : 0);
}

int Policy::after_taking(const Game &game, const HandValues &values, const Player &after) const {
    const Packed free = free_tiles(after.hand);
    const Parting parting = parting_of(values, free);
    if (after.has_skip) {
        return sum_up(game, after, parting.sum());
    }
    PartSum most;
    int gone = 0;
    for_each_face(free, [&](int face) {
        const PartSum rest = parting.without(face);
        gone = rest.packed >= most.packed ? face : gone;
        most.packed = std::max(most.packed, rest.packed);
    });
    Player at_last = after;
    at_last.hand -= one_of(gone);
    return sum_up(game, at_last, most);
}

int Policy::after_passing(const Game &game, const HandValues &values) const {
    const Player &player = game.player(game.asked);
    return sum_up(game, player, parting_of(values, free_tiles(player.hand)).sum());
}

template <class Visit>
void Policy::for_each_peng(const Game &game, Visit visit) const {
    const Player &player = game.player(game.asked);
    const HandValues &values = values_for(need_of(player));
    const int face = game.pending.face;
    Player after = player;
    after.hand -= 2 * one_of(face);
    lay(after, PENG_CODE + face);
    visit(Action{ActionKind::peng, 0, {}},
          values.group(PENG_CODE + face) + after_taking(game, values, after));
    visit(PASS, after_passing(game, values) + weights_.claim_peng);
}

template <class Visit>
void Policy::for_each_chi(const Game &game, Visit visit) const {
    const Player &player = game.player(game.asked);
    const HandValues &values = values_for(need_of(player));
    const Packed kans = player.hand - free_tiles(player.hand);
    paohuzi::for_each_chi(player.hand, game.pending.face, [&](const Chi &chi, Packed rest) {
        if (rest == 0 && !player.has_skip) {
            return false;
        }
        Player after = player;
        after.hand = kans + rest;
        int value = 0;
        for (const int code : {chi.code, chi.bi[0], chi.bi[1]}) {
            if (code != 0) {
                lay(after, code);
                value += values.group(code);
            }
        }
        visit(Action{ActionKind::chi, 0, chi}, value + after_taking(game, values, after));
        return false;
    });
    visit(PASS, after_passing(game, values) + weights_.claim_chi);
}

template <class Visit>
void Policy::for_each_action(const Game &game, Visit visit) const {
    switch (game.question) {
    case Question::discard:
        return for_each_discard(game, visit);
    case Question::peng:
        return for_each_peng(game, visit);
    case Question::chi:
        return for_each_chi(game, visit);
    default:
        visit(Action{ActionKind::hu, 0, {}}, 1);
        visit(PASS, 0);
    }
}

std::size_t Policy::rank(const Game &game, Action *actions, int *values) const noexcept {
    std::size_t size = 0;
    for_each_action(game, [&](const Action &action, int value) {
        actions[size] = action;
        values[size++] = value;
        return INT32_MIN;
    });
    return size;
}

Action Policy::choose(const Game &game, Random &random) const noexcept {
    constexpr int TIE_BITS = 3;
    std::uint64_t ties = game.question == Question::discard ? random.next() : 0;
    Action best = PASS;
    int most = INT32_MIN;
    for_each_action(game, [&](const Action &action, int value) {
        const int with_tie = (value << TIE_BITS) + static_cast<int>(ties & ((1 << TIE_BITS) - 1));
        ties >>= TIE_BITS; // enough for all faces
        if (with_tie >= most) { // passing comes last and wins ties
            most = with_tie;
            best = action;
        }
        return most >> TIE_BITS;
    });
    return best;
}

void Policy::play_out(Game &game, Random &random) const noexcept {
    while (!game.is_over()) {
        apply(game, choose(game, random));
    }
}

} // namespace paohuzi
