"""Batches give row by row what single queries give, from every form of input, and refuse what is no input."""

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import drafts
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paohuzi
from paohuzi import (
    DEFAULT_RULES,
    LUZHOU_RULES,
    Group,
    Hand,
    IllegalHand,
    NotationError,
    Query,
    Rules,
    XiTable,
    batch,
    samples,
    solve,
)
from paohuzi.sharing import CHUNK_ROWS

NO_DIVISION = -1
WIN = "122345678900s 122345670b"
WAITING = "2233456678s 3456999000b"
DISCARDING = "12233456678s 3456999000b"
MID_GAME = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
FOUR_WANGS = Rules("four wangs", wang=4)
RULES = (DEFAULT_RULES, LUZHOU_RULES, FOUR_WANGS, Rules("free", kan_splittable=True, self_draw_forced=False))
by_rules = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)


def hands_of(*texts: str) -> np.ndarray:
    return np.array([Hand.parse(text).packed for text in texts], np.uint64)


def xi_of(packed: int, rules: Rules = DEFAULT_RULES, wang: int = 0) -> int:
    xi = paohuzi.max_xi(int(packed) + (int(wang) << 60), rules=rules)
    return NO_DIVISION if xi is None else xi


@pytest.fixture(scope="module")
def deals() -> np.ndarray:
    return np.concatenate([samples.random_deals(300, wang=4), samples.winning_hands(300)])


@pytest.fixture(scope="module")
def mid_game() -> batch.Queries:
    return samples.mid_game(600, wang=2)


@pytest.fixture(scope="module")
def rows(deals: np.ndarray) -> np.ndarray:
    return batch.unpack(deals)


@pytest.fixture(scope="module")
def waiting() -> np.ndarray:
    hands = np.concatenate([samples.waiting_hands(150), samples.waiting_hands(150, wang=2)])
    return np.concatenate([hands, samples.random_deals(30, tiles=19), samples.random_deals(30, wang=3)])


def row_text(queries: batch.Queries, row: int) -> str:
    """The notation of a row, by another way than the package takes."""
    hand = Hand.from_packed(int(queries.hand[row]))
    exposed = "; ".join(str(Group.from_code(int(code))) for code in queries.exposed[row] if code)
    face = int(queries.win[row])
    if face < 0:
        return f"{hand} | {exposed}"
    source = (None, "self", "other", "discard")[queries.source[row]]
    return f"{hand} | {exposed} + {paohuzi.Tile(face)}@{source}"


class TestXi:
    @by_rules
    def test_is_that_of_single_queries(self, deals: np.ndarray, rules: Rules) -> None:
        assert batch.max_xi(deals, rules=rules).tolist() == [xi_of(packed, rules) for packed in deals]

    @by_rules
    def test_is_that_of_the_backtracker(self, deals: np.ndarray, rules: Rules) -> None:
        by_backtrack = batch.max_xi(deals, rules=rules, method="backtrack")
        assert np.array_equal(batch.max_xi(deals, rules=rules), by_backtrack)

    def test_has_the_dtype_and_shape_of_the_answer(self, deals: np.ndarray) -> None:
        xi, hu = batch.max_xi(deals), batch.is_hu(deals)
        assert (xi.dtype, xi.shape, hu.dtype, hu.shape) == (np.int8, deals.shape, np.bool_, deals.shape)

    @by_rules
    def test_decides_the_win(self, deals: np.ndarray, rules: Rules) -> None:
        xi = batch.max_xi(deals, rules=rules)
        assert np.array_equal(batch.is_hu(deals, rules=rules), xi >= rules.min_xi)

    def test_of_queries_is_that_of_solve(self, mid_game: batch.Queries) -> None:
        solved = batch.solve(mid_game)
        assert np.array_equal(batch.max_xi(mid_game), solved.xi)
        assert np.array_equal(batch.is_hu(mid_game), solved.hu)

    @pytest.mark.parametrize("count", [0, 1, 2, 255, 256, 257])
    def test_of_any_number_of_rows(self, deals: np.ndarray, count: int) -> None:
        assert batch.max_xi(deals[:count]).tolist() == batch.max_xi(deals)[:count].tolist()

    def test_wider_than_int8_is_refused(self) -> None:
        rich = Rules("rich", xi=replace(XiTable.CLASSIC, r123=(100, 100)))
        with pytest.raises(ValueError, match="up to 127"):
            batch.max_xi(hands_of(WIN), rules=rich)
        assert batch.solve(batch.queries([WIN]), rules=rich).xi.tolist() == [209]
        assert batch.is_hu(hands_of(WIN, "1s"), rules=rich).tolist() == [True, False]


