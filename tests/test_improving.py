"""The tiles that bring a hand nearer, against taking every tile in every way by the rules of play."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from drafts import Draft, few_concealed, format_faces, tiles_beside
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import chi_twin
from reference.notation_twin import Tiles, format_group, parse_query
from reference.solver_twin import discardable, without
from test_distance import FAR

from paohuzi import (
    Hand,
    IllegalHand,
    Query,
    Rules,
    Tile,
    as_rules,
    danger,
    distance,
    improving,
    is_hu,
    load_rules,
)
from paohuzi.actions import Action
from paohuzi.distance import Taking
from paohuzi.notation import SOURCES
from paohuzi.tiles import TILES

PRESETS = ("qq-basic", "luzhou", "yongzhou-4", "yongzhou")
WANG_TILE = TILES[-1]


@dataclass(frozen=True)
class Position:
    """Concealed tiles as the twin has them, exposed groups as texts, and what else lies open."""

    tiles: Tiles
    wangs: int
    exposed: tuple[str, ...]
    seen: Tiles

    @property
    def text(self) -> str:
        hand = format_faces([tile - 1 for tile in self.tiles] + [20] * self.wangs)
        return f"{hand} | {'; '.join(self.exposed)}"

    def steps(self, rules: Rules) -> int:
        found = distance(self.text, format_faces([tile - 1 for tile in self.seen]), rules)
        return FAR if found is None else found


def name(tile: int) -> str:
    return format_faces([tile - 1])


def set_text(kind: str, tile: int) -> str:
    digit, case = name(tile)
    return f"{kind}:{digit * (4 if kind in ('pao', 'ti') else 3)}{case}"


def with_set(position: Position, kind: str, tile: int, old: str | None = None) -> Position:
    new = set_text(kind, tile)
    if old is not None:
        exposed = tuple(new if group == old else group for group in position.exposed)
        return replace(position, exposed=exposed)
    own = (tile,) * (2 if kind in ("peng", "wei") else 3)
    return replace(position, tiles=without(position.tiles, own), exposed=(*position.exposed, new))


def chis(position: Position, tile: int) -> Iterator[tuple[str, Position]]:
    for action in chi_twin.chi_actions(position.tiles, tile):
        exposed = (*position.exposed, *map(format_group, action))
        if len(exposed) <= 7:
            tiles = without(position.tiles, chi_twin.tiles_of_hand(action, tile))
            yield chi_twin.action_text(action), replace(position, tiles=tiles, exposed=exposed)


def takings(position: Position, tile: int, source: str, rules: Rules) -> Iterator[tuple[str, Position]]:
    """What may be done with a tile, or what happens with it."""
    held = position.tiles.count(tile)
    exposed = {kind: set_text(kind, tile) for kind in ("peng", "wei", "chouwei")}
    there = [text for kind, text in exposed.items() if kind != "peng" and text in position.exposed]
    if held == 3 or there:
        kind = "ti" if source == "self" else "pao"
        yield kind, with_set(position, kind, tile, there[0] if there else None)
        return
    if source == "self" and held == 2:
        yield "wei", with_set(position, "wei", tile)
        return
    if exposed["peng"] in position.exposed and source != "discard":
        yield "pao", with_set(position, "pao", tile, exposed["peng"])
        return
    if source != "self" and held == 2:
        yield "peng", with_set(position, "peng", tile)
        if rules.peng_forced:
            return
    yield from chis(position, tile)


def settled(position: Position, is_choice: bool, rules: Rules) -> int:
    """The distance after the best discard, if one is due."""
    query = parse_query(position.text)
    quads = sum(len(group.faces) == 4 for group in query.exposed)
    quads += sum(position.tiles.count(tile) == 4 for tile in set(position.tiles))
    count = len(position.tiles) + position.wangs + sum(len(group.faces) for group in query.exposed)
    if count < 20 + max(1, quads):
        return position.steps(rules)
    after = [discarded(position, tile).steps(rules) for tile in discardable(query)]
    return min(after) if after else FAR if is_choice else position.steps(rules)


def wins(position: Position, tile: Tile, source: str, rules: Rules) -> bool:
    if (source == "discard" and not rules.discards_win) or (position.wangs and source != "self"):
        return False
    try:
        return is_hu(f"{position.text} + {tile}@{source}", rules)
    except IllegalHand:
        return False


def expected(position: Position, rules: Rules) -> dict[tuple[Tile, str], int]:
    """What improving should tell: the least distance by tile and source."""
    before = position.steps(rules)
    query = Query.parse(position.text)
    found = {}
    for source in SOURCES:
        for tile in TILES[:-1]:
            if query.visible[tile.face] + position.seen.count(tile.face + 1) == 4:
                continue
            after = [
                settled(taken, how == "peng" or how.startswith("chi"), rules)
                for how, taken in takings(position, tile.face + 1, source, rules)
            ]
            after += [-1] if wins(position, tile, source, rules) else []
            if after and min(after) < before:
                found[tile, source] = min(after)
    if position.wangs < rules.wang:
        more = replace(position, wangs=position.wangs + 1)
        left = -1 if wins(position, WANG_TILE, "self", rules) else settled(more, False, rules)
        if left < before:
            found[WANG_TILE, "self"] = left
    return found


@given(st.data(), few_concealed(2), st.sampled_from(PRESETS))
@settings(max_examples=150, deadline=None)
def test_improving_tiles_are_those_of_play_by_the_rules(
    data: st.DataObject, draft: Draft, preset: str
) -> None:
    rules = load_rules(preset)
    query = Query.parse(draft.text)
    seen = tuple(face + 1 for face in data.draw(tiles_beside(draft)))
    twin = parse_query(draft.text)
    position = Position(twin.tiles, twin.wangs, tuple(map(str, query.exposed)), seen)
    try:
        found = improving(query, format_faces([tile - 1 for tile in seen]), rules)
    except IllegalHand:
        assume(False)
    assert {key: taking.distance for key, taking in found.items()} == expected(position, rules)
    for (tile, source), taking in found.items():
        check(taking, tile, source, position, rules)


def check(taking: Taking, tile: Tile, source: str, position: Position, rules: Rules) -> None:
    """The way told leaves the distance told."""
    if taking.action == "hu":
        assert taking.distance == -1
        return
    if taking.action == "wang":
        after = replace(position, wangs=position.wangs + 1)
    else:
        after = dict(takings(position, tile.face + 1, source, rules))[taking.action]
        if taking.action == "peng" or taking.action.startswith("chi"):
            assert str(Action.parse(taking.action)) == taking.action
    if taking.discard is None:
        assert taking.equal == ()
        assert after.steps(rules) == taking.distance
        return
    query = parse_query(after.text)
    left = {TILES[tile - 1]: discarded(after, tile).steps(rules) for tile in discardable(query)}
    assert min(left.values()) == taking.distance
    equal = [each for each, steps in left.items() if steps == taking.distance]
    assert [*taking.equal] == [each for each in equal if each != taking.discard]
    assert taking.discard == min(equal, key=lambda each: order_of_danger(after, each, rules))


def discarded(position: Position, tile: int) -> Position:
    return replace(position, tiles=without(position.tiles, (tile,)), seen=(*position.seen, tile))


def order_of_danger(position: Position, tile: Tile, rules: Rules) -> tuple[bool, int, int, int]:
    seen = format_faces([each - 1 for each in position.seen])
    risk = danger(position.text, tile, seen, rules)
    return not risk.familiar, risk.xi, risk.ways, tile.face


def test_hand_that_must_discard_is_refused() -> None:
    with pytest.raises(IllegalHand, match="expected a hand that is not to discard"):
        improving("12233456678s 3456999000b")


def test_bi_can_keep_a_tile_from_helping() -> None:
    # 3s would complete 45s, but the 3s in hand has nothing to stand with.
    query = "3s 45s 99b | chi:123b; chi:678b; peng:000s; wei:777b; chi:567s"
    rules = as_rules("qq-basic")
    tile = Tile.parse("3s")
    assert (tile, "discard") not in improving(query, None, rules)
    without_it = "8b 45s 99b | chi:123b; chi:678b; peng:000s; wei:777b; chi:567s"
    assert (tile, "discard") in improving(without_it, None, rules)


def test_of_equal_discards_the_safest_follows_and_the_others_are_told() -> None:
    query, key = "122458s 44b 8b 90b | peng:333b; chi:123s; wei:777b", (Tile.parse("4b"), "other")
    taking = improving(query)[key]
    assert (str(taking), [*map(str, taking.equal)]) == ("peng, discard 1s", ["2s", "5s", "8s"])
    # With three 8s open nobody has any use for the last one.
    assert str(improving(query, "888s")[key]) == "peng, discard 8s"


def test_peng_forced_leaves_no_chi() -> None:
    query, key = "7s 7789900b | chi:123s; chi:270b; peng:888b; wei:000s", (Tile.parse("7b"), "other")
    assert str(improving(query, None, "qq-basic")[key]) == "chi 789b + 7s77b, discard 9b"
    assert key not in improving(query, None, as_rules("qq-basic").with_options({"peng_forced": "yes"}))


def test_all_wangs_seen_leave_none_to_draw() -> None:
    query = "45s 99b 2s | chi:123b; chi:678b; peng:000s; wei:777b; chi:567s"
    assert (WANG_TILE, "self") in improving(query, None, "yongzhou")
    assert (WANG_TILE, "self") not in improving(query, Hand.parse("WW"), "yongzhou")
