"""`paohuzi deal`: the same hands in every format, and what it writes `paohuzi analyse` reads."""

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from paohuzi import batch, load_rules, samples
from paohuzi.batch import Queries
from paohuzi.cli import main
from paohuzi.query_texts import query_texts
from paohuzi.rules import RulesLike

TABLES = [".csv", ".ndjson", ".jsonl", ".parquet", ".arrow", ".feather"]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def deal(out: Path, *options: object, hands: int = 300, seed: int = 7) -> Result:
    result = run("deal", "--hands", hands, "--seed", seed, "-o", out, *options)
    assert result.exit_code == 0, result.output
    return result


def analysed_xi(file: Path) -> list[int | None]:
    """The xi that analyse finds for the rows of a file."""
    out = file.with_name("out.parquet")
    result = run("analyse", file, "-o", out)
    assert result.exit_code == 0, result.output
    xi: list[int | None] = pq.read_table(out).column("xi").to_pylist()
    return xi


def expected_xi(queries: Queries) -> list[int | None]:
    return [int(xi) if xi >= 0 else None for xi in batch.solve(queries).xi]


@pytest.mark.parametrize("packed", [[], ["--packed"]])
@pytest.mark.parametrize("suffix", TABLES)
def test_analyse_reads_the_states_in_every_format(tmp_path: Path, suffix: str, packed: list[str]) -> None:
    file = tmp_path / f"states{suffix}"
    deal(file, "--exposed", "--wang", 4, *packed)
    assert analysed_xi(file) == expected_xi(samples.played_states(300, rules="yongzhou-4", seed=7))


@pytest.mark.parametrize("packed", [[], ["--packed"]])
@pytest.mark.parametrize("suffix", [*TABLES, ".npy"])
def test_analyse_reads_the_deals_in_every_format(tmp_path: Path, suffix: str, packed: list[str]) -> None:
    file = tmp_path / f"deals{suffix}"
    deal(file, *packed)
    assert analysed_xi(file) == expected_xi(Queries(samples.random_deals(300, seed=7)))


def test_a_text_file_has_a_query_a_line(tmp_path: Path) -> None:
    deal(tmp_path / "states.txt", "--exposed")
    lines = (tmp_path / "states.txt").read_text("utf-8").splitlines()
    assert lines == query_texts(samples.played_states(300, seed=7))


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (["--rules", "luzhou"], "luzhou"),
        (["--rules", "yongzhou"], "yongzhou"),
        (["--wang", 2], "yongzhou"),
        (["--rules", "luzhou", "--wang", 4], "yongzhou-4"),
        (["--rules", "yongzhou", "--wang", 0], "qq-basic"),
        (["--wang", 3], replace(load_rules("yongzhou-4"), wang=3)),
    ],
)
def test_states_are_of_games_by_the_rules_or_by_a_preset_with_those_wangs(
    tmp_path: Path, options: list[object], rules: RulesLike
) -> None:
    deal(tmp_path / "states.txt", "--exposed", *options)
    lines = (tmp_path / "states.txt").read_text("utf-8").splitlines()
    assert lines == query_texts(samples.played_states(300, rules=rules, seed=7))


def test_an_npy_file_has_packed_hands(tmp_path: Path) -> None:
    deal(tmp_path / "deals.npy", "--wang", 2)
    assert np.array_equal(np.load(tmp_path / "deals.npy"), samples.random_deals(300, wang=2, seed=7))


def test_packed_columns_have_the_types_that_are_read_fastest(tmp_path: Path) -> None:
    deal(tmp_path / "states.parquet", "--exposed", "--packed")
    deal(tmp_path / "deals.parquet", "--packed")
    wanted = [("hand", pa.uint64()), ("exposed", pa.binary(7)), ("win", pa.int8()), ("source", pa.uint8())]
    assert pq.read_schema(tmp_path / "states.parquet").equals(pa.schema(wanted))
    assert pq.read_schema(tmp_path / "deals.parquet").names == ["hand"]


def test_a_dash_prints_queries_that_solve_reads() -> None:
    dealt = run("deal", "--hands", 4, "--exposed", "--seed", 1, "-o", "-")
    assert dealt.stdout.splitlines() == query_texts(samples.played_states(4, seed=1))
    solved = CliRunner().invoke(main, ["solve", "--json", "-"], input=dealt.stdout)
    assert solved.stdout.count('"error": null') == 4


