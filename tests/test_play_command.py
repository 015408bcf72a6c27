"""The command play: a person at the table, bots among themselves, matches that are kept."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from paohuzi.cli import main, play_match
from paohuzi.cli.play_saves import save_match
from paohuzi.cli.play_seat import numbered, read_choice
from paohuzi.game import Game
from paohuzi.match import Match
from paohuzi.record import check_record, read_records
from paohuzi.words import LANGUAGES

# A hand in which the person may take the first discard by peng.
PENG = ("--seats", "you,random,random", "--seed", "3")
PROGRAM = str(Path(sysconfig.get_path("scripts")) / "paohuzi")
PLAIN = {"LANG": "C", "LC_ALL": "", "LC_MESSAGES": "", "COLUMNS": "80"}


def play(*arguments: object, typed: str = "", **environment: str) -> Result:
    return CliRunner(env=PLAIN | environment).invoke(main, ["play", *map(str, arguments)], input=typed)


def printed(*arguments: object, typed: str = "", **environment: str) -> str:
    result = play(*arguments, typed=typed, **environment)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def ones(count: int = 400) -> str:
    """The first choice, again and again; after a hand it is as good as Enter."""
    return "1\n" * count


# --- a person at the table ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_match_is_played_to_its_end(language: str) -> None:
    text = printed("--seed", 11, "--hands", 2, "--rules", "qq-full", "--lang", language, typed=ones())
    assert text.count({"en": "hand 2 of 2", "zh": "第 2 局，共 2 局"}[language]) > 2
    assert {"en": "The match is over.", "zh": "对局结束。"}[language] in text
    # the reckoning of a win, and the titles of qq-full
    assert {"en": "Each loser pays", "zh": "输家各付"}[language] in text
    assert "包身工" in text


def test_hints_say_what_the_choices_are_worth() -> None:
    text = printed("--seed", 4, "--lang", "en", "--hints", 200, typed="1\n1\nq\n")
    told = [line for line in text.splitlines() if line.startswith("Looking ahead, points:")]
    assert len(told) == 3
    assert all(re.search(r" [+-]\d+\.\d", line) for line in told)
    assert re.search("推算得分：.* [+-]", printed("--seed", 4, "--lang", "zh", "--hints", 200, typed="q\n"))
    assert "Looking ahead" not in printed("--seed", 4, "--lang", "en", typed="q\n")


def test_a_name_with_options_may_stand_at_any_seat() -> None:
    for seats in ("flat:20,threads=2,greedy,greedy", "greedy,greedy, ismcts:20,threads=1"):
        text = printed("--seats", seats, "--hands", 1, "--seed", 1, "--json")
        assert {seat["bot"].split(":")[0] for seat in json.loads(text)["seats"]} - {"greedy"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def choose(self, view): raise RuntimeError('boom')", "RuntimeError: boom (bot MyBot at seat 0)"),
        ("def choose(self): return None", "(bot MyBot at seat 0)"),
        ("def choose(self, view): return None", "(bot MyBot at seat 0)"),
        ("def __init__(self, weights): pass", "cannot be made: TypeError"),
        ("def choose(self, view: return", "cannot be imported: SyntaxError"),
    ],
)
def test_a_faulty_bot_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    module = f"faulty_{abs(hash(body))}"
    (tmp_path / f"{module}.py").write_text(f"class MyBot:\n    {body}\n", encoding="utf-8")
    result = play("--seats", f"{module}:MyBot,random,random", "--seed", 1)
    assert result.exit_code == 1
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_file_that_is_there_is_not_saved_over(tmp_path: Path) -> None:
    notes = tmp_path / "notes.json"
    notes.write_text("mine", encoding="utf-8")
    result = play("--seats", "random,random,random", "--save", notes)
    assert (result.exit_code, notes.read_text("utf-8")) == (2, "mine")
    assert "is there already" in result.output


def test_the_language_is_that_of_the_locale() -> None:
    assert "h 提示" in printed("--seed", 1, typed="q\n", LANG="zh_CN.UTF-8")
    assert "h hints" in printed("--seed", 1, typed="q\n", LANG="de_DE.UTF-8")


def test_chinese_tables_are_wholly_chinese() -> None:
    text = printed("--seed", 3, "--hands", 1, "--lang", "zh", "--rules", "luzhou", typed="h\n?\n" + ones())
    words = {*re.findall(r"[A-Za-z]{2,}", text)}
    assert words == {"greedy"}


def test_hints_and_help_are_there_on_request() -> None:
    text = printed(*PENG, typed="h\n?\nq\n")
    assert re.search(r"Groups now make at most \d+ xi of the 15 needed\.", text)
    assert "Type the number of a choice and Enter." in text


def test_what_is_no_choice_is_said_and_asked_again() -> None:
    text = printed(*PENG, typed="99\nxyz\n-1\n\u00b2\n\ndiscard 5s\nq\n")
    for typed in ("99", "xyz", "-1", "\u00b2", "discard 5s"):
        assert f"Not a choice here: {typed}." in text
    assert text.count("You can take it by peng") == 1, "the table is not drawn again"


@pytest.mark.parametrize("typed", ["", "q\n", "Q\n", "h\n", "1"])
def test_the_end_of_input_ends_the_match(typed: str) -> None:
    assert "Not saved; --save FILE keeps a match." in printed(*PENG, typed=typed)


def test_choices_are_meant_by_number_word_tile_or_text() -> None:
    actions = Game("qq-basic", seed=4).legal_actions()
    for number, action in numbered(actions):
        typed = [str(number), str(action), action.chinese, str(action.tile), action.tile.chinese]
        assert {read_choice(text, actions) for text in typed} == {action}
    game = Game("qq-basic", seed=4)
    while game.question != "chi":
        game.apply(game.legal_actions()[0])
    actions = game.legal_actions()
    assert [number for number, _ in numbered(actions)] == [*range(1, len(actions)), 0]
    for action in actions:
        assert read_choice(str(action), actions) == read_choice(action.chinese, actions) == action
    assert read_choice("0", actions) == read_choice("过", actions) == actions[-1]
    assert read_choice("hu", actions) is read_choice("1s", actions) is read_choice("9" * 50, actions) is None


def test_a_seat_that_sits_out_sees_only_the_end() -> None:
    arguments = ("--rules", "hunan", "--set", "seats=4", "--hands", 6, "--seed", 2)
    text = printed(*arguments, typed=ones())
    assert "sits out (坐底)" in text
    assert "opposite greedy" in text
    assert text.count("player") == 6, "the points after every hand"


def test_the_seats_are_named_from_ones_own() -> None:
    text = printed("--seats", "random,you,greedy", "--seed", 4, typed="1\n" * 3)
    assert "previous random" in text
    assert "next greedy" in text


# --- kept matches and records ---


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


# --- bots among themselves ---


def summary(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(*arguments, "--json"))
    return found


def test_the_summary_counts_what_the_records_tell(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    arguments = ("--rules", "qq-full", "--seats", "greedy,greedy,random", "--hands", 40, "--seed", 9)
    found = summary(*arguments, "--record", path)
    records = list(read_records(path))
    winners = [event for record in records for event in record.events if event.__class__.__name__ == "Hu"]
    assert (found["rules"], found["seed"], found["hands"], len(records)) == ("qq-full", 9, 40, 40)
    assert [each["bot"] for each in found["seats"]] == ["greedy", "greedy", "random"]
    assert [each["wins"] for each in found["seats"]] == [
        sum(hu.actor == seat for hu in winners) for seat in range(3)
    ]
    assert [each["points"] for each in found["seats"]] == list(records[-1].end.totals)
    assert found["drawn"] == 40 - len(winners)
    assert found["decisions_per_hand"] == round(sum(len(record.line) for record in records) / 40, 3)
    assert 0 < found["draws_per_hand"] <= 19
    assert found["mean_xi"] >= 15
    assert found["mean_payment"] > 0
    assert found["hands_per_second"] > 0


def test_the_same_seed_makes_the_same_hands() -> None:
    timing = {"seconds": 0, "hands_per_second": 0}
    first, second = (summary("--seats", "random,greedy,greedy", "--hands", 8, "--seed", 2) for _ in range(2))
    assert first | timing == second | timing


def test_the_summary_for_people() -> None:
    text = printed("--seats", "greedy,greedy,random", "--hands", 20, "--seed", 7)
    assert "20 hands of qq-basic" in text
    assert "seed 7" in text
    chinese = printed("--seats", "greedy,greedy,random", "--hands", 20, "--seed", 7, "--lang", "zh")
    assert {*re.findall(r"[A-Za-z]{2,}", chinese)} <= {"greedy", "random", "QQ"}


def test_a_match_of_bots_goes_on_with_its_counts(tmp_path: Path) -> None:
    saved = tmp_path / "match.json"
    arguments = ("--seats", "greedy,random,greedy", "--seed", 4)
    whole = summary(*arguments, "--hands", 12)
    printed(*arguments, "--hands", 12, "--save", saved)
    state = json.loads(saved.read_text("utf-8"))
    assert state["tally"]["hands"] == 12
    # the same match after five hands
    from paohuzi.bots import bot_from_name
    from paohuzi.cli.play_tally import Tally

    names = ("greedy", "random", "greedy")
    match = Match(
        "qq-basic", [bot_from_name(name, 4 + seat) for seat, name in enumerate(names)], seed=4, hands=12
    )
    tally = Tally.of_seats(3)
    for _ in range(5):
        game = match.start()
        while not game.is_over:
            game.step(match.bots)
        match.finish()
        tally.add(game)
    saved.write_text(
        json.dumps(state | {"match": match.to_dict(), "tally": tally.to_dict()}), encoding="utf-8"
    )
    timing = {"seconds": 0, "hands_per_second": 0}
    assert summary("--resume", saved) | timing == whole | timing


@pytest.mark.parametrize("language", LANGUAGES)
def test_hands_of_which_none_was_won_have_no_means(language: str) -> None:
    text = printed("--seats", "random,random,random", "--seed", 7, "--lang", language)
    assert "100.0%" in text
    assert "None" not in text


@pytest.mark.parametrize("preset", ["luzhou", "yongzhou-4", "kaixin"])
def test_bots_play_by_every_kind_of_rules(preset: str) -> None:
    assert summary("--rules", preset, "--seats", "greedy,random,greedy", "--hands", 5)["rules"] == preset


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seats", "you,greedy"), "expected 3 players, at most one of them you, got you,greedy"),
        (("--seats", "you,you,greedy"), "at most one of them you"),
        (("--seats", "greedy,greedy,clever"), "expected a bot (random, greedy"),
        (
            ("--seats", "greedy,greedy,greedy", "--hints"),
            "expected --hints with you at a seat, got greedy,greedy",
        ),
        (("--hints", "soon"), "expected a budget as 5000 (rollouts), 1000ms or 2s, got 'soon'"),
        (("--seats", "you,greedy,greedy", "--json"), "expected --json for bots among themselves only"),
        (("--hands", "0"), "0 is not in the range"),
        (("--seed", str(1 << 64)), "is not in the range"),
        (("--rules", "beijing"), "expected the name of a preset"),
        (("--record", "hands.txt.zip", "--seats", "random,random,random"), ""),
    ],
)
def test_what_cannot_be_played_is_refused(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = play(*arguments, typed="q\n")
    assert message in result.stderr
    assert (result.exit_code != 0) == bool(message)


def test_a_bot_of_ones_own_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours.py").write_text(
        "class First:\n    def choose(self, view):\n        return view.legal_actions[0]\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    found = summary("--seats", "ours:First,greedy,greedy", "--hands", 3, "--seed", 1)
    assert found["seats"][0]["bot"] == "ours:First"
    (tmp_path / "wrong.py").write_text(
        "class Bad:\n    name = 'bad'\n    def choose(self, view):\n        return None\n", encoding="utf-8"
    )
    result = play("--seats", "wrong:Bad,greedy,greedy", "--hands", 3)
    assert result.exit_code == 1
    assert "bad" in result.stderr


def test_bots_that_are_interrupted_can_go_on(tmp_path: Path) -> None:
    saved, records = tmp_path / "match.json", tmp_path / "hands.jsonl"
    table = ("--seats", "random,random,random", "--hands", "1000000", "--json")
    process = subprocess.Popen(
        [PROGRAM, "play", *table, "--save", str(saved), "--record", str(records)],
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_until(saved.exists)
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    state = json.loads(saved.read_text("utf-8"))
    hands = json.loads(told)["hands"]
    assert process.returncode == 130
    assert (
        hands == state["tally"]["hands"] == state["match"]["number"] == len(list(read_records(records))) > 0
    )


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


def wait_until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


# --- a real terminal ---


class Terminal:
    """The command in a terminal of its own, in a folder."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = {**os.environ, **PLAIN, "LANG": "C.UTF-8", "TERM": "xterm", "LINES": "50"}
        self.shown = ""
        ours, theirs = pty.openpty()
        self.screen = ours
        self.process = subprocess.Popen(
            [PROGRAM, "play", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def wait_for(self, text: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, self.shown
            if select.select([self.screen], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.screen, 1 << 16).decode("utf-8", "replace")
                except OSError:  # the other end is closed
                    assert text in self.shown, self.shown
        self.shown = self.shown.partition(text)[2]

    def interrupt_until(self, text: str) -> None:
        """Press Ctrl-C again when nothing happens: Python may be just about to wait for a line."""
        for _ in range(6):
            self.process.send_signal(signal.SIGINT)
            try:
                return self.wait_for(text, 10)
            except AssertionError:
                continue
        raise AssertionError(self.shown)

    def close(self) -> int:
        code = self.process.wait(60)
        os.close(self.screen)
        return code


@pytest.mark.parametrize("ending", ["q\n", "\x04", "interrupt"])
def test_a_terminal_is_left_with_the_match_kept(ending: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *PENG)
    terminal.wait_for("You can take it by peng")
    terminal.wait_for("> ")
    terminal.type("1\n")
    terminal.wait_for("Discard a tile")
    terminal.wait_for("> ")
    farewell = "Go on with: paohuzi play --resume paohuzi-match.json"
    if ending == "interrupt":
        terminal.interrupt_until(farewell)
    else:
        terminal.type(ending)
        terminal.wait_for(farewell)
    assert terminal.close() == (130 if ending == "interrupt" else 0)
    assert json.loads((tmp_path / "paohuzi-match.json").read_text("utf-8"))["match"]["line"][-1] == "peng"
