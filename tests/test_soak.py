"""A long run of random games by all rules, both engines: every law holds, and no memory is lost."""

import os
import resource
import sys
import time
from itertools import count
from types import ModuleType

import pytest
from game_bots import TABLES, played
from reference import chi_twin, game_twin, score_twin, solver_twin
from test_engine import assert_laws_hold, native_rules
from test_engine_twin import assert_plays_like_the_twin
from test_views import assert_secrets_are_kept

from paohuzi import Hand, _engine, samples
from paohuzi.game import Game
from paohuzi.record import Record, check_record
from paohuzi.record.position import position_after
from paohuzi.views import View

SECONDS = float(os.environ.get("PAOHUZI_SOAK_SECONDS", 600))
WARM_ROUNDS = 3  # until caches are filled
MEGABYTE = 1 << 20
GROWTH_MAX = 24 * MEGABYTE
NATIVE_HANDS = 2_000
FIELDS = tuple(name for name, part in vars(View).items() if isinstance(part, property))


def peak_memory() -> int:
    """The most memory that the process has had, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def forget(*modules: ModuleType) -> None:
    """Clear what the twins have kept."""
    for module in modules:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def play_round(number: int) -> None:
    """A few games by each of the rules."""
    for preset, seats in TABLES:
        assert_laws_hold(preset, seats, number)
        assert_plays_like_the_twin(preset, seats, number)
        assert_secrets_are_kept(preset, seats, number)
        assert_record_is_true(played(preset, seats, number))
        assert_native_play_is_counted(preset, seats, number)
    forget(chi_twin, game_twin, score_twin, solver_twin)


def assert_record_is_true(game: Game) -> None:
    record = game.record()
    check_record(record)
    assert Record.from_lines(record.to_lines()) == record
    for seat in record.playing:
        seen = record.seen_by(seat)
        view = game.observe(seat)
        held = position_after(seen, len(seen.events)).hands[seat]
        if game.result and game.result.type == "draw":
            assert Hand.parse(" ".join(held)) == view.hand
        for name in FIELDS:
            getattr(view, name)


def assert_native_play_is_counted(preset: str, seats: int, number: int) -> None:
    rules = native_rules(preset, seats)
    totals = _engine.random_play(rules, number * NATIVE_HANDS, NATIVE_HANDS, with_events=True)
    assert totals["events"]["hu"] + totals["events"]["drawn_hand"] == totals["hands"] == NATIVE_HANDS
    assert len(samples.played_states(100, rules=preset, seed=number)) == 100


def test_one_round_of_the_soak_holds() -> None:
    play_round(0)


@pytest.mark.exhaustive
def test_long_play_keeps_the_laws_and_the_memory() -> None:
    end = time.monotonic() + SECONDS
    warm = 0
    for number in count(10_000):
        if number == 10_000 + WARM_ROUNDS:
            warm = peak_memory()
        play_round(number)
        if time.monotonic() > end and number >= 10_000 + WARM_ROUNDS:
            break
    grown = peak_memory() - warm
    print(f"{number - 10_000 + 1} rounds of {len(TABLES)} tables, {grown / MEGABYTE:.1f} MB more memory")
    assert grown < GROWTH_MAX
