"""Intervals of means, and the sequential test."""

from __future__ import annotations

from math import inf, nan
from statistics import mean

import numpy as np
import pytest

from paohuzi.arena import Contest, Estimate, Sprt, estimate, play_arena
from paohuzi.arena.estimates import SprtRun, running_estimates, t_quantile
from paohuzi.arena.workers import play_sets

# --- intervals ---


def test_t_is_that_of_the_tables() -> None:
    known = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 10: 2.2281, 29: 2.0452, 30: 2.0423}
    known |= {60: 2.0003, 99: 1.9842, 100: 1.9840, 120: 1.9799, 1000: 1.9623}
    assert {freedom: round(t_quantile(freedom), 4) for freedom in known} == known
    assert round(t_quantile(7, 0.99), 4) == 3.4995


def test_an_interval_stands_around_the_mean() -> None:
    values = [1.0, 4.0, 2.0, 2.5]
    found = estimate(values)
    half = 3.1824 * np.std(values, ddof=1) / 2
    assert found == pytest.approx((2.375, 2.375 - half, 2.375 + half), abs=1e-4)
    assert estimate([3.0]) == Estimate(3.0, None, None)
    assert estimate([]) == Estimate(None, None, None)
    assert estimate([2.0, 2.0]) == Estimate(2.0, 2.0, 2.0)


def test_running_estimates_are_those_of_the_beginnings() -> None:
    values = np.random.default_rng(3).normal(1, 2, 50)
    found = running_estimates(values, [2, 7, 50])
    for count, each in zip([2, 7, 50], found, strict=True):
        assert each == pytest.approx(estimate(values[:count]))


def test_intervals_of_small_arenas_cover() -> None:
    """A bot against itself: the true difference is 0, and 95 of 100 intervals hold it.

    Of 300 arenas 15 should miss it, with a standard deviation of 3.8; intervals of 90 % would miss it 30
    times, those of 99 % 3 times.
    """
    arenas, sets = 300, 8
    played = play_sets(Contest(("random", "random"), "luzhou", 2), range(arenas * sets))
    points = np.array([result.points[0] / 9 for result in played]).reshape(arenas, sets)
    assert np.count_nonzero(points) > points.size / 3, "the hands are not all drawn"
    found = np.array([estimate(of_arena) for of_arena in points])
    means, halves = found[:, 0], found[:, 2] - found[:, 0]
    assert 7 <= np.count_nonzero(np.abs(means) > halves) <= 24
    assert np.count_nonzero(np.abs(means) > 0.8 * halves) > 24, "too narrow ones would be noticed"
    assert np.count_nonzero(np.abs(means) > 1.45 * halves) < 7, "too wide ones as well"


# --- the sequential test ---


def decided(values, sprt: Sprt) -> tuple[str | None, int]:
    """What the test says, and after how many values."""
    test = SprtRun(sprt)
    for value in values:
        test.add(value)
        if test.decided:
            break
    return test.decided, test.count


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "high"), (0.2, "low")])
def test_the_sequential_test_seldom_errs(truth: float, wrong: str) -> None:
    draw = np.random.default_rng(8)
    found = [decided(draw.normal(truth, 0.7, 3000), Sprt(0, 0.2)) for _ in range(300)]
    errors = sum(answer == wrong for answer, _ in found)
    assert 3 <= errors <= 27, "5 % are 15"
    assert all(answer for answer, _ in found)
    assert mean(count for _, count in found) < 120, "a fixed number of sets would have to be 133"


def test_the_sequential_test_is_quick_where_much_is_clear() -> None:
    draw = np.random.default_rng(8)
    assert decided(draw.normal(3, 1, 3000), Sprt()) == ("high", 30)
    assert decided(draw.normal(-3, 1, 3000), Sprt()) == ("low", 30)
    assert decided([0.0] * 100, Sprt()) == ("low", 30)
    assert decided([0.1] * 100, Sprt()) == (None, 100)


def test_the_likelihood_ratio_is_that_of_two_normals() -> None:
    values = np.random.default_rng(2).normal(0.3, 1, 40)
    test = SprtRun(Sprt(-0.1, 0.4))
    for value in values:
        test.add(value)
    spread = np.var(values, ddof=1)
    expected = (np.sum((values + 0.1) ** 2) - np.sum((values - 0.4) ** 2)) / (2 * spread)
    assert test.llr == pytest.approx(expected)
    assert SprtRun(Sprt()).llr == 0


@pytest.mark.parametrize(("names", "answer"), [(("greedy", "random"), "high"), (("random", "greedy"), "low")])
def test_greedy_against_random_is_decided_the_right_way(names: tuple[str, ...], answer: str) -> None:
    outcome = play_arena(names, "qq-half", hands=600, seed=3, sprt=Sprt(-0.1, 0.1))
    assert outcome.test.decided == answer
    assert outcome.hands < 600
    assert outcome.summary()["sprt"]["decided"] == answer
    assert abs(outcome.test.llr) < inf


def test_the_difference_is_the_first_bots_against_the_others() -> None:
    outcome = play_arena(["greedy", "random", "random"], "qq-half", hands=60, seed=3)
    greedy, random = (each.points.mean for each in outcome.standings)
    assert outcome.lead.mean == pytest.approx(greedy - random)
    assert greedy + 2 * random == pytest.approx(0)


@pytest.mark.parametrize("text", ["0.2", "0.2,0", "0,0", "a,b", "0,1,2", "nan,1", "0,inf", ""])
def test_bounds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected LOW,HIGH as 0,0\.2"):
        Sprt.parse(text)


@pytest.mark.parametrize("bounds", [("0", "1"), (None, 1), (0, 10**400), (0, inf), (nan, 1), (True, 2)])
def test_bounds_that_are_no_numbers_are_refused(bounds: tuple[object, object]) -> None:
    with pytest.raises(ValueError, match=r"expected LOW,HIGH as 0,0\.2, got .* and "):
        Sprt(*bounds)
