// Table "plain": the best xi of free tiles without wang, as one look-up in a matrix.
//
// Sizes: patterns, rows, columns, bytes a row. After the header:
//   uint16 left[pattern]: bits 0-12 the row, bits 13-15 a third of the xi to add;  uint16 right[pattern]: the
//   column; int8 matrix[row][column]: best xi less that of the row, negative where there is no division.
// A pair is part of the division exactly when the tiles are 2 modulo 3, so one matrix serves both.
#include "classes.hpp"
#include "halves.hpp"
#include "render.hpp"

namespace {

constexpr std::uint32_t VERSION = 1;
constexpr std::int8_t NO_XI = -64; // two of them still fit a byte
constexpr int ROW_BITS = 13;
constexpr std::size_t OFFSETS = 8;

// All that a half can do: its tiles modulo 3, its vector without a pair, its vector with one.
std::string describe(const tables::HalfTable &table, int pattern) {
    std::string row(1, static_cast<char>(tables::tiles_of(pattern) % 3));
    for (const auto &vector : {table.xi(pattern, 0), table.xi_with_pair(pattern)}) {
        for (const std::int8_t xi : vector) {
            row.push_back(static_cast<char>(xi == tables::NONE ? NO_XI : xi));
        }
    }
    return row;
}

std::int8_t merge(const char *left, const char *right) {
    signed char best = NO_XI;
    for (int i = 0; i < tables::STATES_A_RESIDUE; ++i) {
        const auto sum = static_cast<signed char>(left[i] + right[i]);
        best = sum > best ? sum : best;
    }
    return best;
}

std::int8_t best(const std::string &left, const std::string &right) {
    const char *left_plain = left.data() + 1;
    const char *right_plain = right.data() + 1;
    switch ((left[0] + right[0]) % 3) {
    case 0:
        return merge(left_plain, right_plain);
    case 2:
        return std::max(merge(left_plain, right_plain + tables::STATES_A_RESIDUE),
                        merge(left_plain + tables::STATES_A_RESIDUE, right_plain));
    default:
        return NO_XI;
    }
}

tables::Classes classes_of(tables::Half half) {
    const tables::HalfTable table(half);
    tables::Classes classes;
    for (int pattern = 0; pattern < tables::PATTERN_COUNT; ++pattern) {
        classes.add(describe(table, pattern), tables::frequency(pattern));
    }
    return classes;
}

// Two steps: halves that can do the same, then halves that differ in nothing that the other side can use.
struct Side {
    std::vector<std::size_t> class_of_pattern; // first step
    std::vector<std::string> classes;
    std::vector<std::string>
        lines; // by class of the first step, its answers with every class of the other side
    std::vector<int> offset; // xi taken out of a line
    tables::Classes merged; // second step, by pattern
};

// Takes the least xi out of a line, so that lines that differ by a constant become equal.
int fold(std::string &line) {
    int least = 127;
    for (const char xi : line) {
        least = xi < 0 ? least : std::min<int>(least, xi);
    }
    for (char &xi : line) {
        xi = static_cast<char>(xi < 0 ? NO_XI : xi - least);
    }
    return least == 127 ? 0 : least;
}

void merge_equal(Side &side) {
    for (int pattern = 0; pattern < tables::PATTERN_COUNT; ++pattern) {
        side.merged.add(side.lines[side.class_of_pattern[static_cast<std::size_t>(pattern)]],
                        tables::frequency(pattern));
    }
    side.merged.sort();
}

Side make_side(tables::Half half) {
    const tables::Classes classes = classes_of(half);
    Side side;
    side.class_of_pattern = classes.member_of();
    side.classes = classes.rows();
    return side;
}

tables::Writer build() {
    Side left = make_side(tables::Half::left);
    Side right = make_side(tables::Half::right);
    right.lines.resize(right.classes.size());
    for (const std::string &row : left.classes) {
        std::string line;
        for (std::size_t column = 0; column < right.classes.size(); ++column) {
            line.push_back(static_cast<char>(best(row, right.classes[column])));
        }
        left.offset.push_back(fold(line));
        for (std::size_t column = 0; column < line.size(); ++column) {
            right.lines[column].push_back(line[column]);
        }
        left.lines.push_back(std::move(line));
    }
    merge_equal(left);
    merge_equal(right);

    std::vector<std::uint16_t> rows;
    std::vector<std::uint16_t> columns;
    std::vector<std::size_t> sample(
        right.merged.rows().size()); // one column of the first step for each of the second
    for (std::size_t pattern = 0; pattern < left.class_of_pattern.size(); ++pattern) {
        const auto offset = static_cast<std::size_t>(left.offset[left.class_of_pattern[pattern]]) / 3;
        const auto row = tables::to_u16(left.merged.member_of()[pattern], 1U << ROW_BITS);
        rows.push_back(static_cast<std::uint16_t>(row | tables::to_u16(offset, OFFSETS) << ROW_BITS));
        const std::size_t column = right.merged.member_of()[pattern];
        columns.push_back(tables::to_u16(column));
        sample[column] = right.class_of_pattern[pattern];
    }
    const std::size_t stride =
        (sample.size() + tables::ALIGNMENT - 1) / tables::ALIGNMENT * tables::ALIGNMENT;
    std::vector<char> matrix(left.merged.rows().size() * stride, static_cast<char>(NO_XI));
    for (std::size_t row = 0; row < left.merged.rows().size(); ++row) {
        for (std::size_t column = 0; column < sample.size(); ++column) {
            matrix[row * stride + column] = left.merged.rows()[row][sample[column]];
        }
    }
    tables::Writer writer("plain", VERSION,
                          {tables::PATTERN_COUNT, static_cast<std::uint32_t>(left.merged.rows().size()),
                           static_cast<std::uint32_t>(sample.size()), static_cast<std::uint32_t>(stride)});
    writer.add(rows);
    writer.add(columns);
    writer.add(matrix);
    return writer;
}

} // namespace

int main(int argc, char **argv) { return tables::run(argc, argv, build); }
