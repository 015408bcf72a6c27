#include "legal.hpp"

#include "pack.hpp"

#include <algorithm>
#include <array>

namespace paohuzi {

namespace {

constexpr Action PASS{ActionKind::pass, 0, {}};

std::size_t discards(Packed hand, Action *out) {
    std::size_t size = 0;
    const Packed free = free_tiles(hand);
    for (Packed faces = (free | free >> 1) & ONES; faces != 0; faces &= faces - 1) {
        const auto face = static_cast<std::uint8_t>(__builtin_ctzll(faces) / COUNT_BITS);
        out[size++] = {ActionKind::discard, face, {}};
    }
    return size;
}

std::size_t chi_or_pass(const Game &game, Action *out) {
    const Player &player = game.player(game.asked);
    std::size_t size = 0;
    for_each_chi(player.hand, game.pending.face, [&](const Chi &chi, Packed rest) {
        if (rest != 0 || player.has_skip) {
            out[size++] = {ActionKind::chi, 0, chi};
        }
        return false;
    });
    out[size++] = PASS;
    return size;
}

} // namespace

std::size_t legal_actions(const Game &game, Action *out) noexcept {
    switch (game.question) {
    case Question::none:
        return 0;
    case Question::discard:
        return discards(game.player(game.asked).hand, out);
    case Question::chi:
        return chi_or_pass(game, out);
    default:
        out[0] = {game.question == Question::peng ? ActionKind::peng : ActionKind::hu, 0, {}};
        out[1] = PASS;
        return 2;
    }
}

bool is_legal(const Game &game, const Action &action) noexcept {
    std::array<Action, ACTIONS_MAX> actions;
    const std::size_t size = legal_actions(game, actions.data());
    return std::find(actions.data(), actions.data() + size, action) != actions.data() + size;
}

} // namespace paohuzi
