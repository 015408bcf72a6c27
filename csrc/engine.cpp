#include "engine.hpp"

#include "context.hpp"
#include "facts.hpp"
#include "pack.hpp"
#include "wins.hpp"

#include <algorithm>
#include <cstring>

namespace paohuzi {

namespace {

constexpr std::uint32_t bit(int number) { return 1U << number; }

// Leads a hand from question to question.
class Referee {
public:
    Referee(Game &game, EventLog *events) : game_(game), events_(events) {}

    void begin();
    void answer(const Action &action);

private:
    const Play &play() const { return game_.rules().play; }
    Pending &pending() { return game_.pending; }
    int face() const { return game_.pending.face; }
    int owner() const { return game_.pending.owner; }
    bool is_drawn() const { return !game_.pending.is_discard; }
    int first_claimant() const { return is_drawn() ? 0 : 1; } // steps from the owner
    int asked_step() const { return (game_.asked + PLAYER_COUNT - owner()) % PLAYER_COUNT; }

    void note(const Event &event) {
        if (events_ != nullptr) {
            events_->add(event);
        }
    }
    void note(EventKind kind, int seat, int code = 0, bool is_forced = false, bool is_hidden = false) {
        note({.kind = kind,
              .seat = static_cast<std::uint8_t>(seat),
              .from = pending().owner,
              .face = pending().face,
              .chi = {static_cast<std::uint8_t>(code), {}},
              .is_forced = is_forced,
              .is_hidden = is_hidden});
    }
    void ask(Question question, int seat) {
        game_.question = question;
        game_.asked = static_cast<std::uint8_t>(seat);
    }

    // The opening.
    bool find_heaven();
    void lift_red_tiles();
    void ask_shown(int first_seat);
    void open_hands();
    void lay_dealt_quads(int seat);

    // A tile appears.
    void draw_all();
    void draw(int seat);
    void discard(int seat, int face);
    void appear(int face, int seat, bool is_discard);
    void settle(Fate fate, int taker);
    void mark_dead();

    // Claims, in the order of their rank.
    void offer_hu(int first_step);
    void offer_pao();
    void offer_peng();
    void offer_chi(int first_step);
    bool can_pao(int seat) const;
    bool can_peng(int seat) const;
    bool can_chi(int seat) const;

    // A tile is taken in.
    void win(int seat);
    void join_wang(int seat);
    bool is_laid_by_itself(int seat) const;
    void lay_own_draw(int seat);
    void lay_quad(int seat, int first_code);
    void take_pao(int seat);
    void take_peng(int seat, bool is_forced);
    void take_chi(int seat, const Chi &chi);
    void lie();

    void expose(Player &player, int code);
    void join_triplet(Player &player, int code);
    void change_xi(Player &player, int difference);
    void after_taking(int seat);
    void after_quad(int seat);
    void ask_discard(int seat);

    void answer_hu(bool is_hu);
    void pass();

    static constexpr int NOBODY = -1;

    Game &game_;
    EventLog *events_;
    int drawer_ = NOBODY; // who draws next
};

} // namespace

void Referee::begin() {
    if (hides_shown(play())) {
        lift_red_tiles();
    }
    if (!find_heaven()) {
        ask_shown(0);
    }
    draw_all();
}

// The wall's last tile lies open; while it is red it goes to the top.
void Referee::lift_red_tiles() {
    std::uint8_t *begin = game_.wall.data();
    std::uint8_t *end = begin + game_.wall_count;
    while (game_.wall_seen < game_.wall_count && is_red(end[-1])) {
        std::rotate(begin, end - 1, end);
        ++game_.wall_seen;
    }
}

bool Referee::find_heaven() {
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        if (is_forced_heaven(Query{game_.player(seat).hand})) {
            game_.is_heaven = true;
            note(EventKind::hu, seat, 0, true);
            win(seat);
            return true;
        }
    }
    return false;
}

void Referee::ask_shown(int first_seat) {
    const bool is_dealers = hides_shown(play()) || face() == WANG;
    for (int seat = first_seat; seat < (is_dealers ? 1 : PLAYER_COUNT); ++seat) {
        if (can_hu(game_, seat)) {
            ask(Question::shown_hu, seat);
            return;
        }
    }
    open_hands();
}