class TestFormsOfHands:
    def test_rows_are_packed_and_unpacked_again(self, deals: np.ndarray, rows: np.ndarray) -> None:
        assert np.array_equal(batch.pack(rows), deals)
        assert [tuple(row) for row in rows.tolist()] == [Hand.from_packed(int(hand)).counts for hand in deals]
        assert np.array_equal(batch.pack(np.asfortranarray(rows)), deals)

    def test_every_layout_gives_the_same(self, deals: np.ndarray, rows: np.ndarray) -> None:
        wide = np.zeros((len(rows), 50), np.uint8)
        wide[:, 7:49:2] = rows
        layouts = {
            "packed": deals,
            "packed, every other": np.repeat(deals, 2)[::2],
            "packed, backwards": deals[::-1].copy()[::-1],
            "packed, not aligned": np.frombuffer(b"\0" + deals.tobytes(), np.uint64, offset=1),
            "rows": rows,
            "columns": np.asfortranarray(rows),
            "padded rows": np.pad(rows, ((0, 0), (3, 5)))[:, 3:24],
            "every other column": wide[:, 7:49:2],
            "rows backwards": rows[::-1].copy()[::-1],
            "read-only": np.frombuffer(rows.tobytes(), np.uint8).reshape(rows.shape),
        }
        for name, hands in layouts.items():
            assert np.array_equal(batch.max_xi(hands), batch.max_xi(deals)), name
            assert np.array_equal(batch.waits(hands), batch.waits(deals)), name

    def test_one_row_may_stand_for_many(self, rows: np.ndarray) -> None:
        same = np.broadcast_to(rows[400], (1000, 21))
        assert set(batch.max_xi(same)) == {batch.max_xi(rows)[400]}

    def test_rows_of_twenty_have_no_wang(self, deals: np.ndarray, rows: np.ndarray) -> None:
        without = deals & np.uint64((1 << 60) - 1)
        assert np.array_equal(batch.max_xi(rows[:, :20]), batch.max_xi(without))

    @pytest.mark.parametrize("form", ["packed", "20", "21"])
    def test_wangs_may_come_beside_the_hands(self, form: str) -> None:
        hands = samples.winning_hands(50)
        rows = batch.unpack(hands)
        given = {"packed": hands, "20": rows[:, :20], "21": rows}[form]
        wang = np.arange(50, dtype=np.uint8) % 3
        expected = [xi_of(hand, wang=count) for hand, count in zip(hands, wang, strict=True)]
        assert batch.max_xi(given, wang).tolist() == expected
        assert batch.max_xi(given, wang.astype(np.int64)).tolist() == expected
        assert batch.max_xi(given, 1).tolist() == [xi_of(hand, wang=1) for hand in hands]
        assert batch.max_xi(given, 1, method="backtrack").tolist() == batch.max_xi(given, 1).tolist()

    def test_wangs_beside_are_added_to_those_held(self) -> None:
        hands = hands_of("1223377880s 1112370b WW")
        assert batch.max_xi(hands, 2).tolist() == [27]
        assert batch.max_xi(batch.unpack(hands), 2).tolist() == [27]


