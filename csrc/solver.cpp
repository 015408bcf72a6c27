#include "solver.hpp"

#include "check.hpp"
#include "kernels.hpp"
#include "plain_answer.hpp"
#include "routes.hpp"

#include <algorithm>
#include <cstring>

namespace paohuzi {

namespace {

int best_xi(const Routes &routes, int win, Source source) {
    int best = NO_DIVISION;
    bool is_covered = true;
    routes.for_each_route(win, source, [&](const RoutePlan &plan) {
        const int xi = routes.xi_of(plan);
        is_covered &= xi != NOT_COVERED;
        best = std::max(best, xi);
    });
    return is_covered ? best : NOT_COVERED;
}

int best_xi(const Holding &holding, int win, Source source, bool wang_in_quad) {
    if (holding.wangs == 0 && win != WANG) {
        return PlainAnswer(holding).best_xi(win, source);
    }
    return best_xi(Routes(holding, wang_in_quad), win, source);
}

// Faces whose tile does more than join the others when it comes: it may or must go to an exposed group, or is
// the third or fourth copy from another player.
std::uint32_t special_faces(const Holding &holding, Source source) {
    std::uint32_t faces = 0;
    for (const int code : holding.exposed) {
        if (code >= PENG_CODE && code < PAO_CODE) {
            faces |= 1U << (code - PENG_CODE) % FACE_COUNT;
        }
    }
    for (int face = 0; face < FACE_COUNT && source != Source::self; ++face) {
        faces |= static_cast<std::uint32_t>(holding.held(face) >= 2) << face;
    }
    return faces;
}

// Best xi by face for the faces that are left over; false where the tables do not hold the answer.
bool waits_of(const Holding &holding, std::uint32_t possible, Source source, bool wang_in_quad,
              std::int16_t *xi_by_face) {
    std::int8_t drawn[WANG + 1];
    std::uint32_t singly = possible;
    if (holding.wangs == 0 || (source == Source::self && wang_in_quad)) {
        kernels().draws({holding.hand, holding.left, holding.right, holding.xi, holding.tiles_less_quads + 1,
                         holding.quads, holding.kan, holding.wangs},
                        drawn);
        singly &= special_faces(holding, source) | (holding.wangs == 0 ? 1U << WANG : 0);
    }
    for (int face = 0; face <= WANG; ++face) {
        xi_by_face[face] = (possible >> face & 1) != 0 ? drawn[face] : std::int8_t{NO_DIVISION};
    }
    for (; singly != 0; singly &= singly - 1) {
        const int face = __builtin_ctz(singly);
        const int xi = best_xi(holding, face, source, wang_in_quad);
        if (xi == NOT_COVERED) {
            return false;
        }
        xi_by_face[face] = static_cast<std::int16_t>(xi);
    }
    return true;
}

// The faces of which the player has not seen all four, and the wang when one may come.
std::uint32_t left_over(const Query &query, Source source, int wang_total) {
    Packed visible = query.hand;
    for (const int code : query.exposed) {
        visible += GROUP_TILES[static_cast<std::size_t>(code)];
    }
    std::uint32_t faces = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        faces |= static_cast<std::uint32_t>(count_of(visible, face) < COPY_COUNT) << face;
    }
    const bool may_draw_wang = source == Source::self && wang_count(query.hand) < wang_total;
    return faces | static_cast<std::uint32_t>(may_draw_wang) << WANG;
}

bool is_ready(const Query &query) {
    return tables.chunks != nullptr && (!has_wang(query) || tables.wang.is_attached());
}

bool may_wait(const Query &query, Source source, const Options &options, int wang_total) {
    const bool may_draw_wang = source == Source::self && wang_count(query.hand) < wang_total;
    return is_covered(options) && is_ready(query) && (!may_draw_wang || tables.wang.is_attached());
}

} // namespace

bool is_covered(const Options &options) noexcept {
    return std::memcmp(&options.xi, &CLASSIC, sizeof CLASSIC) == 0 && !options.kan_splittable &&
           !options.third_from_other_is_wei && options.self_draw_forced && options.wang_in_triplet;
}

int best_xi(const Query &query, const Options &options) noexcept {
    if (!is_covered(options) || !is_ready(query)) {
        return NOT_COVERED;
    }
    return best_xi(Holding(query), query.win, query.source, options.wang_in_quad);
}

int best_xi(Packed hand) noexcept {
    if (tables.chunks == nullptr || hand >> COUNT_BITS * WANG != 0) {
        return NOT_COVERED;
    }
    const HandIndex index = index_of(hand);
    const int quads = index.ti_count();
    const int tiles = index.tile_count();
    if (index.is_invalid() || tiles > TILES_MAX) {
        return INVALID;
    }
    const int xi = tables.plain.xi(index.left, index.right);
    return xi < 0 || !is_complete_count(tiles - quads, quads) ? NO_DIVISION : xi + index.xi();
}

bool waits(const Query &query, Source source, const Options &options, int wang_total,
           std::int16_t *xi_by_face) noexcept {
    if (!may_wait(query, source, options, wang_total)) {
        return false;
    }
    return waits_of(Holding(query), left_over(query, source, wang_total), source, options.wang_in_quad,
                    xi_by_face);
}

bool ready_discards(const Query &query, Source source, const Options &options, int wang_total,
                    std::uint32_t *faces) noexcept {
    if (!may_wait(query, source, options, wang_total)) {
        return false;
    }
    const std::uint32_t possible = left_over(query, source, wang_total);
    const Holding holding(query);
    *faces = 0;
    for (int face = 0; face < FACE_COUNT; ++face) {
        if (holding.held(face) == 0 || holding.held(face) > 2) {
            continue;
        }
        std::int16_t xi_by_face[WANG + 1];
        if (!waits_of(holding.without(face), possible, source, options.wang_in_quad, xi_by_face)) {
            return false;
        }
        const int best = *std::max_element(xi_by_face, xi_by_face + WANG + 1);
        *faces |= static_cast<std::uint32_t>(best >= std::max<int>(options.min_xi, 0)) << face;
    }
    return true;
}

void max_xi_rows(const std::uint8_t *rows, std::ptrdiff_t stride, std::size_t n, int width,
                 const std::uint8_t *wang, std::int8_t *out) noexcept {
    kernels().max_xi_rows(rows, stride, n, width, wang, out);
}

void max_xi_packed(const std::uint64_t *hands, std::size_t n, const std::uint8_t *wang,
                   std::int8_t *out) noexcept {
    kernels().max_xi_packed(hands, n, wang, out);
}

bool self_waits_packed(const std::uint64_t *hands, std::size_t n, std::int8_t *xi_by_face) noexcept {
    const bool has_wang = std::any_of(hands, hands + n, [](Packed hand) { return wang_count(hand) > 0; });
    if (tables.chunks == nullptr || (has_wang && !tables.wang.is_attached())) {
        return false;
    }
    kernels().self_waits(hands, n, xi_by_face);
    return true;
}

} // namespace paohuzi
