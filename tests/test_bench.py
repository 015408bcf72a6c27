"""`paohuzi bench` measures every job; how fast they are is never asserted."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from paohuzi import _native, batch, samples
from paohuzi.benchmark import Measurement, Plan, Sets, machine, measure, paced_ns
from paohuzi.benchmark.processes import mixed_states
from paohuzi.benchmark.sets import unfinished
from paohuzi.cli import main
from paohuzi.columns import unpack

TINY = Plan(hands=200, repeats=1, seconds=0.001, calls=10, rows=600)
COMPARE = Path(__file__).parent.parent / "bench" / "compare.py"


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Measurement]:
    return list(measure(TINY, tmp_path_factory.mktemp("sets")))


def test_every_job_of_the_speed_table_is_there(rows: list[Measurement]) -> None:
    jobs = [row.job for row in rows]
    assert len(set(jobs)) == len(jobs)
    for wanted in (
        *(f"batch.max_xi, {form}, {name}" for form in ("uint8 rows", "packed") for name in ("random deals",)),
        "batch.max_xi, uint8 rows, winning hands",
        "batch.max_xi, uint8 rows, near misses, portable",
        "one native query, no batch",
        *(f"batch.max_xi, {wang} wang, winning hands" for wang in range(1, 5)),
        *(f"batch.wait_xi, {wang} wang" for wang in range(5)),
        "batch.solve, mid-game with winning tile",
        *(f"batch.distance, mid-game, {wang} wang" for wang in (0, 2)),
        *(
            f"batch.score, {preset}, packed, random deals"
            for preset in ("qq-basic", "qq-full", "quan-mingtang")
        ),
        "batch.score / max_xi, qq-full, uint8 rows, near misses",
        *(f"batch.score, yongzhou, {wang} wang, winning hands" for wang in (1, 2)),
        "batch.score, yongzhou-4, 4 wang, winning hands",
        "Python: score(Query), qq-full, mid-game",
        "batch.max_xi, two threads against one",
        *(f"Python: {call}" for call in ("max_xi(packed int)", "solve(Query)", "solve(text)")),
        "numba: nb.max_xi(packed)",
        *(f"backtracker, best xi, {name}" for name in ("winning hands", "2 wang", "4 wang")),
        *(f"divisions, all of a hand, {name}" for name in ("winning hands", "2 wang", "4 wang")),
        "analyse, random deals, hu and xi",
        "analyse, mid-game, every column",
        "analyse, mid-game, every column and score",
        "import paohuzi, beyond numpy",
        "first query, with wang",
        "tables in memory, with those for wang",
    ):
        assert wanted in jobs


def test_figures_are_positive_and_the_backtracker_is_beside_the_tables(rows: list[Measurement]) -> None:
    assert all(row.value > 0 for row in rows)
    assert all(row.ratio is not None for row in rows if row.job.startswith("batch.wait_xi"))


def test_the_command_prints_a_line_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = [Measurement("a job", 2.5, backtrack=500.0), Measurement("another", 4_321.0, "M rows/s")]
    monkeypatch.setattr("paohuzi.benchmark.measure", lambda plan, folder: iter(some))
    lines = CliRunner().invoke(main, ["bench", "--quick"]).stdout.splitlines()
    assert machine()["processor"] in lines[0]
    assert lines[2].split() == ["a", "job", "2.50", "ns", "500", "ns", "200.0x"]
    assert lines[3].split() == ["another", "4,321", "M", "rows/s"]


def test_json_has_the_machine_and_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [Measurement("a job", 2.5, backtrack=500.0)]
    monkeypatch.setattr("paohuzi.benchmark.measure", lambda plan, folder: iter(some))
    found = json.loads(CliRunner().invoke(main, ["bench", "--json"]).stdout)
    assert found["machine"]["level"] in ("avx512", "avx2", "portable")
    assert found["rows"] == [{"job": "a job", "value": 2.5, "unit": "ns", "backtrack": 500.0, "ratio": 200.0}]


def test_sets_are_made_once(tmp_path: Path) -> None:
    sets = Sets(tmp_path, 50)
    first = sets.hands("2 wang")
    written = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert (sets.hands("2 wang") == first).all()
    assert len(sets.states(20)) == 20
    assert {path: path.stat().st_mtime_ns for path in written} == written


def test_mixed_states_are_of_three_kinds(tmp_path: Path) -> None:
    states = mixed_states(Sets(tmp_path, 300).states())
    assert not batch.solve(states).status.any()
    missing = batch.missing_tiles(states)
    assert (states.win[::3] >= 0).all()
    assert (states.win[1::3] < 0).all()
    assert (missing[1::3] == 1).all()
    assert (missing[2::3] == 0).mean() > 0.8


def test_unfinished_states_have_wangs_in_place_of_tiles(tmp_path: Path) -> None:
    states = Sets(tmp_path, 60).states()
    hands = unfinished(states, 2)
    assert (hands.win < 0).all()
    assert (hands.exposed == states.exposed).all()
    counts, before = unpack(hands.hand), unpack(states.hand)
    assert (counts.sum(1) == before.sum(1)).all()
    assert (counts[:, 20] == np.minimum(before.sum(1), 2)).all()


def test_a_paced_run_stops_when_time_is_up() -> None:
    sizes: list[int] = []
    paced_ns(sizes.append, 10**9, 1e-9)
    assert sizes == [64]
    paced_ns(sizes.append, 100, 60.0)
    assert sizes == [64, 64, 100]


def test_compare_puts_two_results_side_by_side(tmp_path: Path) -> None:
    for name, ns in (("before", 10.0), ("after", 5.0)):
        found = {"rows": [{"job": "a job", "value": ns, "unit": "ns"}]}
        (tmp_path / f"{name}.json").write_text(json.dumps(found))
    command = [sys.executable, str(COMPARE), str(tmp_path / "before.json"), str(tmp_path / "after.json")]
    assert "2.00x as good" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_textbook_search_finds_what_the_tables_hold() -> None:
    hands = np.concatenate(
        [samples.winning_hands(2_000), samples.near_misses(2_000), samples.random_deals(2_000)]
    )
    xi = np.empty(len(hands), np.int8)
    _native.plain_search_each(hands, xi)
    assert np.array_equal(xi, batch.max_xi(hands))
