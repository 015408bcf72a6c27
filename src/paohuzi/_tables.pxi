# The tables (tables/, docs/algorithm.md): read, checked and attached when an answer first needs them.
# Until then the core says NOT_COVERED, so quick paths need no test of their own.

import os
import threading
import warnings

cdef extern from *:
    """
    #include <atomic>
    static std::atomic<int> attached_level{0};
    static int tables_level() { return attached_level.load(std::memory_order_acquire); }
    static void set_tables_level(int level) { attached_level.store(level, std::memory_order_release); }
    """
    int tables_level() noexcept nogil
    void set_tables_level(int level) noexcept nogil

cdef enum:
    PLAIN_LEVEL = 1  # the tables for hands without wang
    WANG_LEVEL = 2   # and those for wangs

# How far a vector load may read past the end of a table.
_PADDING = 64
_TABLE_NAMES = ("plain", "divisions", "wang")
_buffers = []
_lock = threading.Lock()
cdef object table_error = None


class TableError(RuntimeError):
    """A table is missing, damaged or of another version than this build expects."""


# A fork waits until no thread is at work here: the child would keep the locks of that thread's imports for
# ever, and tables attached in part.
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def load_tables(bint wang=True):
    """Attach the tables that are not attached yet, those for wangs only if asked. Raises TableError."""
    global table_error
    cdef int level = WANG_LEVEL if wang else PLAIN_LEVEL
    if tables_level() >= level:
        return
    with _lock:
        try:
            if tables_level() < level:
                _attach_up_to(level)
        except TableError as error:
            table_error = error
            raise


def _attach_up_to(int level):
    import json  # here, as others below, for they would take a tenth more of the time of importing paohuzi
    from pathlib import Path
    folder = Path(__file__).parent / "tables"
    try:
        entries = json.loads((folder / "manifest.json").read_text())["tables"]
        if sorted(entry["name"] for entry in entries) != sorted(_TABLE_NAMES):
            raise ValueError(f"expected {', '.join(_TABLE_NAMES)} in manifest.json")
        for entry in entries:
            entry_level = WANG_LEVEL if entry["wang"] else PLAIN_LEVEL
            if tables_level() < entry_level <= level:
                _attach(folder, entry["name"], entry["bytes"], entry["sha256"])
    except OSError as error:
        raise _error(f"cannot read the tables in {folder}: {error}") from error
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise _error(f"cannot read the tables in {folder}: manifest.json is damaged ({error!r})") from error
    set_tables_level(level)


def _attach(folder, name, size, sha256):
    """Read one table into pages of its own, compare its hash, hand it to the core."""
    import hashlib
    import mmap
    cdef const uint8_t[::1] pages
    cdef bint is_attached
    cdef size_t table_size = size
    cdef bytes table_name = name.encode()
    cdef const char* chars = table_name
    buffer = mmap.mmap(-1, size + _PADDING)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        buffer.madvise(mmap.MADV_HUGEPAGE)
    with memoryview(buffer)[:size] as table, (folder / f"{name}.bin").open("rb", buffering=0) as file:
        is_whole = file.readinto(table) == size and not file.read(1)
        if not is_whole or hashlib.sha256(table).hexdigest() != sha256:
            raise _error(f"cannot read the tables in {folder}: {name}.bin is not the one of manifest.json")
    pages = buffer
    with nogil:  # a table may have to be expanded
        is_attached = _core.attach_table(chars, &pages[0], table_size)
    if not is_attached:
        raise _error(f"cannot read the tables in {folder}: {name}.bin is of another version than this build")
    if name != "wang":  # the core expands it into memory of its own
        _buffers.append(buffer)


def _error(what):
    return TableError(f"{what}. To mend this install paohuzi again, with --force-reinstall if by pip")


cdef void load_quietly(bint wang) noexcept with gil:
    """Attach tables from where nothing can be raised: callers that can raise look at table_error."""
    if table_error is None:
        try:
            load_tables(wang)
        except TableError as error:
            warnings.warn(f"{error}. Until then answers are as right, but far slower", RuntimeWarning)


cdef bint can_attach_more(bint wang) noexcept nogil:
    """Whether tables were attached just now that the answer may need."""
    cdef int level = WANG_LEVEL if wang else PLAIN_LEVEL
    if tables_level() >= level:
        return False
    load_quietly(wang)
    return tables_level() >= level


cdef int raise_table_error() except -1:
    raise TableError(str(table_error)) from table_error


cdef const _core.Tables* attached_tables(bint wang) except NULL:
    """The tables, attached now if need be. Raises TableError."""
    load_tables(wang)
    return &_core.tables
