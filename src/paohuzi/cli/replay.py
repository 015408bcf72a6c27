"""The command `replay`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ..record import Entry, Record, read_entries
from ..record.checking import difference_in_sequence, first_difference
from ..record.position import position_after
from ..tiles import NotationError
from ..words import Words
from .options import lang_option
from .render import console
from .replay_text import Teller

__all__ = ["replay"]

NEXT_KEYS, BACK_KEYS = ("n", " ", "\r", "\n", "\x1b[C"), ("b", "\x1b[D", "\x7f")
NEXT_HAND_KEYS, BACK_HAND_KEYS = ("N", "\x1b[B"), ("B", "\x1b[A")
QUIT_KEYS = ("q", "Q", "\x1b", "\x03", "\x04")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--seat", type=click.IntRange(0, 3), metavar="N", help="Show what that seat saw.")
@click.option("--hand", type=click.IntRange(min=1), metavar="N", help="Begin with the hand of this number.")
@click.option("--check", is_flag=True, help="Play every hand once more and tell what cannot be.")
@lang_option("answer")
@click.pass_context
def replay(
    ctx: click.Context, file: Path, seat: int | None, hand: int | None, check: bool, lang: str
) -> None:
    """Step through the recorded hands of FILE, a .jsonl, also .gz or .zst.

    On a terminal a key goes to the next step or back, by hands with N and B; elsewhere everything is printed.
    With --check each hand is played once more by its rules: every event, score and sum must be what comes of
    the players' choices. The exit code is 1 if one is not, if the file breaks off within a hand, or if there
    are no hands in it.

    \b
    Examples:
      paohuzi replay hands.jsonl
      paohuzi replay --seat 1 --hand 3 hands.jsonl.gz
      paohuzi replay --check hands.jsonl
    """
    say = Words(lang)
    try:
        if check:
            if seat is not None or hand is not None:
                raise click.UsageError(
                    "expected --check without --seat and --hand: it is for all of the file"
                )
            ctx.exit(_check(file, say))
        entries = _wanted(file, 1 if hand is None else hand, seat, say)
        if sys.stdin.isatty() and sys.stdout.isatty():
            _Stepper(file, [*entries], say).run()
        else:
            _print_all(file, entries, say)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _check(path: Path, say: Words) -> int:
    """Print what cannot be; 1 if anything."""
    hands = bad = 0
    torn: list[str] = []
    before: Record | None = None
    for entry in read_entries(path, torn.append):
        hands += 1
        found = _difference(before, entry.record)
        if found is not None:
            bad += 1
            place, why = found
            click.echo(f"{path}, hand {entry.number}, line {entry.line + place}: {why}")
        before = entry.record
    for message in torn:
        click.echo(message, err=True)
    if not hands:
        raise NotationError(say("replay_empty", path=path))
    click.echo(say("replay_checked", hands=hands, bad=bad))
    return 1 if bad or torn else 0


def _difference(before: Record | None, record: Record) -> tuple[int, str] | None:
    try:
        return first_difference(record) or difference_in_sequence(before, record)
    except NotationError as error:
        return 0, str(error)


def _wanted(path: Path, first: int, seat: int | None, say: Words) -> Iterator[Entry]:
    """The hands from that of a number on, as a seat saw them. Raises ValueError where there is none."""
    count = 0
    for entry in read_entries(path, lambda message: click.echo(message, err=True)):
        count = entry.number
        if count >= first:
            with _naming(path, entry):
                record = _seen(entry.record, seat)
            yield entry._replace(record=record)
    if not count:
        raise NotationError(say("replay_empty", path=path))
    if count < first:
        raise ValueError(f"{path}: expected a hand from 1 to {count}, got {first}")


@contextmanager
def _naming(path: Path, entry: Entry) -> Iterator[None]:
    """Tell what cannot be in a record with its place. Raises NotationError."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"{path}, hand {entry.number}: {error}") from None


def _seen(record: Record, seat: int | None) -> Record:
    """The record as asked for. Raises ValueError."""
    if seat is not None and seat >= len(record.start.seats):
        raise ValueError(f"expected a seat from 0 to {len(record.start.seats) - 1}, got {seat}")
    if seat is None or record.start.view == seat or seat not in record.playing:
        return record
    return record.seen_by(seat)


def _print_all(path: Path, entries: Iterator[Entry], say: Words) -> None:
    for entry in entries:
        with _naming(path, entry):
            _print_hand(entry.record, say)


def _print_hand(record: Record, say: Words) -> None:
    teller = Teller(record, say)
    console().print(teller.title())
    for line in teller.position(position_after(record, 2)):
        console().print(line)
    for place, event in enumerate(record.events):
        told = teller.event(event)
        if told is not None:
            console().print(f"{place:>4} ", told, sep="")
    console().print()


class _Stepper:
    """The records on a terminal, a screen an event."""

    def __init__(self, path: Path, entries: list[Entry], say: Words) -> None:
        self._path = path
        self._entries = entries
        self._records = [entry.record for entry in entries]
        self._say = say
        self._hand = 0
        self._place = 1

    def run(self) -> None:
        """Until the user has enough."""
        while True:
            with _naming(self._path, self._entries[self._hand]):
                self._show()
            key = click.getchar()
            if key in QUIT_KEYS:
                break
            self._move(key)

    def _move(self, key: str) -> None:
        last = len(self._records[self._hand].events) - 1
        if key in NEXT_HAND_KEYS or (key in NEXT_KEYS and self._place == last):
            self._go_to(self._hand + 1, 1)
        elif key in NEXT_KEYS:
            self._place += 1
        elif key in BACK_HAND_KEYS:
            self._go_to(self._hand - 1, 1)
        elif key in BACK_KEYS and self._place > 1:
            self._place -= 1
        elif key in BACK_KEYS and self._hand:
            self._go_to(self._hand - 1, len(self._records[self._hand - 1].events) - 1)

    def _go_to(self, hand: int, place: int) -> None:
        if 0 <= hand < len(self._records):
            self._hand, self._place = hand, place

    def _show(self) -> None:
        record = self._records[self._hand]
        teller = Teller(record, self._say)
        console().clear()
        console().print(teller.title())
        for line in teller.position(position_after(record, self._place + 1)):
            console().print(line)
        console().print()
        console().print(f"{self._place:>4} ", teller.event(record.events[self._place]) or "", sep="")
        console().print(f"\n{self._say('replay_keys')}")
