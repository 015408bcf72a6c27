"""CSV and NDJSON as streams of record batches: a row that cannot be read keeps its place."""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from .formats import ARROW, CSV, INPUT_FORMATS, NDJSON, NPY, PARQUET, AnalysisError, format_of
from .plain import JSON_TEXT
from .sources import ArrowSource, Chunk, NpySource, ParquetSource, Source

__all__ = ["CsvSource", "NdjsonSource", "open_source"]

CSV_BLOCK = 1 << 20  # bytes; some thirty are read ahead
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SHOWN_TEXT = 60
Tags = set[str]


class CsvSource(Source):
    """CSV with a header line. All columns stay text: an empty field is null, two quotes an empty text.

    pyarrow cannot tell about a row with a wrong number of fields unless that row is UTF-8. A file that is not
    is therefore read byte by byte as Latin-1, which any file is, and turned back cell by cell.
    """

    def _open(self) -> Iterator[pa.Field]:
        self._is_utf8 = _is_utf8(self.path)
        with self._opened() as file:
            self._names = self._reader(file, [], {}).schema.names  # as pyarrow knows them
        for name in self._names:
            yield pa.field(name if self._is_utf8 else name.encode("latin-1").decode(), pa.string())

    @contextmanager
    def _opened(self) -> Iterator[pa.NativeFile]:
        """The file behind its byte order mark, if it has one."""
        with pa.OSFile(str(self.path)) as file:
            has_mark = file.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK
            file.seek(len(BYTE_ORDER_MARK) if has_mark else 0)
            try:
                yield file
            except pa.ArrowInvalid as error:
                if "straddl" not in str(error):
                    raise
                wanted = f"lines of at most {CSV_BLOCK:,} bytes"
                text = f"{self.path}: expected {wanted}, got a longer one, or a quote without end"
                raise AnalysisError(text) from error

    def _reader(self, file: pa.NativeFile, refused: list[tuple[int, str]], types: dict[str, Any]) -> Any:
        """The batches of the file; rows with a wrong number of fields go to `refused`, with their number."""

        def refuse(row: Any) -> str:
            shown = row.text if self._is_utf8 else row.text.encode("latin-1").decode("utf-8", "replace")
            text = f"expected {row.expected_columns} fields, got {row.actual_columns}: {shown[:SHOWN_TEXT]!r}"
            refused.append((row.number - 2, text))  # numbered from 1, the header first
            return "skip"

        return pa_csv.open_csv(
            file,
            # Rows have numbers only without threads; it is the faster way, too.
            pa_csv.ReadOptions(
                use_threads=False, block_size=CSV_BLOCK, encoding="utf8" if self._is_utf8 else "latin-1"
            ),
            pa_csv.ParseOptions(newlines_in_values=True, invalid_row_handler=refuse),
            pa_csv.ConvertOptions(
                column_types=types,
                check_utf8=False,
                strings_can_be_null=True,
                null_values=[""],
                quoted_strings_can_be_null=False,
            ),
        )

    def _pieces(self, start: int, size: int) -> Iterator[Chunk]:
        refused: list[tuple[int, str]] = []
        row = 0
        with self._opened() as file:
            total = max(1, file.size())
            for batch in self._reader(file, refused, dict.fromkeys(self._names, pa.binary())):
                batch, errors = _decoded(batch, self.schema, is_utf8=self._is_utf8)
                chunk = _with_refused(Chunk(row, batch, file.tell() / total, errors), refused)
                row += chunk.batch.num_rows
                yield chunk
        while refused:
            chunk = _with_refused(Chunk(row, pa.RecordBatch.from_pylist([], self.schema), 1.0), refused)
            row += chunk.batch.num_rows
            yield chunk


