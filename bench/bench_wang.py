"""How long does the best xi of winning hands take with 1 to 4 wangs?"""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import batch
from paohuzi.benchmark import Sets


@pytest.mark.parametrize("wang", [1, 2, 3, 4])
def test_batch(benchmark: BenchmarkFixture, sets: Sets, wang: int) -> None:
    benchmark.group = "max_xi, winning hands with wang"
    benchmark(batch.max_xi, sets.hands(f"{wang} wang"))
