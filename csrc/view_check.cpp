#include "view_check.hpp"

#include "check.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace paohuzi {

namespace {

// Tiles of a hand with each group counted as three: 20, and one that waits to be discarded.
constexpr int TILES_HELD_MAX = DEALT_COUNT + 1;
constexpr int DRAWS_MAX = WALL_MAX;

using Counts = std::array<int, WANG + 1>;

void add(Counts &counts, Packed tiles) {
    for (int face = 0; face <= WANG; ++face) {
        counts[static_cast<std::size_t>(face)] += count_of(tiles, face);
    }
}

class ViewCheck {
public:
    ViewCheck(const Observation &view, int wang) : view_(view), wang_(wang) {}

    ViewFault fault() const {
        if (!is_asked()) {
            return ViewFault::asked;
        }
        if (!is_hand(view_.hand) || !is_hand(view_.visible) || count_of(view_.visible, WANG) > wang_) {
            return ViewFault::hand;
        }
        if (!are_groups_known()) {
            return ViewFault::exposed;
        }
        if (!is_wall_known()) {
            return ViewFault::wall;
        }
        if (!are_appearances_known()) {
            return ViewFault::appearance;
        }
        if (!is_pending_known()) {
            return ViewFault::pending;
        }
        if (!do_tiles_add_up()) {
            return ViewFault::visible;
        }
        return !are_sizes_right()  ? ViewFault::sizes
               : is_course_short() ? ViewFault::none
                                   : ViewFault::course;
    }

private:
    static constexpr bool is_face(int face) { return face <= WANG || face == HIDDEN_FACE; }
    Question question() const { return static_cast<Question>(view_.question); }
    std::span<const Appearance> appearances() const {
        return {view_.appearances.data(), view_.appearance_count};
    }
    std::size_t group_count(int seat) const {
        const auto &exposed = view_.exposed[static_cast<std::size_t>(seat)];
        return static_cast<std::size_t>(std::find(exposed.begin(), exposed.end(), 0) - exposed.begin());
    }
    std::span<const std::uint8_t> groups(int seat) const {
        return {view_.exposed[static_cast<std::size_t>(seat)].data(), group_count(seat)};
    }

    bool is_asked() const {
        return view_.seat < PLAYER_COUNT && view_.asked == view_.seat && question() < Question::none &&
               view_.end == 0;
    }

    bool are_groups_known() const {
        for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
            const auto &exposed = view_.exposed[static_cast<std::size_t>(seat)];
            const auto is_known = [&](int code) {
                return CAN_BE_EXPOSED[static_cast<std::size_t>(code)] ||
                       (code == HIDDEN_GROUP && seat != view_.seat);
            };
            const auto *first_empty = exposed.begin() + group_count(seat);
            if (!std::all_of(exposed.begin(), exposed.end(), is_known) ||
                std::any_of(first_empty, exposed.end(), [](int code) { return code != 0; })) {
                return false;
            }
        }
        return true;
    }

    bool is_wall_known() const {
        return view_.tiles_left <= WALL_MAX &&
               std::all_of(view_.wall.begin(), view_.wall.end(), [](int face) { return is_face(face); });
    }

    bool are_appearances_known() const {
        if (view_.appearance_count > APPEARANCES_MAX) {
            return false;
        }
        for (const Appearance &each : appearances()) {
            const bool may_hide = fate_of(each) == Fate::wei && each.seat != view_.seat;
            const bool is_last = &each == &appearances().back();
            if (each.seat >= PLAYER_COUNT || each.taker >= PLAYER_COUNT ||
                each.fate > static_cast<int>(Fate::joined) ||
                (each.face > WANG && !(may_hide && each.face == HIDDEN_FACE)) ||
                (each.face == WANG && fate_of(each) != Fate::joined && fate_of(each) != Fate::open) ||
                (fate_of(each) == Fate::open && !is_last)) {
                return false;
            }
        }
        return true;
    }

