#include "observe.hpp"

#include "check.hpp"

#include <algorithm>
#include <cstring>

namespace paohuzi {

namespace {

constexpr std::uint8_t byte(int number) { return static_cast<std::uint8_t>(number); }

class Observer {
public:
    Observer(const Game &game, int seat) : game_(game), seat_(seat) {}

    Observation observe() {
        copy_own();
        for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
            look_at_player(seat);
        }
        look_at_wall();
        look_at_question();
        for (int place = 0; place < game_.appearance_count; ++place) {
            look_at(place);
        }
        look_at_shown();
        view_.end = byte(static_cast<int>(game_.end));
        view_.winner = game_.end == End::hu ? game_.winner : NOBODY;
        return view_;
    }

private:
    void copy_own() {
        const Player &own = game_.player(seat_);
        view_.seat = byte(seat_);
        view_.hand = own.hand;
        view_.chi_dead = own.chi_dead;
        view_.peng_dead = own.peng_dead;
        view_.hu_dead = own.hu_dead;
        view_.visible = own.hand;
    }

    void look_at_player(int seat) {
        const Player &player = game_.player(seat);
        const auto place = static_cast<std::size_t>(seat);
        view_.hand_sizes[place] = byte(tile_count(player.hand));
        view_.has_skip[place] = player.has_skip;
        for (std::size_t i = 0; i < player.exposed_count; ++i) {
            const std::uint8_t code = player.exposed[i];
            const bool is_hidden = seat != seat_ && code >= WEI_CODE && code < CHOUWEI_CODE;
            view_.exposed[place][i] = is_hidden ? HIDDEN_GROUP : code;
            view_.visible += is_hidden ? 0 : GROUP_TILES[code];
        }
    }

    void look_at_wall() {
        view_.tiles_left = byte(game_.tiles_left());
        view_.wall.fill(HIDDEN_FACE);
        if (!hides_shown(game_.rules().play)) {
            return;
        }
        for (int place = game_.wall_next; place < game_.wall_count; ++place) {
            if (place < game_.wall_seen || place == game_.wall_count - 1) {
                const std::uint8_t face = game_.wall[static_cast<std::size_t>(place)];
                view_.wall[static_cast<std::size_t>(place - game_.wall_next)] = face;
                view_.visible += one_of(face);
            }
        }
    }

    bool is_pending_seen() const {
        if (game_.is_opening) {
            return is_shown_seen();
        }
        const bool is_hidden = game_.question == Question::draw_hu && game_.pending.face != WANG;
        return !is_hidden || game_.pending.owner == seat_;
    }
    bool is_shown_seen() const { return seat_ == 0 || !hides_shown(game_.rules().play); }

    void look_at_question() {
        const bool is_discard = game_.question == Question::discard;
        const bool is_known = game_.question != Question::none && (game_.asked == seat_ || is_discard);
        view_.asked = is_known ? game_.asked : NOBODY;
        view_.question = byte(static_cast<int>(is_known ? game_.question : Question::none));
        if (!is_discard && !game_.is_heaven && game_.end != End::drawn) {
            view_.pending = is_pending_seen() ? game_.pending.face : byte(HIDDEN_FACE);
            view_.pending_owner = game_.pending.owner;
            view_.pending_is_discard = game_.pending.is_discard;
        }
    }

    // Another's wei stays hidden until the fourth tile joins it.
    bool is_seen(Appearance appearance) const {
        if (fate_of(appearance) == Fate::open) {
            return is_pending_seen();
        }
        const auto &exposed = game_.player(appearance.seat).exposed;
        return appearance.seat == seat_ || fate_of(appearance) != Fate::wei ||
               std::find(exposed.begin(), exposed.end(), WEI_CODE + appearance.face) == exposed.end();
    }

    void look_at(int place) {
        Appearance appearance = game_.appearances[static_cast<std::size_t>(place)];
        if (is_seen(appearance)) {
            count(appearance);
        } else {
            appearance.face = HIDDEN_FACE;
        }
        note_declined(appearance);
        view_.appearances[view_.appearance_count++] = appearance;
    }

    void count(Appearance appearance) {
        const Fate fate = fate_of(appearance);
        if (fate == Fate::lies || fate == Fate::open || fate == Fate::hu) {
            view_.visible += one_of(appearance.face);
        } else if (fate == Fate::joined) {
            view_.drawn_wangs[appearance.seat] = byte(view_.drawn_wangs[appearance.seat] + 1);
            view_.visible += appearance.seat == seat_ ? 0 : one_of(WANG);
        }
        if (appearance.face == game_.shown) {
            parted_ += appearance.is_discard && appearance.seat == 0;
            parted_ -= appearance.taker == 0 && fate > Fate::lies && fate < Fate::joined;
        }
    }

    void note_declined(Appearance appearance) {
        const Fate fate = fate_of(appearance);
        if (fate != Fate::lies && fate != Fate::chi) {
            return;
        }
        const std::uint32_t tile = 1U << appearance.face;
        for (int step = 1; step < PLAYER_COUNT; ++step) {
            view_.declined_peng[static_cast<std::size_t>(seat_after(appearance.seat, step))] |= tile;
        }
        for (int step = appearance.is_discard; step <= 1; ++step) {
            const int seat = seat_after(appearance.seat, step);
            if (fate == Fate::chi && seat == appearance.taker) {
                return;
            }
            view_.declined_chi[static_cast<std::size_t>(seat)] |= tile;
        }
    }

    // The shown tile counts while it may still be among the dealer's tiles that nobody sees.
    void look_at_shown() {
        if (!is_shown_seen()) {
            return;
        }
        view_.shown = game_.shown;
        for (const std::uint8_t code : view_.exposed[0]) {
            parted_ += code == HIDDEN_GROUP ? 0 : count_of(GROUP_TILES[code], game_.shown);
        }
        view_.visible += seat_ != 0 && parted_ == 0 ? one_of(game_.shown) : 0;
    }

    const Game &game_;
    int seat_;
    int parted_ = 0; // tiles like the shown one that the dealer has given out of his hand
    Observation view_;
};

} // namespace

static_assert(std::has_unique_object_representations_v<Observation>);

bool Observation::operator==(const Observation &other) const {
    return std::memcmp(this, &other, sizeof other) == 0;
}

Observation observe(const Game &game, int seat) noexcept { return Observer(game, seat).observe(); }

} // namespace paohuzi
