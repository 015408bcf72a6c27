"""The record of a hand as one seat saw it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from .. import _engine
from ..tiles import TILE_TEXTS
from .events import UNKNOWN, DealEvent, Draw, Event, Pass, Start, Wei
from .record import Record

__all__ = ["events_seen", "seen_event"]

HAND_SIZE = 20


def events_seen(record: Record, seat: int) -> Iterator[Event]:
    """The events of a full record as a seat that plays saw them. Raises ValueError, NotationError."""
    playing = record.playing
    if seat not in playing:
        seats = ", ".join(map(str, sorted(playing)))
        raise ValueError(f"expected a seat that plays ({seats}), got {seat!r}")
    view = _first_view(record, playing.index(seat))
    start = record.start
    yield msgspec.structs.replace(start, view=seat, seed=None, wall=_wall(start, view))
    yield _seen_deal(record.deal, seat, view)
    for event in record.events[2:]:
        yield from seen_event(event, seat)


def _first_view(record: Record, place: int) -> _engine.View:
    """What the seat knows before anything is asked: some tiles of the wall, or not the shown tile."""
    table = _engine.Table(record.rules.native)
    table.deal(*record.tiles.native)
    return table.observe(place)


def seen_event(event: Event, seat: int) -> Iterator[Event]:
    """An event of play as the seat saw it, or nothing."""
    if isinstance(event, Pass):  # that others were asked tells what they hold
        yield from (event,) if event.actor == seat else ()
    elif isinstance(event, Draw) and event.hidden and event.actor != seat:
        yield msgspec.structs.replace(event, tile=UNKNOWN)
    elif type(event) is Wei and event.actor != seat:
        yield msgspec.structs.replace(event, tile=UNKNOWN, consumed=(UNKNOWN,) * len(event.consumed))
    else:
        yield event


def _wall(start: Start, view: _engine.View) -> str:
    known = [UNKNOWN if face is None else TILE_TEXTS[face] for face in view.wall]
    drawn = len(start.wall.split()) - len(known)  # before anything was asked: the events tell them
    return " ".join([UNKNOWN] * drawn + known)


def _seen_deal(event: DealEvent, seat: int, view: _engine.View) -> DealEvent:
    hands = tuple(
        hand if owner == seat or not hand else UNKNOWN * HAND_SIZE for owner, hand in enumerate(event.hands)
    )
    return DealEvent(hands, UNKNOWN if view.shown is None else event.shown)
