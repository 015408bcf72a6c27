"""Single questions: what they take, what they give back, and how they refuse."""

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import FrozenInstanceError
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import drafts
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paohuzi import (
    DEFAULT_RULES,
    LUZHOU_RULES,
    Group,
    Hand,
    IllegalHand,
    NotationError,
    Query,
    Rules,
    Solution,
    Tile,
    _native,
    count_divisions,
    divisions,
    heaven_xi,
    is_heaven,
    is_hu,
    is_ready,
    max_xi,
    part_xi,
    ready_discards,
    solve,
    waits,
)

WIN = "122345678900s 122345670b"
NO_WIN = "135790s 1b"
WAITING = "2233456678s 3456999000b"
DISCARDING = "12233456678s 3456999000b"
MID_GAME = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
FOUR_WANGS = "1223377880s 1112370b WWWW"
PACKED_MAX = 1 << 63

Question = Callable[..., Any]


def forms_of(hand: Hand) -> dict[str, Any]:
    """Everything that stands for a hand."""
    counts = np.array(hand.counts, np.uint8)
    return {
        "Query": Query(hand),
        "Hand": hand,
        "text": str(hand),
        "Chinese text": hand.chinese,
        "packed": hand.packed,
        "packed numpy": np.uint64(hand.packed),
        "21 counts": hand.counts,
        "20 counts": list(hand.counts[:20]),
        "21 numpy counts": counts,
        "20 numpy counts": counts[:20],
        "bytes of counts": bytes(hand.counts),
    }


@pytest.mark.parametrize("form", forms_of(Hand.parse(WIN)))
@pytest.mark.parametrize("question", [solve, max_xi, is_hu, count_divisions, part_xi])
def test_every_form_of_a_hand_is_taken(question: Question, form: str) -> None:
    hand = Hand.parse(WIN)
    assert question(forms_of(hand)[form]) == question(Query(hand))


@pytest.mark.parametrize("form", forms_of(Hand.parse(WAITING)))
def test_every_form_of_a_waiting_hand_is_taken(form: str) -> None:
    assert waits(forms_of(Hand.parse(WAITING))[form]) == waits(WAITING)


class TestSolution:
    def test_tells_the_division(self) -> None:
        solution = solve(MID_GAME)
        groups = "ti:0000b; wei:222s; chi:123b; chi:345s; pair:77s; chi:345b; wei:999b"
        assert (solution.hu, solution.xi, solution.route, str(solution)) == (True, 27, "wei", groups)
        assert solution.groups == tuple(Group.parse(text) for text in groups.split("; "))

    def test_tells_that_there_is_none(self) -> None:
        assert solve(NO_WIN) == Solution(False, None, (), None)

    @pytest.mark.parametrize("text", [MID_GAME, NO_WIN, FOUR_WANGS])
    def test_can_be_evaluated_pickled_and_hashed(self, text: str) -> None:
        solution = solve(text)
        assert eval(repr(solution)) == solution
        assert pickle.loads(pickle.dumps(solution)) == solution
        assert hash(solution) == hash(eval(repr(solution)))

    def test_is_an_ordinary_frozen_value(self) -> None:
        solution = solve(MID_GAME)
        assert solution == Solution(solution.hu, solution.xi, solution.groups, solution.route)
        with pytest.raises(FrozenInstanceError):
            solution.xi = 3  # type: ignore[misc]

    def test_needs_rules_that_let_discards_win(self) -> None:
        query = MID_GAME.replace("self", "discard")
        assert solve(query).xi == solve(query, LUZHOU_RULES.with_options({"xi": "classic"})).xi == 24
        assert (solve(query).hu, is_hu(query), next(divisions(query)).hu) == (False, False, False)
        letting = Rules("discards", discards_win=True)
        assert (solve(query, letting).hu, is_hu(query, letting)) == (True, True)
        assert next(divisions(query, letting)).hu

    def test_needs_the_minimum(self) -> None:
        for min_xi, hu in ((18, True), (19, False)):
            rules = Rules("minimum", min_xi=min_xi)
            assert (solve(WIN, rules).hu, is_hu(WIN, rules), next(divisions(WIN, rules)).hu) == (hu, hu, hu)


