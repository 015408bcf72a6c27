"""The tables against the backtracker, over whole spaces and over random hands by the million.

Each question is asked of some hands in every run, and of very many with the marker `exhaustive`.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from paohuzi import DEFAULT_RULES, LUZHOU_RULES, Hand, Query, Rules, XiTable, batch, count_divisions, samples
from paohuzi.batch import Queries
from paohuzi.query_texts import query_texts

Hands = npt.NDArray[np.uint64]
Sampler = Callable[[int, int], Hands]  # number of hands and seed

FACES = np.arange(20, dtype=np.uint64)
COPY_COUNT, GROUP_COUNT = 4, 7
NO_WIN, WANG_MAX = -1, 4
SIZES = range(21, 27)  # tiles of a whole hand, winning tile and wangs included
CHUNK_ROWS = 1_000_000
MILLION = 1_000_000
THREADS = os.cpu_count() or 1

CROOKED_XI = XiTable(
    peng=(2, 5, 0, 9), kan=(4, 3, 11, 7), pao=(13, 6, 8, 10), ti=(12, 17, 5, 16), r123=(1, 7), r27a=(9, 2)
)
RULES = {
    "classic": DEFAULT_RULES,
    "luzhou": LUZHOU_RULES,
    "crooked": Rules("crooked", xi=CROOKED_XI, min_xi=30),
    "third as wei": Rules("third as wei", third_from_other="wei"),
    "unforced": Rules("unforced", self_draw_forced=False),
    "splittable": Rules("splittable", kan_splittable=True),
    "no wang in quads": Rules("no wang in quads", wang_in_quad=False),
    "no wang in triplets": Rules("no wang in triplets", wang_in_triplet=False),
}

# Name: sampler, hands in every run, hands with the marker.
SPACES: dict[str, tuple[Sampler, int, int]] = {
    "random deals": (lambda count, seed: samples.random_deals(count, seed=seed), 500_000, 80 * MILLION),
    "winning hands": (lambda count, seed: samples.winning_hands(count, seed=seed), 300_000, 10 * MILLION),
    "near misses": (lambda count, seed: samples.near_misses(count, seed=seed), 300_000, 10 * MILLION),
    "1 wang": (lambda count, seed: samples.wang_hands(count, 1, seed=seed), 50_000, 3 * MILLION),
    "2 wangs": (lambda count, seed: samples.wang_hands(count, 2, seed=seed), 30_000, 2 * MILLION),
    "3 wangs": (lambda count, seed: samples.wang_hands(count, 3, seed=seed), 20_000, MILLION),
    "4 wangs": (lambda count, seed: samples.wang_hands(count, 4, seed=seed), 10_000, MILLION),
    "deals with 4 wangs": (
        lambda count, seed: samples.random_deals(count, wang=4, seed=seed),
        100_000,
        MILLION,
    ),
}
every_space = pytest.mark.parametrize("name", SPACES)
all_rules = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def chunks(count: int, first_seed: int) -> Iterator[tuple[int, int]]:
    """Sizes and seeds of the parts that a number of rows is checked in."""
    for part, start in enumerate(range(0, count, CHUNK_ROWS)):
        yield min(CHUNK_ROWS, count - start), first_seed + part


def assert_same_xi(hands: Hands) -> None:
    table = batch.max_xi(hands, threads=THREADS)
    searched = batch.max_xi(hands, method="backtrack", threads=THREADS)
    differ = np.flatnonzero(table != searched)
    shown = [(str(Hand.from_packed(int(hands[row]))), table[row], searched[row]) for row in differ[:5]]
    assert not shown, f"{len(differ)} hands differ, as (hand, xi by table, xi by search) {shown}"


def assert_same_solutions(queries: Queries, rules: Rules) -> None:
    """xi, route and groups alike; rows with a fault have none in both."""
    table, searched = (
        batch.solve(queries, rules=rules, method=method, divisions=True, threads=THREADS)
        for method in ("table", "backtrack")
    )
    same_groups = np.equal(table.groups, searched.groups).all(axis=1)
    rows = np.flatnonzero((table.xi != searched.xi) | (table.route != searched.route) | ~same_groups)
    shown = [(query_text(queries, row), table.xi[row], searched.xi[row]) for row in rows[:5]]
    assert not shown, f"{len(rows)} queries differ, as (query, xi by table, xi by search) {shown}"
    assert np.array_equal(table.hu, searched.hu)


def query_text(queries: Queries, row: int) -> str:
    return query_texts(queries[row : row + 1])[0]


def picked(random: np.random.Generator, counts: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The face of one natural tile at random of each row of counts; 0 for a row without any."""
    through = counts[:, :20].cumsum(axis=1)
    faces: npt.NDArray[np.intp] = (through > random.integers(0, np.maximum(through[:, -1:], 1))).argmax(
        axis=1
    )
    return faces


