// What happened, one event after the other, for those who keep a record.
#pragma once

#include "chi.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace paohuzi {

enum class EventKind : std::uint8_t { draw, discard, chi, peng, wei, ti, pao, hu, pass, skip, drawn_hand };
inline constexpr std::size_t EVENT_COUNT = 11;

struct Event {
    EventKind kind = EventKind::draw;
    std::uint8_t seat = 0;
    std::uint8_t from = 0;  // whose tile it was
    std::uint8_t face = 0;
    Chi chi{};              // of wei, ti and the like only the code; of a pass the question
    bool is_forced = false; // nobody chose it
    bool is_dealt = false;  // ti laid out after the deal
    bool is_hidden = false; // a draw that is laid down unseen, and wei: only the seat knows the face

    bool operator==(const Event &) const = default;
};
static_assert(sizeof(Event) == 10);

class EventLog { // of one call
public:
    // Every draw of the wall with what follows by itself, the dealt quads, and the action.
    static constexpr std::size_t EVENTS_MAX = 96;

    void clear() { size_ = 0; }
    void add(const Event &event) {
        if (size_ < EVENTS_MAX) {
            events_[size_++] = event;
        }
    }
    const Event *begin() const { return events_.data(); }
    const Event *end() const { return events_.data() + size_; }
    std::size_t size() const { return size_; }

private:
    std::array<Event, EVENTS_MAX> events_{};
    std::size_t size_ = 0;
};

} // namespace paohuzi
