// What every table is made of: the two halves of a hand.
//
// Free tiles (no kan, no quad: at most two of a face) are cut into the half of ranks 1-5 and the half of
// ranks 6-10, both cases together. Only three kinds of group cross the cut: the runs 4-5-6 and 5-6-7 and the
// 2-7-10. So a division of the hand is a division of each half plus the numbers of those groups, small and
// big: the *state* at the cut. Definitions here; build_* are plain dynamic programs over them. Uses nothing
// of the library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tables {

inline constexpr int RANKS = 5;
inline constexpr int PLACES = 10; // places 0-4: small tiles of the half, 5-9: big ones
inline constexpr int PATTERN_COUNT = 59049;
inline constexpr std::array<int, RANKS> POWER{1, 9, 81, 729, 6561};

constexpr int weight(int place) {
    return (place < RANKS ? 1 : 3) * POWER[static_cast<std::size_t>(place % RANKS)];
}
constexpr int count_at(int pattern, int place) {
    const int digit = pattern / POWER[static_cast<std::size_t>(place % RANKS)] % 9;
    return place < RANKS ? digit % 3 : digit / 3;
}
constexpr int tiles_of(int pattern) {
    int tiles = 0;
    for (int place = 0; place < PLACES; ++place) {
        tiles += count_at(pattern, place);
    }
    return tiles;
}

// Seven groups hold at most 21 tiles beside their natural quads and kans; larger patterns cannot occur.
inline constexpr int FREE_TILES_MAX = 21;

// How often a pattern comes up in a random deal, up to a factor: decides only the order of classes.
inline std::uint64_t frequency(int pattern) {
    constexpr std::array<std::uint64_t, 3> by_count{17, 21, 11};
    std::uint64_t product = 1;
    for (int place = 0; place < PLACES; ++place) {
        product *= by_count[static_cast<std::size_t>(count_at(pattern, place))];
    }
    return product;
}

enum class Half { left, right }; // ranks 1-5, ranks 6-10

struct Member { // a group of three: the places that its own tiles take, and the wangs that fill the rest
    std::array<int, PLACES> need{};
    int wangs = 0;
    int xi = 0;
    int lowest = PLACES; // lowest place with an own tile; PLACES: wangs only
    int pattern = 0;     // what it takes from a pattern
};

// Adds every choice of which tiles are wangs; equal places give equal members, kept once.
inline void add_members(std::vector<Member> &members, const std::array<int, 3> &places, int xi,
                        int wangs_min) {
    std::vector<std::array<int, PLACES>> seen;
    for (int mask = 0; mask < 8; ++mask) {
        Member member;
        member.xi = xi;
        for (int i = 0; i < 3; ++i) {
            const int place = places[static_cast<std::size_t>(i)];
            if (mask >> i & 1) {
                ++member.wangs;
                continue;
            }
            ++member.need[static_cast<std::size_t>(place)];
            member.pattern += weight(place);
            member.lowest = std::min(member.lowest, place);
        }
        if (member.wangs >= wangs_min && std::find(seen.begin(), seen.end(), member.need) == seen.end()) {
            seen.push_back(member.need);
            members.push_back(member);
        }
    }
}

// All groups of three within a half. A triplet of free tiles holds a wang: three own tiles would be a kan.
inline std::vector<Member> build_members(Half half) {
    std::vector<Member> members;
    for (int big = 0; big < 2; ++big) {
        const int base = big * RANKS;
        for (int start = 0; start + 2 < RANKS; ++start) {
            const bool is_123 = half == Half::left && start == 0;
            add_members(members, {base + start, base + start + 1, base + start + 2},
                        is_123 ? (big ? 6 : 3) : 0, 0);
        }
        for (int rank = 0; rank < RANKS; ++rank) {
            const int one = base + rank;
            add_members(members, {one, one, RANKS - base + rank}, 0, 0);
            add_members(members, {one, one, one}, big ? 6 : 3, 1);
        }
    }
    return members;
}

inline bool holds(int pattern, const Member &member) {
    for (int place = 0; place < PLACES; ++place) {
        if (count_at(pattern, place) < member.need[static_cast<std::size_t>(place)]) {
            return false;
        }
    }
    return true;
}

inline constexpr int WANGS = 5; // 0-4
inline constexpr int NONE = -1;

