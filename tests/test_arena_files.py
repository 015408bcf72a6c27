"""Results of an arena in a file: gone on with, torn, edited."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from paohuzi import load_rules
from paohuzi.arena import ArenaError, Contest, Estimate, Outcome, Sprt, play_arena, play_set
from paohuzi.arena.results_file import ResultsFile

CONTEST = Contest(("random", "random"), "luzhou", 5)


class Raiser:
    def choose(self, view):
        raise RuntimeError("lost my glasses")


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])


def lines_of(path: Path) -> list[dict]:
    """Without the times."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_a_file_has_a_line_a_set(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    outcome = play_arena(["random", "random"], "luzhou", hands=20, seed=2, out=path)
    header, *sets = lines_of(path)
    assert (header["type"], header["version"], header["seed"]) == ("paohuzi arena", 1, 2)
    assert (header["bots"], header["hash"]) == (["random"] * 2, load_rules("luzhou").hash)
    assert [line["set"] for line in sets] == [0, 1, 2, 3]
    assert [tuple(line["points"]) for line in sets] == [result.points for result in outcome.sets]
    assert outcome.hands == 24, "whole sets"


@pytest.mark.parametrize("torn", [0, 1, 30, -1])
def test_an_arena_goes_on_where_its_file_ends(tmp_path: Path, torn: int) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    expected = play_arena(["greedy", "random"], "luzhou", hands=60, seed=2, out=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join(lines[:4]) + lines[4][:torn])
    outcome = play_arena(["greedy", "random"], "luzhou", hands=60, out=broken, resume=True)
    assert (outcome.resumed, outcome.dropped) == (3, len(lines[4][:torn]))
    assert outcome.sets == expected.sets
    assert lines_of(broken) == lines_of(whole)
    assert outcome.summary()["bots"][0]["points"] == expected.summary()["bots"][0]["points"]


def test_wherever_a_file_breaks_off_its_whole_sets_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    arena = CONTEST
    with ResultsFile(path, arena, resume=False) as file:
        for number in range(3):
            file.write(play_set(arena, number))
    text = path.read_bytes()
    for size in [*range(0, len(text), 9), *range(len(text) - 3, len(text) + 1)]:
        path.write_bytes(text[:size])
        with ResultsFile(path, arena, resume=True) as file:
            assert len(file.stored) == max(0, text[:size].count(b"\n") - 1)
        kept = path.read_bytes()
        assert text.startswith(kept)
        assert kept.endswith(b"\n")


def test_nothing_played_is_told_as_nothing() -> None:
    found = Outcome(CONTEST, Sprt())
    bots = found.summary()["bots"]
    assert [(bot["points"], bot["low"], bot["win_rate"], bot["ms_per_decision"]) for bot in bots] == [
        (None,) * 4
    ] * 2
    assert (found.hands, found.is_decided, found.lead) == (0, False, Estimate(None, None, None))


def test_the_seed_of_a_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=6, seed=0, out=path)
    assert play_arena(["random", "random"], hands=12, out=path, resume=True).contest.seed == 0


def test_more_hands_go_on_from_fewer(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], "luzhou", hands=30, seed=2, out=path)
    more = play_arena(["random", "random"], "luzhou", hands=60, seed=2, out=path, resume=True)
    assert more.sets == play_arena(["random", "random"], "luzhou", hands=60, seed=2).sets
    fewer = play_arena(["random", "random"], "luzhou", hands=12, seed=2, out=path, resume=True)
    assert fewer.sets == more.sets[:2]
    assert len(lines_of(path)) == 11, "nothing is thrown away"


