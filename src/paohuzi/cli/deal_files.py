"""Files of random hands, written as the hands are dealt."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy_format

from ..columns import Queries
from ..query_texts import exposed_texts, query_texts, source_texts, win_texts

__all__ = ["DEAL_SUFFIXES", "first_rows", "text_lines", "write_deals"]

TABLE_SUFFIXES = (".csv", ".ndjson", ".jsonl", ".parquet", ".arrow", ".feather")
BINARY_SUFFIXES = (".parquet", ".arrow", ".feather")
DEAL_SUFFIXES = (".txt", *TABLE_SUFFIXES, ".npy")
CHUNKS_A_BATCH = 8  # chunks that become one record batch, and so one row group

Chunks = Iterator[Queries]


def first_rows(chunks: Chunks, count: int) -> Chunks:
    """The first `count` rows of endless chunks."""
    for queries in chunks:
        if len(queries) >= count:
            yield Queries(*(column[:count] for column in columns_of(queries)))
            return
        yield queries
        count -= len(queries)


def columns_of(queries: Queries) -> tuple[Any, ...]:
    """The four columns in the order in which Queries takes them."""
    return queries.hand, queries.exposed, queries.win, queries.source


def write_deals(path: Path, chunks: Chunks, count: int, *, exposed: bool, packed: bool) -> None:
    """Write the chunks, `count` rows in all, in the format of the extension.

    The file appears when it is complete; a link stays one. Raises OSError, and ImportError where a format
    needs pyarrow.
    """
    with replacing(path) as part:
        if path.suffix.lower() in TABLE_SUFFIXES:
            _write_table(part, chunks, exposed=exposed, packed=packed)
        else:
            with part.open("wb") as file:
                if path.suffix.lower() == ".npy":
                    _write_npy(file, chunks, count)
                else:
                    file.writelines(text_lines(chunks))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it is moved there at the end, or removed when that is not reached.

    Where `path` is a link, beside what it links to.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "expected a file to write, got a device, a pipe or a directory")
    part = target.with_name(f".{target.stem}.{os.getpid()}{path.suffix}")
    with _exit_on_sigterm():
        try:
            yield part
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def _exit_on_sigterm() -> Iterator[None]:
    """End by SystemExit, which clears up on its way, when the system or a user wants the process ended."""

    def end(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    if threading.current_thread() is not threading.main_thread():  # only that one gets signals
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def text_lines(chunks: Chunks) -> Iterator[bytes]:
    """One query a line, a chunk at a time."""
    for queries in chunks:
        yield "".join([text + "\n" for text in query_texts(queries)]).encode()


def _write_npy(file: BinaryIO, chunks: Chunks, count: int) -> None:
    header = {"descr": "<u8", "fortran_order": False, "shape": (count,)}
    npy_format.write_array_header_1_0(file, header)
    for queries in chunks:
        file.write(queries.hand.astype("<u8").tobytes())


def _write_table(path: Path, chunks: Chunks, *, exposed: bool, packed: bool) -> None:
    import pyarrow as pa

    from ..analysis.formats import OUTPUT_FORMATS
    from ..analysis.sinks import Sink, open_sink

    suffix = path.suffix.lower()
    sink: Sink | None = None
    for queries in _merged(chunks):
        columns = {"query": query_texts(queries)}
        if packed:
            columns = _packed_columns(queries, exposed=exposed, as_text=suffix not in BINARY_SUFFIXES)
        batch = pa.record_batch(columns)
        sink = sink or open_sink(OUTPUT_FORMATS[suffix], path, batch.schema)
        sink.write(batch)
    if sink is not None:
        sink.finish()


def _merged(chunks: Chunks) -> Chunks:
    """Several chunks as one, for larger record batches."""
    while some := list(islice(chunks, CHUNKS_A_BATCH)):
        yield Queries(*map(np.concatenate, zip(*map(columns_of, some), strict=True)))


def _packed_columns(queries: Queries, *, exposed: bool, as_text: bool) -> dict[str, Any]:
    """The columns that `analyse` reads fastest; a text format has no bytes for the group codes."""
    import pyarrow as pa

    columns: dict[str, Any] = {"hand": np.ascontiguousarray(queries.hand)}
    if exposed and as_text:
        columns["exposed"] = exposed_texts(queries.exposed)
        columns["win"] = win_texts(queries.win)
        columns["source"] = source_texts(queries.source)
    elif exposed:
        codes = np.ascontiguousarray(queries.exposed)
        buffers = [None, pa.py_buffer(codes)]
        columns["exposed"] = pa.Array.from_buffers(pa.binary(codes.shape[1]), len(codes), buffers)
        columns["win"] = np.ascontiguousarray(queries.win)
        columns["source"] = np.ascontiguousarray(queries.source)
    return columns
