"""Bots for tests, and games played by them."""

from collections.abc import Iterator
from random import Random

import walls

from paohuzi import load_rules
from paohuzi.actions import Action
from paohuzi.deals import Deal
from paohuzi.game import Game
from paohuzi.rules import Rules
from paohuzi.views import View

TABLES = [(preset, 3) for preset in walls.PRESETS] + [(preset, 4) for preset in walls.FOUR_SEATS]


class RandomBot:
    """Chooses uniformly, a win half of the time."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)

    def choose(self, view: View) -> Action:
        return self.random.choice(view.legal_actions)


def rules_of(preset: str, seats: int = 3) -> Rules:
    return load_rules(preset).with_options({"seats": seats})


def rich_deal(preset: str, seed: int) -> Deal:
    """A deal rich in kan, quads and wins."""
    return Deal.from_texts(walls.random_deal(preset, seed, clumping=0.1 * (seed % 4), grouping=0.5))


def new_game(preset: str, seats: int, seed: int) -> Game:
    return Game(rules_of(preset, seats), deal=rich_deal(preset, seed), dealer=seed % seats)


def points_of(game: Game, seed: int) -> Iterator[Game]:
    """The game at every decision, and at its end."""
    random = Random(seed)
    yield game
    while not game.is_over:
        game.apply(random.choice(game.legal_actions()))
        yield game


def played(preset: str, seats: int, seed: int) -> Game:
    """A game of random choices to its end."""
    game = new_game(preset, seats, seed)
    for _ in points_of(game, seed):
        pass
    return game
