"""Search: it knows no more than the view, answers the same for a seed, and finds what is known to be best."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from other_deals import PlayedHand

from paohuzi import Query, _engine, _lookahead, distance, load_rules, preset_names
from paohuzi._lookahead import STREAM_COUNT, Lookahead
from paohuzi.actions import HU, PASS, Action, IllegalAction
from paohuzi.bots import GreedyBot, RandomBot, SearchBot, bot_from_name
from paohuzi.game import Game
from paohuzi.search import METHODS, Analysis, Budget, analyse_position, policy_values
from paohuzi.tiles import NotationError
from paohuzi.views import View

POSITIONS = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "best_actions.jsonl").read_text("utf-8").splitlines()
]
HIDDEN_PLAY = (
    *(("qq-basic", 3), ("qq-half", 3), ("luzhou", 3), ("changde-duohong", 3), ("yongzhou", 3)),
    *(("hunan", 4), ("kaixin", 4), ("yongzhou-4", 4)),
)
MEMORY_SLACK = 24 << 20
every_method = pytest.mark.parametrize("method", METHODS)


def games(preset: str, seed: int, seats: int = 3) -> Iterator[Game]:
    """The points of a hand between greedy and random players that leave a choice."""
    game = Game(replace(load_rules(preset), seats=seats), seed=seed)
    bots = [GreedyBot(), RandomBot(seed), GreedyBot(), RandomBot(seed + 1)]
    while not game.is_over:
        if len(game.legal_actions()) > 1:
            yield game.copy()
        game.step(bots[:seats])


def views(preset: str, seed: int, seats: int = 3) -> list[View]:
    return [game.observe(game.asked) for game in games(preset, seed, seats)]


# --- what it may know ---


def answers(view: View) -> list[object]:
    """All that is said of a position."""
    analyses = [analyse_position(view, 300, method=method, seed=1) for method in METHODS]
    bots = [bot_from_name(name, seed=1) for name in ("greedy", "random", "flat:100", "ismcts:100")]
    return [*analyses, policy_values(view), *(bot.choose(view) for bot in bots)]


@pytest.mark.parametrize(("preset", "seats"), HIDDEN_PLAY)
def test_other_hidden_tiles_change_nothing(preset: str, seats: int) -> None:
    """Games with other tiles in both other hands and in the wall, played to the same view."""
    for seed in range(2):
        points = list(games(preset, seed, seats))
        for game in points[:: max(1, len(points) // 4)]:
            played = PlayedHand(game)
            others = [hidden for hidden in played.imagined(seed, 20) if played.is_all_other(hidden)][:2]
            assert others or played.view.tiles_left < 3
            for other in map(played.with_hidden, others):
                one, two = game.observe(game.asked), other.observe(game.asked)
                assert bytes(one.seen) == bytes(two.seen)
                assert answers(one) == answers(two)


@every_method
def test_nothing_but_the_bytes_of_the_view_counts(method: str) -> None:
    for view in views("yongzhou", 8)[::4]:
        told = replace(view, seen=_engine.restored_view(bytes(view.seen)))
        assert analyse_position(view, 200, method=method) == analyse_position(told, 200, method=method)
        assert policy_values(view) == policy_values(told)


# --- the same answer again ---


@every_method
@pytest.mark.parametrize("preset", ["qq-half", "yongzhou", "luzhou"])
def test_a_seed_gives_the_same_answer_for_any_number_of_threads(method: str, preset: str) -> None:
    for view in views(preset, 5)[::6]:
        first = analyse_position(view, 700, method=method, seed=3)
        for threads in (1, 2, 3, STREAM_COUNT):
            assert analyse_position(view, 700, method=method, seed=3, threads=threads) == first


def test_another_seed_gives_other_rollouts() -> None:
    view = views("qq-half", 2)[0]
    means = {analyse_position(view, 300, seed=seed).rows[0].mean for seed in range(4)}
    assert len(means) == 4


def test_two_threads_share_the_work() -> None:
    """By processor time, which other programs do not change: what the slower thread needs."""
    view = views("qq-half", 2)[0]
    analyse_position(view, 100)
    before = time.process_time()
    analyse_position(view, 30000)
    alone = time.process_time() - before
    before, own_before = time.process_time(), time.thread_time()
    analyse_position(view, 30000, threads=2)
    own = time.thread_time() - own_before
    other = time.process_time() - before - own
    assert max(own, other) < alone / 1.5, "1.8 where nothing else runs: bench/bench_search.py"


# --- what it finds ---


@every_method
@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: f"{case['kind']}-{case['rules']}-{case['seed']}")
def test_what_is_known_to_be_best_is_found(method: str, case: dict) -> None:
    game = Game(case["rules"], seed=case["seed"])
    for action in case["line"]:
        game.apply(action)
    best = {Action.parse(text) for text in case["best"]}
    for seed in range(3):
        found = analyse_position(game.observe(game.asked), 3000, method=method, seed=seed)
        assert found.best in best, f"{case['why']}\n{found}"


def test_the_positions_are_of_every_kind() -> None:
    assert {case["kind"] for case in POSITIONS} == {"win", "bi", "peng", "feed", "last-route"}


@pytest.mark.parametrize("case", [case for case in POSITIONS if case["kind"] == "last-route"])
def test_the_peng_leaves_no_way_to_the_minimum(case: dict) -> None:
    game = Game(case["rules"], seed=case["seed"])
    for action in case["line"]:
        game.apply(action)
    query = game.observe(game.asked).query
    assert distance(Query(query.hand, query.exposed), rules=case["rules"]) == 0
    seat = game.asked
    game.apply("peng")
    assert distance(game.observe(seat).query, rules=case["rules"]) is None


def test_one_rollout_has_no_error_to_tell() -> None:
    analysis = analyse_position(views("yongzhou", 8)[0], 1, method="flat")
    assert {(row.visits, row.error) for row in analysis} == {(1, inf)}
    assert "–" in str(analysis)


def test_more_rollouts_have_less_error() -> None:
    view = views("qq-half", 2)[0]
    few, many = (analyse_position(view, budget, method="flat") for budget in (1000, 16000))
    assert 3 < few.rows[0].error / many.rows[0].error < 5.5


def test_means_are_those_of_payments() -> None:
    """At the last tile of the wall a win pays what it pays, and a pass nothing."""
    case = next(case for case in POSITIONS if case["kind"] == "win")
    game = Game(case["rules"], seed=case["seed"])
    for action in case["line"]:
        game.apply(action)
    found = {row.action: row for row in analyse_position(game.observe(game.asked), 200)}
    seat = game.asked
    game.apply("hu")
    assert found[HU].mean == game.result.payments[seat]
    assert found[HU].error == 0
    assert found[PASS].mean < found[HU].mean


# --- the answer ---


@pytest.mark.parametrize("preset", preset_names())
@every_method
def test_every_legal_action_has_a_row(method: str, preset: str) -> None:
    for view in views(preset, 1)[::5]:
        found = analyse_position(view, 150, method=method)
        assert {row.action for row in found} == {*view.legal_actions}
        assert sum(row.visits for row in found) == found.rollouts
        assert all(row.visits and row.error >= 0 for row in found)
        for row in found:
            assert all(move.seat in view.playing for move in row.line)
            assert method == "ismcts" or not row.line


@pytest.mark.parametrize("preset", preset_names())
def test_the_policy_has_a_value_for_every_legal_action(preset: str) -> None:
    look = Lookahead(load_rules(preset).native)
    for seed in range(8):
        for view in views(preset, seed):
            values = policy_values(view)
            assert len(values) == len(view.legal_actions)
            quick = Action.from_number(look.quick_action(bytes(view.seen), seed))
            assert values[view.legal_actions.index(quick)] == max(values)
            assert HU not in view.legal_actions or quick == HU


def test_hands_of_the_policy_are_the_same_with_the_backtracker() -> None:
    for preset in ("qq-half", "yongzhou"):
        look = Lookahead(load_rules(preset).native)
        tables = look.play(1, 20)
        _lookahead.prefer_backtracker(True)
        try:
            assert look.play(1, 20) == tables
        finally:
            _lookahead.prefer_backtracker(False)


def test_the_line_goes_on_from_the_action() -> None:
    """The first moves of a long look are legal in some hand that fits the view."""
    view = views("qq-half", 2)[0]
    found = analyse_position(view, 20000)
    assert len(found.rows[0].line) > 2
    assert all(isinstance(move.action, Action) for move in found.rows[0].line)


def test_a_budget_of_rollouts_is_kept() -> None:
    for view in views("qq-half", 4)[::3]:
        for budget in (100, 999, 5000):
            found = analyse_position(view, budget)
            assert 0.6 * budget < found.rollouts <= max(budget, 6 * len(view.legal_actions))


def test_a_budget_of_time_is_kept() -> None:
    view = views("qq-half", 2)[0]
    before = time.thread_time()
    found = analyse_position(view, "60ms")
    assert time.thread_time() - before < 0.5
    assert found.rollouts > len(view.legal_actions)


def test_ctrl_c_ends_a_search_at_once() -> None:
    script = """
