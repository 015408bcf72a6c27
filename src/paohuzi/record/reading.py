"""Files of records: hand after hand, an event a line (docs/records.md)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..tiles import NotationError
from .compression import Chunks
from .events import DealEvent, End, Event, Start
from .record import EVENTS_MAX, Record, decode_event

__all__ = ["Entry", "Line", "decode_line", "read_entries", "read_lines", "read_records"]

LINE_MAX = 1 << 20  # bytes; a line of rules has a few thousand


class Entry(NamedTuple):
    """A hand of a file. number: its place among the hands, from 1; line: that of its first line, from 1."""

    number: int
    line: int
    record: Record


class Line(NamedTuple):
    """A line of a file that is not empty. place: from 1. stop: where it ends, in bytes of the data. is_torn:
    whether its end is missing."""

    place: int
    text: bytes
    stop: int
    is_torn: bool = False


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """The records of a file, .jsonl, also .gz or .zst; what a kill has torn off at its end is left out.

    Raises NotationError naming file and line, OSError, CompressionError. See docs/records.md.
    """
    return (entry.record for entry in read_entries(path))


def read_entries(
    path: str | os.PathLike[str], on_torn: Callable[[str], object] = lambda message: None
) -> Iterator[Entry]:
    """The hands of a file with their places. on_torn: told what is left out at the end, if anything is.

    Raises NotationError naming file and line, OSError, CompressionError. See docs/records.md.
    """
    path = Path(path)
    with path.open("rb") as file:
        for number, (last, events) in enumerate(_hands(path, Chunks(path, file)), 1):
            if events is None:
                on_torn(f"{path}, line {last.place}: the file breaks off in hand {number}, which is left out")
                return
            yield Entry(number, last.place - len(events) + 1, _made(path, last, events))


def _made(path: Path, last: Line, events: list[Event]) -> Record:
    try:
        return Record(tuple(events))
    except NotationError as error:
        raise NotationError(f"{path}, hand that ends in line {last.place}: {error}") from None


def _hands(path: Path, chunks: Chunks) -> Iterator[tuple[Line, list[Event] | None]]:
    """The events of each hand, with its last line; at the end None in their place for one that breaks off."""
    events: list[Event] = []
    line = Line(0, b"", 0)
    for line in read_lines(chunks):
        if line.is_torn:
            yield line, None
            return
        event = decode_line(path, line)
        _check_place(path, line, event, len(events))
        events.append(event)
        if isinstance(event, End):
            yield line, events
            events = []
    if events:
        yield line, None


def decode_line(path: Path, line: Line) -> Event:
    """The event of a line. Raises NotationError naming file and line."""
    try:
        return decode_event(line.text)
    except NotationError as error:
        raise NotationError(f"{path}, line {line.place}: {error}") from None


def _check_place(path: Path, line: Line, event: Event, place: int) -> None:
    """Raise NotationError for an event that cannot have this place in a hand."""
    if (place == 0) != isinstance(event, Start) or (place == 1) != isinstance(event, DealEvent):
        wanted = ("start", "deal")[place] if place < 2 else "an event of play or end"
        name = type(event).__struct_config__.tag
        raise NotationError(f"{path}, line {line.place}: expected {wanted}, got {name}")
    if place >= EVENTS_MAX:
        raise NotationError(f"{path}, line {line.place}: expected at most {EVENTS_MAX} events in a hand")


def read_lines(chunks: Chunks) -> Iterator[Line]:
    """The lines of a file. Raises NotationError for one that is too long, OSError."""
    place, stop = 1, 0
    rest = b""
    for chunk in chunks:
        *texts, rest = (rest + chunk).split(b"\n")
        for text in texts:
            stop += len(text) + 1
            if text.strip():
                yield Line(place, text, stop)
            place += 1
        if len(rest) > LINE_MAX:
            raise NotationError(f"{chunks.path}, line {place}: expected at most {LINE_MAX} bytes")
    if rest.strip():
        yield Line(place, rest, stop + len(rest), is_torn=True)
