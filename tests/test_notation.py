"""Hands and queries: values, texts both ways, and what is refused."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    DECK,
    EVERY_GROUP,
    EXPOSABLE_GROUPS,
    counts_of,
    fitting_groups,
    hands,
    outcome,
    queries,
    wild_texts,
)

from paohuzi.groups import Group
from paohuzi.notation import SOURCES, Hand, Query
from paohuzi.tiles import TILES, IllegalHand, NotationError, Tile

GOLDEN = [
    case
    for path in sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
    for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    if "query" in case or "hand" in case  # others are whole games
]
ONE = Hand.parse("1s")
WRONG_TYPE: Any = 5.0
MID_GAME = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@other"


@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["id"])
def test_golden_texts_are_read_and_written_canonically(case: dict[str, Any]) -> None:
    if "query" in case:
        assert str(Query.parse(case["query"])) == case["query"]
    else:
        assert str(Hand.parse(case["hand"])) == case["hand"]
    for text in [case["tile"]] if "tile" in case else case.get("waits", ()):
        assert str(Tile.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("345s 345b 77s 99b | ti:0000b; wei:222s; chi:123b + 9b@other", MID_GAME),
        ("99b43577s543b|ti:0000b;wei:222s;chi:123b+9b@other", MID_GAME),
        ("77S 9 9 B 345sb", None),
        ("三四五七七 叁肆伍玖玖 ｜ 提：拾拾拾拾；偎：二二二；吃：壹贰叁 ＋ 玖＠别家", MID_GAME),
        ("三四五七七參肆伍玖玖|TI:0000B; Wei:222S; 吃:壹貳叄+玖@別家", MID_GAME),
        ("３４５ｓ　七七 345b 玖9b | ti:拾00拾b; wei:222s; chi:123b + 9b@OTHER", None),
        ("345s 七七 345b 玖9b | ti:拾00b拾; wei:222s; chi:123b + 9b@OTHER", MID_GAME),
        ("王1sW 1b w", "1s 1b WWW"),
        ("1s |  + W@自摸", "1s + W@self"),
        ("|", "|"),
        (" | ti:1111s + 2b@打出", "| ti:1111s + 2b@discard"),
        ("+ 1s@self", "+ 1s@self"),
    ],
)
def test_other_ways_to_write_a_query(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(NotationError):
            Query.parse(text)
    else:
        assert str(Query.parse(text)) == canonical


def test_a_query_in_chinese() -> None:
    text = "三四五七七 叁肆伍玖玖 | 提:拾拾拾拾; 偎:二二二; 吃:壹贰叁 + 玖@别家"
    assert Query.parse(MID_GAME).chinese == text
    assert Query.parse("1123s 270b W").chinese == "一一二三 贰柒拾 王"


@given(hands())
def test_a_hand_reads_its_own_texts_and_forms(hand: Hand) -> None:
    assert Hand.parse(str(hand)) == Hand.parse(hand.chinese) == hand
    assert Hand.from_packed(hand.packed) == Hand.from_counts(hand.counts) == Hand(hand.counts) == hand
    assert eval(repr(hand)) == hand
    assert len(hand) == sum(hand.counts)
    assert hand.wang_count == hand.counts[20]


@given(queries())
def test_a_query_reads_its_own_texts(query: Query) -> None:
    for text in (str(query), query.chinese):
        read = Query.parse(text)
        assert read == query
        assert hash(read) == hash(query)
        assert str(read) == str(query)
    assert eval(repr(query)) == query
    assert Query(query.hand, list(query.exposed), query.win, query.source) == query


@given(st.data())
def test_the_order_of_the_tiles_and_the_spaces_do_not_matter(data: st.DataObject) -> None:
    hand = data.draw(hands())
    faces = [face for face, count in enumerate(hand.counts) for _ in range(count)]
    written = [data.draw(st.sampled_from([str(TILES[face]), TILES[face].chinese])) for face in faces]
    shuffled = data.draw(st.permutations(written))
    gaps = [data.draw(st.sampled_from(["", " ", "\t", "　"])) for _ in faces]
    text = "".join(gap + tile for gap, tile in zip(gaps, shuffled, strict=True))
    assert Hand.parse(text) == hand


@given(hands() | queries(), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_hands_and_queries_can_be_pickled_and_copied(value: Hand | Query, protocol: int) -> None:
    loaded = pickle.loads(pickle.dumps(value, protocol))
    assert loaded == value == copy.deepcopy(value)
    assert repr(loaded) == repr(value)


def test_hands_and_queries_are_frozen() -> None:
    query = Query.parse(MID_GAME)
    with pytest.raises(dataclasses.FrozenInstanceError):
        query.win = None  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        query.hand.counts = ()  # type: ignore[misc]
    assert dataclasses.replace(query, win=Tile.parse("8s"), source="self").key[15:17] == b"\x07\x01"
    assert query != MID_GAME
    assert query.hand != query.hand.counts


@given(hands())
def test_a_packed_hand_has_three_bits_a_face(hand: Hand) -> None:
    assert hand.packed == sum(count << 3 * face for face, count in enumerate(hand.counts))


@given(queries())
def test_the_key_is_the_native_form(query: Query) -> None:
    codes = [group.code for group in query.exposed] + [0] * (7 - len(query.exposed))
    win = -1 if query.win is None else query.win.face
    source = [None, *SOURCES].index(query.source)
    assert query.key == struct.pack("<Q7BbB7x", query.hand.packed, *codes, win, source)
    assert len(query.key) == 24


@given(queries())
def test_visible_are_all_tiles_of_the_query(query: Query) -> None:
    faces = [face for face, count in enumerate(query.hand.counts) for _ in range(count)]
    faces += [face for group in query.exposed for face in group.faces]
    faces += [query.win.face] if query.win else []
    assert query.visible == tuple(counts_of(faces))
    assert query.tile_count == len(faces)


REFUSAL = "|".join(
    [
        r"expected .*, found .* at character \d+ of ",
        "expected .*, got ",
        ": (a face has|a hand has|a complete hand has|expected)",
    ]
)
HAND_TEXTS = hands().flatmap(lambda hand: st.sampled_from([str(hand), hand.chinese]))
QUERY_TEXTS = queries().flatmap(lambda query: st.sampled_from([str(query), query.chinese]))


@given(wild_texts(HAND_TEXTS))
def test_any_text_is_a_hand_or_an_error(text: str) -> None:
    hand, refusal = outcome(Hand.parse, text)
    if hand is None:
        assert re.search(REFUSAL, str(refusal), re.DOTALL)
    else:
        assert Hand.parse(str(hand)) == hand


@given(wild_texts(QUERY_TEXTS))
def test_any_text_is_a_query_or_an_error(text: str) -> None:
    query, refusal = outcome(Query.parse, text)
    if query is None:
        assert re.search(REFUSAL, str(refusal), re.DOTALL)
    else:
        assert Query.parse(str(query)) == query


WORDS = {"1111s": [0] * 4, "1s": [0], "一一": [0, 0], "WW": [20, 20], "W": [20], "12b": [10, 11]}


@given(st.lists(st.sampled_from(list(WORDS)), max_size=300).map(" ".join))
def test_long_texts_are_counted_rightly(text: str) -> None:
    counts = counts_of([])
    for word in text.split():
        for face in WORDS[word]:
            counts[face] += 1
    if max(counts) > 4:
        with pytest.raises(IllegalHand):
            Hand.parse(text)
    else:
        assert Hand.parse(text).counts == tuple(counts)


WRONG_TEXTS = [
    ("", "expected a query as 34577s | peng:333b + 7s@self, found nothing more at character 1 of ''"),
    ("  ", "expected a query"),
    ("345", "the suffix s (small, 小) or b (big, 大) after '345', found nothing more at character 4"),
    ("345 | ti:0000b", "after '345', found '|' at character 5 of '345 | ti:0000b'"),
    ("345s x", "expected a tile as 1s, 0b, W or 柒, found 'x' at character 6 of '345s x'"),
    ("345s鬼", "found '鬼' at character 5"),
    ("345s (6)s", "found '(' at character 6"),
    ("1s | ti:000b", "expected four equal tiles after 'ti:', found '000b' at character 9 of '1s | ti:000b'"),
    ("1s | ti:0000b;", "expected a group as peng:333b (kinds chi,"),
    ("1s | ti:0000b;;wei:222s", "found ';' at character 15"),
    ("1s | ti:0000b | wei:222s", "found '|' at character 15"),
    ("1s | 0000b", "expected a group as peng:333b"),
    ("1s + 2s", "expected @ and a source (self, other, discard) after the winning tile, found nothing more"),
    ("1s + 2s@me", "a source (self, other, discard) after the winning tile, found '@me' at character 8"),
    ("1s + @self", "expected one tile, as 1s, 0b, W or 柒, found '@' at character 6"),
    ("1s + 23s@self", "expected one tile, as 1s, 0b, W or 柒, found '23s' at character 6"),
    ("1s + 2s@self + 3s@self", "found '@self + 3s@self' at character 8"),
    ("1s + 2s@self | ti:0000b", "expected @ and a source"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_TEXTS)
def test_a_wrong_text_names_the_place_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        Query.parse(text)
    assert message in str(error.value)


ILLEGAL = [
    ("11111s", "5 copies of 1s (一) (5 in hand): a face has 4"),
    ("111s 11s | peng:222b", "5 copies of 1s (一)"),
    ("11s | peng:111s", "5 copies of 1s (一) (2 in hand, 3 in exposed groups): a face has 4"),
    ("7b | ti:7777b", "5 copies of 7b (柒) (1 in hand, 4 in exposed groups): a face has 4"),
    ("777b | chi:678b + 7b@self", "5 copies of 7b (柒) (3 in hand, 1 in exposed groups, 1 as winning tile)"),
    ("1s WWWWW", "5 wangs (王) (5 in hand): expected at most 4"),
    ("1s WWWW + W@self", "5 wangs (王) (4 in hand, 1 as winning tile): expected at most 4"),
    ("1s W + W@other", "a wang (王) wins only on one's own draw: expected source self, got 'other'"),
    ("1s | kan:222s", "exposed groups of chi, peng, wei, chouwei, pao, ti without wangs, got kan:222s"),
    ("1s | pair:22s", "got pair:22s"),
    ("1s | chi:12(3)s", "got chi:12(3)s"),
    ("| " + "; ".join(f"peng:{rank * 3}s" for rank in "12345678"), "8 exposed groups: a hand has 7 groups"),
]
COUNTS = "a complete hand has 21 tiles with at most one quad (提, 跑), 20 + q with q quads"
TOO_MANY = [
    ("1112223334445556667778889990s WWWW", f"32 tiles: {COUNTS}, so at most 26"),
    ("11112222333344445555666677s 7b", f"27 tiles: {COUNTS}, so at most 26"),
]


@pytest.mark.parametrize(("text", "message"), [*ILLEGAL, *TOO_MANY])
def test_tiles_that_no_player_can_hold_are_refused(text: str, message: str) -> None:
    with pytest.raises(IllegalHand) as error:
        Query.parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "1122334455667788990s 12b",
        "11223344556677s | ti:2222b; ti:1111b",
        "11223344556677s | wei:222b; ti:1111b + 2b@other",
        "234570s 34578b | ti:0000b; wei:222s; chi:123b + 9b@other",
        "11112222333344445555666677s",
        "345s 88b | pao:0000b + 8b@self",
        "111222333s WWW | peng:222b; peng:333b; peng:444b + 4b@self",
    ],
)
def test_tile_counts_that_may_fit_are_accepted(text: str) -> None:
    assert Query.parse(text).tile_count <= 26


@given(st.data())
def test_a_hand_that_can_be_divided_is_never_refused(data: st.DataObject) -> None:
    natural = data.draw(fitting_groups(EVERY_GROUP, max_size=7))
    laid = [group for group in natural if group in EXPOSABLE_GROUPS and data.draw(st.booleans())]
    held = [group for group in natural if group not in laid]
    counts = [sum(column) for column in zip([0] * 21, *(group.counts for group in held), strict=True)]
    pairs = sum(group.is_pair for group in natural)
    if pairs != any(group.is_quad for group in natural):
        return
    source = data.draw(st.sampled_from([None, *SOURCES]))
    faces = [face for face, count in enumerate(counts) if count and (face < 20 or source == "self")]
    win = None
    if source and faces:
        win = TILES[data.draw(st.sampled_from(faces))]
        counts[win.face] -= 1
    Query(Hand(counts), laid, win, source if win else None)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Hand([0] * 20), "expected 21 counts, got 20"),
        (lambda: Hand([0] * 20 + [5]), "5 wangs (王): expected at most 4"),
        (lambda: Hand([5] + [0] * 20), "5 copies of 1s (一): a face has 4"),
        (lambda: Hand([-1] + [0] * 20), "expected counts from 0 to 4, got (-1,"),
        (lambda: Hand([999] + [0] * 20), "expected counts from 0 to 4, got (999,"),
        (lambda: Hand.from_counts([0] * 22), "expected 20 counts, or 21 with the wangs, got 22"),
        (lambda: Hand.from_packed(-1), "expected a packed hand, 0 to 2**63 - 1, got -1"),
        (lambda: Hand.from_packed(1 << 63), "expected a packed hand, 0 to 2**63 - 1"),
        (lambda: Hand.from_packed(7), "7 copies of 1s (一)"),
        (lambda: Query(ONE, (), TILES[3]), "expected a source (self, other, discard) for winning tile 4s"),
        (lambda: Query(ONE, (), TILES[3], "wall"), "for winning tile 4s, got 'wall'"),
        (lambda: Query(ONE, (), None, "self"), "expected no source without a winning tile, got 'self'"),
    ],
)
def test_wrong_values_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(IllegalHand) as error:
        make()
    assert message in str(error.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Hand([WRONG_TYPE] * 21),
        lambda: Hand.from_packed(WRONG_TYPE),
        lambda: Query(WRONG_TYPE),
        lambda: Query(ONE, [WRONG_TYPE]),
        lambda: Query(ONE, (), WRONG_TYPE, "self"),
        lambda: Query.parse(WRONG_TYPE),
        lambda: Hand.parse(WRONG_TYPE),
    ],
)
def test_values_of_other_types_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        make()


def test_counts_may_be_any_sequence_of_whole_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    counts = Hand.parse("1123s 270b").counts[:20]
    for dtype in ("uint8", "int64"):
        hand = Hand.from_counts(numpy.array(counts, dtype))
        assert hand == Hand.parse("1123s 270b")
        assert all(type(count) is int for count in hand.counts)
    assert Hand.from_packed(numpy.uint64(hand.packed)) == hand
    assert Hand.from_counts(bytes(counts)) == hand


def test_a_group_of_a_query_is_the_group_itself() -> None:
    assert Query.parse(MID_GAME).exposed[0] is Group.from_code(Group.parse("ti:0000b").code)
    assert sorted(DECK) == DECK
