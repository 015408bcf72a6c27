"""The arena in Python: seatings, sets, intervals, the sequential test, results kept in a file, processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import inf, nan
from pathlib import Path
from random import Random
from statistics import mean

import numpy as np
import pytest

from paohuzi import load_rules, preset_names
from paohuzi.actions import HU, Action
from paohuzi.arena import ArenaError, Contest, Estimate, Outcome, Sprt, estimate, play_arena, play_set
from paohuzi.arena.estimates import SprtRun, running_estimates, t_quantile
from paohuzi.arena.results_file import ResultsFile
from paohuzi.arena.workers import play_sets
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


# --- intervals ---


def test_t_is_that_of_the_tables() -> None:
    known = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 10: 2.2281, 29: 2.0452, 30: 2.0423}
    known |= {60: 2.0003, 99: 1.9842, 100: 1.9840, 120: 1.9799, 1000: 1.9623}
    assert {freedom: round(t_quantile(freedom), 4) for freedom in known} == known
    assert round(t_quantile(7, 0.99), 4) == 3.4995


def test_an_interval_stands_around_the_mean() -> None:
    values = [1.0, 4.0, 2.0, 2.5]
    found = estimate(values)
    half = 3.1824 * np.std(values, ddof=1) / 2
    assert found == pytest.approx((2.375, 2.375 - half, 2.375 + half), abs=1e-4)
    assert estimate([3.0]) == Estimate(3.0, None, None)
    assert estimate([]) == Estimate(None, None, None)
    assert estimate([2.0, 2.0]) == Estimate(2.0, 2.0, 2.0)


def test_running_estimates_are_those_of_the_beginnings() -> None:
    values = np.random.default_rng(3).normal(1, 2, 50)
    found = running_estimates(values, [2, 7, 50])
    for count, each in zip([2, 7, 50], found, strict=True):
        assert each == pytest.approx(estimate(values[:count]))


def test_intervals_of_small_arenas_cover() -> None:
    """A bot against itself: the true difference is 0, and 95 of 100 intervals hold it.

    Of 300 arenas 15 should miss it, with a standard deviation of 3.8; intervals of 90 % would miss it 30
    times, those of 99 % 3 times.
    """
    arenas, sets = 300, 8
    played = play_sets(contest("random", "random", seed=2), range(arenas * sets))
    points = np.array([result.points[0] / 9 for result in played]).reshape(arenas, sets)
    assert np.count_nonzero(points) > points.size / 3, "the hands are not all drawn"
    found = np.array([estimate(of_arena) for of_arena in points])
    means, halves = found[:, 0], found[:, 2] - found[:, 0]
    assert 7 <= np.count_nonzero(np.abs(means) > halves) <= 24
    assert np.count_nonzero(np.abs(means) > 0.8 * halves) > 24, "too narrow ones would be noticed"
    assert np.count_nonzero(np.abs(means) > 1.45 * halves) < 7, "too wide ones as well"


# --- the sequential test ---


def decided(values, sprt: Sprt) -> tuple[str | None, int]:
    """What the test says, and after how many values."""
    test = SprtRun(sprt)
    for value in values:
        test.add(value)
        if test.decided:
            break
    return test.decided, test.count


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "high"), (0.2, "low")])
def test_the_sequential_test_seldom_errs(truth: float, wrong: str) -> None:
    draw = np.random.default_rng(8)
    found = [decided(draw.normal(truth, 0.7, 3000), Sprt(0, 0.2)) for _ in range(300)]
    errors = sum(answer == wrong for answer, _ in found)
    assert 3 <= errors <= 27, "5 % are 15"
    assert all(answer for answer, _ in found)
    assert mean(count for _, count in found) < 120, "a fixed number of sets would have to be 133"


def test_the_sequential_test_is_quick_where_much_is_clear() -> None:
    draw = np.random.default_rng(8)
    assert decided(draw.normal(3, 1, 3000), Sprt()) == ("high", 30)
    assert decided(draw.normal(-3, 1, 3000), Sprt()) == ("low", 30)
    assert decided([0.0] * 100, Sprt()) == ("low", 30)
    assert decided([0.1] * 100, Sprt()) == (None, 100)


def test_the_likelihood_ratio_is_that_of_two_normals() -> None:
    values = np.random.default_rng(2).normal(0.3, 1, 40)
    test = SprtRun(Sprt(-0.1, 0.4))
    for value in values:
        test.add(value)
    spread = np.var(values, ddof=1)
    expected = (np.sum((values + 0.1) ** 2) - np.sum((values - 0.4) ** 2)) / (2 * spread)
    assert test.llr == pytest.approx(expected)
    assert SprtRun(Sprt()).llr == 0


@pytest.mark.parametrize(("names", "answer"), [(("greedy", "random"), "high"), (("random", "greedy"), "low")])
def test_greedy_against_random_is_decided_the_right_way(names: tuple[str, ...], answer: str) -> None:
    outcome = play_arena(names, "qq-half", hands=600, seed=3, sprt=Sprt(-0.1, 0.1))
    assert outcome.test.decided == answer
    assert outcome.hands < 600
    assert outcome.summary()["sprt"]["decided"] == answer
    assert abs(outcome.test.llr) < inf


def test_the_difference_is_the_first_bots_against_the_others() -> None:
    outcome = play_arena(["greedy", "random", "random"], "qq-half", hands=60, seed=3)
    greedy, random = (each.points.mean for each in outcome.standings)
    assert outcome.lead.mean == pytest.approx(greedy - random)
    assert greedy + 2 * random == pytest.approx(0)


@pytest.mark.parametrize("text", ["0.2", "0.2,0", "0,0", "a,b", "0,1,2", "nan,1", "0,inf", ""])
def test_bounds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected LOW,HIGH as 0,0\.2"):
        Sprt.parse(text)


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


# --- results in a file ---


def lines_of(path: Path) -> list[dict]:
    """Without the times."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_a_file_has_a_line_a_set(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    outcome = play_arena(["random", "random"], "luzhou", hands=20, seed=2, out=path)
    header, *sets = lines_of(path)
    assert (header["type"], header["version"], header["seed"]) == ("paohuzi arena", 1, 2)
    assert (header["bots"], header["hash"]) == (["random"] * 2, load_rules("luzhou").hash)
    assert [line["set"] for line in sets] == [0, 1, 2, 3]
    assert [tuple(line["points"]) for line in sets] == [result.points for result in outcome.sets]
    assert outcome.hands == 24, "whole sets"