def _is_utf8(path: Path) -> bool:
    """Whether all of a file is UTF-8."""
    decoder = getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        try:
            while block := file.read(CSV_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _decoded(
    batch: pa.RecordBatch, schema: pa.Schema, *, is_utf8: bool
) -> tuple[pa.RecordBatch, dict[int, str]]:
    """The columns as text, and an error for each row of which the bytes are no UTF-8."""
    if is_utf8:
        columns = [pc.cast(column, pa.string()) for column in batch.columns]
        return pa.RecordBatch.from_arrays(columns, schema=schema), {}
    columns = []
    errors: dict[int, str] = {}
    for name, column in zip(schema.names, batch.columns, strict=True):
        cells = [
            None if cell is None else cell.decode().encode("latin-1").decode("utf-8", "replace")
            for cell in column.to_pylist()
        ]
        wrong = (row for row, text in enumerate(cells) if text is not None and "\ufffd" in text)
        errors |= dict.fromkeys(wrong, f"column {name!r} is not UTF-8 text")
        columns.append(pa.array(cells, pa.string()))
    return pa.RecordBatch.from_arrays(columns, schema=schema), errors


def _with_refused(chunk: Chunk, refused: list[tuple[int, str]]) -> Chunk:
    """The chunk with an empty row for each refused row that belongs before or right behind its rows."""
    if not refused:
        return chunk
    places: list[int | None] = list(range(chunk.batch.num_rows))
    errors = {}
    while refused and refused[0][0] - chunk.row <= len(places):
        row, text = refused.pop(0)
        places.insert(row - chunk.row, None)
        errors[row - chunk.row] = text
    moved = {place: row for row, place in enumerate(places) if place is not None}
    errors |= {moved[row]: text for row, text in chunk.errors.items()}
    return Chunk(chunk.row, chunk.batch.take(pa.array(places, pa.int64())), chunk.done, errors)


class NdjsonSource(Source):
    """One JSON object a line. The file is read twice: first for the names and types of the columns.

    Values of one kind become a column of that type; a column that mixes kinds, or holds objects, is kept as
    JSON text.
    """

    def _open(self) -> Iterator[pa.Field]:
        tags: dict[str, Tags] = {}
        self.row_count = 0
        with self.path.open("rb") as file:
            for _, row in _json_rows(file):
                self.row_count += 1
                for name, value in row.items() if isinstance(row, dict) else ():
                    tags.setdefault(name, set()).add(_tag(value))
        for name, found in tags.items():
            kind = _type_of(found)
            yield pa.field(name, pa.string(), metadata=JSON_TEXT) if kind is None else pa.field(name, kind)

    def _pieces(self, start: int, size: int) -> Iterator[Chunk]:
        row = 0
        with self.path.open("rb") as file:
            total = max(1, self.path.stat().st_size)
            rows = _json_rows(file)
            while lines := list(islice(rows, size)):
                objects = [value if isinstance(value, dict) else {} for _, value in lines]
                errors = {i: value for i, (_, value) in enumerate(lines) if isinstance(value, str)}
                columns = [self._column(field, objects) for field in self.schema]
                batch = pa.RecordBatch.from_arrays(columns, schema=self.schema)
                yield Chunk(row, batch, lines[-1][0] / total, errors)
                row += len(lines)

    def _column(self, field: pa.Field, objects: list[dict[str, Any]]) -> pa.Array:
        values = [row.get(field.name) for row in objects]
        if field.metadata:
            values = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
        return pa.array(values, field.type)


def _json_rows(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Every line that is not blank: where it ends in the file, and its object or what is wrong with it."""
    end = 0
    for line in file:
        end += len(line)
        text = line.strip().removeprefix(BYTE_ORDER_MARK)
        if text:
            yield end, _json_row(text)


def _json_row(text: bytes) -> dict[str, Any] | str:
    try:
        value = json.loads(text)
        if not text.isascii() or b"\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half of a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        return f"no JSON ({error}): {text[:SHOWN_TEXT].decode('utf-8', 'replace')!r}"
    if isinstance(value, dict):
        return value
    return f"expected a JSON object, got {text[:SHOWN_TEXT].decode('utf-8', 'replace')!r}"


def _tag(value: object) -> str:
    """What kind of column could hold a value."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        sizes = (("json", -1 << 63), ("negative", 0), ("int", 1 << 63), ("uint", 1 << 64))
        return next((tag for tag, end in sizes if value < end), "json")
    if isinstance(value, list) and all(type(item) is int and abs(item) < 1 << 63 for item in value):
        return "ints"
    return {type(None): "null", float: "float", str: "text"}.get(type(value), "json")


_TYPES: list[tuple[Tags, pa.DataType]] = [
    ({"null"}, pa.string()),
    ({"null", "bool"}, pa.bool_()),
    ({"null", "negative", "int"}, pa.int64()),
    ({"null", "int", "uint"}, pa.uint64()),
    ({"null", "negative", "int", "float"}, pa.float64()),
    ({"null", "text"}, pa.string()),
    ({"null", "ints"}, pa.list_(pa.int64())),
]


def _type_of(tags: Tags) -> pa.DataType | None:
    """The first type that holds all values, None when only JSON text does."""
    return next((kind for held, kind in _TYPES if tags <= held), None)


_SOURCES: dict[str, type[Source]] = {
    PARQUET: ParquetSource,
    ARROW: ArrowSource,
    CSV: CsvSource,
    NDJSON: NdjsonSource,
    NPY: NpySource,
}


def open_source(path: Path) -> Source:
    """The source of an input file by its extension. Raises AnalysisError."""
    return _SOURCES[format_of(path, INPUT_FORMATS)](path)