void Referee::open_hands() {
    game_.is_opening = false;
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        lay_dealt_quads(seat);
        game_.player(seat).has_skip = seat != 0 && game_.player(seat).quads >= 2;
    }
    if (game_.player(0).quads >= 2) {
        drawer_ = seat_after(0);
    } else {
        ask_discard(0);
    }
}

void Referee::lay_dealt_quads(int seat) {
    Player &player = game_.player(seat);
    for (Packed quads = player.hand & TILE_BITS & FOURS; quads != 0; quads &= quads - 1) {
        const int quad = __builtin_ctzll(quads) / COUNT_BITS;
        const std::uint32_t passed = player.hu_dead;
        player.hand -= COPY_COUNT * one_of(quad);
        ++player.quads;
        expose(player, TI_CODE + quad);
        player.hu_dead = passed; // the quads counted as laid out when the win was passed
        note({.kind = EventKind::ti,
              .seat = static_cast<std::uint8_t>(seat),
              .from = static_cast<std::uint8_t>(seat),
              .face = static_cast<std::uint8_t>(quad),
              .chi = {static_cast<std::uint8_t>(TI_CODE + quad), {}},
              .is_forced = true,
              .is_dealt = true});
    }
}

void Referee::draw_all() {
    while (drawer_ != NOBODY) {
        const int seat = drawer_;
        drawer_ = NOBODY;
        draw(seat);
    }
}

void Referee::draw(int seat) {
    if (game_.tiles_left() == 0) {
        game_.end = End::drawn;
        game_.question = Question::none;
        note(EventKind::drawn_hand, seat, 0, true);
        return;
    }
    appear(game_.wall[game_.wall_next++], seat, false);
    const bool is_laid = face() != WANG && is_laid_by_itself(seat);
    note(EventKind::draw, seat, 0, true, is_laid);
    if (face() == WANG) {
        if (can_hu(game_, seat)) {
            ask(Question::draw_hu, seat);
        } else {
            join_wang(seat);
        }
    } else if (!is_laid) {
        offer_hu(0);
    } else if (can_win(game_, seat)) { // a passed win does not count: laying the tile changes the xi
        ask(Question::draw_hu, seat);
    } else {
        lay_own_draw(seat);
    }
}

void Referee::discard(int seat, int face) {
    game_.player(seat).hand -= one_of(face);
    appear(face, seat, true);
    note(EventKind::discard, seat);
    if (play().discards_win) {
        offer_hu(1);
    } else {
        offer_pao();
    }
}

void Referee::appear(int face, int seat, bool is_discard) {
    pending() = {static_cast<std::uint8_t>(face), static_cast<std::uint8_t>(seat), is_discard, 0, 0};
    Appearance &appearance = game_.appearances[game_.appearance_count++];
    appearance.face = static_cast<std::uint16_t>(face & 31);
    appearance.seat = static_cast<std::uint16_t>(seat & 3);
    appearance.is_discard = is_discard;
    appearance.fate = static_cast<std::uint16_t>(Fate::open);
}

void Referee::settle(Fate fate, int taker) {
    Appearance &appearance = game_.appearances[game_.appearance_count - 1];
    appearance.fate = static_cast<std::uint16_t>(static_cast<int>(fate) & 15);
    appearance.taker = static_cast<std::uint16_t>(taker & 3);
    if (fate == Fate::chi) {
        pending().passed_peng &= static_cast<std::uint8_t>(~bit(taker));
    }
    mark_dead();
}

void Referee::mark_dead() {
    const DeadTiles &dead = play().dead;
    const std::uint32_t tile = bit(face());
    const auto mark = [&](unsigned seats, bool for_chi, bool for_peng) {
        for (; seats != 0; seats &= seats - 1) {
            Player &player = game_.player(__builtin_ctz(seats));
            player.chi_dead |= for_chi ? tile : 0;
            player.peng_dead |= for_peng ? tile : 0;
        }
    };
    mark(pending().passed_chi, dead.chi_by_passed_chi, dead.peng_by_passed_chi);
    mark(pending().passed_peng, dead.chi_by_passed_peng, dead.peng_by_passed_peng);
    mark(is_drawn() ? 0 : bit(owner()), dead.chi_by_discard, dead.peng_by_discard);
}

void Referee::offer_hu(int first_step) {
    for (int step = first_step; step < PLAYER_COUNT; ++step) {
        const int seat = seat_after(owner(), step);
        if (can_hu(game_, seat)) {
            ask(Question::hu, seat);
            return;
        }
    }
    offer_pao();
}