def one_of(faces: npt.NDArray[Any]) -> Hands:
    """One packed tile of each face."""
    return np.uint64(1) << (np.uint64(3) * faces.astype(np.uint64))


def some_turned_to_wang(random: np.random.Generator, hands: Hands) -> Hands:
    """Up to four natural tiles of each hand become wangs."""
    wanted = random.integers(0, WANG_MAX + 1, len(hands))
    hands = hands.copy()
    for step in range(WANG_MAX):
        counts = batch.unpack(hands)
        rows = np.flatnonzero((wanted > step) & counts[:, :20].any(axis=1) & (counts[:, 20] < WANG_MAX))
        hands[rows] += one_of(np.full(len(rows), 20)) - one_of(picked(random, counts[rows]))
    return hands


def concealed_queries(count: int, seed: int) -> Queries:
    """Whole hands without exposed groups, one natural tile as the winning tile from anywhere."""
    random = np.random.default_rng(seed)
    hands = samples.winning_hands(count, seed=seed)
    win = picked(random, batch.unpack(hands))
    hands = some_turned_to_wang(random, hands - one_of(win))
    return Queries(hands, win=win.astype(np.int8), source=random.integers(1, 4, count, dtype=np.uint8))


def mid_game_queries(count: int, seed: int) -> Queries:
    """States with exposed groups, winning tile and source, and up to four wangs."""
    random = np.random.default_rng(seed)
    drawn = samples.mid_game(count, wang=2, seed=seed)
    is_drawn_wang = drawn.win == 20
    hands = np.where(is_drawn_wang, drawn.hand, some_turned_to_wang(random, drawn.hand))
    return Queries(hands, drawn.exposed, drawn.win, drawn.source)


def one_case_hands(wangs: int) -> Iterator[Hands]:
    """Every hand of small tiles only that has the size of a whole hand with so many wangs, size by size."""
    hands, sizes = np.zeros(1, np.uint64), np.zeros(1, np.uint8)
    for face in FACES[:10]:
        counts = np.arange(COPY_COUNT + 1)
        hands = np.add.outer(hands, counts.astype(np.uint64) << (np.uint64(3) * face)).ravel()
        sizes = np.add.outer(sizes, counts.astype(np.uint8)).ravel()
    for size in SIZES:
        yield hands[sizes == size - wangs] + (np.uint64(wangs) << np.uint64(60))


def in_big(hands: Hands) -> Hands:
    """Hands of small tiles with big ones in their place."""
    case = np.uint64((1 << 30) - 1)
    return (hands & case) << np.uint64(30) | hands & ~case


def quad_counts(hands: Hands) -> npt.NDArray[np.intp]:
    counts: npt.NDArray[np.intp] = (batch.unpack(hands)[:, :20] == COPY_COUNT).sum(axis=1)
    return counts


@every_space
def test_best_xi_of_many_hands(name: str) -> None:
    sample, count, _ = SPACES[name]
    assert_same_xi(sample(count, 1))


@pytest.mark.exhaustive
@every_space
def test_best_xi_of_very_many_hands(name: str) -> None:
    sample, _, count = SPACES[name]
    for rows, seed in chunks(count, first_seed=1000):
        assert_same_xi(sample(rows, seed))


def test_best_xi_of_every_one_case_hand_with_its_own_quads() -> None:
    for size, hands in zip(SIZES, one_case_hands(0), strict=True):
        whole = hands[np.maximum(quad_counts(hands), 1) == size - 20]
        assert len(whole) > 0
        assert_same_xi(whole)
        assert_same_xi(in_big(whole))


@pytest.mark.exhaustive
@pytest.mark.parametrize("wangs", range(WANG_MAX + 1))
def test_best_division_of_every_one_case_hand(wangs: int) -> None:
    for hands in one_case_hands(wangs):
        assert_same_solutions(Queries(hands), DEFAULT_RULES)
        assert_same_solutions(Queries(in_big(hands)), DEFAULT_RULES)


@all_rules
def test_best_division_of_many_queries(rules: Rules) -> None:
    assert_same_solutions(concealed_queries(20_000, 2), rules)
    assert_same_solutions(mid_game_queries(40_000, 2), rules)


