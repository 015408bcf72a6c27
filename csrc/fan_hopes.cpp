#include "fan_hopes.hpp"

#include "check.hpp"
#include "colours.hpp"
#include "pack.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr int UNIT = 1 << 12;   // of a worth while it is blurred
constexpr int TIMES_MAX = 1000; // more counts as so much

bool counts(const Scoring &scoring, Fact fact) {
    const auto *end = scoring.fans.begin() + scoring.fan_count;
    return scoring.combine != Combine::none &&
           std::any_of(scoring.fans.begin(), end, [=](const Fan &fan) { return fan.fact == fact; });
}

// How many times the base the fans of a fact pay, no others beside them.
int times(const Scoring &scoring, Fact fact, std::size_t count) {
    const bool is_product = scoring.combine == Combine::product;
    int times = is_product ? 1 : 0;
    for (std::size_t i = 0; i < scoring.fan_count; ++i) {
        const Fan &fan = scoring.fans[i];
        if (fan.fact == fact && fan.values[count] != 0) {
            times = is_product ? times * fan.values[count] : times + fan.values[count];
            times = std::min(times, TIMES_MAX);
        }
    }
    return std::max(times, 1);
}

using ByCount = std::array<int, COUNT_MAX + 1>;

// A tile that is free makes the count one more or one less, each once in eight.
ByCount blurred(const ByCount &sharp) {
    ByCount blurred{};
    for (std::size_t count = 0; count < sharp.size(); ++count) {
        const int less = sharp[count - (count > 0)];
        const int more = sharp[count + (count + 1 < sharp.size())];
        blurred[count] = (6 * sharp[count] + less + more) / 8;
    }
    return blurred;
}

} // namespace

FanHopes::FanHopes(const Scoring &scoring, Weights weights) {
    add(scoring, Fact::red, RED_TILES, weights.red);
    add(scoring, Fact::big, BIG_TILES, weights.big);
    add(scoring, Fact::small, TILE_BITS & ~BIG_TILES, weights.big);
}

void FanHopes::add(const Scoring &scoring, Fact fact, Packed tiles, int weight) {
    if (!counts(scoring, fact)) {
        return;
    }
    Counted counted{.tiles = tiles};
    for (std::size_t code = 1; code < CODE_COUNT; ++code) {
        counted.in_group[code] = static_cast<std::uint8_t>(tile_count(GROUP_TILES[code] & tiles));
    }
    ByCount hope{};
    for (std::size_t count = 0; count < hope.size(); ++count) {
        hope[count] = UNIT * weight * times(scoring, fact, count);
    }
    hope = blurred(blurred(hope)); // a win brings a tile, and a group may be given up
    for (ByCount &each : counted.hopes) {
        std::transform(hope.begin(), hope.end(), each.begin(), [](int worth) { return worth / UNIT; });
        hope = blurred(hope);
    }
    counted_.push_back(counted);
}

FanHopes::Counts FanHopes::counts_of(const Player &player) const {
    Counts counts{static_cast<std::size_t>(tile_count(free_tiles(player.hand))), {}};
    for (std::size_t i = 0; i < counted_.size(); ++i) {
        int &count = counts.counted[i];
        count = tile_count(player.hand & counted_[i].tiles);
        for (std::size_t group = 0; group < player.exposed_count; ++group) {
            count += counted_[i].in_group[player.exposed[group]];
        }
    }
    return counts;
}

int FanHopes::of(const Counts &counts) const {
    int worth = 0;
    for (std::size_t i = 0; i < counted_.size(); ++i) {
        worth +=
            counted_[i].hopes[counts.free][static_cast<std::size_t>(std::min(counts.counted[i], COUNT_MAX))];
    }
    return worth;
}

// Of a free tile.
int FanHopes::after_discard(const Counts &counts, int face) const {
    int worth = 0;
    for (std::size_t i = 0; i < counted_.size(); ++i) {
        const int count = counts.counted[i] - (count_of(counted_[i].tiles, face) & 1);
        worth += counted_[i].hopes[counts.free - 1][static_cast<std::size_t>(std::min(count, COUNT_MAX))];
    }
    return worth;
}

} // namespace paohuzi