@pytest.mark.parametrize("suffix", [".txt", ".npy", ".parquet", ".csv"])
def test_a_larger_file_of_a_seed_begins_with_the_smaller(tmp_path: Path, suffix: str) -> None:
    for hands in (100, 20_000):
        deal(tmp_path / f"{hands}{suffix}", "--packed", hands=hands)
    small, large = (read_hands(tmp_path / f"{hands}{suffix}") for hands in (100, 20_000))
    assert len(large) == 20_000
    assert large[:100] == small


def read_hands(file: Path) -> list[object]:
    if file.suffix == ".npy":
        hands: list[object] = np.load(file).tolist()
    elif file.suffix == ".parquet":
        hands = pq.read_table(file).column("hand").to_pylist()
    else:
        hands = list(file.read_text("utf-8").splitlines()[file.suffix == ".csv" :])
    return hands


def test_without_a_seed_it_is_told_so_that_the_hands_can_be_dealt_again(tmp_path: Path) -> None:
    result = run("deal", "--hands", 50, "-o", tmp_path / "a.npy")
    seed = result.stderr.split("seed ")[1].split()[0]
    deal(tmp_path / "b.npy", hands=50, seed=int(seed))
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def test_twenty_tiles_make_hands_that_wait(tmp_path: Path) -> None:
    deal(tmp_path / "hands.npy", "--tiles", 20)
    counts = batch.unpack(np.load(tmp_path / "hands.npy"))
    assert (counts.sum(axis=1) == 20).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hands", 0, "-o", "a.csv"], "'--hands'"),
        (["--hands", 1, "-o", "a.xls"], "expected a file named"),
        (["--hands", 1, "-o", "a.npy", "--exposed"], "concealed hands only"),
        (["--hands", 1, "-o", "a.csv", "--wang", 5], "'--wang'"),
        (["--hands", 1], "'-o'"),
    ],
)
def test_wrong_options_are_named(arguments: list[object], message: str) -> None:
    result = run("deal", *arguments)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize("suffix", [".txt", ".npy", ".parquet"])
def test_a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path, suffix: str) -> None:
    result = run("deal", "--hands", 5, "-o", tmp_path / "missing" / f"a{suffix}")
    assert result.exit_code == 2
    assert "missing" in result.output
    assert not list(tmp_path.iterdir())


def test_a_broken_run_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deals.npy"
    deal(file)
    before = file.read_bytes()

    def interrupted(**_: object) -> object:
        yield next(samples.deal_chunks())
        raise KeyboardInterrupt

    monkeypatch.setattr("paohuzi.cli.deal.deal_chunks", interrupted)
    assert run("deal", "--hands", 30_000, "-o", file).exit_code != 0
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("suffix", [".txt", ".npy", ".parquet"])
def test_a_link_stays_and_the_file_it_leads_to_is_written(tmp_path: Path, suffix: str) -> None:
    link, target = tmp_path / f"link{suffix}", tmp_path / "folder" / "target"
    target.parent.mkdir()
    link.symlink_to(target)
    for hands in (5, 7):  # to a file that is not there yet, and to one that is
        deal(link, hands=hands)
        assert link.is_symlink()
        plain = tmp_path / f"plain{suffix}"
        deal(plain, hands=hands)
        assert target.read_bytes() == plain.read_bytes()
    assert [path.name for path in target.parent.iterdir()] == ["target"]


def test_a_device_is_not_written_to(tmp_path: Path) -> None:
    link = tmp_path / "nothing.txt"
    link.symlink_to("/dev/null")
    result = run("deal", "--hands", 5, "-o", link)
    assert result.exit_code == 2
    assert "expected a file to write" in result.output


@pytest.mark.parametrize("suffix", [".txt", ".npy", ".parquet"])
def test_a_terminated_run_leaves_nothing(tmp_path: Path, suffix: str) -> None:
    script = "from paohuzi.cli import main; main()"
    arguments = ["deal", "--hands", "1000000000", "-o", str(tmp_path / f"deals{suffix}")]
    with subprocess.Popen([sys.executable, "-c", script, *arguments], stderr=subprocess.PIPE) as process:
        while not any(path.stat().st_size for path in tmp_path.iterdir()):
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
    assert not list(tmp_path.iterdir())
