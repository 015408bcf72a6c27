"""The events of a hand, from its deal and what the players chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from .. import _engine
from ..actions import Action, IllegalAction
from ..deals import Deal
from ..groups import Group
from ..notation import Hand
from ..results import Result, ended, left
from ..rules import Rules
from ..scoring import Score
from ..settlement import turn_order
from ..tiles import TILE_TEXTS
from .events import (
    PROTOCOL,
    VERSION,
    Chi,
    Chouwei,
    DealEvent,
    Discard,
    Draw,
    DrawGame,
    End,
    Event,
    FanEntry,
    Hu,
    Leave,
    Pao,
    Pass,
    Peng,
    Skip,
    Start,
    Ti,
    Wei,
)
from .record import Record

__all__ = ["Telling", "record_hand", "start_event"]

Seats: TypeAlias = tuple[int, int, int]
KEPT = 1 << 14


def record_hand(
    rules: Rules,
    deal: Deal,
    dealer: int,
    line: Sequence[Action],
    *,
    start: Start,
    leaver: int | None = None,
) -> Record:
    """The record of a hand. start: as of `start_event`. leaver: who left before the end.

    Raises IllegalAction, ValueError for a hand that has not ended.
    """
    tiles = deal.native
    telling = Telling(rules, tiles, dealer)
    played = telling.play([action.number for action in line])
    end = telling.end(start.scores, leaver)
    return Record((start, deal_event(tiles, telling.playing, rules.seats), *played, *end))


def start_event(
    rules: Rules,
    deal: Deal,
    dealer: int,
    *,
    seed: int | None,
    names: Sequence[str],
    scores: Sequence[int],
    hand: int,
) -> Start:
    """The first event of a full record."""
    return Start(
        protocol=PROTOCOL,
        version=VERSION,
        view=None,
        hand=hand,
        seats=tuple(names),
        dealer=dealer,
        scores=tuple(scores),
        seed=seed,
        wall=wall_text(deal.native),
        rules_hash=rules.hash,
        rules=rules.to_dict(),
    )


def wall_text(tiles: _engine.Deal) -> str:
    """The wall of a full record."""
    return " ".join([TILE_TEXTS[face] for face in tiles[2]])


def deal_event(tiles: _engine.Deal, playing: Seats, seats: int) -> DealEvent:
    """The second one."""
    hands = [""] * seats
    for seat, hand in zip(playing, tiles[0], strict=True):
        hands[seat] = str(Hand.from_packed(hand))
    return DealEvent(tuple(hands), TILE_TEXTS[tiles[1]])


class Telling:
    """A hand played once more, event by event."""

    def __init__(self, rules: Rules, tiles: _engine.Deal, dealer: int) -> None:
        self.rules = rules
        self.playing = turn_order(rules, dealer)
        self._table = _engine.Table(rules.native, is_recording=True)
        self._tiles = tiles
        self._triplets: dict[tuple[int, int], str] = {}  # exposed, by seat and face
        self._known = _KNOWN.setdefault(self.playing, {})
        self._result: Result | None = None

    def begin(self) -> list[Event]:
        """What happens before the first question."""
        self._triplets.clear()
        self._result = None
        self._table.deal(*self._tiles)
        return self._table.tell(self._known, self._tell)

    def go_on(self, action: Action) -> list[Event]:
        """What happens by the next choice. Raises IllegalAction."""
        try:
            self._table.apply(action.number)
        except ValueError:
            allowed = [str(Action.from_number(number)) for number in self._table.actions()]
            wanted = f"one of {', '.join(allowed)}" if allowed else "no action, for the hand is over"
            raise IllegalAction(f"expected {wanted}, got {action}") from None
        return self._table.tell(self._known, self._tell)

    def play(self, numbers: list[int]) -> list[Event]:
        """What happens from the deal on by these choices. Raises IllegalAction."""
        begun = self.begin()
        try:
            return begun + self._table.play(numbers, self._known, self._tell)
        except ValueError:
            self.begin()
            for number in numbers:
                self.go_on(Action.from_number(number))
            raise

    @property
    def is_over(self) -> bool:
        """Whether the hand has been won, or is drawn."""
        return self._table.is_over

    @property
    def question(self) -> str:
        """What is asked now."""
        return self._table.question

    def end(self, scores: Sequence[int], leaver: int | None = None) -> list[Event]:
        """What ends the hand. Raises ValueError if it goes on."""
        if leaver is not None:
            result: Result | None = left(self._table, leaver, self.rules, self.playing)
        else:
            result = self._ended()
        if result is None:
            raise ValueError(f"expected a hand that is over, got one that asks {self._table.question}")
        totals = tuple(map(sum, zip(scores, result.points, strict=True)))
        leaving: list[Event] = [] if leaver is None else [Leave(leaver)]
        return [*leaving, End(result.points, totals)]

    def _ended(self) -> Result | None:
        if self._result is None:
            self._result = ended(self._table, self.rules, self.playing)
        return self._result

    def _tell(self, event: _engine.Event) -> Event:
        kind = event[0]
        if kind == "hu":
            return self._hu(event)
        if kind in ("ti", "pao"):
            return _quad(event, self._triplets.pop((event[1], event[3]), None), self.playing)
        if kind in _TRIPLETS:
            self._triplets[event[1], event[3]] = str(Group.from_code(event[4]))
        return _TELLERS[kind](event, self.playing)

    def _hu(self, event: _engine.Event) -> Hu:
        result = self._ended()
        if result is None or result.score is None or result.seat is None or result.source is None:
            raise AssertionError(f"a hand is won and not over: {event}")
        target = None if result.tile is None else self.playing[event[2]]
        return hu_event(result.seat, target, result, result.score)


def hu_event(actor: int, target: int | None, result: Result, score: Score) -> Hu:
    """A win with its reckoning."""
    return Hu(
        actor=actor,
        target=target,
        tile=None if result.tile is None else str(result.tile),
        source=result.source or "dealt",  # type: ignore[arg-type]
        query=str(score.query),
        payment=score.payment or 0,
        base=score.base or 0,
        tun=score.tun or 0,
        xi=score.xi or 0,
        fan=score.fan or 0,
        fans=tuple(FanEntry(count.id, count.chinese, count.value) for count in score.fans),
        groups=tuple(map(str, score.groups)),
        route=score.route or "",
        forced=result.is_heaven,
    )


# Seats in an event of the engine are counted from the dealer: 0, next 1, previous 2.


@lru_cache(maxsize=KEPT)
def _quad(event: _engine.Event, onto: str | None, playing: Seats) -> Event:
    kind, place, giver, face, *_, is_forced, is_dealt, _ = event
    tile = TILE_TEXTS[face]
    consumed = () if onto else (tile,) * (4 if is_dealt else 3)
    actor = playing[place]
    if kind == "ti":
        return Ti(actor, tile, consumed, onto, is_dealt, is_forced)
    return Pao(actor, playing[giver], tile, consumed, onto, is_forced)


def _draw(event: _engine.Event, playing: Seats) -> Event:
    return Draw(playing[event[1]], TILE_TEXTS[event[3]], hidden=event[9], forced=True)


def _discard(event: _engine.Event, playing: Seats) -> Event:
    return Discard(playing[event[1]], TILE_TEXTS[event[3]])


def _chi(event: _engine.Event, playing: Seats) -> Event:
    _, place, giver, face, code, *bi_codes = event[:7]
    consumed = list(Group.from_code(code).faces)
    consumed.remove(face)
    bi = sorted(str(Group.from_code(bi_code)).removeprefix("chi:") for bi_code in bi_codes if bi_code)
    return Chi(playing[place], playing[giver], TILE_TEXTS[face], _texts(consumed), tuple(bi))


@lru_cache(maxsize=KEPT)
def _peng(event: _engine.Event, playing: Seats) -> Event:
    _, place, giver, face = event[:4]
    return Peng(playing[place], playing[giver], TILE_TEXTS[face], _texts([face] * 2), forced=event[7])


@lru_cache(maxsize=KEPT)
def _wei(event: _engine.Event, playing: Seats) -> Event:
    _, place, _, face, code = event[:5]
    kind = Wei if Group.from_code(code).kind == "wei" else Chouwei
    return kind(playing[place], TILE_TEXTS[face], _texts([face] * 2), forced=event[7])


def _pass(event: _engine.Event, playing: Seats) -> Event:
    _, place, giver, face, question = event[:5]
    return Pass(playing[place], playing[giver], TILE_TEXTS[face], _engine.QUESTIONS[question])  # type: ignore[arg-type]


def _skip(event: _engine.Event, playing: Seats) -> Event:
    return Skip(playing[event[1]], forced=event[7])


def _drawn_hand(event: _engine.Event, playing: Seats) -> Event:
    return DrawGame(playing[event[1]], forced=event[7])


def _texts(faces: Sequence[int]) -> tuple[str, ...]:
    return tuple(TILE_TEXTS[face] for face in faces)


_TRIPLETS = ("peng", "wei")
_TELLERS: dict[str, Callable[[_engine.Event, Seats], Event]] = {
    "draw": _draw,
    "discard": _discard,
    "chi": _chi,
    "peng": _peng,
    "wei": _wei,
    "pass": _pass,
    "skip": _skip,
    "drawn_hand": _drawn_hand,
}
# Events as they were told before, by the seats that play and a number for the engine's event.
_KNOWN: dict[Seats, dict[int, Event]] = {}
