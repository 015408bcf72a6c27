"""How long does a mid-game query with exposed groups, winning tile and source take?"""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import batch
from paohuzi.benchmark import Sets


@pytest.mark.parametrize("divisions", [False, True])
def test_solve(benchmark: BenchmarkFixture, sets: Sets, divisions: bool) -> None:
    benchmark.group = "solve, mid-game"
    benchmark(batch.solve, sets.states(), divisions=divisions)


def test_backtracker(benchmark: BenchmarkFixture, sets: Sets) -> None:
    benchmark.group = "solve, mid-game"
    benchmark.pedantic(batch.solve, (sets.states(),), {"method": "backtrack"}, rounds=3)