@pytest.mark.exhaustive
@all_rules
def test_best_division_of_very_many_queries(rules: Rules) -> None:
    for rows, seed in chunks(2 * MILLION if rules is DEFAULT_RULES else 300_000, first_seed=2000):
        assert_same_solutions(concealed_queries(rows, seed), rules)
        assert_same_solutions(mid_game_queries(rows, seed), rules)


def assert_same_waits(hands: Hands | Queries, source: str, rules: Rules) -> None:
    table, searched = (
        batch.wait_xi(hands, source=source, rules=rules, method=method, threads=THREADS)
        for method in ("table", "backtrack")
    )
    rows = np.flatnonzero((table != searched).any(axis=1))
    assert not len(rows), f"{len(rows)} rows differ, the first is {rows[0]} of {source}"
    masks = batch.waits(hands, source=source, rules=rules, threads=THREADS)
    is_wait = searched >= max(rules.min_xi, 0)
    assert np.array_equal(masks, (is_wait << np.arange(21)).sum(axis=1))


def waiting_queries(count: int, seed: int) -> Queries:
    """Mid-game states without their winning tile."""
    states = mid_game_queries(count, seed)
    return Queries(states.hand, states.exposed)


every_source = pytest.mark.parametrize("source", ["self", "other", "discard"])


@every_source
def test_waits_of_many_hands(source: str) -> None:
    rules = replace(DEFAULT_RULES, wang=4)
    for wangs, count in enumerate((20_000, 5_000, 3_000, 1_000, 500)):
        assert_same_waits(samples.waiting_hands(count, wang=wangs, seed=3), source, rules)
    assert_same_waits(waiting_queries(5_000, 3), source, rules)


@pytest.mark.exhaustive
@every_source
@all_rules
def test_waits_of_very_many_hands(source: str, rules: Rules) -> None:
    share = 1 if rules is DEFAULT_RULES else 10
    rules = replace(rules, wang=4)
    for wangs, count in enumerate((500_000, 100_000, 50_000, 20_000, 10_000)):
        assert_same_waits(samples.waiting_hands(count // share, wang=wangs, seed=3000), source, rules)
    assert_same_waits(waiting_queries(100_000 // share, 3000), source, rules)


def assert_same_discards(hands: Hands | Queries, rules: Rules) -> None:
    table, searched = (
        batch.ready_discards(hands, rules=rules, method=method, threads=THREADS)
        for method in ("table", "backtrack")
    )
    assert np.array_equal(table, searched)


def test_ready_discards_of_many_hands() -> None:
    assert_same_discards(samples.near_misses(2_000, seed=4), DEFAULT_RULES)
    assert_same_discards(samples.wang_hands(300, 2, seed=4), replace(DEFAULT_RULES, wang=4))


@pytest.mark.exhaustive
@all_rules
def test_ready_discards_of_very_many_hands(rules: Rules) -> None:
    assert_same_discards(samples.near_misses(50_000, seed=4000), rules)
    for wangs in range(1, WANG_MAX + 1):
        assert_same_discards(samples.wang_hands(4_000 // wangs, wangs, seed=4000), replace(rules, wang=4))


def assert_same_counts(hands: Hands) -> None:
    for hand in map(int, hands):
        assert count_divisions(hand) == count_divisions(hand, method="backtrack"), Query(
            Hand.from_packed(hand)
        )


def test_number_of_divisions_of_many_hands() -> None:
    assert_same_counts(samples.random_deals(5_000, seed=5))
    assert_same_counts(samples.winning_hands(5_000, seed=5))


@pytest.mark.parametrize("turn", [lambda hands: hands, in_big], ids=["small", "big"])
def test_every_division_of_one_case_is_found_and_counted(turn: Callable[[Hands], Hands]) -> None:
    for hands in one_case_hands(0):
        can_be_divided = batch.max_xi(hands, method="backtrack", threads=THREADS) >= 0
        divided = turn(hands[can_be_divided])
        assert_same_solutions(Queries(divided), DEFAULT_RULES)
        assert_same_counts(divided)


@pytest.mark.exhaustive
def test_number_of_divisions_of_every_one_case_hand() -> None:
    for hands in one_case_hands(0):
        assert_same_counts(hands)
        assert_same_counts(in_big(hands))


@pytest.mark.exhaustive
def test_number_of_divisions_of_very_many_hands() -> None:
    assert_same_counts(samples.random_deals(MILLION, seed=5000))
    assert_same_counts(samples.winning_hands(MILLION, seed=5000))
    assert_same_counts(samples.near_misses(MILLION, seed=5000))
