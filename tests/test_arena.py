"""The arena in Python: seatings, sets, processes, what is refused."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from paohuzi import load_rules, preset_names
from paohuzi.actions import HU, Action
from paohuzi.arena import ArenaError, Contest, Outcome, Sprt, play_arena, play_set
from paohuzi.bots import GreedyBot, bot_from_name
from paohuzi.game import Game, Leaves
from paohuzi.record.events import Hu

MISFITS = f"{__name__}:"


class Taker:
    """Takes whatever can be taken."""

    def choose(self, view):
        kinds = ("hu", "peng", "chi", "discard", "pass")
        return min(view.legal_actions, key=lambda action: kinds.index(action.kind))


class Raiser:
    def choose(self, view):
        raise RuntimeError("lost my glasses")


class Leaver:
    def choose(self, view):
        raise Leaves


class Cheat:
    def choose(self, view):
        return HU if HU not in view.legal_actions else Action.parse("pass")


class Rememberer:
    """Plays by how often it was asked: the same only if nothing is carried over from set to set."""

    def __init__(self):
        self.asked = 0

    def choose(self, view):
        print("a bot may say something")
        self.asked += 1
        return view.legal_actions[self.asked % len(view.legal_actions)]


class Gambler:
    """Remembers how its dice fell: the same again only with the seed that the arena gives."""

    def __init__(self, seed):
        self.random = Random(seed)

    def choose(self, view):
        return self.random.choice(view.legal_actions)


class Killer:
    def choose(self, view):
        import os

        os._exit(7)


class Demander:
    def __init__(self, model):
        self.model = model


@pytest.fixture(autouse=True)
def _importable(monkeypatch):
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def contest(*names: str, rules: str = "luzhou", seed: int = 5) -> Contest:
    return Contest(names or ("random", "random"), rules, seed)


# --- seatings ---


def test_two_bots_sit_in_the_six_orders_in_which_both_play() -> None:
    found = contest("greedy", "random")
    assert [each.label for each in found.players] == ["greedy", "random"]
    assert len(set(found.seatings)) == 6
    assert all(set(seats) == {0, 1} for seats in found.seatings)
    assert found.seat_hands == (9, 9)


def test_three_bots_sit_in_all_orders() -> None:
    found = contest("greedy", "random", f"{MISFITS}Taker")
    assert sorted(found.seatings) == sorted(permutations(range(3)))
    assert found.seat_hands == (6, 6, 6)


def test_a_bot_named_twice_beside_another_is_one_player() -> None:
    found = contest("random", "greedy", "random")
    assert [tuple(each) for each in found.players] == [("random", "random", 2), ("greedy", "greedy", 1)]
    assert sorted(found.seatings) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    assert found.seat_hands == (6, 3)


@pytest.mark.parametrize("count", [2, 3])
def test_a_bot_against_itself_has_numbers(count: int) -> None:
    found = contest(*["random"] * count)
    assert [each.label for each in found.players] == ["random", "random#2", "random#3"][:count]
    assert len(found.seatings) == 6


@pytest.mark.parametrize("names", [("greedy", "random"), ("greedy", "random", "random"), ("random",) * 3])
def test_every_player_sits_as_often_at_each_seat(names: tuple[str, ...]) -> None:
    found = contest(*names)
    for player, hands in enumerate(found.seat_hands):
        assert {sum(seats[seat] == player for seats in found.seatings) for seat in range(3)} == {hands // 3}


@pytest.mark.parametrize("preset", preset_names())
def test_a_contest_goes_through_json(preset: str) -> None:
    found = Contest(("greedy", "random"), preset, (1 << 64) - 1)
    again = Contest.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again == found
    assert again.rules.hash == found.rules.hash


@pytest.mark.parametrize(
    ("names", "rules", "told"),
    [
        (("greedy",), "luzhou", "expected 2 or 3 bots, got 1"),
        (("greedy",) * 4, "luzhou", "expected 2 or 3 bots, got 4"),
        (("greedy", "gredy"), "luzhou", "expected a bot .*, got 'gredy'"),
        (("greedy", "nowhere:Bot"), "luzhou", "got 'nowhere:Bot': No module named"),
        (("greedy", f"{MISFITS}Demander"), "luzhou", "Demander cannot be made: TypeError: .* 'model'"),
        (("greedy", "random"), "nowhere", "nowhere"),
        (
            ("greedy", "random"),
            replace(load_rules("hunan"), seats=4),
            "expected rules of 3 seats, got 4 of hunan",
        ),
    ],
)
def test_what_is_no_contest_is_refused(names, rules, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Contest(names, rules, 1)


# --- sets ---


def test_a_set_is_what_its_hands_are_played_alone() -> None:
    """Every hand once more by Game.play: the same wall, dealer 0, the players' own seeds."""
    arena = contest("greedy", "random")
    for number in range(3):
        points, wins, decisions, drawn = [0, 0], [0, 0], [0, 0], 0
        for seats in arena.seatings:
            names = [arena.players[player].name for player in seats]
            seeds = [arena.bot_seed(number, player, seat) for seat, player in enumerate(seats)]
            game = Game(arena.rules, seed=arena.deal_seed(number), dealer=0)
            asked = Counter()
            bots = [bot_from_name(name, seed) for name, seed in zip(names, seeds, strict=True)]
            while not game.is_over:
                asked[seats[game.asked]] += 1
                game.step(bots)
            for player, payment in zip(seats, game.result.payments, strict=True):
                points[player] += payment
            for player in range(2):
                decisions[player] += asked[player]
            if game.result.winner is None:
                drawn += 1
            else:
                wins[seats[game.result.winner]] += 1
        found = play_set(arena, number)
        assert (list(found.points), list(found.wins), found.drawn) == (points, wins, drawn)
        assert list(found.decisions) == decisions


