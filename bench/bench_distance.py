"""How long does the distance of a hand take, in the middle of a game and as dealt, with wangs and without?"""

from random import Random

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi import Hand, Query, batch, discards, improving
from paohuzi.columns import Queries
from paohuzi.game import Game
from paohuzi.tiles import WANG

ROWS = 2000
Positions = tuple[Queries, np.ndarray]


def positions(exposed: range, wangs: int, seed: int = 1) -> Positions:
    """Hands of seats in random play with so many exposed groups, and what those seats see beside them.

    Wangs take the place of tiles of the hand, so that both sets are of the same play.
    """
    random, queries, seen = Random(seed), [], []
    while len(queries) < ROWS:
        game = Game("qq-half", seed=random.randrange(1 << 32))
        while not game.is_over:
            seat = random.randrange(3)
            view = game.observe(seat)
            if view.query.exposed and len(view.query.exposed) in exposed:
                query = with_wangs(view.query, wangs, random)
                queries.append(query)
                seen.append(beside(view.seen.visible, view.query))
            game.apply(random.choice(game.legal_actions()))
    return batch.queries(queries[:ROWS]), np.array(seen[:ROWS], np.uint64)


def with_wangs(query: Query, wangs: int, random: Random) -> Query:
    counts = list(query.hand.counts)
    for _ in range(min(wangs, sum(counts[:WANG]))):
        counts[random.choice([face for face in range(WANG) if counts[face]])] -= 1
        counts[WANG] += 1
    return Query(Hand(counts), query.exposed)


def beside(visible: int, query: Query) -> int:
    """The visible tiles without those of the query."""
    counts = Hand.from_packed(visible).counts[:WANG]
    return Hand([*(all_ - own for all_, own in zip(counts, query.visible, strict=False)), 0]).packed


@pytest.mark.parametrize("wangs", [0, 2, 4])
@pytest.mark.parametrize("exposed", [range(1, 3), range(1, 6), range(3, 6)], ids=str)
def test_mid_game(benchmark: BenchmarkFixture, exposed: range, wangs: int) -> None:
    """2,000 hands: 4 ms are 2 µs a hand."""
    benchmark.group = f"distance, mid-game, {wangs} wang"
    queries, visible = positions(exposed, wangs)
    benchmark(batch.distance, queries, visible)


@pytest.mark.parametrize("wangs", [0, 2, 4])
def test_dealt_hands(benchmark: BenchmarkFixture, wangs: int) -> None:
    benchmark.group = "distance, 20 tiles as dealt"
    random, hands = Random(2), []
    deck = [face for face in range(WANG) for _ in range(4)]
    for _ in range(ROWS):
        tiles = random.sample(deck, 20 - wangs)
        hands.append(Hand([*(tiles.count(face) for face in range(WANG)), wangs]).packed)
    benchmark(batch.distance, np.array(hands, np.uint64))


QUERY = "122458s 44b 8b 90b | peng:333b; chi:123s; wei:777b"


def test_improving(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "one call from Python"
    benchmark(improving, QUERY)


def test_discards(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "one call from Python"
    benchmark(discards, QUERY.replace(" |", " 5s |"))
