#include "random_play.hpp"

#include "engine.hpp"
#include "legal.hpp"
#include "wins.hpp"

namespace paohuzi {

namespace {

class Tally {
public:
    Tally(Totals &totals, bool with_events) : totals_(totals), events_(with_events ? &log_ : nullptr) {}

    void play(const Scorer &scorer, std::uint64_t seed) {
        Random random(~seed);
        Game game = start_game(scorer, seed, events_);
        count_events();
        while (!game.is_over()) {
            std::array<Action, ACTIONS_MAX> actions;
            const std::size_t size = legal_actions(game, actions.data());
            totals_.choices += size;
            ++totals_.decisions;
            ++totals_.questions[static_cast<std::size_t>(game.question)];
            apply(game, actions[random.below(size)], events_);
            count_events();
        }
        count_end(game);
    }

private:
    void count_events() {
        if (events_ == nullptr) {
            return;
        }
        for (const Event &event : log_) {
            ++totals_.events[static_cast<std::size_t>(event.kind)];
        }
        log_.clear();
    }
    void count_end(const Game &game) {
        ++totals_.hands;
        totals_.heavens += game.is_heaven;
        totals_.drawn += game.end == End::drawn;
        if (game.end == End::hu) {
            totals_.payment += static_cast<std::uint64_t>(result_of(game).reckoning.payment);
        }
    }

    Totals &totals_;
    EventLog log_;
    EventLog *events_;
};

} // namespace

void play_randomly(const Scorer &scorer, std::uint64_t first_seed, std::uint64_t hands, bool with_events,
                   Totals &totals) noexcept {
    Tally tally(totals, with_events);
    for (std::uint64_t i = 0; i < hands; ++i) {
        tally.play(scorer, first_seed + i);
    }
}

} // namespace paohuzi
