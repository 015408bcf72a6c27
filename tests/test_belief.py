"""Hidden tiles as a seat imagines them: the true ones are among them, and what cannot be never is."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
import walls
from engine_games import EngineGame, held_faces
from hand_history import Happening, Hindsight

from paohuzi import Group, _engine
from paohuzi._lookahead import Lookahead
from paohuzi.rules import Rules, load_rules

SEATS = range(3)
WANG = 20
GAMES = 24
TABLES = [(preset, 3) for preset in walls.PRESETS] + [(preset, 4) for preset in walls.FOUR_SEATS]
every_table = pytest.mark.parametrize(("preset", "seats"), TABLES)


def rules_of(preset: str, seats: int) -> Rules:
    return replace(load_rules(preset), seats=seats)


class Position:
    """A decision of a recorded game."""

    def __init__(self, table: _engine.Table, events: list[Happening], rules: Rules) -> None:
        self.table, self.events, self.rules = table, events, rules
        self.view = table.observe(table.asked)
        self.exposed = tuple(table.exposed(seat) for seat in SEATS)

    def contradictions(self, hands: tuple[int, ...], exposed: tuple[bytes, ...]) -> list[str]:
        hindsight = Hindsight(
            self.events,
            hands,
            exposed,
            is_asked_late=self.view.question in ("peng", "chi"),
            peng_forced=self.rules.peng_forced,
            peng_dies=self.rules.peng_dead_by_passed_peng,
        )
        return list(hindsight.contradictions())


def positions(preset: str, seats: int, seed: int) -> Iterator[Position]:
    """Every decision of a game of which more or less is played by chance, the rest by the policy."""
    rules = rules_of(preset, seats)
    look, random = Lookahead(rules.native), Random(seed)
    deal = walls.random_deal(preset, seed, clumping=0.15 * (seed % 3), grouping=0.4 * (seed % 2))
    table = EngineGame(deal, seats, is_recording=True).table
    events = [Happening.of(event) for event in table.take_events()]
    chance = random.choice([0.05, 0.5, 1])
    while not table.is_over:
        yield Position(table, events, rules)
        view = bytes(table.observe(table.asked))
        is_quick = random.random() > chance
        table.apply(look.quick_action(view, seed) if is_quick else random.choice(table.actions()))
        events = events + [Happening.of(event) for event in table.take_events()]


@every_table
def test_the_true_tiles_are_always_possible(preset: str, seats: int) -> None:
    look = Lookahead(rules_of(preset, seats).native)
    for seed in range(GAMES):
        for position in positions(preset, seats, seed):
            table = position.table
            assert position.contradictions(table.hands(), position.exposed) == [], (seed, position.events)
            view = bytes(position.view)
            assert look.allows(view, table.hands(), position.exposed), (seed, position.events)


@every_table
def test_what_cannot_be_is_never_imagined(preset: str, seats: int) -> None:
    look = Lookahead(rules_of(preset, seats).native)
    for seed in range(GAMES // 4):
        for position in positions(preset, seats, seed):
            samples = look.sample(bytes(position.view), seed, 5)
            assert len(samples) == 5
            for hands, exposed, _ in samples:
                assert position.contradictions(hands, exposed) == [], (seed, position.events, hands)


@every_table
def test_imagined_tiles_fit_the_view(preset: str, seats: int) -> None:
    rules = rules_of(preset, seats)
    look = Lookahead(rules.native)
    deck = Counter(dict.fromkeys(range(20), 4) | {WANG: rules.wang})
    for seed in range(4):
        for position in positions(preset, seats, seed):
            view = position.view
            for hands, exposed, wall in look.sample(bytes(view), seed, 3):
                assert hands[view.seat] == view.hand
                assert tuple(len(held_faces(hand)) for hand in hands) == view.hand_sizes
                assert all(known in (None, face) for known, face in zip(view.wall, wall, strict=True))
                tiles = Counter(wall) + lying(view)
                for seat in SEATS:
                    tiles.update(held_faces(hands[seat]))
                    for code, seen in zip(exposed[seat], view.exposed(seat), strict=True):
                        assert code == seen or (seen == 255 and 99 <= code < 119 and seat != view.seat)
                        tiles.update(Group.from_code(code).faces)
                assert tiles == +deck


def lying(view: _engine.View) -> Counter[int]:
    return Counter(face for face, _, _, fate, _ in view.appearances if fate in ("lies", "open"))


def test_the_same_view_and_seed_give_the_same_samples() -> None:
    look = Lookahead(load_rules("qq-half").native)
    for position in positions("qq-half", 3, 5):
        view = bytes(position.view)
        assert look.sample(view, 9, 3) == Lookahead(load_rules("qq-half").native).sample(view, 9, 3)
        assert look.sample(view, 9, 1) == look.sample(view, 9, 3)[:1]