class TestQuickPath:
    """max_xi and is_hu answer a packed hand under the default rules without Python."""

    def test_has_the_default_rules(self) -> None:
        assert _native.default_options() == DEFAULT_RULES.options

    @settings(max_examples=300, deadline=None)
    @given(drafts.whole_drafts(most_exposed=0))
    def test_answers_as_the_slow_one(self, draft: drafts.Draft) -> None:
        draft.win = draft.source = None
        try:
            hand = Hand.parse(draft.text)
            expected = solve(hand)
        except IllegalHand:
            return
        assert max_xi(hand.packed) == max_xi(hand) == max_xi(hand.packed, DEFAULT_RULES) == expected.xi
        assert is_hu(hand.packed) is is_hu(hand) is is_hu(hand.packed, DEFAULT_RULES) is expected.hu

    @pytest.mark.parametrize("question", [max_xi, is_hu, solve])
    @pytest.mark.parametrize(
        "packed", [-1, PACKED_MAX, 1 << 64, 1 << 200, 5, 7 << 57, 5 << 60, int("4" * 20, 8)]
    )
    def test_refuses_what_is_no_hand(self, question: Question, packed: int) -> None:
        with pytest.raises(IllegalHand):
            question(packed)

    def test_takes_keywords(self) -> None:
        packed = Hand.parse(WIN).packed
        assert max_xi(query=packed, rules=LUZHOU_RULES, method="backtrack") == 24
        assert is_hu(packed, rules=LUZHOU_RULES)

    def test_no_division_is_none(self) -> None:
        assert max_xi(Hand.parse(NO_WIN).packed) is None
        assert max_xi(NO_WIN) is None


class TestRefusal:
    QUESTIONS = (solve, max_xi, is_hu, count_divisions, waits, is_ready, ready_discards, is_heaven, part_xi)

    @pytest.mark.parametrize("question", QUESTIONS)
    @pytest.mark.parametrize(
        ("query", "error"),
        [
            ("12x", NotationError),
            ("11111s", IllegalHand),
            ([5] + [0] * 19, IllegalHand),
            ([1] * 19, IllegalHand),
            ([-1] + [0] * 20, IllegalHand),
            (None, TypeError),
            (1.5, TypeError),
            ([0.5] * 20, TypeError),
            (object(), TypeError),
            (np.zeros((2, 21), np.uint8), IllegalHand),
        ],
    )
    def test_of_what_is_no_query(self, question: Question, query: Any, error: type) -> None:
        with pytest.raises(error):
            question(query)

    @pytest.mark.parametrize("question", [solve, max_xi, is_hu, count_divisions])
    def test_of_an_unknown_method(self, question: Question) -> None:
        with pytest.raises(ValueError, match="'table' or 'backtrack'"):
            question(WIN, method="magic")

    @pytest.mark.parametrize("question", [waits, is_ready])
    def test_of_an_unknown_source(self, question: Question) -> None:
        with pytest.raises(ValueError, match="self, other, discard"):
            question(WAITING, "dealt")

    @pytest.mark.parametrize(
        ("question", "query", "message"),
        [
            (waits, WIN, "21 tiles: with 0 quads a hand that waits has 20"),
            (is_ready, "1s", "1 tiles: with 0 quads a hand that waits has 20"),
            (waits, "3457s 34599b | ti:0000b; ti:1111s; wei:222s", "20 tiles: with 2 quads .* waits has 21"),
            (ready_discards, WAITING, "20 tiles: with 0 quads a hand that must discard has 21"),
            (ready_discards, "34577s 34599b | ti:0000b; wei:222s", "17 tiles: with 1 quad .* discard has 21"),
            (waits, MID_GAME, "without winning tile"),
            (ready_discards, MID_GAME, "without winning tile"),
            (is_heaven, MID_GAME, "as dealt"),
        ],
    )
    def test_names_the_counts_that_fit(self, question: Question, query: str, message: str) -> None:
        with pytest.raises(IllegalHand, match=message):
            question(query)


class TestDivisions:
    @pytest.mark.parametrize("text", [WIN, MID_GAME, FOUR_WANGS, NO_WIN])
    def test_are_counted_without_being_made(self, text: str) -> None:
        found = list(divisions(text))
        assert count_divisions(text) == count_divisions(text, method="backtrack") == len(found)
        assert len(set(found)) == len(found)

    def test_come_best_first(self) -> None:
        found = list(divisions(FOUR_WANGS))
        assert found[0] == solve(FOUR_WANGS)
        xi = [division.xi for division in found]
        assert xi == sorted(xi, reverse=True)

    def test_bad_query_is_refused_at_once(self) -> None:
        with pytest.raises(NotationError):
            divisions("12x")