    // A claim is on the last tile that appeared, and what follows from passing it must be possible.
    bool is_pending_known() const {
        if (question() == Question::discard) {
            return true;
        }
        const int most = question() == Question::peng || question() == Question::chi ? FACE_COUNT - 1 : WANG;
        if (view_.pending > most || view_.pending_owner >= PLAYER_COUNT || view_.pending_is_discard > 1) {
            return false;
        }
        if (question() == Question::shown_hu) {
            return view_.appearance_count == 0;
        }
        if (appearances().empty() || appearances().back().face != view_.pending ||
            fate_of(appearances().back()) != Fate::open) {
            return false;
        }
        if (question() == Question::peng) {
            return count_of(view_.hand, view_.pending) == 2;
        }
        return question() != Question::draw_hu || can_lay_draw();
    }
    bool can_lay_draw() const {
        const auto is_wei = [this](int code) {
            return code == WEI_CODE + view_.pending || code == CHOUWEI_CODE + view_.pending;
        };
        const auto own = groups(view_.seat);
        const int held = count_of(view_.hand, view_.pending);
        return view_.pending_owner == view_.seat && view_.pending_is_discard == 0 &&
               (view_.pending == WANG || held == 2 || held == 3 ||
                std::any_of(own.begin(), own.end(), is_wei));
    }

    // What is visible is what the parts of the view show, and perhaps the shown tile in the dealer's hand.
    bool do_tiles_add_up() const {
        Counts counts{};
        add(counts, view_.hand);
        for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
            for (const std::uint8_t code : groups(seat)) {
                add(counts, code == HIDDEN_GROUP ? 0 : GROUP_TILES[code]);
            }
            counts[WANG] += seat == view_.seat ? 0 : view_.drawn_wangs[static_cast<std::size_t>(seat)];
        }
        for (const Appearance &each : appearances()) {
            counts[each.face] += fate_of(each) == Fate::lies || fate_of(each) == Fate::open;
        }
        for (const std::uint8_t face : std::span(view_.wall).first(view_.tiles_left)) {
            counts[std::min<std::size_t>(face, WANG)] += face != HIDDEN_FACE;
        }
        int spare = 0;
        for (int face = 0; face <= WANG; ++face) {
            const int more = count_of(view_.visible, face) - counts[static_cast<std::size_t>(face)];
            if (more < 0 || (more > 0 && face != view_.shown)) {
                return false;
            }
            spare += more;
        }
        return spare <= (view_.seat == 0 ? 0 : 1);
    }

    bool are_sizes_right() const {
        for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
            const auto place = static_cast<std::size_t>(seat);
            const int size = view_.hand_sizes[place];
            const int own = size - view_.drawn_wangs[place];
            if (own < 0 || own + 3 * static_cast<int>(group_count(seat)) > TILES_HELD_MAX ||
                (seat == view_.seat && tile_count(view_.hand) != size)) {
                return false;
            }
        }
        return true;
    }

    // How many tiles have appeared and still can: each discard but a few costs its player three tiles.
    bool is_course_short() const {
        int more = wang_;
        int draws = view_.tiles_left;
        for (const Appearance &each : appearances()) {
            more += each.is_discard;
            draws += !each.is_discard;
        }
        for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
            const bool must_discard = seat == view_.seat && question() == Question::discard;
            const auto codes = groups(seat);
            const bool has_quad = std::any_of(codes.begin(), codes.end(), [](int code) {
                return is_quad_code(code) && code != HIDDEN_GROUP;
            });
            more += must_discard + (view_.hand_sizes[static_cast<std::size_t>(seat)] - must_discard) / 3 +
                    !has_quad;
        }
        return draws <= wall_count(wang_) && more + DRAWS_MAX <= APPEARANCES_MAX;
    }

    const Observation &view_;
    int wang_;
};

} // namespace

ViewFault check_view(const Observation &view, int wang) noexcept { return ViewCheck(view, wang).fault(); }

} // namespace paohuzi
