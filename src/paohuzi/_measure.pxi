# What the benchmark asks about this build, and its single calls.

def simd_level():
    """The kernels in use: "avx512", "avx2" or "portable"."""
    return (<bytes>_core.kernels().name).decode()


def table_bytes():
    """How many bytes the attached tables take in memory."""
    return _core.table_bytes()


def max_xi_each(const uint64_t[::1] hands, int8_t[::1] out):
    """As max_xi_packed, but by one call a hand, as compiled code elsewhere would make them."""
    cdef Py_ssize_t row, count = _same_rows(hands.shape[0], out.shape[0])
    with nogil:
        for row in range(count):
            out[row] = <int8_t>paohuzi_max_xi(hands[row], 0)
    finish(False)


def plain_search_each(const uint64_t[::1] hands, int8_t[::1] out):
    """The same for hands without wang by the textbook search, the yardstick of the benchmark."""
    cdef Py_ssize_t row, count = _same_rows(hands.shape[0], out.shape[0])
    with nogil:
        for row in range(count):
            out[row] = <int8_t>_core.PlainSearch(hands[row]).best_xi()