class TestThreads:
    def test_give_the_same(self) -> None:
        hands = samples.random_deals(3 * CHUNK_ROWS + 5)
        assert np.array_equal(batch.max_xi(hands, threads=3), batch.max_xi(hands))
        assert np.array_equal(batch.is_hu(hands, threads=2), batch.is_hu(hands))

    def test_may_be_the_callers_own(self, deals: np.ndarray) -> None:
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: batch.max_xi(deals), range(8)))
        assert all(np.array_equal(answer, answers[0]) for answer in answers)

    def test_name_the_first_bad_row_of_all(self) -> None:
        hands = np.zeros(2 * CHUNK_ROWS, np.uint64)
        hands[[CHUNK_ROWS - 1, -1]] = 7
        with pytest.raises(IllegalHand, match=f"row {CHUNK_ROWS - 1}:"):
            batch.max_xi(hands, threads=2)


class TestOut:
    def test_is_filled_and_returned(self, deals: np.ndarray) -> None:
        xi, hu = np.empty(len(deals), np.int8), np.empty(len(deals), np.bool_)
        assert batch.max_xi(deals, out=xi) is xi
        assert np.array_equal(xi, batch.max_xi(deals))
        assert batch.is_hu(deals, out=hu) is hu
        assert np.array_equal(hu, batch.is_hu(deals))

    @pytest.mark.parametrize(
        ("out", "error", "message"),
        [
            (np.empty(3, np.int16), TypeError, "dtype int8, got int16"),
            ([0, 0, 0], TypeError, "got list"),
            (np.empty(2, np.int8), ValueError, r"shape \(3,\), got \(2,\)"),
            (np.empty(6, np.int8)[::2], ValueError, "contiguous"),
            (np.broadcast_to(np.int8(0), 3), ValueError, "writeable"),
        ],
    )
    def test_of_another_kind_is_refused(self, out: Any, error: type, message: str) -> None:
        with pytest.raises(error, match=message):
            batch.max_xi(np.zeros(3, np.uint64), out=out)

    def test_may_not_overlap_the_input(self) -> None:
        hands = np.zeros((8, 21), np.uint8)
        with pytest.raises(ValueError, match="overlap"):
            batch.max_xi(hands, out=hands.reshape(-1)[:8].view(np.int8))
        wang = np.zeros(8, np.uint8)
        with pytest.raises(ValueError, match="overlap"):
            batch.max_xi(np.zeros(8, np.uint64), wang, out=wang.view(np.int8))


