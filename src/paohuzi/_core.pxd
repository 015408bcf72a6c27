"""The C++ core (csrc/) as Cython sees it: no Python object, no GIL."""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from paohuzi._backtrack cimport Division, Options, Query, Route, Source


cdef extern from "tiles.hpp" namespace "paohuzi" nogil:
    const int FACE_COUNT
    const int WANG
    const int WANG_MAX
    int count_of(uint64_t hand, int face)
    uint64_t one_of(int face)


cdef extern from "solver.hpp" namespace "paohuzi" nogil:
    const int NO_WIN_TILE
    const int NO_DIVISION
    const int NOT_COVERED
    const int INVALID

    int best_xi(const Query& query, const Options& options)
    int best_hand_xi "paohuzi::best_xi"(uint64_t hand)
    int best_division(const Query& query, const Options& options, Division* division)
    int64_t count_divisions(const Query& query, const Options& options)
    bint waits(const Query& query, Source source, const Options& options, int wang_total, int16_t* xi_by_face)
    bint ready_discards(
        const Query& query, Source source, const Options& options, int wang_total, uint32_t* faces
    )
    void max_xi_rows(
        const uint8_t* rows, ptrdiff_t stride, size_t n, int width, const uint8_t* wang, int8_t* out
    )
    void max_xi_packed(const uint64_t* hands, size_t n, const uint8_t* wang, int8_t* out)
    bint self_waits_packed(const uint64_t* hands, size_t n, int8_t* xi_by_face)


cdef extern from "query_batch.hpp" namespace "paohuzi" nogil:
    void solve_queries(
        const Query* queries, size_t n, const Options& options, int16_t* xi, uint8_t* faults
    )


cdef extern from "tables.hpp" namespace "paohuzi" nogil:
    cdef struct Tables:
        pass

    Tables tables
    void share_tables(const Tables& attached)
    bint attach_table(const char* name, const void* data, size_t size)
    size_t table_bytes()


cdef extern from "kernels.hpp" namespace "paohuzi" nogil:
    cdef struct Kernels:
        const char* name

    const Kernels& kernels()


cdef extern from "pack.hpp" namespace "paohuzi" nogil:
    const uint64_t BAD_HAND
    bint is_hand(uint64_t hand)
    uint64_t pack_row(const uint8_t* row, int width)
    uint32_t faces_reaching(const int8_t* xi_by_face, int min_xi)
    void unpack_row(uint64_t hand, uint8_t* row)


cdef extern from "check.hpp" namespace "paohuzi" nogil:
    cdef enum class Fault(uint8_t):
        none

    Fault check(const Query& query)
    int missing_tiles(const Query& query)
    uint64_t visible_tiles(const Query& query)


cdef extern from "plain_search.hpp" namespace "paohuzi" nogil:
    cdef cppclass PlainSearch:
        PlainSearch(uint64_t hand)
        int best_xi()


cdef extern from "rules.hpp" namespace "paohuzi" nogil:
    const int FAN_MAX
    const int TOGETHER_MAX
    const int FACT_COUNT

    cdef enum class Fact(uint8_t):
        red

    cdef enum class OwnDraw(uint8_t):
        nothing

    cdef enum class Combine(uint8_t):
        sum

    cdef enum class OtherShown(uint8_t):
        plain

    cdef struct Fan:
        Fact fact
        uint8_t exclusive
        int16_t alone
        int16_t values[27]

    cdef struct Together:
        uint32_t parts
        int16_t value

    cdef struct Scoring:
        int16_t tun_less
        int16_t tun_per
        int16_t tianhu_xi_factor
        OwnDraw own_draw
        Combine combine
        OtherShown other_shown
        uint8_t fan_count
        uint8_t together_count
        Fan fans[24]
        Together together[8]

    cdef struct Play:
        uint8_t seats
        uint8_t wang
        bint discards_win

    cdef struct Rules:
        Options options
        Play play
        Scoring scoring


cdef extern from "scoring.hpp" namespace "paohuzi" nogil:
    cdef struct Context:
        bint last_tile
        bint shown_tile
        bint dealer
        bint untouched
        bint first_discard
        bint heaven

    cdef struct Reckoning:
        int64_t payment
        int32_t fan
        int32_t base
        int32_t tun
        int16_t xi
        uint32_t fans

    cdef struct ScoredDivision:
        Reckoning reckoning
        Route route
        uint8_t size
        uint16_t groups[12]
        int8_t numbers[14]

    cdef cppclass Scorer:
        Scorer(const Rules& rules)
        const Rules& rules()
        const Rules& rules()

    Reckoning best_score(const Scorer& scorer, const Query& query, const Context& context)
    ScoredDivision best_scored_division(const Scorer& scorer, const Query& query, const Context& context)


cdef extern from "context.hpp" namespace "paohuzi" nogil:
    cdef enum class ContextFault(uint8_t):
        none

    ContextFault check_context(const Query& query, const Context& context)


cdef extern from "facts.hpp" namespace "paohuzi" nogil:
    cdef struct FactEntry:
        const char* id
        int most
        const char* chinese
        const char* english

    const FactEntry& fact_entry(int fact)


cdef extern from "backtracker.hpp" namespace "paohuzi" nogil:
    cdef struct Backtracker:
        int (*best_xi)(const Query*, const Options*) noexcept nogil
        int (*best_part)(const Query*, const Options*) noexcept nogil
        void (*for_each_division)(
            const Query*, const Options*, int, void*, int (*)(void*, const Division*) noexcept nogil
        ) noexcept nogil
        int (*attach_tables)(int) noexcept nogil
        bint is_preferred

    Backtracker backtracker


cdef extern from "score_batch.hpp" namespace "paohuzi" nogil:
    cdef struct ScoreColumns:
        int32_t* payment
        int32_t* fan
        uint32_t* fans
        int16_t* base
        int16_t* xi

    void set_score(const ScoreColumns& out, size_t row, const Reckoning& reckoning)

    cdef cppclass HandScores:
        HandScores(const Scorer& scorer) except +
        size_t of_rows(
            const uint8_t* rows,
            ptrdiff_t stride,
            size_t n,
            int width,
            const uint8_t* wang,
            const ScoreColumns& out,
        )
        size_t of_packed(const uint64_t* hands, size_t n, const uint8_t* wang, const ScoreColumns& out)


cdef extern from "distance.hpp" namespace "paohuzi" nogil:
    const int UNREACHABLE

    cdef cppclass Distances:
        Distances(const Options& options) except +
        int of(const Query& query, uint64_t visible)


cdef extern from "improving.hpp" namespace "paohuzi" nogil:
    const int IMPROVEMENTS_MAX

    cdef enum class How(uint8_t):
        hu

    cdef struct Chi:
        uint8_t code
        uint8_t bi[2]

    cdef struct Improvement:
        int8_t face
        Source source
        How how
        Chi chi
        int8_t discard
        uint32_t discards
        int8_t distance

    size_t find_improving(
        const Distances& distances, const Play& play, const Query& query, uint64_t visible, Improvement* out
    )


cdef extern from "prospects.hpp" namespace "paohuzi" nogil:
    cdef struct Prospects:
        int64_t best
        double expected
        bint is_ready

    Prospects find_prospects(
        const Distances& distances, const Scorer& scorer, const Query& query, uint64_t visible
    )
