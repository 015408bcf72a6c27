#include "rests.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

// The fields of the faces of which there is a tile.
Ranked all_of(Ranked tiles) { return ((tiles | tiles >> 1 | tiles >> 2) & ONES & TILE_BITS) * COUNT_MASK; }

// The nearest tiles from the lowest on: how many of its rank in both cases, and whether there are the next
// two in a row.
constexpr std::size_t NEAR_BITS = 9;
constexpr std::size_t near(Ranked tiles, int lowest) {
    const Ranked from = tiles >> COUNT_BITS * lowest;
    return (from & 037) | (from >> 1 & 0140) | (from >> 5 & 0600);
}
constexpr std::uint32_t FAR_KINDS = 017 << 9; // with a 7 or 2

// Which kinds of groups near tiles make.
constexpr auto KINDS_OF = [] {
    std::array<std::uint16_t, std::size_t{1} << NEAR_BITS> kinds{};
    for (std::size_t seen = 0; seen < kinds.size(); ++seen) {
        const Ranked first = seen & 3;
        const Ranked other = seen >> 3 & 3;
        const Ranked tiles = first | other << 3 | (seen >> 5 & 3) << 6 | (seen >> 7 & 3) << 12;
        for (std::size_t kind = 0; kind < Fillings::KIND_COUNT; ++kind) {
            if ((FAR_KINDS >> kind & 1) == 0 && has_all(tiles, Fillings::KINDS[kind])) {
                kinds[seen] = static_cast<std::uint16_t>(kinds[seen] | 1U << kind);
            }
        }
    }
    return kinds;
}();

} // namespace

// The best of those alike that can be had, if there is one.
inline bool Rests::add_choice(const Filling &first) {
    const Filling *const end = &first + first.alike;
    for (const Filling *filling = &first; filling != end; ++filling) {
        if (hand_->unseen[filling->face] >= filling->outside) {
            choices_.push_back({filling->own, filling});
            chosen_ |= filling->own;
            has_quads_ |= filling->is_quad;
            return true;
        }
    }
    return false;
}

// Tries all fillings that the hand has.
class Rests::ByList {
public:
    static constexpr bool KEEPS = true; // tiles that may not be discarded

    explicit ByList(Rests &rests) : rests_(rests) {
        const std::uint32_t places = places_of(rests.hand_->free);
        for (std::uint32_t left = places; left != 0; left &= left - 1) {
            list(__builtin_ctz(left), places);
        }
        list(WANG, places);
    }

    struct Look { // at a rest
        Ranked tiles;
        std::uint32_t first; // of the choices for its lowest tile that it has
        std::uint32_t end;
    };
    Look look(Ranked tiles, int lowest) const {
        const Span &span = spans_[static_cast<std::size_t>(lowest)];
        std::uint32_t first = span.begin;
        while (first < span.end && !has_all(tiles, rests_.choices_[first].own)) {
            ++first;
        }
        return {tiles, first, span.end};
    }
    bool has_any(const Look &look) const { return look.first < look.end; }

    // Calls visit(own tiles, count, choice).
    template <class Visit>
    void for_each(const Look &look, int, Visit visit) const {
        for (std::uint32_t i = look.first; i < look.end; ++i) {
            const Choice &choice = rests_.choices_[i];
            if (has_all(look.tiles, choice.own)) {
                visit(choice.own, choice.filling->own_count, i);
            }
        }
    }

    template <class Visit>
    void for_each_of_wangs(Visit visit) const {
        for (std::uint32_t i = spans_[WANG].begin; i < spans_[WANG].end; ++i) {
            visit(i);
        }
    }

private:
    struct Span { // of choices
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    void list(int lowest, std::uint32_t places) {
        const bool takes_half_pairs = lowest < WANG && rests_.is_kept(lowest);
        Span &span = spans_[static_cast<std::size_t>(lowest)];
        span.begin = static_cast<std::uint32_t>(rests_.choices_.size());
        for (const Filling *filling = rests_.fillings_->by_lowest[static_cast<std::size_t>(lowest)].data();
             filling->wangs <= rests_.hand_->wangs; filling += filling->alike) {
            if ((filling->places & ~places) == 0 && has_all(rests_.hand_->free, filling->own) &&
                (takes_half_pairs || !filling->is_half_pair())) {
                rests_.add_choice(*filling);
            }
        }
        span.end = static_cast<std::uint32_t>(rests_.choices_.size());
    }

    Rests &rests_;
    std::array<Span, WANG + 1> spans_{};
};

// Without wangs and with no face more than twice, from a table of what near tiles can make.
class Rests::ByKind {
public:
    static constexpr bool KEEPS = false;

