"""What a seat may know of a hand of play: all that a bot is told (docs/rules.md 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, NamedTuple

from . import _engine
from .actions import Action
from .groups import EXPOSED_CODES, Group, XiTable
from .notation import Hand, Query, query_in_play
from .rules import Rules
from .tiles import TILES, Tile

__all__ = ["Appearance", "Pending", "View", "seating"]

CODES = 256
SEATINGS_MAX = 64
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
    playing: tuple[int, int, int]
    """The seats that play: the dealer, the next player, the previous one."""
    scores: tuple[int, ...]
    """By seat, the points of the match before this hand."""
    legal_actions: tuple[Action, ...]
    """What the seat may do now, in order; empty when it is not asked."""
    seen: _engine.View
    """The view as the native side has it."""
    seating: _engine.Seating = field(compare=False)
    """What decodes it, see `seating`."""

    @property
    def hand(self) -> Hand:
        """Its own concealed tiles."""
        return _hand(self.seen.hand)

    @property
    def exposed(self) -> tuple[tuple[Group | None, ...], ...]:
        """By seat, the exposed groups; None for a hidden wei (偎) of another."""
        return self.seating.exposed(self.seen)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Its own exposed groups."""
        return self.seating.groups(self.seen)

    @property
    def query(self) -> Query:
        """Its own hand and groups as a query, for waits, solve and the like."""
        seen = self.seen
        return query_in_play(_hand(seen.hand), self.seating.groups(seen), seen.key)

    def after(self, action: Action) -> Query:
        """Its hand and groups after one of its legal actions, before the discard that may follow.

        Raises TypeError for what is no Action.

        >>> from paohuzi.game import Game
        >>> view = Game("qq-basic", seed=4).observe(0)
        >>> len(view.hand), len(view.after(view.legal_actions[0]).hand)
        (21, 20)
        """
        if not isinstance(action, Action):
            raise TypeError(f"expected an Action, got {action!r}")
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
        return self.seating.xi(self.seen)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """By seat, how many concealed tiles."""
        return self.seating.hand_sizes(self.seen)

    @property
    def drawn_wangs(self) -> tuple[int, ...]:
        """By seat, the wangs (王) that all saw drawn."""
        return self.seating.drawn_wangs(self.seen)

    @property
    def skips(self) -> tuple[bool, ...]:
        """By seat, whether the next tile taken in is not followed by a discard (docs/rules.md 4.2)."""
        return self.seating.skips(self.seen)

    @property
    def shown(self) -> Tile | None:
        """The shown tile (亮张); None when it is hidden."""
        return _tile(self.seen.shown)

    @property
    def wall(self) -> tuple[Tile | None, ...]:
        """What is still to be drawn, in order; None where it is not known, nearly always."""
        return self.seating.wall(self.seen)

    @property
    def wall_count(self) -> int:
        """How many tiles are still to be drawn."""
        return self.seen.tiles_left

    @property
    def appearances(self) -> tuple[Appearance, ...]:
        """Every tile drawn or discarded, in order, with what became of it."""
        return self.seating.appearances(self.seen)

    @property
    def lying(self) -> tuple[tuple[Tile, ...], ...]:
        """By seat, the tiles that lie before it, in order: drawn or discarded, and taken by nobody."""
        return self.seating.lying(self.seen)

    @property
    def visible(self) -> tuple[int, ...]:
        """The 21 counts of the tiles whose place this seat knows, its own among them."""
        return self.seating.visible(self.seen)

    @property
    def unseen(self) -> tuple[int, ...]:
        """The 21 counts of all others: in the hands of others, their hidden groups, and the wall."""
        return self.seating.unseen(self.seen)

    @property
    def declined_peng(self) -> tuple[tuple[Tile, ...], ...]:
        """By seat, the faces that came up, were the seat's to claim by peng (碰), and were not claimed so.

        Whether it could have claimed them only the seat itself knows.
        """
        return self.seating.declined_peng(self.seen)

    @property
    def declined_chi(self) -> tuple[tuple[Tile, ...], ...]:
        """By seat, the same for chi (吃)."""
        return self.seating.declined_chi(self.seen)

    @property
    def dead_for_chi(self) -> tuple[Tile, ...]:
        """The faces that this seat may no longer take by chi (docs/rules.md 4.7)."""
        return self.seating.dead_for_chi(self.seen)

    @property
    def dead_for_peng(self) -> tuple[Tile, ...]:
        """The faces that this seat may no longer take by peng (docs/rules.md 4.7)."""
        return self.seating.dead_for_peng(self.seen)

    @property
    def dead_for_hu(self) -> tuple[Tile, ...]:
        """The faces on which this seat has passed a win, for now (docs/rules.md 4.8)."""
        return self.seating.dead_for_hu(self.seen)

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
        pending: Pending | None = self.seating.pending(self.seen)
        return pending

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self.seen.is_over

    @property
    def winner(self) -> int | None:
        """Who has won."""
        return None if self.seen.winner is None else self.playing[self.seen.winner]

    def __reduce__(self) -> tuple[Any, ...]:
        others = self.scores, self.legal_actions, self.seen
        return _restored, (self.rules, self.seat, self.dealer, self.playing, others)

    def __repr__(self) -> str:
        groups = "; ".join(map(str, self.groups))
        return f"<View of seat {self.seat}: {self.hand} | {groups}, {self.question or 'not asked'}>"


def _tile(face: int | None) -> Tile | None:
    return None if face is None else TILES[face]


@lru_cache(maxsize=1 << 12)
def _hand(packed: int) -> Hand:
    return Hand.from_packed(packed)


def seating(rules: Rules, playing: tuple[int, int, int]) -> _engine.Seating:
    """What decodes the views of these seats. It keeps what it has made, for the views to come."""
    known = _SEATINGS.get((rules.native, playing))
    if known is None:
        if len(_SEATINGS) >= SEATINGS_MAX:
            _SEATINGS.clear()
        makers = partial(_appearance, playing), partial(_pending, playing), _groups
        known = _engine.Seating(playing, rules.seats, rules.wang, _xi_by_code(rules.xi), TILES, *makers)
        _SEATINGS[rules.native, playing] = known
    return known


_SEATINGS: dict[tuple[bytes, tuple[int, int, int]], _engine.Seating] = {}


def _restored(rules: Rules, seat: int, dealer: int, playing: tuple[int, int, int], others: Any) -> View:
    scores, legal_actions, seen = others
    return View(rules, seat, dealer, playing, scores, legal_actions, seen, seating(rules, playing))


def _xi_by_code(table: XiTable) -> tuple[int, ...]:
    """The xi of exposed groups by their code, 0 for what is none."""
    return tuple(Group.from_code(code).xi(table) if code in EXPOSED_CODES else 0 for code in range(CODES))


def _appearance(playing: tuple[int, ...], appearance: _engine.Appearance) -> Appearance:
    face, owner, is_discard, fate, taker = appearance
    taken_by = None if fate in ("open", "lies") else playing[taker]
    return Appearance(_tile(face), playing[owner], is_discard, fate, taken_by)


def _pending(playing: tuple[int, ...], pending: _engine.Pending) -> Pending:
    face, owner, is_discard = pending
    return Pending(_tile(face), playing[owner], is_discard)


def _groups(codes: bytes) -> tuple[Group | None, ...]:
    return tuple(None if code == HIDDEN_GROUP else Group.from_code(code) for code in codes)
