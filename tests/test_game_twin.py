"""The plain engine: it plays the game lines of an engine that is not ours, and every rule of play happens."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import walls
from reference.chi_twin import action_text, chi_actions
from reference.game_twin import Game
from reference.notation_twin import ALL_TILES, WANG, parse_tiles

GOLDEN = Path(__file__).parent / "golden"
LINE_FILES = sorted((GOLDEN / "lines").glob("*.jsonl"))


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# Game lines with an id, the section of docs/rules.md and what is to be seen. An engine that breaks the rule
# does not replay the line.
RARE_LINES = read_lines(GOLDEN / "rare_lines.jsonl")
every_preset = pytest.mark.parametrize("preset", walls.PRESETS)


def steps(line: dict[str, Any]) -> Iterator[tuple[int, int, str]]:
    return zip(line["seats"], line["choices"], line["line"], strict=True)


def assert_replays(line: dict[str, Any]) -> Game:
    game = Game(line["rules"], line, line.get("seat_count", 3))
    for number, (seat, choice_count, action) in enumerate(steps(line)):
        assert (game.asked, len(game.actions)) == (seat, choice_count), f"decision {number}: {game.actions}"
        game.apply(action)
    assert (game.asked, game.end) == (None, line["end"])
    return game


def tiles_of(game: Game) -> Counter[int]:
    """Every tile in wall and hands and on the table."""
    held = game.wall + [tile for _, tile in game.lying]
    for player in game.players:
        held += player.hand
        held += [face for group in player.exposed for face in group.faces]
    return Counter(held)


def won_on(end: dict[str, Any], shown: int) -> Counter[int]:
    """The tile that ended the hand: it lies nowhere. A hand won as dealt has not taken up the shown tile."""
    return Counter([shown] if end.get("source") == "dealt" else parse_tiles(end.get("tile") or ""))


def deck_of(preset: str) -> Counter[int]:
    return Counter(dict.fromkeys(ALL_TILES, 4) | {WANG: walls.WANGS.get(preset, 0)})


@pytest.mark.parametrize("path", LINE_FILES, ids=lambda path: path.stem)
def test_game_lines_are_replayed(path: Path) -> None:
    lines = read_lines(path)
    assert len(lines) == 150
    for number, line in enumerate(lines):
        try:
            assert_replays(line)
        except AssertionError as error:
            pytest.fail(f"line {number}: {error}")


@pytest.mark.parametrize("line", RARE_LINES, ids=lambda line: line["id"])
def test_rarely_met_rules_are_kept(line: dict[str, Any]) -> None:
    assert_replays(line)


def test_every_kind_of_event_happens_in_the_rare_lines() -> None:
    told = {event["type"] for line in RARE_LINES for event in assert_replays(line).events}
    assert told == {"draw", "discard", "chi", "peng", "pao", "wei", "chouwei", "ti", "hu", "pass"}


@pytest.mark.parametrize("case", read_lines(GOLDEN / "bi.jsonl"), ids=lambda case: case["id"])
def test_number_of_chi_with_bi_is_the_known_one(case: dict[str, Any]) -> None:
    actions = chi_actions(parse_tiles(case["hand"]), parse_tiles(case["tile"])[0])
    assert len(actions) == case["actions"]
    assert len({action_text(action) for action in actions}) == len(actions)


def test_action_that_is_not_offered_is_refused() -> None:
    game = Game("qq-basic", walls.random_deal("qq-basic", 0))
    with pytest.raises(ValueError, match="expected one of"):
        game.apply("peng")


@every_preset
def test_random_play_keeps_the_tiles_and_the_money(preset: str) -> None:
    for seed in range(12):
        game = Game(preset, walls.random_deal(preset, seed, clumping=0.1 * (seed % 4)))
        walls.play_out(game, seed)
        assert game.end is not None
        assert tiles_of(game) + won_on(game.end, game.shown) == deck_of(preset)
        assert sum(game.end.get("pay", ())) == 0


@every_preset
def test_same_deal_and_same_choices_give_the_same_hand(preset: str) -> None:
    deal = walls.random_deal(preset, 7, clumping=0.2)
    games = [Game(preset, deal) for _ in range(2)]
    lines = [walls.play_out(game, 7) for game in games]
    assert lines[0] == lines[1]
    assert games[0].events == games[1].events