class TestWaits:
    def test_are_solved_each(self) -> None:
        for tile, solution in waits(WAITING).items():
            assert solution == solve(f"{WAITING} + {tile}@self")

    def test_come_by_face(self) -> None:
        assert list(waits(WAITING)) == sorted(waits(WAITING))

    def test_list_the_wang_where_the_deck_has_a_further_one(self) -> None:
        wang = Tile.parse("W")
        for held in range(5):
            text = f"{'345678890'[: 9 - held]}s 55777b {'W' * held} | peng:999b; chi:1s11b"
            for total in range(5):
                rules = Rules("wangs", wang=total, min_xi=0)
                assert (wang in waits(text, "self", rules)) <= (held < total)
                assert wang not in waits(text, "other", rules)
        one_held = "345678890s 5577b W | peng:999b; chi:1s11b"
        assert wang in waits(one_held, "self", Rules("wangs", wang=2, min_xi=0))

    def test_ready_discards_leave_their_waits(self) -> None:
        found = ready_discards(DISCARDING)
        assert waits(WAITING) == found[Tile.parse("1s")]
        assert list(found) == sorted(found)

    def test_copy_discarded_stays_visible(self) -> None:
        text = "123678s 789b | chi:1s11b; chi:1s11b; chi:123s; chi:345b"
        rules = Rules("any", min_xi=0)
        discard = Tile.parse("1s")
        after = waits(text.replace("123678s", "23678s"), "self", rules)
        assert discard in after
        assert discard not in ready_discards(text, "self", rules)[discard]


class TestHeaven:
    def test_is_made_of_quads_and_triplets(self) -> None:
        assert is_heaven("111122223333s 1234567b")
        assert is_heaven("111222333444555s 12345b")
        assert is_heaven("1111222333444s 111b 4567b")
        assert not is_heaven("11112222s 111222b 345678b")

    def test_counts_no_wangs(self) -> None:
        assert not is_heaven("11112222s 333444b 12b WWWW")

    def test_has_its_sets_and_the_best_of_the_rest(self) -> None:
        assert heaven_xi("111122223333s 1234567b") == 27 + 6
        assert heaven_xi("111122223333s 124567b W") == 27 + 6
        assert heaven_xi(WIN) is None

    def test_part_needs_no_whole_hand(self) -> None:
        assert part_xi("123s 5b | peng:333b") == 6
        assert part_xi([0] * 20) == 0


class TestDoor:
    """The native functions check what they are given, whoever calls."""

    KEY = Query.parse(WIN).key

    @settings(max_examples=300, deadline=None)
    @given(st.binary(min_size=24, max_size=24))
    def test_any_key_is_answered_or_refused(self, key: bytes) -> None:
        try:
            answer = _native.best_xi(key, DEFAULT_RULES.options)
        except ValueError as error:
            answer = _native.FAULT_TEXTS.index(str(error).removeprefix("not a query: "), 1)
        assert answer >= -1

    @pytest.mark.parametrize("key", [b"", KEY[:-1], KEY + b"\0"])
    def test_key_of_another_length_is_refused(self, key: bytes) -> None:
        for function in (_native.best_xi, _native.count_divisions, _native.best_part):
            with pytest.raises(ValueError, match="24 bytes"):
                function(key, DEFAULT_RULES.options)

    @pytest.mark.parametrize(
        ("place", "value", "message"),
        [
            (1, 0xFF, "xi from 0"),
            (39, 0x7F, "xi from 0"),
            (41, 0x7F, "minimum"),
            (42, 2, "0 or 1"),
            (46, 9, "0 or 1"),
        ],
    )
    def test_options_out_of_range_are_refused(self, place: int, value: int, message: str) -> None:
        options = bytearray(DEFAULT_RULES.options)
        options[place] = value
        with pytest.raises(ValueError, match=message):
            _native.best_xi(self.KEY, bytes(options))

    def test_options_of_another_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="47 bytes"):
            _native.best_xi(self.KEY, DEFAULT_RULES.options[:-1])

    @pytest.mark.parametrize(("source", "wang_total"), [(0, 0), (4, 0), (1, 5), (1, -1)])
    def test_waits_of_no_source_or_deck_are_refused(self, source: int, wang_total: int) -> None:
        key = Query.parse(WAITING).key
        for function in (_native.waits, _native.ready_discards):
            with pytest.raises(ValueError, match="expected"):
                function(key, DEFAULT_RULES.options, source, wang_total)

    def test_wrong_types_are_refused(self) -> None:
        with pytest.raises(TypeError):
            _native.best_xi(bytearray(self.KEY), DEFAULT_RULES.options)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            _native.best_xi(None, DEFAULT_RULES.options)  # type: ignore[arg-type]


