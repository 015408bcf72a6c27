"""What a bot is told: by the seats of the table, all it may know, and nothing else."""

import pickle
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from game_bots import TABLES, new_game, points_of, rules_of

from paohuzi import Group, Hand, Query, Tile, _engine, load_rules
from paohuzi.actions import Action
from paohuzi.deals import ROLES, Deal
from paohuzi.game import Game
from paohuzi.record.events import Event
from paohuzi.record.recording import Telling
from paohuzi.record.seat_view import seen_event
from paohuzi.tiles import FACE_COUNT, TILES, WANG
from paohuzi.views import View

every_table = pytest.mark.parametrize(("preset", "seats"), TABLES)


@every_table
def test_view_is_the_hand_from_one_seat(preset: str, seats: int) -> None:
    for seed in range(8):
        for game in points_of(new_game(preset, seats, seed), seed):
            hands, groups = held(game)
            for seat in game.playing:
                view = game.observe(seat)
                assert (view.seat, view.dealer, view.playing) == (seat, game.dealer, game.playing)
                assert view.hand == hands[seat]
                assert view.hand_sizes == tuple(map(len, hands))
                for other in range(seats):
                    told = [group for group in view.exposed[other] if group]
                    hidden = [group for group in groups[other] if group.kind == "wei" and other != seat]
                    assert sorted(map(str, told + hidden)) == sorted(map(str, groups[other]))
                    assert view.exposed[other].count(None) == len(hidden)
                assert view.groups == view.exposed[seat]
                assert view.query == Query(view.hand, view.groups)
                assert view.xi[seat] == sum(group.xi(game.rules.xi) for group in groups[seat])


@every_table
def test_view_of_a_hand_that_a_seat_has_left_says_it_is_over(preset: str, seats: int) -> None:
    for number, game in enumerate(points_of(new_game(preset, seats, 3), 3)):
        if game.is_over:
            continue
        left = game.copy()
        left.leave(number % seats)
        for seat in game.playing:
            view, before = left.observe(seat), game.observe(seat)
            assert (view.is_over, view.winner, view.legal_actions) == (True, None, ())
            assert (view.asked, view.question, view.pending) == (None, None, None)
            assert (view.hand, view.exposed, view.lying) == (before.hand, before.exposed, before.lying)
            assert pickle.loads(pickle.dumps(view)) == view


def held(game: Game) -> tuple[list[Hand], list[list[Group]]]:
    """Hands and exposed groups by seat, from the engine."""
    hands, groups = [Hand([0] * 21)] * game.rules.seats, [[] for _ in range(game.rules.seats)]
    for place, seat in enumerate(game.playing):
        hands[seat] = Hand.from_packed(game._table.hands()[place])
        groups[seat] = [Group.from_code(code) for code in game._table.exposed(place)]
    return hands, groups


@every_table
def test_only_the_asked_seat_has_actions(preset: str, seats: int) -> None:
    questions = set()
    for seed in range(15):
        for game in points_of(new_game(preset, seats, seed), seed):
            questions.add(game.question)
            for seat in game.playing:
                view = game.observe(seat)
                is_asked = seat == game.asked
                assert view.legal_actions == (game.legal_actions() if is_asked else ())
                if is_asked:
                    assert (view.asked, view.question) == (seat, game.question)
                elif game.question == "discard":
                    assert (view.asked, view.question, view.pending) == (game.asked, "discard", None)
                else:
                    assert (view.asked, view.question) == (None, None)
                assert (view.is_over, view.winner) == (game.is_over, game.result and game.result.winner)
    assert questions >= {None, "discard", "chi", "hu"}


@every_table
def test_counts_make_up_the_deck(preset: str, seats: int) -> None:
    for seed in range(8):
        for game in points_of(new_game(preset, seats, seed), seed):
            for seat in game.playing:
                view = game.observe(seat)
                assert min(view.unseen) >= 0
                deck = [4] * FACE_COUNT + [game.rules.wang]
                assert [a + b for a, b in zip(view.visible, view.unseen, strict=True)] == deck
                assert view.hand.counts <= view.visible
                assert view.wall_count == len(view.wall) == len(game._table.wall())


@every_table
def test_lying_tiles_and_appearances_agree(preset: str, seats: int) -> None:
    for seed in range(6):
        game = new_game(preset, seats, seed)
        for point in points_of(game, seed):
            view = point.observe(point.playing[seed % 3])
            lying = [[] for _ in range(seats)]
            for appearance in view.appearances:
                assert appearance.owner in point.playing
                assert (appearance.taker is None) == (appearance.fate in ("open", "lies"))
                if appearance.fate == "lies":
                    lying[appearance.owner].append(appearance.tile)
            assert view.lying == tuple(map(tuple, lying))


def test_dead_and_declined_tiles_are_told() -> None:
    told = Counter()
    for seed in range(40):
        for game in points_of(new_game("luzhou", 3, seed), seed):
            view = game.observe(game.playing[0])
            for name in ("dead_for_chi", "dead_for_peng", "dead_for_hu"):
                told[name] += len(getattr(view, name))
            for name in ("declined_peng", "declined_chi"):
                told[name] += sum(map(len, getattr(view, name)))
            assert set(view.dead_for_hu) <= set(TILES[: WANG + 1])
    assert min(told.values()) > 0
    assert len(told) == 5


