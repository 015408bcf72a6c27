"""The C++ core (csrc/) as Cython sees it: no Python object, no GIL."""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint32_t, uint64_t

from paohuzi._backtrack cimport Division, Options, Query, Source


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
    void best_xi_queries(const Query* queries, size_t n, const Options& options, int16_t* out)


cdef extern from "tables.hpp" namespace "paohuzi" nogil:
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
