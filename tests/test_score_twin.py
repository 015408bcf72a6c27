"""The twin of the score knows the golden scores, and keeps the laws that follow from the rules."""

import drafts
import pytest
from golden_scores import IMPOSSIBLE, NUMBERS, SCORES, Case, each_case
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import score_twin as twin
from reference import solver_twin


def numbers_of(score: Case | None) -> tuple[int | None, ...]:
    return tuple(score[name] if score else None for name in NUMBERS)


@each_case(SCORES)
def test_score_is_the_known_one(case: Case) -> None:
    score = twin.score(case["query"], case["rules"], case["context"], **case["options"])
    assert numbers_of(score) == tuple(case[name] for name in NUMBERS)
    names = [name for name, _ in score["fans"]] if score else []
    assert sorted(names) == sorted(case["fans"])


@pytest.mark.parametrize("preset", twin.PRESETS)
@each_case(IMPOSSIBLE)
def test_impossible_context_is_refused(case: Case, preset: str) -> None:
    with pytest.raises(ValueError, match="expected a context that can be"):
        twin.score(case["query"], preset, dict.fromkeys(case["context"], True))


@pytest.mark.parametrize("preset", twin.PRESETS)
def test_every_number_of_red_tiles_has_a_case(preset: str) -> None:
    known = {case["id"] for case in SCORES}
    assert known >= {f"{preset}/red-{count}" for count in (*range(15), 24)}


def test_every_case_has_its_own_name_and_says_why() -> None:
    assert len({case["id"] for case in SCORES}) == len(SCORES)
    assert all(case["note"] for case in SCORES + IMPOSSIBLE)


@settings(max_examples=200, deadline=None)
@given(drafts.whole_drafts(most_wangs=0).map(lambda draft: draft.text))
def test_where_fan_are_fixed_by_the_tiles_the_best_division_has_the_most_xi(text: str) -> None:
    score, xi = twin.score(text, "hunan"), solver_twin.best_xi(twin.parse_query(text))
    wins = solver_twin.is_hu(twin.parse_query(text))
    assert (score and score["xi"]) == (xi if wins else None)


@settings(max_examples=200, deadline=None)
@given(drafts.dealt_hands())
def test_forced_heaven_without_fan_has_the_most_xi(faces: list[int]) -> None:
    text = drafts.format_faces(faces)
    xi = solver_twin.heaven_xi(solver_twin.parse_tiles(text), twin.PRESETS["luzhou"].options)
    if xi is None:
        with pytest.raises(ValueError, match="heaven"):
            twin.score(text, "luzhou", {"heaven": True})
    else:
        score = twin.score(text, "luzhou", {"heaven": True}, no_fan=True, tun_from_nine=True)
        assert numbers_of(score) == (xi - 9 + 1, xi - 9 + 1, xi - 9, xi, 1)


@settings(max_examples=200, deadline=None)
@given(drafts.whole_queries(), st.sampled_from(sorted(twin.PRESETS)))
def test_last_tile_never_lowers_a_payment(text: str, preset: str) -> None:
    if twin.parse_query(text).source not in ("self", "other"):
        return
    plain, last = twin.score(text, preset), twin.score(text, preset, {"last_tile": True})
    assert (plain is None) == (last is None)
    assert plain is None or last["payment"] >= plain["payment"]


def test_room_of_qq_full_pays_three_a_point() -> None:
    assert twin.points(6, winner=1, stake=3) == {0: -18, 1: 36, 2: -18}


def test_seat_that_sits_out_neither_wins_nor_pays() -> None:
    assert twin.points(5, winner=0, seats=(0, 1, 3)) == {0: 10, 1: -5, 3: -5}


@pytest.mark.parametrize(
    ("others", "loss"),
    [
        (("4s", "5s"), 24),
        (("4s | peng:333b", "5s | wei:444b; wei:555s"), 24),  # 3 + 9 = 12
        (("4s | wei:333b", "5s | wei:444b; wei:555s"), 27),  # 6 + 9 = 15
        (("1234s | wei:333b; peng:777b", "1112704s | wei:444b; peng:555s"), 36),  # 12 + 13, rounded down
    ],
)
def test_who_flees_loses_eight_tun_and_those_of_the_others(others: tuple[str, str], loss: int) -> None:
    assert twin.flee_penalty(others) == loss


@pytest.mark.parametrize(
    ("wangs", "points"),
    [
        ((0, 0, 0), [0, 0, 0]),
        ((1, 0, 0), [-10, 5, 5]),
        ((0, 2, 0), [10, -20, 10]),
        ((1, 1, 0), [-5, -5, 10]),
        ((3, 0, 1), [-15, 20, -5]),
        ((1, 2, 1), [0, 0, 0]),
    ],
)
def test_holders_of_wangs_pay_those_without_when_the_hand_is_drawn(
    wangs: tuple[int, ...], points: list[int]
) -> None:
    assert twin.wang_penalty(wangs) == points
    assert twin.wang_penalty(wangs, stake=4) == [4 * each for each in points]
