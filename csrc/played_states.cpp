#include "played_states.hpp"

#include "engine.hpp"
#include "thumb_rule.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace paohuzi {

namespace {

bool are_same(const Query &one, const Query &other) {
    return one.hand == other.hand && one.exposed == other.exposed && one.win == other.win &&
           one.source == other.source;
}

// With no other bytes than those of the query.
void write(const Query &query, Query *out) {
    std::memset(static_cast<void *>(out), 0, sizeof *out);
    out->hand = query.hand;
    out->exposed = query.exposed;
    out->win = query.win;
    out->source = query.source;
}

// Some of all that are offered, each as likely, in whatever order.
class Choice {
public:
    static constexpr std::size_t SIZE = 4;

    explicit Choice(Random &random) : random_(random) {}

    void offer(const Query &query) {
        if (std::any_of(begin(), begin() + size(),
                        [&](const Query &kept) { return are_same(kept, query); })) {
            return; // the same tile has come up for the same hand
        }
        const std::size_t place = seen_ < SIZE ? seen_ : random_.below(seen_ + 1);
        ++seen_;
        if (place < SIZE) {
            kept_[place] = query;
        }
    }
    std::size_t size() const { return std::min(seen_, SIZE); }
    const Query *begin() const { return kept_.data(); }

private:
    Random &random_;
    std::array<Query, SIZE> kept_;
    std::size_t seen_ = 0;
};

class Watcher { // of one game
public:
    Watcher(Game &game, Choice &choice) : game_(game), choice_(choice) {}

    void play(Random &random) {
        while (!game_.is_over()) {
            const Action action = choose_by_thumb(game_, random);
            if (action.kind == ActionKind::discard) {
                offer_to_others(game_.asked, action.face, Source::discard);
            } else if (!game_.is_opening && !game_.pending.is_discard) {
                look_at_draw();
            }
            apply(game_, action);
        }
    }

private:
    // Once a tile, though several may be asked about it.
    void look_at_draw() {
        if (game_.appearance_count == looked_at_) {
            return;
        }
        looked_at_ = game_.appearance_count;
        const int owner = game_.pending.owner;
        offer(owner, game_.pending.face, Source::self);
        if (game_.question != Question::draw_hu) { // then nobody else may have it
            offer_to_others(owner, game_.pending.face, Source::other);
        }
    }
    void offer_to_others(int owner, int face, Source source) {
        for (int step = 1; step < PLAYER_COUNT; ++step) {
            offer(seat_after(owner, step), face, source);
        }
    }
    void offer(int seat, int face, Source source) {
        const Player &player = game_.player(seat);
        if (player.exposed_count > 0 && !player.has_skip) { // with a skip two tiles are missing
            choice_.offer({player.hand, player.exposed, static_cast<std::int8_t>(face), source});
        }
    }

    Game &game_;
    Choice &choice_;
    int looked_at_ = 0;
};

} // namespace

void play_states(const Scorer &scorer, std::uint64_t seed, std::uint64_t first_game, std::size_t count,
                 Query *out) noexcept {
    for (Query *const end = out + count; out != end; ++first_game) {
        const std::uint64_t number = hand_seed(seed, first_game);
        Game game = start_game(scorer, number);
        Random random(~number);
        Choice choice(random);
        Watcher(game, choice).play(random);
        const std::size_t size = std::min(choice.size(), static_cast<std::size_t>(end - out));
        std::for_each_n(choice.begin(), size, [&](const Query &query) { write(query, out++); });
    }
}

} // namespace paohuzi
