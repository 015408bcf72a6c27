"""The answers to a batch of queries as columns (docs/rules.md 3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .. import batch
from ..batch import Queries
from ..columns import NO_WIN
from ..groups import Group
from ..notation import SOURCES, Hand, Query
from ..rules import Rules
from ..tiles import TILES
from .answer_texts import division_texts, face_texts, wait_texts
from .cells import Errors

__all__ = ["COLUMNS", "Answers", "Tally", "answer", "answer_fields"]

TYPES = {
    "hu": pa.bool_(),
    "xi": pa.int16(),
    "division": pa.string(),
    "waits": pa.string(),
    "ready_discards": pa.string(),
    "error": pa.string(),
}
COLUMNS = tuple(TYPES)

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Tally:
    """What was found: rows, those that win, bad ones, and how many have each xi."""

    rows: int = 0
    wins: int = 0
    errors: int = 0
    xi: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.rows + other.rows, self.wins + other.wins, self.errors + other.errors, self.xi + other.xi
        )

    def to_json(self) -> dict[str, Any]:
        """The tally as JSON values."""
        return {"rows": self.rows, "wins": self.wins, "errors": self.errors, "xi": sorted(self.xi.items())}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Tally:
        """The tally of `to_json`."""
        return cls(values["rows"], values["wins"], values["errors"], Counter(dict(values["xi"])))


@dataclass(frozen=True, slots=True)
class Answers:
    """The asked columns, in order, and what was found."""

    columns: list[pa.Array]
    tally: Tally


def answer_fields(columns: tuple[str, ...]) -> list[pa.Field]:
    """The fields of the asked columns."""
    return [pa.field(name, TYPES[name]) for name in columns]


def answer(queries: Queries, errors: Errors, columns: tuple[str, ...], rules: Rules, source: str) -> Answers:
    """Answer what each row can be asked; the other cells are null.

    A row with a winning tile, or with the tiles of a whole hand, gets hu, xi and division; one that is a tile
    short waits; a whole hand without winning tile ready_discards. errors: the rows that are known to be no
    queries; those that turn out to be none are added.
    """
    solved = batch.solve(queries, rules=rules, divisions="division" in columns)
    for row in np.flatnonzero(solved.status):
        errors.note(row, _fault(queries, int(row)) or solved.error(int(row)) or "")
    is_bad = np.zeros(len(queries), np.bool_)
    is_bad[list(errors)] = True
    is_won = queries.win != NO_WIN
    missing = np.zeros(len(queries), np.int8) if is_won.all() else batch.missing_tiles(queries)
    is_whole = ~is_bad & (is_won | (missing <= 0))
    has_division = is_whole & (solved.xi >= 0)
    made: dict[str, pa.Array] = {}
    for name in columns:
        if name == "hu":
            made[name] = pa.array(solved.hu, mask=~is_whole)
        elif name == "xi":
            made[name] = pa.array(solved.xi, mask=~has_division)
        elif name == "division":
            assert solved.groups is not None
            made[name] = division_texts(solved.groups, ~has_division)
        elif name == "waits":
            made[name] = _waits(queries, ~is_bad & ~is_won & (missing == 1), rules, source)
        elif name == "ready_discards":
            made[name] = _ready_discards(queries, ~is_bad & ~is_won & (missing == 0), rules, source)
        else:
            made[name] = _error_texts(errors, len(queries))
    xi, counts = np.unique(solved.xi[has_division], return_counts=True)
    histogram = Counter(dict(zip(xi.tolist(), counts.tolist(), strict=True)))
    tally = Tally(len(queries), int((solved.hu & is_whole).sum()), len(errors), histogram)
    return Answers(list(made.values()), tally)


def _waits(queries: Queries, is_asked: Mask, rules: Rules, source: str) -> pa.Array:
    if not is_asked.any():
        return pa.nulls(len(queries), pa.string())
    xi = np.full((len(queries), len(TILES)), -1, np.int16)
    xi[is_asked] = batch.wait_xi(_part(queries, is_asked), source=source, rules=rules)
    return wait_texts(xi, rules.min_xi, ~is_asked)


def _ready_discards(queries: Queries, is_asked: Mask, rules: Rules, source: str) -> pa.Array:
    if not is_asked.any():
        return pa.nulls(len(queries), pa.string())
    masks = np.zeros(len(queries), np.uint32)
    masks[is_asked] = batch.ready_discards(_part(queries, is_asked), source=source, rules=rules)
    return face_texts(masks, ~is_asked)


def _part(queries: Queries, mask: Mask) -> Queries:
    """The rows of a mask."""
    return Queries(queries.hand[mask], queries.exposed[mask], queries.win[mask], queries.source[mask])


def _error_texts(errors: Errors, count: int) -> pa.Array:
    if not errors:
        return pa.nulls(count, pa.string())
    texts: list[str | None] = [None] * count
    for row, text in errors.items():
        texts[row] = text
    return pa.array(texts, pa.string())


def _fault(queries: Queries, row: int) -> str | None:
    """What the checks of a single query say about a row: more than the native fault."""
    try:
        win, source = int(queries.win[row]), int(queries.source[row])
        Query(
            Hand.from_packed(int(queries.hand[row])),
            [Group.from_native(code) for code in queries.exposed[row].tolist() if code],
            TILES[win] if win >= 0 else None,
            SOURCES[source - 1] if source else None,
        )
    except ValueError as error:
        return str(error)
    return None
