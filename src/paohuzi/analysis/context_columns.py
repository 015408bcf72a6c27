"""Columns of a file that tell the context of each row's win (docs/rules.md 5)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from .._native import CONTEXT
from .cells import OUTSIDE, Errors, choices, is_null, is_number, is_text, numbers, shown
from .formats import AnalysisError
from .query_columns import read_cells

__all__ = ["find_contexts", "read_contexts"]

WANTED = "true or false, 1 or 0"
TRUTHS = {"": 0, "0": 0, "0.0": 0, "false": 0, "1": 1, "1.0": 1, "true": 1}

Flags = npt.NDArray[np.uint8]


def find_contexts(schema: pa.Schema, path: Path) -> tuple[str, ...]:
    """Which fields of a context have a column of their name. Raises AnalysisError for one of a wrong type."""
    names = tuple(name for name in CONTEXT if name in schema.names)
    for name in names:
        kind = schema.field(name).type
        if not (pa.types.is_boolean(kind) or is_number(kind) or is_text(kind) or pa.types.is_null(kind)):
            raise AnalysisError(f"{path}: column {name!r} is {kind}; expected {WANTED}")
    return names


def read_contexts(rows: pa.RecordBatch, names: tuple[str, ...], errors: Errors) -> Flags:
    """The context of each row as the `flags` of a Context; 0 where one is noted as an error."""
    flags = np.zeros(rows.num_rows, np.uint8)
    for name in names:
        flags |= (_truths(read_cells(rows, name), name, errors) << CONTEXT.index(name)).astype(np.uint8)
    flags[list(errors)] = 0
    return flags


def _truths(column: pa.Array, name: str, errors: Errors) -> npt.NDArray[np.int64]:
    """1 where a cell is true, 0 where it is false or empty or, noted, neither."""
    if pa.types.is_boolean(column.type):
        truths: npt.NDArray[np.int64] = (
            pc.fill_null(column, False).to_numpy(zero_copy_only=False).astype(np.int64)
        )
        return truths
    if not is_text(column.type):
        return numbers(column, name, 0, 1, errors)
    found = choices(column, lambda text: TRUTHS.get(text.strip().lower(), OUTSIDE))
    for row in np.flatnonzero(found == OUTSIDE):
        errors.note(row, f"column {name!r}: expected {WANTED}, got {shown(column[int(row)].as_py())}")
    return np.where((found == OUTSIDE) | is_null(column), 0, found)