    explicit ByKind(Rests &rests) {
        const Ranked tiles = rests.hand_->free;
        kinds_.fill(0);
        for (Ranked left = tiles; left != 0; left &= ~(COUNT_MASK * one_of(lowest_place(left)))) {
            list(rests, tiles, lowest_place(left));
        }
    }

    std::uint32_t look(Ranked tiles, int lowest) const { return kinds_at(tiles, lowest); }
    bool has_any(std::uint32_t kinds) const { return kinds != 0; }

    template <class Visit>
    void for_each(std::uint32_t kinds, int lowest, Visit visit) const {
        const auto place = static_cast<std::size_t>(lowest);
        for (; kinds != 0; kinds &= kinds - 1) {
            const auto kind = static_cast<std::size_t>(__builtin_ctz(kinds));
            visit(Fillings::KINDS[kind] << COUNT_BITS * lowest, COUNTS[kind], choices_[place][kind]);
        }
    }

    template <class Visit>
    void for_each_of_wangs(Visit) const {}

private:
    static constexpr std::array<std::uint8_t, Fillings::KIND_COUNT> COUNTS = {3, 2, 2, 3, 3, 2, 2,
                                                                              2, 2, 3, 2, 2, 2};

    static std::uint32_t far_kinds(Ranked tiles, int lowest) {
        std::uint32_t kinds = 0;
        for (std::size_t kind = 9; kind < Fillings::KIND_COUNT; ++kind) {
            kinds |= static_cast<std::uint32_t>(has_all(tiles >> COUNT_BITS * lowest, Fillings::KINDS[kind]))
                     << kind;
        }
        return kinds;
    }

    static std::uint32_t all_kinds(Ranked tiles, int lowest) {
        constexpr std::uint32_t FAR_PLACES = 3U << ranked_place(9) | 3U << ranked_place(6); // of 10 and 7
        return KINDS_OF[near(tiles, lowest)] |
               ((FAR_PLACES >> lowest & 1) != 0 ? far_kinds(tiles, lowest) : 0);
    }

    std::uint32_t kinds_at(Ranked tiles, int lowest) const {
        const std::uint32_t kinds = kinds_[static_cast<std::size_t>(lowest)];
        const std::uint32_t near_kinds = kinds & KINDS_OF[near(tiles, lowest)];
        return (kinds & FAR_KINDS) == 0 ? near_kinds : near_kinds | (kinds & far_kinds(tiles, lowest));
    }

    void list(Rests &rests, Ranked tiles, int lowest) {
        const auto place = static_cast<std::size_t>(lowest);
        const Filling *list = rests.fillings_->by_lowest[place].data();
        for (std::uint32_t kinds = all_kinds(tiles, lowest); kinds != 0; kinds &= kinds - 1) {
            const auto kind = static_cast<std::size_t>(__builtin_ctz(kinds));
            const std::uint8_t first = rests.fillings_->kinds[place][kind];
            const std::size_t choice = rests.choices_.size();
            if (first != Fillings::NONE && rests.add_choice(list[first])) {
                choices_[place][kind] = static_cast<std::uint8_t>(choice);
                kinds_[place] = static_cast<std::uint16_t>(kinds_[place] | 1U << kind);
            }
        }
    }

    std::array<std::uint16_t, WANG + 1> kinds_; // that there are, as bits
    std::array<std::array<std::uint8_t, Fillings::KIND_COUNT>, FACE_COUNT> choices_;
};

void Rests::find(const Unfinished &hand, const Fillings &fillings) {
    hand_ = &hand;
    fillings_ = &fillings;
    size_ = 0;
    step_count_ = 0;
    choices_.clear();
    chosen_ = 0;
    has_quads_ = false;
    if (++query_ == 0) {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        query_ = 1;
    }
    if (hand.wangs == 0 && hand.kept == 0) {
        find_with<ByKind>();
    } else {
        find_with<ByList>();
    }
}

// What changes all the time, apart from the rest.
class Rests::Finder {
public:
    explicit Finder(Rests &all) : all_(all) {
        by_count_.fill(NONE);
        read();
    }

    template <class Chooser>
    void find_steps(const Chooser &chooser, std::uint32_t index) {
        RestOfHand &rest = rests_[index];
        const Ranked tiles = rest.tiles;
        const int count = rest.count;
        const int lowest = lowest_place(tiles);
        RestStep *const first = step_;
        const auto seen = chooser.look(tiles, lowest);
        chooser.for_each(seen, lowest, [&](Ranked own, int own_count, std::uint32_t choice) {
            *step_++ = {rest_of(tiles - own, count - own_count), choice, index};
        });
        if (!Chooser::KEEPS ||
            !all_.is_kept(lowest)) { // those that stand in no group with the others go together
            const int copies = chooser.has_any(seen) ? 1 : count_of(tiles, lowest);
            const Ranked left = tiles - static_cast<Ranked>(copies) * one_of(lowest);
            *step_++ = {rest_of(left, count - copies), DISCARD, index};
        } else if (step_ == first) {
            *step_++ = {index, NO_CHOICE, index};
        }
        rest.lowest = static_cast<std::int16_t>(lowest);
        set_steps(rest, first);
    }