class TestTables:
    """They are read on first use; what is wrong with them is told, and the backtracker goes on."""

    SCRIPT = """
import sys
import paohuzi
from paohuzi import _native, TableError
_native.__file__ = sys.argv[1] + "/_native.so"
try:
    print(paohuzi.solve("122345678900s 122345670b").xi)
except TableError as error:
    print("TableError:", error)
    print(paohuzi.solve("122345678900s 122345670b", method="backtrack").xi)
try:
    print(paohuzi.solve("1223377880s 1112370b WWWW").xi)
except TableError:
    print("TableError again")
"""

    def answers(self, folder: Path) -> list[str]:
        command = [sys.executable, "-W", "ignore", "-c", self.SCRIPT, str(folder)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        tables = tmp_path / "tables"
        tables.mkdir()
        for path in (Path(_native.__file__).parent / "tables").iterdir():
            (tables / path.name).write_bytes(path.read_bytes())
        return tmp_path

    def test_whole_ones_answer(self, folder: Path) -> None:
        assert self.answers(folder) == ["18", "27"]

    @pytest.mark.parametrize(
        "damage",
        [
            lambda path: path.unlink(),
            lambda path: path.write_bytes(path.read_bytes()[:-1]),
            lambda path: path.write_bytes(path.read_bytes() + b"\0"),
            lambda path: path.write_bytes(bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:]),
            lambda path: path.write_bytes(b""),
        ],
        ids=["missing", "too short", "too long", "one bit flipped", "empty"],
    )
    @pytest.mark.parametrize("name", ["plain.bin", "wang.bin"])
    def test_damaged_ones_are_refused(self, folder: Path, name: str, damage: Callable[[Path], None]) -> None:
        damage(folder / "tables" / name)
        answers = self.answers(folder)
        if name == "plain.bin":
            assert answers[0].startswith("TableError: ")
            assert str(folder) in answers[0]
            assert answers[1:] == ["18", "TableError again"]
        else:
            assert answers == ["18", "TableError again"]

    @pytest.mark.parametrize(
        "manifest",
        ["", "[]", "{}", '{"tables": [{}]}', '{"tables": 3}', '{"tables": []}', '{"tables": [{"name": 3}]}'],
        ids=lambda text: text or "empty",
    )
    def test_damaged_manifest_is_refused(self, folder: Path, manifest: str) -> None:
        (folder / "tables" / "manifest.json").write_text(manifest)
        assert self.answers(folder)[0].startswith("TableError: cannot read the tables")

    @pytest.mark.parametrize("size", [-5, 1 << 80, "x", None])
    def test_size_that_is_none_is_refused(self, folder: Path, size: object) -> None:
        path = folder / "tables" / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["tables"][0]["bytes"] = size
        path.write_text(json.dumps(manifest))
        assert self.answers(folder)[0].startswith("TableError: cannot read the tables")

    def test_another_version_is_refused(self, folder: Path) -> None:
        path = folder / "tables" / "manifest.json"
        manifest = json.loads(path.read_text())
        first = manifest["tables"][0]
        data = bytearray((folder / "tables" / f"{first['name']}.bin").read_bytes())[:-64]
        first["bytes"] = len(data)
        first["sha256"] = sha256(data).hexdigest()
        (folder / "tables" / f"{first['name']}.bin").write_bytes(data)
        path.write_text(json.dumps(manifest))
        assert "version" in self.answers(folder)[0]


class TestManyAtOnce:
    def test_threads_get_the_same_answers(self) -> None:
        texts = [WIN, MID_GAME, FOUR_WANGS, NO_WIN] * 50
        expected = [solve(text) for text in texts]
        found: dict[int, list[Solution]] = {}
        threads = [
            threading.Thread(target=lambda i=i: found.update({i: [solve(text) for text in texts]}))
            for i in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(found[i] == expected for i in range(4))

    def test_first_use_by_many_threads_at_once(self) -> None:
        script = f"""
from concurrent.futures import ThreadPoolExecutor
import paohuzi
with ThreadPoolExecutor(8) as pool:
    print(set(pool.map(lambda _: paohuzi.max_xi({FOUR_WANGS!r}), range(32))))
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout == "{27}\n"

    @pytest.mark.parametrize("delay", [0, 0.002, 0.02, 0.1])
    def test_fork_while_another_thread_reads_the_tables(self, delay: float) -> None:
        script = f"""
import os, threading, time
import paohuzi
def ask():
    os.write(1, b"%d\\n" % paohuzi.max_xi({FOUR_WANGS!r}))
paohuzi.max_xi({FOUR_WANGS!r}, method="backtrack")  # now nothing is left to import but what reads the tables
thread = threading.Thread(target=ask)
thread.start()
time.sleep({delay})
child = os.fork()
if child == 0:
    ask()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
thread.join()
"""
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stdout == "27\n27\n"

    @pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
    def test_processes_get_the_same_answers(self, start: str) -> None:
        texts = [WIN, MID_GAME, FOUR_WANGS, NO_WIN]
        with ProcessPoolExecutor(2, get_context(start)) as pool:
            assert list(pool.map(solve, texts)) == [solve(text) for text in texts]
            assert list(pool.map(max_xi, texts)) == [max_xi(text) for text in texts]
