#include "tree.hpp"

#include "engine.hpp"
#include "observe.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace paohuzi {

namespace {

constexpr std::size_t NODES_MAX = 1 << 16; // then the tree grows no more
constexpr std::size_t LINE_MAX = 12;
constexpr double EXPLORATION = 0.7; // in spreads of what hands pay
constexpr double WIDENING = 4;      // visits of a node for a second action, four times that for a third

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9FB21C651E98DF25;
    return hash ^ hash >> 32;
}

constexpr std::uint64_t bits_of(Appearance appearance, bool is_hidden) {
    const auto face = is_hidden ? static_cast<unsigned>(HIDDEN_FACE) : appearance.face;
    return face | appearance.seat << 5 | appearance.is_discard << 7 | appearance.fate << 8 |
           appearance.taker << 12;
}

constexpr bool is_wei_code(int code) { return code >= WEI_CODE && code < CHOUWEI_CODE; }

} // namespace

// All that the seat has seen, and who is asked what: not what others were asked before.
Tree::Key Tree::key_of(const Game &game) const {
    std::uint64_t hash = mixed(static_cast<std::uint64_t>(game.question), game.asked);
    for (std::size_t i = 0; i < game.appearance_count; ++i) {
        const Appearance appearance = game.appearances[i];
        hash = mixed(hash, bits_of(appearance, appearance.seat != seat_ && fate_of(appearance) == Fate::wei));
    }
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        std::uint64_t codes = 0;
        for (const std::uint8_t code : game.player(seat).exposed) {
            codes = codes << 8 | (seat != seat_ && is_wei_code(code) ? HIDDEN_GROUP : code);
        }
        hash = mixed(hash, codes);
    }
    return hash;
}

std::uint32_t Tree::edge_of(Node &node, int seat, const Action &action) {
    for (std::uint32_t number = node.first_edge; number != 0; number = edge(number).next) {
        if (edge(number).step.action == action) {
            return number;
        }
    }
    Edge added;
    added.step = {static_cast<std::uint8_t>(seat), action};
    added.next = node.first_edge;
    edges_.push_back(added);
    node.first_edge = static_cast<std::uint32_t>(edges_.size());
    return node.first_edge;
}

double Tree::urgency(const Edge &edge, double spread) const {
    if (edge.visits == 0) {
        return HUGE_VAL;
    }
    const double visits = edge.visits;
    return static_cast<double>(edge.sum) / visits + spread * std::sqrt(std::log(edge.available) / visits);
}

// Among the actions that the policy likes best, the more the oftener the node is met.
std::uint32_t Tree::choose(const Game &game, Node &node) {
    std::array<Action, ACTIONS_MAX> actions;
    std::array<int, ACTIONS_MAX> values;
    std::array<std::uint8_t, ACTIONS_MAX> order;
    const std::size_t size = policy_.rank(game, actions.data(), values.data());
    const auto width = std::min(size, 1 + static_cast<std::size_t>(std::sqrt(node.visits / WIDENING)));
    std::iota(order.begin(), order.begin() + size, std::uint8_t{0});
    std::partial_sort(order.begin(), order.begin() + width, order.begin() + size, [&](int one, int other) {
        const auto i = static_cast<std::size_t>(one);
        const auto j = static_cast<std::size_t>(other);
        return values[i] != values[j] ? values[i] > values[j] : i < j;
    });
    ++node.visits;
    const double spread = EXPLORATION * std::sqrt(squares_ / std::max(plays_, 1.0));
    std::uint32_t best = 0;
    double most = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const std::uint32_t number = edge_of(node, game.asked, actions[order[i]]);
        ++edge(number).available;
        const double value = urgency(edge(number), spread);
        if (best == 0 || value > most) {
            best = number;
            most = value;
        }
    }
    return best;
}

void Tree::vote(std::uint32_t number, Key child) {
    Edge &parent = edge(number);
    if (parent.votes == 0) {
        parent.child = child;
    }
    parent.votes += parent.child == child ? 1 : -1;
}

void Tree::descend(Game &game, Random &random) {
    while (!game.is_over()) {
        const Key key = key_of(game);
        vote(path_.back(), key);
        auto place = nodes_.find(key);
        if (place == nodes_.end()) {
            if (nodes_.size() < NODES_MAX) {
                nodes_.emplace(key, Node{});
            }
            policy_.play_out(game, random);
            return;
        }
        const std::uint32_t number = choose(game, place->second);
        path_.push_back(number);
        apply(game, edge(number).step.action);
    }
}

void Tree::keep(const Payments &payments) {
    for (const std::uint32_t number : path_) {
        Edge &passed = edge(number);
        ++passed.visits;
        passed.sum += payments[passed.step.seat];
    }
    for (const std::int64_t payment : payments) {
        squares_ += static_cast<double>(payment) * static_cast<double>(payment) / PLAYER_COUNT;
    }
    ++plays_;
}

Payments Tree::play(Game &game, const Action &action, Random &random) {
    path_.assign(1, edge_of(root_, seat_, action));
    apply(game, action);
    descend(game, random);
    const Payments payments = result_of(game).payments;
    keep(payments);
    return payments;
}

std::vector<Step> Tree::line(const Action &action) const {
    std::vector<Step> steps;
    std::uint32_t number = root_.first_edge;
    while (number != 0 && edge(number).step.action != action) {
        number = edge(number).next;
    }
    while (number != 0 && steps.size() < LINE_MAX) {
        const auto node = nodes_.find(edge(number).child);
        std::uint32_t best = 0;
        for (auto next = node == nodes_.end() ? 0 : node->second.first_edge; next != 0;
             next = edge(next).next) {
            best = edge(next).visits > (best == 0 ? 0 : edge(best).visits) ? next : best;
        }
        if (best != 0) {
            steps.push_back(edge(best).step);
        }
        number = best;
    }
    return steps;
}

} // namespace paohuzi
