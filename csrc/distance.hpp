// How far a hand is from a win (docs/rules.md 7.1).
#pragma once

#include "completion.hpp"
#include "fillings.hpp"
#include "query.hpp"
#include "rules.hpp"

namespace paohuzi {

inline constexpr int UNREACHABLE = 127;

class Distances { // under some rules
public:
    explicit Distances(const Options &options) : options_(options), fillings_(options) {}

    // Of a query without winning tile that passes check.hpp: -1 complete, 0 ready, and so on; UNREACHABLE.
    // visible: tiles seen beside those of the query.
    int of(const Query &query, Packed visible) const noexcept;

    // Calls visit(place, hand, path) for each division with the least outside tiles until it answers true;
    // gives the distance. What is visited must not ask for distances itself.
    using Visit = bool (*)(void *place, const Unfinished &hand, const Path &path);
    int for_each_nearest(const Query &query, Packed visible, void *place, Visit visit) const noexcept;

    const Options &options() const { return options_; }

private:
    template <class VisitPath>
    int look(const Query &query, Packed visible, VisitPath visit) const;

    Options options_;
    Fillings fillings_;
};

} // namespace paohuzi