// Best xi by the number of wangs used (all of them) and pattern: the lowest own tile must be in some group.
inline std::array<std::vector<std::int8_t>, WANGS> build_inside(Half half) {
    std::array<std::vector<Member>, PLACES + 1> by_lowest;
    for (const Member &member : build_members(half)) {
        by_lowest[static_cast<std::size_t>(member.lowest)].push_back(member);
    }
    std::array<std::vector<std::int8_t>, WANGS> inside;
    inside.fill(std::vector<std::int8_t>(PATTERN_COUNT, NONE));
    inside[0][0] = 0;
    for (int pattern = 0; pattern < PATTERN_COUNT; ++pattern) {
        int lowest = 0;
        while (lowest < PLACES && count_at(pattern, lowest) == 0) {
            ++lowest;
        }
        for (const Member &member : by_lowest[static_cast<std::size_t>(lowest)]) {
            for (int wangs = member.wangs; wangs < WANGS && holds(pattern, member); ++wangs) {
                const int before = inside[static_cast<std::size_t>(wangs - member.wangs)]
                                         [static_cast<std::size_t>(pattern - member.pattern)];
                std::int8_t &best =
                    inside[static_cast<std::size_t>(wangs)][static_cast<std::size_t>(pattern)];
                best = before == NONE ? best : std::max(best, static_cast<std::int8_t>(before + member.xi));
            }
        }
    }
    return inside;
}

// Number of ways to lay out a pattern without wangs: multisets of groups, counted like ways to give change.
inline std::vector<int> build_inside_counts(Half half) {
    std::vector<int> counts(PATTERN_COUNT, 0);
    counts[0] = 1;
    for (const Member &member : build_members(half)) {
        for (int pattern = 0; pattern < PATTERN_COUNT && member.wangs == 0; ++pattern) {
            if (holds(pattern, member)) {
                counts[static_cast<std::size_t>(pattern)] +=
                    counts[static_cast<std::size_t>(pattern - member.pattern)];
            }
        }
    }
    return counts;
}

inline constexpr int CASE_STATES = 18; // six pairs (4-5-6, 5-6-7) with at most two runs, times 0-2 of 2-7-10
inline constexpr int STATES = CASE_STATES * CASE_STATES;
inline constexpr int RESIDUES = 3;
inline constexpr int STATES_A_RESIDUE = STATES / RESIDUES; // 108

struct CaseState {
    int run456;
    int run567;
    int r27a;
};

constexpr CaseState case_state(int index) {
    constexpr std::array<std::array<int, 2>, 6> runs{{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {2, 0}}};
    const auto &run = runs[static_cast<std::size_t>(index / 3)];
    return {run[0], run[1], index % 3};
}

// Tiles that the crossing groups of a case take from the left half, modulo 3. (The right half gives what is
// left of three.) A half can meet a state only when its own tiles less these make whole groups, so the states
// that two halves can share all have one residue: three lists of 108 instead of one of 324.
constexpr int residue(int small, int big) {
    int tiles = 0;
    for (const int index : {small, big}) {
        const CaseState state = case_state(index);
        tiles += 2 * state.run456 + state.run567 + state.r27a;
    }
    return tiles % RESIDUES;
}

struct State {
    int small;
    int big;
};

inline std::array<std::vector<State>, RESIDUES> build_states() {
    std::array<std::vector<State>, RESIDUES> states;
    for (int small = 0; small < CASE_STATES; ++small) {
        for (int big = 0; big < CASE_STATES; ++big) {
            states[static_cast<std::size_t>(residue(small, big))].push_back({small, big});
        }
    }
    return states;
}

// The residue of a half with so many tiles, wangs included.
inline std::size_t residue_of(Half half, int tiles) {
    return static_cast<std::size_t>(half == Half::left ? tiles % RESIDUES : 2 * tiles % RESIDUES);
}

// One way in which a half provides the tiles that a case state asks of it.
struct Offer {
    int pattern; // own tiles given, as a part of a pattern
    int wangs; // wangs given
};

// Every half's offers for each state of a case: by state, own tiles of the three ranks concerned.
class Offers {
public:
    Offers(Half half, bool big) {
        const int base = big ? RANKS : 0;
        places_ = half == Half::left ? std::array<int, 3>{base + 1, base + 3, base + 4} // ranks 2, 4, 5
                                     : std::array<int, 3>{base + 0, base + 1, base + 4}; // ranks 6, 7, 10
        for (int index = 0; index < CASE_STATES; ++index) {
            const CaseState state = case_state(index);
            const int both = state.run456 + state.run567;
            const std::array<int, 3> asked =
                half == Half::left ? std::array<int, 3>{state.r27a, state.run456, both}
                                   : std::array<int, 3>{both, state.run567 + state.r27a, state.r27a};
            for (int held = 0; held < 27; ++held) {
                fill(index, held, asked);
            }
        }
    }

