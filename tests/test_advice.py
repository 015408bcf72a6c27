"""What to discard: the table, and the tips of players as positions (docs/playing.md)."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from drafts import CHI, FACES, PAIRS, QUADS, TRIPLETS, Draft, discarding_drafts, format_faces
from hypothesis import given, settings
from hypothesis import strategies as st
from test_distance import few_concealed, tiles_beside

from paohuzi import Danger, Group, IllegalHand, Rules, Tile, danger, discards, distance, load_rules, score
from paohuzi.advice import Discard, reasons
from paohuzi.tiles import TILES

READY = "34577s 34599b 8s | ti:0000b; wei:222s; chi:123b"


def row(rows: list[Discard], tile: str) -> Discard:
    return next(row for row in rows if str(row.tile) == tile)


def order(rows: list[Discard]) -> list[str]:
    return [str(row.tile) for row in rows]


def test_there_is_a_row_for_each_tile_that_may_be_discarded() -> None:
    rows = discards("1123444s 5b WW | peng:222b; chi:123b; chi:678b; chi:567s", None, "yongzhou")
    assert sorted(order(rows)) == ["1s", "2s", "3s", "5b"]


def test_distance_of_a_row_counts_the_discard_as_visible() -> None:
    rows = discards(READY)
    assert row(rows, "9b").distance == distance("34577s 3459b 8s | ti:0000b; wei:222s; chi:123b", "9b")


def test_payments_of_a_ready_hand_are_those_of_its_waits() -> None:
    rules = load_rules("qq-half")
    first = discards(READY, None, rules)[0]
    won = {
        (tile, source): score(f"34577s 34599b | ti:0000b; wei:222s; chi:123b + {tile}@{source}", rules)
        for tile, sources in first.faces.items()
        for source in sources
    }
    paid = {key: each.payment for key, each in won.items() if each.payment is not None}
    assert first.ready
    assert first.best == max(paid.values())
    weights = {"self": 1, "other": 2}
    copies = {"7s": 2, "9s": 4, "7b": 4, "9b": 2}
    total = sum(weights[source] * copies[str(tile)] for tile, source in paid)
    mean = sum(pay * weights[source] * copies[str(tile)] for (tile, source), pay in paid.items()) / total
    assert first.expected == pytest.approx(mean)


def test_payments_of_a_hand_not_ready_are_those_of_its_nearest_divisions() -> None:
    # Only 13b with 2b and 79s with 8s make 15 xi of two tiles from outside.
    groups = "chi:270b; wei:333s; chi:567b; chi:678b; chi:456b"
    first = row(discards(f"13b 79s 4s 8b | {groups}"), "4s")
    assert (first.distance, first.ready) == (1, False)
    won = score(f"13b | {groups}; chi:789s + 2b@other")
    assert first.best == first.expected == won.payment


def test_danger_counts_what_cannot_be_seen() -> None:
    query, tile = "5s 1b | peng:444s", Tile.parse("5s")
    rules = load_rules("luzhou")
    alone = danger(query, tile)
    # 345 and 456 with the last 4s, 567, and 5s with two of 5b or one and 5s.
    assert alone.chi == 1 * 4 + 1 * 4 + 4 * 4 + 3 * 4 + 6
    assert (alone.peng, alone.pao, alone.familiar, alone.xi, alone.hu) == (3, 1, False, 6, False)
    seen = danger(query, tile, "5s 6s6s6s6s", rules)
    assert (seen.chi, seen.peng, seen.pao, seen.familiar, seen.hu) == (1 * 4 + 2 * 4 + 6, 1, 0, True, True)


KINDS = {
    kind: set(shapes) for kind, shapes in (("pair", PAIRS), ("chi", CHI), ("peng", TRIPLETS), ("pao", QUADS))
}


def taken_in(face: int, unseen: list[int]) -> Counter[tuple[str, tuple[int, ...]]]:
    """Every group that a face makes with one to three of the unseen tiles, picked one by one."""
    near = [tile for tile in unseen if abs(tile % 10 - face % 10) < 3 or {tile % 10, face % 10} <= {1, 6, 9}]
    found: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for size in (1, 2, 3):
        for picked in combinations(near, size):
            group = tuple(sorted((face, *picked)))
            found.update((kind, group) for kind, shapes in KINDS.items() if group in shapes)
    return found


def danger_by_picking(draft: Draft, face: int, seen: list[int], rules: Rules) -> Danger:
    """Slowly, from what the words say. Wangs help nobody: they are in no group that a discard is taken into,
    and who holds one does not win on discards."""
    open_to_all = [tile for _, group in draft.exposed for tile in group] + seen
    known = Counter(draft.hand + open_to_all)
    unseen = [each for each in FACES for _ in range(4 - known[each])]
    groups = taken_in(face, unseen)
    ways: Counter[str] = Counter()
    for (kind, _), number in groups.items():
        ways[kind] += number
    return Danger(
        familiar=face in open_to_all,
        chi=ways["chi"],
        peng=ways["peng"],
        pao=ways["pao"],
        xi=max((Group(kind, group).xi(rules.xi) for kind, group in groups), default=0),
        hu=rules.discards_win and bool(groups),
    )


WANG_GAME = replace(load_rules("yongzhou-4"), discards_win=True)
GAMES = (load_rules("qq-half"), load_rules("luzhou"), load_rules("yongzhou"), WANG_GAME)


@given(st.data(), few_concealed() | discarding_drafts(), st.sampled_from(GAMES))
@settings(max_examples=60, deadline=None)
def test_danger_is_what_picking_unseen_tiles_tells(data: st.DataObject, draft: Draft, rules: Rules) -> None:
    free = [face for face in FACES if 0 < draft.hand.count(face) < 3]
    seen = data.draw(tiles_beside(draft))
    for face in free[:3]:
        told = danger(draft.text, TILES[face], format_faces(seen), rules)
        assert told == danger_by_picking(draft, face, seen, rules)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ("8888s 999b", Danger(True, 0, 0, 0, 0, False)),  # all copies of the face and all that goes with it
        ("8888s 99b", Danger(True, 0, 0, 0, 0, False)),  # a single 9b is no jiao
        ("8888s 9b", Danger(True, 1, 0, 0, 0, True)),  # the last two 9b
        ("888s 999b", Danger(True, 4, 0, 0, 0, True)),  # the last 8s with a 10s
    ],
)
def test_danger_of_a_face_without_copies_left(seen: str, expected: Danger) -> None:
    assert danger("9s 7777s 9b | peng:999s", Tile.parse("9s"), seen, "luzhou") == expected


def test_the_last_copy_may_be_won_on_as_a_pair_alone() -> None:
    query, tile, none_near = "9s 9b | peng:222b", Tile.parse("9s"), "8888s 999b 7777s 0000s"
    assert danger(query, tile, "99s " + none_near, "luzhou") == Danger(True, 0, 0, 0, 0, True)
    assert danger(query, tile, "9s " + none_near, "luzhou").peng == 1
    assert not danger(query, tile, "999s " + none_near, "luzhou").hu
    assert not danger(query, tile, "99s " + none_near, "qq-half").hu  # discards do not win


def test_unseen_wangs_endanger_nothing() -> None:
    """No claim takes a wang, and who holds one wins on own draws only (docs/rules.md 4.9)."""
    for rules in (WANG_GAME, "luzhou"):
        assert danger("9s | peng:999s", Tile.parse("9s"), "8888s 999b", rules) == Danger(
            True, 0, 0, 0, 0, False
        )


@pytest.mark.parametrize("query", ["34577s 34599b | ti:0000b; wei:222s; chi:123b", "| peng:333b"])
def test_hand_that_does_not_discard_is_refused(query: str) -> None:
    with pytest.raises(IllegalHand, match="expected a hand that is to discard a tile"):
        discards(query)


def test_reasons_are_one_line() -> None:
    for query in (READY, "1123558s 1446788900b 3559s"):
        text = reasons(discards(query))
        assert "\n" not in text
        assert text.startswith(str(discards(query)[0].tile))


# The tips of players. docs/playing.md tells them at length.


def test_hand_that_will_lose_discards_what_gives_others_least() -> None:
    rows = discards("1s 9s 1b 9b 5b 8b | chi:345s; chi:456b; chi:678s; chi:678b; chi:567s")
    assert {each.distance for each in rows} == {None}
    assert order(rows) == ["5b", "8b", "1s", "9s", "9b", "1b"]  # familiar ones, then small before big


def test_of_equal_discards_the_familiar_tile_goes() -> None:
    query = "3456b 88s 99s | ti:5555s; wei:222b; chi:678s; chi:123s"
    for seen, other in (("6b", "3b"), ("3b", "6b")):
        rows = discards(query, seen)
        assert order(rows)[:2] == [seen, other]
        assert rows[0].ready
        assert rows[1].ready
        assert (rows[0].copies, rows[0].expected) == (rows[1].copies, rows[1].expected)


def test_familiar_tile_with_xi_is_told_but_not_put_first() -> None:
    rows = discards("1234s 456b 88b | wei:333b; chi:123b; wei:222s; chi:678s", "1s")
    new, familiar = rows[:2]
    assert (str(new.tile), str(familiar.tile)) == ("4s", "1s")
    assert (new.expected or 0) > (familiar.expected or 0)
    assert new.danger.ways > familiar.danger.ways


def test_edge_tile_goes_before_one_in_the_middle() -> None:
    rows = discards("15s 8s 223b 4488b 0b 667b 5b | chi:123b; peng:999s")
    assert order(rows)[:2] == ["1s", "5s"]
    assert rows[0].distance == rows[1].distance
    assert rows[0].copies > rows[1].copies
    assert rows[0].danger.ways < rows[1].danger.ways


def test_luring_a_tile_out_is_not_in_the_numbers() -> None:
    query = "888s 9s 8b 123b 445b 6677s | peng:222s; chi:345s"
    rows = discards(query)
    assert order(rows)[:2] == ["9s", "8b"]
    assert (rows[0].distance, rows[0].copies) == (rows[1].distance, rows[1].copies)
    assert "discard" in rows[1].faces[Tile.parse("8s")]  # what the tip hopes for is worth a step


def test_peng_can_run_where_nobody_can_use_the_last_tile() -> None:
    query, tile = "9s 345s 2b 66b 7b | peng:999s; chi:123b; chi:270s; wei:444b", Tile.parse("9s")
    assert danger(query, tile).chi > 0
    assert danger(query, tile, "8888s 999b").chi == 0


def test_tile_that_is_not_held_has_no_danger() -> None:
    with pytest.raises(IllegalHand, match="expected a tile of the hand that may be discarded, got 2s of 1s"):
        danger("1s", Tile.parse("2s"))
    with pytest.raises(IllegalHand, match="got 1s of 111s"):
        danger("111s", Tile.parse("1s"))
