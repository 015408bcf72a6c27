"""How a hand of play ended, by the seats of the table (docs/rules.md 4.10, 4.11 and 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from . import _engine
from ._native import CONTEXT
from .groups import Group
from .notation import Hand, Query
from .rules import Rules
from .scoring import Context, Score, score
from .settlement import flee_penalty
from .solver import part_xi
from .tiles import TILES, Tile

__all__ = ["Result", "ended", "left"]

_SOURCES = {0: None, 1: "self", 2: "other", 3: "discard"}
_NO_TILE = 255


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a hand: "hu" (胡), "draw" (荒庄), or "leave" when a seat left the table.

    seat: the winner, or who left. tile: the winning tile, None for a hand won as dealt; source: "dealt",
    "self", "other", "discard". payments: by seat, at stake 1; points: by seat, at the stake of the rules.
    score: of a win. Both sum to 0, but for what one who leaves pays to the room. See docs/rules.md 5.4.
    """

    type: str
    seat: int | None
    tile: Tile | None
    source: str | None
    payments: tuple[int, ...]
    points: tuple[int, ...]
    score: Score | None
    is_heaven: bool = False
    """Whether it is a forced heaven (docs/rules.md 3.11)."""

    @property
    def winner(self) -> int | None:
        """Who has won; None when nobody has."""
        return self.seat if self.type == "hu" else None


def ended(table: _engine.Table, rules: Rules, playing: Sequence[int]) -> Result | None:
    """The result of a table whose hand is over; None before. playing: the seats from the dealer on."""
    result = table.result()
    if result is None:
        return None
    kind, place, face, source, is_heaven, paid = result[:6]
    payments = [0] * rules.seats
    for seat, payment in zip(playing, paid, strict=True):
        payments[seat] = payment
    return Result(
        kind,
        None if place is None else playing[place],
        None if face is None else TILES[face],
        source,
        tuple(payments),
        tuple(payment * rules.stake for payment in payments),
        None if place is None else won(table, place, rules),
        is_heaven,
    )


def won(table: _engine.Table, place: int, rules: Rules) -> Score:
    """What the win of a player is made of. place: 0 the dealer, 1 the next player, 2 the previous one."""
    key, mask = table.win_key(place)
    hand = Hand.from_packed(int.from_bytes(key[:8], "little"))
    groups = tuple(Group.from_code(code) for code in key[8:15] if code)
    win = None if key[15] == _NO_TILE else TILES[key[15]]
    return score(Query(hand, groups, win, _SOURCES[key[16]]), rules, _context(mask))


@cache
def _context(mask: int) -> Context:
    return Context(**{name: bool(mask >> bit & 1) for bit, name in enumerate(CONTEXT)})


def left(table: _engine.Table, leaver: int, rules: Rules, playing: Sequence[int]) -> Result:
    """The result when a seat leaves: where the rules have it, one that plays pays for fleeing (逃跑)."""
    points = [0] * rules.seats
    if leaver in playing and rules.flee_tun is not None:
        points[leaver] = -flee_penalty(rules, others_xi(table, playing.index(leaver), rules))
    return Result("leave", leaver, None, None, (0,) * rules.seats, tuple(points), None)


def others_xi(table: _engine.Table, place: int, rules: Rules) -> list[int]:
    """The most xi that each of the two other players could have."""
    return [
        part_xi(Query(Hand.from_packed(hand), map(Group.from_code, table.exposed(other))), rules)
        for other, hand in enumerate(table.hands())
        if other != place
    ]
