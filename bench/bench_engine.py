"""How long do a hand of random legal play, a copy of a hand and a view take?"""

from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import _engine
from paohuzi.rules import load_rules

HANDS = 20_000


@pytest.mark.parametrize("preset", ["qq-half", "luzhou", "yongzhou", "yongzhou-4"])
def test_random_hands(benchmark: BenchmarkFixture, preset: str) -> None:
    """A run of 20,000 hands: 100 ms are 5 µs a hand."""
    benchmark.group = "random play in the core"
    rules = _engine.TableRules(load_rules(preset).native)
    benchmark(_engine.random_play, rules, 0, HANDS)


@pytest.mark.parametrize("preset", ["qq-half", "yongzhou-4"])
def test_states_out_of_games(benchmark: BenchmarkFixture, preset: str) -> None:
    """A run of 20,000 states: 100 ms are 5 µs a state."""
    benchmark.group = "states out of games by a rule of thumb"
    rules = _engine.TableRules(load_rules(preset).native)
    benchmark(_engine.play_states, rules, 1, 0, HANDS)


@pytest.fixture
def table() -> _engine.Table:
    """A hand in the middle of its course."""
    table = _engine.Table(load_rules("qq-half").native)
    table.deal_seed(3)
    for _ in range(12):
        table.apply(Random(1).choice(table.actions()))
    return table


def test_copy(benchmark: BenchmarkFixture, table: _engine.Table) -> None:
    benchmark.group = "one call from Python"
    benchmark(table.copy)


def test_actions(benchmark: BenchmarkFixture, table: _engine.Table) -> None:
    benchmark.group = "one call from Python"
    benchmark(table.actions)


def test_observe(benchmark: BenchmarkFixture, table: _engine.Table) -> None:
    benchmark.group = "one call from Python"
    benchmark(table.observe, 0)


def test_random_hands_by_calls(benchmark: BenchmarkFixture) -> None:
    """200 hands with the choice made in Python."""
    benchmark.group = "random play from Python"

    def play() -> None:
        table = _engine.Table(load_rules("qq-half").native)
        choose = Random(1).choice
        for seed in range(200):
            table.deal_seed(seed)
            while not table.is_over:
                table.apply(choose(table.actions()))

    benchmark(play)
