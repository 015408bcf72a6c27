"""Hidden tiles as a seat imagines them: the true ones are among them, and what cannot be never is."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import walls
from engine_games import EngineGame, held_faces
from hand_history import Happening, Hindsight
from other_deals import PlayedHand

from paohuzi import Group, _engine
from paohuzi._lookahead import Lookahead
from paohuzi.actions import Action
from paohuzi.bots import bot_from_name
from paohuzi.deals import Deal
from paohuzi.game import Game
from paohuzi.record import RecordWriter, read_records
from paohuzi.rules import Rules, load_rules

SEATS = range(3)
WANG = 20
GAMES = 16
SHARE = 0.2  # of the decisions of a game
RECORDED = ("greedy", "random", "ismcts:30", "greedy")
TABLES = [(preset, 3) for preset in walls.PRESETS] + [(preset, 4) for preset in walls.FOUR_SEATS]
FACTS = (  # as Hindsight words them
    *("would have made a quad", "would have made a wei", "from a kan", "with more than a pair"),
    *(
        "leaves a tile like it",
        "breaks a kan",
        "would have had to take it",
        "would have laid out a dealt quad",
    ),
)
LINES = sorted((Path(__file__).parent / "golden" / "lines").glob("*.jsonl"))
every_table = pytest.mark.parametrize(("preset", "seats"), TABLES)


def rules_of(preset: str, seats: int) -> Rules:
    return replace(load_rules(preset), seats=seats)


class Position:
    """A decision of a game."""

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
    """Some decisions of a game of which more or less is played by chance, the rest by the policy."""
    rules = rules_of(preset, seats)
    look, random = Lookahead(rules.native), Random(seed)
    deal = walls.random_deal(preset, seed, clumping=0.15 * (seed % 3), grouping=0.4 * (seed % 2))
    table = EngineGame(deal, seats, is_recording=True).table
    events = [Happening.of(event) for event in table.take_events()]
    chance = random.choice([0.05, 0.5, 1])
    while not table.is_over:
        if random.random() < SHARE:
            yield Position(table, events, rules)
        view = bytes(table.observe(table.asked))
        is_quick = random.random() > chance
        table.apply(look.quick_action(view, seed) if is_quick else random.choice(table.actions()))
        events = events + [Happening.of(event) for event in table.take_events()]


def positions_of_line(rules: Rules, deal: Deal, line: Iterable[Action]) -> Iterator[Position]:
    """All decisions of a recorded game, and where it stands when it is not over."""
    table = _engine.Table(rules.native, True)
    table.deal(*deal.native)
    events = [Happening.of(event) for event in table.take_events()]
    for action in line:
        yield Position(table, events, rules)
        table.apply(action.number)
        events = events + [Happening.of(event) for event in table.take_events()]
    if not table.is_over:
        yield Position(table, events, rules)


def half_played(preset: str, seats: int, seed: int) -> Iterator[PlayedHand]:
    """Some decisions of a game between bots that play well and by chance."""
    rules = rules_of(preset, seats)
    deal = Deal.from_texts(walls.random_deal(preset, seed, clumping=0.15 * (seed % 3)))
    game, random = Game(rules, deal=deal), Random(seed)
    bots = [bot_from_name(random.choice(["greedy", "random"]), seed) for _ in range(seats)]
    while not game.is_over:
        if random.random() < SHARE:
            yield PlayedHand(game)
        game.step(bots)


def assert_true_tiles_are_possible(position: Position, look: Lookahead) -> None:
    table = position.table
    assert position.contradictions(table.hands(), position.exposed) == [], position.events
    assert look.allows(bytes(position.view), table.hands(), position.exposed), position.events


@every_table
def test_the_true_tiles_are_always_possible(preset: str, seats: int) -> None:
    look = Lookahead(rules_of(preset, seats).native)
    for seed in range(GAMES):
        for position in positions(preset, seats, seed):
            assert_true_tiles_are_possible(position, look)


@pytest.mark.exhaustive
@every_table
def test_the_true_tiles_are_possible_in_thousands_of_games(preset: str, seats: int) -> None:
    look = Lookahead(rules_of(preset, seats).native)
    for seed in range(GAMES, 50 * GAMES):
        for position in positions(preset, seats, seed):
            assert look.allows(bytes(position.view), position.table.hands(), position.exposed), seed


@pytest.mark.parametrize("path", LINES, ids=lambda path: path.stem)
def test_the_true_tiles_of_recorded_lines_are_possible(path: Path) -> None:
    look = Lookahead(load_rules(path.stem).native)
    for text in path.read_text("utf-8").splitlines()[::5]:
        case = json.loads(text)
        line = map(Action.parse, case["line"])
        for position in positions_of_line(load_rules(path.stem), Deal.from_texts(case), line):
            assert_true_tiles_are_possible(position, look)


@every_table
def test_the_true_tiles_of_records_are_possible(preset: str, seats: int, tmp_path: Path) -> None:
    rules = rules_of(preset, seats)
    look, bots = Lookahead(rules.native), [bot_from_name(name, 1) for name in RECORDED[:seats]]
    with RecordWriter(tmp_path / "games.jsonl") as writer:
        for seed in range(GAMES // 2):
            writer.write(Game(rules, seed=seed, dealer=seed % seats).play(bots))
    for record in read_records(tmp_path / "games.jsonl"):
        for position in positions_of_line(record.rules, record.tiles, record.line):
            assert_true_tiles_are_possible(position, look)


# --- what can be, by dealing it and playing on as the others did ---


@every_table
def test_what_is_imagined_could_have_been_dealt(preset: str, seats: int) -> None:
    for seed in range(GAMES // 4):
        for played in half_played(preset, seats, seed):
            for hidden in played.imagined(seed, 3):
                assert played.with_hidden(hidden), (seed, played.game.line, hidden)


def assert_allowed_is_what_could_have_been(preset: str, seats: int, seeds: range) -> None:
    found: Counter[bool] = Counter()
    for seed in seeds:
        random = Random(seed)
        for played in half_played(preset, seats, seed):
            for hidden in (played.swapped(random) for _ in range(8)):
                could = played.with_hidden(hidden) is not None
                found[could] += 1
                assert played.look.allows(bytes(played.view), *hidden[:2]) is could, (seed, hidden)
    assert min(found[True], found[False]) > sum(found.values()) / 30


@every_table
def test_what_is_allowed_is_what_could_have_been_dealt(preset: str, seats: int) -> None:
    assert_allowed_is_what_could_have_been(preset, seats, range(GAMES // 2))


def test_every_certain_fact_excludes_hands() -> None:
    """As docs/search.md lists them, but for those that are too rare here; in luzhou a peng is forced."""
    found: Counter[str] = Counter()
    for preset in ("luzhou", "yongzhou"):
        for seed in range(GAMES):
            random = Random(seed)
            for played in half_played(preset, 3, seed):
                position = position_of(played)
                for hidden in (played.swapped(random) for _ in range(8)):
                    broken = position.contradictions(*hidden[:2])
                    assert not (broken and played.look.allows(bytes(played.view), *hidden[:2])), broken
                    found.update(fact for fact in FACTS if any(fact in each for each in broken))
    assert set(found) == set(FACTS)


def position_of(played: PlayedHand) -> Position:
    return list(positions_of_line(played.game.rules, played.game.deal, played.game.line))[-1]


@pytest.mark.exhaustive
@every_table
def test_what_is_allowed_could_have_been_dealt_in_a_hundred_games(preset: str, seats: int) -> None:
    assert_allowed_is_what_could_have_been(preset, seats, range(GAMES, 10 * GAMES))


# --- what is imagined ---


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
