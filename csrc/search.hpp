// What each action of a decision is worth, by playing hands on from it (docs/search.md).
#pragma once

#include "belief.hpp"
#include "tree.hpp"

#include <cstdint>
#include <vector>

namespace paohuzi {

enum class Method : std::uint8_t { flat, ismcts };

struct SearchPlan {
    Method method = Method::ismcts;
    std::uint64_t rollouts = 0; // 0: no limit
    double seconds = 0;         // 0: no limit
    std::uint64_t seed = 0;
    int threads = 1;
    bool (*is_stopped)() = nullptr; // asked now and then by the calling thread
};

struct ActionValue {
    Action action{};
    double mean = 0;  // payment to the seat at stake 1
    double error = 0; // standard error of it
    std::uint64_t visits = 0;
    std::vector<Step> line; // the decisions after it that were chosen most, as far as the tree goes
};

struct Analysis {
    std::vector<ActionValue> values; // best first; none when no tiles fit the view
    std::uint64_t rollouts = 0;
    bool was_stopped = false;
};

// Independent parts of a search, whatever the number of threads.
inline constexpr int STREAM_COUNT = 8;

// For the seat of a view that is asked. With a limit of rollouts only, the same for a seed every time.
Analysis search(const Scorer &scorer, const Policy &policy, const Observation &view, const SearchPlan &plan);

} // namespace paohuzi
