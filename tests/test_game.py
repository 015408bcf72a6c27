"""One hand in Python: the contract of Game and bots, and that no rule is in it."""

import ast
from pathlib import Path
from random import Random

import pytest
import walls
from game_bots import TABLES, RandomBot, new_game, played, points_of, rich_deal, rules_of

import paohuzi
from paohuzi import IllegalHand, NotationError, _engine
from paohuzi.actions import HU, PASS, Action, IllegalAction
from paohuzi.deals import Deal
from paohuzi.game import Game, Leaves, bot_name
from paohuzi.rules import Rules
from paohuzi.settlement import drawn_points, flee_penalty, points
from paohuzi.solver import part_xi
from paohuzi.tiles import TILES

PACKAGE = Path(paohuzi.__file__).parent
every_table = pytest.mark.parametrize(("preset", "seats"), TABLES)


@every_table
def test_contract_of_a_game(preset: str, seats: int) -> None:
    for seed in range(12):
        for count, game in enumerate(points_of(new_game(preset, seats, seed), seed)):
            actions = game.legal_actions()
            assert list(actions) == sorted(set(actions))
            assert bool(actions) != game.is_over
            assert (game.asked is None, game.question is None, game.result is not None) == (game.is_over,) * 3
            assert game.asked is None or game.asked in game.playing
            assert len(game.line) == count
        assert game.result is not None
        assert sum(game.result.points) == sum(game.result.payments) == 0
        assert len(game.result.points) == seats
        assert [game.result.points[seat] for seat in range(seats) if seat not in game.playing] in ([], [0])


@every_table
def test_copy_is_played_on_apart(preset: str, seats: int) -> None:
    for seed in range(4):
        random = Random(seed)
        for game in points_of(new_game(preset, seats, seed), seed):
            if game.is_over:
                break
            before = (game.line, game.legal_actions(), [game.observe(seat) for seat in game.playing])
            other = game.copy()
            while not other.is_over:
                other.apply(random.choice(other.legal_actions()))
            assert before == (game.line, game.legal_actions(), [game.observe(seat) for seat in game.playing])
            assert game.result is None


@every_table
def test_points_are_those_of_the_settlement(preset: str, seats: int) -> None:
    for seed in range(25):
        game = played(preset, seats, seed)
        result = game.result
        assert result is not None
        if result.type == "hu":
            assert result.score is not None
            assert result.seat is not None
            assert result.points == points(result.score.payment, result.seat, game.rules, game.dealer)
        else:
            wangs = [0] * seats
            for seat in game.playing:
                wangs[seat] = game.observe(seat).hand.wang_count
            assert result.points == drawn_points(wangs, game.rules, game.dealer)


def test_seats_are_those_of_the_table() -> None:
    """The same deal with another dealer is the same hand, turned."""
    for seats in (3, 4):
        rules = rules_of("hunan", seats)
        deal = rich_deal("hunan", 5)
        games = [Game(rules, deal=deal, dealer=dealer) for dealer in range(seats)]
        while not games[0].is_over:
            for dealer, game in enumerate(games):
                turned = None if game.asked is None else (game.asked - dealer) % seats
                assert (turned, game.legal_actions()) == (games[0].asked, games[0].legal_actions())
            action = games[0].legal_actions()[-1]
            for game in games:
                game.apply(action)
        assert len({str(game.result.score) for game in games if game.result}) == 1


def test_hand_of_a_seed_is_the_same_for_good() -> None:
    for preset, seed, told in FIXED_HANDS:
        game = Game(preset, seed=seed)
        places = iter(range(1000))
        while not game.is_over:
            actions = game.legal_actions()
            place = next(places) % len(actions)
            game.apply(HU if HU in actions else actions[place])
        result = game.result
        assert result is not None
        assert (len(game.line), result.type, result.seat, str(result.tile), result.points) == told, preset


