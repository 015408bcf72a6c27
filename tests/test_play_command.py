"""The command play: a person at the table, bots among themselves, a real terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from playing import PENG, PLAIN, PROGRAM, ones, play, printed, wait_until

from paohuzi.cli.play_seat import numbered, read_choice
from paohuzi.game import Game
from paohuzi.match import Match
from paohuzi.record import read_records
from paohuzi.words import LANGUAGES

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
