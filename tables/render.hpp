// How a table is written: a header of 64 bytes, then its arrays, each starting at a multiple of 64 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tables {

inline constexpr std::size_t ALIGNMENT = 64;

// Header: magic (8 bytes), name (16 bytes, zero filled), version, then nine sizes (see each table).
class Writer {
public:
    Writer(const std::string &name, std::uint32_t version, const std::vector<std::uint32_t> &sizes) {
        std::array<char, ALIGNMENT> header{};
        std::memcpy(header.data(), "PHZTABLE", 8);
        std::memcpy(header.data() + 8, name.data(), name.size());
        std::memcpy(header.data() + 24, &version, sizeof version);
        std::memcpy(header.data() + 28, sizes.data(), sizes.size() * sizeof sizes[0]);
        bytes_.assign(header.begin(), header.end());
    }

    template <class T>
    void add(const std::vector<T> &values) {
        const std::size_t size = values.size() * sizeof(T);
        const std::size_t start = bytes_.size();
        bytes_.resize((start + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, 0);
        std::memcpy(bytes_.data() + start, values.data(), size);
    }

    void write(const std::string &path) const {
        std::ofstream file(path, std::ios::binary);
        file.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
        if (!file.flush()) {
            throw std::runtime_error("cannot write " + path);
        }
    }

private:
    std::vector<char> bytes_;
};

// A generator is called with the path to write.
template <class Build>
int run(int argc, char **argv, Build build) {
    if (argc != 2) {
        std::cerr << "usage: " << argv[0] << " FILE\n";
        return 2;
    }
    try {
        build().write(argv[1]);
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}

} // namespace tables
