"""Files of records: hand after hand, an event a line (docs/records.md)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from msgspec import MsgspecError

from ..tiles import NotationError
from .compression import Chunks
from .events import End, Event
from .record import EVENTS_MAX, Record, decode_event, decode_events, misplaced, record_in_order

__all__ = ["Entry", "Line", "decode_line", "read_entries", "read_lines", "read_records"]

LINE_MAX = 1 << 20  # bytes; a line of rules has a few thousand


class Entry(NamedTuple):
    """A hand of a file. number: its place among the hands, from 1; line: that of its first line, from 1."""

    number: int
    line: int
    record: Record


class Line(NamedTuple):
    """A line of a file, or several. place: from 1. stop: where it ends, in bytes of the data. is_torn:
    whether its end is missing. lines: how many."""

    place: int
    text: bytes
    stop: int
    is_torn: bool = False
    lines: int = 1


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
    number = 0
    with path.open("rb") as file:
        events: list[Event] = []
        places: list[int] = []
        for more_places, more in _placed_events(path, Chunks(path, file)):
            events += more
            places += more_places
            for size in _hand_sizes(events):
                number += 1
                yield Entry(number, places[0], _made(path, places, events[:size]))
                del events[:size], places[:size]
        if places:
            hand = f"hand {number + 1}, which is left out"
            on_torn(f"{path}, line {places[-1]}: the file breaks off in {hand}")


def _hand_sizes(events: list[Event]) -> list[int]:
    """The sizes of the hands at the beginning of the events; what goes on for too long is one too."""
    ends = [0, *(place for place, event in enumerate(events, 1) if type(event) is End)]
    sizes = [end - start for start, end in pairwise(ends)]
    return [*sizes, EVENTS_MAX] if len(events) - ends[-1] > EVENTS_MAX else sizes


def _made(path: Path, places: list[int], events: list[Event]) -> Record:
    """The record of some events. Raises NotationError naming the line of one that cannot be there."""
    wrong = misplaced(events)
    if wrong is not None:
        raise NotationError(f"{path}, line {places[wrong[0]]}: {wrong[1]}")
    return record_in_order(tuple(events))


def _placed_events(path: Path, chunks: Chunks) -> Iterator[tuple[Sequence[int], list[Event]]]:
    """The numbers of many lines with their events, none for a line at the end without its end."""
    for block in _blocks(chunks):
        events = _quickly_decoded(block)
        if events is not None:
            yield range(block.place, block.place + len(events)), events
            continue
        for line in _lines_of(block):
            yield [line.place], [] if line.is_torn else [decode_line(path, line)]


def _quickly_decoded(block: Line) -> list[Event] | None:
    """The events of a block, if each of its lines is one."""
    if block.is_torn:
        return None
    try:
        events = decode_events(block.text)
    except (MsgspecError, UnicodeError, RecursionError):
        return None
    return events if len(events) == block.lines else None


def decode_line(path: Path, line: Line) -> Event:
    """The event of a line. Raises NotationError naming file and line."""
    try:
        return decode_event(line.text)
    except NotationError as error:
        raise NotationError(f"{path}, line {line.place}: {error}") from None


def read_lines(chunks: Chunks) -> Iterator[Line]:
    """The lines of a file that are not blank. Raises NotationError for one that is too long, OSError."""
    for block in _blocks(chunks):
        yield from _lines_of(block)


def _blocks(chunks: Chunks) -> Iterator[Line]:
    """Many whole lines at a time, and at the end one that is torn. Raises NotationError, OSError."""
    place, stop = 1, 0
    rest = b""
    for chunk in chunks:
        data, newline, rest = (rest + chunk).rpartition(b"\n")
        if newline:
            data += newline
            stop += len(data)
            lines = data.count(b"\n")
            yield Line(place, data, stop, lines=lines)
            place += lines
        if len(rest) > LINE_MAX:
            raise NotationError(f"{chunks.path}, line {place}: expected at most {LINE_MAX} bytes")
    if rest.strip():
        yield Line(place, rest, stop + len(rest), is_torn=True)


def _lines_of(block: Line) -> Iterator[Line]:
    if block.is_torn:
        yield block
        return
    stop = block.stop - len(block.text)
    for place, text in enumerate(block.text.split(b"\n")[:-1], block.place):
        stop += len(text) + 1
        if text.strip():
            yield Line(place, text, stop)
