"""Bots: what every one of them keeps to, what each does, and how one is found by its name."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from paohuzi import Hand, Query, discards, load_rules, preset_names, waits
from paohuzi.actions import HU, PASS, Action, IllegalAction
from paohuzi.bots import GreedyBot, RandomBot, bot_from_name
from paohuzi.deals import Deal
from paohuzi.game import Game
from paohuzi.match import Match
from paohuzi.record import check_record
from paohuzi.tiles import TILES, Tile
from paohuzi.views import View

HANDS = {"random": 50, "greedy": 50}
NAMES = ("random", "greedy", "flat:20", "ismcts:20")
TABLES = [(preset, 3) for preset in preset_names()] + [("hunan", 4), ("kaixin", 4)]
EXAMPLE = Path(__file__).parent.parent / "examples" / "my_bot.py"


def rules_of(preset: str, seats: int = 3):
    return replace(load_rules(preset), seats=seats)


# --- the contract ---


@pytest.mark.parametrize(("preset", "seats"), TABLES)
@pytest.mark.parametrize("name", NAMES)
def test_a_bot_plays_whole_hands_legally(name: str, preset: str, seats: int) -> None:
    bots = [bot_from_name(name, seed) for seed in range(seats)]
    hands = HANDS.get(name, 5)
    match = Match(rules_of(preset, seats), bots, seed=3, hands=hands)
    records = list(match)  # raises IllegalAction for a choice that is none
    assert len(records) == hands
    for record in records:
        check_record(record)


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_chooses_the_same_from_the_same_view(name: str) -> None:
    game = Game("yongzhou", seed=8)
    first, second = bot_from_name(name, 5), bot_from_name(name, 5)
    while not game.is_over:
        view = game.observe(game.asked)
        choice = first.choose(view)
        assert choice == second.choose(view)
        assert choice == first.choose(game.copy().observe(game.asked)), "nothing but the view decides"
        game.apply(choice)


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_does_not_know_what_is_hidden(name: str) -> None:
    deal = Deal.from_seed("qq-basic", 21)
    dealer, after, before = deal.hands
    swapped = Deal((dealer, before, after), deal.shown, deal.wall[::-1])
    game, other = Game("qq-basic", deal=deal), Game("qq-basic", deal=swapped)
    assert game.question == other.question == "discard"
    bot = bot_from_name(name, 1)
    assert bot.choose(game.observe(0)) == bot.choose(other.observe(0))


# --- random ---


def test_random_takes_every_action_about_as_often() -> None:
    view = Game("qq-basic", seed=4).observe(0)
    choices = [RandomBot(seed).choose(view) for seed in range(2400)]
    assert {*choices} == {*view.legal_actions}
    for action in view.legal_actions:
        assert abs(choices.count(action) - 2400 / len(view.legal_actions)) < 80


# --- greedy ---


def questions(preset: str, hands: int):
    """Views of whoever is asked, in hands between greedy bots."""
    bot = GreedyBot()
    for seed in range(hands):
        game = Game(preset, seed=seed)
        while not game.is_over:
            view = game.observe(game.asked)
            choice = bot.choose(view)
            yield view, choice
            game.apply(choice)


def test_greedy_wins_whenever_it_can() -> None:
    asked = [(view, choice) for view, choice in questions("luzhou", 60) if HU in view.legal_actions]
    assert len(asked) > 20
    assert all(choice == HU for _, choice in asked)


def test_greedy_stays_ready() -> None:
    """A discard that keeps the hand waiting is preferred to any other, but for a few that it does not see."""
    seen = kept = 0
    for view, choice in questions("qq-half", 300):
        if view.question == "discard":
            left = {action: _waits(view, view.after(action)) for action in view.legal_actions}
            seen += any(left.values())
            kept += left[choice]
    assert seen > 200
    assert kept > 0.95 * seen


def _waits(view: View, query: Query) -> bool:
    return bool(waits(query, "other", view.rules))


def dealt_to_dealer(hand: str, shown: str, preset: str = "qq-basic") -> Game:
    """A game whose dealer has these tiles; the others and the wall have the rest in order."""
    held, first = Hand.parse(hand), Tile.parse(shown)
    rest = [tile for tile in TILES[:20] for _ in range(4 - held.counts[tile.face] - (tile == first))]
    others = [Hand.parse(" ".join(map(str, rest[start::3][:20]))) for start in (0, 1)]
    for other in others:
        for tile in TILES[:20]:
            for _ in range(other.counts[tile.face]):
                rest.remove(tile)
    return Game(preset, deal=Deal((held, *others), first, tuple(rest)))


def test_greedy_parts_with_the_tile_that_stands_alone() -> None:
    view = dealt_to_dealer("112233445566s 123456b 88b", "9s").observe(0)
    assert GreedyBot().choose(view) == Action.parse("discard 9s")


@pytest.mark.parametrize(
    ("hand", "shown", "discard"),
    [
        ("222444566700s 33377888b", "0b", "6s"),  # 9 copies that pay 7 in the mean, not 10 that pay 4
        ("222333444889990s 78890b", "0b", "8b"),  # 6 that pay 16, not 10 that pay 3
        ("111567778899000s 11188b", "9b", "8b"),  # 5 that pay 11, not 5 that pay 1
    ],
)
def test_greedy_waits_for_what_pays_by_the_table(hand: str, shown: str, discard: str) -> None:
    view = dealt_to_dealer(hand, shown, "qq-full").observe(0)
    ready = [row for row in discards(view.query, rules="qq-full") if row.ready]
    assert str(max(ready, key=lambda row: row.copies * (row.expected or 0)).tile) == discard
    assert GreedyBot().choose(view) == Action.parse(f"discard {discard}")


@pytest.mark.parametrize(
    ("hand", "discard"),
    [("11233899s 113367788990b", "8s"), ("11234678899s 112456889b", "4s")],
)
def test_greedy_waits_for_a_tile_of_many_xi(hand: str, discard: str) -> None:
    """In luzhou a tile brings up to 9: the hands want more than 6."""
    view = dealt_to_dealer(hand, "0b", "luzhou").observe(0)
    assert [str(row.tile) for row in discards(view.query, rules="luzhou") if row.ready] == [discard]
    assert GreedyBot().choose(view) == Action.parse(f"discard {discard}")


FANS = load_rules("qq-full")
NO_FANS = FANS.with_options({"combine": "none"})


def test_greedy_keeps_the_tiles_that_fans_count() -> None:
    """Sixteen small tiles pay eight times the base."""
    view = dealt_to_dealer("11222335778899000s 456b", "8b", "qq-full").observe(0)
    assert GreedyBot().choose(view) == Action.parse("discard 8b")
    assert GreedyBot().choose(replace(view, rules=NO_FANS)) == Action.parse("discard 5s")


def test_greedy_bears_fans_beyond_measure() -> None:
    values = {f"fan.{fan}.value": "32000" for fan in ("xiao", "da")}
    steps = {f"fan.{fan}.each": "0" for fan in ("xiao", "da")}
    rules = FANS.with_options({**values, **steps})
    hands = [Game(rules, seed=seed).play([GreedyBot()] * 3) for seed in range(20)]
    assert sum(any(hand.end.deltas) for hand in hands) > 5


def test_greedy_gains_by_what_fans_pay() -> None:
    """Against players that are the same but blind to fans, each wall with greedy in each seat."""

    class Blind(GreedyBot):
        def choose(self, view: View) -> Action:
            return super().choose(replace(view, rules=NO_FANS))

    gain = 0
    for seed in range(1000):
        for seat in range(3):
            bots: list[GreedyBot] = [Blind(), Blind(), Blind()]
            bots[seat] = GreedyBot()
            gain += Game(FANS, seed=seed).play(bots).end.deltas[seat]
    assert gain > 0.1 * 3000 * FANS.stake  # measured: 0.35 ± 0.28 stakes a hand


def test_greedy_gains_from_random_players() -> None:
    scores = [0, 0, 0]
    match = Match("qq-half", [GreedyBot(), RandomBot(1), RandomBot(2)], seed=6, hands=200)
    for record in match:
        scores = list(record.end.totals)
    assert scores[0] > 200, "more than a point a hand"


# --- names ---


def test_a_bot_of_ones_own_is_loaded_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = EXAMPLE.read_text(encoding="utf-8")
    assert len(code.splitlines()) <= 20
    (tmp_path / "our_bots.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    bot = bot_from_name("our_bots:MyBot")
    records = list(Match("qq-basic", [bot, GreedyBot(), GreedyBot()], seed=1, hands=10))
    assert records[0].start.seats == ("mine", "greedy", "greedy")


SEEDED = """
import random
class Seeded:
    def __init__(self, *, seed):
        self.random = random.Random(seed)
    def choose(self, view):
        return self.random.choice(view.legal_actions)
