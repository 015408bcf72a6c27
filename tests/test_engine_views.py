"""What a seat is told: all that it may know, and nothing that is hidden from it."""

from collections import Counter
from random import Random
from typing import Any

import pytest
import walls
from engine_games import SEAT_NAMES, WANG, EngineGame, faces_of, held_faces, packed

from paohuzi import Group, Hand, Tile, _engine

SEATS = range(3)
HIDDEN_WEI = 255
TABLES = [(preset, 3) for preset in walls.PRESETS] + [(preset, 4) for preset in walls.FOUR_SEATS]
every_table = pytest.mark.parametrize(("preset", "seats"), TABLES)


def random_points(preset: str, seats: int, seed: int) -> Any:
    """Whole games, stopped at every decision."""
    deal = walls.random_deal(preset, seed, clumping=0.1 * (seed % 4), grouping=0.5)
    game = EngineGame(deal, seats)
    random = Random(seed)
    while True:
        yield game
        if game.end is not None:
            return
        game.apply(random.choice(sorted(game.actions)))


def is_hidden_wei(code: int) -> bool:
    return Group.from_code(code).kind == "wei"


def known_groups(table: _engine.Table, seat: int, other: int) -> list[int]:
    codes = list(table.exposed(other))
    return [code for code in codes if seat == other or not is_hidden_wei(code)]


def plain_visible(view: _engine.View, table: _engine.Table) -> Counter[int]:
    """What the view calls visible, added up from its parts; the shown tile in the dealer's hand apart."""
    tiles = Counter(held_faces(view.hand))
    for other in SEATS:
        for code in known_groups(table, view.seat, other):
            tiles.update(Group.from_code(code).faces)
        if other != view.seat:
            tiles[WANG] += view.drawn_wangs[other]
    tiles.update(face for face in view.wall if face is not None)
    for face, _, _, fate, _ in view.appearances:
        if face is not None and fate in ("lies", "open", "hu"):
            tiles[face] += 1
    return tiles


@every_table
def test_visible_tiles_add_up(preset: str, seats: int) -> None:
    for seed in range(12):
        for game in random_points(preset, seats, seed):
            for seat in SEATS:
                view = game.table.observe(seat)
                extra = Counter(held_faces(view.visible))
                extra.subtract(plain_visible(view, game.table))
                extra = Counter({face: count for face, count in extra.items() if count})
                assert extra in (Counter(), Counter([view.shown]))
                if extra:
                    assert seat != 0
                    assert_dealer_still_has(game.table, view.shown)


def assert_dealer_still_has(table: _engine.Table, face: int | None) -> None:
    hidden = [Group.from_code(code).faces[0] for code in table.exposed(0) if is_hidden_wei(code)]
    assert face in held_faces(table.hands()[0]) or face in hidden


@every_table
def test_view_tells_what_all_may_know(preset: str, seats: int) -> None:
    for seed in range(8):
        for game in random_points(preset, seats, seed):
            table = game.table
            for seat in SEATS:
                view = table.observe(seat)
                assert view.seat == seat
                assert view.hand == table.hands()[seat]
                assert view.tiles_left == len(table.wall())
                assert list(view.hand_sizes) == [len(Hand.from_packed(hand)) for hand in table.hands()]
                for other in SEATS:
                    shown = [
                        HIDDEN_WEI if other != seat and is_hidden_wei(code) else code
                        for code in table.exposed(other)
                    ]
                    assert list(view.exposed(other)) == shown
                assert view.asked in ({table.asked} if table.asked == seat else {None, table.asked})
                assert (view.asked is None) == (view.question == "none")


def test_only_the_asked_seat_knows_that_it_is_asked_about_a_claim() -> None:
    questions = set()
    for seed in range(30):
        for game in random_points("qq-basic", 3, seed):
            table = game.table
            questions.add(table.question)
            for seat in SEATS:
                view = table.observe(seat)
                if table.question == "discard":
                    assert (view.asked, view.question, view.pending) == (table.asked, "discard", None)
                elif table.asked != seat:
                    assert (view.asked, view.question) == (None, "none")
    assert {"peng", "chi", "hu", "discard"} <= questions


def swapped(deal: dict[str, Any], random: Random, viewer: int) -> dict[str, Any]:
    """The same deal with two tiles exchanged that the viewer is not dealt."""
    names = [name for name in (*SEAT_NAMES, "wall") if name != SEAT_NAMES[viewer]]
    first, second = random.choice(names), random.choice(names)
    tiles = {name: [Tile(face) for face in deal_faces(deal, name)] for name in {first, second}}
    one, other = random.randrange(len(tiles[first])), random.randrange(len(tiles[second]))
    tiles[first][one], tiles[second][other] = tiles[second][other], tiles[first][one]
    return deal | {name: " ".join(map(str, tiles[name])) for name in tiles}


def deal_faces(deal: dict[str, Any], name: str) -> list[int]:
    return faces_of(deal[name]) if name == "wall" else list(held_faces(packed(deal[name])))


