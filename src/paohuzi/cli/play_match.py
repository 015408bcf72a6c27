"""Matches in the terminal: one with a person at the table, or bots among themselves."""

from __future__ import annotations

import shlex
import signal
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread

from rich.console import Console
from rich.text import Text

from ..game import Game, bot_name
from ..match import Match
from ..record import Record, RecordWriter, read_records
from ..record.events import Leave
from ..results import Result
from ..words import Words
from .play_news import end_lines, totals_table
from .play_saves import save_match
from .play_seat import Person, Quit
from .play_tally import Tally
from .render import FAINT

__all__ = ["Keeper", "catch_up", "play_attended", "play_unattended", "print_tally"]


class Keeper:
    """Keeps a match: its state in one file, its records in another; either may be left out.

    names: the players by seat.
    """

    def __init__(self, path: Path | None, writer: RecordWriter | None, names: tuple[str, ...]) -> None:
        self.path = path
        self.names = names
        self._writer = writer

    def finish(self, match: Match, tally: Tally | None = None) -> None:
        """Settle a hand that is over, append its record and save; Ctrl-C comes after all of it or before."""
        with uninterrupted():
            if self._writer is None:
                match.settle()
            else:
                self._writer.write(match.finish())
            self.save(match, tally)

    def save(self, match: Match, tally: Tally | None = None) -> None:
        """Save where the match stands, if there is a file for it; Ctrl-C comes before it or after."""
        if self.path is not None:
            with uninterrupted():
                save_match(self.path, self.names, match.to_dict(), tally.to_dict() if tally else {})

    def command(self) -> str | None:
        """What goes on with a saved match."""
        return None if self.path is None else f"paohuzi play --resume {shlex.quote(str(self.path))}"


def catch_up(match: Match, records: Path, tally: Tally | None = None) -> bool:
    """Count the hand that was recorded last before a kill, when the match could not be saved any more.

    Whether there was one. Raises OSError, NotationError for a file that holds something else.
    """
    record = next(iter(deque(read_records(records), maxlen=1)), None)
    if record is None or record.start.hand != match.number or match.is_over:
        return False
    game = match.start()
    try:
        ended = _played_on(game, record)
    except ValueError:  # another hand, or another course of it
        return False
    if ended.record([bot_name(bot) for bot in match.bots], match.number) != record:
        return False
    match.game = ended
    if tally is not None:
        tally.add(ended)
    match.finish()
    return True


def _played_on(game: Game, record: Record) -> Game:
    """The game at the end that the record tells. Raises ValueError if it does not lead there."""
    game = game.copy()
    for action in record.line[len(game.line) :]:
        game.apply(action)
    last = record.events[-2]
    if isinstance(last, Leave):
        game.leave(last.actor)
    return game


def play_attended(match: Match, person: Person, keeper: Keeper) -> bool:
    """Play hands with the person until the match is over or the person has enough; save it then.

    Whether Ctrl-C ended it.
    """
    try:
        while not match.is_over or match.game is not None:
            _play_hand(match, person, keeper)
            if not match.is_over:
                person.ask_to_go_on()
        person.console.print(Text(person.say("match_over"), "bold"))
    except (Quit, KeyboardInterrupt) as ending:
        _leave_table(match, person, keeper)
        return isinstance(ending, KeyboardInterrupt)
    return False


def _play_hand(match: Match, person: Person, keeper: Keeper) -> None:
    person.begin(match.number + 1)
    game = match.start()
    while not game.is_over:
        game.step(match.bots)
    result = game.result
    assert result is not None, "the hand is over"
    keeper.finish(match)
    _show_end(match, game, result, person)


def _show_end(match: Match, game: Game, result: Result, person: Person) -> None:
    with suppress(ValueError):  # a seat that sits out has seen nothing
        person.tell_rest(game.observe(person.company.seat))
    for line in end_lines(result, person.company):
        person.console.print(line)
    person.console.print()
    person.console.print(totals_table(match, result, person.company))


def _leave_table(match: Match, person: Person, keeper: Keeper) -> None:
    keeper.save(match)
    command = keeper.command()
    text = person.say("saved", command=command) if command else person.say("not_saved")
    person.console.print()
    person.console.print(Text(text, FAINT), soft_wrap=True)  # the command in one piece, to be copied


def play_unattended(match: Match, tally: Tally, keeper: Keeper) -> bool:
    """Play all hands of a match of bots; whether Ctrl-C ended it before."""
    begun, before = time.perf_counter(), tally.seconds
    try:
        while not match.is_over or match.game is not None:
            game = match.start()
            while not game.is_over:
                game.step(match.bots)
            with uninterrupted():
                tally.add(game)
                tally.seconds = before + time.perf_counter() - begun
                keeper.finish(match, tally)
    except KeyboardInterrupt:
        keeper.save(match, tally)
        return True
    return False


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until what is in the block is done."""
    if current_thread() is not main_thread():  # no other thread is told of it
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt


def print_tally(match: Match, tally: Tally, keeper: Keeper, say: Words, console: Console) -> None:
    """The summary for people, and how a match that was ended goes on."""
    tally.print_for_people(match, keeper.names, say, console)
    command = keeper.command()
    if command and not match.is_over:
        console.print(Text(say("saved", command=command), FAINT), soft_wrap=True)
