// A tree over what a seat may see from a decision on (docs/search.md).
#pragma once

#include "policy.hpp"
#include "wins.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace paohuzi {

using Payments = std::array<std::int64_t, PLAYER_COUNT>; // by seat, at stake 1

struct Step {
    std::uint8_t seat = 0;
    Action action{};
};

class Tree {
public:
    Tree(const Policy &policy, int seat) : policy_(policy), seat_(seat) {}

    // Takes the action, plays on to the end, through the tree and then by the policy, and keeps what it paid.
    Payments play(Game &game, const Action &action, Random &random);

    // What was chosen most after an action at the root, again and again.
    std::vector<Step> line(const Action &action) const;

private:
    using Key = std::uint64_t;

    struct Edge {
        Step step;
        std::uint32_t next = 0; // of the same node, from 1 on; 0: none
        std::uint32_t visits = 0;
        std::uint32_t available = 0; // so often it might have been chosen
        std::int64_t sum = 0;        // paid to its seat
        Key child = 0;               // what most often came of it, by majority vote
        std::int32_t votes = 0;
    };
    struct Node {
        std::uint32_t first_edge = 0;
        std::uint32_t visits = 0;
    };

    Key key_of(const Game &game) const;
    Edge &edge(std::uint32_t number) { return edges_[number - 1]; }
    const Edge &edge(std::uint32_t number) const { return edges_[number - 1]; }
    std::uint32_t edge_of(Node &node, int seat, const Action &action);
    void descend(Game &game, Random &random);
    std::uint32_t choose(const Game &game, Node &node);
    double urgency(const Edge &edge, double spread) const;
    void vote(std::uint32_t number, Key child);
    void keep(const Payments &payments);

    const Policy &policy_;
    int seat_;
    Node root_;
    std::unordered_map<Key, Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> path_; // edges of the play going on
    double squares_ = 0;              // of all payments
    double plays_ = 0;
};

} // namespace paohuzi