@pytest.mark.parametrize("torn", [0, 1, 30, -1])
def test_an_arena_goes_on_where_its_file_ends(tmp_path: Path, torn: int) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    expected = play_arena(["greedy", "random"], "luzhou", hands=60, seed=2, out=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join(lines[:4]) + lines[4][:torn])
    outcome = play_arena(["greedy", "random"], "luzhou", hands=60, out=broken, resume=True)
    assert (outcome.resumed, outcome.dropped) == (3, len(lines[4][:torn]))
    assert outcome.sets == expected.sets
    assert lines_of(broken) == lines_of(whole)
    assert outcome.summary()["bots"][0]["points"] == expected.summary()["bots"][0]["points"]


def test_wherever_a_file_breaks_off_its_whole_sets_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    arena = contest()
    with ResultsFile(path, arena, resume=False) as file:
        for number in range(3):
            file.write(play_set(arena, number))
    text = path.read_bytes()
    for size in [*range(0, len(text), 9), *range(len(text) - 3, len(text) + 1)]:
        path.write_bytes(text[:size])
        with ResultsFile(path, arena, resume=True) as file:
            assert len(file.stored) == max(0, text[:size].count(b"\n") - 1)
        kept = path.read_bytes()
        assert text.startswith(kept)
        assert kept.endswith(b"\n")


def test_nothing_played_is_told_as_nothing() -> None:
    found = Outcome(contest(), Sprt())
    bots = found.summary()["bots"]
    assert [(bot["points"], bot["low"], bot["win_rate"], bot["ms_per_decision"]) for bot in bots] == [
        (None,) * 4
    ] * 2
    assert (found.hands, found.is_decided, found.lead) == (0, False, Estimate(None, None, None))


