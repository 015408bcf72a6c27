#include "search.hpp"

#include "engine.hpp"
#include "wins.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <thread>

namespace paohuzi {

namespace {

using Clock = std::chrono::steady_clock;

// What the policy's opinion of an action weighs, in rollouts, and the spread of payments that an action worth
// one unit less to it loses; one worth four units less loses twice that (docs/search.md).
constexpr double OPINION_ROLLOUTS = 50;
constexpr double OPINION_SPREAD = 0.018;

struct Sum { // of payments
    std::int64_t sum = 0;
    double squares = 0;
    std::uint64_t count = 0;

    void add(std::int64_t payment) {
        sum += payment;
        squares += static_cast<double>(payment) * static_cast<double>(payment);
        ++count;
    }
    void add(const Sum &other) {
        sum += other.sum;
        squares += other.squares;
        count += other.count;
    }
    double mean() const { return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count); }
    double variance() const {
        return count < 2 ? 0 : std::max(0.0, squares / static_cast<double>(count) - mean() * mean());
    }
    double error() const { // unknown of one
        return count < 2 ? std::numeric_limits<double>::infinity()
                         : std::sqrt(variance() / static_cast<double>(count - 1));
    }
};

struct Candidate {
    Action action{};
    int opinion = 0; // of the policy, 0 for its best
    Sum payments;
};

struct Round { // every candidate left plays on from the same samples
    std::uint64_t end = std::numeric_limits<std::uint64_t>::max(); // of the samples
    Clock::time_point deadline = Clock::time_point::max();
};

constexpr std::chrono::milliseconds ASKS_EVERY{50};

struct Stream { // each so many-th sample, with a tree of its own
    std::uint64_t next; // sample
    Tree tree;
    std::vector<Sum> sums; // of the round, by candidate
};

class Search {
public:
    Search(const Scorer &scorer, const Policy &policy, const Observation &view, const SearchPlan &plan)
        : policy_(policy), plan_(plan), seat_(view.seat), belief_(scorer, policy, view),
          start_(Clock::now()) {}

    Analysis run() {
        Game game;
        Random random = random_of(0);
        if (!belief_.sample(random, game)) {
            return {};
        }
        list_candidates(game);
        if (candidates_.empty()) { // no view of a real game
            return {};
        }
        for (int number = 0; number < STREAM_COUNT; ++number) {
            streams_.push_back({static_cast<std::uint64_t>(number), Tree(policy_, seat_),
                                std::vector<Sum>(candidates_.size())});
        }
        const int rounds = round_count();
        for (int number = 0; number < rounds; ++number) {
            play(round_of(number, rounds));
            rank();
            alive_ = fewer(alive_);
            if (stops_) {
                break;
            }
        }
        return analysis();
    }

private:
    bool has_tree() const { return plan_.method == Method::ismcts; }

    Random random_of(std::uint64_t sample) const {
        return Random(Random(plan_.seed + (sample + 1) * Random::STEP).next());
    }

    void list_candidates(const Game &game) {
        std::array<Action, ACTIONS_MAX> actions;
        std::array<int, ACTIONS_MAX> opinions;
        const std::size_t size = policy_.rank(game, actions.data(), opinions.data());
        const int most = size == 0 ? 0 : *std::max_element(opinions.begin(), opinions.begin() + size);
        for (std::size_t i = 0; i < size; ++i) {
            candidates_.push_back({actions[i], opinions[i] - most, {}});
        }
        alive_ = size;
    }

    // A tree search drops a third of the candidates after each round until two are left.
    static std::size_t fewer(std::size_t candidates) {
        return std::max<std::size_t>(2, candidates - (candidates + 2) / 3);
    }
    int round_count() const {
        int rounds = 1;
        for (std::size_t left = candidates_.size(); has_tree() && left > 2; left = fewer(left)) {
            ++rounds;
        }
        return rounds;
    }

    Round round_of(int number, int rounds) {
        Round round;
        if (plan_.rollouts != 0) {
            const std::uint64_t left = plan_.rollouts - std::min(plan_.rollouts, all_.count);
            const auto share = left / static_cast<std::uint64_t>(rounds - number);
            samples_ += std::max<std::uint64_t>(1, share / alive_);
            round.end = samples_;
        }
        if (plan_.seconds > 0) {
            const std::chrono::duration<double> part(plan_.seconds * (number + 1) / rounds);
            round.deadline = start_ + std::chrono::duration_cast<Clock::duration>(part);
        }
        return round;
    }

