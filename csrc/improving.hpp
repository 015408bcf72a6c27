// The tiles whose taking brings a hand nearer to a win (docs/rules.md 7.4).
#pragma once

#include "chi.hpp"
#include "danger.hpp"
#include "distance.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

enum class How : std::uint8_t { hu, peng, chi, wei, ti, pao, wang }; // wang: it joins the hand

struct Improvement {
    std::int8_t face = 0;
    Source source = Source::none;
    How how = How::hu;
    Chi chi{};
    std::int8_t discard = NO_WIN_TILE; // that follows, of those that leave as much the least danger
    std::uint32_t discards = 0;        // all of these, as bits
    std::int8_t distance = UNREACHABLE; // after it
};

inline constexpr int SOURCE_COUNT = 3;
inline constexpr std::size_t IMPROVEMENTS_MAX = SOURCE_COUNT * (FACE_COUNT + 1);

// Of a query without winning tile that is not to discard; by source, then by face. Returns how many.
std::size_t find_improving(const Distances &distances, const Play &play, const Query &query, Packed visible,
                           Improvement *out) noexcept;

// Copies of a face, or of the wang, that cannot be seen.
int unseen_copies(const Query &query, Packed visible, int wang_total, int face);

} // namespace paohuzi
