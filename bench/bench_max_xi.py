"""How long does the best xi of hands without wang take, by kind of hand and form of the input?"""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import _native, batch
from paohuzi.benchmark import CONCEALED, Sets

FORMS = {"rows": lambda hands: batch.unpack(hands)[:, :20].copy(), "packed": lambda hands: hands}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CONCEALED)
def test_batch(benchmark: BenchmarkFixture, sets: Sets, name: str, form: str) -> None:
    benchmark.group = f"max_xi, {name}"
    benchmark(batch.max_xi, FORMS[form](sets.hands(name)))


@pytest.mark.parametrize("name", CONCEALED)
def test_one_call_a_hand(benchmark: BenchmarkFixture, sets: Sets, name: str) -> None:
    benchmark.group = f"max_xi, {name}"
    hands = sets.hands(name)
    benchmark(_native.max_xi_each, hands, np.empty(len(hands), np.int8))


@pytest.mark.parametrize("name", CONCEALED)
def test_backtracker(benchmark: BenchmarkFixture, sets: Sets, name: str) -> None:
    benchmark.group = f"max_xi, {name}"
    benchmark.pedantic(batch.max_xi, (sets.hands(name),), {"method": "backtrack"}, rounds=3)


@pytest.mark.parametrize("name", CONCEALED)
def test_textbook_search(benchmark: BenchmarkFixture, sets: Sets, name: str) -> None:
    benchmark.group = f"max_xi, {name}"
    hands = sets.hands(name)
    benchmark.pedantic(_native.plain_search_each, (hands, np.empty(len(hands), np.int8)), rounds=3)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads(benchmark: BenchmarkFixture, sets: Sets, threads: int) -> None:
    benchmark.group = "max_xi, three million hands, by threads"
    benchmark(batch.max_xi, np.concatenate([sets.hands(name) for name in CONCEALED]), threads=threads)
