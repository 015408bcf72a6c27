// The rests of a plain hand by vectors: all with as many tiles are numbered at once, and all steps of a rest
// are made at once. Nothing depends on a branch that a processor could not foresee.
#include "plain_finder.hpp"

#include <immintrin.h>

namespace paohuzi {

namespace {

constexpr std::uint32_t LANES = 8;

// The lanes of the steps of a rest: kinds before those of two of a face, these together, the discard.
constexpr unsigned TWO = 1 << (Fillings::QUAD - 1);
constexpr unsigned OF_THREE = 0b0011001; // with so many own tiles
constexpr unsigned OF_TWO = 0b1100110;
constexpr long long DISCARDED = 1;

constexpr long long own_of_lane(std::size_t kind) { return static_cast<long long>(Fillings::KINDS[kind]); }
__m512i own_of_lanes() {
    return _mm512_setr_epi64(own_of_lane(0), own_of_lane(1), own_of_lane(2), own_of_lane(3), own_of_lane(4),
                             own_of_lane(5), own_of_lane(6), DISCARDED);
}
__m512i all_lanes(std::uint64_t value) { return _mm512_set1_epi64(static_cast<long long>(value)); }
__m512i lane_numbers() { return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7); }
__m256i numbers_from(std::uint32_t first) {
    return _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                            _mm256_set1_epi32(static_cast<int>(first)));
}
__m128i bytes_of(const KindBytes &bytes) {
    return _mm_load_si128(reinterpret_cast<const __m128i *>(bytes.data()));
}
std::uint32_t count_bits(unsigned bits) { return static_cast<std::uint32_t>(__builtin_popcount(bits)); }

void list_kinds(const Unfinished &hand, const Fillings &fillings, PlainKinds &out) {
    const __m256i copies =
        _mm256_mask_loadu_epi8(_mm256_set1_epi8(-1), (1U << FACE_COUNT) - 1, hand.unseen.data());
    const __m128i outside = bytes_of(Fillings::OUTSIDE);
    const auto are_out = [&](const KindBytes &faces) {
        const __m256i of_faces = _mm256_permutexvar_epi8(_mm256_castsi128_si256(bytes_of(faces)), copies);
        return _mm_cmpge_epi8_mask(_mm256_castsi256_si128(of_faces), outside);
    };
    std::uint32_t found_any = 0;
    Ranked chosen = 0;
    for (Ranked left = hand.free; left != 0; left &= ~(COUNT_MASK * one_of(lowest_place(left)))) {
        const int lowest = lowest_place(left);
        const auto place = static_cast<std::size_t>(lowest);
        const Fillings::Pairs &pairs = fillings.pairs[place];
        const __mmask16 has_first = are_out(pairs.face);
        const std::uint32_t found = all_kinds(hand.free, lowest) & (has_first | are_out(pairs.other_face));
        out.kinds[place] = static_cast<std::uint16_t>(found);
        out.seconds[place] = static_cast<std::uint16_t>(~has_first);
        _mm_store_si128(reinterpret_cast<__m128i *>(out.xi[place].data()),
                        _mm_mask_blend_epi8(has_first, bytes_of(pairs.other_xi), bytes_of(pairs.xi)));
        chosen |= own_of(found, lowest);
        found_any |= found;
    }
    out.chosen = chosen;
    out.has_quads = (found_any >> Fillings::QUAD & 1) != 0;
}

// Numbers the rests of a level from `first` on; gives the next number.
inline std::uint32_t number(Level &level, std::uint32_t entries, Ranked *tiles_of, std::uint32_t first) {
    std::uint32_t next = first;
    for (std::uint32_t i = 0; i < entries; i += LANES) {
        const std::uint32_t left = entries - i;
        const auto lanes = static_cast<__mmask8>(left < LANES ? (1U << left) - 1 : 0xFF);
        const __m512i tiles = _mm512_loadu_si512(level.tiles.data() + i);
        const __m512i same = _mm512_maskz_conflict_epi64(lanes, tiles); // earlier lanes, as bits
        __mmask8 known = 0;
        __m512i numbers = _mm512_setzero_si512();
        for (std::uint32_t rest = first; rest < next; ++rest) {
            const __mmask8 here = _mm512_mask_cmpeq_epi64_mask(lanes, tiles, all_lanes(tiles_of[rest]));
            numbers = _mm512_mask_set1_epi64(numbers, here, rest);
            known |= here;
        }
        const __mmask8 again = _mm512_test_epi64_mask(same, same);
        const auto is_new = static_cast<__mmask8>(lanes & ~(again | known));
        numbers =
            _mm512_mask_expand_epi64(numbers, is_new, _mm512_add_epi64(lane_numbers(), all_lanes(next)));
        const __m512i lowest = _mm512_and_si512(same, _mm512_sub_epi64(_mm512_setzero_si512(), same));
        const __m512i earlier = _mm512_sub_epi64(all_lanes(63), _mm512_lzcnt_epi64(lowest));
        numbers =
            _mm512_mask_permutexvar_epi64(numbers, static_cast<__mmask8>(again & ~known), earlier, numbers);
        _mm512_storeu_si512(tiles_of + next, _mm512_maskz_compress_epi64(is_new, tiles));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(level.numbers.data() + i),
                            _mm512_cvtepi64_epi32(numbers));
        next += count_bits(is_new);
    }
    return next;
}

// Entries of the level at hand, and of those with so many tiles less.
struct Entries {
    std::uint32_t here = 1;
    std::uint32_t one = 0;
    std::uint32_t two = 0;
    std::uint32_t three = 0;
};

