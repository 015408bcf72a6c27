// Numbers for the rests of a hand, by their tiles.
#pragma once

#include "fillings.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paohuzi {

class RestIndex {
public:
    // Forgets all.
    void start() {
        if (++query_ == 0) {
            slots_.assign(slots_.size(), {});
            query_ = 1;
        }
    }

    // That of the tiles; `next`, one more than the last, where they have none so far.
    std::uint32_t number_of(Ranked tiles, std::uint32_t next) {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t place = place_of(tiles) & mask;; place = (place + 1) & mask) {
            Slot &slot = slots_[place];
            if (slot.query != query_) {
                slot = {tiles, query_, next};
                make_room(next + 1);
                return next;
            }
            if (slot.tiles == tiles) {
                return slot.number;
            }
        }
    }

private:
    struct Slot {
        Ranked tiles = 0;
        std::uint32_t query = 0; // for which it was filled
        std::uint32_t number = 0;
    };

    void make_room(std::size_t size) {
        if (2 * size > slots_.size()) {
            std::vector<Slot> old(slots_.size() * 4);
            old.swap(slots_);
            for (const Slot &slot : old) {
                if (slot.query == query_) {
                    number_of(slot.tiles, slot.number);
                }
            }
        }
    }

    // All bits of the tiles are in the upper half of the product.
    static std::size_t place_of(Ranked tiles) {
        __extension__ typedef unsigned __int128 Product;
        constexpr std::uint64_t SPREAD = 0x9E3779B97F4A7C15;
        return static_cast<std::size_t>(static_cast<Product>(tiles) * SPREAD >> 64);
    }

    std::uint32_t query_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(1 << 10);
};

} // namespace paohuzi
