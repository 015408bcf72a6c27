"""Which columns of a file hold the hands, and how they become queries (docs/rules.md 6)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .. import batch
from ..columns import NO_WIN, QUERY_DTYPE, Queries
from ..groups import Group
from ..notation import GROUP_COUNT, SOURCES, Hand
from ..tiles import COPY_COUNT, FACE_COUNT, TILE_TEXTS, WANG, WANG_MAX, IllegalHand, Tile
from .cells import OUTSIDE, Errors, choices, is_null, is_number, is_text, matrix, numbers, shown, words
from .formats import AnalysisError
from .plain import JSON_TEXT

__all__ = ["QueryColumns", "find_columns", "read_cells"]

COUNT_COLUMNS = TILE_TEXTS[:FACE_COUNT]  # 1s to 0b
WANG_COLUMN = TILE_TEXTS[WANG]
OTHER_COLUMNS = ("exposed", "win", "source", "wang")
COUNT_WIDTHS = (FACE_COUNT, FACE_COUNT + 1)
WANTED = (
    "a text column `query` or `hand`, a column `hand` of packed uint64 or of 20 or 21 counts "
    "(binary or list), or columns of counts named 1s … 0s 1b … 0b and W"
)

_NUMBER = re.compile(r"-?[0-9]{1,4}")  # a face in a format that keeps numbers as text

Hands = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class QueryColumns:
    """The columns of a file that make up the queries.

    hand: the one column with the hands, or the 20 or 21 with the counts. is_whole: whether it holds whole
    queries as text. others: which of exposed, win, source and wang there are.
    """

    hand: tuple[str, ...]
    is_whole: bool
    others: frozenset[str]

    def queries(self, rows: pa.RecordBatch) -> tuple[Queries, Errors]:
        """The queries of some rows, and what is wrong with those that hold none (and are empty there)."""
        errors = Errors()
        count = rows.num_rows
        exposed = np.zeros((count, GROUP_COUNT), np.uint8)
        win = np.full(count, NO_WIN, np.int8)
        source = np.zeros(count, np.uint8)
        if self.is_whole:
            records = _read_queries(read_cells(rows, self.hand[0]), errors)
            hand, exposed, win, source = (records[name].copy() for name in records.dtype.names or ())
        else:
            hand = self._read_hands(rows, errors)
        if "wang" in self.others:
            hand = _with_wang(hand, read_cells(rows, "wang"), errors)
        if "exposed" in self.others:
            exposed = _read_exposed(read_cells(rows, "exposed"), errors)
        if "win" in self.others:
            win = _read_wins(read_cells(rows, "win"), errors)
            source = _read_sources(read_cells(rows, "source"), errors)
            source[win == NO_WIN] = 0
        for row in errors:
            hand[row], exposed[row], win[row], source[row] = 0, 0, NO_WIN, 0
        return Queries(hand, exposed, win, source), errors

    def _read_hands(self, rows: pa.RecordBatch, errors: Errors) -> Hands:
        columns = [read_cells(rows, name) for name in self.hand]
        name, column = self.hand[0], columns[0]
        for row in np.flatnonzero(np.logical_and.reduce([is_null(cells) for cells in columns])):
            errors.note(row, "no hand")
        if len(columns) > 1:
            return _pack(_read_counts(columns, self.hand, errors), errors)
        if is_text(column.type):
            return _read_hand_texts(column, errors)
        if pa.types.is_integer(column.type):
            numbers_held = column.fill_null(0).to_numpy(zero_copy_only=False)
            for row in np.flatnonzero(numbers_held < 0):
                errors.note(row, f"expected a packed hand, 0 to 2**63 - 1, got {numbers_held[row]}")
            packed: Hands = numbers_held.astype(np.uint64)
            return packed
        return _pack(matrix(column, name, COUNT_WIDTHS, errors), errors)


def read_cells(rows: pa.RecordBatch, name: str) -> pa.Array:
    """A column; of one kept as JSON texts, because its rows mix kinds, what these stand for as texts."""
    column = rows.column(name)
    if pa.types.is_null(column.type):
        return pa.nulls(len(column), pa.string())
    metadata = rows.schema.field(name).metadata or {}
    if not JSON_TEXT.items() <= metadata.items():
        return column
    return pa.array([None if text is None else _json_cell(text) for text in column.to_pylist()], pa.string())


def _json_cell(text: str) -> str:
    """A text without its quotes, counts as the digits of the packed hand, and all else as it is."""
    value = json.loads(text)
    if isinstance(value, list):
        try:
            return str(Hand.from_counts(value).packed)
        except (ValueError, TypeError):
            return text
    return value if isinstance(value, str) else text


def find_columns(schema: pa.Schema, path: Path) -> QueryColumns:
    """Find the columns with the queries. Raises AnalysisError when there are none."""
    kinds = dict(zip(schema.names, schema.types, strict=True))
    others = frozenset(name for name in OTHER_COLUMNS if name in kinds)
    is_whole = "query" in kinds and is_text(kinds["query"])
    if is_whole:
        others &= {"wang"}
    if ("win" in others) != ("source" in others):
        missing, other = ("source", "win") if "win" in others else ("win", "source")
        raise AnalysisError(f"{path}: column {other!r} needs a column {missing!r} beside it")
    for name in others:
        is_right, wanted = _OTHER_KINDS[name]
        if not is_right(kinds[name]):
            raise AnalysisError(f"{path}: column {name!r} is {kinds[name]}; expected {wanted}")
    if is_whole:
        return QueryColumns(("query",), True, others)
    if "hand" in kinds:
        kind = kinds["hand"]
        if is_text(kind) and others <= {"wang"}:
            return QueryColumns(("hand",), True, others)
        if is_text(kind) or _is_packed(kind) or _is_counts(kind):
            return QueryColumns(("hand",), False, others)
        raise AnalysisError(f"{path}: column 'hand' is {kind}; expected {WANTED}")
    found = [name for name in COUNT_COLUMNS if name in kinds]
    if len(found) == FACE_COUNT:
        names = COUNT_COLUMNS + (WANG_COLUMN,) * (WANG_COLUMN in kinds)
        for name in names:
            if not is_number(kinds[name]) and not is_text(kinds[name]):
                raise AnalysisError(f"{path}: column {name!r} is {kinds[name]}; expected counts")
        return QueryColumns(names, False, others)
    if found:
        missing = " ".join(name for name in COUNT_COLUMNS if name not in kinds)
        raise AnalysisError(f"{path}: columns of counts are missing: {missing}")
    raise AnalysisError(f"{path}: no column with hands: expected {WANTED}; got {', '.join(schema.names)}")


def _is_packed(kind: pa.DataType) -> bool:
    return bool(pa.types.is_uint64(kind) or pa.types.is_int64(kind))


def _is_counts(kind: pa.DataType) -> bool:
    if pa.types.is_fixed_size_binary(kind):
        return kind.byte_width in COUNT_WIDTHS
    return _is_list(kind)


def _is_list(kind: pa.DataType) -> bool:
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(is_list and pa.types.is_integer(kind.value_type))


def _is_cell(kind: pa.DataType) -> bool:
    return is_text(kind) or is_number(kind) or bool(pa.types.is_null(kind))


def _is_groups(kind: pa.DataType) -> bool:
    if pa.types.is_fixed_size_binary(kind):
        return bool(kind.byte_width == GROUP_COUNT)
    return is_text(kind) or _is_list(kind) or bool(pa.types.is_null(kind))


_OTHER_KINDS: dict[str, tuple[Callable[[pa.DataType], bool], str]] = {
    "exposed": (_is_groups, f"text, binary of {GROUP_COUNT} bytes or a list of {GROUP_COUNT} integers"),
    "win": (_is_cell, "text or numbers"),
    "source": (_is_cell, "text or numbers"),
    "wang": (_is_cell, "text or numbers"),
}


def _read_queries(column: pa.Array, errors: Errors) -> npt.NDArray[np.void]:
    """The records of whole queries; a number is a packed hand."""
    texts = ["" if text is None else text for text in column.to_pylist()]
    read = batch.queries(texts, keep_errors=True)
    records = read.records.copy()
    for row, error in read.errors.items():
        if texts[row].isdecimal():
            records[row] = _empty_record()
            records[row]["hand"] = _packed(texts[row], row, errors)
        else:
            errors.note(row, error if texts[row] else "no hand")
    return records


def _empty_record() -> npt.NDArray[np.void]:
    record = np.zeros((), QUERY_DTYPE)
    record["win"] = NO_WIN
    return record


def _packed(digits: str, row: int, errors: Errors) -> int:
    """A packed hand from its digits; 0 for a number that is none, noted."""
    try:
        return Hand.from_packed(int(digits)).packed
    except ValueError as error:
        errors.note(row, str(error))
        return 0


def _read_hand_texts(column: pa.Array, errors: Errors) -> Hands:
    hands = np.zeros(len(column), np.uint64)
    for row, text in enumerate(column.to_pylist()):
        if text is not None:
            try:
                hands[row] = _packed(text, row, errors) if text.isdecimal() else Hand.parse(text).packed
            except ValueError as error:
                errors.note(row, str(error))
    return hands


def _read_counts(columns: list[pa.Array], names: tuple[str, ...], errors: Errors) -> npt.NDArray[np.uint8]:
    counts = np.zeros((len(columns[0]), FACE_COUNT + 1), np.uint8)
    for face, (name, column) in enumerate(zip(names, columns, strict=True)):
        counts[:, face] = numbers(column, name, 0, COPY_COUNT, errors)
    return counts


def _pack(counts: npt.NDArray[np.uint8], errors: Errors) -> Hands:
    """Pack rows of 21 counts; rows with more than four of a face are noted and left empty."""
    for row in np.flatnonzero((counts > COPY_COUNT).any(axis=1)):
        try:
            Hand.from_counts(counts[row].tolist())
        except IllegalHand as error:
            errors.note(row, str(error))
        counts[row] = 0
    hands = np.zeros(len(counts), np.uint64)
    for face in range(FACE_COUNT + 1):
        hands |= counts[:, face].astype(np.uint64) << np.uint64(3 * face)
    return hands


def _with_wang(hands: Hands, column: pa.Array, errors: Errors) -> Hands:
    """The hands with the wangs of their own column added to those that they hold."""
    held = (hands >> np.uint64(3 * WANG) & np.uint64(7)).astype(np.int64)
    wangs = numbers(column, "wang", 0, WANG_MAX, errors) + held
    for row in np.flatnonzero(wangs > WANG_MAX):
        errors.note(row, f"{wangs[row]} wangs (王): expected at most {WANG_MAX}")
    added = np.where(wangs > WANG_MAX, 0, wangs - held).astype(np.uint64)
    with_wang: Hands = hands + (added << np.uint64(3 * WANG))
    return with_wang


def _read_exposed(column: pa.Array, errors: Errors) -> npt.NDArray[np.uint8]:
    """The codes of exposed groups, from texts as `peng:333b; ti:0000b` or from rows of seven codes."""
    if not is_text(column.type):
        return matrix(column, "exposed", (GROUP_COUNT,), errors)
    out = np.zeros((len(column), GROUP_COUNT), np.uint8)
    rows, places, groups = words(column, ";")
    codes = choices(groups, _group_code)
    for item in np.flatnonzero(codes == OUTSIDE):
        errors.note(rows[item], f"column 'exposed': {_error_of(Group.parse, groups[int(item)].as_py())}")
    for row in rows[places >= GROUP_COUNT]:
        errors.note(row, f"more than {GROUP_COUNT} exposed groups: a hand has {GROUP_COUNT} groups")
    fits = (codes != OUTSIDE) & (places < GROUP_COUNT)
    out[rows[fits], places[fits]] = codes[fits]
    return out


def _group_code(text: str) -> int:
    try:
        return Group.parse(text).native
    except ValueError:
        return OUTSIDE


def _error_of(parse: Callable[[str], object], text: str) -> str:
    """What a parser says about a text that it refused."""
    try:
        parse(text)
    except ValueError as error:
        return str(error)
    return f"unexpected {text!r}"


def _read_wins(column: pa.Array, errors: Errors) -> npt.NDArray[np.int8]:
    """The faces of winning tiles, from texts as `7s` or from numbers; -1 where there is none."""
    if is_text(column.type):
        faces = choices(column, _win_face)
        faces[is_null(column)] = NO_WIN
        for row in np.flatnonzero(faces == OUTSIDE):
            errors.note(row, f"column 'win': {_error_of(Tile.parse, column[int(row)].as_py())}")
            faces[row] = NO_WIN
    else:
        faces = numbers(column, "win", NO_WIN, WANG, errors)
    return faces.astype(np.int8)


def _win_face(text: str) -> int:
    if _NUMBER.fullmatch(text.strip()):
        face = int(text)
        return face if NO_WIN <= face <= WANG else OUTSIDE
    try:
        return Tile.parse(text).face if text.strip() else NO_WIN
    except ValueError:
        return OUTSIDE


def _read_sources(column: pa.Array, errors: Errors) -> npt.NDArray[np.uint8]:
    """The sources, from texts as `self` or from numbers; 0 where there is none."""
    if is_text(column.type):
        numbers_by_text = {"": 0, "none": 0} | {str(number): number for number in range(len(SOURCES) + 1)}
        numbers_by_text |= {source: number for number, source in enumerate(SOURCES, 1)}
        sources = choices(column, lambda text: numbers_by_text.get(text.strip().lower(), OUTSIDE))
        for row in np.flatnonzero(sources == OUTSIDE):
            text = shown(column[int(row)].as_py())
            errors.note(row, f"column 'source': expected {', '.join(SOURCES)}, got {text}")
            sources[row] = 0
    else:
        sources = numbers(column, "source", 0, len(SOURCES), errors)
    return sources.astype(np.uint8)
