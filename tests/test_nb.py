"""The functions for compiled code give what the package gives, in Python and inside @njit."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paohuzi
from paohuzi import DEFAULT_RULES, LUZHOU_RULES, Group, Hand, Query, Rules, batch, samples

numba = pytest.importorskip("numba")
nb = pytest.importorskip("paohuzi.nb")

RULES = (DEFAULT_RULES, LUZHOU_RULES, Rules("four wangs", wang=4), Rules("free", kan_splittable=True))
WAITING = "2233456678s 3456999000b"
DISCARDING = "12233456678s 3456999000b"
SOURCES = ("self", "other", "discard")

by_rules = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)


@numba.njit(nogil=True)
def xi_of_all(hands: Any, rules: Any) -> Any:
    xi = np.empty(len(hands), np.int64)
    for row in range(len(hands)):
        xi[row] = nb.max_xi(hands[row], rules)
    return xi


@numba.njit(nogil=True)
def wins_of_all(hands: Any, rules: Any) -> Any:
    hu = np.empty(len(hands), np.bool_)
    for row in range(len(hands)):
        hu[row] = nb.is_hu(hands[row], rules)
    return hu


@numba.njit(nogil=True)
def solve_all(hands: Any, exposed: Any, win: Any, source: Any, rules: Any) -> Any:
    xi = np.empty(len(hands), np.int64)
    for row in range(len(hands)):
        codes = exposed[row]
        packed = nb.pack_exposed(codes[codes > 0])
        xi[row] = nb.solve_xi(hands[row], packed, win[row], source[row], rules)
    return xi


@numba.njit(nogil=True)
def wait_all(hands: Any, source: Any, rules: Any) -> Any:
    masks = np.empty(len(hands), np.int64)
    xi = np.empty((len(hands), 21), np.int16)
    for row in range(len(hands)):
        masks[row] = nb.waits(hands[row], 0, source, rules)
        nb.wait_xi(hands[row], 0, source, rules, xi[row])
    return masks, xi


@numba.njit(nogil=True)
def discard_all(hands: Any, source: Any, rules: Any) -> Any:
    masks = np.empty(len(hands), np.int64)
    for row in range(len(hands)):
        masks[row] = nb.ready_discards(hands[row], 0, source, rules)
    return masks


@by_rules
def test_xi_and_wins_are_those_of_batches(rules: Rules) -> None:
    hands = np.concatenate([samples.random_deals(200, wang=4), samples.winning_hands(200)])
    number = nb.register(rules)
    assert np.array_equal(xi_of_all(hands, number), batch.max_xi(hands, rules=rules))
    assert np.array_equal(wins_of_all(hands, number), batch.is_hu(hands, rules=rules))


@by_rules
def test_xi_of_queries_is_that_of_batches(rules: Rules) -> None:
    rows = samples.mid_game(400, wang=2)
    xi = solve_all(rows.hand, rows.exposed, rows.win, rows.source, nb.register(rules))
    assert np.array_equal(xi, batch.solve(rows, rules=rules).xi)


@by_rules
@pytest.mark.parametrize("source", SOURCES)
def test_waits_are_those_of_batches(rules: Rules, source: str) -> None:
    hands = np.concatenate([samples.waiting_hands(60), samples.waiting_hands(60, wang=2)])
    number = SOURCES.index(source) + 1
    masks, xi = wait_all(hands, number, nb.register(rules))
    assert np.array_equal(masks, batch.waits(hands, source=source, rules=rules))
    assert np.array_equal(xi, batch.wait_xi(hands, source=source, rules=rules))


@by_rules
def test_ready_discards_are_those_of_batches(rules: Rules) -> None:
    hands = samples.winning_hands(30)
    masks = discard_all(hands, nb.OTHER, nb.register(rules))
    assert np.array_equal(masks, batch.ready_discards(hands, source="other", rules=rules))


def test_default_arguments_are_classic_rules_and_an_own_draw() -> None:
    @numba.njit
    def answers(waiting: Any, discarding: Any) -> Any:
        return nb.max_xi(waiting), nb.is_hu(waiting), nb.waits(waiting), nb.ready_discards(discarding)

    waiting, discarding = Hand.parse(WAITING).packed, Hand.parse(DISCARDING).packed
    in_python = (nb.max_xi(waiting), nb.is_hu(waiting), nb.waits(waiting), nb.ready_discards(discarding))
    assert answers(waiting, discarding) == in_python
    assert in_python[:2] == (nb.NO_DIVISION, False)
    assert in_python[2] == batch.waits(np.array([waiting], np.uint64))[0]
    assert in_python[3] == batch.ready_discards(np.array([discarding], np.uint64))[0]


def test_python_calls_give_the_same() -> None:
    query = Query.parse("34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self")
    exposed = nb.pack_exposed([group.code for group in query.exposed])
    assert nb.solve_xi(query.hand.packed, exposed, 18, nb.SELF) == paohuzi.solve(query).xi
    out = np.empty(21, np.int16)
    assert nb.wait_xi(query.hand.packed, exposed, nb.OTHER, 0, out) == 0
    assert {face: xi for face, xi in enumerate(out.tolist()) if xi >= 15} == {6: 22, 8: 21, 16: 21, 18: 24}


@numba.njit
def refusals(hand: Any, exposed: Any, win: Any, source: Any, rules: Any) -> Any:
    out = np.empty(21, np.int16)
    return (
        nb.solve_xi(hand, exposed, win, source, rules),
        nb.waits(hand, exposed, source, rules),
        nb.wait_xi(hand, exposed, source, rules, out),
        nb.ready_discards(hand, exposed, source, rules),
    )


@pytest.mark.parametrize(
    ("hand", "exposed", "win", "source", "rules"),
    [
        (5, 0, 3, 1, 0),
        (1 << 63, 0, 3, 1, 0),
        (4, 159, 3, 1, 0),
        (0, 39, 3, 1, 0),
        (0, 59 << 8, 3, 1, 0),
        (0, 1 << 56, 3, 1, 0),
        (0, 0, 3, 4, 0),
        (0, 0, 3, -1, 0),
        (0, 0, 3, 257, 0),
        (0, 0, 3, 1, -1),
        (0, 0, 3, 1, 64),
        (0, 0, 3, 1, 1 << 40),
    ],
)
def test_what_is_no_query_is_told(hand: int, exposed: int, win: int, source: int, rules: int) -> None:
    arguments = (np.uint64(hand), np.uint64(exposed), win, source, rules)
    assert set(refusals(*arguments)) == {nb.INVALID}


@pytest.mark.parametrize(("win", "source"), [(21, 1), (-2, 1), (277, 1), (20, 2), (-1, 1), (3, 0)])
def test_impossible_winning_tile_is_told(win: int, source: int) -> None:
    assert nb.solve_xi(1, 0, win, source) == nb.INVALID


@pytest.mark.parametrize("packed", [5, 7 << 57, 5 << 60, 1 << 63])
def test_what_is_no_hand_is_told(packed: int) -> None:
    assert xi_of_all(np.array([packed], np.uint64), 0)[0] == nb.max_xi(packed) == nb.INVALID
    assert not nb.is_hu(packed)
    assert nb.max_xi(1, 10**6) == nb.INVALID


def test_seven_codes_fit_and_no_more() -> None:
    codes = [Group.parse(text).code for text in ("chi:123s", "peng:111b")] * 3
    assert nb.pack_exposed([*codes, 1]).to_bytes(8, "little") == bytes([*codes, 1, 0])
    for wrong in ([*codes, 1, 1], [0], [256], [-1]):
        with pytest.raises(ValueError, match="seven group codes"):
            nb.pack_exposed(wrong)


@pytest.mark.parametrize(
    "out",
    [
        np.empty(20, np.int16),
        np.empty(21, np.int8),
        np.empty(42, np.int16)[::2],
        np.frombuffer(bytes(42), np.int16),
    ],
)
def test_array_for_xi_has_one_form(out: np.ndarray) -> None:
    with pytest.raises(ValueError, match="int16 array of 21"):
        nb.wait_xi(0, 0, nb.SELF, 0, out)

    @numba.njit
    def fill(out: Any) -> Any:
        return nb.wait_xi(np.uint64(0), np.uint64(0), 1, 0, out)

    with pytest.raises((ValueError, numba.TypingError)):
        fill(out)


def test_number_too_large_for_the_native_side_is_invalid() -> None:
    whole = Hand.parse("122345678900s 122345670b").packed
    assert nb.max_xi(whole) == 18
    assert nb.max_xi(whole | 1 << 64) == nb.max_xi(whole, 1 << 64) == nb.INVALID
    assert (nb.is_hu(whole), nb.is_hu(whole | 1 << 64)) == (True, False)


def test_rules_keep_their_number() -> None:
    assert nb.register(DEFAULT_RULES) == 0
    assert nb.register(Rules("another name")) == 0
    assert nb.register(LUZHOU_RULES) == nb.register(LUZHOU_RULES) != 0


def test_rules_past_the_last_number_are_refused() -> None:
    script = """
