#include "tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace paohuzi {

namespace {

std::uint32_t make_chunk(int bits) {
    std::uint32_t pattern = 0, kan = 0, ti = 0, tiles = 0, invalid = 0;
    std::uint32_t weight = 1;
    for (int i = 0; i < HALF_RANKS; ++i, weight *= 9) {
        const auto count = static_cast<std::uint32_t>(bits >> (COUNT_BITS * i)) & 7U;
        tiles += count;
        pattern += count <= 2 ? count * weight : 0;
        kan += count == 3;
        ti += count == COPY_COUNT;
        invalid = count > COPY_COUNT ? CHUNK_INVALID : invalid;
    }
    return pattern | kan << CHUNK_KAN | ti << CHUNK_TI | tiles << CHUNK_TILES | invalid;
}

const std::uint32_t *make_chunks() {
    static std::vector<std::uint32_t> chunks(CHUNK_COUNT);
    for (int bits = 0; bits < CHUNK_COUNT; ++bits) {
        chunks[static_cast<std::size_t>(bits)] = make_chunk(bits);
    }
    return chunks.data();
}

constexpr std::size_t ALIGNMENT = 64;
constexpr std::uint32_t VERSION = 1;

class Reader {
public:
    Reader(const char *name, const void *bytes, std::size_t size)
        : bytes_(static_cast<const char *>(bytes)), size_(size) {
        char expected[28] = "PHZTABLE";
        std::memcpy(expected + 8, name, std::strlen(name));
        std::memcpy(expected + 24, &VERSION, sizeof VERSION);
        is_good_ = size >= ALIGNMENT && std::memcmp(bytes, expected, sizeof expected) == 0;
    }

    std::uint32_t size_at(int index) const {
        std::uint32_t value = 0;
        if (is_good_) {
            std::memcpy(&value, bytes_ + 28 + 4 * index, sizeof value);
        }
        return value;
    }

    template <class T>
    const T *take(std::size_t count) {
        const std::size_t length = (count * sizeof(T) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (!is_good_ || length > size_ - position_) {
            is_good_ = false;
            return nullptr;
        }
        const void *place = bytes_ + position_;
        position_ += length;
        return static_cast<const T *>(place);
    }

    bool is_done() const { return is_good_ && position_ == size_; }

private:
    const char *bytes_;
    std::size_t size_;
    std::size_t position_ = ALIGNMENT;
    bool is_good_;
};

bool attach_plain(Reader reader) {
    PlainTable plain;
    plain.left = reader.take<std::uint16_t>(reader.size_at(0));
    plain.right = reader.take<std::uint16_t>(reader.size_at(0));
    plain.stride = reader.size_at(3);
    plain.matrix = reader.take<std::int8_t>(std::size_t{reader.size_at(1)} * plain.stride);
    if (!reader.is_done() || reader.size_at(0) != PATTERN_COUNT) {
        return false;
    }
    tables.chunks = make_chunks();
    tables.plain = plain;
    return true;
}

bool attach_divisions(Reader reader) {
    DivisionsTable divisions;
    divisions.numbers = reader.take<std::uint16_t>(std::size_t{reader.size_at(0)} * 4);
    divisions.vectors = reader.take<std::uint8_t>(std::size_t{reader.size_at(1)} * 128);
    if (!reader.is_done() || reader.size_at(0) != PATTERN_COUNT) {
        return false;
    }
    tables.divisions = divisions;
    return true;
}

constexpr int WANG_COUNTS = WANG_MAX + 1;

using Vector = std::array<std::uint8_t, VECTOR_BYTES>;

// Vectors of one side, each kept once within its family; memory is taken page by page as it is used.
class Pool {
public:
    Pool() {
        constexpr std::size_t HUGE_PAGE = std::size_t{1} << 21;
        constexpr std::size_t LARGEST = std::size_t{FAMILY_COUNT} * PATTERN_COUNT * VECTOR_BYTES;
        const std::size_t size = (LARGEST / HUGE_PAGE + 1) * HUGE_PAGE;
        bytes_ = static_cast<std::uint8_t *>(std::aligned_alloc(HUGE_PAGE, size));
        if (bytes_ == nullptr) {
            throw std::bad_alloc();
        }
#ifdef __linux__
        madvise(bytes_, size, MADV_HUGEPAGE);
#endif
    }

    void begin_family() {
        first_ = end_;
        std::fill(slots_.begin(), slots_.end(), EMPTY);
    }

    // A vector that is known to be new to the family.
    void add(const std::uint8_t *vector, std::size_t size) {
        std::memcpy(bytes_ + end_ * VECTOR_BYTES, vector, size);
        std::memset(bytes_ + end_ * VECTOR_BYTES + size, 0, VECTOR_BYTES - size);
        ++end_;
    }

