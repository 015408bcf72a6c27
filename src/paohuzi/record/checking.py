"""Whether a record can be true: the hand is played once more, and all that happens must be what it says."""

from __future__ import annotations

from collections.abc import Iterator

from ..actions import IllegalAction
from ..deals import Deal
from ..tiles import NotationError
from .events import Event, Leave
from .record import Record, action_of, encode_event
from .recording import Telling, deal_event, start_event

__all__ = ["check_record", "first_difference"]


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
    found = 0
    try:
        for found, (event, expected) in enumerate(zip(record.events, _expected(record), strict=True)):
            if event != expected:
                return found, f"expected {_text(expected)}, got {_text(event)}"
    except IllegalAction as error:
        return found + 1, str(error)
    except ValueError as error:
        if isinstance(error, NotationError):
            raise
        return found + 1, str(error)
    return None


def _expected(record: Record) -> Iterator[Event]:
    """What happens when the players choose what the record says, event by event. Raises IllegalAction."""
    start = record.start
    telling = Telling(record.rules, record.tiles, start.dealer)
    yield _expected_start(record)
    yield deal_event(record.tiles, telling.playing, record.rules.seats)
    yield from telling.begin()
    leaver = next((event.actor for event in record.events if isinstance(event, Leave)), None)
    for event in record.events:
        action = action_of(event)
        if action is not None:
            yield from telling.go_on(action)
    yield from telling.end(start.scores, leaver)


def _expected_start(record: Record) -> Event:
    start = record.start
    tiles = record.tiles
    if start.seed is not None and Deal.from_seed(record.rules, start.seed) != tiles:
        raise ValueError(f"expected the deal of the seed {start.seed}, got another")
    return start_event(
        record.rules,
        tiles,
        start.dealer,
        seed=start.seed,
        names=start.seats,
        scores=start.scores,
        hand=start.hand,
    )


def _text(event: Event) -> str:
    return encode_event(event).decode()
