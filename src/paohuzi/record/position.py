"""What lies where after some events of a record, as far as the record tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..groups import Group
from ..notation import Hand
from ..tiles import TILE_TEXTS, NotationError
from .events import (
    UNKNOWN,
    Chi,
    Chouwei,
    DealEvent,
    Discard,
    Draw,
    DrawGame,
    Event,
    Pao,
    Peng,
    Start,
    Ti,
    Wei,
)
from .record import Record, tag_of

__all__ = ["Position", "position_after"]

WANG = "W"


class Position:
    """Tiles by seat: those in hand (UNKNOWN for one not known), exposed groups, and those that lie open.

    wall: how many are left. pending: the tile that all wait for, and whose it is.
    """

    def __init__(self, start: Start) -> None:
        seats = range(len(start.seats))
        self.hands: list[list[str]] = [[] for _ in seats]
        self.exposed: list[list[str]] = [[] for _ in seats]
        self.lying: list[list[str]] = [[] for _ in seats]
        self.wall = len(start.wall.split())
        self.pending: tuple[str, int] | None = None
        self._dealer = start.dealer
        self._unknown: set[int] = set()  # seats whose hands are not known

    def go_on(self, event: Event) -> None:
        """Take in the next event. Raises NotationError for one that cannot follow."""
        act = _ACTS.get(type(event))
        if act is not None:
            try:
                act(self, event)
            except (IndexError, ValueError) as error:
                raise NotationError(f"expected an event that can follow, got {event}: {error}") from None

    def _deal(self, event: DealEvent) -> None:
        for seat, text in enumerate(event.hands):
            if UNKNOWN in text:
                self._unknown.add(seat)
            self.hands[seat] += [UNKNOWN] * len(text) if UNKNOWN in text else tiles_of(text)
        self.hands[self._dealer].append(event.shown)

    def _draw(self, event: Draw) -> None:
        self._let_lie()
        self.wall -= 1
        if event.tile == WANG:
            self.hands[event.actor].append(WANG)
        else:
            self.pending = (event.tile, event.actor)

    def _discard(self, event: Discard) -> None:
        self._let_lie()
        self._take_out(event.actor, [event.tile])
        self.pending = (event.tile, event.actor)

    def _let_lie(self, event: DrawGame | None = None) -> None:
        if self.pending is not None:
            tile, seat = self.pending
            self.lying[seat].append(tile)
        self.pending = None

    def _chi(self, event: Chi) -> None:
        self.pending = None
        bi = [tile for text in event.bi for tile in tiles_of(text)]
        self._take_out(event.actor, [*event.consumed, *bi])
        self.exposed[event.actor] += [group_text("chi", (event.tile, *event.consumed))]
        self.exposed[event.actor] += [f"chi:{text}" for text in event.bi]

    def _set(self, event: Peng | Wei | Ti | Pao) -> None:
        """A triplet or a quad."""
        kind = tag_of(event)
        is_dealt = isinstance(event, Ti) and event.dealt
        self.pending = None
        self._take_out(event.actor, event.consumed)
        onto = getattr(event, "onto", None)
        if onto is None:
            tiles = event.consumed if is_dealt else (event.tile, *event.consumed)
            self.exposed[event.actor].append(group_text(kind, tiles))
        else:
            groups = self.exposed[event.actor]
            place = groups.index(onto if onto in groups else group_text("wei", (UNKNOWN,) * 3))
            groups[place] = group_text(kind, (event.tile,) * 4)

    def _take_out(self, seat: int, tiles: Iterable[str]) -> None:
        hand = self.hands[seat]
        for tile in tiles:
            if tile in hand or UNKNOWN in hand or seat not in self._unknown:
                hand.remove(tile if tile in hand else UNKNOWN)
            else:  # the shown tile was among those laid down unseen
                hand.pop()


_ACTS: dict[type, Callable[[Position, Any], None]] = {
    DealEvent: Position._deal,
    Draw: Position._draw,
    Discard: Position._discard,
    DrawGame: Position._let_lie,
    Chi: Position._chi,
    Peng: Position._set,
    Wei: Position._set,
    Chouwei: Position._set,
    Ti: Position._set,
    Pao: Position._set,
}


def position_after(record: Record, count: int) -> Position:
    """What lies where after so many events, at least the start. Raises NotationError."""
    position = Position(record.start)
    for event in record.events[1:count]:
        position.go_on(event)
    return position


def tiles_of(text: str) -> list[str]:
    """The texts of the tiles in a text without unknown ones. Raises NotationError."""
    counts = Hand.parse(text).counts
    return [tile for tile, count in zip(TILE_TEXTS, counts, strict=True) for _ in range(count)]


def group_text(kind: str, tiles: Iterable[str]) -> str:
    """The text of a group, with a sign for each tile not known."""
    tiles = tuple(tiles)
    if UNKNOWN in tiles:
        return f"{kind}:{UNKNOWN * len(tiles)}"
    return str(Group.parse(f"{kind}:{' '.join(tiles)}"))
