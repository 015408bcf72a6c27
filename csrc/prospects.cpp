#include "prospects.hpp"

#include "improving.hpp"
#include "scoring.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

class Mean {
public:
    void add(std::int64_t payment, double weight) {
        best_ = std::max(best_, payment);
        sum_ += weight * static_cast<double>(payment);
        weight_ += weight;
    }
    Prospects prospects(bool is_ready) const {
        return {best_, weight_ > 0 ? sum_ / weight_ : 0, is_ready && weight_ > 0};
    }
    bool is_empty() const { return weight_ == 0; }

private:
    std::int64_t best_ = NO_DIVISION;
    double sum_ = 0;
    double weight_ = 0;
};

std::int64_t payment_of(const Scorer &scorer, const Query &query) {
    if (check(query) != Fault::none) {
        return NO_DIVISION;
    }
    const Reckoning reckoning = best_score(scorer, query, {});
    return reckoning.is_win() ? reckoning.payment : NO_DIVISION;
}

constexpr double OWN_DRAWS = 1, DRAWS_OF_OTHERS = 2;

Mean mean_of_waits(const Scorer &scorer, const Query &query, Packed visible) {
    Mean mean;
    const bool has_wang = count_of(query.hand, WANG) > 0;
    for (int face = 0; face <= WANG; ++face) {
        const int copies = unseen_copies(query, visible, scorer.rules().play.wang, face);
        for (const Source source : {Source::self, Source::other}) {
            const bool is_own = source == Source::self;
            if (copies <= 0 || (!is_own && (has_wang || face == WANG))) {
                continue;
            }
            Query won = query;
            won.win = static_cast<std::int8_t>(face);
            won.source = source;
            if (const std::int64_t payment = payment_of(scorer, won); payment >= 0) {
                mean.add(payment, copies * (is_own ? OWN_DRAWS : DRAWS_OF_OTHERS));
            }
        }
    }
    return mean;
}

// A path played to its last tile.
class LastStep {
public:
    LastStep(const Query &query, const Unfinished &hand, const Path &path)
        : hand_(hand), path_(path), won_(query) {
        const Packed free = from_ranked(hand.free);
        won_.hand -= free;
        for (int i = 0; i < path.size; ++i) {
            won_.hand += from_ranked(filling(i).own);
        }
        choose_last();
        for (int i = 0; i < path.size; ++i) {
            lay_filling(i);
        }
        for (int i = 0; i < hand.growth_count; ++i) {
            lay_growth(i);
        }
        if (path.pair_face != NO_WIN_TILE) {
            won_.hand += one_of(path.pair_face);
            use(path.pair_face, 1);
            won_.win = static_cast<std::int8_t>(path.pair_face);
        }
        won_.source = hand.wangs > 0 ? Source::self : Source::other;
    }

    const Query &won() const { return won_; }

    // In how many ways its outside tiles can be picked.
    double ways() const {
        double ways = 1;
        for (std::size_t face = 0; face < FACE_COUNT; ++face) {
            for (int i = 0; i < used_[face]; ++i) {
                ways = ways * (hand_.unseen[face] - i) / (i + 1);
            }
        }
        return ways;
    }

private:
    static constexpr int NONE = -1;

    const Filling &filling(int i) const { return *path_.fillings[static_cast<std::size_t>(i)]; }
    bool is_grown(int i) const { return path_.grown[static_cast<std::size_t>(i)] == GROWN_OUTSIDE; }

    // Pairs and groups with a wang get their outside tile in the win only; else it is any group's.
    void choose_last() {
        if (path_.pair_face != NO_WIN_TILE) {
            return;
        }
        int best_rank = 0;
        for (int i = 0; i < path_.size; ++i) {
            const Filling &group = filling(i);
            const int rank = group.outside == 0 ? 0 : group.is_pair ? 3 : group.wangs > 0 ? 2 : 1;
            if (rank > best_rank) {
                best_rank = rank;
                last_filling_ = i;
            }
        }
        for (int i = 0; i < hand_.growth_count && best_rank == 0 && last_growth_ == NONE; ++i) {
            last_growth_ = is_grown(i) ? i : NONE;
        }
    }

    void lay_filling(int i) {
        const Filling &group = filling(i);
        if (group.outside == 0) {
            return;
        }
        use(group.face, group.outside);
        const bool is_last = i == last_filling_;
        if (is_last) {
            won_.win = static_cast<std::int8_t>(group.face);
        }
        if (group.outside == 2) {
            won_.hand -= from_ranked(group.own);
            lay(is_last ? PENG_CODE + group.face : group.code);
        } else if (!is_last && (group.wangs > 0 || group.is_pair)) {
            won_.hand += one_of(group.face); // as if it were held
        } else if (!is_last) {
            won_.hand -= from_ranked(group.own);
            lay(group.code);
        }
    }

    void lay_growth(int i) {
        const Growth &growth = hand_.growths[static_cast<std::size_t>(i)];
        if (!is_grown(i)) {
            return;
        }
        use(growth.face, 1);
        if (i == last_growth_) {
            won_.win = static_cast<std::int8_t>(growth.face);
        } else if (growth.grown_from == 0) {
            won_.hand -= 3 * one_of(growth.face);
            lay(PAO_CODE + growth.face);
        } else {
            *std::find(won_.exposed.begin(), won_.exposed.end(), growth.grown_from) =
                static_cast<std::uint8_t>(PAO_CODE + growth.face);
        }
    }

    void lay(int code) {
        *std::find(won_.exposed.begin(), won_.exposed.end(), 0) = static_cast<std::uint8_t>(code);
    }

    void use(int face, int copies) {
        used_[static_cast<std::size_t>(face)] =
            static_cast<std::int8_t>(used_[static_cast<std::size_t>(face)] + copies);
    }

    const Unfinished &hand_;
    const Path &path_;
    Query won_;
    int last_filling_ = NONE;
    int last_growth_ = NONE;
    std::array<std::int8_t, FACE_COUNT> used_{};
};

struct Tour { // of the nearest divisions
    const Scorer &scorer;
    const Query &query;
    Mean mean;
    int left = NEAREST_MAX;
};

bool look_at(void *place, const Unfinished &hand, const Path &path) {
    auto &tour = *static_cast<Tour *>(place);
    const LastStep last(tour.query, hand, path);
    if (const std::int64_t payment = payment_of(tour.scorer, last.won()); payment >= 0) {
        tour.mean.add(payment, last.ways());
    }
    return --tour.left == 0;
}

} // namespace

Prospects find_prospects(const Distances &distances, const Scorer &scorer, const Query &query,
                         Packed visible) noexcept {
    const Mean waits = mean_of_waits(scorer, query, visible);
    if (!waits.is_empty()) {
        return waits.prospects(true);
    }
    Tour tour{scorer, query, {}};
    distances.for_each_nearest(query, visible, &tour, look_at);
    return tour.mean.prospects(false);
}

} // namespace paohuzi