def test_view_stays_as_it_was_when_the_play_goes_on() -> None:
    game = new_game("yongzhou", 3, 3)
    views, copies = [], []
    for point in points_of(game, 3):
        views.append(point.observe(0))
        copies.append(point.copy().observe(0))
    assert views == copies
    assert len(set(map(id, views))) == len(views)
    assert pickle.loads(pickle.dumps(views)) == views
    with pytest.raises(ValueError, match="bytes of a view"):
        _engine.restored_view(b"x")
    with pytest.raises(ValueError, match="bytes of a view"):
        _engine.restored_view(b"\xff" * len(bytes(views[0].seen)))
    assert repr(views[0]).startswith("<View of seat 0: ")
    with pytest.raises(AttributeError):
        views[0].seat = 1


def test_drawn_wangs_are_told_by_seat() -> None:
    seen = set()
    for seed in range(60):
        for game in points_of(new_game("yongzhou-4", 3, seed), seed):
            views = [game.observe(seat) for seat in range(3)]
            assert len({view.drawn_wangs for view in views}) == 1
            seen |= {(seat, count) for seat, count in enumerate(views[0].drawn_wangs) if count}
    assert {seat for seat, _ in seen} == {0, 1, 2}


def test_damaged_bytes_of_a_view_are_refused_or_read() -> None:
    fields = [name for name, part in vars(View).items() if isinstance(part, property)]
    refused = 0
    for seed in range(400):
        random = Random(seed)
        *_, game = points_of(new_game("yongzhou-4", 3, seed), seed)
        view = game.observe(seed % 3)
        source = bytearray(bytes(view.seen))
        for _ in range(random.randint(1, 4)):
            source[random.randrange(len(source))] = random.choice(
                (0, 1, 3, 31, 127, 255, random.randrange(256))
            )
        try:
            damaged = replace(view, seen=_engine.restored_view(bytes(source)))
        except ValueError:
            refused += 1
            continue
        for name in fields:
            with suppress(ValueError, TypeError):  # groups that no hand has
                getattr(damaged, name)
    assert 50 < refused < 350


# Nothing leaks: the view is what the events that the seat saw tell, whatever else is different.


def events_seen(game: Game, seat: int) -> list[Event] | None:
    """The events of play as the seat saw them so far; None when the line cannot be played."""
    telling = Telling(game.rules, game.deal.native, game.dealer)
    events = telling.begin()
    for action in game.line:
        events += telling.go_on(action)
    return [seen for event in events for seen in seen_event(event, seat)]


def with_hidden_tiles_exchanged(game: Game, seat: int, random: Random) -> Deal:
    """The deal with two tiles exchanged, of which the seat holds none, and that are not in play yet."""
    texts = game.deal.to_texts()
    places = [
        (role, place) for role in ROLES for place in range(20) if role != ROLES[game.playing.index(seat)]
    ]
    drawn = len(game.deal.wall) - len(game._table.wall())
    places += [("wall", place) for place in range(drawn, len(game.deal.wall))]
    tiles = {name: tiles_in(texts[name]) for name in (*ROLES, "wall")}
    (first, one), (second, other) = random.sample(places, 2)
    tiles[first][one], tiles[second][other] = tiles[second][other], tiles[first][one]
    return Deal.from_texts({**texts, **{name: " ".join(map(str, each)) for name, each in tiles.items()}})


def tiles_in(text: str) -> list[Tile]:
    if " " in text and all(len(word) <= 2 for word in text.split()):
        return [Tile.parse(word) for word in text.split()]
    counts = Hand.parse(text).counts
    return [TILES[face] for face, count in enumerate(counts) for _ in range(count)]


def replayed(game: Game, deal: Deal) -> Game | None:
    other = Game(game.rules, deal=deal, dealer=game.dealer)
    for action in game.line:
        if action not in other.legal_actions():
            return None
        other.apply(action)
    return other


@every_table
def test_view_does_not_change_with_what_the_seat_cannot_know(preset: str, seats: int) -> None:
    assert sum(assert_secrets_are_kept(preset, seats, seed) for seed in range(50)) > 20


def assert_secrets_are_kept(preset: str, seats: int, seed: int) -> int:
    """Play a random game beside one in which hidden tiles are exchanged; how many equal views there were."""
    alike = 0
    random = Random(f"{preset} {seats} {seed}")
    game = new_game(preset, seats, seed)
    seat = game.playing[seed % 3]
    for point in points_of(game, seed):
        if random.random() < 0.7:
            continue
        other = replayed(point, with_hidden_tiles_exchanged(point, seat, random))
        if other is None or other.deal == point.deal or other.is_over != point.is_over:
            continue
        if is_known_otherwise(point, other, seat) or events_seen(point, seat) != events_seen(other, seat):
            continue
        alike += 1
        assert other.observe(seat) == point.observe(seat)
    return alike


def is_known_otherwise(game: Game, other: Game, seat: int) -> bool:
    """What a seat knows beside the events: its question, and what lies open of the wall with four seats."""
    is_asked = game.asked == seat
    if (other.asked == seat) != is_asked or (is_asked and game.question != other.question):
        return True
    discards = (game.question == "discard", other.question == "discard")
    if discards[0] != discards[1] or (discards[0] and game.asked != other.asked):
        return True
    return game.rules.seats == 4 and game.rules.shown_hidden and wall_ends(game) != wall_ends(other)


def wall_ends(game: Game) -> list[Tile]:
    reds = [tile for tile in reversed(game.deal.wall) if tile.is_red]
    return [*reds, *game.deal.wall[-len(reds) - 1 :]]


def test_view_of_other_rules_is_another() -> None:
    deal = Deal.from_seed("qq-basic", 1)
    views: list[View] = [Game(rules, deal=deal).observe(0) for rules in ("qq-basic", "qq-full")]
    assert views[0] != views[1]
    assert views[0].rules is load_rules("qq-basic")
    assert rules_of("qq-basic").with_options({"min_xi": 10}) != views[0].rules
    assert Action.parse("hu") not in views[0].legal_actions
