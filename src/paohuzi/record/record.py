"""The record of one hand as a value (docs/records.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import msgspec

from ..actions import HU, PASS, PENG, Action
from ..deals import Deal
from ..notation import Hand
from ..rules import Rules
from ..settlement import turn_order
from ..tiles import TILE_TEXTS, WANG, IllegalHand, NotationError
from .events import Chi, DealEvent, Discard, End, Event, Hu, Leave, Pass, Peng, Start

__all__ = ["EVENTS_MAX", "Record", "action_of", "decode_event", "encode_event"]

EVENTS_MAX = 400  # a hand has fewer than two hundred
_DECODER = msgspec.json.Decoder(Event)
_ENCODER = msgspec.json.Encoder()


def decode_event(line: bytes | str) -> Event:
    """Read one line of a record. Raises NotationError."""
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise NotationError(f"expected an event as one JSON object, got what is none: {error}") from None


def encode_event(event: Event) -> bytes:
    """The line of an event, without its end."""
    return _ENCODER.encode(event)


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """All events of a hand, from its start to its end. Raises NotationError if they are no such list.

    >>> from paohuzi.game import Game
    >>> game = Game("qq-basic", seed=4)
    >>> while not game.is_over:
    ...     game.apply(game.legal_actions()[0])
    >>> record = game.record(["Ann", "Bo", "Chen"])
    >>> record.start.seats, record.end.totals, Record.from_lines(record.to_lines()) == record
    (('Ann', 'Bo', 'Chen'), (0, 0, 0), True)
    """

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(self.events))
        check_order(self.events)

    @classmethod
    def from_lines(cls, lines: Iterable[bytes | str]) -> Record:
        """Read the lines of one hand. Raises NotationError."""
        return cls(tuple(map(decode_event, lines)))

    def to_lines(self) -> list[bytes]:
        """The lines of the hand, without their ends."""
        return list(map(encode_event, self.events))

    @property
    def start(self) -> Start:
        """The first event."""
        return cast(Start, self.events[0])

    @property
    def deal(self) -> DealEvent:
        """The second event."""
        return cast(DealEvent, self.events[1])

    @property
    def end(self) -> End:
        """The last event."""
        return cast(End, self.events[-1])

    @property
    def rules(self) -> Rules:
        """The rules the hand was played by. Raises NotationError, also for a hash that is not theirs."""
        return read_rules(self.start)

    @property
    def playing(self) -> tuple[int, int, int]:
        """The seats that play: the dealer, the next player, the previous one."""
        return turn_order(self.rules, self.start.dealer)

    @property
    def tiles(self) -> Deal:
        """The deal. Raises NotationError for the record of a view, which does not tell it."""
        return read_deal(self)

    @property
    def line(self) -> tuple[Action, ...]:
        """What the players chose, in order; for the record of a view what was seen of it."""
        return tuple(action for _, action in self.decisions())

    def decisions(self) -> Iterator[tuple[int, Action]]:
        """The place among the events of each choice, and the choice."""
        for place, event in enumerate(self.events):
            action = action_of(event)
            if action is not None:
                yield place, action

    def seen_by(self, seat: int) -> Record:
        """The record as that seat saw it: what it did not see is "?" or left out. Raises ValueError.

        See docs/records.md.
        """
        from .seat_view import events_seen

        return Record(tuple(events_seen(self, seat)))

    def __repr__(self) -> str:
        return f"<Record of hand {self.start.hand}, {len(self.events)} events>"


def action_of(event: Event) -> Action | None:
    """The choice that an event tells of; None when nobody chose it."""
    read = _CHOICES.get(type(event))
    return None if read is None else read(event)


_DISCARDS = {text: Action.parse(f"discard {text}") for text in TILE_TEXTS[:WANG]}


@lru_cache(maxsize=1 << 15)
def _chi_action(tile: str, consumed: tuple[str, ...], bi: tuple[str, ...]) -> Action:
    tiles = Hand.parse(" ".join((tile, *consumed)))
    return Action.parse("chi " + " + ".join((str(tiles).replace(" ", ""), *bi)))


_CHOICES: dict[type, Callable[[Any], Action | None]] = {
    Discard: lambda event: _DISCARDS[event.tile],
    Chi: lambda event: _chi_action(event.tile, event.consumed, event.bi),
    Pass: lambda _: PASS,
    Peng: lambda event: None if event.forced else PENG,
    Hu: lambda event: None if event.forced else HU,
}


def check_order(events: tuple[Event, ...]) -> None:
    """Raise NotationError for a list that is not start, deal, what happens, end."""
    kinds = [type(event) for event in events]
    if kinds[:2] != [Start, DealEvent] or kinds[-1:] != [End] or len(kinds) > EVENTS_MAX:
        told = ", ".join(kind.__name__ for kind in (*kinds[:2], *kinds[-1:]))
        raise NotationError(
            f"expected start, deal, at most {EVENTS_MAX} events and end, got {len(kinds)} with {told}"
        )
    for place, kind in enumerate(kinds[2:-1], 2):
        if kind in (Start, DealEvent, End):
            raise NotationError(f"expected an event of play as event {place}, got {kind.__name__}")
        if kind in (Hu, Leave) and place != len(kinds) - 2:
            raise NotationError(f"expected the end after event {place}, {kind.__name__}")


_known_rules: list[tuple[str, dict[str, object], Rules]] = []  # those read last: records mostly have the same


def read_rules(start: Start) -> Rules:
    """The rules of a start event, whose hash must be theirs. Raises NotationError."""
    for known_hash, fields, rules in _known_rules:
        if known_hash == start.rules_hash and fields == start.rules:
            return rules
    rules = Rules.from_dict(start.rules)
    if rules.hash != start.rules_hash:
        raise NotationError(f"expected rules with the hash {rules.hash}, got {start.rules_hash}")
    _known_rules[:] = [(start.rules_hash, start.rules, rules), *_known_rules[:7]]
    return rules


def read_deal(record: Record) -> Deal:
    """The deal of a full record. Raises NotationError."""
    if record.start.view is not None:
        raise NotationError(f"expected a full record, got what seat {record.start.view} saw")
    hands = record.deal.hands
    if len(hands) != record.rules.seats:
        raise NotationError(f"expected the hands of {record.rules.seats} seats, got {len(hands)}")
    dealer, after, before = (hands[seat] for seat in record.playing)
    texts = {"dealer": dealer, "next": after, "previous": before, "wall": record.start.wall}
    try:
        return Deal.from_texts({**texts, "shown": record.deal.shown})
    except IllegalHand as error:
        raise NotationError(str(error)) from None
