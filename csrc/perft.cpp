#include "perft.hpp"

#include "engine.hpp"
#include "legal.hpp"

#include <array>

namespace paohuzi {

std::uint64_t perft(const Game &game, int depth) noexcept {
    if (depth == 0) {
        return 1;
    }
    std::array<Action, ACTIONS_MAX> actions;
    const std::size_t size = legal_actions(game, actions.data());
    if (depth == 1) {
        return size;
    }
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {
        Game next = game;
        apply(next, actions[i]);
        count += perft(next, depth - 1);
    }
    return count;
}

} // namespace paohuzi
