#include "outlook.hpp"

namespace paohuzi {

void Rests::find(const Unfinished &hand, const Fillings &fillings) {
    hand_ = &hand;
    rests_.clear();
    steps_.clear();
    filled_ = 0;
    by_count_.fill(NONE);
    if (++query_ == 0) {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        query_ = 1;
    }
    choose(fillings);
    rest_of(hand.free, tile_count(hand.free));
    for (int count = rests_[WHOLE].count; count >= 0; --count) {
        for (std::uint32_t rest = by_count_[static_cast<std::size_t>(count)]; rest != NONE;
             rest = rests_[rest].next) {
            find_steps(rest);
        }
    }
}

void Rests::choose(const Fillings &fillings) {
    choices_.clear();
    has_quads_ = false;
    places_ = places_of(hand_->free);
    for (Ranked tiles = hand_->free; tiles != 0;) {
        const int place = lowest_place(tiles);
        tiles &= ~(COUNT_MASK * one_of(place));
        choose_from(fillings, place);
    }
    choose_from(fillings, WANG);
}

// Of those alike the best is enough.
void Rests::choose_from(const Fillings &fillings, int lowest) {
    const auto list = static_cast<std::size_t>(lowest);
    const bool takes_half_pairs = lowest < WANG && is_kept(lowest);
    const Filling *last = nullptr;
    begin_[list] = static_cast<std::uint32_t>(choices_.size());
    for (const Filling &filling : fillings.by_lowest[list]) {
        if (filling.wangs > hand_->wangs) {
            break;
        }
        if ((filling.places & ~places_) == 0 && has_all(hand_->free, filling.own) &&
            hand_->unseen[filling.face] >= filling.outside && (last == nullptr || !filling.is_like(*last)) &&
            (takes_half_pairs || !filling.is_half_pair())) {
            last = &filling;
            choices_.push_back({filling.own, &filling});
            has_quads_ |= filling.is_quad;
        }
    }
    end_[list] = static_cast<std::uint32_t>(choices_.size());
}

// Leaves out lowest tiles that stand in no group with the others. Gives the place of the lowest that stays.
int Rests::skip_lone(Ranked &tiles, int &count) const {
    while (tiles != 0) {
        const int lowest = lowest_place(tiles);
        const auto list = static_cast<std::size_t>(lowest);
        for (std::uint32_t i = begin_[list]; i < end_[list]; ++i) {
            if (has_all(tiles, choices_[i].own)) {
                return lowest;
            }
        }
        if (is_kept(lowest)) {
            return lowest;
        }
        count -= count_of(tiles, lowest);
        tiles &= ~(COUNT_MASK * one_of(lowest));
    }
    return WANG;
}

std::uint32_t Rests::rest_of(Ranked tiles, int count) {
    Slot &slot = slot_of(tiles);
    return slot.query == query_ ? slot.rest : first_met(tiles, count, slot);
}

std::uint32_t Rests::first_met(Ranked tiles, int count, Slot &slot) {
    Ranked staying = tiles;
    const int lowest = skip_lone(staying, count);
    if (staying == tiles) {
        return add_rest(tiles, count, lowest, slot);
    }
    Slot &known = slot_of(staying);
    const std::uint32_t rest = known.query == query_ ? known.rest : add_rest(staying, count, lowest, known);
    slot_of(tiles) = {tiles, query_, rest};
    ++filled_;
    return rest;
}

std::uint32_t Rests::add_rest(Ranked tiles, int count, int lowest, Slot &slot) {
    const auto rest = static_cast<std::uint32_t>(rests_.size());
    slot = {tiles, query_, rest};
    ++filled_;
    std::uint32_t &first = by_count_[static_cast<std::size_t>(count)];
    rests_.push_back({.tiles = tiles,
                      .next = first,
                      .lowest = static_cast<std::int16_t>(lowest),
                      .count = static_cast<std::int16_t>(count)});
    first = rest;
    return rest;
}

// For the steps of one rest.
void Rests::make_room() {
    if (2 * (filled_ + STEPS_MAX) < slots_.size()) {
        return;
    }
    std::vector<Slot> old(slots_.size() * 4);
    old.swap(slots_);
    slot_mask_ = slots_.size() - 1;
    for (const Slot &slot : old) {
        if (slot.query == query_) {
            slot_of(slot.tiles) = slot;
        }
    }
}

void Rests::find_steps(std::uint32_t rest) {
    make_room();
    const Ranked tiles = rests_[rest].tiles;
    const int lowest = rests_[rest].lowest;
    const int count = rests_[rest].count;
    const auto first = static_cast<std::uint32_t>(steps_.size());
    if (tiles != 0) {
        if (!is_kept(lowest)) {
            steps_.push_back({rest_of(tiles - one_of(lowest), count - 1), DISCARD});
        }
        const auto list = static_cast<std::size_t>(lowest);
        for (std::uint32_t i = begin_[list]; i < end_[list]; ++i) {
            const Choice &choice = choices_[i];
            if (has_all(tiles, choice.own)) {
                steps_.push_back({rest_of(tiles - choice.own, count - choice.filling->own_count), i});
            }
        }
    }
    rests_[rest].first_step = first;
    rests_[rest].end_step = static_cast<std::uint32_t>(steps_.size());
}

} // namespace paohuzi
