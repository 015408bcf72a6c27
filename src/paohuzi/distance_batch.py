"""How far many hands are from a win (docs/rules.md 7.1)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import UNREACHABLE
from .columns import (
    Bytes,
    Hands,
    Packed,
    Queries,
    bytes_of,
    pack,
    read_hands,
    read_out,
    records_of,
)
from .distance import Seen, contradiction, seen_tiles
from .groups import Group
from .notation import Hand, Query
from .rules import DEFAULT_RULES, RulesLike, as_rules
from .sharing import share_out
from .tiles import IllegalHand

__all__ = ["UNREACHABLE", "distance"]


def distance(
    hands: Hands,
    visible: Bytes | Packed | Seen = None,
    *,
    rules: RulesLike = DEFAULT_RULES,
    threads: int = 1,
    out: npt.NDArray[np.int8] | None = None,
) -> npt.NDArray[np.int8]:
    """The distance of each hand to a win, (N,) int8: -1 complete, 0 ready (听), UNREACHABLE (127) hopeless.

    hands: counts, packed hands or Queries without winning tile. visible: the tiles seen beside those of each
    hand, as (N,) packed hands or counts, or one text, Hand or packed int for all. rules: Rules, or the name
    of a preset. out: (N,) int8 to fill. Rows of Queries with a fault or a winning tile are UNREACHABLE.
    Raises TypeError, ValueError, and IllegalHand naming the first row that is no hand, or has more than four
    of a face with what is visible. See docs/rules.md 7.1.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> batch.distance(np.array([Hand.parse("2233456678s 3456999000b").packed], np.uint64))
    array([0], dtype=int8)
    """
    hands = hands if isinstance(hands, Queries) else read_hands(hands)
    seen = _read_visible(visible, len(hands))
    options = as_rules(rules).options
    steps: npt.NDArray[np.int8] = read_out(out, len(hands), np.int8, (hands, seen))

    def work(part: slice) -> None:
        records = bytes_of(records_of(hands, None, part))
        bad = _native.distance_records(records, seen[part], options, steps[part])
        if bad >= 0:
            row = part.start + bad
            raise IllegalHand(f"row {row}: {_contradiction(hands, row, seen[row])}")

    share_out(work, len(hands), threads)
    return steps


def _contradiction(hands: Queries | Bytes | Packed, row: int, seen: np.uint64) -> str | None:
    """Why a row and the tiles beside it cannot be."""
    if isinstance(hands, Queries):
        exposed = [Group.from_code(code) for code in hands.exposed[row].tolist() if code]
        query = Query(Hand.from_packed(int(hands.hand[row])), exposed)
    else:
        one = hands[row]
        query = Query(Hand.from_counts(one) if one.ndim else Hand.from_packed(int(one)))
    try:
        return contradiction(query, Hand.from_packed(int(seen)))
    except IllegalHand as error:
        return f"visible tiles: {error}"


def _read_visible(visible: Bytes | Packed | Seen, count: int) -> Packed:
    """The packed visible tiles of each row. Raises ValueError, IllegalHand."""
    if not isinstance(visible, np.ndarray) or visible.shape == ():
        return np.full(count, seen_tiles(visible).packed, np.uint64)
    rows = read_hands(visible)
    if len(rows) != count:
        raise ValueError(f"expected visible tiles of {count} hands, got {len(rows)}")
    return np.ascontiguousarray(rows if rows.ndim == 1 else pack(rows))