def test_a_file_of_another_arena_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], "luzhou", hands=6, seed=2, out=path)
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="has results already; go on with --resume, or name another file"):
        play_arena(["random", "random"], "luzhou", hands=6, seed=2, out=path)
    for names, rules, seed, told in [
        (["random", "greedy"], "luzhou", 2, r"bots was \['random', 'random'\], is \['random', 'greedy'\]"),
        (["random", "random"], "qq-half", 2, "rules was luzhou, is qq-half"),
        (["random", "random"], replace(load_rules("luzhou"), min_xi=12), 2, "holds another arena: hash was"),
        (["random", "random"], "luzhou", 3, "seed was 2, is 3"),
    ]:
        with pytest.raises(ArenaError, match=told):
            play_arena(names, rules, hands=6, seed=seed, out=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"1s 2s 3s\n", "line 1: expected results of an arena"),
        (b"1s 2s 3s", "expected results of an arena, got another file"),
        (b'{"type":"start"}\n{}\n', "line 1: expected results of an arena"),
        (b"\xff\n", "line 1: expected results of an arena"),
    ],
)
@pytest.mark.parametrize("resume", [True, False])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: bytes, told: str, resume: bool) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(text)
    with pytest.raises(ArenaError, match=told):
        play_arena(["random", "random"], hands=6, out=path, resume=resume)
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    "line", ["{}", "[]", "7", '{"set": 0}', "torn", "", '{"set": 1, "points": [0, 0]}', "[" * 100_000, "\xff"]
)
def test_a_bad_line_among_good_ones_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=12, seed=2, out=path)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0], line, lines[2], ""]), "latin-1")
    before = path.read_bytes()
    with pytest.raises(ArenaError, match=r"results\.jsonl, line 2: expected set 0 of 2 players, .*, got "):
        play_arena(["random", "random"], hands=12, seed=2, out=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("points", "[1e400, -1e400]", "2 whole numbers"),
        ("points", "[NaN, 0]", "2 whole numbers"),
        ("points", "[2.5, -2.5]", "2 whole numbers"),
        ("points", "[true, -1]", "2 whole numbers"),
        ("points", '["3", "-3"]', "2 whole numbers"),
        ("points", f"[{10**400}, {-(10**400)}]", "2 whole numbers"),
        ("points", "[0, 0, 0]", "2 whole numbers"),
        ("points", '{"0": 0, "1": 0}', "2 whole numbers"),
        ("points", "[4, -3]", "numbers that add up to 0"),
        ("wins", "[-1, 2]", "numbers from 0 up"),
        ("wins", "[6, 1]", "at most 6 hands"),
        ("wins", "null", "2 whole numbers"),
        ("dealt_in", "[7, 0]", r"at most \d hands"),
        ("decisions", "[-5, 9]", "numbers from 0 up"),
        ("drawn", "-1", r"\d"),
        ("drawn", "1e400", r"\d"),
        ("drawn", "99", r"\d"),
        ("seconds", "[-1.0, 0.5]", "2 times"),
        ("seconds", "[Infinity, 0.5]", "2 times"),
        ("seconds", "[0.5]", "2 times"),
        ("set", "0", "1"),
        ("set", "true", "1"),
        ("set", "2", "1"),
    ],
)
def test_numbers_that_no_arena_writes_are_refused(tmp_path: Path, field: str, value: str, told: str) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], "luzhou", hands=18, seed=2, out=path)
    lines = path.read_text("utf-8").splitlines()
    edited = json.loads(lines[2]) | {field: "HERE"}
    lines[2] = json.dumps(edited).replace('"HERE"', value)
    path.write_text("\n".join([*lines, ""]), "utf-8")
    expected = rf"results\.jsonl, line 3: expected set 1 of 2 players, with {told} as {field}, got "
    with pytest.raises(ArenaError, match=expected):
        play_arena(["random", "random"], "luzhou", hands=18, seed=2, out=path, resume=True)


def test_a_wall_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=12, seed=2, out=path)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:2], lines[1], ""]), "utf-8")
    with pytest.raises(ArenaError, match="line 3: expected set 1 of 2 players, with 1 as set, got 0"):
        play_arena(["random", "random"], hands=12, seed=2, out=path, resume=True)


def test_where_discards_do_not_win_nobody_dealt_in(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["greedy", "greedy"], "qq-half", hands=6, seed=2, out=path)
    header, line = path.read_text("utf-8").splitlines()
    edited = json.loads(line) | {"dealt_in": [1, 0]}
    path.write_text("\n".join([header, json.dumps(edited), ""]), "utf-8")
    with pytest.raises(ArenaError, match=r"line 2: .* with at most 0 hands as dealt_in, got"):
        play_arena(["greedy", "greedy"], "qq-half", hands=6, seed=2, out=path, resume=True)


@pytest.mark.parametrize("seed", ["-1", "1e400", "null", str(10**30), "true"])
def test_a_file_with_a_seed_that_is_none_is_refused(tmp_path: Path, seed: str) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=6, seed=2, out=path)
    text = path.read_text("utf-8").replace('"seed": 2}', f'"seed": {seed}}}')
    path.write_text(text, "utf-8")
    with pytest.raises(
        ArenaError, match=r"results\.jsonl, line 1: expected a seed from 0 to 2\*\*64 - 1, got"
    ):
        play_arena(["random", "random"], hands=6, out=path, resume=True)


@pytest.mark.parametrize("resume", [True, False])
@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero", "."])
def test_what_is_no_file_is_refused(name: str, resume: bool) -> None:
    with pytest.raises(ArenaError, match="expected a file to keep results in, got a device or a folder"):
        play_arena(["random", "random"], hands=6, out=name, resume=resume)


def test_a_line_for_which_there_is_no_room_is_not_left_half(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=6, seed=2, out=path)
    before = path.read_bytes()
    code = (
        "import resource, sys; from paohuzi.arena import play_arena;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2);"
        "play_arena(['random', 'random'], hands=12, out=sys.argv[1], resume=True)"
    )
    for room in (0, 1, 50):
        command = [sys.executable, "-c", code, str(path), str(len(before) + room)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.returncode == 1
        assert "OSError" in ended.stderr
        assert path.read_bytes() == before


def test_a_file_is_written_by_one_arena_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with (
        ResultsFile(path, CONTEST, resume=False),
        pytest.raises(ArenaError, match="another arena is writing it"),
    ):
        ResultsFile(path, CONTEST, resume=True)


def test_a_failing_bot_leaves_the_sets_before_it(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with pytest.raises(ArenaError, match="set 0"):
        play_arena(["random", f"{__name__}:Raiser"], hands=12, seed=2, out=path)
    assert len(lines_of(path)) == 1
    with pytest.raises(ArenaError, match="set 0"):
        play_arena(["random", f"{__name__}:Raiser"], hands=12, seed=2, out=path)
