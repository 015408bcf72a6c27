// Table "wang": what each half can make with exactly 0-4 wangs, for every state at the cut.
//
// Sizes: patterns, numbers of wangs. After the header, left and right in turn:
//   uint16 vector number by [pattern][wangs], uint32 first vector of each number of wangs and the end, the
//   vectors.
// A vector is 54 bytes of 108 four-bit values, state i in byte i (low half) for i < 54, byte i - 54 (high
// half) for the others: xi / 3 + 1, 0 where there is no division. Neither pairs nor quads are in it: they lie
// in one half and reduce to a smaller pattern.
#include "classes.hpp"
#include "halves.hpp"
#include "render.hpp"

namespace {

constexpr std::uint32_t VERSION = 1;
constexpr int LOW_COUNT = tables::STATES_A_RESIDUE / 2;
constexpr int VALUE_MAX = 15;
constexpr std::size_t VECTOR_BYTES = LOW_COUNT;

std::string pack(const tables::StateVector<std::int8_t> &vector) {
    std::string row(VECTOR_BYTES, '\0');
    for (int i = 0; i < tables::STATES_A_RESIDUE; ++i) {
        const int xi = vector[static_cast<std::size_t>(i)];
        const int value = xi == tables::NONE ? 0 : xi / 3 + 1;
        if (value > VALUE_MAX) {
            throw std::length_error("xi does not fit four bits");
        }
        char &byte = row[static_cast<std::size_t>(i % LOW_COUNT)];
        byte = static_cast<char>(byte | value << (i < LOW_COUNT ? 0 : 4));
    }
    return row;
}

void add_half(tables::Writer &writer, tables::Half half) {
    const tables::HalfTable table(half);
    constexpr std::size_t WANGS = tables::WANGS;
    std::vector<std::uint16_t> numbers(tables::PATTERN_COUNT * WANGS);
    std::vector<std::uint32_t> firsts{0};
    std::vector<char> vectors;
    for (std::size_t wangs = 0; wangs < WANGS; ++wangs) {
        tables::Classes classes;
        for (int pattern = 0; pattern < tables::PATTERN_COUNT; ++pattern) {
            classes.add(pack(table.xi(pattern, static_cast<int>(wangs))), tables::frequency(pattern));
        }
        classes.sort();
        for (std::size_t pattern = 0; pattern < classes.member_of().size(); ++pattern) {
            numbers[pattern * WANGS + wangs] = tables::to_u16(classes.member_of()[pattern]);
        }
        for (const std::string &row : classes.rows()) {
            vectors.insert(vectors.end(), row.begin(), row.end());
        }
        firsts.push_back(static_cast<std::uint32_t>(vectors.size() / VECTOR_BYTES));
    }
    writer.add(numbers);
    writer.add(firsts);
    writer.add(vectors);
}

tables::Writer build() {
    tables::Writer writer("wang", VERSION, {tables::PATTERN_COUNT, tables::WANGS});
    add_half(writer, tables::Half::left);
    add_half(writer, tables::Half::right);
    return writer;
}

} // namespace

int main(int argc, char **argv) { return tables::run(argc, argv, build); }
