#include "rests.hpp"

namespace paohuzi {

namespace {

// The fields of the faces of which there is a tile.
Ranked all_of(Ranked tiles) { return ((tiles | tiles >> 1 | tiles >> 2) & ONES & TILE_BITS) * COUNT_MASK; }

} // namespace

void Rests::find(const Unfinished &hand, const Fillings &fillings) {
    hand_ = &hand;
    choices_.clear();
    chosen_ = 0;
    has_quads_ = false;
    const std::uint32_t places = places_of(hand.free);
    for (std::uint32_t left = places; left != 0; left &= left - 1) {
        list(__builtin_ctz(left), places, fillings);
    }
    list(WANG, places, fillings);
    find_all();
}

// Lists the fillings that the hand has.
void Rests::list(int lowest, std::uint32_t places, const Fillings &fillings) {
    const bool takes_half_pairs = lowest < WANG && is_kept(lowest);
    Span &span = spans_[static_cast<std::size_t>(lowest)];
    span.begin = static_cast<std::uint32_t>(choices_.size());
    for (const Filling *filling = fillings.by_lowest[static_cast<std::size_t>(lowest)].data();
         filling->wangs <= hand_->wangs; filling += filling->alike) {
        if ((filling->places & ~places) == 0 && has_all(hand_->free, filling->own) &&
            (takes_half_pairs || !filling->is_half_pair())) {
            add_choice(*filling);
        }
    }
    span.end = static_cast<std::uint32_t>(choices_.size());
}

// The best of those alike that can be had, if there is one.
void Rests::add_choice(const Filling &first) {
    const Filling *const end = &first + first.alike;
    for (const Filling *filling = &first; filling != end; ++filling) {
        if (hand_->unseen[filling->face] >= filling->outside) {
            choices_.push_back({filling->own, filling});
            chosen_ |= filling->own;
            has_quads_ |= filling->is_quad;
            return;
        }
    }
}

void Rests::find_all() {
    index_.start();
    rests_.clear();
    steps_.clear();
    by_count_.fill(NONE);
    const Ranked tiles = hand_->free & (all_of(chosen_) | hand_->kept);
    const int whole = tile_count(tiles);
    rest_of(tiles, whole);
    for (int count = whole; count > 0; --count) {
        for (std::uint32_t rest = by_count_[static_cast<std::size_t>(count)]; rest != NONE;
             rest = rests_[rest].next) {
            find_steps(rest);
        }
    }
    empty_ = static_cast<std::uint32_t>(rests_.size());
    if (by_count_[0] != NONE) {
        empty_ = by_count_[0];
        find_last_steps(empty_);
    }
}

void Rests::find_steps(std::uint32_t index) {
    const Ranked tiles = rests_[index].tiles;
    const int count = rests_[index].count;
    const int lowest = lowest_place(tiles);
    const auto first = static_cast<std::uint32_t>(steps_.size());
    const Span span = spans_[static_cast<std::size_t>(lowest)];
    for (std::uint32_t i = span.begin; i < span.end; ++i) {
        const Choice &choice = choices_[i];
        if (has_all(tiles, choice.own)) {
            steps_.push_back({rest_of(tiles - choice.own, count - choice.filling->own_count), i, index});
        }
    }
    const bool has_any = steps_.size() > first;
    if (!is_kept(lowest)) { // those that stand in no group with the others go together
        const int copies = has_any ? 1 : count_of(tiles, lowest);
        const Ranked left = tiles - static_cast<Ranked>(copies) * one_of(lowest);
        steps_.push_back({rest_of(left, count - copies), DISCARD, index});
    } else if (!has_any) {
        steps_.push_back({index, NO_CHOICE, index});
    }
    rests_[index].lowest = static_cast<std::int16_t>(lowest);
    rests_[index].first_step = first;
    rests_[index].end_step = static_cast<std::uint32_t>(steps_.size());
}

// The rest without tiles, of which wangs make groups.
void Rests::find_last_steps(std::uint32_t index) {
    rests_[index].first_step = static_cast<std::uint32_t>(steps_.size());
    for (std::uint32_t i = spans_[WANG].begin; i < spans_[WANG].end; ++i) {
        steps_.push_back({index, i, index});
    }
    rests_[index].end_step = static_cast<std::uint32_t>(steps_.size());
}

std::uint32_t Rests::rest_of(Ranked tiles, int count) {
    const auto next = static_cast<std::uint32_t>(rests_.size());
    const std::uint32_t number = index_.number_of(tiles, next);
    if (number == next) {
        std::uint32_t &first = by_count_[static_cast<std::size_t>(count)];
        rests_.push_back({tiles, 0, 0, first, WANG, static_cast<std::int16_t>(count)});
        first = number;
    }
    return number;
}

} // namespace paohuzi
