#include "improving.hpp"

#include "check.hpp"
#include "scoring.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

class Improver {
public:
    Improver(const Distances &distances, const Play &play, const Query &query, Packed visible)
        : distances_(distances), play_(play), query_(query), visible_(visible),
          before_(distances.of(query, visible)) {}

    // Whether there is one; it is then filled.
    bool find(int face, Source source, Improvement &found) {
        found = {};
        found.face = static_cast<std::int8_t>(face);
        found.source = source;
        if (is_hu(face, source)) {
            found.distance = -1;
            return before_ > -1;
        }
        if (face == WANG) {
            Query after = query_;
            after.hand += one_of(WANG);
            settle(after, How::wang, found);
        } else if (!take_forced(face, source, found)) {
            take_by_choice(face, source, found);
        }
        return found.distance < before_;
    }

private:
    bool is_hu(int face, Source source) const {
        const bool has_wang = count_of(query_.hand, WANG) > 0;
        if ((source == Source::discard && !play_.discards_win) || (has_wang && source != Source::self)) {
            return false;
        }
        Query won = query_;
        won.win = static_cast<std::int8_t>(face);
        won.source = source;
        const Options &options = distances_.options();
        return check(won) == Fault::none && exact_xi(won, options) >= options.min_xi;
    }

    // What leaves no choice. False: nothing does.
    bool take_forced(int face, Source source, Improvement &found) const {
        const int held = count_of(query_.hand, face);
        const int wei = std::max(place_of(WEI_CODE + face), place_of(CHOUWEI_CODE + face));
        const int peng = place_of(PENG_CODE + face);
        const bool is_own = source == Source::self;
        if (held == 3 || wei >= 0) {
            settle(with_quad(face, is_own ? TI_CODE : PAO_CODE, wei), is_own ? How::ti : How::pao, found);
        } else if (is_own && held == 2) {
            settle(with_triplet(face, WEI_CODE), How::wei, found);
        } else if (peng >= 0 && source != Source::discard) {
            settle(with_quad(face, PAO_CODE, peng), How::pao, found);
        } else {
            return false;
        }
        return true;
    }

    void take_by_choice(int face, Source source, Improvement &found) {
        if (source != Source::self && count_of(query_.hand, face) == 2) {
            settle(with_triplet(face, PENG_CODE), How::peng, found);
            if (play_.peng_forced) {
                return;
            }
        }
        const Improvement &chi = best_chi(face);
        if (chi.distance < found.distance) {
            found.how = How::chi;
            found.chi = chi.chi;
            found.discard = chi.discard;
            found.discards = chi.discards;
            found.distance = chi.distance;
        }
    }

    // The same from every source.
    const Improvement &best_chi(int face) {
        Improvement &best = chi_[static_cast<std::size_t>(face)];
        if (!has_chi_[static_cast<std::size_t>(face)]) {
            has_chi_[static_cast<std::size_t>(face)] = true;
            for_each_chi(query_.hand, face, [&](const Chi &chi, Packed rest) {
                Query after = query_;
                after.hand += rest - free_tiles(query_.hand);
                if (lay(after, chi.code) && lay(after, chi.bi[0]) && lay(after, chi.bi[1])) {
                    Improvement next = best;
                    settle(after, How::chi, next);
                    const bool is_better = next.distance < best.distance;
                    best = is_better ? next : best;
                    best.chi = is_better ? chi : best.chi;
                }
                return false;
            });
        }
        return best;
    }

    int place_of(int code) const { // among the exposed groups, -1 for none
        const auto found = std::find(query_.exposed.begin(), query_.exposed.end(), code);
        return found == query_.exposed.end() ? -1 : static_cast<int>(found - query_.exposed.begin());
    }

    static bool lay(Query &query, int code) {
        const auto empty = std::find(query.exposed.begin(), query.exposed.end(), 0);
        if (code != 0 && empty == query.exposed.end()) {
            return false;
        }
        if (code != 0) {
            *empty = static_cast<std::uint8_t>(code);
        }
        return true;
    }

    Query with_quad(int face, int first_code, int grown_from) const {
        Query after = query_;
        if (grown_from >= 0) {
            after.exposed[static_cast<std::size_t>(grown_from)] =
                static_cast<std::uint8_t>(first_code + face);
        } else if (lay(after, first_code + face)) {
            after.hand -= 3 * one_of(face);
        }
        return after;
    }

    Query with_triplet(int face, int first_code) const {
        Query after = query_;
        if (lay(after, first_code + face)) {
            after.hand -= 2 * one_of(face);
        }
        return after;
    }

    // Keeps the taking, with the discard that follows best, if it leaves less than what was found.
    void settle(const Query &after, How how, Improvement &found) const {
        const int most = std::min<int>(found.distance, before_); // to be less than
        Discards best{distances_.of(after, visible_), 0}; // of which a discard leaves no less
        if (best.distance < most && missing_tiles(after) <= 0) {
            const bool is_choice = how == How::peng || how == How::chi;
            best = best_discards(after, is_choice ? UNREACHABLE : best.distance);
        }
        if (best.distance < most) {
            found.how = how;
            found.discards = best.faces;
            found.discard = static_cast<std::int8_t>(safest(after, best.faces));
            found.distance = static_cast<std::int8_t>(best.distance);
        }
    }

    struct Discards {
        int distance; // that they leave
        std::uint32_t faces;
    };

    Discards best_discards(const Query &query, int without_any) const {
        const Packed free = free_tiles(query.hand);
        Discards best{free == 0 ? without_any : UNREACHABLE, 0};
        for (int face = 0; face < FACE_COUNT; ++face) {
            if (count_of(free, face) > 0) {
                Query after = query;
                after.hand -= one_of(face);
                const int distance = distances_.of(after, visible_ + one_of(face));
                const std::uint32_t known = distance < best.distance ? 0 : best.faces;
                best.faces = distance > best.distance ? known : known | 1U << face;
                best.distance = std::min(best.distance, distance);
            }
        }
        return best;
    }

    int safest(const Query &query, std::uint32_t faces) const {
        int safest = NO_WIN_TILE;
        Danger least;
        for (; faces != 0; faces &= faces - 1) {
            const int face = __builtin_ctz(faces);
            const Danger danger = danger_of(query, visible_, face, distances_.options());
            if (safest == NO_WIN_TILE || danger < least) {
                safest = face;
                least = danger;
            }
        }
        return safest;
    }

    const Distances &distances_;
    const Play &play_;
    const Query &query_;
    Packed visible_;
    int before_;
    std::array<Improvement, FACE_COUNT> chi_{};
    std::array<bool, FACE_COUNT> has_chi_{};
};

} // namespace

int unseen_copies(const Query &query, Packed visible, int wang_total, int face) {
    const int all = face == WANG ? wang_total : COPY_COUNT;
    return all - count_of(visible_tiles(query), face) - count_of(visible, face);
}

std::size_t find_improving(const Distances &distances, const Play &play, const Query &query, Packed visible,
                           Improvement *out) noexcept {
    Improver improver(distances, play, query, visible);
    std::size_t size = 0;
    for (const Source source : {Source::self, Source::other, Source::discard}) {
        const int faces = source == Source::self ? WANG + 1 : FACE_COUNT;
        for (int face = 0; face < faces; ++face) {
            if (unseen_copies(query, visible, play.wang, face) > 0 &&
                improver.find(face, source, out[size])) {
                ++size;
            }
        }
    }
    return size;
}

} // namespace paohuzi