class TestBadInput:
    @pytest.mark.parametrize(
        ("hands", "error", "message"),
        [
            (np.zeros(3, np.int64), TypeError, "uint8 or packed as uint64, got dtype <i8"),
            (np.array([5, -1]), TypeError, r"negative value, -1, at \(1,\)"),
            (np.full((2, 21), -1, np.int8), TypeError, r"negative value, -1, at \(0, 0\)"),
            (np.zeros(3, ">u8"), TypeError, ">u8"),
            (np.zeros((3, 21)), TypeError, "<f8"),
            ([[1] * 21], TypeError, "<i8"),
            ("123s", TypeError, "<U4"),
            (np.zeros((3, 19), np.uint8), ValueError, r"\(3, 19\)"),
            (np.zeros(21, np.uint8), ValueError, r"\(21,\)"),
            (np.zeros((3, 1), np.uint64), ValueError, r"\(3, 1\)"),
            (np.zeros((), np.uint64), ValueError, r"\(\)"),
            (np.zeros((2, 3, 21), np.uint8), ValueError, r"\(2, 3, 21\)"),
        ],
    )
    @pytest.mark.parametrize("answer", [batch.max_xi, batch.waits, batch.ready_discards, batch.missing_tiles])
    def test_of_another_kind_is_refused(self, hands: Any, error: type, message: str, answer: Any) -> None:
        with pytest.raises(error, match=message):
            answer(hands)

    @pytest.mark.parametrize(
        ("hand", "message"),
        [
            (5 << 3 * 6, r"row 2: 5 copies of 7s \(七\)"),
            (7 << 3 * 19, r"row 2: 7 copies of 0b \(拾\)"),
            (5 << 60, r"row 2: 5 wangs"),
            (1 << 63, r"row 2: bit 63"),
        ],
    )
    @pytest.mark.parametrize("answer", [batch.max_xi, batch.is_hu, batch.waits, batch.wait_xi, batch.unpack])
    def test_packed_number_that_is_no_hand_is_named(self, hand: int, message: str, answer: Any) -> None:
        hands = np.array([0, 1, hand, hand], np.uint64)
        with pytest.raises(IllegalHand, match=message):
            answer(hands)

    @pytest.mark.parametrize("hand", [5 << 3 * 6, 7 << 3 * 19, 5 << 60, 1 << 63])
    @pytest.mark.parametrize(
        "answer",
        [
            partial(batch.max_xi, method="backtrack"),
            partial(batch.max_xi, wang=np.zeros(3, np.uint8), rules=LUZHOU_RULES),
            partial(batch.is_hu, rules=LUZHOU_RULES),
            partial(batch.waits, source="other"),
            partial(batch.wait_xi, method="backtrack"),
            batch.ready_discards,
            batch.missing_tiles,
        ],
    )
    def test_packed_number_that_is_no_hand_is_named_on_the_slow_path_too(
        self, hand: int, answer: Any
    ) -> None:
        with pytest.raises(IllegalHand, match=r"row 2: (5|7|bit)"):
            answer(np.array([0, 1, hand], np.uint64))
        answer(np.array([0, 1, 4 << 3 * 6 | 4 << 3 * 19 | 4 << 60], np.uint64))

    @pytest.mark.parametrize("face", [0, 7, 8, 15, 16, 19, 20])
    @pytest.mark.parametrize("count", [5, 8, 127, 128, 255])
    def test_counts_that_are_no_hand_are_named(self, face: int, count: int) -> None:
        rows = np.zeros((300, 21), np.uint8)
        rows[270, face] = count
        what = "wangs" if face == 20 else "copies"
        for answer in (batch.max_xi, batch.waits, batch.pack, batch.ready_discards):
            with pytest.raises(IllegalHand, match=f"row 270: {count} {what}"):
                answer(rows)

    def test_too_many_wangs_are_named(self) -> None:
        hands = hands_of("1s WWW", "1s")
        for form in (hands, batch.unpack(hands)):
            with pytest.raises(IllegalHand, match=r"row 0: 5 wangs \(王\), expected at most 4"):
                batch.max_xi(form, np.array([2, 4], np.uint8))

    @pytest.mark.parametrize(
        ("wang", "error", "message"),
        [
            (1.0, TypeError, "wang of dtype uint8, got float64"),
            (-1, ValueError, "wang from 0 to 255, got -1"),
            (np.zeros(3, np.uint8), ValueError, r"shape \(2,\), got \(3,\)"),
            (5, IllegalHand, "row 0: 5 wangs"),
        ],
    )
    def test_wangs_of_another_kind_are_refused(self, wang: Any, error: type, message: str) -> None:
        with pytest.raises(error, match=message):
            batch.max_xi(np.zeros(2, np.uint64), wang)

    def test_wangs_beside_queries_are_refused(self, mid_game: batch.Queries) -> None:
        with pytest.raises(ValueError, match="no wang beside Queries"):
            batch.max_xi(mid_game, 1)

    @pytest.mark.parametrize("threads", [0, -1])
    def test_threads_from_one_up(self, threads: int) -> None:
        with pytest.raises(ValueError, match="threads"):
            batch.max_xi(np.zeros(2, np.uint64), threads=threads)

    def test_unknown_method_and_source_are_refused(self) -> None:
        with pytest.raises(ValueError, match="'table' or 'backtrack'"):
            batch.max_xi(np.zeros(2, np.uint64), method="magic")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="self, other, discard"):
            batch.waits(np.zeros(2, np.uint64), source="dealt")

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=5))
    def test_any_number_is_answered_or_refused(self, numbers: list[int]) -> None:
        try:
            expected = [Hand.from_packed(number) for number in numbers]
        except IllegalHand:
            with pytest.raises(IllegalHand):
                batch.max_xi(np.array(numbers, np.uint64))
        else:
            assert len(batch.max_xi(np.array(numbers, np.uint64))) == len(expected)


