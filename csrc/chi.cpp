#include "chi.hpp"

namespace paohuzi {

std::size_t chi_actions(Packed hand, int face, bool keep_one, Chi *out) noexcept {
    std::size_t size = 0;
    for_each_chi(hand, face, [&](const Chi &chi, Packed rest) {
        if (rest != 0 || !keep_one) {
            out[size++] = chi;
        }
        return false;
    });
    return size;
}

bool can_chi(Packed hand, int face, bool keep_one) noexcept {
    return for_each_chi(hand, face, [keep_one](const Chi &, Packed rest) { return rest != 0 || !keep_one; });
}

} // namespace paohuzi
