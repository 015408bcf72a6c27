// Table "divisions": in how many ways each half can be laid out for every state at the cut, without wang.
//
// Sizes: patterns, vectors. After the header:
//   uint16 vector number by [pattern][left, left with pair, right, right with pair];
//   uint8 vectors[number][128], of which the first 108 count.
// The number of divisions of a hand is the sum over the states of the products of its halves' numbers.
#include "classes.hpp"
#include "halves.hpp"
#include "render.hpp"

namespace {

constexpr std::uint32_t VERSION = 1;
constexpr std::size_t VECTOR_BYTES = 128;

tables::Writer build() {
    const tables::HalfTable left(tables::Half::left);
    const tables::HalfTable right(tables::Half::right);
    tables::Classes classes;
    for (int pattern = 0; pattern < tables::PATTERN_COUNT; ++pattern) {
        for (const auto &counts : {left.counts(pattern), left.counts_with_pair(pattern),
                                   right.counts(pattern), right.counts_with_pair(pattern)}) {
            std::string row(VECTOR_BYTES, '\0');
            for (std::size_t state = 0; state < counts.size(); ++state) {
                row[state] = static_cast<char>(tables::to_u16(static_cast<std::size_t>(counts[state]), 256));
            }
            classes.add(row, tables::frequency(pattern));
        }
    }
    classes.sort();
    std::vector<std::uint16_t> numbers;
    for (const std::size_t member : classes.member_of()) {
        numbers.push_back(tables::to_u16(member));
    }
    std::vector<char> vectors;
    for (const std::string &row : classes.rows()) {
        vectors.insert(vectors.end(), row.begin(), row.end());
    }
    tables::Writer writer("divisions", VERSION,
                          {tables::PATTERN_COUNT, static_cast<std::uint32_t>(classes.rows().size())});
    writer.add(numbers);
    writer.add(vectors);
    return writer;
}

} // namespace

int main(int argc, char **argv) { return tables::run(argc, argv, build); }