def test_the_seed_of_a_file_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=6, seed=0, out=path)
    assert play_arena(["random", "random"], hands=12, out=path, resume=True).contest.seed == 0


def test_more_hands_go_on_from_fewer(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], "luzhou", hands=30, seed=2, out=path)
    more = play_arena(["random", "random"], "luzhou", hands=60, seed=2, out=path, resume=True)
    assert more.sets == play_arena(["random", "random"], "luzhou", hands=60, seed=2).sets
    fewer = play_arena(["random", "random"], "luzhou", hands=12, seed=2, out=path, resume=True)
    assert fewer.sets == more.sets[:2]
    assert len(lines_of(path)) == 11, "nothing is thrown away"


def test_a_file_of_another_arena_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], "luzhou", hands=6, seed=2, out=path)
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="has results already; go on with --resume, or name another file"):
        play_arena(["random", "random"], "luzhou", hands=6, seed=2, out=path)
    for names, rules, seed, told in [
        (["random", "greedy"], "luzhou", 2, r"bots was \['random', 'random'\], is \['random', 'greedy'\]"),
        (["random", "random"], "qq-half", 2, "rules was luzhou, is qq-half"),
        (["random", "random"], replace(load_rules("luzhou"), min_xi=12), 2, "holds another arena: hash was"),
        (["random", "random"], "luzhou", 3, "seed was 2, is 3"),
    ]:
        with pytest.raises(ArenaError, match=told):
            play_arena(names, rules, hands=6, seed=seed, out=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"1s 2s 3s\n", "line 1: expected results of an arena"),
        (b"1s 2s 3s", "expected results of an arena, got another file"),
        (b'{"type":"start"}\n{}\n', "line 1: expected results of an arena"),
        (b"\xff\n", "line 1: expected results of an arena"),
    ],
)
@pytest.mark.parametrize("resume", [True, False])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: bytes, told: str, resume: bool) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(text)
    with pytest.raises(ArenaError, match=told):
        play_arena(["random", "random"], hands=6, out=path, resume=resume)
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    "line", ["{}", "[]", "7", '{"set": 0}', "torn", "", '{"set": 1, "points": [0, 0]}', "[" * 100_000, "\xff"]
)
def test_a_bad_line_among_good_ones_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=12, seed=2, out=path)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0], line, lines[2], ""]), "latin-1")
    before = path.read_bytes()
    with pytest.raises(ArenaError, match=r"results\.jsonl, line 2: expected set 0 of 2 players, .*, got "):
        play_arena(["random", "random"], hands=12, seed=2, out=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("points", "[1e400, -1e400]", "2 whole numbers"),
        ("points", "[NaN, 0]", "2 whole numbers"),
        ("points", "[2.5, -2.5]", "2 whole numbers"),
        ("points", "[true, -1]", "2 whole numbers"),
        ("points", '["3", "-3"]', "2 whole numbers"),
        ("points", f"[{10**400}, {-(10**400)}]", "2 whole numbers"),
        ("points", "[0, 0, 0]", "2 whole numbers"),
        ("points", '{"0": 0, "1": 0}', "2 whole numbers"),
        ("points", "[4, -3]", "numbers that add up to 0"),
        ("wins", "[-1, 2]", "numbers from 0 up"),
        ("wins", "[6, 1]", "at most 6 hands"),
        ("wins", "null", "2 whole numbers"),
        ("dealt_in", "[7, 0]", r"at most \d hands"),
        ("decisions", "[-5, 9]", "numbers from 0 up"),
        ("drawn", "-1", r"\d"),
        ("drawn", "1e400", r"\d"),
        ("drawn", "99", r"\d"),
        ("seconds", "[-1.0, 0.5]", "2 times"),
        ("seconds", "[Infinity, 0.5]", "2 times"),
        ("seconds", "[0.5]", "2 times"),
        ("set", "0", "1"),
        ("set", "true", "1"),
        ("set", "2", "1"),
    ],
)
def test_numbers_that_no_arena_writes_are_refused(tmp_path: Path, field: str, value: str, told: str) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], "luzhou", hands=18, seed=2, out=path)
    lines = path.read_text("utf-8").splitlines()
    edited = json.loads(lines[2]) | {field: "HERE"}
    lines[2] = json.dumps(edited).replace('"HERE"', value)
    path.write_text("\n".join([*lines, ""]), "utf-8")
    expected = rf"results\.jsonl, line 3: expected set 1 of 2 players, with {told} as {field}, got "
    with pytest.raises(ArenaError, match=expected):
        play_arena(["random", "random"], "luzhou", hands=18, seed=2, out=path, resume=True)


