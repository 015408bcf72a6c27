"""How long do single calls take, from Python and inside numba? A run of 1 µs is 1 ns a call."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import Query, max_xi, score, solve, waits
from paohuzi.benchmark import Sets
from paohuzi.query_texts import query_texts

CALLS = 1000


def call_each(call: Callable[[Any], object], arguments: Sequence[Any]) -> None:
    for argument in arguments:
        call(argument)


def test_max_xi_of_a_packed_hand(benchmark: BenchmarkFixture, sets: Sets) -> None:
    benchmark(call_each, max_xi, sets.hands("winning hands")[:CALLS].tolist())


def test_solve_a_query(benchmark: BenchmarkFixture, sets: Sets) -> None:
    benchmark(call_each, solve, [Query.parse(text) for text in query_texts(sets.states(CALLS))])


def test_solve_a_text(benchmark: BenchmarkFixture, sets: Sets) -> None:
    benchmark(call_each, solve, query_texts(sets.states(CALLS)))


def test_score_a_query(benchmark: BenchmarkFixture, sets: Sets) -> None:
    pay = partial(score, rules="qq-full")
    benchmark(call_each, pay, [Query.parse(text) for text in query_texts(sets.states(CALLS))])


def test_waits_of_a_packed_hand(benchmark: BenchmarkFixture, sets: Sets) -> None:
    benchmark(call_each, waits, sets.hands("waiting, 0 wang")[:CALLS].tolist())


def test_numba(benchmark: BenchmarkFixture, sets: Sets) -> None:
    numba = pytest.importorskip("numba")
    from paohuzi import nb

    @numba.njit(nogil=True)
    def total_xi(hands: npt.NDArray[np.uint64]) -> int:
        total = 0
        for hand in hands:
            total += nb.max_xi(hand)
        return total

    hands = sets.hands("winning hands")[:CALLS]
    total_xi(hands)
    benchmark(total_xi, hands)
