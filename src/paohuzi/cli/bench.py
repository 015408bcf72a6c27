"""The command `bench`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

if TYPE_CHECKING:
    from ..benchmark import Measurement

__all__ = ["bench"]

JOB_WIDTH, VALUE_WIDTH, RATIO_WIDTH = 62, 16, 10


@click.command()
@click.option("--quick", is_flag=True, help="Fewer hands and runs: some seconds in place of minutes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with the machine and all rows.")
@click.option(
    "--sets",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep the sets of hands there, and use those of an earlier run.",
)
def bench(quick: bool, as_json: bool, folder: Path | None) -> None:
    """Measure the speed on this machine, with the plain backtracker beside it.

    Figures are medians, in ns a hand unless marked otherwise, one thread unless said, on sets of a million
    distinct hands. PAOHUZI_SIMD=avx512, avx2 or portable in the environment forces the kernels.

    \b
    Examples:
      paohuzi bench
      paohuzi bench --quick
      PAOHUZI_SIMD=portable paohuzi bench --json > portable.json
    """
    from ..benchmark import FULL, QUICK, machine, measure

    about = machine()
    with _folder(folder) as sets:
        rows = measure(QUICK if quick else FULL, sets)
        if as_json:
            found = [asdict(row) | {"ratio": row.ratio} for row in rows]
            click.echo(json.dumps({"machine": about, "quick": quick, "rows": found}))
        else:
            _print(about, rows)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    """The folder for the sets: the one to keep, or one that goes away again."""
    if kept is not None:
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="paohuzi-bench-") as folder:
        yield Path(folder)


def _print(about: dict[str, str], rows: Iterator[Measurement]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(", ".join(f"{name} {value}" for name, value in about.items()), style="dim")
    console.print(_line("job", "median", "backtracker", "ratio"), style="bold")
    for row in rows:
        plain = "" if row.backtrack is None else _amount(row.backtrack, row.unit)
        ratio = "" if row.ratio is None else f"{row.ratio:,.1f}x"
        console.print(_line(row.job, _amount(row.value, row.unit), plain, ratio))


def _line(job: str, value: str, plain: str, ratio: str) -> str:
    return f"{job:{JOB_WIDTH}}{value:>{VALUE_WIDTH}}{plain:>{VALUE_WIDTH}}{ratio:>{RATIO_WIDTH}}"


def _amount(value: float, unit: str) -> str:
    """Three figures that count, and the unit."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"
