# The C-level door of the backtracker, for cimport by other extension modules.
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "query.hpp" namespace "paohuzi" nogil:
    cdef enum class Source(uint8_t):
        none
        self
        other
        discard

    cdef enum class Route(uint8_t):
        dealt
        single
        wei
        ti
        wang
        pao

    cdef struct Query:
        uint64_t hand
        uint8_t exposed[7]
        int8_t win
        Source source

    cdef struct Division:
        int16_t xi
        Route route
        uint8_t size
        uint16_t groups[7]


cdef extern from "rules.hpp" namespace "paohuzi" nogil:
    cdef struct XiTable:
        int16_t peng[4]

    cdef struct Options:
        XiTable xi
        int16_t min_xi
        bint kan_splittable
        bint third_from_other_is_wei
        bint self_draw_forced
        bint wang_in_quad
        bint wang_in_triplet


cdef int bt_best_xi(const Query* query, const Options* options) noexcept nogil
cdef int bt_best_division(const Query* query, const Options* options, Division* best) noexcept nogil
cdef void bt_for_each(const Query* query, const Options* options, int min_xi, void* place,
                      int (*visit)(void*, const Division*) noexcept nogil) noexcept nogil
cdef int64_t bt_count(const Query* query, const Options* options) noexcept nogil
cdef int bt_best_part(const Query* query, const Options* options) noexcept nogil
cdef void bt_waits(const Query* query, Source source, const Options* options, int wang_total,
                   int16_t* xi_by_face) noexcept nogil
