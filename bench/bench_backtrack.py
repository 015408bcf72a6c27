"""How fast is the backtracker, without wang and with 2 and 4? A run of 1 ms is 1 µs a hand."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import batch, count_divisions, divisions
from paohuzi.benchmark import Sets

SETS = ["winning hands", "2 wang", "4 wang"]
HANDS = 1000


@pytest.mark.parametrize("name", SETS)
def test_best_xi(benchmark: BenchmarkFixture, sets: Sets, name: str) -> None:
    benchmark.group = f"backtracker, {name}"
    benchmark(batch.max_xi, sets.hands(name)[:HANDS], method="backtrack")


@pytest.mark.parametrize("name", SETS)
def test_all_divisions_as_values(benchmark: BenchmarkFixture, sets: Sets, name: str) -> None:
    benchmark.group = f"backtracker, {name}"
    hands = sets.hands(name)[:HANDS].tolist()
    benchmark.pedantic(lambda: [list(divisions(hand)) for hand in hands], rounds=3)


@pytest.mark.parametrize("name", SETS)
def test_number_of_divisions(benchmark: BenchmarkFixture, sets: Sets, name: str) -> None:
    benchmark.group = f"backtracker, {name}"
    hands = sets.hands(name)[:HANDS].tolist()
    benchmark.pedantic(lambda: [count_divisions(hand, method="backtrack") for hand in hands], rounds=3)
