"""The command `analyse`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NoReturn

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..rules import Fan, Rules, Together
from .options import are_rules_given, fail, rules_option, source_option
from .render import console

if TYPE_CHECKING:
    from ..analysis import Job, Progress, Summary

__all__ = ["analyse"]

ALL_GOOD, BAD_ROWS, FAILED, INTERRUPTED = 0, 1, 2, 130  # exit codes
COLUMNS = ("hu", "xi", "division", "waits", "ready_discards", "error")
SCORE_COLUMNS = ("payment", "base", "fan", "fans", "score_xi")
BAR_WIDTH = 40  # characters of the longest bar of the histogram
LINES_MAX = 16  # lines of the histogram that show one xi each


def _read_columns(ctx: click.Context, _param: click.Parameter, text: str | None) -> tuple[str, ...]:
    """The columns asked for; without a list those of the score come with --rules."""
    if text is None:
        return COLUMNS + SCORE_COLUMNS if are_rules_given(ctx) else COLUMNS
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    known = COLUMNS + SCORE_COLUMNS
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise click.BadParameter(f"expected names of {', '.join(known)}, got {', '.join(unknown) or 'none'}")
    return names


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), metavar="OUT", help="The file to write."
)
@click.option(
    "--columns",
    show_default=f"{','.join(COLUMNS)}, with --rules also {','.join(SCORE_COLUMNS)}",
    callback=_read_columns,
    help="The columns to add, separated by commas.",
)
@click.option("--score", "with_score", is_flag=True, help=f"Add {', '.join(SCORE_COLUMNS)} too.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="all cores",
    help="Threads that solve.",
)
@click.option("--resume", is_flag=True, help="Go on with an unfinished run of the same command.")
@source_option
@rules_option
def analyse(
    files: tuple[Path, ...],
    out: Path,
    columns: tuple[str, ...],
    with_score: bool,
    threads: int,
    resume: bool,
    source: str,
    rules: Rules,
) -> None:
    """Solve the hands of files and write them with the answers to OUT.

    The extension says the format: .parquet, .arrow or .feather, .csv, .ndjson or .jsonl; .npy can be read.
    The columns of the files are kept (those of CSV as text). The hands are in one of

    \b
      query    text, whole queries as on the command line
      hand     text; or packed, uint64; or 20 or 21 counts (binary or list)
      1s … 0b  20 columns of counts, and W
    with, beside hand or counts, also
      exposed  text as "peng:333b; ti:0000b", or 7 group codes
      win      winning tile: text as 7s, or its face; empty for none
      source   of the winning tile: self, other or discard (1, 2, 3)
      wang     wangs (王) beside those of the hand
    and, where scores are asked, the context of the win as true or false, 1 or 0: last_tile, shown_tile,
    dealer, untouched, first_discard, heaven.

    An .npy file is uint64 (N,) of packed hands, or uint8 (N, 20) or (N, 21) of counts.

    \b
    Columns that are added; a cell that does not apply is null:
      hu              bool    the hand wins
      xi              int16   its best xi; null where no division exists
      division        text    the groups of the best division
      waits           text    "7s:22 9s:21", the faces that win with their xi,
                              of hands one tile short
      ready_discards  text    "1s 9b", the discards after which the hand waits,
                              of whole hands without winning tile
      error           text    what is wrong with the row; null if nothing
    and, with --rules or --score, what the hand pays under the rules; null where it does not win:
      payment         int32   what each loser pays at stake 1, base x fan
      base            int16   tun, with what an own draw adds
      fan             int32   the total that multiplies
      fans            text    the ids of the fan, "hong+duidui"; empty for none
      score_xi        int16   xi of the division that pays most

    OUT appears when it is complete. What a broken run had finished stays beside it in .OUT.partial for
    --resume; without that the next run begins anew. Exit code: 0, or 1 if there were bad rows, 2 if the run
    failed, 130 after Ctrl-C.

    \b
    Examples:
      paohuzi analyse hands.csv -o solved.parquet
      paohuzi analyse deals.npy -o solved.parquet --columns hu,xi --threads 2
      paohuzi analyse hands.parquet -o scored.parquet --rules qq-full
      paohuzi analyse january.parquet february.parquet -o year.parquet --resume
    """
    try:
        from ..analysis import AnalysisError, Job, work_folder
        from ..analysis import analyse as run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise
        _fail('reading and writing files needs pyarrow: pip install "paohuzi[files]"')
    if work_folder(out).is_dir() and not resume:
        click.echo("An unfinished run is there; it is begun anew (--resume would go on with it).", err=True)
    columns += tuple(name for name in SCORE_COLUMNS if with_score and name not in columns)
    job = Job(files, out, columns, rules, source, threads, resume)
    try:
        with _progress_bar() as progress:
            summary = run(job, progress)
    except AnalysisError as error:
        _fail(f"{error}{_kept(error.kept)}")
    except KeyboardInterrupt:
        folder = work_folder(out)
        click.echo(f"Interrupted.{_kept(folder if folder.is_dir() else None)}", err=True)
        sys.exit(INTERRUPTED)
    _print_summary(summary, job)
    sys.exit(BAD_ROWS if summary.tally.errors else ALL_GOOD)


def _fail(message: str) -> NoReturn:
    fail(message)
    sys.exit(FAILED)


def _kept(folder: Path | None) -> str:
    """What to say about the finished part of a broken run."""
    return f" The finished part is kept in {folder}: go on with --resume." if folder else ""


@contextmanager
def _progress_bar() -> Iterator[Progress | None]:
    """A bar with the rate and the time left on a terminal, nothing elsewhere."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    if not sys.stderr.isatty():
        yield None
        return
    began = monotonic()
    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rows]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=1.0, rows="")

        def show(done: float, rows: int) -> None:
            rate = rows / max(monotonic() - began, 1e-9)
            bar.update(task, completed=done, rows=f"{rows:,} rows, {rate:,.0f} a second")

        yield show