class TestQueries:
    @settings(max_examples=300, deadline=None)
    @given(st.lists(drafts.whole_queries(), min_size=1, max_size=4), st.sampled_from(RULES))
    def test_are_solved_as_single_ones(self, texts: list[str], rules: Rules) -> None:
        rows = batch.queries(texts, keep_errors=True)
        solved = batch.solve(rows, rules=rules, divisions=True)
        for row, text in enumerate(texts):
            assert solution_of(solved, row, rules) == single_solution(text, rules)

    @by_rules
    @pytest.mark.parametrize("method", ["table", "backtrack"])
    def test_of_mid_game_are_solved_as_single_ones(
        self, mid_game: batch.Queries, rules: Rules, method: Any
    ) -> None:
        solved = batch.solve(mid_game, rules=rules, divisions=True, method=method)
        for row in range(len(mid_game)):
            assert solution_of(solved, row, rules) == single_solution(row_text(mid_game, row), rules)

    def test_have_columns(self) -> None:
        rows = batch.queries([MID_GAME, WIN])
        codes = [group.code for group in Query.parse(MID_GAME).exposed]
        assert rows.hand.tolist() == [Query.parse(MID_GAME).hand.packed, Hand.parse(WIN).packed]
        assert rows.exposed.tolist() == [codes + [0] * 4, [0] * 7]
        assert (rows.win.tolist(), rows.source.tolist()) == ([18, -1], [1, 0])
        assert (rows.win.dtype, rows.exposed.dtype, len(rows)) == (np.int8, np.uint8, 2)

    def test_come_from_columns_too(self, mid_game: batch.Queries) -> None:
        columns = (mid_game.exposed, mid_game.win.astype(np.int64), mid_game.source)
        assert batch.Queries(mid_game.hand, *columns) == mid_game
        assert batch.Queries(batch.unpack(mid_game.hand), *columns) == mid_game
        assert hash(batch.Queries(mid_game.hand, *columns)) == hash(mid_game)
        assert batch.Queries(hands_of("1s", "2s"), win=3, source=1).win.tolist() == [3, 3]

    def test_come_from_records_and_slices(self, mid_game: batch.Queries) -> None:
        assert batch.Queries.from_records(mid_game.records) == mid_game
        assert np.array_equal(batch.solve(mid_game[100:200]).xi, batch.solve(mid_game).xi[100:200])

    def test_cannot_be_changed(self, mid_game: batch.Queries) -> None:
        with pytest.raises(ValueError, match="read-only"):
            mid_game.win[0] = 3
        with pytest.raises(AttributeError):
            mid_game.records = mid_game.records  # type: ignore[misc]

    def test_pickle(self, mid_game: batch.Queries) -> None:
        assert pickle.loads(pickle.dumps(mid_game)) == mid_game
        assert pickle.loads(pickle.dumps(batch.queries(["x"], keep_errors=True))).errors.keys() == {0}

    @pytest.mark.parametrize(
        ("columns", "error", "message"),
        [
            ({"exposed": np.zeros((2, 6), np.uint8)}, ValueError, r"exposed of shape \(2, 7\), got \(2, 6\)"),
            ({"win": np.zeros(3, np.int8)}, ValueError, r"win of shape \(2,\), got \(3,\)"),
            ({"win": np.array([1, 200])}, ValueError, "win from -128 to 127, got 1 to 200"),
            ({"source": np.array([1.0, 2.0])}, TypeError, "source of dtype uint8, got float64"),
            ({"source": np.array([1, -1])}, ValueError, "source from 0 to 255, got -1 to 1"),
        ],
    )
    def test_columns_of_another_kind_are_refused(self, columns: Any, error: type, message: str) -> None:
        with pytest.raises(error, match=message):
            batch.Queries(np.zeros(2, np.uint64), **columns)

    def test_what_is_no_queries_is_refused(self, mid_game: batch.Queries) -> None:
        with pytest.raises(TypeError, match=r"expected Queries, .* got ndarray"):
            batch.solve(hands_of(WIN))  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"slice of rows, as \[5:6\], got 5"):
            mid_game[5]  # type: ignore[index]
        with pytest.raises(TypeError, match=r"records of QUERY_DTYPE, got .* object"):
            batch.Queries.from_records(None)  # type: ignore[arg-type]

    def test_unreadable_text_is_named(self) -> None:
        with pytest.raises(NotationError, match=r"row 1: .*suffix"):
            batch.queries(["1s", "123"])
        with pytest.raises(IllegalHand, match=r"row 0: .*5 copies"):
            batch.queries(["11111s"])

    def test_unreadable_text_keeps_its_place(self) -> None:
        rows = batch.queries([WIN, "123", "", "11111s", WIN], keep_errors=True)
        solved = batch.solve(rows)
        assert solved.xi.tolist() == [18, -1, -1, -1, 18]
        assert [row for row in range(5) if solved.error(row)] == [1, 2, 3]
        assert "suffix" in str(solved.error(1))
        assert "5 copies" in str(solved.error(3))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"hand": 5}, "more than four copies"),
            ({"hand": 5 << 60}, "more than four wangs"),
            ({"hand": 1 << 63}, "bit 63"),
            ({"hand": 4, "exposed": [59]}, "more than four copies"),
            ({"exposed": [159, 159]}, "more than four copies"),
            ({"exposed": [159] * 7}, "more than four copies"),
            ({"hand": 3, "exposed": [0, 59]}, "after an empty place"),
            ({"exposed": [39]}, "no known kind"),
            ({"exposed": [79]}, "no known kind"),
            ({"exposed": [179]}, "no known kind"),
            ({"exposed": [255]}, "no known kind"),
            ({"win": 3}, "without a source"),
            ({"source": 1}, "without a winning tile"),
            ({"win": 3, "source": 4}, "unknown source"),
            ({"win": 21, "source": 1}, "outside the faces"),
            ({"win": -2, "source": 1}, "outside the faces"),
            ({"win": 20, "source": 2}, "from another player"),
            ({"hand": 4 << 60, "win": 20, "source": 1}, "more than four wangs"),
            ({"hand": 4, "win": 0, "source": 1}, "more than four copies"),
            ({"hand": 0o4444444}, "more tiles than any hand"),
            ({"exposed": [160, 161, 162, 163, 164, 165, 166]}, "more tiles than any hand"),
        ],
    )
    def test_fault_is_told_row_by_row(self, change: dict[str, Any], message: str) -> None:
        good = batch.queries([WIN, WIN, WAITING])
        records = good.records.copy()
        records[1] = np.zeros((), batch.QUERY_DTYPE)
        records[1]["win"] = -1
        for name, value in change.items():
            records[1][name] = value + [0] * (7 - len(value)) if isinstance(value, list) else value
        rows = batch.Queries.from_records(records)
        solved = batch.solve(rows, divisions=True)
        assert message in str(solved.error(1))
        assert (solved.error(0), solved.error(2)) == (None, None)
        assert solved.xi.tolist() == [18, -1, -1]
        assert solved.groups is not None
        assert not solved.groups[1].any()
        assert batch.waits(rows).tolist()[:2] == [0, 0]
        assert batch.waits(rows)[2] != 0
        assert set(batch.wait_xi(rows)[1].tolist()) == {-1}
        assert batch.ready_discards(rows)[1] == 0
        assert batch.missing_tiles(rows).tolist() == [0, 0, 1]

    @settings(max_examples=300, deadline=None)
    @given(st.binary(min_size=24, max_size=24))
    def test_any_bytes_are_answered_or_refused(self, record: bytes) -> None:
        rows = batch.Queries.from_records(np.frombuffer(record, batch.QUERY_DTYPE))
        assert (batch.solve(rows).error(0) is None) == (as_single(rows) is not None)
        assert len(batch.wait_xi(rows)) == len(batch.ready_discards(rows)) == 1

    def test_discards_win_only_where_the_rules_say_so(self) -> None:
        rows = batch.queries([MID_GAME.replace("self", "discard")])
        assert batch.solve(rows).hu.tolist() == [False]
        assert batch.solve(rows, rules=Rules("discards", discards_win=True)).hu.tolist() == [True]


