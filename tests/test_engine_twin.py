"""The engine against the plain one: the same questions, choices, groups and ends; perft."""

from random import Random

import perft
import pytest
import walls
from engine_games import EngineGame
from reference.game_twin import Game
from reference.notation_twin import format_group
from test_engine import exposed_texts

TABLES = [(preset, 3) for preset in walls.PRESETS] + [(preset, 4) for preset in walls.FOUR_SEATS]
every_table = pytest.mark.parametrize(("preset", "seats"), TABLES)
# Deals at random, and deals rich in kan and quads, in wins, or in both.
SHAPES = [(0, 0), (0.3, 0), (0.6, 0), (0, 0.9), (0.2, 0.7)]


def exposed_groups(game: Game) -> list[list[str]]:
    return [sorted(map(format_group, player.exposed)) for player in game.players]


def assert_plays_like_the_twin(preset: str, seats: int, seed: int) -> None:
    random = Random(f"{preset} {seats} {seed}")
    clumping, grouping = random.choice(SHAPES)
    deal = walls.random_deal(preset, seed, clumping, grouping)
    game, twin = EngineGame(deal, seats), Game(preset, deal, seats)
    pass_chance = random.choice([0.2, 0.5])
    for step in range(1000):
        where = f"seed {seed}, decision {step}"
        assert game.asked == twin.asked, where
        assert sorted(game.actions) == sorted(twin.actions), where
        assert exposed_texts(game.table) == exposed_groups(twin), where
        assert game.end == twin.end, where
        if twin.end is not None:
            return
        actions = sorted(twin.actions)
        is_passed = "pass" in actions and random.random() < pass_chance
        action = "pass" if is_passed else random.choice(actions)
        game.apply(action)
        twin.apply(action)


@every_table
def test_random_games_are_those_of_the_twin(preset: str, seats: int) -> None:
    for seed in range(60):
        assert_plays_like_the_twin(preset, seats, seed)


@pytest.mark.exhaustive
@every_table
def test_many_random_games_are_those_of_the_twin(preset: str, seats: int) -> None:
    for seed in range(1000, 6000):
        assert_plays_like_the_twin(preset, seats, seed)


@every_table
def test_perft_is_that_of_the_twin(preset: str, seats: int) -> None:
    deal = walls.random_deal(preset, 3, clumping=0.2, grouping=0.5)
    line = tuple(walls.play_out(EngineGame(deal, seats), 3)[:6])
    game = perft.after(lambda: EngineGame(deal, seats), line)
    counts = [game.table.perft(depth) for depth in (1, 2, 3)]
    assert counts == [perft.perft(lambda: Game(preset, deal, seats), depth, line) for depth in (1, 2, 3)]
