"""How far a hand is from a win, and which tiles bring it nearer (docs/rules.md 7)."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from dataclasses import dataclass
from functools import cache
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, cast

from . import _native
from .groups import Group
from .notation import SOURCES, Hand, Query
from .rules import DEFAULT_RULES, Rules, RulesLike, as_rules
from .solver import QueryLike, as_query
from .tiles import COPY_COUNT, TILES, WANG, IllegalHand, Tile

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Seen", "Taking", "contradiction", "distance", "improving", "on_the_way", "seen_tiles", "takings"]

Seen: TypeAlias = Hand | str | SupportsIndex | Iterable[int] | None
_NOTHING = Hand.from_packed(0)


@dataclass(frozen=True, slots=True)
class Taking:
    """How a tile is taken in, and what follows.

    action: "hu", "peng", a chi with its bi as "chi 123s + 22s2b", what happens by itself ("wei", "ti",
    "pao"), or "wang" where a drawn wang joins the hand. discard: the tile discarded then, None where none is.
    distance: of the hand that is left. equal: other discards that leave the same distance, of which `discard`
    gives others the least. See docs/rules.md 7.4.

    >>> str(Taking("peng", Tile.parse("5b"), 0))
    'peng, discard 5b'
    """

    action: str
    discard: Tile | None
    distance: int
    equal: tuple[Tile, ...] = ()

    def __str__(self) -> str:
        return self.action if self.discard is None else f"{self.action}, discard {self.discard}"


def distance(query: QueryLike, visible: Seen = None, rules: RulesLike = DEFAULT_RULES) -> int | None:
    """How many tiles from outside the hand still needs to be ready: 0 ready (听), -1 complete, None hopeless.

    query: without winning tile. visible: all tiles seen beside those of the query, as a text, Hand, packed
    int or counts by face. rules: Rules, the name of a preset or a path. Raises NotationError, IllegalHand.
    See docs/rules.md 7.1.

    >>> distance("2233456678s 3456999000b"), distance("1123557789s 1446788900b", "4b5b")
    (0, 3)
    """
    query, seen = on_the_way(query, visible)
    return _native.distance(query.key, seen.packed, as_rules(rules).options)


def improving(
    query: QueryLike, visible: Seen = None, rules: RulesLike = DEFAULT_RULES
) -> dict[tuple[Tile, str], Taking]:
    """The tiles whose taking makes the distance less, by tile and source, each with how it is taken best.

    query: a hand that is not to discard; the other arguments are those of distance. The sources are "self",
    "other" (drawn by another) and "discard". Raises NotationError, IllegalHand. See docs/rules.md 7.4.

    >>> found = improving("122458s 44b 8b 90b | peng:333b; chi:123s; wei:777b")
    >>> len(found), str(found[Tile.parse("4b"), "other"]), str(found[Tile.parse("3s"), "self"])
    (26, 'peng, discard 1s', 'chi 123s, discard 2s')
    """
    query, seen = on_the_way(query, visible)
    if _native.missing_tiles(query.key) < 1 and _may_discard(query):
        raise IllegalHand(f"expected a hand that is not to discard, got {query}: ask for its discards")
    return takings(query, seen, as_rules(rules))


def takings(query: Query, seen: Hand, rules: Rules) -> dict[tuple[Tile, str], Taking]:
    """What improving tells, for a query and visible tiles that on_the_way has passed."""
    found = _native.improving(query.key, seen.packed, rules.native)
    return {(TILES[each[0]], SOURCES[each[1] - 1]): _taking(*each[2:]) for each in found}


def seen_tiles(visible: Seen) -> Hand:
    """The tiles that an argument `visible` stands for. Raises NotationError, IllegalHand.

    >>> seen_tiles("1s 2b"), seen_tiles(None)
    (Hand.parse('1s 2b'), Hand.parse(''))
    """
    if getattr(visible, "shape", None) == ():  # one value of numpy
        visible = cast("np.generic", visible).item()
    if visible is None:
        return _NOTHING
    if isinstance(visible, Hand):
        return visible
    if isinstance(visible, str):
        return Hand.parse(visible) if visible.strip() else _NOTHING
    try:
        if isinstance(visible, Sized) and isinstance(visible, Iterable):
            return Hand.from_counts(map(index, visible))
        return Hand.from_packed(index(visible))  # type: ignore[arg-type]
    except TypeError:
        text = f"expected visible tiles as a Hand, a text, a packed int or counts, got {visible!r}"
        raise TypeError(text) from None


def on_the_way(query: QueryLike, visible: Seen) -> tuple[Query, Hand]:
    """A query without winning tile and the tiles seen beside it. Raises IllegalHand."""
    query, seen = as_query(query), seen_tiles(visible)
    if query.win is not None:
        raise IllegalHand(f"expected a query without winning tile, got {query}")
    if text := contradiction(query, seen):
        raise IllegalHand(text)
    return query, seen


def contradiction(query: Query, seen: Hand) -> str | None:
    """What is told if there are more copies of a face in a query and beside it than there can be."""
    for tile, held, others in zip(TILES, query.visible, seen.counts, strict=True):
        if held + others > COPY_COUNT:
            return (
                f"{held} copies of {tile} ({tile.chinese}) in the query and {others} visible beside it: "
                f"there are {COPY_COUNT}"
            )
    return None


def _may_discard(query: Query) -> bool:
    return any(0 < count < COPY_COUNT - 1 for count in query.hand.counts[:WANG])


def _taking(how: str, chi: int, bi: tuple[int, ...], discard: int, discards: int, left: int) -> Taking:
    action = _chi_text(chi, bi) if how == "chi" else how
    if discard < 0:
        return Taking(action, None, left)
    equal = tuple(tile for tile in TILES if discards >> tile.face & 1 and tile.face != discard)
    return Taking(action, TILES[discard], left, equal)


@cache
def _chi_text(chi: int, bi: tuple[int, ...]) -> str:
    """The text of the action (docs/rules.md 6)."""
    first, *others = (str(Group.from_code(code)).partition(":")[2] for code in (chi, *bi))
    return "chi " + " + ".join((first, *sorted(others)))
