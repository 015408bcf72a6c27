#include "referee.hpp"

#include "wins.hpp"

namespace paohuzi {

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
    game_.lying += fate == Fate::lies ? one_of(appearance.face) : 0;
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

void Referee::lie() {
    settle(Fate::lies, owner());
    drawer_ = seat_after(owner());
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

void Referee::answer_peng(bool is_peng) {
    const int seat = game_.asked;
    if (is_peng) {
        take_peng(seat, false);
        return;
    }
    pass();
    pending().passed_peng |= static_cast<std::uint8_t>(bit(seat));
    offer_chi(first_claimant());
}

void Referee::answer_chi(const Action &action) {
    const int seat = game_.asked;
    if (action.kind == ActionKind::chi) {
        take_chi(seat, action.chi);
        return;
    }
    pass();
    pending().passed_chi |= static_cast<std::uint8_t>(bit(seat));
    offer_chi(asked_step() + 1);
}

void Referee::answer(const Action &action) {
    switch (game_.question) {
    case Question::discard:
        discard(game_.asked, action.face);
        break;
    case Question::peng:
        answer_peng(action.kind == ActionKind::peng);
        break;
    case Question::chi:
        answer_chi(action);
        break;
    default:
        answer_hu(action.kind == ActionKind::hu);
    }
    draw_all();
}

} // namespace paohuzi
