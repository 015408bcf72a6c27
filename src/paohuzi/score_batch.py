"""What many hands pay, from and to numpy arrays (docs/rules.md 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .columns import (
    Bytes,
    Column,
    Hands,
    Queries,
    bytes_of,
    illegal_hand,
    read_column,
    read_hands,
    read_wang,
    records_of,
)
from .rules import DEFAULT_RULES, Fan, Rules, RulesLike, Together, as_rules
from .scoring import NO_CONTEXT, Context
from .sharing import share_out

__all__ = ["SCORE_DTYPE", "Scores", "score"]

_FAULT_TEXTS = (*_native.FAULT_TEXTS, *_native.CONTEXT_FAULT_TEXTS[1:])
_CONTEXTS = 1 << len(_native.CONTEXT)
_NO_ERRORS: Mapping[int, str] = MappingProxyType({})


# struct ScoreRow of csrc/score_batch.hpp
SCORE_DTYPE = np.dtype([("payment", "<i4"), ("fan", "<i4"), ("fans", "<u4"), ("base", "<i2"), ("xi", "<i2")])


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What N hands pay. The columns are views of `records`, one record of 16 bytes a hand.

    status: (N,) uint8, 0 or the fault of the row, `error(row)` as a text. See docs/rules.md 5.
    """

    records: npt.NDArray[np.void]
    """(N,) of SCORE_DTYPE."""
    status: Bytes
    rules: Rules
    errors: Mapping[int, str]
    """What was wrong with the texts that could not be read, by row."""

    @property
    def payment(self) -> npt.NDArray[np.int32]:
        """Each loser's at stake 1, (N,) int32; -1 where there is no win."""
        return self.records["payment"]

    @property
    def base(self) -> npt.NDArray[np.int16]:
        """Tun (囤) with what an own draw adds, (N,) int16; 0 where there is no win."""
        return self.records["base"]

    @property
    def fan(self) -> npt.NDArray[np.int32]:
        """The total that multiplies (番), (N,) int32; 0 where there is no win."""
        return self.records["fan"]

    @property
    def fans(self) -> npt.NDArray[np.uint32]:
        """(N,) uint32, a bit for each fan of the rules in their order, then for each of together."""
        return self.records["fans"]

    @property
    def xi(self) -> npt.NDArray[np.int16]:
        """胡息 of the division that pays most, (N,) int16; -1 where there is no win."""
        return self.records["xi"]

    def error(self, row: int) -> str | None:
        """What is wrong with a row, None if nothing."""
        row = range(len(self.status))[row]
        return self.errors.get(row) or _FAULT_TEXTS[self.status[row]] or None

    def fan_ids(self, row: int) -> list[str]:
        """The ids of the fan (番) of a row."""
        mask = int(self.fans[row])
        every: tuple[Fan | Together, ...] = (*self.rules.fans, *self.rules.together)
        return [fan.id for place, fan in enumerate(every) if mask >> place & 1]

    def __len__(self) -> int:
        return len(self.records)


def score(
    hands: Hands,
    wang: Column | None = None,
    *,
    rules: RulesLike = DEFAULT_RULES,
    context: Context | Column = NO_CONTEXT,
    threads: int = 1,
) -> Scores:
    """What each hand pays: the best of all its divisions by payment, then xi.

    hands: counts, packed hands or Queries. wang: wangs (王) beside those in the hands, (N,) uint8 or one
    number, 0 to 4. context: a Context for all rows, or (N,) uint8 of their `flags`. Rows of Queries with a
    fault, or a context that their win cannot have, have no win and their status. Raises TypeError,
    ValueError, IllegalHand naming the first bad row of hands. See docs/rules.md 3.6 and 5.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> hands = np.array([Hand.parse("2222444555560000s 4000b").packed], np.uint64)
    >>> batch.score(hands, rules="qq-full", context=Context(heaven=True)).payment
    array([25])
    """
    rules = as_rules(rules)
    if not isinstance(hands, Queries):
        hands = read_hands(hands)
    wangs = read_wang(wang, hands)
    count = len(hands)
    scores = Scores(
        np.empty(count, SCORE_DTYPE),
        np.zeros(count, np.uint8),
        rules,
        hands.errors if isinstance(hands, Queries) else _NO_ERRORS,
    )
    has_context = not isinstance(context, Context) or context != NO_CONTEXT
    if isinstance(hands, Queries) or has_context:
        _score_queries(hands, wangs, _read_contexts(context, count), scores, threads)
    else:
        _score_hands(hands, wangs, scores, threads)
    return scores


def _read_contexts(context: Context | Column, count: int) -> Bytes:
    """The flags of each row, contiguous."""
    flags = context.flags if isinstance(context, Context) else context
    contexts = read_column("context", flags, (count,), np.dtype(np.uint8))
    if contexts.size and contexts.max() >= _CONTEXTS:
        raise ValueError(f"expected contexts from 0 to {_CONTEXTS - 1}, got {contexts.max()}")
    return np.ascontiguousarray(np.broadcast_to(contexts, count))


def _bytes_of(scores: Scores, part: slice) -> Bytes:
    records = scores.records[part]
    return records.view(np.uint8).reshape(len(records), SCORE_DTYPE.itemsize)


def _score_queries(hands: Hands, wangs: Bytes | None, contexts: Bytes, scores: Scores, threads: int) -> None:
    def work(part: slice) -> None:
        records = bytes_of(records_of(hands, wangs, part))
        native, status = scores.rules.native, scores.status[part]
        _native.score_records(records, contexts[part], native, status, _bytes_of(scores, part))

    share_out(work, len(scores), threads)


def _score_hands(hands: Any, wangs: Bytes | None, scores: Scores, threads: int) -> None:
    """Whole hands without context: the quick way."""

    def work(part: slice) -> None:
        some, wang = hands[part], None if wangs is None else wangs[part]
        if some.strides[-1] != some.itemsize:
            some = np.ascontiguousarray(some)
        answer = _native.score_packed if some.ndim == 1 else _native.score_rows
        bad = answer(some, wang, scores.rules.native, _bytes_of(scores, part))
        if bad < len(some):
            raise illegal_hand(some[bad], part.start + bad, 0 if wang is None else int(wang[bad]))

    share_out(work, len(scores), threads)
