"""Who pays whom: wins, drawn hands, flight, titles and beans."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paohuzi.rules import Rules, load_rules, preset_names
from paohuzi.settlement import (
    beans,
    drawn_points,
    flee_penalty,
    next_dealer,
    playing_seats,
    points,
    title,
)

HUNAN_OF_FOUR = load_rules("hunan").with_options({"seats": 4})
tables = st.builds(
    Rules,
    name=st.just("table"),
    seats=st.integers(3, 4),
    stake=st.integers(1, 1000),
    wang=st.just(4),
    wang_penalty=st.integers(0, 255),
)


# --- a win ---


def test_the_room_of_qq_full_has_its_worked_value() -> None:
    # tun 3, fan 2, stake 3: the winner has 36, each loser pays 18
    assert points(3 * 2, 0, "qq-full") == (36, -18, -18)


def test_both_losers_pay_the_same_in_baiwang() -> None:
    assert points(44, 2, "baiwang") == (-44, -44, 88)


def test_of_four_the_seat_opposite_the_dealer_neither_wins_nor_pays() -> None:
    for dealer, out in ((0, 2), (1, 3), (2, 0), (3, 1)):
        playing = playing_seats(HUNAN_OF_FOUR, dealer)
        assert playing == tuple(seat for seat in range(4) if seat != out)
        for winner in playing:
            made = points(5, winner, HUNAN_OF_FOUR, dealer)
            assert (made[out], made[winner], sorted(made)) == (0, 10, [-5, -5, 0, 10])
        with pytest.raises(ValueError, match="expected a seat that plays"):
            points(5, out, HUNAN_OF_FOUR, dealer)


@given(tables, st.integers(0, 10**12), st.data())
def test_points_of_a_win_sum_to_zero(rules: Rules, payment: int, data: st.DataObject) -> None:
    dealer = data.draw(st.integers(0, rules.seats - 1))
    winner = data.draw(st.sampled_from(playing_seats(rules, dealer)))
    made = points(payment, winner, rules, dealer)
    assert (len(made), sum(made), made[winner]) == (rules.seats, 0, 2 * payment * rules.stake)
    losers = [seat for seat in playing_seats(rules, dealer) if seat != winner]
    assert [made[seat] for seat in losers] == [-payment * rules.stake] * 2


# --- a drawn hand ---


@pytest.mark.parametrize(
    ("preset", "wangs", "expected"),
    [
        ("yongzhou", [0, 0, 0], (0, 0, 0)),
        ("yongzhou", [1, 0, 0], (-10, 5, 5)),
        ("yongzhou", [2, 0, 0], (-20, 10, 10)),
        ("yongzhou", [1, 1, 0], (-5, -5, 10)),
        ("yongzhou-4", [3, 0, 1], (-15, 20, -5)),
        ("yongzhou-4", [4, 0, 0], (-40, 20, 20)),
        ("yongzhou-4", [2, 1, 1], (0, 0, 0)),
        ("qq-basic", [0, 0, 0], (0, 0, 0)),
    ],
)
def test_holders_of_wangs_pay_those_without_when_a_hand_is_drawn(
    preset: str, wangs: list[int], expected: tuple[int, ...]
) -> None:
    assert drawn_points(wangs, preset) == expected


@given(tables, st.lists(st.integers(0, 1), min_size=4, max_size=4), st.data())
def test_points_of_a_drawn_hand_sum_to_zero(rules: Rules, wangs: list[int], data: st.DataObject) -> None:
    dealer = data.draw(st.integers(0, rules.seats - 1))
    wangs = wangs[: rules.seats]
    made = drawn_points(wangs, rules, dealer)
    assert sum(made) == 0
    for seat in set(range(rules.seats)) - {*playing_seats(rules, dealer)}:
        assert made[seat] == 0


def test_the_stake_multiplies_the_penalty() -> None:
    rules = load_rules("yongzhou").with_options({"stake": 3})
    assert drawn_points([1, 0, 0], rules) == (-30, 15, 15)


# --- flight, titles, beans ---


@pytest.mark.parametrize(
    ("xi", "penalty"),
    [([0, 0], 24), ([12, 0], 24), ([7, 7], 24), ([8, 7], 27), ([12, 9], 33), ([30, 30], 72)],
)
def test_who_flees_pays_the_room(xi: list[int], penalty: int) -> None:
    assert flee_penalty("qq-full", xi) == penalty


def test_fleeing_has_a_price_in_qq_full_alone() -> None:
    for name in preset_names():
        if name != "qq-full":
            with pytest.raises(ValueError, match=f"expected rules with flee_tun, got {name}"):
                flee_penalty(name, [0, 0])


@pytest.mark.parametrize(
    ("reached", "chinese"),
    [
        *((-100, "包身工"), (0, "包身工"), (29, "包身工"), (30, "短工"), (59, "短工"), (60, "长工")),
        *((179, "佃工"), (180, "贫农"), (4999, "衙役"), (5000, "小财主"), (160999, "丞相")),
        *((161000, "帝王"), (10**9, "帝王")),
    ],
)
def test_titles_by_points(reached: int, chinese: str) -> None:
    assert title(reached, "qq-full").chinese == chinese


def test_without_titles_nobody_has_one() -> None:
    with pytest.raises(ValueError, match="expected rules with titles, got luzhou"):
        title(30, "luzhou")


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_beans_are_points_times_the_factor(reached: int, factor: int) -> None:
    assert beans(reached, factor) == reached * factor


# --- the next hand ---


@pytest.mark.parametrize(
    ("dealer", "winner", "draws", "expected"),
    [(0, 2, 0, 2), (0, 0, 0, 0), (1, None, 1, 1), (1, None, 2, 1), (1, None, 3, 2), (2, None, 3, 0)],
)
def test_who_deals_next(dealer: int, winner: int | None, draws: int, expected: int) -> None:
    assert next_dealer(dealer, winner, draws, "qq-basic") == expected


def test_of_four_the_deal_is_passed_to_the_next_seat() -> None:
    assert next_dealer(3, None, 3, HUNAN_OF_FOUR) == 0


# --- what is refused ---


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: points(-1, 0, "luzhou"), "expected a whole number from 0 as payment, got -1"),
        (lambda: points(1.0, 0, "luzhou"), "expected a whole number from 0 as payment, got 1.0"),
        (lambda: points(1, 3, "luzhou"), r"expected a seat that plays \(0, 1, 2\) as winner, got 3"),
        (lambda: points(1, 0, "luzhou", dealer=3), "expected a seat from 0 to 2 as dealer, got 3"),
        (lambda: points(1, 0, "beijing"), "expected the name of a preset"),
        (lambda: drawn_points([0, 0], "yongzhou"), "expected the wangs of 3 seats, got 2"),
        (lambda: drawn_points([0, 0, 5], "yongzhou"), r"expected 0 to 4 wangs \(王\) of a seat, got 5"),
        (
            lambda: drawn_points([2, 1, 0], "yongzhou"),
            "expected at most the 2 wangs .* of the deck, got 3",
        ),
        (lambda: flee_penalty("qq-full", [-1, 3]), "expected a whole number from 0 as xi, got -1"),
        (lambda: flee_penalty("qq-full", [3]), "expected the xi of two others, got 1"),
        (lambda: title(1.5, "qq-full"), "expected a whole number as points, got 1.5"),
        (lambda: beans(2.5, 3), "expected a whole number as points, got 2.5"),
        (lambda: beans(3, 0), "expected a whole number from 1 as factor, got 0"),
        (lambda: next_dealer(0, 3, 0, "luzhou"), "expected a seat from 0 to 2 as winner, got 3"),
        (lambda: next_dealer(0, None, -1, "luzhou"), "expected a whole number from 0 as draws, got -1"),
    ],
)
def test_what_cannot_be_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
