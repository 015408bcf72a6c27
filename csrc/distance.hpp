// How far a hand is from a win (docs/rules.md 7).
#pragma once

#include "fillings.hpp"
#include "query.hpp"
#include "rules.hpp"

namespace paohuzi {

inline constexpr int UNREACHABLE = 127;

class Distances {
public:
    explicit Distances(const Options &options) : options_(options), fillings_(options) {}

    // Of a query without winning tile that passes check.hpp: -1 complete, 0 ready, and so on; UNREACHABLE.
    // visible: tiles seen beside those of the query.
    int of(const Query &query, Packed visible) const noexcept;

    const Options &options() const { return options_; }
    const Fillings &fillings() const { return fillings_; }

private:
    Options options_;
    Fillings fillings_;
};

} // namespace paohuzi
