"""The command arena: its answers, its errors, arenas that are ended and go on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from paohuzi.arena import Contest, Outcome, play_arena
from paohuzi.cli import main
from paohuzi.cli.arena_table import print_outcome
from paohuzi.words import LANGUAGES, Words

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "paohuzi")
PLAIN = {"LANG": "C", "LC_ALL": "", "LC_MESSAGES": "", "COLUMNS": "80"}
RANDOM = ("random", "random", "--rules", "luzhou", "--seed", "3")
BOT_KEYS = ["name", "points", "low", "high", "wins", "ms_per_decision"]
PATIENCE = 60  # seconds


def arena(*arguments: object) -> Result:
    return CliRunner(env=PLAIN).invoke(main, ["arena", *map(str, arguments)])


def printed(*arguments: object) -> str:
    result = arena(*arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def answer(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(*arguments, "--json"))
    return found


def untimed(summary: dict[str, Any]) -> dict[str, Any]:
    """All but what a clock has told."""
    bots = [
        {name: value for name, value in bot.items() if name != "ms_per_decision"} for bot in summary["bots"]
    ]
    return summary | {"bots": bots, "seconds": 0}


# --- answers ---


def test_the_summary_is_one_object() -> None:
    found = answer("greedy", "random", "--rules", "luzhou", "--hands", 60, "--seed", 7)
    assert [list(bot)[: len(BOT_KEYS)] for bot in found["bots"]] == [BOT_KEYS] * 2
    greedy, random = found["bots"]
    assert (greedy["name"], random["name"]) == ("greedy", "random")
    assert greedy["low"] < greedy["points"] < greedy["high"]
    assert greedy["points"] == -random["points"] > 0
    assert greedy["wins"] + random["wins"] + found["drawn"] == found["hands"] == 60
    assert greedy["hands"] == random["hands"] == 90
    assert greedy["win_rate"] == pytest.approx(greedy["wins"] / 90, abs=1e-4)
    assert 0 <= greedy["deal_in_rate"] < 1
    assert min(greedy["ms_per_decision"], random["ms_per_decision"]) > 0
    assert (found["sets"], found["rules"], found["seed"]) == (10, "luzhou", 7)
    assert (found["sprt"], found["interrupted"]) == (None, False)


def test_one_wall_has_no_interval() -> None:
    found = answer(*RANDOM, "--hands", 1)
    assert (found["hands"], found["sets"]) == (6, 1)
    assert [(bot["low"], bot["high"]) for bot in found["bots"]] == [(None, None)] * 2
    assert "One wall has no interval." in printed(*RANDOM, "--hands", 1, "--lang", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_in_both_languages(language: str) -> None:
    text = printed(*RANDOM, "random", "--hands", 60, "--sprt", "0,0.5", "--lang", language)
    words = {
        "en": [
            "bot",
            "95 %",
            "wins",
            "deal-in",
            "60 hands of luzhou: 10 walls",
            "random against the others: ",
            "Not tested: the test begins with 30 walls, 180 hands; 10 were played.",
        ],
        "zh": [
            "机器人",
            "95% 区间",
            "放炮率",
            "泸州 60 局：10 副牌",
            "random 与其他相比：每局 ",
            "未检验：满 30 副牌",
        ],
    }
    assert all(word in text for word in words[language]), text
    assert re.search(r"^random#3 +[+-]\d\.\d{3} +[+-]\d\.\d{3} … [+-]\d\.\d{3} +\d+", text, re.MULTILINE)
    if language == "zh":
        assert {*re.findall(r"[A-Za-z]{2,}", text)} == {"random"}


def test_deal_in_is_told_where_discards_win() -> None:
    assert "deal-in" in printed(*RANDOM, "--hands", 6)
    assert "deal-in" not in printed("random", "random", "--rules", "qq-half", "--hands", 6)


@pytest.mark.parametrize(
    ("before", "after", "bounds"),
    [
        (["--sprt"], [], (0, 0.2)),
        ([], ["--sprt"], (0, 0.2)),
        (["--sprt", "-0.1,0.3"], [], (-0.1, 0.3)),
        ([], ["--sprt=0,1"], (0, 1)),
        ([], ["--sprt", "--json"], (0, 0.2)),
        ([], ["--sprt", "0,1e-1"], (0, 0.1)),
        ([], ["--sprt", ".5,1."], (0.5, 1)),
        (["--sprt", " -1, 1 "], [], (-1, 1)),
    ],
)
def test_the_test_has_bounds_or_none(
    before: list[str], after: list[str], bounds: tuple[float, float]
) -> None:
    found = answer(*before, *RANDOM, "--hands", 6, *after)["sprt"]
    assert (found["low"], found["high"]) == bounds
    assert list(found) == ["low", "high", "difference", "llr", "bound", "decided"]


def test_the_test_ends_the_arena() -> None:
    arguments = ("greedy", "random", "--rules", "qq-half", "--seed", 3)
    found = answer(*arguments, "--sprt")
    assert found["sprt"]["decided"] == "high"
    assert found["sprt"]["llr"] >= found["sprt"]["bound"] == 2.9444
    assert found["hands"] < 600
    assert "Decided: rather 0.2 than 0 " in printed(*arguments, "--sprt")
    assert "Decided: rather 8 than 9 " in printed("random", *arguments[1:], "--sprt", "8,9")
    assert "Undecided between 4.9 and 5.1 " in printed(*arguments, "--sprt", "4.9,5.1", "--hands", 180)


def test_no_number_is_cut_in_a_narrow_terminal() -> None:
    name = "a_module_with_a_long_name:AndALongName"
    outcome = play_arena(["random", "greedy"], "luzhou", hands=12, seed=3)
    object.__setattr__(outcome.contest, "names", (name, "greedy"))
    for width in (20, 60, 80):
        file = StringIO()
        print_outcome(outcome, Words("en"), Console(file=file, width=width))
        text = file.getvalue()
        mean, low, high = outcome.standings[0].points
        assert f"{mean:+.3f}  {low:+.3f} … {high:+.3f}" in text
        first, *_, last = (line.split("  ")[0].strip() for line in text.splitlines()[1:-3])
        assert name.startswith(first)
        assert name.endswith(last) or last == "greedy"


# --- errors ---


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["greedy"], 1, "Error: expected 2 or 3 bots, got 1"),
        ([], 2, "Missing argument 'BOT BOT [BOT]'"),
        (["greedy"] * 4, 1, "Error: expected 2 or 3 bots, got 4"),
        (["greedy", "gredy"], 1, "Error: expected a bot (random, greedy"),
        ([*RANDOM, "--set", "seats=4"], 1, "Error: expected rules of 3 seats, got 4 of luzhou"),
        ([*RANDOM, "--hands", "0"], 2, "--hands"),
        ([*RANDOM, "--jobs", "0"], 2, "--jobs"),
        *(
            ([*RANDOM, "--sprt", bounds], 2, f"expected LOW,HIGH as 0,0.2, got '{bounds}'")
            for bounds in ("a,b", "1,b", "0;1", "0:1", "1e", "-x,1", "0,1,2", ",", "0, b")
        ),
        ([*RANDOM, "--sprt", "nan,1"], 2, "expected LOW,HIGH as 0,0.2, got nan and 1.0"),
        ([*RANDOM, "--sprt", "0,1e400"], 2, "expected LOW,HIGH as 0,0.2, got 0.0 and inf"),
        ([*RANDOM, "--sprt="], 2, "expected LOW,HIGH as 0,0.2, got ''"),
        (["greedy", "--sprt", "gredy"], 1, "Error: expected a bot (random, greedy"),
        ([*RANDOM, "--hands", str(10**10)], 2, "--hands"),
        ([*RANDOM, "--sprt", "0.2"], 2, "expected LOW,HIGH as 0,0.2, got '0.2'"),
        ([*RANDOM, "--sprt", "1,0"], 2, "expected LOW,HIGH as 0,0.2, the lower first, got 1,0"),
        (
            [*RANDOM, "--out", "a.png", "--plot", "./a.png"],
            2,
            "expected different files for --out and --plot, got a.png",
        ),
        ([*RANDOM, "--resume"], 2, "expected --out FILE with --resume"),
        (
            [*RANDOM, "--plot", "points.xls"],
            1,
            "Error: expected a picture named .pdf .png .svg, got 'points.xls'",
        ),
        (
            [*RANDOM, "--plot", "nowhere/points.png"],
            1,
            "Error: nowhere/points.png: no such directory: nowhere",
        ),
        ([*RANDOM, "--out", "nowhere/results.jsonl"], 2, "cannot go on: "),
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str], code: int, told: str, monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    result = arena(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert told in result.stderr
    assert not [*tmp_path.iterdir()], "nothing is begun"


# --- the plot ---


@pytest.mark.parametrize(("name", "begins"), [("points.png", b"\x89PNG"), ("points.SVG", b"<?xml")])
@pytest.mark.parametrize("hands", [6, 12, 120])
def test_a_plot_is_drawn(tmp_path: Path, name: str, begins: bytes, hands: int) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / name
    result = arena(*RANDOM, "--hands", hands, "--plot", path)
    assert (result.exit_code, result.stderr) == (0, f"Plot in {path}\n")
    assert path.read_bytes().startswith(begins)


def test_a_plot_of_nothing_is_empty(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from paohuzi.arena.plot import plot

    plot(Outcome(Contest(("random", "random"), "luzhou", 1)), tmp_path / "points.svg")
    assert (tmp_path / "points.svg").exists()


def test_without_matplotlib_the_plot_is_refused_at_once(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    out = tmp_path / "results.jsonl"
    result = arena(*RANDOM, "--plot", tmp_path / "points.png", "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: a plot needs matplotlib: pip install 'paohuzi[plot]'\n"
    assert not out.exists(), "nothing is played"


# --- arenas that are ended, and go on ---


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def begun(out: Path, *arguments: str) -> subprocess.Popen[str]:
    """An arena under way, with some sets in its file."""
    process = subprocess.Popen(
        [PROGRAM, "arena", *RANDOM, "--out", str(out), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | PLAIN,
        start_new_session=True,
    )
    before, latest = lines_in(out), time.monotonic() + PATIENCE
    while lines_in(out) < before + 10:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < latest
        time.sleep(0.002)
    return process


def children_of(process: subprocess.Popen[str]) -> list[int]:
    return [*map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())]


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_arena_goes_on_to_the_same_result(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "results.jsonl"
    for arguments in ([], ["--resume"]):
        process = begun(out, "--hands", "90000", "--jobs", jobs, *arguments)
        workers = children_of(process)
        assert len(workers) == (2 if jobs == "2" else 0)
        process.kill()
        process.communicate()
        latest = time.monotonic() + PATIENCE
        while any(map(is_alive, workers)):
            assert time.monotonic() < latest, "the processes end with the one that started them"
            time.sleep(0.01)
    played = lines_in(out) - 1
    with out.open("ab") as file:
        file.write(b'{"set": ')  # what a kill in the middle of a line would leave
    result = arena(*RANDOM, "--hands", 6 * (played + 20), "--out", out, "--resume", "--jobs", jobs, "--json")
    assert result.exit_code == 0
    assert f"{out}: removed 8 bytes of a line that was not finished" in result.stderr
    whole = play_arena(["random", "random"], "luzhou", hands=6 * (played + 20), seed=3)
    assert untimed(json.loads(result.stdout)) == untimed(whole.summary())
    stored = [json.loads(line) for line in out.read_text("utf-8").splitlines()[1:]]
    assert [line["points"] for line in stored] == [list(each.points) for each in whole.sets]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_it_with_what_was_played(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "results.jsonl"
    process = begun(out, "--hands", "90000", "--jobs", jobs, "--json", "--lang", "en")
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert stderr == f"Interrupted.\nKept in {out}; the same command with --resume goes on.\n"
    found = json.loads(stdout)
    assert found["interrupted"]
    assert abs(found["sets"] - (lines_in(out) - 1)) <= 1
    assert found["hands"] == 6 * found["sets"] > 0


def test_going_on_needs_no_seed(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    first = answer("random", "random", "--hands", 30, "--out", out)
    assert answer("random", "random", "--hands", 30, "--out", out, "--resume")["seed"] == first["seed"]
    result = arena("random", "random", "--out", out)
    assert result.exit_code == 1
    assert "has results already; go on with --resume" in result.stderr
    text = printed("random", "random", "--hands", 36, "--out", out, "--resume", "--lang", "en")
    assert "5 walls of them from the file" in text