def solution_of(solved: batch.Solutions, row: int, rules: Rules) -> paohuzi.Solution | None:
    """A row as a Solution; None for one with a fault."""
    if solved.error(row):
        return None
    assert solved.groups is not None
    assert solved.route is not None
    if solved.xi[row] == NO_DIVISION:
        assert (solved.route[row], solved.groups[row].any()) == (batch.NO_ROUTE, False)
        return paohuzi.Solution(bool(solved.hu[row]), None, (), None)
    groups = Group.from_natives(solved.groups[row].tolist())
    route = ("dealt", "single", "wei", "ti", "wang", "pao")[solved.route[row]]
    return paohuzi.Solution(bool(solved.hu[row]), int(solved.xi[row]), groups, route)


def single_solution(text: str, rules: Rules) -> paohuzi.Solution | None:
    try:
        return solve(text, rules=rules)
    except IllegalHand:
        return None


def as_single(rows: batch.Queries) -> Query | None:
    """The first row as a Query, None where the values themselves refuse."""
    try:
        codes = rows.exposed[0].tolist()
        if 0 in codes and any(codes[codes.index(0) :]):
            return None
        groups = [Group.from_code(code) for code in codes if code]
        face, source = int(rows.win[0]), int(rows.source[0])
        tile = None if face == NO_DIVISION else paohuzi.Tile(face)
        name = (None, "self", "other", "discard")[source]
        return Query(Hand.from_packed(int(rows.hand[0])), groups, tile, name)
    except (IllegalHand, IndexError):
        return None


