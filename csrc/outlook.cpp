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
    rest_of(hand.free);
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
        if (has_all(hand_->free, filling.own) && hand_->unseen[filling.face] >= filling.outside &&
            (last == nullptr || !filling.is_like(*last)) && (takes_half_pairs || !filling.is_half_pair())) {
            last = &filling;
            choices_.push_back({filling.own, &filling});
            has_quads_ |= filling.is_quad;
        }
    }
    end_[list] = static_cast<std::uint32_t>(choices_.size());
}

// Leaves out lowest tiles that stand in no group with the others. Gives the place of the lowest that stays.
int Rests::skip_lone(Ranked &tiles) const {
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
        tiles &= ~(COUNT_MASK * one_of(lowest));
    }
    return WANG;
}

std::uint32_t Rests::rest_of(Ranked tiles) {
    const Slot &slot = slot_of(tiles);
    return slot.query == query_ ? slot.rest : first_met(tiles);
}

std::uint32_t Rests::first_met(Ranked tiles) {
    Ranked staying = tiles;
    const int lowest = skip_lone(staying);
    const Slot &known = slot_of(staying);
    std::uint32_t rest = known.rest;
    if (known.query != query_) {
        rest = static_cast<std::uint32_t>(rests_.size());
        const int count = tile_count(staying);
        std::uint32_t &first = by_count_[static_cast<std::size_t>(count)];
        rests_.push_back({.tiles = staying,
                          .next = first,
                          .lowest = static_cast<std::int16_t>(lowest),
                          .count = static_cast<std::int16_t>(count)});
        first = rest;
        remember(staying, rest);
    }
    if (staying != tiles) {
        remember(tiles, rest);
    }
    return rest;
}

void Rests::remember(Ranked tiles, std::uint32_t rest) {
    slot_of(tiles) = {tiles, query_, rest};
    if (++filled_ * 2 > slots_.size()) {
        grow_slots();
    }
}

void Rests::grow_slots() {
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
    const Ranked tiles = rests_[rest].tiles;
    const int lowest = rests_[rest].lowest;
    const auto first = static_cast<std::uint32_t>(steps_.size());
    if (tiles != 0) {
        if (!is_kept(lowest)) {
            steps_.push_back({rest_of(tiles - one_of(lowest)), DISCARD});
        }
        const auto list = static_cast<std::size_t>(lowest);
        for (std::uint32_t i = begin_[list]; i < end_[list]; ++i) {
            if (has_all(tiles, choices_[i].own)) {
                steps_.push_back({rest_of(tiles - choices_[i].own), i});
            }
        }
    }
    rests_[rest].first_step = first;
    rests_[rest].end_step = static_cast<std::uint32_t>(steps_.size());
}

} // namespace paohuzi