def public_course(game: EngineGame, line: list[str], viewer: int) -> list[bytes] | None:
    """The viewer's views after each action of the line; None when it cannot be played or asks others."""
    views = []
    for action in line:
        views.append(bytes(game.table.observe(viewer)))
        if action not in game.actions:
            return None
        game.apply(action)
    return [*views, bytes(game.table.observe(viewer))]


@every_table
def test_hands_that_differ_in_hidden_tiles_only_look_alike(preset: str, seats: int) -> None:
    """A game is played again with two hidden tiles exchanged: while nothing shows it, nothing tells it."""
    alike = 0
    for seed in range(40):
        random = Random(seed)
        deal = walls.random_deal(preset, seed, clumping=0.2)
        viewer = seed % 3
        line = walls.play_out(EngineGame(deal, seats), seed)
        line = line[: random.randrange(len(line))] if line else []
        views = public_course(EngineGame(deal, seats), line, viewer)
        for _ in range(10):
            other = swapped(deal, random, viewer)
            is_same_deal = other == deal
            if is_same_deal or shows(EngineGame(deal, seats), EngineGame(other, seats), line, viewer):
                continue
            alike += 1
            assert public_course(EngineGame(other, seats), line, viewer) == views
    assert alike > 20


def shows(game: EngineGame, other: EngineGame, line: list[str], viewer: int) -> bool:
    """Whether the difference comes to light: another end, seat, claim, open tile, or laid out group."""
    for action in [*line, None]:
        if open_parts(game, viewer) != open_parts(other, viewer):
            return True
        if action is None:
            return False
        if action not in other.actions:
            return True
        game.apply(action)
        other.apply(action)
    return False


def open_parts(game: EngineGame, viewer: int) -> tuple[Any, ...]:
    """What lies open, told by the whole state and not by a view."""
    table = game.table
    groups = [known_groups(table, viewer, seat) for seat in SEATS]
    kinds = [[Group.from_code(code).kind for code in table.exposed(seat)] for seat in SEATS]
    sizes = [len(Hand.from_packed(hand)) for hand in table.hands()]
    is_last_shown = len(table.observe(0).wall) > 0 and table.observe(0).wall[-1] is not None
    last = table.wall()[-1:] if is_last_shown else b""
    seen = [
        (face, seat, fate)
        for face, seat, _, fate, _ in table.observe(viewer).appearances
        if fate not in ("wei", "open")
    ]
    return groups, kinds, sizes, game.asked, table.question, game.end, last, seen, table.hands()[viewer]


def test_hidden_wei_is_hidden_until_it_grows() -> None:
    seen = set()
    for seed in range(60):
        for game in random_points("qq-basic", 3, seed):
            for seat in SEATS:
                view = game.table.observe(seat)
                for face, owner, is_discard, fate, taker in view.appearances:
                    if fate != "wei":
                        assert face is not None or (fate, owner != seat) == ("open", True)
                        continue
                    is_grown = not any(is_hidden_wei(code) for code in game.table.exposed(owner))
                    assert (owner, is_discard) == (taker, False)
                    assert (face is not None) or (owner != seat and not is_grown)
                    seen.add((owner == seat, face is None))
    assert seen >= {(True, False), (False, True), (False, False)}


def test_wall_of_four_seats_is_known_at_both_ends() -> None:
    lifted = 0
    for seed in range(40):
        deal = walls.random_deal("hunan", seed)
        reds = faces_of(deal["wall"])
        tops = 0
        while Tile(reds[-1]).is_red:
            reds = [reds[-1], *reds[:-1]]
            tops += 1
        lifted += tops
        table = EngineGame(deal, seats=4).table
        if table.is_over or table.observe(0).appearances:
            continue
        for seat in SEATS:
            view = table.observe(seat)
            assert view.wall == [*reds[:tops], *[None] * (len(reds) - tops - 1), reds[-1]]
            assert view.shown == (table.observe(0).shown if seat == 0 else None)
    assert lifted > 5


def test_declined_faces_are_those_that_lay_open_to_a_seat() -> None:
    for seed in range(20):
        for game in random_points("qq-basic", 3, seed):
            view = game.table.observe(0)
            peng: list[set[int]] = [set(), set(), set()]
            chi: list[set[int]] = [set(), set(), set()]
            for face, owner, is_discard, fate, taker in view.appearances:
                if fate not in ("lies", "chi") or face is None:
                    continue
                after = [(owner + step) % 3 for step in range(3)]
                for seat in after[1:]:
                    peng[seat].add(face)
                for seat in after[1:2] if is_discard else after[:2]:
                    if (fate, seat) == ("chi", taker):
                        break
                    chi[seat].add(face)
            assert [set(bits(mask)) for mask in view.declined_peng] == peng
            assert [set(bits(mask)) for mask in view.declined_chi] == chi


def bits(mask: int) -> list[int]:
    return [face for face in range(21) if mask >> face & 1]


def test_views_are_values() -> None:
    games = list(random_points("yongzhou", 3, 4))
    table = games[0].table
    view, again = table.observe(1), table.observe(1)
    assert view == again
    assert hash(view) == hash(again)
    assert view != table.observe(2)
    assert view != "view"
