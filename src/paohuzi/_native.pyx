# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The door to the native side: check, call, convert. No rules.

A query comes as its key and rules come as their options, the bytes of the structs Query and Options
(csrc/query.hpp, csrc/rules.hpp). What the tables do not cover is answered by the backtracker.
"""

cimport cython
from cpython.exc cimport PyErr_Clear, PyErr_Occurred
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject_GenericSetAttr, PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport (
    INT8_MAX, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t,
)
from libc.string cimport memcpy, memset

from paohuzi cimport _core
from paohuzi._backtrack cimport (
    Division, Options, Query, Source, bt_best_division, bt_best_part, bt_best_xi, bt_count, bt_for_each,
    bt_waits,
)
from paohuzi._core cimport (
    BAD_HAND, FACE_COUNT, INVALID, NO_DIVISION, NO_WIN_TILE, NOT_COVERED, WANG, WANG_MAX,
)

cdef extern from "Python.h":
    unsigned long long PyLong_AsUnsignedLongLong(object number)
    object PyType_GenericAlloc(PyTypeObject* type, Py_ssize_t count)

# Why a query is refused, by Fault of csrc/check.hpp.
FAULT_TEXTS = (
    "",
    "bit 63 of the packed hand is set; expected faces in bits 0 to 59, wangs (王) in bits 60 to 62",
    "more than four copies of a face in hand, exposed groups and winning tile together",
    "more than four wangs (王)",
    "an exposed group of no known kind; expected codes of chi, peng, wei, chouwei, pao or ti",
    "an exposed group after an empty place; expected the codes first, then zeros",
    "an unknown source; expected 0 none, 1 self, 2 other or 3 discard",
    "a winning tile outside the faces; expected -1 for none, 0 to 19, or 20 for a wang (王)",
    "a winning tile without a source, or a source without a winning tile",
    "a wang (王) as winning tile from another player; expected the source self",
    "more tiles than any hand can hold; expected at most 26 (six quads and a pair)",
)
ROUTES = ("dealt", "single", "wei", "ti", "wang", "pao")  # by Route of csrc/query.hpp

cdef enum:
    KEY_SIZE = 24
    GROUP_COUNT = 7
    NATIVE_CODES = 1 << 12  # a group code and the mask of its wangs
    OPTIONS_SIZE = 47
    XI_COUNT = 20
    XI_LIMIT = 1000  # seven groups stay within int16
    MIN_XI_LIMIT = 7000
    TRUTHS_START = 42
    FACE_AXIS = 21
    BLOCK_ROWS = 256
    RULES_MAX = 64

include "_tables.pxi"
include "_answers.pxi"
include "_single.pxi"
include "_batch.pxi"
include "_score.pxi"
include "_distance.pxi"
include "_numba.pxi"
include "_measure.pxi"