FIXED_HANDS = [
    ("qq-basic", 6, (31, "hu", 2, "6b", (-1, -1, 2))),
    ("qq-full", 6, (31, "hu", 2, "6b", (-3, -3, 6))),
    ("quan-mingtang", 6, (31, "hu", 2, "6b", (-2, -2, 4))),
    ("luzhou", 4, (12, "hu", 0, "5b", (4, -2, -2))),
    ("yongzhou", 8, (11, "hu", 1, "5b", (-4, 8, -4))),
    ("yongzhou-4", 18446744073709551607, (26, "hu", 2, "6b", (-6, -6, 12))),
    ("kaixin", 1000000010, (23, "hu", 1, "6s", (-5, 10, -5))),
    ("baiwang", 85, (15, "hu", 0, "7b", (4, -2, -2))),
]


def test_seed_and_deal_are_two_ways_to_say_the_same() -> None:
    first, second = Game("luzhou", seed=9), Game("luzhou", deal=Deal.from_seed("luzhou", 9))
    assert (first.seed, second.seed) == (9, None)
    assert first.deal == second.deal
    assert Game("luzhou").seed != Game("luzhou").seed
    with pytest.raises(ValueError, match="a seed or a deal, got both"):
        Game("luzhou", seed=9, deal=first.deal)


def test_wrong_parts_of_a_game_are_refused() -> None:
    deal = Deal.from_seed("yongzhou", 1)
    for parts, error in (
        ({"rules": "qq-basic", "deal": deal}, "expected 3 hands and a wall of 19 tiles"),
        ({"rules": "qq-basic", "dealer": 3}, "expected a seat from 0 to 2 as dealer"),
        ({"rules": "qq-basic", "seed": -1}, "expected a seed"),
        ({"rules": "qq-basic", "scores": [1, 2]}, "expected the scores of 3 seats, got 2"),
        ({"rules": "nowhere"}, "expected the name of a preset"),
    ):
        with pytest.raises(ValueError, match=error):
            Game(**parts)
    with pytest.raises(IllegalHand):
        Game("qq-basic", deal=deal)


def test_what_is_no_deal_score_or_action_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a Deal, got 5"):
        Game("qq-basic", deal=5)
    with pytest.raises(ValueError, match="expected whole numbers as scores, got"):
        Game("qq-basic", seed=1, scores=("a", 1, 2))
    with pytest.raises(TypeError, match="expected an Action, got 'pass'"):
        Game("qq-basic", seed=1).observe(0).after("pass")


def test_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    game = Game("qq-basic", seed=4)
    before = game.observe(0)
    every = [Action("discard", tile) for tile in TILES[:20]]
    outside = next(action for action in every if action not in game.legal_actions())
    for action in (HU, PASS, outside, "peng", "chi 123s"):
        with pytest.raises(IllegalAction, match=r"expected one of discard 1s, .* from seat 0"):
            game.apply(action)
    with pytest.raises(NotationError):
        game.apply("foo")
    assert game.observe(0) == before
    while not game.is_over:
        game.apply(game.legal_actions()[0])
    with pytest.raises(IllegalAction, match="the hand is over, got pass"):
        game.apply(PASS)


class StubbornBot:
    name = "stubborn"

    def choose(self, view: object) -> Action:
        return HU


def test_bot_with_an_illegal_choice_is_named() -> None:
    game = Game("qq-basic", seed=4)
    with pytest.raises(
        IllegalAction, match=r"expected one of discard .* from seat 0 \(bot stubborn at seat 0\)"
    ):
        game.play([StubbornBot(), RandomBot(), RandomBot()])


def test_every_seat_needs_a_bot() -> None:
    game = Game("qq-basic", seed=4)
    with pytest.raises(ValueError, match=f"expected a bot for seat {game.asked}, got 0 bots"):
        game.step([])


def test_bots_have_names() -> None:
    assert bot_name(StubbornBot()) == "stubborn"
    assert bot_name(Nameless()) == "Nameless"
    with pytest.raises(ValueError, match="expected 3 bots, one a seat, got 2"):
        Game("qq-basic", seed=4).play([RandomBot(), RandomBot()])


class Nameless(StubbornBot):
    name = None


class LeavingBot(RandomBot):
    def __init__(self, choices: int) -> None:
        super().__init__()
        self.choices = choices

    def choose(self, view: paohuzi.views.View) -> Action:
        self.choices -= 1
        if self.choices < 0:
            raise Leaves
        return super().choose(view)


