// Whether the bytes of a view can be one: what is played on from it must stay within the game's arrays.
#pragma once

#include "observe.hpp"

#include <cstdint>

namespace paohuzi {

// Why a view is refused. The door has a text for each, in this order.
enum class ViewFault : std::uint8_t {
    none,
    asked,      // the seat is not asked
    hand,
    exposed,
    wall,
    appearance,
    pending,
    visible,    // the tiles do not add up
    sizes,      // nor do the players' tiles and groups
    course,     // more has happened than can have
};

ViewFault check_view(const Observation &view, int wang) noexcept;

} // namespace paohuzi
