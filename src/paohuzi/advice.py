"""What to discard, and why (docs/rules.md 7.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING

from . import _native
from .distance import Seen, Taking, distance, on_the_way, takings
from .groups import Group
from .notation import SOURCES, Hand, Query
from .rules import DEFAULT_RULES, Rules, RulesLike, as_rules
from .solver import QueryLike
from .tiles import COPY_COUNT, TILES, WANG, IllegalHand, Tile

if TYPE_CHECKING:
    from .words import Words

__all__ = ["Danger", "Discard", "copies_left", "danger", "discards", "reasons"]

_CHI_CODES = range(1, 39)


@dataclass(frozen=True, slots=True)
class Danger:
    """What a discard may give others, by counting the tiles that cannot be seen.

    familiar: whether a copy lies open (熟), else it is new (生). chi, peng, pao: in how many ways unseen
    tiles make up what the next player needs for a chi, and anyone for a peng or a pao. xi: the most that a
    group made so has. hu: whether discards win and unseen tiles make a group or a pair with this one. See
    docs/rules.md 7.5.
    """

    familiar: bool
    chi: int
    peng: int
    pao: int
    xi: int
    hu: bool

    @property
    def ways(self) -> int:
        """In how many ways it can be taken."""
        return self.chi + self.peng + self.pao


@dataclass(frozen=True, slots=True)
class Discard:
    """One tile that may be discarded, and the hand that is left. See docs/rules.md 7.5.

    distance: None if it cannot win. improving: the tiles that bring it nearer, with how each is taken.
    copies: those of them that cannot be seen. best, expected: payment of each loser in the wins it leads to,
    None without any. ready: whether those are its waits.
    """

    tile: Tile
    distance: int | None
    improving: Mapping[tuple[Tile, str], Taking]
    copies: int
    best: int | None
    expected: float | None
    ready: bool
    danger: Danger

    @property
    def faces(self) -> dict[Tile, tuple[str, ...]]:
        """The improving tiles, each with the sources that it may come from."""
        tiles = dict.fromkeys(tile for tile, _ in self.improving)
        return {
            tile: tuple(source for source in SOURCES if (tile, source) in self.improving)
            for tile in sorted(tiles, key=lambda tile: tile.face)
        }


def discards(query: QueryLike, visible: Seen = None, rules: RulesLike = DEFAULT_RULES) -> list[Discard]:
    """A row for each tile that may be discarded, the one that is advised first.

    query: a hand that is to discard; the other arguments are those of distance. The order: least distance;
    then copies of improving tiles times expected payment; then familiar tiles before new ones, less xi for
    others, and fewer ways to take it. Raises NotationError, IllegalHand. See docs/rules.md 7.5.

    >>> rows = discards("34577s 34599b 8s | ti:0000b; wei:222s; chi:123b")
    >>> [(str(row.tile), row.distance, row.copies, row.best) for row in rows][:2]
    [('8s', 0, 12, 12), ('7s', 0, 8, 4)]
    """
    query, seen = on_the_way(query, visible)
    rules = as_rules(rules)
    free = _discardable(query)
    if _native.missing_tiles(query.key) > 0 or not free:
        raise IllegalHand(f"expected a hand that is to discard a tile, got {query.tile_count} tiles: {query}")
    return sorted((_row(query, tile, seen, rules) for tile in free), key=_rank)


def danger(query: QueryLike, tile: Tile, visible: Seen = None, rules: RulesLike = DEFAULT_RULES) -> Danger:
    """What the tile gives others as a discard of this hand. Raises NotationError, IllegalHand.

    See docs/rules.md 7.5.

    >>> danger("34577s 34599b 8s | ti:0000b; wei:222s; chi:123b", Tile.parse("8s"), "88s 8b")
    Danger(familiar=True, chi=38, peng=0, pao=0, xi=0, hu=False)
    """
    query, seen = on_the_way(query, visible)
    rules = as_rules(rules)
    if tile not in _discardable(query):
        raise IllegalHand(f"expected a tile of the hand that may be discarded, got {tile} of {query}")
    unseen = [copies_left(query, seen, rules, each) for each in TILES]
    copies = unseen[tile.face]
    chi = {group: ways for group in _chi_groups() if (ways := _ways_to_chi(group, tile, unseen))}
    given = [group.xi(rules.xi) for group in chi]
    given += [_set_xi(kind, tile, rules) for kind, size in (("peng", 2), ("pao", 3)) if copies >= size]
    return Danger(
        familiar=query.visible[tile.face] + seen.counts[tile.face] > query.hand.counts[tile.face],
        chi=sum(chi.values()),
        peng=comb(copies, 2),
        pao=comb(copies, 3),
        xi=max(given, default=0),
        hu=rules.discards_win and (bool(chi) or copies > 0),
    )


def copies_left(query: Query, seen: Hand, rules: Rules, tile: Tile) -> int:
    """Copies of a tile that cannot be seen. See docs/rules.md 7.1.

    >>> copies_left(Query.parse("11s"), Hand.parse("1s"), DEFAULT_RULES, Tile.parse("1s"))
    1
    """
    copies = rules.wang if tile.is_wang else COPY_COUNT
    return copies - query.visible[tile.face] - seen.counts[tile.face]


def reasons(rows: Sequence[Discard], language: str = "en") -> str:
    """Why the first row is advised, in one line, in English (en) or Chinese (zh).

    >>> print(reasons(discards("34577s 34599b 8s | ti:0000b; wei:222s; chi:123b")))
    8s: ready (听) for 12 copies, expected payment 7.2; new (生), 54 ways to take it, up to 6 xi for others
    """
    from .words import Words

    say, first = Words(language), rows[0]
    why = say("advise_and").join((_gain(first, rows[1:], say), _risk(first.danger, say)))
    return say("advise_why", tile=say.choose(str(first.tile), first.tile.chinese), reasons=why)


def _gain(first: Discard, others: Sequence[Discard], say: Words) -> str:
    if first.distance is None:
        return say("advise_no_win")
    is_only = bool(others) and all(row.distance != first.distance for row in others)
    return say(
        {-1: "advise_complete", 0: "advise_ready"}.get(first.distance, "advise_steps"),
        only=say("advise_only") if is_only else "",
        steps=first.distance,
        copies=first.copies,
        pay="" if first.expected is None else say("advise_pay", payment=f"{first.expected:.1f}"),
    )


def _risk(risk: Danger, say: Words) -> str:
    return say(
        "advise_risk",
        kind=say("advise_familiar" if risk.familiar else "advise_new"),
        ways=risk.ways,
        xi=risk.xi,
        hu=say("advise_hu") if risk.hu else "",
    )


def _row(query: Query, tile: Tile, seen: Hand, rules: Rules) -> Discard:
    left = Query(Hand.from_packed(query.hand.packed - _one(tile)), query.exposed)
    known = Hand.from_packed(seen.packed + _one(tile))
    improving = takings(left, known, rules)
    payments = _native.prospects(left.key, known.packed, rules.native)
    best, expected, ready = payments or (None, None, False)
    return Discard(
        tile,
        distance(left, known, rules),
        improving,
        sum(copies_left(left, known, rules, each) for each in {each for each, _ in improving}),
        best,
        expected,
        ready,
        danger(query, tile, seen, rules),
    )


def _discardable(query: Query) -> list[Tile]:
    counts = enumerate(query.hand.counts[:WANG])
    return [TILES[face] for face, count in counts if 0 < count < COPY_COUNT - 1]


def _rank(row: Discard) -> tuple[float, ...]:
    risk = row.danger
    return (
        row.distance is None,
        row.distance or 0,
        -row.copies * (row.expected or 0),
        not risk.familiar,
        risk.xi,
        risk.ways,
        row.tile.face,
    )


@cache
def _chi_groups() -> tuple[Group, ...]:
    return tuple(map(Group.from_code, _CHI_CODES))


def _one(tile: Tile) -> int:
    return 1 << 3 * tile.face


def _ways_to_chi(group: Group, tile: Tile, unseen: list[int]) -> int:
    """In how many ways unseen tiles make a group of the tile and two others."""
    if tile.face not in group.faces:
        return 0
    others = list(group.faces)
    others.remove(tile.face)
    first, second = others
    return comb(unseen[first], 2) if first == second else unseen[first] * unseen[second]


def _set_xi(kind: str, tile: Tile, rules: Rules) -> int:
    return Group(kind, (tile.face,) * (4 if kind == "pao" else 3)).xi(rules.xi)