@pytest.mark.parametrize("preset", ["qq-full", "qq-basic"])
def test_seat_that_leaves_flees_where_the_rules_have_it(preset: str) -> None:
    bots = [RandomBot(1), RandomBot(2), LeavingBot(3)]
    game = Game(preset, seed=8)
    record = game.play(bots)
    result = game.result
    assert result is not None
    assert (result.type, result.seat, result.winner, result.score) == ("leave", 2, None, None)
    if preset == "qq-basic":
        assert result.points == (0, 0, 0)
    else:
        xi = [part_xi(game.observe(seat).query, preset) for seat in (0, 1)]
        assert result.points == (0, 0, -flee_penalty(preset, xi))
        assert result.points[2] <= -24
    assert record.end.deltas == result.points
    with pytest.raises(ValueError, match="a hand going on"):
        game.leave(0)
    with pytest.raises(ValueError, match="a hand going on"):
        Game(preset, seed=8).leave(3)


def test_seat_that_sits_out_leaves_for_nothing() -> None:
    rules = rules_of("qq-full", 4)
    game = Game(rules, seed=1, dealer=1)
    with pytest.raises(ValueError, match=r"a seat that plays \(0, 1, 2\), got 3"):
        game.observe(3)
    game.leave(3)
    assert game.result is not None
    assert game.result.points == (0, 0, 0, 0)


def test_perft_counts_sequences_and_divide_splits_them() -> None:
    game = Game("qq-basic", seed=11)
    parts = game.divide(3)
    assert sum(parts.values()) == game.perft(3)
    assert tuple(parts) == game.legal_actions()
    with pytest.raises(ValueError, match="depth from 1 to 12"):
        game.perft(0)


# No rule of the game: what the loop may use, and the only numbers in it.

ALLOWED = {
    "game": {
        *("_engine", "actions.Action", "actions.IllegalAction", "deals.Deal", "deals.checked_seed"),
        *("deals.random_seed", "results.Result", "results.ended", "results.left", "rules.DEFAULT_RULES"),
        *("rules.RulesLike", "rules.as_rules", "settlement.turn_order", "tiles.IllegalHand"),
        *("views.View", "views.seating"),
        *("record.Record", "record.record_hand", "record.start_event"),
    },
    "match": {
        *("deals.checked_seed", "deals.first_dealer", "deals.hand_seed", "deals.random_seed", "game.Bot"),
        *("game.Game", "game.bot_name", "rules.Rules", "rules.RulesLike", "rules.Title", "rules.as_rules"),
        *("settlement.beans", "settlement.next_dealer", "settlement.title", "tiles.NotationError"),
        *("game.check_bot", "game.check_bots", "record.Record", "whole_numbers.checked_number"),
    },
}
RULE_FIELDS = set(Rules.__match_args__) - {"seats", "native", "titles", "name"}


@pytest.mark.parametrize("module", ["game", "match"])
def test_the_loop_holds_no_rule(module: str) -> None:
    text = (PACKAGE / f"{module}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            prefix = f"{node.module}." if node.module else ""
            assert {prefix + alias.name for alias in node.names} <= ALLOWED[module]
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            assert node.value in (0, 1), f"line {node.lineno}: the number {node.value}"
        if isinstance(node, ast.Attribute):
            assert node.attr not in RULE_FIELDS, f"line {node.lineno}: the rule {node.attr}"
        if isinstance(node, ast.BinOp):
            assert isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.BitOr)), f"line {node.lineno} reckons"


@every_table
def test_game_is_the_engine_at_its_door(preset: str, seats: int) -> None:
    for seed in range(5):
        game = new_game(preset, seats, seed)
        table = _engine.Table(game.rules.native)
        table.deal(*game.deal.native)
        for point in points_of(game, seed):
            if point.line:
                table.apply(point.line[-1].number)
            assert [action.number for action in point.legal_actions()] == table.actions()
        assert table.is_over


def test_walls_of_tests_and_presets_agree() -> None:
    assert set(walls.PRESETS) == set(paohuzi.preset_names())
