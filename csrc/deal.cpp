#include "deal.hpp"

#include <utility>

namespace paohuzi {

namespace {

using Deck = std::array<std::uint8_t, TILE_COUNT + WANG_MAX>;

Deck shuffled_deck(int size, std::uint64_t seed) {
    Deck deck{};
    for (int place = 0; place < size; ++place) {
        deck[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(place / COPY_COUNT);
    }
    Random random(seed);
    for (int place = size - 1; place > 0; --place) {
        const std::size_t other = random.below(static_cast<std::uint64_t>(place) + 1);
        std::swap(deck[static_cast<std::size_t>(place)], deck[other]);
    }
    return deck;
}

} // namespace

Deal make_deal(int wang, std::uint64_t seed) noexcept {
    const Deck deck = shuffled_deck(TILE_COUNT + wang, seed);
    const std::uint8_t *tile = deck.data();
    Deal deal;
    for (std::size_t seat = 0; seat < PLAYER_COUNT; ++seat) {
        for (int i = 0; i < DEALT_COUNT; ++i) {
            deal.hands[seat] += one_of(*tile++);
        }
        if (seat == 0) {
            deal.shown = *tile++;
        }
    }
    deal.wall_count = static_cast<std::uint8_t>(wall_count(wang));
    for (std::size_t i = 0; i < deal.wall_count; ++i) {
        deal.wall[i] = *tile++;
    }
    return deal;
}

int first_dealer(int seats, std::uint64_t seed) noexcept {
    return static_cast<int>(Random(~seed).below(static_cast<std::uint64_t>(seats)));
}

std::uint64_t hand_seed(std::uint64_t match_seed, std::uint64_t number) noexcept {
    return Random(match_seed + number * Random::STEP).next();
}

} // namespace paohuzi
