// Leads a hand from question to question (docs/rules.md 4).
#pragma once

#include "events.hpp"
#include "game.hpp"

#include <cstdint>

namespace paohuzi {

constexpr std::uint32_t bit(int number) { return 1U << number; }

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
    bool is_laid_by_itself(int seat) const { // its own draw: as ti or wei
        const Player &player = game_.player(seat);
        return player.held(face()) >= 2 || player.has_wei(face());
    }
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

    // A question is answered.
    void answer_hu(bool is_hu);
    void answer_peng(bool is_peng);
    void answer_chi(const Action &action);
    void pass();

    static constexpr int NOBODY = -1;

    Game &game_;
    EventLog *events_;
    int drawer_ = NOBODY; // who draws next
};

} // namespace paohuzi
