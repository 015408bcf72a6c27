"""How fast does the quick policy play, and a search look ahead, on one thread and on two?"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import _lookahead, load_rules
from paohuzi.bots import GreedyBot
from paohuzi.game import Game
from paohuzi.search import analyse_position, policy_values
from paohuzi.views import View

PRESET = "qq-half"
HANDS = 5000
ROLLOUTS = 4000
Note = Callable[[str], None]


@pytest.fixture(scope="module")
def look() -> _lookahead.Lookahead:
    return _lookahead.Lookahead(load_rules(PRESET).native)


@pytest.fixture(scope="module")
def view() -> View:
    """A discard in the middle of a hand."""
    game, bot = Game(PRESET, seed=2), GreedyBot()
    while game.question != "discard" or len(game.line) < 8:
        game.step([bot] * 3)
    return game.observe(game.asked)


@contextmanager
def backtracker() -> Iterator[None]:
    _lookahead.prefer_backtracker(True)
    try:
        yield
    finally:
        _lookahead.prefer_backtracker(False)


def seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def test_whole_hands(benchmark: BenchmarkFixture, look: _lookahead.Lookahead) -> None:
    """5,000 hands of three quick players: 100 ms are 50,000 hands a second."""
    benchmark(look.play, 1, HANDS)


def test_imagined_hands(benchmark: BenchmarkFixture, look: _lookahead.Lookahead, view: View) -> None:
    benchmark(look.count_samples, bytes(view.seen), 1, 1000)


def test_one_quick_decision(benchmark: BenchmarkFixture, view: View) -> None:
    benchmark(policy_values, view)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["flat", "ismcts"])
def test_a_decision(benchmark: BenchmarkFixture, view: View, method: str, threads: int) -> None:
    benchmark(analyse_position, view, ROLLOUTS, method=method, threads=threads)


def test_two_threads(benchmark: BenchmarkFixture, note: Note, view: View) -> None:
    def rates() -> list[float]:
        return [
            min(seconds(lambda n=n: analyse_position(view, 5 * ROLLOUTS, threads=n)) for _ in range(3))
            for n in (1, 2)
        ]

    one, two = benchmark.pedantic(rates)
    note(f"search: {5 * ROLLOUTS / one:,.0f} rollouts/s on one thread, {one / two:.2f} times as many on two")


def test_tables_against_the_backtracker(
    benchmark: BenchmarkFixture, note: Note, look: _lookahead.Lookahead, view: View
) -> None:
    def rates() -> tuple[float, float]:
        rollouts = analyse_position(view, ROLLOUTS).rollouts
        hands = min(seconds(lambda: look.play(1, HANDS // 10)) for _ in range(3))
        search = min(seconds(lambda: analyse_position(view, ROLLOUTS)) for _ in range(3))
        return HANDS / 10 / hands, rollouts / search

    tables = benchmark.pedantic(rates)
    with backtracker():
        plain = rates()
    for what, with_tables, without in zip(
        ("whole hands", "rollouts of a search"), tables, plain, strict=True
    ):
        note(f"{what}: {with_tables:,.0f}/s with the tables, {without:,.0f}/s with the backtracker")