def test_a_wall_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=12, seed=2, out=path)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:2], lines[1], ""]), "utf-8")
    with pytest.raises(ArenaError, match="line 3: expected set 1 of 2 players, with 1 as set, got 0"):
        play_arena(["random", "random"], hands=12, seed=2, out=path, resume=True)


def test_where_discards_do_not_win_nobody_dealt_in(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["greedy", "greedy"], "qq-half", hands=6, seed=2, out=path)
    header, line = path.read_text("utf-8").splitlines()
    edited = json.loads(line) | {"dealt_in": [1, 0]}
    path.write_text("\n".join([header, json.dumps(edited), ""]), "utf-8")
    with pytest.raises(ArenaError, match=r"line 2: .* with at most 0 hands as dealt_in, got"):
        play_arena(["greedy", "greedy"], "qq-half", hands=6, seed=2, out=path, resume=True)


@pytest.mark.parametrize("seed", ["-1", "1e400", "null", str(10**30), "true"])
def test_a_file_with_a_seed_that_is_none_is_refused(tmp_path: Path, seed: str) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=6, seed=2, out=path)
    text = path.read_text("utf-8").replace('"seed": 2}', f'"seed": {seed}}}')
    path.write_text(text, "utf-8")
    with pytest.raises(
        ArenaError, match=r"results\.jsonl, line 1: expected a seed from 0 to 2\*\*64 - 1, got"
    ):
        play_arena(["random", "random"], hands=6, out=path, resume=True)


@pytest.mark.parametrize("resume", [True, False])
@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero", "."])
def test_what_is_no_file_is_refused(name: str, resume: bool) -> None:
    with pytest.raises(ArenaError, match="expected a file to keep results in, got a device or a folder"):
        play_arena(["random", "random"], hands=6, out=name, resume=resume)


def test_a_line_for_which_there_is_no_room_is_not_left_half(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    play_arena(["random", "random"], hands=6, seed=2, out=path)
    before = path.read_bytes()
    code = (
        "import resource, sys; from paohuzi.arena import play_arena;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2);"
        "play_arena(['random', 'random'], hands=12, out=sys.argv[1], resume=True)"
    )
    for room in (0, 1, 50):
        command = [sys.executable, "-c", code, str(path), str(len(before) + room)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.returncode == 1
        assert "OSError" in ended.stderr
        assert path.read_bytes() == before


def test_a_file_is_written_by_one_arena_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with (
        ResultsFile(path, contest(), resume=False),
        pytest.raises(ArenaError, match="another arena is writing it"),
    ):
        ResultsFile(path, contest(), resume=True)


def test_a_failing_bot_leaves_the_sets_before_it(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with pytest.raises(ArenaError, match="set 0"):
        play_arena(["random", f"{MISFITS}Raiser"], hands=12, seed=2, out=path)
    assert len(lines_of(path)) == 1
    with pytest.raises(ArenaError, match="set 0"):
        play_arena(["random", f"{MISFITS}Raiser"], hands=12, seed=2, out=path)


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


@pytest.mark.parametrize("bounds", [("0", "1"), (None, 1), (0, 10**400), (0, inf), (nan, 1), (True, 2)])
def test_bounds_that_are_no_numbers_are_refused(bounds: tuple[object, object]) -> None:
    with pytest.raises(ValueError, match=r"expected LOW,HIGH as 0,0\.2, got .* and "):
        Sprt(*bounds)


def test_going_on_needs_a_file() -> None:
    with pytest.raises(ValueError, match="expected a file as out with resume"):
        play_arena(["random", "random"], hands=6, resume=True)
