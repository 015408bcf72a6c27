"""How long does the score of many hands take, beside their best xi?"""

from functools import partial

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import batch
from paohuzi.benchmark import CONCEALED, Sets


@pytest.mark.parametrize("name", CONCEALED)
@pytest.mark.parametrize("preset", ["best xi alone", "qq-basic", "qq-full", "quan-mingtang", "kaixin"])
def test_without_wang(benchmark: BenchmarkFixture, sets: Sets, preset: str, name: str) -> None:
    benchmark.group = f"score, packed, {name}"
    is_xi = preset == "best xi alone"
    benchmark(batch.max_xi if is_xi else partial(batch.score, rules=preset), sets.hands(name))


@pytest.mark.parametrize(("wang", "preset"), [(1, "yongzhou"), (2, "yongzhou"), (4, "yongzhou-4")])
def test_with_wang(benchmark: BenchmarkFixture, sets: Sets, preset: str, wang: int) -> None:
    benchmark.group = "score, winning hands with wang"
    benchmark(batch.score, sets.hands(f"{wang} wang"), rules=preset)