class TestWaits:
    @by_rules
    @pytest.mark.parametrize("source", ["self", "other", "discard"])
    def test_are_those_of_single_queries(self, waiting: np.ndarray, rules: Rules, source: str) -> None:
        masks = batch.waits(waiting, source=source, rules=rules)
        xi = batch.wait_xi(waiting, source=source, rules=rules)
        for row, packed in enumerate(waiting):
            expected = single_waits(int(packed), source, rules)
            assert faces_of(masks[row]) == sorted(expected)
            assert {face: xi[row, face] for face in expected} == expected
            assert all(xi[row, face] < rules.min_xi for face in range(21) if face not in expected)

    @by_rules
    def test_are_those_of_the_backtracker(self, waiting: np.ndarray, rules: Rules) -> None:
        by_backtrack = batch.wait_xi(waiting, rules=rules, method="backtrack")
        assert np.array_equal(batch.wait_xi(waiting, rules=rules), by_backtrack)

    @by_rules
    @pytest.mark.parametrize("source", ["self", "other"])
    def test_of_queries_are_those_of_hands(self, waiting: np.ndarray, rules: Rules, source: str) -> None:
        rows = batch.Queries(waiting)
        for answer in (batch.wait_xi, batch.waits):
            of_hands = answer(waiting, source=source, rules=rules)
            assert np.array_equal(answer(rows, source=source, rules=rules), of_hands)

    def test_reach_the_minimum_asked(self) -> None:
        hands = hands_of(WAITING)
        xi = batch.wait_xi(hands)[0]
        for min_xi in (0, 13, 14, 16):
            expected = [face for face in range(21) if xi[face] >= min_xi]
            assert faces_of(batch.waits(hands, min_xi=min_xi)[0]) == expected

    def test_of_many_rows_by_threads(self) -> None:
        hands = samples.random_deals(CHUNK_ROWS + 3, tiles=20)
        assert np.array_equal(batch.waits(hands, threads=2), batch.waits(hands))
        assert np.array_equal(batch.wait_xi(hands, threads=2), batch.wait_xi(hands))

    def test_query_with_a_winning_tile_waits_for_nothing(self) -> None:
        assert batch.waits(batch.queries([MID_GAME])).tolist() == [0]

    def test_missing_tiles_tell_which_hands_wait(self) -> None:
        rows = batch.queries([WAITING, WIN, "1s", MID_GAME, "34577s 34599b | ti:0000b; wei:222s; chi:123b"])
        assert batch.missing_tiles(rows).tolist() == [1, 0, 20, 0, 1]

    def test_a_hand_too_large_for_a_player_lacks_no_number_of_tiles(self) -> None:
        full = int("4" * 6 + "2", 8)  # six quads and a pair
        assert batch.missing_tiles(np.array([full, full - 1], np.uint64)).tolist() == [0, 1]
        hands = np.array([full, full + 1], np.uint64)
        for form in (hands, batch.unpack(hands)):
            with pytest.raises(IllegalHand, match="row 1: 27 tiles, expected at most 26"):
                batch.missing_tiles(form)
        rows = batch.Queries(hands)
        assert batch.missing_tiles(rows).tolist() == [0, 0]
        assert batch.solve(rows).error(1) is not None


