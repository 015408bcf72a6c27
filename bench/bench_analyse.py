"""How many rows a second does `paohuzi analyse` manage from Parquet to Parquet, and in what memory?"""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi.batch import Queries
from paohuzi.benchmark import Sets
from paohuzi.benchmark.processes import mixed_states, run_analyse, write_states

ROWS = 10  # times the hands of a set
KINDS = {
    "random deals, hu and xi": (lambda sets: Queries(sets.hands("random deals")), ("--columns", "hu,xi")),
    "mid-game rows, every column": (lambda sets: mixed_states(sets.states()), ()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_analyse(
    benchmark: BenchmarkFixture, sets: Sets, tmp_path: Path, note: Callable[[str], None], kind: str
) -> None:
    make, options = KINDS[kind]
    file = tmp_path / "hands.parquet"
    rows = write_states(file, make(sets), ROWS * sets.size)
    run = benchmark.pedantic(run_analyse, (file, tmp_path / "out.parquet", *options))
    note(f"{kind}: {rows / run.seconds / 1e6:.2f} M rows/s, {run.peak / 1e6:.0f} MB at most")
