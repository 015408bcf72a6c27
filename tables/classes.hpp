// Equal rows stored once, the frequent ones first, so that most look-ups stay in few bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace tables {

class Classes {
public:
    // Returns the class of a row, in order of appearance until sort() is called.
    void add(const std::string &row, std::uint64_t frequency) {
        const auto [place, is_new] = numbers_.try_emplace(row, rows_.size());
        if (is_new) {
            rows_.push_back(row);
            frequencies_.push_back(0);
        }
        frequencies_[place->second] += frequency;
        member_of_.push_back(place->second);
    }

    void sort() {
        std::vector<std::size_t> order(rows_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [this](std::size_t a, std::size_t b) { return frequencies_[a] > frequencies_[b]; });
        std::vector<std::size_t> number(rows_.size());
        std::vector<std::string> rows;
        for (std::size_t i = 0; i < order.size(); ++i) {
            number[order[i]] = i;
            rows.push_back(rows_[order[i]]);
        }
        rows_ = std::move(rows);
        for (std::size_t &member : member_of_) {
            member = number[member];
        }
    }

    const std::vector<std::string> &rows() const { return rows_; }           // by class
    const std::vector<std::size_t> &member_of() const { return member_of_; } // class of each added row

private:
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::string> rows_;
    std::vector<std::uint64_t> frequencies_;
    std::vector<std::size_t> member_of_;
};

inline std::uint16_t to_u16(std::size_t value, std::size_t limit = 65536) {
    if (value >= limit) {
        throw std::length_error("a class number does not fit its field");
    }
    return static_cast<std::uint16_t>(value);
}

} // namespace tables