class TestReadyDiscards:
    @by_rules
    @pytest.mark.parametrize("source", ["self", "other"])
    def test_are_those_of_single_queries(self, rules: Rules, source: str) -> None:
        deals, wins = samples.random_deals(40, wang=3), samples.winning_hands(20)
        hands = np.concatenate([deals, wins, hands_of(WAITING)])
        masks = batch.ready_discards(hands, source=source, rules=rules)
        for row, packed in enumerate(hands[:-1]):
            if batch.missing_tiles(hands)[row] == 0:
                expected = paohuzi.ready_discards(int(packed), source, rules)
                assert faces_of(masks[row]) == [tile.face for tile in expected]
        assert masks[-1] == 0

    def test_are_those_of_the_backtracker(self) -> None:
        hands = samples.winning_hands(30)
        by_backtrack = batch.ready_discards(hands, method="backtrack")
        assert np.array_equal(batch.ready_discards(hands), by_backtrack)
        assert np.array_equal(batch.ready_discards(batch.Queries(hands)), by_backtrack)

    def test_reach_the_minimum_asked(self) -> None:
        hands = hands_of(DISCARDING)
        best = batch.wait_xi(hands_of(WAITING)).max()
        assert 0 in faces_of(batch.ready_discards(hands, min_xi=best)[0])
        assert batch.ready_discards(hands, min_xi=100).tolist() == [0]


def faces_of(mask: Any) -> list[int]:
    return [face for face in range(32) if int(mask) >> face & 1]


def single_waits(packed: int, source: str, rules: Rules) -> dict[int, int]:
    """The xi of the waits; none for a hand that does not lack one tile."""
    try:
        found = paohuzi.waits(packed, source, rules)
    except IllegalHand:
        return {}
    return {tile.face: solution.xi or 0 for tile, solution in found.items()}


FRESH = """
import numpy as np
from paohuzi import _native, batch
hands = np.load({path!r})
print(_native.simd_level(), *(function(hands).astype(np.int64).sum() for function in ({functions})))
"""


@pytest.mark.parametrize("level", ["avx512", "avx2", "portable"])
@pytest.mark.parametrize(
    "functions",
    ["batch.max_xi, batch.waits", "batch.waits, batch.max_xi", "batch.ready_discards, batch.max_xi"],
)
def test_wang_hands_as_the_first_thing_a_process_asks(functions: str, level: str, tmp_path: Path) -> None:
    hands = np.concatenate([samples.wang_hands(500, 2), samples.waiting_hands(500, wang=3)])
    path = tmp_path / "hands.npy"
    np.save(path, hands)
    code = FRESH.format(path=str(path), functions=functions)
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PAOHUZI_SIMD": level},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    asked = [getattr(batch, name.strip().removeprefix("batch.")) for name in functions.split(",")]
    assert found[1:] == [str(function(hands).astype(np.int64).sum()) for function in asked]
