# What the other extension modules may call: each has its own copy of the core (csrc/).
from paohuzi cimport _core


cdef const _core.Tables* attached_tables(bint wang) except NULL
