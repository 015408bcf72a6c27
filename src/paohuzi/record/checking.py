"""Whether a record can be true: the hand is played once more, and all that happens must be what it says."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ..deals import Deal
from ..rules import Rules
from ..tiles import NotationError
from .events import Event, Leave, Start
from .record import Record, encode_event
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
    expected = _expected(record)
    for place, event in enumerate(record.events):
        try:
            wanted = next(expected)
        except NotationError:
            raise
        except ValueError as error:
            return place, str(error)
        if event != wanted:
            return place, f"expected {_text(wanted)}, got {_text(event)}"
    return None


def _expected(record: Record) -> Iterator[Event]:
    """What happens when the players choose what the record says, event by event. Raises IllegalAction."""
    start = record.start
    tiles = record.tiles
    telling = Telling(record.rules, tiles, start.dealer)
    yield _expected_start(start, tiles, telling.rules)
    yield deal_event(tiles, telling.playing, telling.rules.seats)
    yield from telling.begin()
    leaver = next((event.actor for event in record.events if isinstance(event, Leave)), None)
    for _, action in record.decisions():
        yield from telling.go_on(action)
    yield from telling.end(start.scores, leaver)


def _expected_start(start: Start, tiles: Deal, rules: Rules) -> Event:
    if start.seed is not None and not tiles.is_of_seed(start.seed):
        raise ValueError(f"expected the deal of the seed {start.seed}, got another")
    for what, values in (("names", start.seats), ("scores", start.scores)):
        if len(values) != rules.seats:
            raise ValueError(f"expected {rules.seats} {what}, got {len(values)}")
    return replace(start, wall=wall_text(tiles))


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
    return is_next and not any(isinstance(event, Leave) for event in before.events)
