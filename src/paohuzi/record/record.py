"""The record of one hand as a value (docs/records.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from .events import Chi, DealEvent, Discard, DrawGame, End, Event, Hu, Leave, Pass, Peng, Start

__all__ = [
    "EVENTS_MAX",
    "Record",
    "action_of",
    "choices_of",
    "decode_event",
    "decode_events",
    "encode_event",
    "misplaced",
    "read_deal",
    "record_in_order",
    "tag_of",
]

EVENTS_MAX = 400  # a hand has fewer than two hundred
_DECODER = msgspec.json.Decoder(Event)
_ENCODER = msgspec.json.Encoder()


def decode_event(line: bytes | str) -> Event:
    """Read one line of a record. Raises NotationError."""
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise NotationError(f"expected an event as one JSON object, got what is none: {error}") from None


def decode_events(lines: bytes) -> list[Event]:
    """Read whole lines at once, blank ones left out. Raises msgspec.MsgspecError if any is wrong."""
    return _DECODER.decode_lines(lines)


def tag_of(event: Event) -> str:
    """The type of an event as its line has it."""
    return str(type(event).__struct_config__.tag)


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
        wrong = misplaced(self.events)
        if wrong is not None:
            raise NotationError(f"event {wrong[0]}: {wrong[1]}")

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
        return read_deal(self, self.rules)

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


def record_in_order(events: tuple[Event, ...]) -> Record:
    """The record of events in which `misplaced` has found nothing."""
    record = object.__new__(Record)
    object.__setattr__(record, "events", events)
    return record


def action_of(event: Event) -> Action | None:
    """The choice that an event tells of; None when nobody chose it."""
    read = _CHOICES.get(type(event))
    return None if read is None else read(event)


def choices_of(events: Iterable[Event]) -> list[int]:
    """The numbers of all choices that events tell of."""
    read = _CHOICES.get
    choices = [(found, event) for event in events if (found := read(type(event)))]
    return [action.number for found, event in choices if (action := found(event)) is not None]


_DISCARDS = {text: Action.parse(f"discard {text}") for text in TILE_TEXTS[:WANG]}


def _discard_action(event: Discard) -> Action:
    try:
        return _DISCARDS[event.tile]
    except KeyError:
        raise NotationError(f"expected a tile that can be discarded, got {event.tile!r}") from None


@lru_cache(maxsize=1 << 15)
def _chi_action(tile: str, consumed: tuple[str, ...], bi: tuple[str, ...]) -> Action:
    tiles = Hand.parse(" ".join((tile, *consumed)))
    return Action.parse("chi " + " + ".join((str(tiles).replace(" ", ""), *bi)))


_CHOICES: dict[type, Callable[[Any], Action | None]] = {
    Discard: _discard_action,
    Chi: lambda event: _chi_action(event.tile, event.consumed, event.bi),
    Pass: lambda _: PASS,
    Peng: lambda event: None if event.forced else PENG,
    Hu: lambda event: None if event.forced else HU,
}


_EDGES = {Start, DealEvent, End}
_LAST = {Hu, Leave, DrawGame}  # then comes the end


def misplaced(events: Sequence[Event]) -> tuple[int, str] | None:
    """The first place that breaks the order start, deal, play, end, and why; None if none does."""
    kinds = [*map(type, events)]
    is_framed = kinds[:2] == [Start, DealEvent] and kinds[-1] is End and len(kinds) <= EVENTS_MAX
    if is_framed and _EDGES.isdisjoint(kinds[2:-1]) and _LAST.isdisjoint(kinds[2:-2]):
        return None
    before: list[type] = []
    for kind in kinds[:EVENTS_MAX]:
        what, is_right = _expected_after(before, kind)
        if not is_right:
            return len(before), f"expected {what}, got {tag_of(events[len(before)])}"
        before.append(kind)
    return max(0, len(before) - 1), f"expected an end after at most {EVENTS_MAX} events"


def _expected_after(before: list[type], kind: type) -> tuple[str, bool]:
    """What may follow the events before, and whether an event of this kind may."""
    if not before:
        return "start", kind is Start
    if len(before) == 1:
        return "deal", kind is DealEvent
    if before[-1] is End:
        return "nothing after the end", False
    if before[-1] in _LAST:
        return "end", kind is End
    return "an event of play or end", kind not in (Start, DealEvent)


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


def read_deal(record: Record, rules: Rules) -> Deal:
    """The deal of a full record. Raises NotationError."""
    if record.start.view is not None:
        raise NotationError(f"expected a full record, got what seat {record.start.view} saw")
    hands = record.deal.hands
    if len(hands) != rules.seats:
        raise NotationError(f"expected the hands of {rules.seats} seats, got {len(hands)}")
    dealer, after, before = (hands[seat] for seat in turn_order(rules, record.start.dealer))
    texts = {"dealer": dealer, "next": after, "previous": before, "wall": record.start.wall}
    try:
        return Deal.from_texts({**texts, "shown": record.deal.shown})
    except IllegalHand as error:
        raise NotationError(str(error)) from None
