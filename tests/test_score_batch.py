"""Scores by column: row by row those of single queries, from every form of input."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import drafts
import numpy as np
import numpy.typing as npt
import pytest
from golden_scores import IMPOSSIBLE, SCORES, rule_options
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_drafts import themed_queries
from strategies import outcome

from paohuzi import (
    NO_CONTEXT,
    Context,
    Hand,
    IllegalHand,
    NotationError,
    Query,
    Rules,
    batch,
    load_rules,
    preset_names,
    samples,
    score,
)
from paohuzi._native import CONTEXT
from paohuzi.batch import Queries, Scores, unpack
from paohuzi.query_texts import query_texts
from paohuzi.settlement import points
from paohuzi.sharing import CHUNK_ROWS

Hands = npt.NDArray[np.uint64]
COLUMNS = ("payment", "fan", "fans", "base", "xi")
DTYPES = (np.int32, np.int32, np.uint32, np.int16, np.int16)
NO_WIN = (-1, 0, 0, 0, -1)  # the columns of such a row
HEAVEN = "2222444555560000s 4000b"
MILLION = 1_000_000
every_preset = pytest.mark.parametrize("preset", preset_names())


def rows_of(scores: Scores) -> list[tuple[int, ...]]:
    return list(zip(*(getattr(scores, name).tolist() for name in COLUMNS), strict=True))


def single_row(query: Query | int, rules: Rules, context: Context = NO_CONTEXT) -> tuple[int, ...]:
    """The columns of one query, by a call of its own."""
    found = score(query, rules, context)
    if found.payment is None:
        return NO_WIN
    mask = sum(1 << rules.fan_ids.index(fan.id) for fan in found.fans)
    return (found.payment, found.fan or 0, mask, found.base or 0, found.xi or 0)


def assert_same(one: Scores, other: Scores) -> None:
    for name in (*COLUMNS, "status"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def hands_of(*texts: str) -> Hands:
    return np.array([Hand.parse(text).packed for text in texts], np.uint64)


@pytest.fixture(scope="module")
def mixed() -> Hands:
    """Hands of every kind, with up to two wangs, in no order."""
    kinds = [
        samples.winning_hands(600, seed=1),
        samples.random_deals(200, wang=4, seed=1),
        samples.wang_hands(100, 1, seed=1),
        samples.wang_hands(100, 2, seed=1),
    ]
    return np.random.default_rng(1).permutation(np.concatenate(kinds))


# --- the answers ---


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, Context]:
    """A query, mostly one that wins, in a context that may be impossible."""
    draft = drafts.whole_drafts(most_wangs=2).map(lambda draft: draft.text)
    text = draw(draft | themed_queries(2) | drafts.dealt_hands().map(drafts.format_faces))
    told = draw(st.sets(st.sampled_from(CONTEXT), max_size=2))
    return text, Context(**dict.fromkeys(told, True))


@settings(max_examples=150, deadline=None)
@given(st.lists(questions(), max_size=12), st.sampled_from(preset_names()), st.integers(1, 3))
def test_queries_with_contexts_are_scored_as_single_ones(
    asked: list[tuple[str, Context]], preset: str, threads: int
) -> None:
    rules, contexts = load_rules(preset), np.array([context.flags for _, context in asked], np.uint8)
    queries = batch.queries([text for text, _ in asked], keep_errors=True)
    found = batch.score(queries, rules=rules, context=contexts, threads=threads)
    for row, ((text, context), numbers) in enumerate(zip(asked, rows_of(found), strict=True)):
        expected, error = outcome(lambda text, told=context: single_row(Query.parse(text), rules, told), text)
        if expected is None:
            assert found.status[row] > 0
            assert str(error).startswith(found.error(row) or "?")
            assert numbers == NO_WIN
        else:
            assert (found.status[row], found.error(row), numbers) == (0, None, expected)


@pytest.mark.parametrize("preset", preset_names())
def test_impossible_contexts_are_told_row_by_row(preset: str) -> None:
    queries = batch.queries([case["query"] for case in IMPOSSIBLE])
    told = [Context(**dict.fromkeys(case["context"], True)) for case in IMPOSSIBLE]
    found = batch.score(queries, rules=preset, context=np.array([each.flags for each in told], np.uint8))
    for row, (case, context) in enumerate(zip(IMPOSSIBLE, told, strict=True)):
        with pytest.raises(IllegalHand) as refusal:
            score(case["query"], preset, context)
        assert str(refusal.value).startswith(found.error(row))
        assert found.payment[row] == -1


@settings(max_examples=150, deadline=None)
@given(st.lists(drafts.whole_drafts(2, most_exposed=0), max_size=9), st.sampled_from(preset_names()))
def test_whole_hands_are_scored_as_single_ones(whole: list[drafts.Draft], preset: str) -> None:
    rules, texts = load_rules(preset), [drafts.format_faces(draft.hand) for draft in whole]
    expected = [single_row(Query(Hand.parse(text)), rules) for text in texts]
    assert rows_of(batch.score(hands_of(*texts), rules=rules)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "23s WW | peng:999b; wei:666s; chi:0s00b; ti:7777b; wei:555s + 3s@self",
        "34b WW | chi:270s; chi:4s44b; ti:7777b; chi:88s8b; chi:234b + 5b@self",
    ],
)
def test_of_divisions_that_pay_alike_the_first_has_its_fans_told(text: str) -> None:
    rules = load_rules("yongzhou")  # 单王吊, or 红胡 times 自摸
    assert rows_of(batch.score(batch.queries([text]), rules=rules)) == [single_row(Query.parse(text), rules)]


@every_preset
def test_known_scores_come_by_column(preset: str) -> None:
    cases = [case for case in SCORES if case["rules"] == preset]
    for options in {str(case["options"]): case["options"] for case in cases}.values():
        some = [case for case in cases if case["options"] == options]
        rules = load_rules(preset).with_options(rule_options(options))
        contexts = np.array([Context(**case["context"]).flags for case in some], np.uint8)
        found = batch.score(batch.queries([case["query"] for case in some]), rules=rules, context=contexts)
        for row, case in enumerate(some):
            expected = [case[name] for name in ("payment", "fan", "base", "xi")]
            numbers = [getattr(found, name)[row] for name in ("payment", "fan", "base", "xi")]
            assert numbers == ([-1, 0, 0, -1] if case["payment"] is None else expected), case["id"]
            assert sorted(case["fans"]) == sorted(
                part.chinese for part in (*rules.fans, *rules.together) if part.id in found.fan_ids(row)
            )


# --- very many hands ---


def slowly(rules: Rules) -> Rules:
    """Rules that divide whole hands alike, but that the tables do not hold: every division is looked at."""
    return rules.with_options({"third_from_other": "wei"})


@lru_cache(maxsize=3)
def hands_of_a_kind(kind: int, count: int, seed: int) -> Hands:
    sample = (samples.random_deals, samples.winning_hands, samples.near_misses)[kind]
    return sample(count, seed=seed)


def assert_best_of_all_divisions(hands: Hands, rules: Rules) -> None:
    found = batch.score(hands, rules=rules, threads=2)
    searched = batch.score(hands, rules=slowly(rules), threads=2)
    assert_same(found, searched)


@every_preset
def test_many_hands_pay_what_the_best_of_all_their_divisions_pays(preset: str) -> None:
    rules = load_rules(preset)
    for kind in range(3):
        hands = hands_of_a_kind(kind, 70_000, 21)
        assert_best_of_all_divisions(hands, rules)
        found = batch.score(hands, rules=rules)
        rows = rows_of(found)
        assert_same(found, batch.score(unpack(hands)[:, :20].copy(), rules=rules))
        assert_same(found, batch.score(Queries(hands), rules=rules))
        for row in range(0, len(hands), 200):
            assert rows[row] == single_row(int(hands[row]), rules)


@every_preset
def test_many_hands_with_wangs_pay_what_the_best_of_all_their_divisions_pays(preset: str) -> None:
    rules = load_rules(preset)
    for wang, count in enumerate((400, 200, 40, 15), 1):
        assert_best_of_all_divisions(samples.wang_hands(count, wang, seed=22), rules)
    assert_best_of_all_divisions(samples.random_deals(5_000, wang=4, seed=22), rules)


@pytest.mark.exhaustive
@every_preset
def test_very_many_hands_pay_what_the_best_of_all_their_divisions_pays(preset: str) -> None:
    rules = load_rules(preset)
    for seed in range(3000, 3010):
        for kind in range(3):
            assert_best_of_all_divisions(hands_of_a_kind(kind, MILLION, seed), rules)
    for wang, count in enumerate((200_000, 50_000, 10_000, 3_000), 1):
        assert_best_of_all_divisions(samples.wang_hands(count, wang, seed=3000), rules)


@pytest.mark.exhaustive
@every_preset
def test_very_many_mid_game_states_are_scored_as_single_ones(preset: str) -> None:
    rules, states = load_rules(preset), samples.mid_game(200_000, wang=rules_wang(preset), seed=3000)
    found = rows_of(batch.score(states, rules=rules, threads=2))
    for text, numbers in zip(query_texts(states), found, strict=True):
        assert numbers == single_row(Query.parse(text), rules), text


def rules_wang(preset: str) -> int:
    return load_rules(preset).wang


# --- forms of input ---


@pytest.mark.parametrize("preset", ["qq-full", "quan-mingtang", "yongzhou", "luzhou"])
def test_every_form_of_hands_gives_the_same(mixed: Hands, preset: str) -> None:
    rows = unpack(mixed)
    beside, natural = np.ascontiguousarray(rows[:, 20]), rows[:, :20].copy()
    expected = batch.score(mixed, rules=preset)
    twice = np.repeat(mixed, 2)
    wide = np.zeros((len(rows), 30), np.uint8)
    wide[:, 4:25] = rows
    for form in (
        batch.score(rows, rules=preset),
        batch.score(natural, beside, rules=preset),
        batch.score(natural, beside.astype(np.int64), rules=preset),
        batch.score(batch.pack(natural), beside, rules=preset),
        batch.score(twice[::2], rules=preset),
        batch.score(np.repeat(rows, 2, axis=0)[1::2], rules=preset),
        batch.score(np.asfortranarray(rows), rules=preset),
        batch.score(wide[:, 4:25], rules=preset),
        batch.score(rows[::-1][::-1], rules=preset),
        batch.score(Queries(mixed), rules=preset),
        batch.score(Queries(rows), rules=preset),
        batch.score(mixed, rules=load_rules(preset)),
        batch.score(mixed, rules=preset, context=NO_CONTEXT),
        batch.score(mixed, rules=preset, context=0),
        batch.score(mixed, rules=preset, context=np.zeros(len(mixed), np.int64)),
    ):
        assert_same(form, expected)


@pytest.mark.parametrize("wang", range(5))
def test_wangs_beside_are_added_to_those_held(wang: int) -> None:
    natural = unpack(samples.wang_hands(40, 4, seed=3))[:, :20].copy()
    rules = load_rules("yongzhou-4")
    expected = [
        single_row(Query.parse(f"{Hand.from_counts(row.tolist())} {'W' * wang}"), rules) for row in natural
    ]
    assert rows_of(batch.score(natural, wang, rules=rules)) == expected
    assert rows_of(batch.score(batch.pack(natural), wang, rules=rules)) == expected
    held = hands_of("1223377880s 1112370b WW")
    assert rows_of(batch.score(held, 2, rules=rules)) == rows_of(
        batch.score(hands_of("1223377880s 1112370b WWWW"), rules=rules)
    )


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 255, 256, 257])
def test_any_number_of_hands_is_scored(count: int, mixed: Hands) -> None:
    whole = batch.score(mixed, rules="quan-mingtang")
    some = mixed[3 : 3 + count]
    for form in (some, unpack(some), Queries(some)):
        found = batch.score(form, rules="quan-mingtang")
        assert len(found) == count
        assert rows_of(found) == rows_of(whole)[3 : 3 + count]


def test_nothing_gives_nothing() -> None:
    for none in (np.zeros(0, np.uint64), np.zeros((0, 20), np.uint8), batch.queries([])):
        found = batch.score(none, rules="qq-full", threads=4)
        assert [getattr(found, name).tolist() for name in (*COLUMNS, "status")] == [[]] * 6


def test_columns_have_the_documented_types(mixed: Hands) -> None:
    for form in (mixed, Queries(mixed)):
        found = batch.score(form)
        assert [getattr(found, name).dtype for name in COLUMNS] == [np.dtype(dtype) for dtype in DTYPES]
        assert found.status.dtype == np.uint8


def test_input_is_not_changed(mixed: Hands) -> None:
    rows, before = unpack(mixed), mixed.copy()
    rows.flags.writeable = False
    batch.score(rows, rules="yongzhou")
    batch.score(mixed, 1, rules="yongzhou") if unpack(mixed)[:, 20].max() < 4 else None
    assert np.array_equal(mixed, before)


# --- contexts ---


def test_a_context_is_for_all_rows_or_a_column() -> None:
    hands, late = hands_of(HEAVEN, HEAVEN), Context(heaven=True)
    assert batch.score(hands, rules="qq-full", context=late).payment.tolist() == [210, 210]
    assert batch.score(hands, rules="qq-full", context=late.flags).payment.tolist() == [210, 210]
    column = np.array([0, late.flags])
    found = batch.score(hands, rules="qq-full", context=column)
    assert (found.payment.tolist(), found.status.tolist()) == ([-1, 210], [0, 0])


def test_rows_with_a_fault_have_no_win_and_their_error() -> None:
    won = "122345678900s 12234567b + 0b@self"
    queries = batch.queries([won, "x", won.replace("self", "discard"), won, "1s"], keep_errors=True)
    contexts = np.array([Context(last_tile=told).flags for told in (True, True, True, False, True)])
    found = batch.score(queries, rules="qq-half", context=contexts, threads=2)
    assert found.payment.tolist() == [6, -1, -1, 3, -1]
    assert (found.status > 0).tolist() == [False, True, True, False, True]
    assert found.error(0) is found.error(3) is None
    assert found.error(1) == queries.errors[1]
    wanted = "expected a winning tile from the wall, @self or @other, for last_tile (海底)"
    assert found.error(2) == found.error(-1) == wanted


@pytest.mark.parametrize(
    ("context", "error", "message"),
    [
        (64, ValueError, "expected contexts from 0 to 63, got 64"),
        (-1, ValueError, "expected context from 0 to 255, got -1"),
        (np.array([0, 1, 99]), ValueError, "expected contexts from 0 to 63, got 99"),
        (np.zeros(2, np.uint8), ValueError, r"expected context of shape \(3,\), got \(2,\)"),
        (np.zeros(3), TypeError, "expected context of dtype uint8, got float64"),
        (np.ones(3, np.bool_), TypeError, "expected context of dtype uint8, got bool"),
        ("heaven", TypeError, "expected context of dtype uint8"),
    ],
)
def test_a_column_that_is_no_context_is_refused(context: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        batch.score(np.zeros(3, np.uint64), context=context)


def test_a_context_holds_truths_only() -> None:
    with pytest.raises(ValueError, match="expected True or False for dealer, got 1"):
        Context(dealer=1)  # type: ignore[arg-type]
    assert [Context(**{name: True}).flags for name in CONTEXT] == [1, 2, 4, 8, 16, 32]


# --- threads ---


def test_threads_give_the_same() -> None:
    hands = samples.winning_hands(2 * CHUNK_ROWS + 5, seed=2)
    assert_same(batch.score(hands, rules="qq-full", threads=3), batch.score(hands, rules="qq-full"))
    rows = unpack(hands)
    assert_same(batch.score(rows, rules="qq-full", threads=2), batch.score(hands, rules="qq-full"))
    states = samples.mid_game(CHUNK_ROWS + 7, seed=2)
    one, two = (batch.score(states, rules="kaixin", threads=threads) for threads in (1, 2))
    assert_same(one, two)


def test_threads_may_be_the_callers_own(mixed: Hands) -> None:
    presets = [*preset_names()] * 3
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda preset: batch.score(mixed[:300], rules=preset), presets))
    for preset, found in zip(presets, answers, strict=True):
        assert_same(found, batch.score(mixed[:300], rules=preset))


def test_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="expected threads from 1 up, got 0"):
        batch.score(np.zeros(3, np.uint64), threads=0)


# --- what is no input ---


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("hand", "message"),
    [(5, "5 copies of 1s"), (7 << 30, "7 copies of 1b"), (5 << 60, "5 wangs"), (1 << 63, "bit 63")],
)
def test_the_first_row_that_is_no_hand_is_named(hand: int, message: str, threads: int) -> None:
    hands = np.zeros(2 * CHUNK_ROWS, np.uint64)
    hands[[CHUNK_ROWS - 1, -1]] = hand
    with pytest.raises(IllegalHand, match=f"row {CHUNK_ROWS - 1}: .*{message}"):
        batch.score(hands, rules="qq-full", threads=threads)
    with pytest.raises(IllegalHand, match=f"row {CHUNK_ROWS - 1}: .*{message}"):
        batch.score(hands, rules="luzhou", threads=threads)
    with pytest.raises(IllegalHand, match=f"row {CHUNK_ROWS - 1}: .*{message}"):
        batch.score(hands, rules="qq-full", threads=threads, context=Context(dealer=True))


@pytest.mark.parametrize(
    ("count", "beside", "message"),
    [(5, 0, "row 70: 5 copies of 8s"), (255, 0, "row 70: 255 copies of 8s"), (0, 5, "row 70: 5 wangs")],
)
@pytest.mark.parametrize("preset", ["qq-full", "luzhou"])
def test_the_first_bad_row_of_counts_is_named(preset: str, count: int, beside: int, message: str) -> None:
    rows, wangs = np.zeros((300, 20), np.uint8), np.zeros(300, np.uint8)
    rows[[70, 299], 7], wangs[[70, 299]] = count, beside
    with pytest.raises(IllegalHand, match=message):
        batch.score(rows, wangs, rules=preset)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((np.zeros(3),), {}, TypeError, "packed as uint64, got dtype <f8"),
        ((np.zeros((3, 22), np.uint8),), {}, ValueError, r"got shape \(3, 22\)"),
        ((np.zeros(3, np.uint64), np.zeros(2, np.uint8)), {}, ValueError, "expected wang of shape"),
        ((batch.queries(["1s"]), 1), {}, ValueError, "expected no wang beside Queries"),
        ((np.zeros(3, np.uint64),), {"rules": "beijing"}, NotationError, "expected the name of a preset"),
        ((np.zeros(3, np.uint64),), {"rules": 3}, TypeError, "expected Rules, the name of a preset"),
    ],
)
def test_what_is_no_input_is_refused(
    arguments: tuple[Any, ...], options: dict[str, Any], error: type, message: str
) -> None:
    with pytest.raises(error, match=message):
        batch.score(*arguments, **options)


# --- what is beside the columns ---


def test_fan_of_a_row_are_told_by_id() -> None:
    text = "99s | wei:333b; wei:444b; wei:555s; wei:666s; wei:888b; wei:999b + 9s@other"
    queries = batch.queries([text, "1s", text.replace("wei:888b", "wei:222b")])
    found = batch.score(queries, rules="kaixin")
    assert [found.fan_ids(row) for row in range(3)] == [["wudui"], [], ["duidui"]]
    assert found.fan_ids(-1) == ["duidui"]
    assert load_rules("kaixin").fan_ids[-1] == "wudui"


def test_payments_of_a_win_sum_to_zero(mixed: Hands) -> None:
    for preset in preset_names():
        rules, found = load_rules(preset), batch.score(mixed, rules=preset)
        paid = found.payment[found.payment >= 0]
        assert len(paid) > 0
        for seat in range(3):
            assert all(sum(points(int(payment), seat, rules)) == 0 for payment in paid)


def test_a_fan_too_large_for_the_tables_is_paid_all_the_same(tmp_path: Path) -> None:
    fans = "".join(
        f'[fan.more{i}]\nchinese = "大"\nenglish = "more"\nfact = "red"\nwhen = "1+"\nvalue = 9999\n'
        for i in range(11)
    )
    file = tmp_path / "large.toml"
    file.write_text(f'extends = "quan-mingtang"\n{fans}', encoding="utf-8")
    rules = load_rules(file)
    hands = hands_of_a_kind(1, 300, 23)
    rows = rows_of(batch.score(hands, rules=rules))
    assert rows == [single_row(int(hand), rules) for hand in hands]
    assert max(fan for _, fan, *_ in rows) > 11 * 9999
