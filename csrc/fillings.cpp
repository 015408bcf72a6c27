#include "fillings.hpp"

#include "facts.hpp"

#include <algorithm>
#include <tuple>

namespace paohuzi {

namespace {

enum class From : std::uint8_t { own, wang, outside };
using Origins = std::array<From, 4>; // of the tiles of a group

Origins origins_of(int number, int size) {
    Origins origins{};
    for (int place = 0; place < size; ++place, number /= 3) {
        origins[static_cast<std::size_t>(place)] = static_cast<From>(number % 3);
    }
    return origins;
}

// Of choices that differ only in the order of equal tiles one is kept.
bool is_sorted_so(const Group &group, const Origins &origins) {
    for (std::size_t i = 0; i + 1 < group.size; ++i) {
        if (group.faces[i] == group.faces[i + 1] && origins[i] > origins[i + 1]) {
            return false;
        }
    }
    return true;
}

// A code of a kan stands for any triplet here, one of a ti for any quad.
int xi_as_laid(const Filling &filling, const Group &group, const Options &options) {
    int code = filling.code;
    if (filling.outside > 0 && group.kind == Kind::kan && !options.third_from_other_is_wei) {
        code = PENG_CODE + group.faces[0];
    } else if (filling.outside > 0 && group.kind == Kind::ti) {
        code = PAO_CODE + group.faces[0];
    }
    return xi_of(options.xi, code);
}

bool may_be(const Filling &filling, const Group &group, const Options &options) {
    if (filling.own_count + filling.wangs == 0) {
        return false;
    }
    const bool is_grown_pair = filling.is_quad && filling.own_count == 2 && filling.outside == 2;
    if (filling.outside > 1 && !is_grown_pair) {
        return false;
    }
    return filling.wangs == 0 || ((group.kind != Kind::kan || options.wang_in_triplet) &&
                                  (group.kind != Kind::ti || options.wang_in_quad));
}

Filling make_filling(int code, const Origins &origins, const Options &options) {
    const Group &group = GROUPS[static_cast<std::size_t>(code)];
    Filling filling;
    filling.code = static_cast<std::uint8_t>(code);
    filling.is_pair = group.kind == Kind::pair;
    filling.is_quad = group.kind == Kind::ti;
    for (std::size_t place = 0; place < group.size; ++place) {
        switch (origins[place]) {
        case From::own:
            filling.own += one_ranked(group.faces[place]);
            ++filling.own_count;
            break;
        case From::wang:
            ++filling.wangs;
            break;
        case From::outside:
            filling.face = group.faces[place];
            ++filling.outside;
            break;
        }
    }
    filling.places = places_of(filling.own);
    filling.xi = static_cast<std::int16_t>(xi_as_laid(filling, group, options));
    if (filling.outside > 0 && !filling.is_pair && group.kind >= Kind::kan) {
        filling.code = static_cast<std::uint8_t>((filling.is_quad ? PAO_CODE : PENG_CODE) + filling.face);
    }
    return filling;
}

auto order_key(const Filling &filling) {
    return std::tuple(filling.wangs, filling.own, filling.outside, filling.is_pair, filling.is_quad,
                      -filling.xi, filling.code, filling.face);
}

// Of a filling without wang; KIND_COUNT where kans are split.
std::size_t kind_of(const Filling &filling) {
    const Ranked own = filling.own >> COUNT_BITS * lowest_place(filling.own);
    std::size_t kind = 0;
    const auto is_of = [&](std::size_t kind) {
        return own == Fillings::KINDS[kind] && filling.is_quad == (kind == 7) &&
               filling.is_pair == (kind == 8);
    };
    while (kind < Fillings::KIND_COUNT && !is_of(kind)) {
        ++kind;
    }
    return kind;
}

Fillings::Pairs pairs_of(const std::vector<Filling> &list) {
    Fillings::Pairs pairs;
    pairs.face.fill(Fillings::NO_FACE);
    pairs.other_face.fill(Fillings::NO_FACE);
    for (std::size_t i = 0; list[i].wangs == 0; i += list[i].alike) {
        if (const std::size_t kind = kind_of(list[i]); kind < Fillings::KIND_COUNT) {
            const Filling &other = list[i + list[i].alike - 1];
            pairs.first[kind] = static_cast<std::uint8_t>(i);
            pairs.face[kind] = list[i].face;
            pairs.other_face[kind] = other.face;
            pairs.xi[kind] = static_cast<std::uint8_t>(list[i].xi);
            pairs.other_xi[kind] = static_cast<std::uint8_t>(other.xi);
        }
    }
    return pairs;
}

constexpr bool stands_for_all(int code) { // chi, pairs, and one code for each triplet and quad
    return code < PENG_CODE || (code >= KAN_CODE && code < WEI_CODE) || code >= TI_CODE;
}

} // namespace

Fillings::Fillings(const Options &options) {
    for (int code = 1; code < CODE_COUNT; ++code) {
        const Group &group = GROUPS[static_cast<std::size_t>(code)];
        const int choices = group.size == 4 ? 81 : group.size == 3 ? 27 : 9;
        for (int number = 0; number < choices && stands_for_all(code); ++number) {
            const Origins origins = origins_of(number, group.size);
            const Filling filling = make_filling(code, origins, options);
            if (is_sorted_so(group, origins) && may_be(filling, group, options)) {
                const int lowest = filling.own == 0 ? WANG : lowest_place(filling.own);
                by_lowest[static_cast<std::size_t>(lowest)].push_back(filling);
                most_xi = std::max<int>(most_xi, filling.xi);
            }
        }
    }
    for (auto &list : by_lowest) {
        std::sort(list.begin(), list.end(),
                  [](const Filling &a, const Filling &b) { return order_key(a) < order_key(b); });
        for (std::size_t i = list.size(); i-- > 1;) {
            list[i - 1].alike =
                list[i - 1].is_like(list[i]) ? static_cast<std::uint8_t>(list[i].alike + 1) : 1;
        }
        list.push_back(Filling{.wangs = Filling::NEVER});
    }
    for (std::size_t place = 0; place < FACE_COUNT; ++place) {
        pairs[place] = pairs_of(by_lowest[place]);
    }
}

} // namespace paohuzi
