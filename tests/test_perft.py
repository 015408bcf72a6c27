"""Perft: how many sequences of actions there are from fixed walls at rarely met situations.

The numbers come from the plain engine, with the rules that the situations are about in the field `section`.
"""

import json
from pathlib import Path
from typing import Any

import perft
import pytest
from game_bots import rules_of
from reference.game_twin import Game as Twin

from paohuzi.actions import IllegalAction
from paohuzi.deals import Deal
from paohuzi.game import Game

GOLDEN = Path(__file__).parent / "golden" / "perft.jsonl"
CASES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


@every_case
def test_perft_is_the_known_one(case: dict[str, Any]) -> None:
    game = Game(rules_of(case["rules"], case.get("seat_count", 3)), deal=Deal.from_texts(case))
    for action in case["line"]:
        game.apply(action)
    assert game.playing.index(game.asked or 0) == case["asked"]
    assert [game.perft(depth) for depth in range(1, len(case["counts"]) + 1)] == case["counts"]
    divided = game.divide(len(case["counts"]))
    assert {str(action): count for action, count in divided.items()} == case["divide"]


def twin_perft(case: dict[str, Any], depth: int) -> int:
    seats = case.get("seat_count", 3)
    return perft.perft(lambda: Twin(case["rules"], case, seats), depth, tuple(case["line"]))


@every_case
def test_plain_engine_counts_the_same(case: dict[str, Any]) -> None:
    assert [twin_perft(case, depth) for depth in (1, 2)] == case["counts"][:2]


@pytest.mark.exhaustive
@every_case
def test_plain_engine_counts_the_same_to_the_end(case: dict[str, Any]) -> None:
    depth = len(case["counts"])
    assert twin_perft(case, depth) == case["counts"][-1]


# What makes a face dead for peng beside a passed peng changes nothing: who passes a chi, or discards, has no
# pair of it, or was asked for the peng before.
SWITCHES = {
    "discards_win": True,
    "peng_forced": True,
    "min_xi": 0,
    "self_draw_forced": False,
    **dict.fromkeys(("chi_dead_by_passed_chi", "peng_dead_by_passed_peng"), False),
    **dict.fromkeys(("chi_dead_by_passed_peng", "chi_dead_by_discard"), False),
}


@pytest.mark.parametrize("name", SWITCHES)
def test_broken_rule_is_noticed(name: str) -> None:
    assert any(is_changed_by(case, name) for case in CASES)


def is_changed_by(case: dict[str, Any], name: str) -> bool:
    rules = rules_of(case["rules"], case.get("seat_count", 3)).with_options({name: SWITCHES[name]})
    game = Game(rules, deal=Deal.from_texts(case))
    try:
        for action in case["line"]:
            game.apply(action)
        return [game.perft(depth) for depth in range(1, len(case["counts"]) + 1)] != case["counts"]
    except IllegalAction:
        return True