    // The rest without tiles, of which wangs make groups.
    template <class Chooser>
    void find_last_steps(const Chooser &chooser, std::uint32_t index) {
        RestOfHand &rest = rests_[index];
        RestStep *const first = step_;
        chooser.for_each_of_wangs([&](std::uint32_t choice) { *step_++ = {index, choice, index}; });
        rest.lowest = WANG;
        set_steps(rest, first);
    }

    std::uint32_t rest_of(Ranked tiles, int count) {
        const std::size_t place = place_of(tiles, mask_);
        Slot *slot = slots_ + place;
        if (slot->query == query_ && rests_[slot->rest].tiles != tiles) {
            slot = &all_.slot_of(tiles, place);
        }
        if (slot->query != query_) {
            *slot = {query_, size_};
            add_rest(tiles, count);
        }
        return slot->rest;
    }

    void add_rest(Ranked tiles, int count) {
        std::uint32_t &first = by_count_[static_cast<std::size_t>(count)];
        RestOfHand &rest = rests_[size_];
        rest.tiles = tiles;
        rest.next = first;
        rest.count = static_cast<std::int16_t>(count);
        first = size_++;
    }

    bool is_full() const { return step_ > last_step_ || size_ > last_rest_; }
    void grow() {
        write();
        all_.grow();
        read();
    }
    std::uint32_t first(int count) const { return by_count_[static_cast<std::size_t>(count)]; }
    std::uint32_t next(std::uint32_t rest) const { return rests_[rest].next; }

    void write() const {
        all_.size_ = size_;
        all_.step_count_ = static_cast<std::size_t>(step_ - all_.steps_.data());
    }

private:
    void read() {
        mask_ = all_.slots_.size() - 1;
        slots_ = all_.slots_.data();
        rests_ = all_.rests_.data();
        size_ = static_cast<std::uint32_t>(all_.size_);
        last_rest_ = static_cast<std::uint32_t>(all_.rests_.size() - STEPS_MAX);
        step_ = all_.steps_.data() + all_.step_count_;
        last_step_ = all_.steps_.data() + all_.steps_.size() - STEPS_MAX;
    }

    void set_steps(RestOfHand &rest, const RestStep *first) const {
        rest.first_step = static_cast<std::uint32_t>(first - all_.steps_.data());
        rest.end_step = static_cast<std::uint32_t>(step_ - all_.steps_.data());
    }

    Rests &all_;
    const std::uint32_t query_ = all_.query_;
    std::size_t mask_ = 0;
    Slot *slots_ = nullptr;
    RestOfHand *rests_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t last_rest_ = 0;
    RestStep *step_ = nullptr;
    RestStep *last_step_ = nullptr;
    std::array<std::uint32_t, TILES_MAX + 1> by_count_;
};

template <class Chooser>
void Rests::find_with() {
    const Chooser chooser(*this);
    Finder finder(*this);
    const Ranked tiles = hand_->free & (all_of(chosen_) | hand_->kept);
    const int whole = tile_count(tiles);
    finder.rest_of(tiles, whole);
    for (int count = whole; count > 0; --count) {
        for (std::uint32_t rest = finder.first(count); rest != NONE; rest = finder.next(rest)) {
            if (finder.is_full()) {
                finder.grow();
            }
            finder.find_steps(chooser, rest);
        }
    }
    const bool has_empty = finder.first(0) != NONE;
    if (has_empty) {
        finder.find_last_steps(chooser, finder.first(0));
    }
    finder.write();
    empty_ = has_empty ? finder.first(0) : static_cast<std::uint32_t>(size_);
}

Rests::Slot &Rests::slot_of(Ranked tiles, std::size_t place) {
    while (slots_[place].query == query_ && rests_[slots_[place].rest].tiles != tiles) {
        place = (place + 1) & (slots_.size() - 1);
    }
    return slots_[place];
}

void Rests::grow() {
    steps_.resize(4 * steps_.size());
    std::vector<Slot> old(slots_.size() * 4);
    old.swap(slots_);
    rests_.resize(slots_.size() / 2);
    for (const Slot &slot : old) {
        if (slot.query == query_) {
            const Ranked tiles = rests_[slot.rest].tiles;
            slot_of(tiles, place_of(tiles, slots_.size() - 1)) = slot;
        }
    }
}

} // namespace paohuzi
