"""Chi with its bi (docs/rules.md 4.6): the known counts, and the twin."""

import json
from pathlib import Path
from typing import Any

import pytest
from engine_games import action_text, packed
from hypothesis import given
from hypothesis import strategies as st
from reference import chi_twin

from paohuzi import Hand, IllegalHand, NotationError, Tile, _engine
from paohuzi.actions import chi_actions

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "bi.jsonl").read_text(encoding="utf-8").splitlines()
]
FACES = range(20)


def chi_texts(hand: str, face: int) -> list[str]:
    return [action_text(action) for action in _engine.chi_actions(packed(hand), face)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_number_of_actions_is_the_known_one(case: dict[str, Any]) -> None:
    face = Hand.parse(case["tile"]).counts.index(1)
    assert len(chi_texts(case["hand"], face)) == case["actions"]


@st.composite
def crowded_hands(draw: st.DrawFn) -> list[int]:
    """Few faces held often: there chi finds many ways."""
    faces = draw(st.lists(st.sampled_from(FACES), min_size=3, max_size=9, unique=True))
    deck = [face for face in faces for _ in range(4)]
    return sorted(draw(st.permutations(deck))[: draw(st.integers(2, 20))])


@given(crowded_hands(), st.sampled_from(FACES))
def test_actions_are_those_of_the_twin(hand: list[int], face: int) -> None:
    if hand.count(face) == 4:
        return
    hand_counts = Hand.from_counts([hand.count(each) for each in range(21)])
    actions = _engine.chi_actions(hand_counts.packed, face)
    assert actions == sorted(set(actions))
    twin_hand = [each + 1 for each in hand]  # the twin counts faces from 1
    twins = {chi_twin.action_text(action) for action in chi_twin.chi_actions(twin_hand, face + 1)}
    assert {action_text(action) for action in actions} == twins


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_public_function_gives_the_actions(case: dict[str, Any]) -> None:
    actions = chi_actions(case["hand"], case["tile"])
    assert actions == chi_actions(Hand.parse(case["hand"]), Tile.parse(case["tile"]))
    assert [str(action) for action in actions] == chi_texts(case["hand"], Tile.parse(case["tile"]).face)
    assert len(actions) == case["actions"]


def test_public_function_refuses_what_is_no_tile() -> None:
    with pytest.raises(NotationError):
        chi_actions("122334s", "11s")
    with pytest.raises(IllegalHand):
        chi_actions("11111s", "2s")
    with pytest.raises(ValueError, match="expected faces from 0 to 19"):
        chi_actions("122334s", "W")
    for hand, tile in ((5, "2s"), ("122334s", 5), ("122334s", None)):
        with pytest.raises(TypeError, match="expected a text, got "):
            chi_actions(hand, tile)


def test_texts_put_the_chi_group_first_and_the_bi_groups_in_order() -> None:
    assert "chi 123s + 22s2b + 234s" not in chi_texts("122334s 22b", 1)
    assert "chi 123s + 234s + 2s22b" in chi_texts("122334s 22b", 1)


@pytest.mark.parametrize(("hand", "face"), [(5, 0), (1 << 63, 0), (1, 20), (1, -1)])
def test_what_is_no_hand_or_face_is_refused(hand: int, face: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        _engine.chi_actions(hand, face)
