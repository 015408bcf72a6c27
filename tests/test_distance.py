"""The distance to a win: against its plain twin, and what must hold whatever the hand."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any

import drafts
import numpy as np
import pytest
from comparing import parse_legal, rules_of, twin_options
from drafts import FACES, Draft, Options, few_concealed, format_faces, tiles_beside
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import distance_twin as twin
from reference.notation_twin import parse_query, parse_tiles
from reference.solver_twin import is_discarding_size, is_waiting_size

from paohuzi import Hand, IllegalHand, Query, Rules, batch, distance, improving, is_hu, waits
from paohuzi.distance import seen_tiles

GOLDEN = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "distance.jsonl").read_text(encoding="utf-8").splitlines()
]
UNREACHABLE = batch.UNREACHABLE
FAR = 100  # instead of no distance, where distances are compared

laws = settings(max_examples=200, deadline=None)


def steps(query: Query | str, visible: str | Hand | None, rules: Rules) -> int:
    found = distance(query, visible, rules)
    return FAR if found is None else found


@given(st.data(), few_concealed(4), drafts.options())
@settings(max_examples=60, deadline=None)
def test_distance_is_that_of_the_twin(data: st.DataObject, draft: Draft, options: Options) -> None:
    options = {**options, "min_xi": options["min_xi"] or 15}
    visible = format_faces(data.draw(tiles_beside(draft)))
    query = parse_legal(draft.text)
    expected = twin.distance(parse_query(draft.text), parse_tiles(visible), twin_options(options))
    assert distance(query, visible, rules_of(options)) == expected


def one_case_hands(size: int) -> Iterator[tuple[int, ...]]:
    for faces in combinations_with_replacement(FACES[:10], size):
        if all(faces.count(face) <= drafts.COPY_COUNT for face in set(faces)):
            yield faces


# Five exposed groups, of 18, 18, 9 and 0 xi; one of them may grow, or is a quad.
EXPOSED = [
    "chi:123b; chi:270b; chi:345b; wei:888b; chi:456b",
    "ti:0000b; chi:123b; chi:456b; chi:456b; chi:567b",
    "peng:777b; chi:123b; chi:345b; chi:345b; chi:456b",
    "chi:345b; chi:345b; chi:456b; chi:678b; chi:789b",
]
SOME_RULES: list[Options] = [
    {"xi": drafts.CLASSIC_XI},
    {"xi": drafts.LUZHOU_XI, "min_xi": 10, "third_from_other": "wei"},
    {"xi": drafts.CLASSIC_XI, "min_xi": 12, "kan_splittable": True, "wang_in_quad": False},
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", range(9))
@pytest.mark.parametrize("wangs", range(3))
def test_distance_of_every_small_hand_of_one_case_is_that_of_the_twin(wangs: int, size: int) -> None:
    random = Random(size)
    for faces in one_case_hands(size - wangs) if wangs <= size else ():
        options, exposed = random.choice(SOME_RULES), random.choice(EXPOSED)
        left = [face for face in FACES[:10] for _ in range(drafts.COPY_COUNT - faces.count(face))]
        visible = format_faces(
            random.sample(left, random.choice((0, len(left) // 2, random.randrange(len(left)))))
        )
        text = f"{format_faces([*faces, *[drafts.WANG] * wangs])} | {exposed}"
        expected = twin.distance(parse_query(text), parse_tiles(visible), twin_options(options))
        assert distance(text, visible, rules_of(options)) == expected, (text, visible, options)


@given(drafts.discarding_drafts(), drafts.options())
@laws
def test_whole_hand_is_complete_exactly_if_it_wins(draft: Draft, options: Options) -> None:
    query, rules = parse_legal(draft.text), rules_of(options)
    assume(is_discarding_size(parse_query(draft.text)))
    found = distance(query, rules=rules)
    if rules.kan_splittable:  # four of a face may be less than a quad, and then tiles are left over
        assert found == -1 or not is_hu(query, rules)
    else:
        assert (found == -1) is is_hu(query, rules)


@given(st.data(), drafts.waiting_drafts(), drafts.options())
@laws
def test_waiting_hand_is_ready_exactly_if_another_can_draw_what_it_wins_on(
    data: st.DataObject, draft: Draft, options: Options
) -> None:
    query, rules = parse_legal(draft.text), rules_of(options)
    assume(is_waiting_size(parse_query(draft.text)))
    seen = data.draw(tiles_beside(draft))
    found = steps(query, format_faces(seen), rules)
    left = [tile for tile in waits(query, "other", rules) if draft.spare(tile.face) > seen.count(tile.face)]
    if rules.kan_splittable:
        assert found <= 0 or not left
    else:
        assert found >= 0
        assert (found == 0) is bool(left)


def test_own_draw_may_make_ready_what_is_not_at_distance_0() -> None:
    # The third 1b is a wei with 6 xi by one's own draw, a peng with 3 by another's.
    query = "11b | chi:123b; chi:345s; chi:456s; chi:567s; chi:678b; chi:789b"
    rules = Rules("drawn", min_xi=12)
    assert [*map(str, waits(query, "self", rules))] == ["1b"]
    assert waits(query, "other", rules) == {}
    assert distance(query, rules=rules) is None


@given(st.data(), drafts.waiting_drafts() | few_concealed(4), drafts.options())
@laws
def test_further_visible_tiles_never_bring_nearer(
    data: st.DataObject, draft: Draft, options: Options
) -> None:
    query, rules = parse_legal(draft.text), rules_of(options)
    seen = data.draw(tiles_beside(draft))
    fewer = seen[: data.draw(st.integers(0, len(seen)))]
    assert steps(query, format_faces(fewer), rules) <= steps(query, format_faces(seen), rules)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in GOLDEN])
def test_golden_position_has_the_known_distance(case: dict[str, Any]) -> None:
    rules = Rules("golden", **case.get("rules", {}))
    assert distance(case["query"], case.get("visible"), rules) == case["distance"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in GOLDEN])
def test_twin_knows_the_golden_position(case: dict[str, Any]) -> None:
    options = twin_options({"xi": drafts.CLASSIC_XI, **case.get("rules", {})})
    query, visible = parse_query(case["query"]), parse_tiles(case.get("visible", ""))
    assert twin.distance(query, visible, options) == case["distance"]


@given(st.lists(st.tuples(few_concealed(4), st.randoms()), min_size=1, max_size=20), drafts.options())
@settings(max_examples=30, deadline=None)
def test_batch_has_the_answers_of_single_queries(rows: list[tuple[Draft, Any]], options: Options) -> None:
    rules = rules_of(options)
    queries = [parse_legal(draft.text) for draft, _ in rows]
    seen = []
    for draft, random in rows:
        left = [face for face in FACES for _ in range(draft.spare(face))]
        seen.append(Hand.parse(format_faces(random.sample(left, min(len(left), random.randrange(1, 30))))))
    packed = np.array([each.packed for each in seen], np.uint64)
    got = batch.distance(batch.queries(queries), packed, rules=rules, threads=2)
    expected = [distance(query, each, rules) for query, each in zip(queries, seen, strict=True)]
    assert got.tolist() == [UNREACHABLE if each is None else each for each in expected]
    counts = np.array([each.counts for each in seen], np.uint8)
    assert np.array_equal(batch.distance(batch.queries(queries), counts, rules=rules), got)


def test_batch_tells_rows_that_cannot_be() -> None:
    hands = np.array([Hand.parse("1123s").packed, Hand.parse("2b").packed], np.uint64)
    told = r"row 1: 1 copies of 2b \(贰\) in the query and 4 visible beside it: there are 4"
    rows = np.array([Hand.from_packed(int(hand)).counts for hand in hands], np.uint8)
    for form in (hands, hands[::-1].copy()[::-1], rows, np.asfortranarray(rows), rows[:, :20]):
        with pytest.raises(IllegalHand, match=told):
            batch.distance(form, "2222b")
    with pytest.raises(IllegalHand, match="row 0: visible tiles: expected a packed hand"):
        batch.distance(hands, np.full(2, 1 << 63, np.uint64))
    with pytest.raises(IllegalHand, match=r"row 1: 3 copies of 1b \(壹\) in the query and 2 visible"):
        batch.distance(batch.queries(["123s", "2s | peng:111b"]), "11b")
    with pytest.raises(ValueError, match="expected visible tiles of 2 hands, got 1"):
        batch.distance(hands, hands[:1])
    with_win = batch.queries(["123s + 4s@self", "123s | peng:444b"])
    assert batch.distance(with_win).tolist() == [UNREACHABLE] * 2


def test_batch_fills_what_is_given() -> None:
    out = np.zeros(1, np.int8)
    hands = np.array([Hand.parse("2233456678s 3456999000b").packed], np.uint64)
    assert batch.distance(hands, Hand.parse("2s"), out=out) is out


@pytest.mark.parametrize(
    ("query", "visible", "message"),
    [
        ("123s + 4s@self", None, r"expected a query without winning tile, got 123s \+ 4s@self"),
        ("1123s", "111s", r"2 copies of 1s \(一\) in the query and 3 visible beside it: there are 4"),
        ("1s | peng:222b", "22b", r"3 copies of 2b \(贰\) in the query and 2 visible beside it: there are 4"),
    ],
)
def test_what_cannot_be_is_refused(query: str, visible: str | None, message: str) -> None:
    with pytest.raises(IllegalHand, match=message):
        distance(query, visible)


def test_visible_tiles_may_come_in_every_form() -> None:
    hand = Hand.parse("1s 22b W")
    forms = (hand, "1s 22b W", hand.packed, np.uint64(hand.packed), hand.counts, np.array(hand.counts))
    assert {seen_tiles(form) for form in forms} == {hand}
    assert seen_tiles(np.array(hand.packed)) == seen_tiles(np.array("1s 22b W")) == hand
    assert seen_tiles(None) == seen_tiles("") == Hand.from_packed(0)


@pytest.mark.parametrize(
    "visible", [3.5, np.zeros(21), ["1s"] * 21, Query.parse("1s"), object(), (1 for _ in "1")]
)
def test_what_are_no_visible_tiles_is_refused(visible: Any) -> None:
    with pytest.raises(
        TypeError, match="expected visible tiles as a Hand, a text, a packed int or counts, got"
    ):
        distance("11s", visible)


@pytest.mark.parametrize(
    ("query", "steps"),
    [
        ("| peng:333b", None),  # nothing in hand for six more groups
        ("W | peng:333b", None),
        ("WWWW", None),
        ("| chi:123s; chi:123b; chi:270s; peng:888b; chi:456s; chi:456b; chi:789s", -1),
        ("| chi:345s; chi:345b; chi:567s; chi:567b; chi:456s; chi:456b; chi:789s", None),  # no xi
        ("WWWW 12s 45b | chi:123b; chi:678s; peng:000s; wei:777b", 0),
    ],
)
def test_few_tiles_and_many_wangs_have_a_distance(query: str, steps: int | None) -> None:
    assert distance(query) == twin.distance(parse_query(query), (), twin_options({"xi": drafts.CLASSIC_XI}))
    assert distance(query) == steps


def test_threads_of_python_ask_at_the_same_time() -> None:
    texts = ["122458s 44b 8b 90b | peng:333b; chi:123s; wei:777b", "2233456678s 3456999000b"] * 20
    expected = [(distance(text), improving(text)) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda text: (distance(text), improving(text)), texts)] == expected