    VectorNumber number_of(const Vector &vector) {
        std::uint64_t hash = 0;
        for (int i = 0; i < VECTOR_BYTES; i += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, vector.data() + i, sizeof word);
            hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 32;
        }
        std::size_t slot = hash % SLOT_COUNT;
        while (slots_[slot] != EMPTY) {
            if (std::memcmp(at(slots_[slot]), vector.data(), VECTOR_BYTES) == 0) {
                return static_cast<VectorNumber>(slots_[slot]);
            }
            slot = (slot + 1) % SLOT_COUNT;
        }
        slots_[slot] = static_cast<std::uint32_t>(end_ - first_);
        add(vector.data(), VECTOR_BYTES);
        return static_cast<VectorNumber>(slots_[slot]);
    }

    const std::uint8_t *family() const { return bytes_ + first_ * VECTOR_BYTES; }
    std::size_t size() const { return end_ * VECTOR_BYTES; }

private:
    static constexpr std::uint32_t EMPTY = 0xFFFFFFFF;
    static constexpr std::size_t SLOT_COUNT = std::size_t{1} << 17; // more than twice the patterns

    const std::uint8_t *at(std::uint32_t number) const {
        return family() + std::size_t{number} * VECTOR_BYTES;
    }

    std::uint8_t *bytes_ = nullptr; // kept for good
    std::size_t first_ = 0;         // of the family, in vectors
    std::size_t end_ = 0;
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(SLOT_COUNT);
};

// The state by state best of several vectors, each with an xi to add.
class Best {
public:
    void add(const std::uint8_t *vector, int thirds) {
        const auto more = static_cast<std::uint8_t>(thirds);
        for (int i = 0; i < VECTOR_BYTES; ++i) {
            const auto low = static_cast<std::uint8_t>(vector[i] & 15);
            const auto high = static_cast<std::uint8_t>(vector[i] >> 4);
            low_[i] = std::max(low_[i], static_cast<std::uint8_t>(low == 0 ? 0 : low + more));
            high_[i] = std::max(high_[i], static_cast<std::uint8_t>(high == 0 ? 0 : high + more));
        }
    }

    Vector vector() const {
        Vector vector;
        for (std::size_t i = 0; i < VECTOR_BYTES; ++i) {
            vector[i] = static_cast<std::uint8_t>(low_[i] | high_[i] << 4);
        }
        return vector;
    }

private:
    std::uint8_t low_[VECTOR_BYTES] = {};
    std::uint8_t high_[VECTOR_BYTES] = {};
};

constexpr std::size_t PLACES = 2 * HALF_RANKS;
constexpr int FREE_TILES_MAX = 21; // of seven groups; a half with more, wangs included, has no division

// A face's place in a half: both halves are alike.
constexpr auto WEIGHTS = [] {
    std::array<int, PLACES> weights{};
    for (std::size_t place = 0; place < PLACES; ++place) {
        weights[place] = PLACE_WEIGHT[place < HALF_RANKS ? place : place + HALF_RANKS];
    }
    return weights;
}();

struct Pattern {
    int index = 0;
    int tiles = 0;
    std::array<std::uint8_t, PLACES> counts{};
    double frequency = 1; // in random deals, up to a factor
};

// The frequent ones first, so that the vectors in use lie together.
std::vector<Pattern> patterns_by_frequency() {
    std::vector<Pattern> patterns(PATTERN_COUNT);
    for (int index = 0; index < PATTERN_COUNT; ++index) {
        Pattern &pattern = patterns[static_cast<std::size_t>(index)];
        pattern.index = index;
        for (std::size_t place = 0; place < PLACES; ++place) {
            constexpr double BY_COUNT[] = {17, 21, 11};
            const int count = index / WEIGHTS[place] % 3;
            pattern.counts[place] = static_cast<std::uint8_t>(count);
            pattern.tiles += count;
            pattern.frequency *= BY_COUNT[count];
        }
    }
    std::stable_sort(patterns.begin(), patterns.end(),
                     [](const Pattern &a, const Pattern &b) { return a.frequency > b.frequency; });
    return patterns;
}

class WangBuilder {
public:
    explicit WangBuilder(const std::vector<Pattern> &order) : order_(order) {}

    // As the file has it: vectors of 54 bytes, the frequent ones first.
    void add_plain(int wangs, const VectorNumber *numbers, const std::uint8_t *vectors, std::size_t count) {
        begin(plain_family(wangs));
        for (std::size_t number = 0; number < count; ++number) {
            pool_.add(vectors + number * VECTOR_USED, VECTOR_USED);
        }
        for (int pattern = 0; pattern < PATTERN_COUNT; ++pattern) {
            set(pattern, plain_family(wangs), numbers[pattern * WANG_COUNTS]);
        }
    }