class Broken:
    def __init__(self, seed=0):
        self.glasses
def make(seed):
    return Seeded(seed=seed)
"""


@pytest.fixture
def seeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "seeded_bots.py").write_text(SEEDED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "seeded_bots", raising=False)


@pytest.mark.parametrize("name", ["seeded_bots:Seeded", "seeded_bots:make"])
@pytest.mark.usefixtures("seeded")
def test_a_bot_of_ones_own_that_takes_a_seed_has_that_of_its_seat(name: str) -> None:
    def lines(seed: int) -> list[str]:
        bots = [bot_from_name(name, seed + seat) for seat in range(3)]
        return [str(record.line) for record in Match("qq-basic", bots, seed=1, hands=5)]

    assert lines(3) == lines(3) != lines(4)


@pytest.mark.usefixtures("seeded")
def test_a_constructor_that_fails_is_told_as_such() -> None:
    with pytest.raises(ValueError, match=r"bot seeded_bots:Broken cannot be made: AttributeError: .*glasses"):
        bot_from_name("seeded_bots:Broken")


@pytest.mark.parametrize("name", [5, None, GreedyBot(), GreedyBot])
def test_a_bot_in_place_of_its_name_is_refused(name: object) -> None:
    with pytest.raises(TypeError, match=r"expected the name of a bot \(random, .*\), got "):
        bot_from_name(name)


@pytest.mark.parametrize("seed", [-1, 1 << 64, None, 1.5, True])
@pytest.mark.parametrize("name", ["random", "greedy", "ismcts"])
def test_a_seed_that_is_none_is_refused(name: str, seed: object) -> None:
    with pytest.raises(ValueError, match=r"expected a seed from 0 to .*, got "):
        bot_from_name(name, seed)


@pytest.mark.parametrize(
    "bots", ["abc", None, ["greedy"] * 3, [GreedyBot] * 3, [None] * 3, (None for _ in "abc")]
)
def test_what_is_no_bot_does_not_sit_down(bots: object) -> None:
    for play in (lambda: Match("qq-basic", bots), lambda: Game("qq-basic", seed=1).play(bots)):
        with pytest.raises(
            TypeError, match=r"expected a (list of 3 bots, one a seat|bot with choose.* seat 0), got"
        ):
            play()


@pytest.mark.parametrize("hands", [-1, 1.5, True, "5"])
def test_a_match_of_no_number_of_hands_is_refused(hands: object) -> None:
    with pytest.raises(ValueError, match=r"expected hands from 0 up .*, got "):
        Match("qq-basic", [GreedyBot()] * 3, hands=hands)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("clever", r"expected a bot \(random, greedy, .*\), got 'clever'"),
        ("", "expected a bot"),
        ("greedy:5", "expected greedy alone, which has no options, got 'greedy:5'"),
        ("no_such_module:Bot", "can be imported, got 'no_such_module:Bot': No module"),
        ("paohuzi.game:NoBot", "no attribute 'NoBot'"),
        ("paohuzi.tiles:NotationError", r"expected a bot with choose\(view\)"),
    ],
)
def test_a_name_that_is_no_bot_is_an_error(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bot_from_name(name)


def test_an_illegal_choice_names_bot_and_seat() -> None:
    class Stubborn:
        name = "stubborn"

        def choose(self, view: View) -> Action:
            return PASS

    with pytest.raises(IllegalAction, match=r"got pass from seat 0 .*stubborn"):
        Game("qq-basic", seed=4).play([Stubborn()] * 3)
