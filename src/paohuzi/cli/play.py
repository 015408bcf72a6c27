"""The command `play`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console
from rich.text import Text

from ..bots import BOT_NAMES, bot_from_name
from ..deals import random_seed
from ..game import Bot
from ..match import Match
from ..record import RecordWriter
from ..rules import Rules
from ..search import Budget
from ..tiles import NotationError
from ..words import Words
from .options import check_apart, json_option, lang_option, rules_option
from .play_match import Keeper, catch_up, play_attended, play_unattended, print_tally
from .play_saves import Saved, free_path, load_match
from .play_seat import Person
from .play_signs import Company
from .play_tally import Tally

__all__ = ["play"]

YOU, BESIDE_YOU = "you", "greedy"
SEED_MAX = (1 << 64) - 1
INTERRUPTED = 130  # exit code
SETTLED = ("rules_source", "rules", "seats", "seed", "hands")  # options that a saved match has settled


@dataclass(frozen=True, slots=True)
class Setting:
    """Who plays which match. names: by seat. saved: the match to go on with."""

    names: tuple[str, ...]
    rules: Rules
    seed: int
    hands: int | None
    saved: Saved | None = None
    records: Path | None = None
    """Where its hands have been recorded so far."""

    @property
    def seat(self) -> int | None:
        """That of the person at the terminal."""
        return self.names.index(YOU) if YOU in self.names else None

    def match(self, person: Bot | None = None) -> Match:
        """The match, with the person at its seat. Raises ValueError."""
        bots = [
            person if person and name == YOU else bot_from_name(name, (self.seed + seat) % (SEED_MAX + 1))
            for seat, name in enumerate(self.names)
        ]
        if self.saved is not None:
            return Match.from_dict(self.saved.match, bots)
        return Match(self.rules, bots, seed=self.seed, hands=self.hands)


@click.command()
@rules_option
@click.option(
    "--seats",
    metavar="WHO,WHO,WHO",
    help=f"Who plays, seat by seat: {YOU}, a bot ({', '.join(BOT_NAMES)}; the last two with a "
    "budget, as ismcts:5000 or ismcts:1000ms), or my_module:MyBot for one of "
    f"your own. By default {YOU} and as many {BESIDE_YOU} as there are seats.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, SEED_MAX),
    help="The seed of the deals; the same one makes the same hands.",
)
@click.option("--hands", type=click.IntRange(min=1), help="How many hands; without end by default.")
@click.option(
    "--record",
    "record_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Append every hand to this file, .jsonl, .jsonl.gz or .jsonl.zst.",
)
@click.option(
    "--save",
    "save_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the match in this file, to go on with another time.",
)
@click.option(
    "--resume",
    "resume_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Go on with the match of a file, in which it is kept again.",
)
@click.option(
    "--hints",
    "hints_text",
    metavar="BUDGET",
    is_flag=False,
    flag_value="300ms",
    help="Say what your choices are worth, by a search as long as this (300ms if nothing is said) or of so "
    "many rollouts.",
)
@lang_option("table")
@json_option
@click.pass_context
def play(
    ctx: click.Context,
    rules: Rules,
    seats: str | None,
    seed: int | None,
    hands: int | None,
    record_path: Path | None,
    save_path: Path | None,
    resume_path: Path | None,
    hints_text: str | None,
    lang: str,
    as_json: bool,
) -> None:
    """Play in the terminal, or let bots play among themselves.

    With a seat for you the table is drawn each time you are asked; h gives hints, ? helps, q ends. The end of
    standard input and Ctrl-C end the match too, and keep it; after Ctrl-C the exit code is 130. Without such
    a seat the hands are played at once, 1 if --hands does not tell, and a summary is printed; with --json one
    object: rules, seed, hands, seats (bot, wins, points, points_per_hand), drawn (荒庄), mean_xi and
    mean_payment (of a loser, at stake 1) over the hands won, decisions_per_hand, draws_per_hand, seconds,
    hands_per_second.

    \b
    Examples:
      paohuzi play
      paohuzi play --rules luzhou --seats greedy,you,greedy --save match.json --lang zh
      paohuzi play --resume match.json
      paohuzi play --hints 1s
      paohuzi play --seats greedy,greedy,random --hands 1000 --seed 7 --json
    """
    say = Words(lang)
    check_apart(save=save_path, record=record_path)
    check_apart(resume=resume_path, record=record_path)
    if save_path is not None:
        _check_new(save_path)
    try:
        looks_ahead = None if hints_text is None else Budget.parse(hints_text)
        if resume_path is None:
            setting = _new_setting(rules, seats, seed, hands)
        else:
            setting = _resumed(ctx, resume_path)
        with ExitStack() as stack:
            writer = stack.enter_context(RecordWriter(record_path)) if record_path else None
            if writer and writer.dropped:
                click.echo(writer.dropped, err=True)
            if resume_path is not None and record_path is not None:
                setting = replace(setting, records=record_path)
            keeper = Keeper(save_path or resume_path, writer, setting.names)
            if setting.seat is None:
                if looks_ahead is not None:
                    raise click.UsageError(
                        f"expected --hints with {YOU} at a seat, got {','.join(setting.names)}"
                    )
                _play_unattended(ctx, setting, keeper, say, as_json)
            elif as_json:
                raise click.UsageError(f"expected --json for bots among themselves only, got {YOU} at a seat")
            else:
                _play_attended(ctx, setting, keeper, say, looks_ahead)
    except ValueError as error:
        raise click.ClickException(_told(error)) from None
    except Exception as error:
        if not hasattr(error, "__notes__"):  # of no bot
            raise
        raise click.ClickException(_told(error)) from error


def _check_new(path: Path) -> None:
    """Refuse a file that is there, or cannot be, before a hand is played. Raises click.BadParameter."""
    if path.exists():
        message = f"{path} is there already; --resume goes on with a match"
    elif not path.parent.is_dir():
        message = f"{path}: no such directory: {path.parent}"
    else:
        return
    raise click.BadParameter(message, param_hint="--save")


def _told(error: Exception) -> str:
    """With the notes of the bot that raised it, if one did."""
    notes = getattr(error, "__notes__", ())
    return f"{type(error).__name__}: {error} ({', '.join(notes)})" if notes else str(error)


def _new_setting(rules: Rules, seats: str | None, seed: int | None, hands: int | None) -> Setting:
    """A match that begins. Raises click.BadParameter."""
    names = [YOU, *[BESIDE_YOU] * (rules.seats - 1)] if seats is None else _names_in(seats)
    if len(names) != rules.seats or names.count(YOU) > 1:
        raise click.BadParameter(
            f"expected {rules.seats} players, at most one of them {YOU}, got {seats}", param_hint="--seats"
        )
    if YOU not in names and hands is None:
        hands = 1
    return Setting(tuple(names), rules, random_seed() if seed is None else seed, hands)


def _names_in(seats: str) -> list[str]:
    """Names stand between commas; a comma before option=value is one of a name, as in ismcts:2s,threads=2."""
    return [name.strip() for name in re.split(r",(?!\s*\w+=)", seats)]


def _resumed(ctx: click.Context, path: Path) -> Setting:
    """The match of a file. Raises click.UsageError, NotationError naming the file."""
    given = [name for name in SETTLED if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given:
        raise click.UsageError(
            "expected --resume without --rules, --set, --seats, --seed and --hands: the saved match has them"
        )
    try:
        saved = load_match(path)
    except OSError as error:
        raise click.BadParameter(f"{path}: cannot be read: {error.strerror or error}") from None
    if saved.seats.count(YOU) > 1:
        raise NotationError(f"{path}: expected at most one seat of {YOU}, got {', '.join(saved.seats)}")
    try:
        bots = [bot_from_name(BESIDE_YOU if name == YOU else name) for name in saved.seats]
        fixed = Match.from_dict(saved.match, bots)
        Tally.from_dict(saved.tally, fixed.rules.seats)
    except ValueError as error:
        raise NotationError(f"{path}: {error}") from None
    return Setting(saved.seats, fixed.rules, fixed.seed, fixed.hands, saved)


def _play_attended(
    ctx: click.Context, setting: Setting, keeper: Keeper, say: Words, looks_ahead: Budget | None
) -> None:
    assert setting.seat is not None, "there is a person"
    console = Console(highlight=False)
    company = Company(setting.names, setting.seat, say)
    person = Person(company, console, _line_reader(console), setting.hands, looks_ahead)
    match = setting.match(person)
    if setting.records is not None and catch_up(match, setting.records):
        keeper.save(match)
    if setting.saved is not None:
        console.print(say("resumed"))
    has_named = keeper.path is not None
    if not has_named and sys.stdin.isatty():
        keeper.path = free_path(Path())
    was_interrupted = play_attended(match, person, keeper)
    if not has_named and keeper.path and match.is_over:  # nothing is left to go on with
        keeper.path.unlink(missing_ok=True)
    if was_interrupted:
        ctx.exit(INTERRUPTED)


def _line_reader(console: Console) -> Callable[[str], str]:
    """What asks the person for a line: with editing on a terminal, plainly elsewhere."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 editing and history for input()
        return input
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")

    def ask(prompt: str) -> str:
        line = sys.stdin.readline()
        console.print(Text(f"{prompt}{line.rstrip()}"))
        if not line:
            raise EOFError
        return line

    return ask


def _play_unattended(ctx: click.Context, setting: Setting, keeper: Keeper, say: Words, as_json: bool) -> None:
    match = setting.match()
    state = setting.saved.tally if setting.saved else {}
    tally = Tally.from_dict(state, match.rules.seats)
    if setting.records is not None and catch_up(match, setting.records, tally):
        keeper.save(match, tally)
    was_interrupted = play_unattended(match, tally, keeper)
    if as_json:
        click.echo(json.dumps(tally.summary(match, setting.names), ensure_ascii=False))
    else:
        print_tally(match, tally, keeper, say, Console(highlight=False))
    if was_interrupted:
        ctx.exit(INTERRUPTED)
