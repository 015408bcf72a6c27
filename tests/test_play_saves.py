"""Matches of the command play that are kept, gone on with, recorded, edited."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playing import PENG, PLAIN, PROGRAM, ones, play, printed, wait_until

from paohuzi.cli import play_match
from paohuzi.cli.play_saves import save_match
from paohuzi.record import check_record, read_records


def test_a_match_goes_on_in_the_middle_of_a_hand(tmp_path: Path) -> None:
    """Stopped after every third choice and gone on with, it ends as it does in one go."""
    common = ("--rules", "qq-full", "--seed", 12, "--hands", 2, "--seats", "you,greedy,random")
    printed(*common, "--record", tmp_path / "whole.jsonl", typed=ones())
    saved, pieces = tmp_path / "my match.json", tmp_path / "pieces.jsonl"
    text = printed(*common, "--save", saved, "--record", pieces, typed=ones(3))
    assert "Go on with: paohuzi play --resume" in text
    assert f"'{saved}'" in text.replace("\n", "")
    while (match := json.loads(saved.read_text("utf-8"))["match"])["number"] < 2:
        text = printed("--resume", saved, "--record", pieces, typed=ones(3))
        assert text.startswith("The match goes on.")
    assert match["line"] is None
    whole, together = (list(read_records(tmp_path / name)) for name in ("whole.jsonl", "pieces.jsonl"))
    assert together == whole
    assert "The match is over." in printed("--resume", saved)


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
@pytest.mark.parametrize(("seats", "typed"), [("greedy,random,random", ""), ("you,random,random", ones())])
def test_a_hand_that_was_recorded_when_the_match_was_killed_is_not_repeated(
    seats: str, typed: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = ("--seed", 12, "--hands", 5, "--seats", seats)
    whole, pieces, saved = (tmp_path / name for name in (f"whole.{suffix}", f"p.{suffix}", "match.json"))
    printed(*common, "--record", whole, typed=typed)
    saves = 0

    def save_or_die(*arguments: Any) -> None:
        nonlocal saves
        saves += 1
        if saves in (3, 6):  # the save after the third hand, then the one after the fourth
            raise SystemExit(137)
        save_match(*arguments)

    monkeypatch.setattr(play_match, "save_match", save_or_die)
    assert play(*common, "--save", saved, "--record", pieces, typed=typed).exit_code == 137
    assert (json.loads(saved.read_text("utf-8"))["match"]["number"], len(list(read_records(pieces)))) == (
        2,
        3,
    )
    assert play("--resume", saved, "--record", pieces, typed=typed).exit_code == 137
    assert len(list(read_records(pieces))) == 5
    printed("--resume", saved, "--record", pieces, typed=typed)
    assert list(read_records(pieces)) == list(read_records(whole))
    state = json.loads(saved.read_text("utf-8"))
    assert (state["match"]["number"], state["tally"].get("hands", 5)) == (5, 5)


def test_a_record_of_another_match_is_gone_on_with(tmp_path: Path) -> None:
    records, saved = tmp_path / "hands.jsonl", tmp_path / "match.json"
    bots = ("--seats", "random,random,random")
    printed(*bots, "--seed", 1, "--hands", 3, "--save", saved)
    state = json.loads(saved.read_text("utf-8"))
    state["match"] |= {"hands": 4}
    saved.write_text(json.dumps(state), encoding="utf-8")
    printed(*bots, "--seed", 2, "--hands", 4, "--record", records)  # ends with a hand of the same number
    printed("--resume", saved, "--record", records)
    assert [record.start.hand for record in read_records(records)] == [0, 1, 2, 3, 3]


def test_records_of_a_match_are_true(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl.gz"
    printed("--seats", "greedy,random,greedy", "--hands", 12, "--seed", 3, "--record", path)
    records = list(read_records(path))
    assert [record.start.hand for record in records] == [*range(12)]
    assert records[0].start.seats == ("greedy", "random", "greedy")
    for record in records:
        check_record(record)


def test_a_kept_match_has_its_own_settings(tmp_path: Path) -> None:
    saved = tmp_path / "match.json"
    printed(*PENG, "--save", saved, typed="q\n")
    for option in (
        ("--rules", "luzhou"),
        ("--set", "min_xi=10"),
        ("--seats", "you,greedy,greedy"),
        ("--seed", 1),
    ):
        result = play("--resume", saved, *option)
        assert result.exit_code == 2
        assert "expected --resume without --rules, --set, --seats, --seed and --hands" in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected a saved match, got no JSON"),
        ("[" * 100_000, "expected a saved match, got no JSON"),
        ("[1]", "expected a saved match, with 'paohuzi match' as type"),
        ('{"type": "paohuzi match"}', "expected seats (names), match and tally"),
        ('{"type": "paohuzi match", "seats": ["you"], "match": {}}', "as version of a match"),
    ],
)
def test_a_file_that_holds_no_match_is_an_error(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(content, encoding="utf-8")
    result = play("--resume", path)
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.mark.parametrize("name", ["version", "rules", "seed", "number", "dealer", "scores", "line"])
def test_a_damaged_match_is_an_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    printed(*PENG, "--save", path, typed="1\nq\n")
    state = json.loads(path.read_text("utf-8"))
    for value in (None, -1, "x", ["hu"], {"name": 3}):
        damaged = state | {"match": state["match"] | {name: value}}
        path.write_text(json.dumps(damaged), encoding="utf-8")
        if (name, value) != ("line", None):
            result = play("--resume", path, typed="q\n")
            assert result.exit_code == 1, (name, value, result.output)
            assert result.stderr.startswith("Error: ")


def test_files_that_cannot_be_written_or_read_are_errors(tmp_path: Path) -> None:
    result = play("--resume", tmp_path / "none.json")
    assert (result.exit_code, "cannot be read: No such file" in result.stderr) == (2, True)


def test_a_person_who_is_interrupted_can_go_on(tmp_path: Path) -> None:
    """At the second hand: what --save and --record promise is there, and nothing of it is half written."""
    saved, records = tmp_path / "match.json", tmp_path / "hands.jsonl.gz"
    process = subprocess.Popen(
        [PROGRAM, "play", "--seed", "4", "--lang", "en", "--save", str(saved), "--record", str(records)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | PLAIN | {"PYTHONUTF8": "1"},
    )
    process.stdin.write(ones(40))
    process.stdin.flush()
    wait_until(saved.exists)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"Go on with: paohuzi play --resume {saved}" in told
    state = json.loads(saved.read_text("utf-8"))
    hands = list(read_records(records))
    assert state["match"]["number"] == len(hands) > 0
    assert state["match"]["scores"] == list(hands[-1].end.totals)
    assert [*tmp_path.iterdir()] == [saved, records] or [*tmp_path.iterdir()] == [records, saved]


@pytest.mark.parametrize(("first", "second"), [("--save", "--record"), ("--resume", "--record")])
def test_one_file_for_two_things_is_refused(first: str, second: str, tmp_path: Path) -> None:
    path, same = tmp_path / "match.json", tmp_path / "." / "same.json"
    same.symlink_to(path)
    result = play(first, path, second, same)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"expected different files for {first} and {second}, got {same}" in result.stderr
    assert not path.exists()


EDITS = [
    ('"seed": 1', '"seed": -1', "expected a whole number from 0 as seed of a match, got -1"),
    ('"seed": 1', f'"seed": {1 << 64}', "expected a seed from 0 to"),
    ('"seed": 1', '"seed": 1e400', "as seed of a match, got inf"),
    ('"number": 3', '"number": 4', "expected at most 3 as number of a match, got 4"),
    ('"dealer": ', '"dealer": 7', "expected scores, dealer and left of 3 seats"),
    ('"scores": [', '"scores": [1e400, ', "as scores of a match, got [inf"),
    ('"line": null', '"line": ["discard 1s"]', "expected a match going on, got one that is over"),
    ('"rules": {', '"rules": {"minimum": 1, ', "expected a field (name"),
    ('"seats": ["greedy"', '"seats": ["nobody"', "expected a bot (random"),
    ('"seats": ["greedy"', '"seats": ["greedy", "greedy"', "expected 3 bots, one a seat, got 4"),
    ('["greedy", "random", "greedy"]', '["you", "you", "greedy"]', "expected at most one seat of you"),
    ('"wins": [', '"wins": [1e400, ', "expected numbers as wins of a tally"),
    ('"wins": [', '"wins": [5, ', "expected numbers as wins of a tally"),
    ('"hands": 3, "drawn"', '"hands": -3, "drawn"', "of a tally that are its hands"),
    ('"hands": 3, "drawn"', '"hands": 5, "drawn"', "of a tally that are its hands"),
    ('"decisions": ', '"decisions": -', "of a tally that are its hands"),
    ('"seconds": ', '"seconds": NaN, "never": ', "of a tally that are its hands"),
    ('"seconds": ', '"seconds": -', "of a tally that are its hands"),
    ('"seconds": ', '"seconds": 1e400, "never": ', "of a tally that are its hands"),
]


@pytest.mark.parametrize(("old", "new", "told"), EDITS)
def test_a_match_that_was_edited_is_refused_by_its_name(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    saved = tmp_path / "match.json"
    printed("--seats", "greedy,random,greedy", "--hands", 3, "--seed", 1, "--save", saved)
    text = saved.read_text("utf-8")
    assert old in text
    saved.write_text(text.replace(old, new, 1), encoding="utf-8")
    result = play("--resume", saved, "--lang", "en", typed="q\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: {saved}: ")
    assert told in result.stderr


def test_a_folder_that_is_not_there_is_told_before_the_first_hand(tmp_path: Path) -> None:
    result = play("--save", tmp_path / "nowhere" / "match.json", typed=ones())
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no such directory: {tmp_path / 'nowhere'}" in result.stderr


@pytest.mark.parametrize("arguments", [("--resume", "/dev/zero"), ("--rules", "/dev/zero")])
def test_a_device_without_end_is_not_read_for_ever(arguments: tuple[str, str]) -> None:
    result = play(*arguments)
    assert result.exit_code > 0
    assert "bytes" in result.stderr
    assert result.stdout == ""


def test_a_match_is_kept_when_nothing_can_be_shown_any_more(tmp_path: Path) -> None:
    saved = tmp_path / "match.json"
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [PROGRAM, "play", "--seed", "4", "--save", str(saved)],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | PLAIN,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (
        2,
        "Error: cannot go on: [Errno 28] No space left on device\n",
    )
    assert json.loads(saved.read_text("utf-8"))["match"]["number"] == 0
