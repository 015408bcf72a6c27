#include "clues.hpp"

#include "pack.hpp"

#include <algorithm>

namespace paohuzi {

namespace {

constexpr std::uint32_t bit_of(int face) { return 1U << face; }

struct Step { // a tile that appeared
    Appearance appearance{};
    Packed given = 0;        // what the player gave of his hand
    std::uint32_t free = 0;  // faces among it that were free tiles
    bool has_skip = false;
    bool is_hidden_wei = false; // of the player
    std::uint8_t place = 0;     // of his next group
    std::uint32_t own_before = 0; // faces that he drew and did not lay, until here
    std::uint32_t others_before = 0; // faces of others that he could have claimed
};

class Course { // of the hand of one player, as the seat of the view has seen it
public:
    Course(const Rules &rules, const Observation &view, int seat, AllClues &all)
        : rules_(rules), view_(view), seat_(seat), all_(all),
          clues_(all.players[static_cast<std::size_t>(seat)]),
          exposed_(view.exposed[static_cast<std::size_t>(seat)]) {}

    void read() {
        count_dealt_quads();
        for (std::size_t i = 0; i < view_.appearance_count; ++i) {
            read_step(i);
        }
        if (seat_ != view_.seat) {
            limit();
        }
    }

private:
    Fate fate_at(std::size_t i) const { return fate_of(view_.appearances[i]); }
    bool is_taken(std::size_t i) const {
        const Fate fate = fate_at(i);
        return view_.appearances[i].taker == seat_ && fate >= Fate::chi && fate <= Fate::joined;
    }
    std::ptrdiff_t events(Fate fate, std::size_t first, int face) const { // of this player; any face: -1
        std::ptrdiff_t count = 0;
        for (std::size_t i = first; i < view_.appearance_count; ++i) {
            const bool is_face = face < 0 || view_.appearances[i].face == face;
            count += is_taken(i) && fate_at(i) == fate && is_face;
        }
        return count;
    }

    void count_dealt_quads() {
        const auto ti = std::count_if(exposed_.begin(), exposed_.end(),
                                      [](int code) { return code >= TI_CODE && code != HIDDEN_GROUP; });
        quads_ = static_cast<int>(ti - events(Fate::ti, 0, -1));
        clues_.dealt_quads = static_cast<std::uint8_t>(quads_);
        place_ = static_cast<std::size_t>(std::max(quads_, 0));
        has_skip_ = seat_ != 0 && quads_ >= 2;
    }

    // From the first to the last: which groups came of which tile.
    void read_step(std::size_t i) {
        Step step;
        step.appearance = view_.appearances[i];
        step.has_skip = has_skip_;
        step.place = static_cast<std::uint8_t>(place_);
        step.own_before = own_;
        step.others_before = others_;
        const int face = step.appearance.face;
        if (step.appearance.is_discard && step.appearance.seat == seat_) {
            step.given = one_of(face);
            step.free = bit_of(face);
            clues_.discarded |= bit_of(face);
            ++clues_.discard_count;
        } else if (is_taken(i)) {
            take(i, step);
            find_nothing_to_discard(i);
            clues_.is_untouched = false;
        }
        note_unclaimed(step);
        steps_.push_back(step);
    }

    // Whether the player would have laid out or run the tile, had he held three of it.
    bool was_open(const Appearance &appearance) const {
        const Fate fate = fate_of(appearance);
        const auto question = static_cast<Question>(view_.question);
        const bool is_own_draw = appearance.seat == seat_ && !appearance.is_discard;
        if (fate == Fate::open) {
            return question == Question::peng || question == Question::chi ||
                   (is_own_draw && question == Question::hu);
        }
        return fate == Fate::lies || fate == Fate::chi || fate == Fate::peng;
    }
    void note_unclaimed(const Step &step) {
        if (was_open(step.appearance)) {
            const bool is_own = step.appearance.seat == seat_;
            (is_own ? own_ : others_) |= bit_of(step.appearance.face);
        }
    }

