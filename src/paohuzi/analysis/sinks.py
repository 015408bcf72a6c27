"""Output files that grow batch by batch, can be marked, and go on from a mark.

Every sink keeps one growing file. A mark is what the journal remembers of it; `open_sink` with the marks so
far throws away what was written after the last. The same batches give the same bytes, however often a run was
broken.
"""

from __future__ import annotations

import base64
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq

from .formats import ARROW, CSV, NDJSON, PARQUET
from .plain import csv_batch, json_lines

__all__ = ["Mark", "Sink", "open_sink"]

Mark = dict[str, Any]  # what JSON can hold
PARQUET_MAGIC = b"PAR1"
ARROW_MAGIC_SIZE = 8  # "ARROW1" and padding; then come the same bytes as in a stream
# Columns whose values hardly ever repeat and have no order that means something: a dictionary of them, or
# their least and greatest value, costs more than it is worth.
VARIED_COLUMNS = {"query", "hand", "exposed", "division"}
COMPRESSION, COMPRESSION_LEVEL = "zstd", 1  # as quick as snappy, and a third smaller


class Sink(ABC):
    """One growing output file."""

    def __init__(self, path: Path, schema: pa.Schema, marks: Sequence[Mark]) -> None:
        self.path = path
        self.schema = schema
        if marks:
            os.truncate(path, marks[-1]["size"])
        else:
            path.write_bytes(b"")

    @abstractmethod
    def write(self, batch: pa.RecordBatch) -> None:
        """Append a batch of the schema."""

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self.path.stat().st_size

    def roll_back(self, size: int) -> None:
        """Throw away what was written after the file had that size. Then only `mark` may follow."""
        os.truncate(self.path, size)

    def mark(self, since: int) -> Mark:
        """Bring all that was written to the disk; returns what is new since the file had that size."""
        _to_disk(self.path)
        return {"size": self.size}

    @abstractmethod
    def finish(self) -> None:
        """Complete the file and bring it to the disk."""


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


class ParquetSink(Sink):
    """A row group a batch, each by a writer of its own whose footer is taken off again and kept."""

    def __init__(self, path: Path, schema: pa.Schema, marks: Sequence[Mark]) -> None:
        super().__init__(path, schema, marks)
        self._footers: dict[int, bytes] = {}  # of each row group, by where it ends
        for mark in marks:
            self._footers |= {end: base64.b64decode(footer) for end, footer in mark["footers"]}

    def write(self, batch: pa.RecordBatch) -> None:
        start = self.size
        with pa.OSFile(str(self.path), "ab") as file:
            # The writer insists on being at 0. In append mode the first bytes go to the end all the same, and
            # from there on the offsets it notes are those of the whole file.
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            writer = pq.ParquetWriter(
                file,
                self.schema,
                compression=COMPRESSION,
                compression_level=COMPRESSION_LEVEL,
                use_dictionary=_repeating_columns(self.schema),
                write_statistics=_ordered_columns(self.schema),
            )
            try:
                writer.write_batch(batch, row_group_size=max(1, batch.num_rows))
                end = file.tell()
            finally:
                writer.close()
        if pq.read_metadata(self.path).row_group(0).column(0).data_page_offset < start:
            raise RuntimeError("this version of pyarrow does not append row groups where they belong")
        with self.path.open("rb") as written:
            written.seek(end)
            self._footers[end] = PARQUET_MAGIC + written.read()
        os.truncate(self.path, end)

    def roll_back(self, size: int) -> None:
        super().roll_back(size)
        self._footers = {end: footer for end, footer in self._footers.items() if end <= size}

    def mark(self, since: int) -> Mark:
        footers = [
            (end, base64.b64encode(footer).decode()) for end, footer in self._footers.items() if end > since
        ]
        return super().mark(since) | {"footers": footers}

    def finish(self) -> None:
        if self._footers:
            with self.path.open("ab") as file:
                file.write(self._footer().removeprefix(PARQUET_MAGIC))
        else:
            pq.write_table(self.schema.empty_table(), self.path)
        _to_disk(self.path)

    def _footer(self) -> bytes:
        """One footer for all row groups."""
        first, *others = (pq.read_metadata(pa.BufferReader(footer)) for footer in self._footers.values())
        for other in others:
            first.append_row_groups(other)
        buffer = pa.BufferOutputStream()
        first.write_metadata_file(buffer)
        footer: bytes = buffer.getvalue().to_pybytes()
        return footer


def _repeating_columns(schema: pa.Schema) -> list[str]:
    return [
        field.name
        for field in schema
        if field.name not in VARIED_COLUMNS
        and not pa.types.is_nested(field.type)
        and field.type != pa.bool_()
    ]


def _ordered_columns(schema: pa.Schema) -> list[str]:
    return [field.name for field in schema if field.name not in VARIED_COLUMNS]


class ArrowSink(Sink):
    """The Arrow file format, not compressed, so that it can be mapped into memory."""

    def __init__(self, path: Path, schema: pa.Schema, marks: Sequence[Mark]) -> None:
        done = path.with_suffix(".done")
        if marks and not done.exists():  # it is there already when an earlier try broke off here
            os.truncate(path, marks[-1]["size"])
            path.rename(done)
        super().__init__(path, schema, ())
        self._file = pa.OSFile(str(path), "wb")
        self._writer = pa_ipc.new_file(self._file, schema)
        if marks:
            self._copy(done)
            _to_disk(path)
            done.unlink()

    def _copy(self, done: Path) -> None:
        """Write the batches of the finished part again: the same bytes, but known to the writer."""
        with pa.OSFile(str(done), "rb") as file:
            file.seek(ARROW_MAGIC_SIZE)
            for batch in pa_ipc.open_stream(file):
                self._writer.write_batch(batch)

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write_batch(batch)

    def finish(self) -> None:
        self._writer.close()
        self._file.close()
        _to_disk(self.path)


class CsvSink(Sink):
    """CSV with a header line; null is an empty field, an empty text a pair of quotes."""

    def __init__(self, path: Path, schema: pa.Schema, marks: Sequence[Mark]) -> None:
        super().__init__(path, schema, marks)
        if not marks:
            self.write(pa.RecordBatch.from_pylist([], schema))

    def write(self, batch: pa.RecordBatch) -> None:
        options = pa_csv.WriteOptions(include_header=self.size == 0)
        with pa.OSFile(str(self.path), "ab") as file:
            pa_csv.write_csv(csv_batch(batch), file, options)

    def finish(self) -> None:
        _to_disk(self.path)


class NdjsonSink(Sink):
    """One JSON object a line."""

    def write(self, batch: pa.RecordBatch) -> None:
        with pa.OSFile(str(self.path), "ab") as file:
            file.write(json_lines(batch))

    def finish(self) -> None:
        _to_disk(self.path)


_SINKS: dict[str, type[Sink]] = {PARQUET: ParquetSink, ARROW: ArrowSink, CSV: CsvSink, NDJSON: NdjsonSink}


def open_sink(file_format: str, path: Path, schema: pa.Schema, marks: Sequence[Mark] = ()) -> Sink:
    """The sink of a format, empty or as it was at the last of its marks. Raises OSError."""
    return _SINKS[file_format](path, schema, marks)
