"""How long do the waits of a hand take, with 0 to 4 wangs, and how long the ready discards?"""

from dataclasses import replace

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import DEFAULT_RULES, batch
from paohuzi.benchmark import Sets

RULES = {0: DEFAULT_RULES, **dict.fromkeys(range(1, 5), replace(DEFAULT_RULES, wang=4))}


@pytest.mark.parametrize("job", [batch.wait_xi, batch.waits])
@pytest.mark.parametrize("wang", RULES)
def test_waits(benchmark: BenchmarkFixture, sets: Sets, wang: int, job: object) -> None:
    benchmark.group = f"waits, {wang} wang"
    benchmark(job, sets.hands(f"waiting, {wang} wang"), rules=RULES[wang])


@pytest.mark.parametrize("name", ["winning hands", "near misses"])
def test_ready_discards(benchmark: BenchmarkFixture, sets: Sets, name: str) -> None:
    benchmark.group = "ready_discards"
    benchmark.pedantic(batch.ready_discards, (sets.hands(name),), rounds=3)
