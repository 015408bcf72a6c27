// A tile is taken in, and what follows (docs/rules.md 4.4).
#include "facts.hpp"
#include "referee.hpp"

#include <algorithm>

namespace paohuzi {

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

} // namespace paohuzi