    const std::vector<Offer> &of(int state, int pattern) const {
        const int held = count_at(pattern, places_[0]) + 3 * count_at(pattern, places_[1]) +
                         9 * count_at(pattern, places_[2]);
        return offers_[static_cast<std::size_t>(state * 27 + held)];
    }

private:
    void fill(int index, int held, const std::array<int, 3> &asked) {
        auto &offers = offers_[static_cast<std::size_t>(index * 27 + held)];
        const std::array<int, 3> own{held % 3, held / 3 % 3, held / 9};
        for (int a = 0; a <= std::min(own[0], asked[0]); ++a) {
            for (int b = 0; b <= std::min(own[1], asked[1]); ++b) {
                for (int c = 0; c <= std::min(own[2], asked[2]); ++c) {
                    const int wangs = asked[0] + asked[1] + asked[2] - a - b - c;
                    if (wangs < WANGS) {
                        offers.push_back(
                            {a * weight(places_[0]) + b * weight(places_[1]) + c * weight(places_[2]),
                             wangs});
                    }
                }
            }
        }
    }

    std::array<int, 3> places_{};
    std::array<std::vector<Offer>, CASE_STATES * 27> offers_;
};

template <class T>
using StateVector = std::array<T, STATES_A_RESIDUE>;

// What a half can make for every state of its residue; the xi of a 2-7-10 is counted on the left.
class HalfTable {
public:
    explicit HalfTable(Half half)
        : half_(half), inside_(build_inside(half)), counts_(build_inside_counts(half)),
          states_(build_states()), small_(half, false), big_(half, true) {}

    // Best xi with exactly so many wangs and no pair.
    StateVector<std::int8_t> xi(int pattern, int wangs) const {
        StateVector<std::int8_t> vector;
        vector.fill(NONE);
        const int tiles = tiles_of(pattern) + wangs;
        if (tiles <= FREE_TILES_MAX) {
            const auto &states = states_[residue_of(half_, tiles)];
            for (std::size_t i = 0; i < states.size(); ++i) {
                vector[i] = best(pattern, wangs, states[i]);
            }
        }
        return vector;
    }

    // The same without wangs but with a pair, which lies in one half.
    StateVector<std::int8_t> xi_with_pair(int pattern) const {
        StateVector<std::int8_t> vector;
        vector.fill(NONE);
        for (const int rest : without_pair(pattern)) {
            const auto other = xi(rest, 0);
            std::transform(vector.begin(), vector.end(), other.begin(), vector.begin(),
                           [](std::int8_t a, std::int8_t b) { return std::max(a, b); });
        }
        return vector;
    }

    // Number of divisions without wangs and without a pair.
    StateVector<int> counts(int pattern) const {
        StateVector<int> vector{};
        const auto &states = states_[residue_of(half_, tiles_of(pattern))];
        for (std::size_t i = 0; i < states.size(); ++i) {
            for (const Offer &small : small_.of(states[i].small, pattern)) {
                for (const Offer &big : big_.of(states[i].big, pattern)) {
                    if (small.wangs == 0 && big.wangs == 0) {
                        vector[i] += counts_[static_cast<std::size_t>(pattern - small.pattern - big.pattern)];
                    }
                }
            }
        }
        return vector;
    }

    StateVector<int> counts_with_pair(int pattern) const {
        StateVector<int> vector{};
        for (const int rest : without_pair(pattern)) {
            const auto other = counts(rest);
            std::transform(vector.begin(), vector.end(), other.begin(), vector.begin(), std::plus<>());
        }
        return vector;
    }

private:
    static std::vector<int> without_pair(int pattern) {
        std::vector<int> rests;
        for (int place = 0; place < PLACES; ++place) {
            if (count_at(pattern, place) == 2) {
                rests.push_back(pattern - 2 * weight(place));
            }
        }
        return rests;
    }

    std::int8_t best(int pattern, int wangs, State state) const {
        int best = NONE;
        for (const Offer &small : small_.of(state.small, pattern)) {
            for (const Offer &big : big_.of(state.big, pattern)) {
                const int rest = wangs - small.wangs - big.wangs;
                if (rest >= 0) {
                    best = std::max<int>(
                        best, inside_[static_cast<std::size_t>(rest)]
                                     [static_cast<std::size_t>(pattern - small.pattern - big.pattern)]);
                }
            }
        }
        const int crossing = 3 * case_state(state.small).r27a + 6 * case_state(state.big).r27a;
        return static_cast<std::int8_t>(best == NONE || half_ == Half::right ? best : best + crossing);
    }

    Half half_;
    std::array<std::vector<std::int8_t>, WANGS> inside_;
    std::vector<int> counts_;
    std::array<std::vector<State>, RESIDUES> states_;
    Offers small_;
    Offers big_;
};

} // namespace tables