void Referee::offer_pao() {
    for (int step = first_claimant(); step < PLAYER_COUNT; ++step) {
        const int seat = seat_after(owner(), step);
        if (can_pao(seat)) {
            take_pao(seat);
            return;
        }
    }
    offer_peng();
}

void Referee::offer_peng() {
    for (int step = 1; step < PLAYER_COUNT; ++step) { // two pairs beside the tile would be a fifth copy
        const int seat = seat_after(owner(), step);
        if (can_peng(seat)) {
            if (play().peng_forced) {
                take_peng(seat, true);
            } else {
                ask(Question::peng, seat);
            }
            return;
        }
    }
    offer_chi(first_claimant());
}

void Referee::offer_chi(int first_step) {
    for (int step = first_step; step <= 1; ++step) {
        const int seat = seat_after(owner(), step);
        if (can_chi(seat)) {
            ask(Question::chi, seat);
            return;
        }
    }
    lie();
}

bool Referee::can_pao(int seat) const {
    const Player &player = game_.player(seat);
    return player.held(face()) == 3 || (is_drawn() ? player.has_triplet(face()) : player.has_wei(face()));
}

bool Referee::can_peng(int seat) const {
    const Player &player = game_.player(seat);
    return player.held(face()) == 2 && (player.peng_dead & bit(face())) == 0 &&
           (player.has_skip || free_tiles(player.hand) != 2 * one_of(face()));
}

bool Referee::can_chi(int seat) const {
    const Player &player = game_.player(seat);
    return (player.chi_dead & bit(face())) == 0 && paohuzi::can_chi(player.hand, face(), !player.has_skip);
}

void Referee::win(int seat) {
    game_.end = End::hu;
    game_.winner = static_cast<std::uint8_t>(seat);
    game_.question = Question::none;
    if (!game_.is_opening) {
        settle(Fate::hu, seat);
    }
}

void Referee::join_wang(int seat) {
    Player &player = game_.player(seat);
    player.hand += one_of(WANG);
    player.is_untouched = 0;
    settle(Fate::joined, seat);
    after_taking(seat);
}

bool Referee::is_laid_by_itself(int seat) const {
    const Player &player = game_.player(seat);
    return player.held(face()) >= 2 || player.has_wei(face());
}

void Referee::lay_own_draw(int seat) {
    Player &player = game_.player(seat);
    if (player.held(face()) != 2) {
        note(EventKind::ti, seat, TI_CODE + face(), true);
        settle(Fate::ti, seat);
        lay_quad(seat, TI_CODE);
        return;
    }
    const bool is_open = (player.peng_dead & bit(face())) != 0;
    const int code = (is_open ? CHOUWEI_CODE : WEI_CODE) + face();
    note(EventKind::wei, seat, code, true, !is_open);
    settle(is_open ? Fate::chouwei : Fate::wei, seat);
    player.hand -= 2 * one_of(face());
    player.is_untouched = 0;
    expose(player, code);
    after_taking(seat);
}

void Referee::lay_quad(int seat, int first_code) {
    Player &player = game_.player(seat);
    const int code = first_code + face();
    if (player.held(face()) == 3) {
        player.hand -= 3 * one_of(face());
        expose(player, code);
    } else {
        join_triplet(player, code);
    }
    player.is_untouched = 0;
    ++player.quads;
    after_quad(seat);
}

void Referee::take_pao(int seat) {
    note(EventKind::pao, seat, PAO_CODE + face(), true);
    settle(Fate::pao, seat);
    lay_quad(seat, PAO_CODE);
}

void Referee::take_peng(int seat, bool is_forced) {
    Player &player = game_.player(seat);
    note(EventKind::peng, seat, PENG_CODE + face(), is_forced);
    settle(Fate::peng, seat);
    player.hand -= 2 * one_of(face());
    player.is_untouched = 0;
    expose(player, PENG_CODE + face());
    after_taking(seat);
}

void Referee::take_chi(int seat, const Chi &chi) {
    Player &player = game_.player(seat);
    note({.kind = EventKind::chi,
          .seat = static_cast<std::uint8_t>(seat),
          .from = pending().owner,
          .face = pending().face,
          .chi = chi});
    settle(Fate::chi, seat);
    player.hand -= GROUP_TILES[chi.code] - one_of(face());
    player.is_untouched = 0;
    expose(player, chi.code);
    for (const int code : chi.bi) {
        if (code != 0) {
            player.hand -= GROUP_TILES[static_cast<std::size_t>(code)];
            expose(player, code);
        }
    }
    after_taking(seat);
}

