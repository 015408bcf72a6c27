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
from .rules import DEFAULT_RULES, Rules, RulesLike, as_rules
from .scoring import NO_CONTEXT, Context
from .sharing import share_out

__all__ = ["Scores", "score"]

_FAULT_TEXTS = (*_native.FAULT_TEXTS, *_native.CONTEXT_FAULT_TEXTS[1:])
_CONTEXTS = 1 << len(_native.CONTEXT)
_NO_ERRORS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What N hands pay, by column.

    payment: (N,) int32, each loser's at stake 1, -1 where there is no win; then xi is -1 and the others 0.
    fan: (N,) int32, the total that multiplies (番). fans: (N,) uint32, a bit for each fan of the rules in
    their order, then for each of together. base: (N,) int16, tun (囤) with what an own draw adds. xi: (N,)
    int16, 胡息 of the division that pays most. status: (N,) uint8, 0 or the fault of the row, `error(row)` as
    a text. See docs/rules.md 5.
    """

    payment: npt.NDArray[np.int32]
    fan: npt.NDArray[np.int32]
    fans: npt.NDArray[np.uint32]
    base: npt.NDArray[np.int16]
    xi: npt.NDArray[np.int16]
    status: Bytes
    rules: Rules
    errors: Mapping[int, str]
    """What was wrong with the texts that could not be read, by row."""

    def error(self, row: int) -> str | None:
        """What is wrong with a row, None if nothing."""
        row = range(len(self.status))[row]
        return self.errors.get(row) or _FAULT_TEXTS[self.status[row]] or None

    def fan_ids(self, row: int) -> list[str]:
        """The ids of the fan (番) of a row."""
        mask = int(self.fans[row])
        return [fan_id for place, fan_id in enumerate(self.rules.fan_ids) if mask >> place & 1]

    def __len__(self) -> int:
        return len(self.payment)


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
    array([210], dtype=int32)
    """
    rules = as_rules(rules)
    if not isinstance(hands, Queries):
        hands = read_hands(hands)
    wangs = read_wang(wang, hands)
    count = len(hands)
    payment, fan, fans, base, xi = _new_columns(count)
    status, errors = np.zeros(count, np.uint8), hands.errors if isinstance(hands, Queries) else _NO_ERRORS
    scores = Scores(payment, fan, fans, base, xi, status, rules, errors)
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


def _new_columns(count: int) -> list[npt.NDArray[Any]]:
    """The columns in one piece of memory: large ones cost less than many small ones."""
    dtypes = (np.int32, np.int32, np.uint32, np.int16, np.int16)
    ends = np.cumsum([count * np.dtype(dtype).itemsize for dtype in dtypes]).tolist()
    memory = np.empty(ends[-1], np.uint8)
    return [
        memory[start:end].view(dtype) for start, end, dtype in zip([0, *ends], ends, dtypes, strict=False)
    ]


def _columns(scores: Scores, part: slice) -> list[npt.NDArray[Any]]:
    columns = (scores.payment, scores.fan, scores.fans, scores.base, scores.xi)
    return [column[part] for column in columns]


def _score_queries(hands: Hands, wangs: Bytes | None, contexts: Bytes, scores: Scores, threads: int) -> None:
    def work(part: slice) -> None:
        records = bytes_of(records_of(hands, wangs, part))
        native, status = scores.rules.native, scores.status[part]
        _native.score_records(records, contexts[part], native, status, _columns(scores, part))

    share_out(work, len(scores), threads)


def _score_hands(hands: Any, wangs: Bytes | None, scores: Scores, threads: int) -> None:
    """Whole hands without context: the quick way."""

    def work(part: slice) -> None:
        some, wang = hands[part], None if wangs is None else wangs[part]
        if some.strides[-1] != some.itemsize:
            some = np.ascontiguousarray(some)
        answer = _native.score_packed if some.ndim == 1 else _native.score_rows
        bad = answer(some, wang, scores.rules.native, _columns(scores, part))
        if bad < len(some):
            raise illegal_hand(some[bad], part.start + bad, 0 if wang is None else int(wang[bad]))

    share_out(work, len(scores), threads)