    void take(std::size_t i, Step &step) {
        const int face = step.appearance.face;
        switch (fate_at(i)) {
        case Fate::chi:
            take_chi(i, step);
            break;
        case Fate::peng:
        case Fate::wei:
        case Fate::chouwei:
            step.is_hidden_wei = face == HIDDEN_FACE;
            step.given = step.is_hidden_wei ? 0 : 2 * one_of(face);
            triplets_ |= bit_of(face);
            ++place_;
            break;
        case Fate::pao:
        case Fate::ti:
            ++quads_;
            if ((triplets_ & bit_of(face)) == 0) {
                step.given = 3 * one_of(face);
                ++place_;
            }
            break;
        default: // a wang joins the hand
            break;
        }
    }

    // The groups from here on with this tile are this 吃 with its 比, and one each later 吃 of it: after this
    // one none of it is left in hand.
    void take_chi(std::size_t i, Step &step) {
        const int face = step.appearance.face;
        const auto is_with = [face](int code) {
            return code >= RUN_CODE && code < PAIR_CODE &&
                   count_of(GROUP_TILES[static_cast<std::size_t>(code)], face) > 0;
        };
        const auto *begin = exposed_.begin() + std::min(place_, exposed_.size());
        const auto groups = std::count_if(begin, exposed_.end(), is_with) - events(Fate::chi, i + 1, face);
        for (std::ptrdiff_t k = 0; k < groups && place_ < exposed_.size() && is_with(exposed_[place_]); ++k) {
            step.given += GROUP_TILES[exposed_[place_++]];
        }
        step.given -= step.given == 0 ? 0 : one_of(face);
        step.free = faces_of(step.given);
    }

    static std::uint32_t faces_of(Packed tiles) {
        std::uint32_t faces = 0;
        for (int face = 0; face < FACE_COUNT; ++face) {
            faces |= count_of(tiles, face) > 0 ? bit_of(face) : 0;
        }
        return faces;
    }

    // No discard follows a tile taken in, and neither a quad nor a skip tells why.
    void find_nothing_to_discard(std::size_t i) {
        const bool is_quad = fate_at(i) == Fate::ti || fate_at(i) == Fate::pao;
        const bool is_skipped = !is_quad && has_skip_;
        has_skip_ = has_skip_ && is_quad;
        if (is_skipped || (is_quad && quads_ >= 2) || i + 1 >= view_.appearance_count) {
            return;
        }
        const Appearance next = view_.appearances[i + 1];
        clues_.has_only_kan |= !next.is_discard || next.seat != seat_;
    }

    // From the last to the first: how much of a face the player can have held then, so how much now.
    void limit() {
        clues_.most.fill(COPY_COUNT);
        for (std::size_t i = steps_.size(); i-- > 0;) {
            look_back_at(steps_[i]);
            given_ += steps_[i].given;
            free_given_ |= steps_[i].free;
        }
        clues_.given = given_;
        const int most_dealt =
            view_.question == static_cast<int>(Question::shown_hu) ? COPY_COUNT : COPY_COUNT - 1;
        for (int face = 0; face < FACE_COUNT; ++face) {
            hold_at_most(face, most_dealt, given_);
        }
        for (HiddenWei &wei : all_.hidden) {
            wei.faces &= wei.seat == seat_ ? ~faces_of(given_) : ~0U;
        }
    }

    void hold_at_most(int face, int most, Packed given_since) {
        std::int8_t &now = clues_.most[static_cast<std::size_t>(face)];
        now = static_cast<std::int8_t>(std::min<int>(now, most - count_of(given_since, face)));
    }

    void look_back_at(const Step &step) {
        const Appearance appearance = step.appearance;
        const int face = appearance.face;
        const Packed since = given_ + step.given;
        if (step.is_hidden_wei) {
            add_hidden_wei(step);
            return;
        }
        if (face >= FACE_COUNT) { // a wang, or another's wei
            return;
        }
        const bool is_own = appearance.seat == seat_;
        const Fate fate = fate_of(appearance);
        if (was_open(appearance)) {
            hold_at_most(face, is_own && !appearance.is_discard ? 1 : 2, since);
            passed_later_ |= bit_of(face);
        }
        if ((is_own && appearance.is_discard) || (is_own && (fate == Fate::wei || fate == Fate::chouwei))) {
            hold_at_most(face, 2, since);
        }
        if (fate == Fate::chi && appearance.taker == seat_) {
            look_back_at_chi(step, since);
        } else if (!is_own && rules_.play.peng_forced && was_open(appearance)) {
            look_back_at_forced_peng(step, since);
        }
    }