void Referee::lie() {
    settle(Fate::lies, owner());
    drawer_ = seat_after(owner());
}

void Referee::expose(Player &player, int code) {
    player.exposed[player.exposed_count] = static_cast<std::uint8_t>(code);
    ++player.exposed_count;
    player.triplets |= code >= PENG_CODE && code < PAO_CODE ? bit((code - PENG_CODE) % FACE_COUNT) : 0;
    change_xi(player, xi_of(game_.rules().options.xi, code));
}

// The fourth tile turns an exposed triplet into a quad in its place.
void Referee::join_triplet(Player &player, int code) {
    const auto is_triplet = [this](int old_code) {
        return old_code == PENG_CODE + face() || old_code == WEI_CODE + face() ||
               old_code == CHOUWEI_CODE + face();
    };
    auto *place = std::find_if(player.exposed.begin(), player.exposed.end(), is_triplet);
    const XiTable &xi = game_.rules().options.xi;
    change_xi(player, xi_of(xi, code) - xi_of(xi, *place));
    *place = static_cast<std::uint8_t>(code);
    player.triplets &= ~bit(face());
}

void Referee::change_xi(Player &player, int difference) {
    player.hu_dead = difference == 0 ? player.hu_dead : 0;
}

void Referee::after_taking(int seat) {
    Player &player = game_.player(seat);
    if (player.has_skip) {
        player.has_skip = 0;
        note(EventKind::skip, seat, 0, true);
        drawer_ = seat_after(seat);
    } else {
        ask_discard(seat);
    }
}

void Referee::after_quad(int seat) {
    if (game_.player(seat).quads >= 2) {
        note(EventKind::skip, seat, 0, true);
        drawer_ = seat_after(seat);
    } else {
        ask_discard(seat);
    }
}

void Referee::ask_discard(int seat) {
    if (free_tiles(game_.player(seat).hand) == 0) {
        note(EventKind::skip, seat, 0, true);
        drawer_ = seat_after(seat);
    } else {
        ask(Question::discard, seat);
    }
}

void Referee::pass() {
    note({.kind = EventKind::pass,
          .seat = game_.asked,
          .from = pending().owner,
          .face = pending().face,
          .chi = {static_cast<std::uint8_t>(game_.question), {}}});
}

void Referee::answer_hu(bool is_hu) {
    const int seat = game_.asked;
    if (is_hu) {
        note(EventKind::hu, seat);
        win(seat);
        return;
    }
    pass();
    if (game_.question != Question::shown_hu || seat != 0) { // the dealer has the shown tile
        game_.player(seat).hu_dead |= bit(face());
    }
    if (game_.question == Question::shown_hu) {
        ask_shown(seat + 1);
    } else if (game_.question == Question::hu) {
        offer_hu(asked_step() + 1);
    } else if (face() == WANG) {
        join_wang(seat);
    } else {
        lay_own_draw(seat);
    }
}

void Referee::answer(const Action &action) {
    const int seat = game_.asked;
    switch (game_.question) {
    case Question::discard:
        discard(seat, action.face);
        break;
    case Question::peng:
        if (action.kind == ActionKind::peng) {
            take_peng(seat, false);
        } else {
            pass();
            pending().passed_peng |= static_cast<std::uint8_t>(bit(seat));
            offer_chi(first_claimant());
        }
        break;
    case Question::chi:
        if (action.kind == ActionKind::chi) {
            take_chi(seat, action.chi);
        } else {
            pass();
            pending().passed_chi |= static_cast<std::uint8_t>(bit(seat));
            offer_chi(asked_step() + 1);
        }
        break;
    default:
        answer_hu(action.kind == ActionKind::hu);
    }
    draw_all();
}

Game start_game(const Scorer &scorer, const Deal &deal, EventLog *events) noexcept {
    Game game;
    game.scorer = &scorer;
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        game.player(seat).hand = deal.hands[static_cast<std::size_t>(seat)];
    }
    game.player(0).hand += one_of(deal.shown);
    game.shown = deal.shown;
    game.pending.face = deal.shown;
    game.wall = deal.wall;
    game.wall_count = deal.wall_count;
    Referee(game, events).begin();
    return game;
}

void apply(Game &game, const Action &action, EventLog *events) noexcept {
    Referee(game, events).answer(action);
}

} // namespace paohuzi
