"""The jobs that are measured in this process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native, batch
from ..columns import Queries, unpack
from ..notation import Hand, Query
from ..query_texts import query_texts
from ..rules import DEFAULT_RULES, Rules
from ..scoring import score
from ..solver import divisions, max_xi, solve
from ..tiles import FACE_COUNT, WANG_MAX
from .sets import CONCEALED, Sets, first_states, unfinished
from .timing import NANO, Measurement, Plan, median_ns, paced_ns

__all__ = [
    "all_divisions",
    "backtracker",
    "batch_max_xi",
    "batch_score",
    "distances",
    "max_xi_of_rows",
    "mid_game",
    "numba_call",
    "python_calls",
    "score_with_wang",
    "single_query",
    "two_threads",
    "waits",
    "wang",
]

WANG_RULES = replace(DEFAULT_RULES, wang=WANG_MAX)
SCORED = ("qq-basic", "qq-full", "quan-mingtang")
SCORED_WITH_WANG = {1: "yongzhou", 2: "yongzhou", 4: "yongzhou-4"}


def max_xi_of_rows(sets: Sets, plan: Plan) -> Iterator[tuple[str, float]]:
    """The time of batch.max_xi from rows of counts, for each set of concealed hands."""
    for name in CONCEALED:
        rows = unpack(sets.hands(name))[:, :FACE_COUNT].copy()
        yield name, median_ns(partial(batch.max_xi, rows), len(rows), plan.repeats)


def batch_max_xi(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """Hands without wang, from rows and packed."""
    for name, ns in max_xi_of_rows(sets, plan):
        hands = sets.hands(name)
        plain = _textbook_max_xi(hands, plan)
        yield Measurement(f"batch.max_xi, uint8 rows, {name}", ns, backtrack=plain)
        ns = median_ns(partial(batch.max_xi, hands), len(hands), plan.repeats)
        yield Measurement(f"batch.max_xi, packed, {name}", ns, backtrack=plain)


def batch_score(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """Scores of hands without wang, from rows and packed, and how many times as long as batch.max_xi."""
    for name in CONCEALED:
        hands = sets.hands(name)
        for form, given in (("uint8 rows", unpack(hands)[:, :FACE_COUNT].copy()), ("packed", hands)):
            xi_ns = median_ns(partial(batch.max_xi, given), len(hands), plan.repeats)
            for preset in SCORED:
                ns = median_ns(partial(batch.score, given, rules=preset), len(hands), plan.repeats)
                yield Measurement(f"batch.score, {preset}, {form}, {name}", ns)
                yield Measurement(f"batch.score / max_xi, {preset}, {form}, {name}", ns / xi_ns, "x")


def score_with_wang(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """Scores of winning hands with wangs, under the presets that have so many."""
    for count, preset in SCORED_WITH_WANG.items():
        hands = sets.hands(f"{count} wang")
        ns = median_ns(partial(batch.score, hands, rules=preset), len(hands), plan.repeats)
        yield Measurement(f"batch.score, {preset}, {count} wang, winning hands", ns)


def single_query(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """One native call a hand."""
    hands = sets.hands("winning hands")
    xi = np.empty(len(hands), np.int8)
    ns = median_ns(partial(_native.max_xi_each, hands, xi), len(hands), plan.repeats)
    yield Measurement("one native query, no batch", ns, backtrack=_textbook_max_xi(hands, plan))


def wang(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """Winning hands with 1 to 4 wangs."""
    for count in range(1, WANG_MAX + 1):
        hands = sets.hands(f"{count} wang")
        ns = median_ns(partial(batch.max_xi, hands), len(hands), plan.repeats)
        plain = _plain_max_xi(hands, plan)
        yield Measurement(f"batch.max_xi, {count} wang, winning hands", ns, backtrack=plain)


def waits(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """The xi of all waits, without wang and with 1 to 4."""
    for count in range(WANG_MAX + 1):
        hands = sets.hands(f"waiting, {count} wang")
        rules = WANG_RULES if count else DEFAULT_RULES
        ns = median_ns(partial(batch.wait_xi, hands, rules=rules), len(hands), plan.repeats)
        plain = paced_ns(partial(_plain_waits, hands, rules), len(hands), plan.seconds)
        yield Measurement(f"batch.wait_xi, {count} wang", ns, backtrack=plain)


def mid_game(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """Exposed groups, winning tile and source."""
    states = sets.states()
    ns = median_ns(partial(batch.solve, states), len(states), plan.repeats)
    plain = paced_ns(partial(_plain_solve, states), len(states), plan.seconds)
    yield Measurement("batch.solve, mid-game with winning tile", ns, backtrack=plain)


def distances(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """How far mid-game hands are from a win."""
    for wang in (0, 2):
        hands = unfinished(sets.states(plan.calls), wang)
        ns = median_ns(partial(batch.distance, hands), len(hands), plan.repeats)
        yield Measurement(f"batch.distance, mid-game, {wang} wang", ns)


def two_threads(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """How much faster two threads are than one."""
    hands = np.concatenate([sets.hands(name) for name in CONCEALED])
    jobs = (partial(batch.max_xi, hands, threads=threads) for threads in (1, 2))
    one, two = (median_ns(job, len(hands), plan.repeats) for job in jobs)
    yield Measurement("batch.max_xi, two threads against one", one / two, "x")


def python_calls(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """Single calls, the loop around them included."""
    hands = sets.hands("winning hands")[: plan.calls].tolist()
    texts = query_texts(sets.states(plan.calls))
    queries = [Query.parse(text) for text in texts]
    won = [Query(Hand.from_packed(hand)) for hand in hands]
    pay = partial(score, rules="qq-full")
    jobs: tuple[tuple[str, Callable[[Any], object], Sequence[Any]], ...] = (
        ("max_xi(packed int)", max_xi, hands),
        ("solve(Query)", solve, queries),
        ("solve(text)", solve, texts),
        ("score(Query), qq-full, mid-game", pay, queries),
        ("score(Query), qq-full, winning hands", pay, won),
    )
    for name, call, arguments in jobs:
        ns = median_ns(partial(_call_each, call, arguments), len(arguments), plan.repeats)
        yield Measurement(f"Python: {name}", ns)


def numba_call(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """A loop of single calls inside compiled code; nothing where numba is missing."""
    try:
        from numba import njit

        from .. import nb
    except ImportError:
        return

    @njit(nogil=True)
    def total_xi(hands: npt.NDArray[np.uint64]) -> int:
        total = 0
        for hand in hands:
            total += nb.max_xi(hand)
        return total

    hands = sets.hands("winning hands")
    ns = median_ns(partial(total_xi, hands), len(hands), plan.repeats)
    yield Measurement("numba: nb.max_xi(packed)", ns)


def backtracker(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """The independent search by itself."""
    for name in ("winning hands", "2 wang", "4 wang"):
        yield Measurement(f"backtracker, best xi, {name}", _plain_max_xi(sets.hands(name), plan))


def all_divisions(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """Every division of a hand as Python values; the median hand."""
    for name in ("winning hands", "2 wang", "4 wang"):
        times = []
        stop = time.perf_counter() + plan.seconds
        for hand in sets.hands(name).tolist():
            query = Query(Hand.from_packed(hand))
            began = time.perf_counter()
            for _ in divisions(query):
                pass
            times.append(time.perf_counter() - began)
            if began > stop:
                break
        yield Measurement(f"divisions, all of a hand, {name}", statistics.median(times) * NANO)


def _call_each(call: Callable[[Any], object], arguments: Sequence[Any]) -> None:
    for argument in arguments:
        call(argument)


def _textbook_max_xi(hands: npt.NDArray[np.uint64], plan: Plan) -> float:
    """The search that anybody would write, for whole hands without wang."""
    xi = np.empty(len(hands), np.int8)

    def search(count: int) -> None:
        _native.plain_search_each(hands[:count], xi[:count])

    return paced_ns(search, len(hands), plan.seconds)


def _plain_max_xi(hands: npt.NDArray[np.uint64], plan: Plan) -> float:
    def search(count: int) -> None:
        batch.max_xi(hands[:count], method="backtrack")

    return paced_ns(search, len(hands), plan.seconds)


def _plain_waits(hands: npt.NDArray[np.uint64], rules: Rules, count: int) -> None:
    batch.wait_xi(hands[:count], rules=rules, method="backtrack")


def _plain_solve(states: Queries, count: int) -> None:
    batch.solve(first_states(states, count), method="backtrack")
