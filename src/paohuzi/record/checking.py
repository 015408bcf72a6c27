"""Whether a record can be true: the hand is played once more, and all that happens must be what it says."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from .. import _engine
from ..deals import Deal, checked_seed
from ..rules import Rules
from ..tiles import NotationError
from .events import Event, Leave, Start
from .record import Record, action_of, choices_of, encode_event, read_deal
from .recording import Telling, deal_event, wall_text

__all__ = ["check_record", "difference_in_sequence", "first_difference"]


def check_record(record: Record) -> None:
    """Play a full record once more. Raises NotationError naming the first event that is not what happens."""
    found = first_difference(record)
    if found is not None:
        place, why = found
        raise NotationError(f"event {place}: {why}")


def first_difference(record: Record) -> tuple[int, str] | None:
    """The place of the first event that cannot be, and why; None for a record that is true.

    Raises NotationError for rules or tiles that cannot be, and for the record of a view.
    """
    rules, start = record.rules, record.start
    if _is_true(record, rules):
        return None
    tiles = read_deal(record, rules)
    telling = Telling(rules, tiles.native, start.dealer)
    try:
        _check_start(start, tiles, rules)
    except ValueError as error:
        return 0, str(error)
    told = [*_beginning(start, tiles.native, telling), *telling.begin()]
    return _compare(list(record.events), told, telling, start.scores)


def _is_true(record: Record, rules: Rules) -> bool:
    """The answer for nearly all records: all choices are taken at once, and all that happens compared."""
    events, start = list(record.events), record.start
    try:
        tiles = _native_deal(record, rules)
        telling = Telling(rules, tiles, start.dealer)
        told = [*_beginning(start, tiles, telling), *telling.play(choices_of(events))]
        last = events[-2]
        leaver = last.actor if isinstance(last, Leave) and not telling.is_over else None
        told += telling.end(start.scores, leaver)
    except ValueError:
        return False
    return told == events


def _native_deal(record: Record, rules: Rules) -> _engine.Deal:
    """The deal of a full record; of its seed, if it has one. Raises ValueError."""
    start = record.start
    if start.seed is None or start.view is not None:
        tiles = read_deal(record, rules)
        _check_start(start, tiles, rules)
        return tiles.native
    _check_seats(start, rules)
    return _engine.make_deal(rules.wang, checked_seed(start.seed))


def _beginning(start: Start, tiles: _engine.Deal, telling: Telling) -> list[Event]:
    return [replace(start, wall=wall_text(tiles)), deal_event(tiles, telling.playing, telling.rules.seats)]


def _compare(
    events: list[Event], told: list[Event], telling: Telling, scores: Sequence[int]
) -> tuple[int, str] | None:
    """What happens when the players choose what the events say, compared with them choice by choice."""
    place = 0
    while events[place : place + len(told)] == told:
        place += len(told)
        if place == len(events):
            return None
        try:
            told = _next(events[place], telling, scores)
        except ValueError as error:
            return place, str(error)
    return _first_of(events, told, place)


def _next(event: Event, telling: Telling, scores: Sequence[int]) -> list[Event]:
    """What happens by the choice that an event tells of, or at the end. Raises ValueError."""
    action = action_of(event)
    if action is not None:
        return telling.go_on(action)
    if telling.is_over == isinstance(event, Leave):
        wanted = "the end" if telling.is_over else f"an answer to the question {telling.question}"
        raise ValueError(f"expected {wanted}, got {_text(event)}")
    return telling.end(scores, event.actor if isinstance(event, Leave) else None)


def _first_of(events: list[Event], told: list[Event], place: int) -> tuple[int, str]:
    """The first difference between the events from a place on and what happens."""
    for offset, (event, expected) in enumerate(zip(events[place:], told, strict=False)):
        if event != expected:
            return place + offset, f"expected {_text(expected)}, got {_text(event)}"
    return len(events) - 1, "expected more events, got the end of the hand"


def _check_start(start: Start, tiles: Deal, rules: Rules) -> None:
    if start.seed is not None and not tiles.is_of_seed(start.seed):
        raise ValueError(f"expected the deal of the seed {start.seed}, got another")
    _check_seats(start, rules)


def _check_seats(start: Start, rules: Rules) -> None:
    for what, values in (("names", start.seats), ("scores", start.scores)):
        if len(values) != rules.seats:
            raise ValueError(f"expected {rules.seats} {what}, got {len(values)}")


def _text(event: Event) -> str:
    return encode_event(event).decode()


def difference_in_sequence(before: Record | None, record: Record) -> tuple[int, str] | None:
    """The place of what cannot be after the hand before in the file, and why; None if nothing is wrong.

    Only the next hand of the same match goes on with its points.
    """
    if before is None or not _goes_on(before, record):
        return None
    if record.start.scores == before.end.totals:
        return None
    return 0, f"expected the scores {before.end.totals} of the hand before, got {record.start.scores}"


def _goes_on(before: Record, record: Record) -> bool:
    first, second = before.start, record.start
    is_next = (second.hand, second.seats, second.rules_hash) == (
        first.hand + 1,
        first.seats,
        first.rules_hash,
    )
    return is_next and not isinstance(before.events[-2], Leave)
