"""The sets of hands that the benchmarks measure with, made once and kept in a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from ..columns import Queries
from ..samples import mid_game, near_misses, random_deals, waiting_hands, wang_hands, winning_hands
from ..tiles import WANG, WANG_MAX

__all__ = ["CONCEALED", "Sets", "first_states", "unfinished"]

Hands = npt.NDArray[np.uint64]

CONCEALED = ("random deals", "winning hands", "near misses")
MID_GAME = "mid-game"
SEED = 2024
RECORD_FIELDS = ("hand", "exposed", "win", "source")  # in the order in which Queries takes them
_MAKERS: dict[str, Callable[..., Any]] = {
    "random deals": random_deals,
    "winning hands": winning_hands,
    "near misses": near_misses,
    **{f"{wang} wang": partial(wang_hands, wang=wang) for wang in range(1, WANG_MAX + 1)},
    **{f"waiting, {wang} wang": partial(waiting_hands, wang=wang) for wang in range(WANG_MAX + 1)},
}


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets of `size` distinct hands in files of a folder; what is there is used as it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Sets(Path(folder), 100).hands("random deals").shape
    (100,)
    """

    folder: Path
    size: int

    def hands(self, name: str) -> Hands:
        """Packed hands, by a name of CONCEALED, "1 wang" to "4 wang" (winning), "waiting, 0 wang" to 4."""
        hands: Hands = self._load(name, lambda: _MAKERS[name](self.size, seed=SEED))
        return hands

    def states(self, count: int | None = None) -> Queries:
        """Mid-game states with winning tile and source."""
        records = self._load(MID_GAME, lambda: mid_game(self.size, seed=SEED).records)[:count]
        return Queries(*(records[name] for name in RECORD_FIELDS))

    def _load(self, name: str, make: Callable[[], npt.NDArray[Any]]) -> npt.NDArray[Any]:
        path = self.folder / f"{name.replace(', ', '-').replace(' ', '-')}-{self.size}.npy"
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part.npy")
            np.save(part, make())
            part.replace(path)
        rows: npt.NDArray[Any] = np.load(path)
        return rows


def first_states(states: Queries, count: int) -> Queries:
    """The first of some states."""
    return Queries(*(states.records[name][:count] for name in RECORD_FIELDS))


def unfinished(states: Queries, wang: int) -> Queries:
    """States without the winning tile, and with so many wangs in place of tiles of the hand.

    >>> from paohuzi import batch
    >>> unfinished(batch.queries(["12s 5b | peng:333b + 3s@self"]), 3).hand[0] >> 60
    np.uint64(3)
    """
    random = Random(SEED)
    hands = states.hand.tolist()
    for row, hand in enumerate(hands):
        tiles = [face for face in range(WANG) for _ in range(hand >> 3 * face & 7)]
        for face in random.sample(tiles, min(wang, len(tiles))):
            hands[row] += (1 << 3 * WANG) - (1 << 3 * face)
    none = np.zeros(len(hands), np.uint8)
    return Queries(np.array(hands, np.uint64), states.exposed, np.full(len(hands), -1, np.int8), none)
