"""Record batches as text, for the formats that hold nothing else (CSV, NDJSON)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .cells import is_text

__all__ = ["JSON_TEXT", "csv_batch", "json_lines"]

# Marks a text column whose values are JSON texts, as read from NDJSON.
JSON_TEXT = {b"paohuzi.json": b"1"}
_TO_ESCAPE = r'["\\\x00-\x1f]'


def json_lines(batch: pa.RecordBatch) -> pa.Buffer:
    """The rows as JSON objects, one a line."""
    if batch.num_rows == 0:
        return pa.py_buffer(b"")
    parts: list[Any] = []
    for field, column in zip(batch.schema, batch.columns, strict=True):
        start = ", " if parts else "{"
        parts += [f"{start}{json.dumps(field.name, ensure_ascii=False)}: ", _json_values(column, field)]
    # The texts of an array lie side by side in memory: with the braces and the line end they are the file.
    lines = _joined(*parts, "}\n")
    _, offsets, data = lines.buffers()
    return data.slice(0, int(np.frombuffer(offsets, np.int32)[len(lines)]))


def csv_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with what CSV cannot hold as text: binary as hexadecimal digits, nested as JSON."""
    columns = [_csv_column(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _csv_column(column: pa.Array) -> pa.Array:
    if pa.types.is_nested(column.type):
        return _each(column, _as_json)
    if _is_binary(column.type):
        return _each(column, bytes.hex)
    if isinstance(column.type, pa.BaseExtensionType):
        return _each(column, _plain_value)
    return pc.cast(column, pa.string()) if is_text(column.type) else column


def _json_values(column: pa.Array, field: pa.Field) -> pa.Array:
    """The values of a column as JSON texts, null included."""
    kind = column.type
    if is_text(kind):
        column = pc.cast(column, pa.string())
        values = column if field.metadata and JSON_TEXT.items() <= field.metadata.items() else _quoted(column)
    elif pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        values = pc.cast(column, pa.string())
    elif pa.types.is_floating(kind):
        values = pc.cast(pc.if_else(pc.is_finite(column), column, None), pa.string())
    elif pa.types.is_null(kind):
        values = pa.nulls(len(column), pa.string())
    else:
        values = _each(column, _as_json)
    return pc.fill_null(pc.cast(values, pa.string()), "null")


def _quoted(column: pa.Array) -> pa.Array:
    if pc.any(pc.match_substring_regex(column, _TO_ESCAPE)).as_py():
        return _each(column, _as_json)
    return _joined('"', column, '"')


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain_value)


def _plain_value(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def _each(column: pa.Array, convert: Callable[[Any], str]) -> pa.Array:
    values = (value.as_py() for value in column)
    return pa.array([None if value is None else convert(value) for value in values], pa.string())


def _is_binary(kind: pa.DataType) -> bool:
    tests = (
        pa.types.is_binary,
        pa.types.is_large_binary,
        pa.types.is_fixed_size_binary,
        pa.types.is_binary_view,
    )
    return any(test(kind) for test in tests)


def _joined(*parts: Any) -> pa.Array:
    """Texts and columns of texts one after the other, row by row."""
    return pc.binary_join_element_wise(*parts, "")
