#include "unfinished.hpp"

#include "check.hpp"
#include "facts.hpp"
#include "pack.hpp"
#include "state.hpp"

#include <cstring>

namespace paohuzi {

std::array<std::int8_t, FACE_COUNT> unseen_tiles(const Query &query, Packed visible) {
    const Packed seen = visible_tiles(query);
    std::array<std::int8_t, 24> unseen; // eight faces at a time
    for (int face = 0; face < FACE_COUNT; face += 8) {
        constexpr std::uint64_t EACH = 0x0101010101010101;
        constexpr std::uint64_t SIGNS = 0x80 * EACH; // no borrow from byte to byte
        const auto counts = [face](Packed tiles) {
            return spread((tiles & TILE_BITS) >> COUNT_BITS * face & 0xffffff);
        };
        const std::uint64_t left = ((SIGNS + COPY_COUNT * EACH) - counts(seen) - counts(visible)) ^ SIGNS;
        std::memcpy(&unseen[static_cast<std::size_t>(face)], &left, sizeof left);
    }
    std::array<std::int8_t, FACE_COUNT> of_faces;
    std::memcpy(of_faces.data(), unseen.data(), sizeof of_faces);
    return of_faces;
}

Unfinished::Unfinished(const Query &query, Packed visible, const Options &options)
    : wangs(count_of(query.hand, WANG)), room(GROUP_COUNT), unseen(unseen_tiles(query, visible)) {
    for (const int code : query.exposed) {
        if (code != 0) {
            settle(code, options);
        }
    }
    const Packed tiles = query.hand & TILE_BITS;
    const Packed held = tiles & ~free_tiles(tiles); // three or four times
    if (options.kan_splittable) {
        free = to_ranked(tiles);
        kept = to_ranked(((held | held >> 1 | held >> 2) & ONES) * COUNT_MASK);
        return;
    }
    free = to_ranked(tiles & ~held);
    for (Packed rest = held; rest != 0;) {
        const int face = __builtin_ctzll(rest) / COUNT_BITS;
        settle((count_of(rest, face) == COPY_COUNT ? TI_CODE : KAN_CODE) + face, options);
        rest &= ~(COUNT_MASK * one_of(face));
    }
}

void Unfinished::settle(int code, const Options &options) {
    const int worth = xi_of(options.xi, code);
    room -= 1;
    xi += worth;
    quads += is_quad_code(code);
    if (code >= PENG_CODE && code < PAO_CODE) {
        const bool is_kan = code >= KAN_CODE && code < WEI_CODE;
        add_growth((code - PENG_CODE) % FACE_COUNT, is_kan ? 0 : code, worth, options);
    }
}

void Unfinished::add_growth(int face, int grown_from, int worth, const Options &options) {
    Growth growth;
    growth.face = static_cast<std::uint8_t>(face);
    growth.grown_from = static_cast<std::uint8_t>(grown_from);
    growth.takes_outside = unseen[static_cast<std::size_t>(face)] > 0;
    growth.takes_wang = grown_from == 0 && wangs > 0 && options.wang_in_quad;
    growth.pao_more = static_cast<std::int16_t>(xi_of(options.xi, PAO_CODE + face) - worth);
    growth.ti_more = static_cast<std::int16_t>(xi_of(options.xi, TI_CODE + face) - worth);
    if ((growth.takes_outside || growth.takes_wang) && growth_count < GROUP_COUNT) {
        growths[static_cast<std::size_t>(growth_count++)] = growth;
    }
}

} // namespace paohuzi
