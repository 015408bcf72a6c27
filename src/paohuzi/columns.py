"""Hands and queries as numpy arrays (docs/rules.md 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _native
from .notation import Query
from .tiles import COPY_COUNT, FACE_COUNT, TILES, WANG, WANG_MAX, IllegalHand

__all__ = ["QUERY_DTYPE", "Queries", "pack", "queries", "unpack"]

Bytes: TypeAlias = npt.NDArray[np.uint8]
Packed: TypeAlias = npt.NDArray[np.uint64]
Records: TypeAlias = npt.NDArray[np.void]
Column: TypeAlias = "npt.NDArray[np.integer[Any]] | int"
Hands: TypeAlias = "Bytes | Packed | Queries"

FACE_AXIS = FACE_COUNT + 1
GROUP_COUNT = 7
NO_WIN = -1
TILES_MOST = 26  # six quads and a pair (docs/rules.md 3.1)
WANG_SHIFT = np.uint64(3 * WANG)
COUNT_ONES = np.uint64(int("1" * FACE_AXIS, 8))  # the lowest bit of every count of a packed hand

# struct Query of csrc/query.hpp
QUERY_DTYPE = np.dtype(
    {
        "names": ["hand", "exposed", "win", "source"],
        "formats": ["<u8", ("u1", (GROUP_COUNT,)), "i1", "u1"],
        "offsets": [0, 8, 15, 16],
        "itemsize": 24,
    }
)
_UNREAD_SOURCE = 255  # gives the row of an unreadable text a fault
_NO_ERRORS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Queries:
    """The columns of N queries. The rows are not checked here: `batch.solve` tells which have a fault.

    hand: concealed tiles, packed (N,) uint64 or counts (N, 20 | 21) uint8. exposed: group codes, (N, 7)
    uint8, zeros from the first empty place on; none by default. win: face of the winning tile, (N,) int8, -1
    for none. source: (N,) uint8, 0 none, 1 self, 2 other, 3 discard. One number as win or source is for all
    rows; columns are copied. Raises TypeError, ValueError, IllegalHand. See docs/rules.md 6.

    >>> Queries(np.array([0o12], np.uint64)).win
    array([-1], dtype=int8)
    """

    records: Records
    """The queries as the native side reads them, of QUERY_DTYPE; read-only."""
    errors: Mapping[int, str]
    """What was wrong with the texts that could not be read, by row."""

    def __init__(
        self, hand: Bytes | Packed, exposed: Column = 0, win: Column = NO_WIN, source: Column = 0
    ) -> None:
        hands = read_hands(hand)
        records = np.zeros(len(hands), QUERY_DTYPE)
        records["hand"] = hands if hands.ndim == 1 else pack(hands)
        for name, column in (("exposed", exposed), ("win", win), ("source", source)):
            records[name] = read_column(name, column, records[name].shape, records[name].dtype)
        _fill(self, records, {})

    @classmethod
    def from_records(cls, records: Records, errors: Mapping[int, str] = _NO_ERRORS) -> Queries:
        """The queries of an array of QUERY_DTYPE, copied; errors by row. Raises TypeError.

        >>> Queries.from_records(np.zeros(3, QUERY_DTYPE))
        <Queries of 3 rows>
        """
        got = np.asarray(records)
        if got.dtype != QUERY_DTYPE or got.ndim != 1:
            raise TypeError(f"expected (N,) records of QUERY_DTYPE, got {got.shape} {got.dtype}")
        made = object.__new__(cls)
        _fill(made, got.copy(), errors)
        return made

    @property
    def hand(self) -> Packed:
        """The packed concealed hands, (N,) uint64."""
        return self.records["hand"]

    @property
    def exposed(self) -> Bytes:
        """The codes of the exposed groups, (N, 7) uint8."""
        return self.records["exposed"]

    @property
    def win(self) -> npt.NDArray[np.int8]:
        """The faces of the winning tiles, (N,) int8."""
        return self.records["win"]

    @property
    def source(self) -> Bytes:
        """Where the winning tiles come from, (N,) uint8."""
        return self.records["source"]

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, rows: slice) -> Queries:
        if not isinstance(rows, slice):
            raise TypeError(f"expected a slice of rows, as [5:6], got {rows!r}")
        starts = range(len(self))[rows]
        errors = {starts.index(row): error for row, error in self.errors.items() if row in starts}
        return Queries.from_records(self.records[rows], errors)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Queries):
            return NotImplemented
        return self.errors == other.errors and bool(np.array_equal(self.records, other.records))

    def __hash__(self) -> int:
        return hash(self.hand.tobytes())

    def __repr__(self) -> str:
        return f"<Queries of {len(self)} rows>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Queries.from_records, (self.records, dict(self.errors))


def _fill(target: Queries, records: Records, errors: Mapping[int, str]) -> None:
    records.flags.writeable = False
    object.__setattr__(target, "records", records)
    object.__setattr__(target, "errors", MappingProxyType(dict(errors)))


def queries(texts: Iterable[str | Query], *, keep_errors: bool = False) -> Queries:
    """Queries from their texts. Raises NotationError or IllegalHand, which name the row.

    With keep_errors a text that cannot be read keeps its place, as a row with a fault, and its error is in
    `errors`. See docs/rules.md 6.

    >>> queries(["34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"]).win
    array([18], dtype=int8)
    """
    unread = np.zeros((), QUERY_DTYPE)
    unread["source"] = _UNREAD_SOURCE
    errors: dict[int, str] = {}
    keys = bytearray()
    for row, text in enumerate(texts):
        try:
            keys += (text if isinstance(text, Query) else Query.parse(text)).key
        except ValueError as error:
            if not keep_errors:
                raise type(error)(f"row {row}: {error}") from error
            errors[row] = str(error)
            keys += unread.tobytes()
    return Queries.from_records(np.frombuffer(bytes(keys), QUERY_DTYPE), errors)


def pack(rows: Bytes) -> Packed:
    """Packed hands, (N,) uint64, from counts (N, 20) or (N, 21) uint8. Raises IllegalHand.

    See docs/rules.md 6.

    >>> pack(np.array([[2, 1] + [0] * 19], np.uint8))
    array([10], dtype=uint64)
    """
    counts = read_hands(rows)
    if counts.ndim != 2:
        raise ValueError(f"expected counts of shape (N, 20) or (N, 21), got {counts.shape}")
    packed = np.empty(len(counts), np.uint64)
    bad = _native.pack_rows(counts, packed)
    if bad >= 0:
        raise illegal_hand(counts[bad], bad)
    return packed


def unpack(packed: Packed) -> Bytes:
    """Counts, (N, 21) uint8 with the wangs last, from packed hands (N,) uint64. Raises IllegalHand.

    See docs/rules.md 6.

    >>> unpack(np.array([10], np.uint64))[0, :3]
    array([2, 1, 0], dtype=uint8)
    """
    hands = read_hands(packed)
    if hands.ndim != 1:
        raise ValueError(f"expected packed hands of shape (N,), got {hands.shape}")
    counts = np.empty((len(hands), FACE_AXIS), np.uint8)
    bad = _native.unpack_hands(hands, counts)
    if bad >= 0:
        raise illegal_hand(hands[bad], bad)
    return counts


def read_hands(hands: object) -> Any:
    """An aligned array of hands, (N,) uint64 or (N, 20 | 21) uint8. Raises TypeError, ValueError."""
    array = np.asarray(hands)
    if array.dtype not in (np.uint8, np.uint64):
        raise TypeError(
            f"expected hands as counts of dtype uint8 or packed as uint64, got dtype {array.dtype.str}"
            f"{_negative_hint(array)}: convert with astype if all values fit"
        )
    fits = array.shape[1:] in ((FACE_COUNT,), (FACE_AXIS,)) if array.dtype == np.uint8 else array.ndim == 1
    if not fits:
        raise ValueError(
            "expected hands of shape (N, 20) or (N, 21) as uint8, or (N,) as uint64, "
            f"got shape {array.shape} as {array.dtype}"
        )
    return array if array.flags.aligned else array.copy()


def _negative_hint(array: npt.NDArray[Any]) -> str:
    if not np.issubdtype(array.dtype, np.signedinteger) or not (array < 0).any():
        return ""
    place = tuple(int(at[0]) for at in np.nonzero(array < 0))
    return f" with a negative value, {array[place]}, at {place}"


def read_column(name: str, column: object, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """A column of whole numbers that fit the dtype, or one for all rows. Raises TypeError, ValueError."""
    array = np.asarray(column)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"expected {name} of dtype {dtype}, got {array.dtype}")
    if array.shape not in (shape, ()):
        raise ValueError(f"expected {name} of shape {shape}, got {array.shape}")
    if array.dtype != dtype and array.size:
        low, high, limits = array.min(), array.max(), np.iinfo(dtype)
        if not limits.min <= low <= high <= limits.max:
            raise ValueError(f"expected {name} from {limits.min} to {limits.max}, got {low} to {high}")
    return array.astype(dtype, copy=False)


def read_wang(wang: Column | None, hands: Hands) -> Bytes | None:
    """The wangs beside the hands, a contiguous (N,) uint8."""
    if wang is None:
        return None
    if isinstance(hands, Queries):
        raise ValueError("expected no wang beside Queries, their hands hold the wangs (王)")
    wangs = read_column("wang", wang, (len(hands),), np.dtype(np.uint8))
    return np.ascontiguousarray(np.broadcast_to(wangs, len(hands)))


def illegal_hand(hand: Any, row: int, wang: int = 0) -> IllegalHand:
    """The error for a packed hand or row of counts, with more wangs if any, that is no hand or too large."""
    counts = (
        list(map(int, hand)) if np.ndim(hand) else [int(hand) >> 3 * face & 7 for face in range(FACE_AXIS)]
    )
    if np.ndim(hand) == 0 and int(hand) >> 3 * FACE_AXIS:
        return IllegalHand(f"row {row}: {_native.FAULT_TEXTS[1]}")
    for tile, count in zip(TILES, counts[:WANG], strict=False):
        if count > COPY_COUNT:
            wrong = f"{count} copies of {tile} ({tile.chinese})"
            return IllegalHand(f"row {row}: {wrong}, expected at most {COPY_COUNT}")
    wang += sum(counts[WANG:])
    if wang > WANG_MAX:
        return IllegalHand(f"row {row}: {wang} wangs (王), expected at most {WANG_MAX}")
    return IllegalHand(f"row {row}: {sum(counts[:WANG]) + wang} tiles, expected at most {TILES_MOST}")


def read_out(out: Any, count: int, dtype: type, inputs: tuple[object, ...]) -> Any:
    """The array to fill. Raises TypeError, ValueError."""
    if out is None:
        return np.empty(count, dtype)
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        got = out.dtype if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"expected out as an array of dtype {np.dtype(dtype)}, got {got}")
    if out.shape != (count,):
        raise ValueError(f"expected out of shape {(count,)}, got {out.shape}")
    if not (out.flags.writeable and out.flags.c_contiguous):
        is_not = "contiguous" if out.flags.writeable else "writeable"
        raise ValueError(f"expected a writeable contiguous out, got one that is not {is_not}")
    for array in inputs:
        array = array.records if isinstance(array, Queries) else array
        if isinstance(array, np.ndarray) and np.may_share_memory(array, out):
            raise ValueError("expected an out that does not overlap the hands or wangs")
    return out


def records_of(hands: Hands, wangs: Bytes | None, part: slice) -> Records:
    """The queries of a slice of rows. Raises IllegalHand."""
    if isinstance(hands, Queries):
        return hands.records[part]
    chosen = hands[part]
    rows = range(part.start, part.start + len(chosen))
    return records_of_rows(chosen, None if wangs is None else wangs[part], rows)


def records_of_rows(hands: Any, wangs: Bytes | None, rows: Any) -> Records:
    """The queries of hands with the wangs beside them; rows are their numbers. Raises IllegalHand."""
    packed = hands
    if hands.ndim == 2:
        packed = np.empty(len(hands), np.uint64)
        _native.pack_rows(hands, packed)  # what is no hand has bit 63
    is_bad = _is_no_hand(packed)
    if wangs is not None:
        is_bad |= (packed >> WANG_SHIFT) + wangs > WANG_MAX
    if is_bad.any():
        bad = int(np.argmax(is_bad))
        raise illegal_hand(hands[bad], int(rows[bad]), 0 if wangs is None else int(wangs[bad]))
    records = np.zeros(len(packed), QUERY_DTYPE)
    records["hand"] = packed if wangs is None else packed + (wangs.astype(np.uint64) << WANG_SHIFT)
    records["win"] = NO_WIN
    return records


def _is_no_hand(packed: Packed) -> npt.NDArray[np.bool_]:
    """Which numbers have a count above four, or bit 63."""
    above = packed >> np.uint64(2) & (packed | packed >> np.uint64(1)) & COUNT_ONES
    is_bad: npt.NDArray[np.bool_] = (above | packed >> np.uint64(3 * FACE_AXIS)) != 0
    return is_bad


def packed_of(hands: Any, start: int) -> Packed:
    """Contiguous packed hands, the first of them row `start` of all. Raises IllegalHand."""
    if hands.dtype == np.uint64:
        return np.ascontiguousarray(hands)
    packed = np.empty(len(hands), np.uint64)
    bad = _native.pack_rows(hands, packed)
    if bad >= 0:
        raise illegal_hand(hands[bad], start + bad)
    return packed


def bytes_of(records: Records) -> Bytes:
    """The records as rows of bytes, aligned as the native side needs them."""
    if records.__array_interface__["data"][0] % records["hand"].itemsize:
        records = records.copy()
    return records.view(np.uint8).reshape(len(records), QUERY_DTYPE.itemsize)
