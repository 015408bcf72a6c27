"""Cells of a column as numbers, whatever type they came in; a cell that does not fit is noted, not raised."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["Errors", "choices", "is_null", "is_number", "is_text", "matrix", "numbers", "words"]

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
SHOWN_TEXT = 60
OUTSIDE = np.iinfo(np.int64).min  # stands for a cell that is no whole number


class Errors(dict[int, str]):
    """What is wrong with the rows of a batch: the first thing found of each."""

    def note(self, row: SupportsIndex, text: str) -> None:
        """Note an error of a row unless it has one."""
        self.setdefault(index(row), text)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_number(kind: pa.DataType) -> bool:
    """Whether a column holds numbers that may be whole ones; pandas turns counts with gaps into floats."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def is_null(column: pa.Array) -> Mask:
    """Which cells are empty."""
    mask: Mask = column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
    return mask


def numbers(column: pa.Array, name: str, low: int, high: int, errors: Errors) -> Integers:
    """The cells as whole numbers from low to high; low where the cell is empty or, noted, does not fit."""
    if is_text(column.type):
        values = choices(column, lambda text: _whole_number(text) if text.strip() else low)
    else:
        filled = pc.fill_null(column, low).to_numpy(zero_copy_only=False)
        with np.errstate(invalid="ignore"):
            values = filled.astype(np.int64)
        values = np.where(values == filled, values, OUTSIDE)
    values = np.where(is_null(column), low, values)
    for row in np.flatnonzero((values < low) | (values > high)):
        got = shown(column[int(row)].as_py())
        errors.note(row, f"column {name!r}: expected a whole number from {low} to {high}, got {got}")
        values[row] = low
    return values


def choices(column: pa.Array, parse: Callable[[str], int]) -> Integers:
    """The cells of a text column by `parse`, which is called once for each different text; 0 where empty."""
    encoded = pc.dictionary_encode(column)
    parsed = [0 if text is None else parse(text) for text in encoded.dictionary.to_pylist()]
    places = pc.fill_null(encoded.indices, len(parsed)).to_numpy(zero_copy_only=False)
    values: Integers = np.array([*parsed, 0], np.int64)[places]
    return values


def words(column: pa.Array, separator: str) -> tuple[Integers, Integers, pa.Array]:
    """The words of a text column: row and place of each in its row, and the words themselves, trimmed.

    Empty words are left out.
    """
    rows = pc.split_pattern(pc.cast(column, pa.string()), separator)
    parents = pc.list_parent_indices(rows).to_numpy()
    flat = pc.utf8_trim_whitespace(pc.list_flatten(rows))
    is_word = pc.not_equal(flat, "").to_numpy(zero_copy_only=False)
    parents = parents[is_word]
    return parents, _places(parents), flat.filter(pa.array(is_word))


def _places(parents: Integers) -> Integers:
    """The place of every item among those of its parent, for ascending parents."""
    firsts = np.flatnonzero(np.diff(parents, prepend=-1))
    counts = np.diff(firsts, append=len(parents))
    return np.arange(len(parents)) - np.repeat(firsts, counts)


def matrix(column: pa.Array, name: str, widths: tuple[int, ...], errors: Errors) -> npt.NDArray[np.uint8]:
    """Binary or list cells as rows of bytes, as wide as the last of widths; zeros where empty or unfit."""
    out = np.zeros((len(column), widths[-1]), np.uint8)
    if pa.types.is_fixed_size_binary(column.type):
        width = column.type.byte_width
        data = column.buffers()[1]
        if data is not None:
            flat = np.frombuffer(data, np.uint8, len(column) * width, column.offset * width)
            out[:, :width] = flat.reshape(-1, width)
        out[is_null(column)] = 0
        return out
    lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
    flat_column = pc.list_flatten(column)
    flat_values = pc.fill_null(pc.cast(flat_column, pa.int64(), safe=False), -1).to_numpy(
        zero_copy_only=False
    )
    rows = np.repeat(np.arange(len(column)), lengths)
    places = _places(rows)
    fits = np.isin(lengths, widths) | is_null(column)
    for row in np.flatnonzero(~fits):
        wanted = " or ".join(map(str, widths))
        errors.note(row, f"column {name!r}: expected {wanted} numbers, got {lengths[row]}")
    is_byte = (flat_values >= 0) & (flat_values <= 255)
    for item in np.flatnonzero(~is_byte & fits[rows]):
        got = flat_column[int(item)].as_py()
        errors.note(rows[item], f"column {name!r}: expected whole numbers from 0 to 255, got {got}")
    use = fits[rows] & is_byte
    out[rows[use], places[use]] = flat_values[use]
    return out


def _whole_number(text: str) -> int:
    """The number that a text stands for, as 3 or, from a column with gaps, 3.0; OUTSIDE for others."""
    try:
        number = float(text)
    except ValueError:
        return OUTSIDE
    return int(number) if number.is_integer() and abs(number) < 1 << 62 else OUTSIDE


def shown(value: Any) -> str:
    """A cell for a message."""
    text = repr(value)
    return text if len(text) <= SHOWN_TEXT else text[:SHOWN_TEXT] + "..."
