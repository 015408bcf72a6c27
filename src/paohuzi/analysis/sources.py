"""Input files as streams of record batches of one size, from any row on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq
from numpy.lib import format as npy_format

from .formats import AnalysisError, reading

__all__ = ["ArrowSource", "Chunk", "NpySource", "ParquetSource", "Source"]

READ_BUFFER = 1 << 20  # bytes of a column that are read at a time, however large the row group
COUNT_WIDTHS = (20, 21)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a file.

    row: the number of the first one in the file, from 0. batch: the columns as they are kept. errors: what
    is wrong with rows that could not even be read, by row of the batch. done: how much of the file is read, 0
    to 1.
    """

    row: int
    batch: pa.RecordBatch
    done: float
    errors: dict[int, str] = field(default_factory=dict)

    def part(self, start: int, stop: int) -> Chunk:
        """The rows from `start` to before `stop` of the batch."""
        errors = {row - start: text for row, text in self.errors.items() if start <= row < stop}
        return Chunk(self.row + start, self.batch.slice(start, stop - start), self.done, errors)


class Source(ABC):
    """One input file. What is wrong with the file as a whole raises AnalysisError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.row_count: int | None = None  # where the file tells it
        with reading(path):
            fields = list(self._open())
        names = [field.name for field in fields]
        for name in names:
            if names.count(name) > 1:
                raise AnalysisError(f"{path}: column {name!r} occurs more than once")
        self.schema = pa.schema(fields)

    def chunks(self, start: int, size: int) -> Iterator[Chunk]:
        """The rows from number `start` on, `size` at a time; the last chunk may be shorter."""
        waiting: list[Chunk] = []
        count = 0
        with reading(self.path):
            for piece in self._pieces(start, size):
                piece = piece.part(min(max(start - piece.row, 0), piece.batch.num_rows), piece.batch.num_rows)
                waiting.append(piece)
                count += piece.batch.num_rows
                if count >= size:
                    whole = _joined(waiting)
                    for place in range(0, count - size + 1, size):
                        yield whole.part(place, place + size)
                    rest = count % size
                    waiting = [whole.part(count - rest, count)] if rest else []
                    count = rest
            if count:
                yield _joined(waiting)

    @abstractmethod
    def _open(self) -> Iterator[pa.Field]:
        """Look at the head of the file; returns the columns of its batches."""

    @abstractmethod
    def _pieces(self, start: int, size: int) -> Iterator[Chunk]:
        """The rows in pieces as the file brings them, from row `start` or from any row before it."""


def _joined(chunks: list[Chunk]) -> Chunk:
    if len(chunks) == 1:
        return chunks[0]
    errors: dict[int, str] = {}
    count = 0
    for chunk in chunks:
        errors |= {count + row: text for row, text in chunk.errors.items()}
        count += chunk.batch.num_rows
    table = pa.Table.from_batches([chunk.batch for chunk in chunks]).combine_chunks()
    batch = table.to_batches(max_chunksize=max(1, count))[0] if count else chunks[0].batch
    return Chunk(chunks[0].row, batch, chunks[-1].done, errors)


def plain_field(name: str, kind: pa.DataType) -> pa.Field:
    """A column of the type without dictionary: those of different batches need not agree."""
    return pa.field(name, kind.value_type if pa.types.is_dictionary(kind) else kind)


def plain_batch(batch: pa.RecordBatch, schema: pa.Schema) -> tuple[pa.RecordBatch, dict[int, str]]:
    """The batch in the schema made of `plain_field`, and an error for each row with a text that is not UTF-8.

    Raises ArrowInvalid where the batch is damaged in another way.
    """
    columns = []
    errors: dict[int, str] = {}
    for column, wanted in zip(batch.columns, schema, strict=True):
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
                raise
            column, wrong = _mended(column)
            errors |= dict.fromkeys(wrong, f"column {wanted.name!r} is not UTF-8 text")
        columns.append(pc.cast(column, wanted.type) if column.type != wanted.type else column)
    return pa.RecordBatch.from_arrays(columns, schema=schema), errors


def _mended(column: pa.Array) -> tuple[pa.Array, list[int]]:
    """A column of texts with signs in place of bytes that are not UTF-8, and the rows that had such bytes."""
    in_bytes = column.view(pa.binary() if pa.types.is_string(column.type) else pa.large_binary())
    in_bytes.validate(full=True)
    cells = in_bytes.to_pylist()
    texts = [None if cell is None else cell.decode("utf-8", "replace") for cell in cells]
    wrong = [row for row, text in enumerate(texts) if text is not None and text.encode() != cells[row]]
    return pa.array(texts, column.type), wrong


class ParquetSource(Source):
    """Row groups, each read through a buffer a column."""

    def _open(self) -> Iterator[pa.Field]:
        with pq.ParquetFile(self.path) as file:
            metadata = file.metadata
            self.row_count = metadata.num_rows
            sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
            self._ends = np.cumsum(sizes, dtype=np.int64).tolist()
            for column in file.schema_arrow:
                yield plain_field(column.name, column.type)

    def _pieces(self, start: int, size: int) -> Iterator[Chunk]:
        first = bisect_right(self._ends, start)
        if first == len(self._ends):
            return
        row = self._ends[first - 1] if first else 0
        total = self._ends[-1]
        with pq.ParquetFile(self.path, buffer_size=READ_BUFFER, pre_buffer=False) as file:
            for batch in file.iter_batches(size, row_groups=list(range(first, len(self._ends)))):
                plain, errors = plain_batch(batch, self.schema)
                yield Chunk(row, plain, (row + batch.num_rows) / total, errors)
                row += batch.num_rows


class ArrowSource(Source):
    """The Arrow file format (Feather 2) or an Arrow stream."""

    def _open(self) -> Iterator[pa.Field]:
        with pa.OSFile(str(self.path)) as file:
            try:
                schema = pa_ipc.open_file(file).schema
                self._is_file = True
            except pa.ArrowInvalid:
                file.seek(0)
                schema = pa_ipc.open_stream(file).schema
                self._is_file = False
            for column in schema:
                yield plain_field(column.name, column.type)

    def _pieces(self, start: int, size: int) -> Iterator[Chunk]:
        row = 0
        with pa.OSFile(str(self.path)) as file:
            total = file.size()
            for batch in self._batches(file):
                plain, errors = plain_batch(batch, self.schema)
                yield Chunk(row, plain, file.tell() / total, errors)
                row += batch.num_rows

    def _batches(self, file: pa.NativeFile) -> Iterator[pa.RecordBatch]:
        if self._is_file:
            batches = pa_ipc.open_file(file)
            yield from map(batches.get_batch, range(batches.num_record_batches))
        else:
            yield from pa_ipc.open_stream(file)


class NpySource(Source):
    """One array: uint8 (N, 20) or (N, 21) of counts, or uint64 (N,) of packed hands, as column `hand`."""

    def _open(self) -> Iterator[pa.Field]:
        with self.path.open("rb") as file:
            version = npy_format.read_magic(file)
            read_header = (
                npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
            )
            shape, self._by_column, self._dtype = read_header(file)
            self._offset = file.tell()
        self._shape = shape
        is_rows = self._dtype == np.uint8 and len(shape) == 2 and shape[1] in COUNT_WIDTHS
        is_packed = self._dtype.kind == "u" and self._dtype.itemsize == 8 and len(shape) == 1
        if not (is_rows or is_packed) or shape[0] < 0:
            raise AnalysisError(
                f"{self.path}: expected uint8 (N, 20), uint8 (N, 21) or uint64 (N,), "
                f"got {self._dtype} {shape}"
            )
        expected = self._offset + self._dtype.itemsize * int(np.prod(shape))
        if self.path.stat().st_size < expected:
            raise AnalysisError(
                f"{self.path}: truncated: {self.path.stat().st_size:,} of {expected:,} bytes are there"
            )
        self.row_count = shape[0]
        yield pa.field("hand", pa.binary(shape[1]) if is_rows else pa.uint64())

    def _pieces(self, start: int, size: int) -> Iterator[Chunk]:
        total = self._shape[0]
        for row in range(start, total, size):
            rows = np.ascontiguousarray(self._rows(row, min(size, total - row)))
            buffer = pa.py_buffer(rows.astype(self._dtype.newbyteorder("="), copy=False))
            hands = pa.Array.from_buffers(self.schema.field("hand").type, len(rows), [None, buffer])
            batch = pa.RecordBatch.from_arrays([hands], schema=self.schema)
            yield Chunk(row, batch, (row + len(rows)) / total)

    def _rows(self, row: int, count: int) -> np.ndarray:
        """Some rows, read; an array that lies column by column is mapped instead."""
        if self._by_column and len(self._shape) > 1:
            array: np.ndarray = np.load(self.path, mmap_mode="r")[row : row + count]
            return array
        width = int(np.prod(self._shape[1:]))
        offset = self._offset + row * width * self._dtype.itemsize
        return np.fromfile(self.path, self._dtype, count * width, offset=offset).reshape(
            count, *self._shape[1:]
        )