import os, signal, threading
from paohuzi.game import Game
from paohuzi.search import analyse_position
view = Game("qq-half", seed=3).observe(0)
analyse_position(view, 100)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    analyse_position(view, "600s", threads=2)
except KeyboardInterrupt:
    print(len(analyse_position(view, 100)))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (run.stdout.strip().isdigit(), run.stderr) == (True, "")


def test_the_table_is_for_reading() -> None:
    view = views("qq-half", 2)[0]
    found = analyse_position(view, 500)
    lines = str(found).splitlines()
    assert lines[0].split() == ["action", "points", "±", "rollouts", "then"]
    assert len(lines) == len(view.legal_actions) + 1
    assert lines[1].startswith(str(found.best))
    assert isinstance(found, Analysis)
    assert len(found) == len(view.legal_actions)


def test_memory_stays_bounded() -> None:
    resource = pytest.importorskip("resource")
    view = views("qq-half", 2)[0]
    analyse_position(view, 2000, threads=2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for seed in range(30):
        analyse_position(view, 1000, seed=seed, threads=2)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown * 1024 < MEMORY_SLACK


# --- what is refused ---


@pytest.mark.parametrize("text", ["", "0", "5 minutes", "-3", "1e9", "10ns", "5000000000000000"])
def test_a_budget_that_is_none_is_an_error(text: str) -> None:
    with pytest.raises(NotationError, match="expected a budget"):
        Budget.parse(text)


def test_a_seat_that_is_not_asked_has_nothing_to_judge() -> None:
    game = Game("qq-basic", seed=4)
    view = game.observe(1)
    for judge in (analyse_position, policy_values):
        with pytest.raises(
            IllegalAction, match="expected the view of a seat that is asked, got that of seat 1"
        ):
            judge(view)


def test_damaged_views_are_refused_or_judged() -> None:
    """Whatever the bytes, there is an answer or a ValueError."""
    look = Lookahead(load_rules("qq-half").native)
    refused = 0
    for view in views("qq-half", 3)[::6]:
        source = bytes(view.seen)
        for place in range(len(source)):
            damaged = source[:place] + bytes([source[place] ^ 0x55]) + source[place + 1 :]
            try:
                look.analyse(damaged, "ismcts", 10, 0, 1, 1)
            except ValueError:
                refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    ("options", "told"),
    [
        *(({"seed": seed}, "a seed from 0 to") for seed in (-1, 1 << 64, None, 1.5, True, "1")),
        *(({"threads": count}, "threads from 1 to 8") for count in (0, -1, 9, 10**30, 1.5, True, None)),
        *(({"method": name}, "one of the methods flat, ismcts") for name in ("uct", "", None, ["flat"])),
        ({"budget": 0}, "a number of rollouts or of milliseconds above 0"),
        *(
            ({"budget": budget}, "rollouts from 0 to 1000000000")
            for budget in (-1, True, 1.5, None, b"5", 10**9 + 1, 10**30, "2000000000")
        ),
        ({"budget": "4000s"}, "milliseconds from 0 to 3600000"),
        *(({"budget": budget}, "a budget as 5000") for budget in ("-1s", "nan s", "", "1.5s", "٥")),
    ],
)
def test_arguments_that_are_none_are_refused(options: dict[str, object], told: str) -> None:
    view = views("qq-basic", 4)[0]
    with pytest.raises(ValueError, match=rf"^expected {re.escape(told)}.*, got "):
        analyse_position(view, **{"budget": 10, **options})
    with pytest.raises(ValueError, match=rf"^expected {re.escape(told)}.*, got "):
        SearchBot(**options)