// Writes the steps of a rest, and what they lead to into the levels below.
class Steps {
public:
    Steps(const PlainRestsJob &job, int count, const Entries &entries)
        : level_(&job.levels->of(count)), one_(job.levels->entry(count - 1)),
          two_(job.levels->entry(count - 2)), three_(job.levels->entry(count - 3)), entries_(entries) {}

    bool are_full() const {
        return entries_.one + entries_.two + entries_.three + PlainRest::STEPS_MAX > Level::SIZE;
    }

    std::uint32_t *write(std::uint32_t *step, Ranked tiles, int lowest, std::uint32_t kinds) {
        step = write_near(step, tiles, lowest, kinds);
        for (std::uint32_t far = kinds & FAR_KINDS; far != 0; far &= far - 1) {
            const auto kind = static_cast<std::size_t>(__builtin_ctz(far));
            const Ranked rest = tiles - (Fillings::KINDS[kind] << COUNT_BITS * lowest);
            *step++ = Fillings::OWN_COUNTS[kind] == 3 ? add(-3, three_, entries_.three, rest)
                                                      : add(-2, two_, entries_.two, rest);
        }
        const bool go_together = kinds == 0 && count_of(tiles, lowest) == 2;
        std::uint32_t &entries = go_together ? entries_.two : entries_.one;
        const Ranked copies = go_together ? 2 : 1;
        *step++ = add(go_together ? -2 : -1, go_together ? two_ : one_, entries,
                      tiles - (copies << COUNT_BITS * lowest));
        return step;
    }

    Entries next() const { return {entries_.one, entries_.two, entries_.three, 0}; }

private:
    std::uint32_t *write_near(std::uint32_t *step, Ranked tiles, int lowest, std::uint32_t kinds) {
        const unsigned lanes = (kinds & (TWO - 1)) | (kinds >> (Fillings::PAIR - Fillings::QUAD + 1) & TWO);
        const auto of_three = static_cast<__mmask8>(lanes & OF_THREE);
        const auto of_two = static_cast<__mmask8>(lanes & OF_TWO);
        const __m512i own = _mm512_sll_epi64(own_of_lanes(), _mm_cvtsi32_si128(COUNT_BITS * lowest));
        const __m512i rests = _mm512_sub_epi64(all_lanes(tiles), own);
        _mm512_storeu_si512(level_[-3].tiles.data() + entries_.three,
                            _mm512_maskz_compress_epi64(of_three, rests));
        _mm512_storeu_si512(level_[-2].tiles.data() + entries_.two,
                            _mm512_maskz_compress_epi64(of_two, rests));
        const __m256i those_of_three =
            _mm256_maskz_expand_epi32(of_three, numbers_from(three_ + entries_.three));
        const __m256i entries =
            _mm256_mask_expand_epi32(those_of_three, of_two, numbers_from(two_ + entries_.two));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(step),
                            _mm256_maskz_compress_epi32(static_cast<__mmask8>(lanes), entries));
        entries_.three += count_bits(of_three);
        entries_.two += count_bits(of_two);
        return step + count_bits(lanes);
    }

    std::uint32_t add(int level, std::uint32_t first, std::uint32_t &entries, Ranked rest) {
        level_[level].tiles[entries] = rest;
        return first + entries++;
    }

    Level *level_;
    std::uint32_t one_; // the first entry with so many tiles less
    std::uint32_t two_;
    std::uint32_t three_;
    Entries entries_;
};

// Steps lead to entries so far.
void name_rests(std::uint32_t *steps, std::uint32_t count, const std::uint32_t *numbers) {
    for (std::uint32_t i = 0; i < count; i += 2 * LANES) {
        const auto lanes = static_cast<__mmask16>(count - i < 2 * LANES ? (1U << (count - i)) - 1 : 0xFFFF);
        const __m512i entries = _mm512_maskz_loadu_epi32(lanes, steps + i);
        _mm512_storeu_si512(steps + i, _mm512_i32gather_epi32(entries, numbers, sizeof *numbers));
    }
}

PlainRestsFound find(const PlainRestsJob &job, Ranked whole) {
    const int whole_count = tile_count(whole);
    job.levels->of(whole_count).tiles[0] = whole;
    Entries entries;
    std::uint32_t size = 0;
    std::uint32_t *step = job.steps;
    for (int count = whole_count; count > 0; --count) {
        std::uint32_t rest = size;
        size = number(job.levels->of(count), entries.here, job.tiles, size);
        Steps steps(job, count, entries);
        for (; rest < size; ++rest) {
            if (steps.are_full()) {
                return {};
            }
            const Ranked tiles = job.tiles[rest];
            const int lowest = lowest_place(tiles);
            const std::uint32_t kinds =
                kinds_at(tiles, lowest, job.kinds->kinds[static_cast<std::size_t>(lowest)]);
            job.rests[rest] = {static_cast<std::uint32_t>(step - job.steps),
                               static_cast<std::uint16_t>(kinds), static_cast<std::int8_t>(lowest),
                               static_cast<std::int8_t>(count)};
            step = steps.write(step, tiles, lowest, kinds);
        }
        entries = steps.next();
    }
    size = number(job.levels->of(0), entries.here, job.tiles, size);
    const auto step_count = static_cast<std::uint32_t>(step - job.steps);
    job.rests[size - 1] = {step_count, 0, WANG, 0};
    name_rests(job.steps, step_count, job.levels->all());
    return {size, step_count};
}

} // namespace

PlainRestsFound find_plain_rests_avx512(const PlainRestsJob &job) {
    list_kinds(*job.hand, *job.fillings, *job.kinds);
    return find(job, worth_keeping(job.hand->free, job.kinds->chosen));
}

} // namespace paohuzi