    // A pair or a quad lies in one half: the best over its own tiles and wangs of what the rest makes.
    void add_family(int family, int (*rest_family)(int), int wangs, int size) {
        begin(family);
        for (const Pattern &pattern : order_) {
            Best best;
            const bool is_possible = pattern.tiles + wangs <= FREE_TILES_MAX;
            for (std::size_t place = 0; place < PLACES && is_possible; ++place) {
                for (int own = std::max(1, size - wangs); own <= pattern.counts[place]; ++own) {
                    best.add(vector(pattern.index - own * WEIGHTS[place], rest_family(wangs - (size - own))),
                             size == 2            ? 0
                             : place < HALF_RANKS ? 3
                                                  : 4);
                }
            }
            if (size <= wangs && is_possible) {
                best.add(vector(pattern.index, rest_family(wangs - size)), size == 2 ? 0 : 4);
            }
            set(pattern.index, family, pool_.number_of(best.vector()));
        }
    }

    WangHalf finish() {
        for (int i = 0; i < STRIDE_COUNT; ++i) {
            const auto stride = std::size_t{4} << i;
            auto *numbers = new VectorNumber[PATTERN_COUNT * stride]; // kept for good
            for (std::size_t pattern = 0; pattern < PATTERN_COUNT; ++pattern) {
                std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(pattern * FAMILY_COUNT), stride,
                            numbers + pattern * stride);
            }
            half_.numbers[static_cast<std::size_t>(i)] = numbers;
            size_ += PATTERN_COUNT * stride * sizeof(VectorNumber);
        }
        size_ += pool_.size();
        return half_;
    }
    std::size_t size() const { return size_; } // bytes, once finished

private:
    void begin(int family) {
        pool_.begin_family();
        half_.vectors[static_cast<std::size_t>(family)] = pool_.family();
    }
    void set(int pattern, int family, VectorNumber number) {
        numbers_[static_cast<std::size_t>(pattern * FAMILY_COUNT + family)] = number;
    }
    const std::uint8_t *vector(int pattern, int family) const {
        return half_.vector(numbers_.data() + pattern * FAMILY_COUNT, family);
    }

    const std::vector<Pattern> &order_;
    Pool pool_;
    std::vector<VectorNumber> numbers_ = std::vector<VectorNumber>(std::size_t{PATTERN_COUNT} * FAMILY_COUNT);
    WangHalf half_;
    std::size_t size_ = 0;
};

std::size_t wang_bytes = 0;

bool make_wang_half(Reader &reader, const std::vector<Pattern> &order, WangHalf &half) {
    const auto *numbers = reader.take<VectorNumber>(std::size_t{PATTERN_COUNT} * WANG_COUNTS);
    const auto *firsts = reader.take<std::uint32_t>(WANG_COUNTS + 1);
    if (firsts == nullptr) {
        return false;
    }
    const auto *vectors = reader.take<std::uint8_t>(std::size_t{firsts[WANG_COUNTS]} * VECTOR_USED);
    if (vectors == nullptr) {
        return false;
    }
    WangBuilder builder(order);
    for (int wangs = 0; wangs < WANG_COUNTS; ++wangs) {
        builder.add_plain(wangs, numbers + wangs, vectors + std::size_t{firsts[wangs]} * VECTOR_USED,
                          firsts[wangs + 1] - firsts[wangs]);
    }
    for (int wangs = 0; wangs < WANG_COUNTS; ++wangs) {
        builder.add_family(pair_family(wangs), plain_family, wangs, 2);
    }
    for (int wangs = 2; wangs < WANG_COUNTS; ++wangs) {
        builder.add_family(quad_family(wangs), plain_family, wangs, 4);
        builder.add_family(quad_pair_family(wangs), pair_family, wangs, 4);
    }
    half = builder.finish();
    wang_bytes += builder.size();
    return true;
}

bool attach_wang(Reader reader) {
    WangTable wang;
    const std::vector<Pattern> order = patterns_by_frequency();
    if (reader.size_at(0) != PATTERN_COUNT || reader.size_at(1) != WANG_COUNTS ||
        !make_wang_half(reader, order, wang.left) || !make_wang_half(reader, order, wang.right) ||
        !reader.is_done()) {
        return false;
    }
    tables.wang = wang;
    return true;
}

std::size_t attached_bytes = 0;

} // namespace

Tables tables;

bool attach_table(const char *name, const void *bytes, std::size_t size) noexcept {
    const struct {
        const char *name;
        bool (*attach)(Reader);
        bool is_copied;
    } known[] = {
        {"plain", attach_plain, false}, {"divisions", attach_divisions, false}, {"wang", attach_wang, true}};
    for (const auto &table : known) {
        if (std::strcmp(name, table.name) == 0) {
            try {
                const bool is_attached = table.attach(Reader(name, bytes, size));
                attached_bytes += is_attached && !table.is_copied ? size : 0;
                return is_attached;
            } catch (const std::bad_alloc &) {
                return false;
            }
        }
    }
    return false;
}

void share_tables(const Tables &attached) noexcept {
    if (tables.chunks == nullptr) {
        tables = attached;
    } else if (!tables.wang.is_attached()) {
        tables.wang = attached.wang;
    }
}

std::size_t table_bytes() noexcept {
    return attached_bytes + wang_bytes + CHUNK_COUNT * sizeof(std::uint32_t);
}

} // namespace paohuzi
