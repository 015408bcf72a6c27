"""The answers to a batch of queries as columns (docs/rules.md 3 and 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from .. import batch
from ..batch import Queries, Scores
from ..columns import NO_WIN
from ..groups import Group
from ..notation import SOURCES, Hand, Query
from ..rules import Rules
from ..scoring import NO_CONTEXT
from ..tiles import TILES
from .answer_texts import division_texts, face_texts, fan_texts, wait_texts
from .cells import Errors

__all__ = ["COLUMNS", "SCORE_COLUMNS", "Answers", "Tally", "answer", "answer_fields", "has_scores"]

TYPES = {
    "hu": pa.bool_(),
    "xi": pa.int16(),
    "division": pa.string(),
    "waits": pa.string(),
    "ready_discards": pa.string(),
    "error": pa.string(),
}
SCORE_TYPES = {
    "payment": pa.int32(),
    "base": pa.int16(),
    "fan": pa.int32(),
    "fans": pa.string(),
    "score_xi": pa.int16(),
}
COLUMNS = tuple(TYPES)
SCORE_COLUMNS = tuple(SCORE_TYPES)

Mask = npt.NDArray[np.bool_]
Flags = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Tally:
    """What was found: rows, those that win, bad ones, and how many have each xi.

    Where scores are asked also the rows that are paid for, what a loser pays for them all, and how many of
    them have each fan (番), by id, or none, by "".
    """

    rows: int = 0
    wins: int = 0
    errors: int = 0
    xi: Counter[int] = field(default_factory=Counter)
    paid: int = 0
    payments: int = 0
    fans: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in _TALLIED))

    def to_json(self) -> dict[str, Any]:
        """The tally as JSON values."""
        values = {name: getattr(self, name) for name in _TALLIED}
        return values | {name: sorted(values[name].items()) for name in ("xi", "fans")}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Tally:
        """The tally of `to_json`."""
        return cls(**values | {name: Counter(dict(values[name])) for name in ("xi", "fans")})


_TALLIED = tuple(field.name for field in fields(Tally))


@dataclass(frozen=True, slots=True)
class Answers:
    """The asked columns, in order, and what was found."""

    columns: list[pa.Array]
    tally: Tally


def answer_fields(columns: tuple[str, ...]) -> list[pa.Field]:
    """The fields of the asked columns."""
    return [pa.field(name, (TYPES | SCORE_TYPES)[name]) for name in columns]


def has_scores(columns: tuple[str, ...]) -> bool:
    """Whether a column of scores is among those asked."""
    return not SCORE_TYPES.keys().isdisjoint(columns)


def answer(
    queries: Queries,
    errors: Errors,
    columns: tuple[str, ...],
    rules: Rules,
    source: str,
    contexts: Flags | None = None,
) -> Answers:
    """Answer what each row can be asked; the other cells are null.

    A row with a winning tile, or with the tiles of a whole hand, gets hu, xi and division; one that is a tile
    short waits; a whole hand without winning tile ready_discards; one that is paid for its score. errors: the
    rows that are known to be no queries; those that turn out to be none are added. contexts: the flags of
    each row's Context; none by default.
    """
    solved = batch.solve(queries, rules=rules, divisions="division" in columns)
    for row in np.flatnonzero(solved.status):
        errors.note(row, _fault(queries, int(row)) or solved.error(int(row)) or "")
    scores = _score(queries, errors, rules, contexts) if has_scores(columns) else None
    is_bad = np.zeros(len(queries), np.bool_)
    is_bad[list(errors)] = True
    is_won = queries.win != NO_WIN
    missing = np.zeros(len(queries), np.int8) if is_won.all() else batch.missing_tiles(queries)
    is_whole = ~is_bad & (is_won | (missing <= 0))
    has_division = is_whole & (solved.xi >= 0)
    makers: dict[str, Callable[[], pa.Array]] = {
        "hu": lambda: pa.array(solved.hu, mask=~is_whole),
        "xi": lambda: pa.array(solved.xi, mask=~has_division),
        "division": lambda: _divisions(solved, ~has_division),
        "waits": lambda: _waits(queries, ~is_bad & ~is_won & (missing == 1), rules, source),
        "ready_discards": lambda: _ready_discards(queries, ~is_bad & ~is_won & (missing == 0), rules, source),
        "error": lambda: _error_texts(errors, len(queries)),
    }
    wins = int((solved.hu & is_whole).sum())
    tally = Tally(len(queries), wins, len(errors), _counts(solved.xi[has_division]))
    if scores is not None:
        is_paid = ~is_bad & (scores.payment >= 0)
        makers |= {name: partial(_score_column, scores, name, ~is_paid) for name in SCORE_COLUMNS}
        tally += _tally_scores(scores, is_paid)
    return Answers([makers[name]() for name in columns], tally)


def _score(queries: Queries, errors: Errors, rules: Rules, contexts: Flags | None) -> Scores:
    """The scores; a row whose context cannot be is noted."""
    scores = batch.score(queries, rules=rules, context=NO_CONTEXT if contexts is None else contexts)
    for row in np.flatnonzero(scores.status):
        errors.note(row, scores.error(int(row)) or "")
    return scores


def _score_column(scores: Scores, name: str, is_null: Mask) -> pa.Array:
    if name == "fans":
        return fan_texts(scores.fans, scores.rules.fan_ids, is_null)
    values = scores.xi if name == "score_xi" else getattr(scores, name)
    return pa.array(values, SCORE_TYPES[name], mask=is_null)


def _tally_scores(scores: Scores, is_paid: Mask) -> Tally:
    masks = _counts(scores.fans[is_paid])
    fans = Counter({"": masks.pop(0, 0)})
    for place, fan_id in enumerate(scores.rules.fan_ids):
        fans[fan_id] += sum(count for mask, count in masks.items() if mask >> place & 1)
    payments = int(scores.payment[is_paid].sum(dtype=np.int64))
    return Tally(paid=int(is_paid.sum()), payments=payments, fans=fans)


def _counts(values: npt.NDArray[Any]) -> Counter[int]:
    found, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(found.tolist(), counts.tolist(), strict=True)))


def _divisions(solved: batch.Solutions, is_null: Mask) -> pa.Array:
    assert solved.groups is not None
    return division_texts(solved.groups, is_null)


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
