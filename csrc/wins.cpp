#include "wins.hpp"

#include "backtracker.hpp"
#include "index.hpp"
#include "solver.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

bool is_own_draw(const Game &game, int seat) {
    return game.pending.owner == seat && !game.pending.is_discard;
}

bool is_last_tile(const Game &game) {
    return !game.is_opening && !game.pending.is_discard && game.tiles_left() == 0;
}

// A holder of wangs wins on own draws only, nobody on a last tile that all have seen.
bool is_barred(const Game &game, int seat) {
    const bool has_wang = count_of(game.player(seat).hand, WANG) > 0;
    return (has_wang && !is_own_draw(game, seat)) || (hides_shown(game.rules().play) && is_last_tile(game));
}

// Most tiles could only join the free tiles, and most hands then have no division: a few look-ups tell.
bool is_plainly_incomplete(const Game &game, int seat) {
    const Player &player = game.player(seat);
    const int face = game.pending.face;
    const bool joins_free_tiles =
        face != WANG && player.held(face) < 2 && !player.has_triplet(face) && player.held(WANG) == 0;
    if (game.is_opening || !joins_free_tiles || game.rules().options.kan_splittable ||
        tables.chunks == nullptr || backtracker.is_preferred) {
        return false;
    }
    const HandIndex index = index_of(player.hand);
    const int weight = PLACE_WEIGHT[static_cast<std::size_t>(face)];
    const int left = index.left + (is_left(face) ? weight : 0);
    const int right = index.right + (is_left(face) ? 0 : weight);
    const int tiles = index.tile_count() + 1 + 3 * player.exposed_count;
    return !is_complete_count(tiles, player.quads) || tables.plain.xi(left, right) < 0;
}

// False when the tables rule out any division, whatever its xi: under xi that they do not hold, the exact
// answer takes long.
bool has_shape(const Query &query, Options options) {
    if (is_covered(options) || backtracker.is_preferred) {
        return true;
    }
    options.xi = XiTable{};
    options.third_from_other_is_wei = false;
    return best_xi(query, options) != NO_DIVISION;
}

Source source_of(const Game &game, int seat) {
    return game.pending.is_discard ? Source::discard : is_own_draw(game, seat) ? Source::self : Source::other;
}

void pay_winner(Result &result) {
    const std::int64_t payment = std::max<std::int64_t>(result.reckoning.payment, 0);
    result.payments.fill(-payment);
    result.payments[static_cast<std::size_t>(result.winner)] = (PLAYER_COUNT - 1) * payment;
}

// Each holder of wangs pays for each of them to each player without any (docs/rules.md 4.10).
void pay_for_wangs(const Game &game, Result &result) {
    for (int payer = 0; payer < PLAYER_COUNT; ++payer) {
        const int wangs = count_of(game.player(payer).hand, WANG);
        for (int payee = 0; payee < PLAYER_COUNT; ++payee) {
            if (wangs > 0 && count_of(game.player(payee).hand, WANG) == 0) {
                const int payment = wangs * game.rules().play.wang_penalty;
                result.payments[static_cast<std::size_t>(payer)] -= payment;
                result.payments[static_cast<std::size_t>(payee)] += payment;
            }
        }
    }
}

} // namespace

Query win_query(const Game &game, int seat) noexcept {
    const Player &player = game.player(seat);
    Query query{player.hand, player.exposed, NO_WIN_TILE, Source::none};
    const bool is_whole = game.is_heaven || (game.is_opening && seat == 0);
    if (!is_whole) {
        query.win = static_cast<std::int8_t>(game.pending.face);
        query.source = source_of(game, seat);
    }
    return query;
}

Context win_context(const Game &game, int seat) noexcept {
    Context context;
    context.last_tile = is_last_tile(game);
    context.shown_tile = game.is_opening && !game.is_heaven;
    context.dealer = seat == 0;
    context.untouched = game.player(seat).is_untouched;
    context.first_discard = game.pending.is_discard && game.appearance_count == 1 && seat == 1;
    context.heaven = game.is_heaven;
    return context;
}

bool can_win(const Game &game, int seat) noexcept {
    if (is_barred(game, seat) || is_plainly_incomplete(game, seat)) {
        return false;
    }
    const Options &options = game.rules().options;
    const Query query = win_query(game, seat);
    return has_shape(query, options) && exact_xi(query, options) >= std::max<int>(options.min_xi, 0);
}

Result result_of(const Game &game) noexcept {
    Result result;
    result.end = game.end;
    if (game.end == End::drawn) {
        pay_for_wangs(game, result);
    } else if (game.end == End::hu) {
        const Query query = win_query(game, game.winner);
        result.is_heaven = game.is_heaven;
        result.winner = game.winner;
        result.face = query.win;
        result.source = query.source;
        result.reckoning = best_score(*game.scorer, query, win_context(game, game.winner));
        pay_winner(result);
    }
    return result;
}

} // namespace paohuzi