def _print_summary(summary: Summary, job: Job) -> None:
    tally = summary.tally
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    share = tally.wins / tally.rows if tally.rows else 0.0
    table.add_row("rows", f"{tally.rows:,}")
    if summary.resumed:
        table.add_row("of an earlier run", f"{summary.resumed:,}")
    table.add_row("wins 胡", f"{tally.wins:,} ({share:.1%})")
    if tally.paid:
        table.add_row("mean payment", f"{tally.payments / tally.paid:,.2f}")
    table.add_row("bad rows", f"{tally.errors:,}")
    table.add_row("seconds", f"{summary.seconds:.2f}")
    table.add_row("rows a second", f"{summary.rate:,.0f}")
    console().print(Text(str(job.out), "bold"), table, sep="\n")
    _print_histogram(tally.xi)
    if tally.paid:
        _print_fans(tally.fans, tally.paid, job.rules)


def _print_histogram(counts: Mapping[int, int]) -> None:
    """How many rows have a division of each xi, or of each three where that would be long."""
    step = 3 if len(counts) > LINES_MAX else 1
    bars = Counter({xi // step * step: 0 for xi in counts})
    for xi, count in counts.items():
        bars[xi // step * step] += count
    most = max(bars.values(), default=0)
    table = Table.grid(padding=(0, 2))
    table.add_row("xi 胡息", "rows" if bars else "no division", "")
    for xi, count in sorted(bars.items()):
        name = f"{xi}" if step == 1 else f"{xi}-{xi + step - 1}"
        table.add_row(f"{name:>7}", f"{count:>12,}", "█" * max(1, round(count / most * BAR_WIDTH)))
    console().print(table)


def _print_fans(counts: Mapping[str, int], wins: int, rules: Rules) -> None:
    """How many of the wins have each fan."""
    table = Table.grid(padding=(0, 2))
    table.add_row("fan 番", f"{'wins':>12}")
    parts: tuple[Fan | Together, ...] = (*rules.fans, *rules.together)
    for fan_id, chinese in [*((part.id, part.chinese) for part in parts), ("", "平胡")]:
        if count := counts.get(fan_id):
            table.add_row(f"{chinese} {fan_id}".strip(), f"{count:>12,}", f"{count / wins:>6.1%}")
    console().print(table)