@pytest.mark.parametrize("judge", [analyse_position, policy_values])
def test_what_is_no_view_is_refused(judge: Callable[[object], object]) -> None:
    game = Game("qq-basic", seed=4)
    for other in (None, game, "qq-basic", game.observe(0).seen, bytes(game.observe(0).seen)):
        with pytest.raises(TypeError, match=r"expected the View of a seat, as Game\.observe gives it, got "):
            judge(other)


@pytest.mark.parametrize(
    "numbers", [(), (1, 1), (-1, 5), (1.5,), (True,), ("5",), (None,), (10**30,), (0, 3_600_001), (0, inf)]
)
def test_a_budget_of_numbers_that_are_none_is_refused(numbers: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=r"^expected .*(rollouts|milliseconds).*, got "):
        Budget(*numbers)


# --- bots ---


@pytest.mark.parametrize(
    ("name", "method", "budget", "threads"),
    [
        ("ismcts", "ismcts", Budget(rollouts=1000), 1),
        ("ismcts:5000", "ismcts", Budget(rollouts=5000), 1),
        ("flat:1000ms", "flat", Budget(milliseconds=1000), 1),
        ("ismcts:2s,threads=2", "ismcts", Budget(milliseconds=2000), 2),
    ],
)
def test_options_stand_in_the_name(name: str, method: str, budget: Budget, threads: int) -> None:
    bot = bot_from_name(name, 7)
    assert isinstance(bot, SearchBot)
    assert (bot.method, bot.budget, bot.threads, bot.seed) == (method, budget, threads, 7)


@pytest.mark.parametrize(
    "name", ["ismcts:", "ismcts:x", "flat:10,threads=", "flat:10,threads=9", "flat,threads=2"]
)
def test_options_that_are_none_are_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="expected a b"):
        bot_from_name(name)
