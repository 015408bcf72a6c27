"""The command `arena`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from ..rules import Rules
from ..words import Words
from .options import check_apart, fail, json_option, lang_option, rules_option

if TYPE_CHECKING:
    from ..arena import Outcome, Sprt
    from ..arena.run import Progress

__all__ = ["arena"]

SEED_MAX, HANDS_MAX = (1 << 64) - 1, 10**9
FAILED, INTERRUPTED = 2, 130  # exit codes
SPRT = "0,0.2"
_BOUNDS = re.compile(r"[-+.]*\d.*|[^:=]*,[^:=]*")  # also of what are no numbers, but of no bot or option


class ArenaCommand(click.Command):
    """Reads --sprt with or without bounds, which may begin with a minus sign."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        made: list[str] = []
        left = iter(args)
        for word in left:
            if word == "--sprt":
                following = next(left, None)
                is_bounds = following is not None and _BOUNDS.fullmatch(following)
                made.append(f"--sprt={following if is_bounds else SPRT}")
                made.extend([] if following is None or is_bounds else [following])
            else:
                made.append(word)
        return super().parse_args(ctx, made)


def _read_sprt(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Sprt | None:
    from ..arena import Sprt

    try:
        return None if text is None else Sprt.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command(cls=ArenaCommand)
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT]")
@rules_option
@click.option(
    "--hands",
    type=click.IntRange(1, HANDS_MAX),
    metavar="N",
    help="How many hands, rounded up to whole walls; 600 by default, at most 60,000 with --sprt.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, SEED_MAX),
    help="The seed of walls and bots; the same one, the same result.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes. The result does not depend on them.",
)
@click.option(
    "--sprt",
    callback=_read_sprt,
    metavar="[LOW,HIGH]",
    help="End when it is decided whether the first bot has HIGH points a hand more than the others, or LOW; "
    f"{SPRT} if not told.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the results in this file: JSON Lines, one line a wall.",
)
@click.option("--resume", is_flag=True, help="Go on with the file of --out.")
@click.option(
    "--plot",
    "plot_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the points as they settle: .png, .svg or .pdf. Needs matplotlib.",
)
@lang_option("answer")
@json_option
@click.pass_context
def arena(
    ctx: click.Context,
    bots: tuple[str, ...],
    rules: Rules,
    hands: int | None,
    seed: int | None,
    jobs: int,
    sprt: Sprt | None,
    out: Path | None,
    resume: bool,
    plot_path: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    """Measure bots against each other on duplicate deals.

    Every wall is played in each order of the seats: of two bots A and B the six of A A B and A B B, of three
    all orders that differ. A bot named twice beside another is one bot at two seats; a bot against itself is
    A and A#2. Told are each bot's points a hand (at stake 1) with the 95 % interval, its wins, how often it
    dealt in (放炮) where discards win, and the time of a decision.

    With --json one object: bots (name, points, low, high, wins, ms_per_decision, hands, win_rate,
    deal_in_rate, decisions), hands, sets (walls), drawn (荒庄), rules, seed, sprt (low, high, difference,
    llr, bound, decided: "high", "low" or null), interrupted, seconds. Ctrl-C ends it with what was played,
    and exit code 130.

    \b
    Examples:
      paohuzi arena greedy random --rules qq-half --hands 600
      paohuzi arena my_bot:MyBot greedy greedy --jobs 2 --out results.jsonl
      paohuzi arena my_bot:MyBot greedy --sprt 0,0.5 --json
    """
    from ..arena import play_arena

    if resume and out is None:
        raise click.UsageError("expected --out FILE with --resume, to know what to go on with")
    check_apart(out=out, plot=plot_path)
    say = Words(lang)
    try:
        if plot_path is not None:
            _check_plot(plot_path)
        with _progress_bar() as progress:
            outcome = play_arena(
                bots,
                rules,
                hands=hands,
                seed=seed,
                jobs=jobs,
                sprt=sprt,
                out=out,
                resume=resume,
                progress=progress,
            )
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    _tell(outcome, say, out, as_json)
    if plot_path is not None:
        _plot(outcome, plot_path, say)
    if outcome.was_interrupted:
        ctx.exit(INTERRUPTED)


def _check_plot(path: Path) -> None:
    """End with a message where no picture can be made."""
    from ..arena.plot import check_plot

    try:
        check_plot(path)
    except ImportError:
        fail("a plot needs matplotlib: pip install 'paohuzi[plot]'")
        sys.exit(FAILED)


def _plot(outcome: Outcome, path: Path, say: Words) -> None:
    from ..arena.plot import plot

    plot(outcome, path)
    click.echo(say("arena_plotted", file=path), err=True)


def _tell(outcome: Outcome, say: Words, out: Path | None, as_json: bool) -> None:
    """The answer to standard output, all else to standard error."""
    from .arena_table import print_outcome

    if outcome.dropped:
        click.echo(say("arena_dropped", file=out, bytes=outcome.dropped), err=True)
    if as_json:
        click.echo(json.dumps(outcome.summary(), ensure_ascii=False))
    else:
        print_outcome(outcome, say, Console(highlight=False))
    if outcome.was_interrupted:
        click.echo(say("arena_interrupted"), err=True)
        if out is not None:
            click.echo(say("arena_kept", file=out, option="--resume"), err=True)


@contextmanager
def _progress_bar() -> Iterator[Progress | None]:
    """A bar with the hands played and the time left on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0, told="")

        def show(outcome: Outcome, sets: int) -> None:
            if len(outcome.sets) % max(1, sets // 1000) == 0:
                told = f"{outcome.hands:,} / {sets * len(outcome.contest.seatings):,}"
                bar.update(task, completed=len(outcome.sets) / sets, told=told)

        yield show