    // No copy was left, and what was given was in no kan.
    void look_back_at_chi(const Step &step, Packed since) {
        hold_at_most(step.appearance.face, 0, given_);
        for (int face = 0; face < FACE_COUNT; ++face) {
            if ((step.free >> face & 1) != 0) {
                hold_at_most(face, 2, since);
            }
        }
    }

    void look_back_at_forced_peng(const Step &step, Packed since) {
        const int face = step.appearance.face;
        const auto question = static_cast<Question>(view_.question);
        if (fate_of(step.appearance) == Fate::peng ||
            (fate_of(step.appearance) == Fate::open && question != Question::chi)) {
            return;
        }
        const std::uint32_t others = (free_given_ | step.free) & ~bit_of(face);
        if (step.has_skip || others != 0) {
            hold_at_most(face, 1, since);
        } else {
            all_.forced.push_back(
                {static_cast<std::uint8_t>(seat_), static_cast<std::uint8_t>(face), step.place, since});
        }
    }

    // It cannot be a face that would have run since, nor one that the player drew before and did not lay, nor
    // one that was offered to him as a pair before: then it would be a chouwei.
    void add_hidden_wei(const Step &step) {
        const bool is_offer_certain = rules_.play.dead.peng_by_passed_peng && !clues_.has_only_kan;
        std::uint32_t faces = (1U << FACE_COUNT) - 1;
        faces &= ~(passed_later_ | step.own_before | (is_offer_certain ? step.others_before : 0));
        for (int face = 0; face < FACE_COUNT; ++face) {
            const bool is_shown = seat_ == 0 && face == view_.shown; // counted as visible while he has it
            const int unseen = COPY_COUNT - count_of(view_.visible, face) + is_shown;
            faces &= unseen < 3 ? ~bit_of(face) : ~0U;
        }
        const auto seat = static_cast<std::uint8_t>(seat_);
        const auto before = std::find_if(all_.hidden.begin(), all_.hidden.end(),
                                         [seat](const HiddenWei &wei) { return wei.seat == seat; });
        all_.hidden.insert(before, {seat, step.place, faces}); // the later ones come first
    }

    const Rules &rules_;
    const Observation &view_;
    int seat_;
    AllClues &all_;
    Clues &clues_;
    const std::array<std::uint8_t, GROUP_COUNT> &exposed_;
    std::vector<Step> steps_;
    std::size_t place_ = 0; // of the next group
    int quads_ = 0;
    bool has_skip_ = false;
    std::uint32_t triplets_ = 0;
    std::uint32_t own_ = 0;    // faces that he drew and did not lay
    std::uint32_t others_ = 0; // and those of others
    Packed given_ = 0; // on the way back: since then
    std::uint32_t free_given_ = 0;
    std::uint32_t passed_later_ = 0;
};

// Whether the dealer may have given the shown tile away.
bool has_parted(const Observation &view, const Clues &dealer) {
    const auto *begin = view.exposed[0].begin();
    const auto *end = begin + std::min<std::size_t>(dealer.dealt_quads, GROUP_COUNT);
    return count_of(dealer.given, view.shown) > 0 || std::find(begin, end, TI_CODE + view.shown) != end;
}

} // namespace

AllClues read_clues(const Rules &rules, const Observation &view) {
    AllClues all;
    for (int seat = 0; seat < PLAYER_COUNT; ++seat) {
        Course(rules, view, seat, all).read();
    }
    all.dealer_has_shown = view.seat != 0 && view.shown != HIDDEN_FACE && !has_parted(view, all.players[0]);
    return all;
}

} // namespace paohuzi
