#include "policy.hpp"

#include "engine.hpp"
#include "facts.hpp"
#include "pack.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr Action PASS{ActionKind::pass, 0, {}};

constexpr Packed RED_TILES = [] {
    Packed tiles = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        tiles += is_red(face) ? COUNT_MASK * one_of(face) : 0;
    }
    return tiles;
}();

bool do_reds_pay(const Scoring &scoring) {
    const auto *end = scoring.fans.begin() + scoring.fan_count;
    return scoring.combine != Combine::none &&
           std::any_of(scoring.fans.begin(), end, [](const Fan &fan) { return fan.fact == Fact::red; });
}

template <class Visit>
void for_each_face(Packed free, Visit visit) {
    for (Packed faces = (free | free >> 1) & ONES; faces != 0; faces &= faces - 1) {
        visit(__builtin_ctzll(faces) / COUNT_BITS);
    }
}

// The tiles that lie open before a player, hidden wei left out as they are unknown to others.
Packed open_tiles(const Game &game) {
    Packed tiles = 0;
    for (const Player &player : game.players) {
        for (std::size_t i = 0; i < player.exposed_count; ++i) {
            const int code = player.exposed[i];
            const bool is_hidden = code >= WEI_CODE && code < CHOUWEI_CODE;
            tiles += is_hidden ? 0 : GROUP_TILES[static_cast<std::size_t>(code)];
        }
    }
    for (std::size_t i = 0; i < game.appearance_count; ++i) {
        const Appearance appearance = game.appearances[i];
        tiles += fate_of(appearance) == Fate::lies ? one_of(appearance.face) : 0;
    }
    return tiles;
}

int red_count(const Player &player) {
    const Packed reds = player.hand & RED_TILES;
    int count = __builtin_popcountll(reds & ONES) + 2 * __builtin_popcountll(reds & TWOS);
    for (std::size_t i = 0; i < player.exposed_count; ++i) {
        count += LOOKS[player.exposed[i]].red;
    }
    return count;
}

} // namespace

Policy::Policy(const Rules &rules, const PolicyWeights &weights)
    : weights_(weights), min_xi_(rules.options.min_xi), reds_pay_(do_reds_pay(rules.scoring)) {
    for (int code = 1; code < CODE_COUNT; ++code) {
        xi_[static_cast<std::size_t>(code)] = static_cast<std::int8_t>(xi_of(rules.options.xi, code));
    }
    for (std::size_t need = 0; need < values_.size(); ++need) {
        values_[need] = HandValues(rules.options.xi, weights, weights.xi[need]);
    }
}

const HandValues &Policy::values_for(const Player &player) const {
    int missing = min_xi_;
    for (std::size_t i = 0; i < player.exposed_count; ++i) {
        missing -= xi_[player.exposed[i]];
    }
    for_each_face(player.hand & player.hand >> 1 & ONES & TILE_BITS,
                  [&](int kan) { missing -= xi_[static_cast<std::size_t>(KAN_CODE + kan)]; });
    return values_[missing <= 0 ? 0 : missing < weights_.much_xi ? 1 : 2];
}

// With few reds they go first, with many they stay.
int Policy::worth_of_red(const Player &player) const {
    if (!reds_pay_) {
        return 0;
    }
    const int reds = red_count(player);
    return reds >= weights_.many_red ? weights_.red : reds <= weights_.few_red ? -weights_.red : 0;
}

template <class Visit> void Policy::for_each_discard(const Game &game, Visit visit) const {
    const Player &player = game.player(game.asked);
    const Packed free = free_tiles(player.hand);
    const Packed open = open_tiles(game);
    const Parting parting = parting_of(values_for(player), free);
    const int red = worth_of_red(player);
    for_each_face(free, [&](int face) {
        const int kept = parting.without(face) - (is_red(face) ? red : 0);
        visit(Action{ActionKind::discard, static_cast<std::uint8_t>(face), {}},
              kept + weights_.seen * count_of(open, face));
    });
}

int Policy::after_taking(const HandValues &values, Packed free, bool has_skip) const {
    const Parting parting = parting_of(values, free);
    if (has_skip) {
        return parting.value();
    }
    int most = 0;
    for_each_face(free, [&](int face) { most = std::max(most, parting.without(face)); });
    return most;
}

template <class Visit> void Policy::for_each_peng(const Game &game, Visit visit) const {
    const Player &player = game.player(game.asked);
    const HandValues &values = values_for(player);
    const Packed free = free_tiles(player.hand);
    const int face = game.pending.face;
    const int rest = after_taking(values, free - 2 * one_of(face), player.has_skip);
    visit(Action{ActionKind::peng, 0, {}}, values.group(PENG_CODE + face) + rest);
    visit(PASS, parting_of(values, free).value() + weights_.claim_peng);
}

template <class Visit> void Policy::for_each_chi(const Game &game, Visit visit) const {
    const Player &player = game.player(game.asked);
    const HandValues &values = values_for(player);
    paohuzi::for_each_chi(player.hand, game.pending.face, [&](const Chi &chi, Packed rest) {
        if (rest == 0 && !player.has_skip) {
            return false;
        }
        int value = values.group(chi.code) + after_taking(values, rest, player.has_skip);
        for (const int code : chi.bi) {
            value += code == 0 ? 0 : values.group(code);
        }
        visit(Action{ActionKind::chi, 0, chi}, value);
        return false;
    });
    visit(PASS, parting_of(values, free_tiles(player.hand)).value() + weights_.claim_chi);
}

template <class Visit> void Policy::for_each_action(const Game &game, Visit visit) const {
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
    });
    return best;
}

void Policy::play_out(Game &game, Random &random) const noexcept {
    while (!game.is_over()) {
        apply(game, choose(game, random));
    }
}

} // namespace paohuzi
