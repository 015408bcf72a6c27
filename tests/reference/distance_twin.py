"""The distance to a win, by trying every way to fill seven groups (docs/rules.md 7).

Nothing is clever here: with 0, 1, 2 … outside tiles, each tile is discarded or put into every group that can
hold it. Meant for hands of the middle of a game; a hand of 20 tiles may take long.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from math import inf
from typing import NamedTuple

from .notation_twin import ALL_TILES, Group, Query, Tiles
from .solver_twin import (
    DEFAULT,
    GROUP_COUNT,
    QUAD_KINDS,
    SHAPES,
    SHAPES_WITH,
    Options,
    held,
    is_quad,
    is_triplet,
    may_hold_wang,
    natural,
    own_kind,
    total_xi,
    without,
    xi_of,
)

OUTSIDE_MAX = 2 * GROUP_COUNT
COPY_COUNT = 4

Unseen = tuple[int, ...]  # copies by tile, those of tile 1 first


class Filling(NamedTuple):
    """A group with what it takes: own tiles, wangs, outside tiles."""

    group: Group
    own: Tiles
    wangs: int
    outside: Tiles

    def left_to_win(self, kept: Tiles) -> int:
        """How many of its outside tiles cannot be taken before the win (docs/rules.md 4.5, 4.6, 4.9)."""
        is_pao_of_kan = is_quad(self.group.faces) and self.own.count(self.group.faces[0]) == 3
        is_of_kan = bool(set(self.own) & set(kept)) and not is_pao_of_kan
        return len(self.outside) if self.wangs or self.group.kind == "pair" or is_of_kan else 0


class Limits(NamedTuple):
    """How many more quads a division may have, and how many more outside tiles that come with the win."""

    quads: float = inf
    left_to_win: float = inf

    def after(self, filling: Filling, kept: Tiles) -> "Limits":
        return Limits(self.quads - is_quad(filling.group.faces), self.left_to_win - filling.left_to_win(kept))


UNLIMITED = Limits()
ONE_QUAD = Limits(quads=1)
STEP_BY_STEP = Limits(quads=1, left_to_win=1)  # one tile wins; a second quad is followed by no discard


def kind_of(shape: Tiles, outside: int, options: Options) -> str:
    if outside and is_quad(shape):
        return "pao"
    if outside and is_triplet(shape):
        return "wei" if options.third_from_other == "wei" else "peng"
    return own_kind(shape)


def may_take(shape: Tiles, own: int, wangs: int, outside: int) -> bool:
    """Whether the group may be filled so: one outside tile, or the two of a pair that becomes a quad."""
    if own + wangs == 0:
        return False
    return outside <= 1 or (is_quad(shape) and own == 2 and outside == 2)


def origins(shape: Tiles) -> set[tuple[str, ...]]:
    """Every choice of what is own, wang and outside; of equal tiles the order does not matter."""
    every = product("owx", repeat=len(shape))
    return {tuple(sorted(each)) for each in every} if is_same(shape) else set(every)


@cache
def fillings(shape: Tiles, options: Options) -> tuple[Filling, ...]:
    found = []
    for choice in sorted(origins(shape)):
        own, wangs, outside = (
            tuple(face for face, origin in zip(shape, choice, strict=True) if origin == letter)
            for letter in "owx"
        )
        if not may_take(shape, len(own), len(wangs), len(outside)):
            continue
        if not wangs or may_hold_wang(shape, options):
            kind = kind_of(shape, len(outside), options)
            found.append(Filling(Group(kind, shape, (False,) * len(shape)), own, len(wangs), outside))
    return tuple(found)


def is_same(shape: Tiles) -> bool:
    return len(set(shape)) == 1


def fits_hand(filling: Filling, tiles: Tiles, wangs: int, unseen: Unseen) -> bool:
    return (
        filling.wangs <= wangs
        and all(tiles.count(tile) >= filling.own.count(tile) for tile in filling.own)
        and all(unseen[tile - 1] >= filling.outside.count(tile) for tile in filling.outside)
    )


def choices(tiles: Tiles, wangs: int, unseen: Unseen, options: Options) -> Iterator[Filling]:
    """The groups with the lowest tile in them; when no tile is left, those of wangs."""
    for shape in SHAPES_WITH[tiles[0]] if tiles else SHAPES:
        for filling in fillings(shape, options):
            has_lowest = filling.own.count(tiles[0]) > 0 if tiles else not filling.own
            if has_lowest and fits_hand(filling, tiles, wangs, unseen):
                yield filling


def less(unseen: Unseen, taken: Tiles) -> Unseen:
    return tuple(count - taken.count(tile) for tile, count in zip(ALL_TILES, unseen, strict=True))


@lru_cache(maxsize=200_000)
def most_xi(
    tiles: Tiles,
    kept: Tiles,
    wangs: int,
    room: int,
    outside: int,
    unseen: Unseen,
    has_pair: bool,
    has_quad: bool,
    limits: Limits,
    options: Options,
) -> int | None:
    """The most xi of so many groups with just so many outside tiles; None if there is no way.

    `kept` are the faces of which no tile may be discarded.
    """
    if room == 0:
        is_done = not wangs and not outside and has_pair == has_quad and not set(tiles) & set(kept)
        return 0 if is_done else None
    if len(tiles) + wangs < 2 * room - 1:
        return None
    best = None
    if tiles and tiles[0] not in kept:
        best = most_xi(tiles[1:], kept, wangs, room, outside, unseen, has_pair, has_quad, limits, options)
    for filling in choices(tiles, wangs, unseen, options):
        is_pair = filling.group.kind == "pair"
        left = limits.after(filling, kept)
        if (is_pair and has_pair) or len(filling.outside) > outside or min(left) < 0:
            continue
        rest = most_xi(
            without(tiles, filling.own),
            kept,
            wangs - filling.wangs,
            room - 1,
            outside - len(filling.outside),
            less(unseen, filling.outside),
            has_pair or is_pair,
            has_quad or is_quad(filling.group.faces),
            left,
            options,
        )
        if rest is not None:
            best = max(best or 0, rest + xi_of(filling.group, options.xi))
    return best


class Whole(NamedTuple):
    """A choice for the groups that are there already: which of them grow, by a wang or an outside tile."""

    groups: tuple[Group, ...]
    wangs: int
    outside: Tiles


def grown(group: Group, options: Options) -> list[Whole]:
    """A group that stays as it is, or grows to a quad."""
    tile = group.faces[0]
    ways = [Whole((group,), 0, ())]
    if group.kind in ("peng", "wei", "chouwei", "kan"):
        ways.append(Whole((natural("pao", tile),), 0, (tile,)))
    if group.kind == "kan" and options.wang_in_quad:
        ways.append(Whole((natural("ti", tile),), 1, ()))
    return ways


def wholes(query: Query, options: Options) -> Iterator[Whole]:
    """Every choice for exposed groups, kan and ti."""
    counts = Counter(query.tiles)
    there = list(query.exposed)
    if not options.kan_splittable:
        there += [natural("kan", tile) for tile, count in counts.items() if count == 3]
        there += [natural("ti", tile) for tile, count in counts.items() if count == 4]
    for ways in product(*(grown(group, options) for group in there)):
        yield Whole(
            sum((way.groups for way in ways), ()),
            sum(way.wangs for way in ways),
            sum((way.outside for way in ways), ()),
        )


def unseen_copies(query: Query, visible: Tiles) -> Unseen:
    seen = held(query) + Counter(visible)
    return tuple(COPY_COUNT - seen[tile] for tile in ALL_TILES)


def free_and_kept(query: Query, options: Options) -> tuple[Tiles, Tiles]:
    """The tiles that are still to be divided, and the faces of which none may be discarded."""
    counts = Counter(query.tiles)
    kept = tuple(tile for tile in ALL_TILES if counts[tile] > 2)
    if options.kan_splittable:
        return query.tiles, kept
    return tuple(tile for tile in query.tiles if tile not in kept), ()


def can_win_with(
    query: Query, outside: int, visible: Tiles, options: Options, limits: Limits = UNLIMITED
) -> bool:
    """Whether just so many outside tiles make a division. `visible`: other tiles seen."""
    unseen = unseen_copies(query, visible)
    tiles, kept = free_and_kept(query, options)
    for whole in wholes(query, options):
        room = GROUP_COUNT - len(whole.groups)
        left = less(unseen, whole.outside)
        quads = sum(group.kind in QUAD_KINDS for group in whole.groups)
        more, allowed = outside - len(whole.outside), limits._replace(quads=limits.quads - quads)
        wangs = query.wangs - whole.wangs
        if min(room, more, wangs, *left, *allowed) < 0:
            continue
        xi = most_xi(tiles, kept, wangs, room, more, left, False, quads > 0, allowed, options)
        if xi is not None and xi + total_xi(whole.groups, options) >= options.min_xi:
            return True
    return False


def distance(query: Query, visible: Tiles = (), options: Options = DEFAULT) -> int | None:
    """The least number of outside tiles less one, None for no way."""
    for outside in range(OUTSIDE_MAX + 1):
        if can_win_with(query, outside, visible, options):
            return outside - 1
    return None
