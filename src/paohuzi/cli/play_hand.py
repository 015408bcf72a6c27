"""A hand put in order for the eye: what belongs together stands together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from ..groups import Group
from ..notation import Hand
from ..tiles import FACE_COUNT, WANG

__all__ = ["columns_of"]

Column: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[int, ...]

FIRST_CHI, LAST_CHI = 1, 38  # native codes of runs, 2-7-10 and 绞
KAN_COUNT = 3
GROUP_WORTH, PAIR_WORTH = 20, 7  # a group more is worth more than any xi, two pairs less than a group
CACHED = 4096


def columns_of(hand: Hand) -> tuple[Column, ...]:
    """The faces of a hand in columns: quads and kans, groups, pairs, then what stands alone, wangs last.

    >>> columns_of(Hand.parse("1112378s 77b W"))
    ((0, 0, 0), (6, 16, 16), (1, 2), (7,), (20,))
    """
    kans = tuple((face,) * count for face, count in enumerate(hand.counts[:WANG]) if count >= KAN_COUNT)
    free = tuple(count if count < KAN_COUNT else 0 for count in hand.counts[:FACE_COUNT])
    _, columns = _best(free)
    pairs_last = sorted(columns, key=lambda column: (-len(column), column))
    alone = [column[0] for column in pairs_last if len(column) == 1]
    whole = [column for column in pairs_last if len(column) > 1]
    return (*kans, *whole, *_neighbours(alone), *((WANG,) for _ in range(hand.wang_count)))


@lru_cache(maxsize=CACHED)
def _best(free: Counts) -> tuple[int, tuple[Column, ...]]:
    """The free tiles in groups, pairs and single tiles, so that most of them stand together."""
    face = next((face for face, count in enumerate(free) if count), None)
    if face is None:
        return 0, ()
    tries = ((worth, column, _best(_without(free, column))) for worth, column in _ways(free, face))
    return max(((worth + rest, (column, *columns)) for worth, column, (rest, columns) in tries), key=_worth)


def _worth(found: tuple[int, tuple[Column, ...]]) -> int:
    return found[0]


def _ways(free: Counts, face: int) -> Iterator[tuple[int, Column]]:
    """The columns that the lowest tile may stand in, with what each is worth."""
    yield 0, (face,)
    if free[face] > 1:
        yield PAIR_WORTH, (face, face)
    for group in _CHI_BY_LOWEST[face]:
        if all(free[other] >= group.faces.count(other) for other in group.faces):
            yield GROUP_WORTH + group.xi(), group.faces


def _without(free: Counts, column: Column) -> Counts:
    return tuple(count - column.count(face) for face, count in enumerate(free))


def _neighbours(alone: list[int]) -> Iterator[Column]:
    """Single tiles, two of them in one column where one more tile makes them a group."""
    rest = list(alone)
    while rest:
        first = rest.pop(0)
        other = next((other for other in rest if (first, other) in _TWO_OF_A_GROUP), None)
        if other is None:
            yield (first,)
        else:
            rest.remove(other)
            yield first, other


_CHI = tuple(map(Group.from_code, range(FIRST_CHI, LAST_CHI + 1)))
_CHI_BY_LOWEST = [[group for group in _CHI if group.faces[0] == face] for face in range(FACE_COUNT)]
_TWO_OF_A_GROUP = frozenset(
    pair for group in _CHI for pair in (group.faces[:2], group.faces[1:], (group.faces[0], group.faces[2]))
)
