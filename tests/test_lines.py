"""Game lines: all of those that are known, what differs, lines of our own checked by the twin."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from game_bots import TABLES, new_game, played, rules_of
from hypothesis import given
from hypothesis import strategies as st
from reference.game_twin import Game as Twin

from paohuzi import NotationError, load_rules
from paohuzi.game import Game
from paohuzi.lines import Difference, GameLine, verify

GOLDEN = Path(__file__).parent / "golden"
LINE_FILES = sorted([*(GOLDEN / "lines").glob("*.jsonl"), GOLDEN / "rare_lines.jsonl"])
LINE = (GOLDEN / "lines" / "hunan.jsonl").read_text(encoding="utf-8").splitlines()[0]
PARTS: dict[str, Any] = json.loads(LINE)


def texts(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", LINE_FILES, ids=lambda path: path.stem)
def test_known_lines_are_as_the_rules_say(path: Path) -> None:
    for number, text in enumerate(texts(path), 1):
        assert verify(text) is None, f"line {number}"


@pytest.mark.parametrize("path", LINE_FILES, ids=lambda path: path.stem)
def test_known_lines_are_written_as_they_were_read(path: Path) -> None:
    for text in texts(path)[:20]:
        parts = {key: part for key, part in json.loads(text).items() if key not in ("id", "section", "note")}
        line = GameLine.parse(text)
        assert json.loads(line.text) == parts
        game = Game(line.rules, deal=line.deal)
        for action in line.line:
            game.apply(action)
        assert GameLine.of(game) == line


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_lines_of_our_own_games_are_the_twins(preset: str, seats: int) -> None:
    for seed in range(6):
        text = GameLine.of(played(preset, seats, seed)).text
        assert verify(text) is None
        line = json.loads(text)
        twin = Twin(preset, line, line.get("seat_count", 3))
        for seat, choices, action in zip(line["seats"], line["choices"], line["line"], strict=True):
            assert (twin.asked, len(twin.actions)) == (seat, choices)
            twin.apply(action)
        assert (twin.asked, twin.end) == (None, line["end"])


def test_rules_of_ones_own_stand_in_the_line_in_full() -> None:
    rules = load_rules("luzhou").with_options({"min_xi": 15, "name": "ours"})
    game = Game(rules, seed=3)
    while not game.is_over:
        game.apply(game.legal_actions()[0])
    line = GameLine.of(game)
    assert json.loads(line.text)["rules"]["min_xi"] == 15
    assert GameLine.parse(line.text) == line
    assert verify(line.text) is None


def with_change(**change: object) -> str:
    return json.dumps({**PARTS, **change})


def replaced(name: str, place: int, value: object) -> list[object]:
    return [*PARTS[name][:place], value, *PARTS[name][place + 1 :]]


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (
            {"choices": replaced("choices", 4, 13)},
            Difference(4, {"seat": 2, "choices": 13}, {"seat": 2, "choices": 12}),
        ),
        (
            {"seats": replaced("seats", 0, 1)},
            Difference(0, {"seat": 1, "choices": 15}, {"seat": 0, "choices": 15}),
        ),
        (
            {"end": {**PARTS["end"], "xi": 22}},
            Difference(27, {"end": {**PARTS["end"], "xi": 22}}, {"end": PARTS["end"]}),
        ),
        (
            {"line": replaced("line", 26, "pass")},
            Difference(27, {"end": PARTS["end"]}, {"seat": 0, "choices": 2}),
        ),
        (
            {"line": replaced("line", 1, "discard 1b")},
            Difference(
                1,
                {"seat": 1, "choices": 2},
                {"seat": 1, "choices": 2},
                "expected one of peng, pass, got discard 1b from seat 1",
            ),
        ),
        (
            {name: PARTS[name][:-1] for name in ("line", "seats", "choices")},
            Difference(26, {"end": PARTS["end"]}, {"seat": 1, "choices": 2}),
        ),
        (
            {name: [*PARTS[name], PARTS[name][-1]] for name in ("line", "seats", "choices")},
            Difference(27, {"seat": 1, "choices": 2}, {"end": PARTS["end"]}),
        ),
    ],
)
def test_first_difference_is_told(change: dict[str, object], difference: Difference) -> None:
    found = verify(with_change(**change))
    assert found is not None
    assert (found.decision, found.expected, found.error) == (
        difference.decision,
        difference.expected,
        difference.error,
    )
    assert found.found == difference.found
    assert str(found).startswith(f"decision {found.decision}: expected ")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "expected a game line as a JSON object"),
        ("[]", "Expected `object`, got `array`"),
        ("{}", "missing required field"),
        (with_change(wall="1s"), "in the deal"),
        (with_change(wall=5), "Expected `str`"),
        (with_change(rules="nowhere"), "expected the name of a preset .* got 'nowhere'"),
        (with_change(rules="ours.toml"), "expected the name of a preset"),
        (with_change(rules={"name": "x", "min_xi": "y"}), "min_xi"),
        (with_change(dealer="foo"), "expected a tile"),
        (with_change(seat_count=5), "seats"),
        (with_change(line=[1]), "Expected `str`"),
    ],
)
def test_line_that_cannot_be_read_is_told(text: str, error: str) -> None:
    found = verify(text)
    assert found is not None
    assert (found.decision, found.expected, found.found) == (None, None, None)
    with pytest.raises(NotationError, match=error):
        GameLine.parse(text)


def test_lists_of_different_lengths_are_told() -> None:
    found = verify(with_change(seats=PARTS["seats"][:-2]))
    assert found is not None
    assert found.decision == 25
    assert found.error == "expected line, seats and choices of one length, got 27, 25 and 27"
    found = verify(with_change(line=replaced("line", 3, "foo")))
    assert found is not None
    assert found.decision == 3
    assert found.error is not None
    assert found.error.startswith("expected an action")


def test_texts_in_chinese_are_understood() -> None:
    line = GameLine.parse(LINE)
    game = Game(line.rules, deal=line.deal)
    chinese = []
    for action in line.line:
        game.apply(action)
        chinese.append(game.line[-1].chinese)
    hands = {
        name: hand.chinese for name, hand in zip(("dealer", "next", "previous"), line.deal.hands, strict=True)
    }
    wall = "".join(tile.chinese for tile in line.deal.wall)
    assert verify(with_change(**hands, wall=wall, shown=line.deal.shown.chinese, line=chinese)) is None


def test_hand_that_goes_on_has_no_line() -> None:
    with pytest.raises(ValueError, match="expected a hand that is over, got one that asks discard"):
        GameLine.of(Game("qq-basic", seed=4))


def test_every_changed_number_is_found() -> None:
    random = Random(1)
    for preset, seats in TABLES:
        parts = json.loads(GameLine.of(played(preset, seats, 1)).text)
        for name in ("seats", "choices"):
            place = random.randrange(len(parts[name]))
            other = [*parts[name][:place], parts[name][place] + 1, *parts[name][place + 1 :]]
            found = verify(json.dumps({**parts, name: other}))
            assert found is not None
            assert found.decision == place


@given(st.text(max_size=40) | st.binary(max_size=40))
def test_any_text_is_verified_or_told(text: str | bytes) -> None:
    assert verify(text) is not None


def test_dealer_of_a_game_does_not_change_its_line() -> None:
    rules = rules_of("kaixin", 4)
    games = [new_game("kaixin", 4, 7), Game(rules, deal=new_game("kaixin", 4, 7).deal, dealer=0)]
    while not games[0].is_over:
        action = games[0].legal_actions()[0]
        for game in games:
            game.apply(action)
    assert games[0].dealer != games[1].dealer
    assert GameLine.of(games[0]) == GameLine.of(games[1])


@pytest.mark.exhaustive
@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_many_lines_of_our_own_games_are_the_twins(preset: str, seats: int) -> None:
    for seed in range(1000, 1400):
        line = json.loads(GameLine.of(played(preset, seats, seed)).text)
        twin = Twin(preset, line, seats)
        for seat, choices, action in zip(line["seats"], line["choices"], line["line"], strict=True):
            assert (twin.asked, len(twin.actions)) == (seat, choices), f"seed {seed}"
            twin.apply(action)
        assert twin.end == line["end"], f"seed {seed}"
