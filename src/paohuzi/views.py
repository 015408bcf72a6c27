"""What a seat may know of a hand of play: all that a bot is told (docs/rules.md 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import sub
from typing import NamedTuple, TypeVar

from . import _engine
from .actions import Action
from .groups import Group
from .notation import Hand, Query
from .rules import Rules
from .tiles import COPY_COUNT, FACE_COUNT, TILES, Tile

__all__ = ["Appearance", "Pending", "View"]

Part = TypeVar("Part")

HIDDEN_GROUP = 255
NO_QUESTION = "none"
PLACE_BITS = 3  # of a face in a packed hand


class Pending(NamedTuple):
    """The tile that all wait for. tile: None if the seat does not see it. owner: who drew or discarded it."""

    tile: Tile | None
    owner: int
    is_discard: bool


class Appearance(NamedTuple):
    """A tile that was drawn or discarded. tile: None for another's hidden wei (偎). owner: who had it.

    fate: "open" (still to be claimed), "lies" (nobody took it), "chi", "peng", "pao", "wei", "chouwei", "ti",
    "joined" (a drawn wang), or "hu". taker: who took it, None if it lies or is open.
    """

    tile: Tile | None
    owner: int
    is_discard: bool
    fate: str
    taker: int | None


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """One seat's view of a hand at one point: a value that the play going on does not change.

    Seats are those of the table; what is "by seat" has an entry for each, also for one that sits out. Nothing
    here depends on what is hidden from the seat. See docs/rules.md 4.

    >>> from paohuzi.game import Game
    >>> view = Game("qq-basic", seed=4, dealer=1).observe(1)
    >>> view.question, view.hand_sizes, view.wall_count, len(view.legal_actions)
    ('discard', (20, 21, 20), 19, 11)
    """

    rules: Rules
    seat: int
    """Whose view it is."""
    dealer: int
    playing: tuple[int, ...]
    """The seats that play: the dealer, the next player, the previous one."""
    scores: tuple[int, ...]
    """By seat, the points of the match before this hand."""
    legal_actions: tuple[Action, ...]
    """What the seat may do now, in order; empty when it is not asked."""
    seen: _engine.View
    """The view as the native side has it."""

    @property
    def hand(self) -> Hand:
        """Its own concealed tiles."""
        return _hand(self.seen.hand)

    @property
    def exposed(self) -> tuple[tuple[Group | None, ...], ...]:
        """By seat, the exposed groups; None for a hidden wei (偎) of another."""
        return self._by_seat([_groups(self.seen.exposed(place)) for place in range(3)], ())

    @property
    def groups(self) -> tuple[Group, ...]:
        """Its own exposed groups."""
        return Group.from_natives(self.seen.exposed(self.seen.seat))

    @property
    def query(self) -> Query:
        """Its own hand and groups as a query, for waits, solve and the like."""
        return Query(self.hand, self.groups)

    def after(self, action: Action) -> Query:
        """Its hand and groups after one of its legal actions, before the discard that may follow.

        >>> from paohuzi.game import Game
        >>> view = Game("qq-basic", seed=4).observe(0)
        >>> len(view.hand), len(view.after(view.legal_actions[0]).hand)
        (21, 20)
        """
        laid: tuple[Group, ...] = action.groups
        tiles = action.tile and [action.tile.face]
        if action.kind in ("peng", "chi") and self.pending and self.pending.tile:
            face = self.pending.tile.face
            laid = laid or (Group("peng", (face,) * 3),)
            tiles = [each for group in laid for each in group.faces]
            tiles.remove(face)
        packed = self.seen.hand - sum(1 << PLACE_BITS * face for face in tiles or ())
        return Query(Hand.from_packed(packed), (*self.groups, *laid))

    @property
    def xi(self) -> tuple[int, ...]:
        """By seat, the xi (胡息) of the exposed groups that this seat sees."""
        table = self.rules.xi
        return tuple(sum(group.xi(table) for group in groups if group) for groups in self.exposed)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """By seat, how many concealed tiles."""
        return self._by_seat(self.seen.hand_sizes, 0)

    @property
    def drawn_wangs(self) -> tuple[int, ...]:
        """By seat, the wangs (王) that all saw drawn."""
        return self._by_seat(self.seen.drawn_wangs, 0)

    @property
    def skips(self) -> tuple[bool, ...]:
        """By seat, whether the next tile taken in is not followed by a discard (docs/rules.md 4.2)."""
        return self._by_seat(self.seen.skips, False)

    @property
    def shown(self) -> Tile | None:
        """The shown tile (亮张); None when it is hidden."""
        return _tile(self.seen.shown)

    @property
    def wall(self) -> tuple[Tile | None, ...]:
        """What is still to be drawn, in order; None where it is not known, nearly always."""
        return tuple(map(_tile, self.seen.wall))

    @property
    def wall_count(self) -> int:
        """How many tiles are still to be drawn."""
        return self.seen.tiles_left

    @property
    def appearances(self) -> tuple[Appearance, ...]:
        """Every tile drawn or discarded, in order, with what became of it."""
        playing = self.playing
        return tuple([_appearance(playing, appearance) for appearance in self.seen.appearances])

    @property
    def lying(self) -> tuple[tuple[Tile, ...], ...]:
        """By seat, the tiles that lie before it, in order: drawn or discarded, and taken by nobody."""
        lying: list[tuple[Tile, ...]] = [()] * self.rules.seats
        for face, owner, _, fate, _ in self.seen.appearances:
            if fate == "lies" and face is not None:
                lying[self.playing[owner]] += (TILES[face],)
        return tuple(lying)

    @property
    def visible(self) -> tuple[int, ...]:
        """The 21 counts of the tiles whose place this seat knows, its own among them."""
        return _hand(self.seen.visible).counts

    @property
    def unseen(self) -> tuple[int, ...]:
        """The 21 counts of all others: in the hands of others, their hidden groups, and the wall."""
        deck = (COPY_COUNT,) * FACE_COUNT + (self.rules.wang,)
        return tuple(map(sub, deck, self.visible))

    @property
    def declined_peng(self) -> tuple[tuple[Tile, ...], ...]:
        """By seat, the faces that came up, were the seat's to claim by peng (碰), and were not claimed so.

        Whether it could have claimed them only the seat itself knows.
        """
        return self._by_seat([_tiles(mask) for mask in self.seen.declined_peng], ())

    @property
    def declined_chi(self) -> tuple[tuple[Tile, ...], ...]:
        """By seat, the same for chi (吃)."""
        return self._by_seat([_tiles(mask) for mask in self.seen.declined_chi], ())

    @property
    def dead_for_chi(self) -> tuple[Tile, ...]:
        """The faces that this seat may no longer take by chi (docs/rules.md 4.7)."""
        return _tiles(self.seen.dead[0])

    @property
    def dead_for_peng(self) -> tuple[Tile, ...]:
        """The faces that this seat may no longer take by peng (docs/rules.md 4.7)."""
        return _tiles(self.seen.dead[1])

    @property
    def dead_for_hu(self) -> tuple[Tile, ...]:
        """The faces on which this seat has passed a win, for now (docs/rules.md 4.8)."""
        return _tiles(self.seen.dead[2])

    @property
    def asked(self) -> int | None:
        """This seat if it is asked, or whoever has to discard; else None: others' claims are not seen."""
        return None if self.seen.asked is None else self.playing[self.seen.asked]

    @property
    def question(self) -> str | None:
        """What that seat is asked: "shown_hu", "draw_hu", "hu", "peng", "chi", "discard", or None."""
        return None if self.seen.question == NO_QUESTION else self.seen.question

    @property
    def pending(self) -> Pending | None:
        """The tile that may be claimed; None when none is, and while somebody has to discard."""
        pending = self.seen.pending
        return pending and Pending(_tile(pending[0]), self.playing[pending[1]], pending[2])

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self.seen.is_over

    @property
    def winner(self) -> int | None:
        """Who has won."""
        return None if self.seen.winner is None else self.playing[self.seen.winner]

    def _by_seat(self, parts: Sequence[Part], missing: Part) -> tuple[Part, ...]:
        """What the native side has from the dealer on, by the seats of the table."""
        placed = [missing] * self.rules.seats
        for seat, part in zip(self.playing, parts, strict=True):
            placed[seat] = part
        return tuple(placed)

    def __repr__(self) -> str:
        groups = "; ".join(map(str, self.groups))
        return f"<View of seat {self.seat}: {self.hand} | {groups}, {self.question or 'not asked'}>"


def _tile(face: int | None) -> Tile | None:
    return None if face is None else TILES[face]


# What is read again and again, at the next decisions and in other fields, is kept for a while.


@lru_cache(maxsize=1 << 12)
def _hand(packed: int) -> Hand:
    return Hand.from_packed(packed)


@lru_cache(maxsize=1 << 14)
def _tiles(mask: int) -> tuple[Tile, ...]:
    return tuple(tile for tile in TILES if mask >> tile.face & 1)


@lru_cache(maxsize=1 << 14)
def _appearance(playing: tuple[int, ...], appearance: _engine.Appearance) -> Appearance:
    face, owner, is_discard, fate, taker = appearance
    taken_by = None if fate in ("open", "lies") else playing[taker]
    return Appearance(_tile(face), playing[owner], is_discard, fate, taken_by)


@lru_cache(maxsize=1 << 14)
def _groups(codes: bytes) -> tuple[Group | None, ...]:
    return tuple(None if code == HIDDEN_GROUP else Group.from_code(code) for code in codes)