def test_who_dealt_in_is_who_discarded_the_winning_tile() -> None:
    arena = contest(f"{MISFITS}Taker", "random")
    found = [play_set(arena, number) for number in range(8)]
    expected = [0, 0]
    for number in range(8):
        for seats in arena.seatings:
            game = Game(arena.rules, seed=arena.deal_seed(number))
            bots = [
                bot_from_name(arena.players[player].name, arena.bot_seed(number, player, seat))
                for seat, player in enumerate(seats)
            ]
            for event in game.play(bots).events:
                if isinstance(event, Hu) and event.source == "discard":
                    expected[seats[event.target]] += 1
    assert [sum(column) for column in zip(*(each.dealt_in for each in found), strict=True)] == expected
    assert all(expected)
    outcome = Outcome(arena, sets=found)
    assert [each.dealt_in for each in outcome.standings] == expected
    assert outcome.standings[0].deal_in_rate == expected[0] / 72
    assert play_arena(["random", "random"], "qq-half", hands=6).standings[0].deal_in_rate is None


def test_a_bot_of_ones_own_has_a_seed_of_its_own() -> None:
    gambler = f"{MISFITS}Gambler"
    one, same, other = (
        play_arena([gambler, gambler], "luzhou", hands=12, seed=seed).sets for seed in (1, 1, 2)
    )
    assert one == same != other
    assert one[0].decisions[0] != one[0].decisions[1], "the two do not share their dice"


def test_points_are_those_at_stake_1() -> None:
    with_stake = play_set(contest(f"{MISFITS}Taker", "greedy", rules="qq-full"), 0)
    assert load_rules("qq-full").stake > 1
    rules = replace(load_rules("qq-full"), stake=1)
    assert play_set(Contest((f"{MISFITS}Taker", "greedy"), rules, 5), 0) == with_stake
    assert any(with_stake.points)


def test_bots_are_made_anew_for_every_set(capsys) -> None:
    arena = contest(f"{MISFITS}Rememberer", "random")
    forwards = [play_set(arena, number) for number in (0, 1)]
    backwards = [play_set(arena, number) for number in (1, 0)]
    assert forwards == backwards[::-1]
    assert capsys.readouterr().out == "", "what bots print is not part of the answer"


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("Raiser", r"RuntimeError: lost my glasses \(test_arena.py, line \d+\)"),
        ("Leaver", "leaves the table"),
        ("Cheat", "IllegalAction: expected one of .*, got hu"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_fails_is_named(bot: str, told: str, jobs: int) -> None:
    arena = (
        rf"bot {MISFITS}{bot} \(seat \d\) failed in set 0, at decision \d+ of a hand with the deal seed \d+: "
    )
    with pytest.raises(ArenaError, match=arena + told):
        play_arena(["random", f"{MISFITS}{bot}"], hands=24, seed=1, jobs=jobs)


# --- processes ---


@pytest.mark.parametrize(
    "names",
    [("random", "random"), ("greedy", "random", f"{MISFITS}Rememberer"), (f"{MISFITS}Gambler", "greedy")],
)
def test_the_result_does_not_depend_on_the_processes(names: tuple[str, ...]) -> None:
    one, two = (play_arena(names, "luzhou", hands=90, seed=11, jobs=jobs) for jobs in (1, 2))
    assert one.sets == two.sets
    assert [each.number for each in two.sets] == [*range(15)]
    assert any(each.seconds > (0,) for each in two.sets)


def test_a_process_that_ends_is_told() -> None:
    with pytest.raises(ArenaError, match=r"expected set \d from a process, but it ended with exit code 7"):
        play_arena(["random", f"{MISFITS}Killer"], hands=24, seed=1, jobs=2)


def test_sets_played_beyond_the_decision_do_not_count() -> None:
    one, two = (
        play_arena(["greedy", "random"], "qq-half", hands=600, seed=3, sprt=Sprt(), jobs=jobs)
        for jobs in (1, 2)
    )
    assert one.sets == two.sets


# --- arguments ---


@pytest.mark.parametrize("name", ["hands", "jobs"])
@pytest.mark.parametrize("number", [0, -6, 1.5, "6", True])
def test_numbers_that_are_none_are_refused(name: str, number: object) -> None:
    with pytest.raises(ValueError, match=r"expected (hands|processes) from 1 .*, got "):
        play_arena(["random", "random"], **{name: number})


@pytest.mark.parametrize("number", [-1, 1.5, 1 << 64, None])
def test_a_set_of_no_number_is_refused(number: object) -> None:
    with pytest.raises(ValueError, match=r"expected the number of a hand from 0 .*, got "):
        play_set(contest(), number)


@pytest.mark.parametrize(
    "names", ["greedy", None, 5, {"greedy": 1}, [GreedyBot(), GreedyBot()], [GreedyBot, None], iter("ab")]
)
def test_bots_in_place_of_names_are_refused(names: object) -> None:
    with pytest.raises(TypeError, match=r"expected (a list with the names of 2 or 3 bots|the name of a bot)"):
        play_arena(names, hands=6)


@pytest.mark.parametrize("sprt", ["0,1", (0, 1), True])
def test_what_is_no_test_is_refused(sprt: object) -> None:
    with pytest.raises(TypeError, match=r"expected a Sprt, as Sprt\(0, 0\.2\), got "):
        play_arena(["random", "random"], hands=6, sprt=sprt)


def test_going_on_needs_a_file() -> None:
    with pytest.raises(ValueError, match="expected a file as out with resume"):
        play_arena(["random", "random"], hands=6, resume=True)