    void play(const Round &round) {
        const int threads = std::clamp(plan_.threads, 1, STREAM_COUNT);
        std::array<std::exception_ptr, STREAM_COUNT> faults{};
        const auto play_part = [&](int thread) {
            try {
                play_streams(round, thread, threads);
            } catch (...) {
                faults[static_cast<std::size_t>(thread)] = std::current_exception();
            }
        };
        {
            std::vector<std::jthread> others; // joined at the end of the block
            for (int thread = 1; thread < threads; ++thread) {
                others.emplace_back(play_part, thread);
            }
            play_part(0);
        }
        for (const std::exception_ptr &fault : faults) {
            if (fault) {
                std::rethrow_exception(fault);
            }
        }
        gather();
    }

    // Every so many streams from the first on, a sample of each in turn.
    void play_streams(const Round &round, int first, int step) {
        bool is_open = true;
        while (is_open) {
            is_open = false;
            for (int number = first; number < STREAM_COUNT; number += step) {
                Stream &stream = streams_[static_cast<std::size_t>(number)];
                if (stream.next < round.end) {
                    play_sample(stream);
                    is_open = true;
                }
                const Clock::time_point now = Clock::now();
                if (first == 0 && plan_.is_stopped != nullptr && now >= asks_at_) {
                    asks_at_ = now + ASKS_EVERY;
                    stops_ = plan_.is_stopped();
                }
                if (now >= round.deadline || stops_) {
                    return;
                }
            }
        }
    }

    void play_sample(Stream &stream) {
        Random random = random_of(stream.next);
        Game start;
        belief_.sample(random, start);
        for (std::size_t i = 0; i < alive_; ++i) {
            Game game = start;
            Random same = random;
            stream.sums[i].add(pay(stream, game, candidates_[i].action, same));
        }
        stream.next += STREAM_COUNT;
    }

    std::int64_t pay(Stream &stream, Game &game, const Action &action, Random &random) const {
        const auto seat = static_cast<std::size_t>(seat_);
        if (has_tree()) {
            return stream.tree.play(game, action, random)[seat];
        }
        apply(game, action);
        policy_.play_out(game, random);
        return result_of(game).payments[seat];
    }

    // In the order of the streams, so that the sums are the same for any number of threads.
    void gather() {
        for (Stream &stream : streams_) {
            for (std::size_t i = 0; i < alive_; ++i) {
                candidates_[i].payments.add(stream.sums[i]);
                all_.add(stream.sums[i]);
                stream.sums[i] = {};
            }
        }
    }

    // The mean, drawn towards the policy's opinion while there are few rollouts.
    double judgement(const Candidate &candidate) const {
        if (!has_tree()) {
            return candidate.payments.mean();
        }
        const double opinion = -OPINION_SPREAD * std::sqrt(all_.variance() * -candidate.opinion);
        const auto count = static_cast<double>(candidate.payments.count);
        return (candidate.payments.mean() * count + opinion * OPINION_ROLLOUTS) / (count + OPINION_ROLLOUTS);
    }

    void rank() {
        std::stable_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(alive_),
                         [this](const Candidate &one, const Candidate &other) {
                             return judgement(one) > judgement(other);
                         });
    }

    Analysis analysis() const {
        Analysis result;
        result.rollouts = all_.count;
        result.was_stopped = stops_;
        for (const Candidate &candidate : candidates_) {
            const Sum &payments = candidate.payments;
            result.values.push_back({candidate.action, payments.mean(), payments.error(), payments.count,
                                     streams_[0].tree.line(candidate.action)});
        }
        return result;
    }

    const Policy &policy_;
    const SearchPlan &plan_;
    Clock::time_point asks_at_{};
    std::atomic<bool> stops_ = false;
    int seat_;
    Belief belief_;
    Clock::time_point start_;
    std::vector<Candidate> candidates_; // those still in the race first
    std::size_t alive_ = 0;
    std::vector<Stream> streams_;
    std::uint64_t samples_ = 0; // to be played so far
    Sum all_;
};

} // namespace

Analysis search(const Scorer &scorer, const Policy &policy, const Observation &view, const SearchPlan &plan) {
    return Search(scorer, policy, view, plan).run();
}

} // namespace paohuzi