from paohuzi import Rules, nb
try:
    for min_xi in range(100):
        nb.register(Rules("many", min_xi=min_xi))
except ValueError as error:
    print(min_xi, error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "at most 64 different rules" in done.stdout


def test_damaged_tables_are_told_and_the_backtracker_answers(tmp_path: Path) -> None:
    script = """
import sys, warnings
from paohuzi import Hand, _native, nb
_native.__file__ = sys.argv[1]
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print(nb.max_xi(Hand.parse("122345678900s 122345670b").packed), nb.max_xi(0), len(told), told[0].message)
"""
    command = [sys.executable, "-c", script, str(tmp_path / "_native.so")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"18 -1 1 cannot read the tables in {tmp_path / 'tables'}: ")
    assert "install paohuzi again" in done.stdout
    assert "answers are as right, but far slower" in done.stdout


MODULE = """
from numba import njit
from paohuzi import nb


@njit(nogil=True, cache=True)
def count_wins(hands):
    wins = 0
    for hand in hands:
        wins += nb.is_hu(hand)
    return wins
"""
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from wins import count_wins
from paohuzi import Hand
hands = np.array([Hand.parse("122345678900s 122345670b").packed, 7 * 8], np.uint64)
print(count_wins(hands), sum(count_wins.stats.cache_hits.values()))
"""


def test_compiled_code_is_cached_for_the_next_process(tmp_path: Path) -> None:
    (tmp_path / "wins.py").write_text(MODULE)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    answers = [
        subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(2)
    ]
    assert answers == [["1", "0"], ["1", "1"]]


def test_numba_finds_the_entry_point() -> None:
    from importlib.metadata import entry_points

    (point,) = [
        point
        for point in entry_points(group="numba_extensions", name="init")
        if point.value.startswith("paohuzi")
    ]
    assert point.load() is nb.init
    assert point.load()() is None
