"""Many hands: who deals, points, a seat that leaves, a match that is saved and resumed."""

import json

import pytest
from game_bots import RandomBot, rules_of
from test_game import LeavingBot

from paohuzi import NotationError
from paohuzi.actions import PASS, Action
from paohuzi.deals import first_dealer, hand_seed
from paohuzi.game import Game
from paohuzi.match import Match
from paohuzi.record import Record, check_record
from paohuzi.views import View


def bots(seats: int = 3, seed: int = 0) -> list[RandomBot]:
    return [RandomBot(seed + seat) for seat in range(seats)]


class NeverWins(RandomBot):
    """Passes whatever can be passed, so that hands are drawn."""

    def choose(self, view: View) -> Action:
        return PASS if PASS in view.legal_actions else super().choose(view)


@pytest.mark.parametrize(("preset", "seats"), [("qq-full", 3), ("yongzhou", 3), ("hunan", 4), ("kaixin", 4)])
def test_winner_deals_next_and_points_add_up(preset: str, seats: int) -> None:
    match = Match(rules_of(preset, seats), bots(seats), seed=5, hands=60)
    dealer = first_dealer(match.rules, 5)
    scores, draws = [0] * seats, 0
    for number, record in enumerate(match):
        start, end = record.start, record.end
        assert (start.hand, start.dealer, list(start.scores)) == (number, dealer, scores)
        assert start.seed == hand_seed(5, number)
        scores = [total + delta for total, delta in zip(scores, end.deltas, strict=True)]
        assert list(end.totals) == scores == list(match.scores)
        winner = getattr(record.events[-2], "actor", None) if "hu" in str(record.line[-1:]) else None
        draws = 0 if winner is not None else draws + 1
        dealer = winner if winner is not None else (dealer + (draws % 3 == 0)) % seats
        assert match.dealer == dealer
        check_record(record)
    assert (match.number, match.is_over, sum(scores)) == (60, True, 0)


def test_third_draw_in_a_row_passes_the_deal_on() -> None:
    match = Match("qq-basic", [NeverWins(seat) for seat in range(3)], seed=2, hands=9)
    dealers = [record.start.dealer for record in match if record.end.deltas == (0, 0, 0)]
    first = dealers[0]
    assert dealers == [(first + place // 3) % 3 for place in range(len(dealers))]
    assert len(dealers) == 9


def test_same_seed_and_bots_play_the_same_match() -> None:
    matches = [list(Match("baiwang", bots(), seed=11, hands=12)) for _ in range(2)]
    assert matches[0] == matches[1]
    assert list(Match("baiwang", bots(), seed=12, hands=12)) != matches[0]


def test_match_of_a_seed_is_the_same_for_good() -> None:
    match = Match("qq-full", [FirstAction() for _ in range(3)], seed=3, hands=30)
    told = [(record.start.dealer, len(record.line), record.end.totals) for record in match]
    assert told[-1] == LAST_HAND


class FirstAction:
    def choose(self, view: View) -> Action:
        return view.legal_actions[0]


LAST_HAND = (0, 23, (-9, -108, 117))


def test_titles_and_beans_follow_the_points() -> None:
    match = Match("qq-full", bots(), seed=1, hands=40)
    assert [title.chinese for title in match.titles] == ["包身工"] * 3
    for _ in match:
        pass
    assert match.beans(50) == tuple(points * 50 for points in match.scores)
    assert len(match.titles) == 3
    assert Match("qq-basic", bots(), seed=1).titles == ()


def test_match_starts_anew_when_a_player_leaves() -> None:
    match = Match("qq-full", [LeavingBot(40), *bots(2, 1)], seed=8)
    records = list(match)
    last = records[-1]
    assert match.is_over
    assert match.left == 0
    assert last.events[-2].actor == 0
    assert last.end.deltas[1:] == (0, 0)
    assert last.end.deltas[0] <= -24
    assert match.scores == last.end.totals
    for record in records:
        check_record(record)
    with pytest.raises(ValueError, match="expected a match going on"):
        match.start()
    with pytest.raises(ValueError, match=r"the empty seat \(0\), got 1"):
        match.sit_down(1, RandomBot())
    match.sit_down(0, RandomBot(9))
    assert (match.scores, match.draws, match.left, match.is_over) == ((0, 0, 0), 0, None, False)
    record = next(match)
    assert record.start.scores == (0, 0, 0)
    assert record.start.hand == len(records)
    assert record.start.dealer == first_dealer("qq-full", hand_seed(8, len(records)))


def played_to(match: Match, hands: int, choices: int) -> Match:
    for _ in range(hands):
        next(match)
    game = match.start()
    for _ in range(choices):
        game.step(match.bots)
    return match


@pytest.mark.parametrize(("hands", "choices"), [(0, 0), (0, 5), (3, 0), (4, 7)])
def test_match_is_saved_and_resumed_at_any_point(hands: int, choices: int) -> None:
    """Bots without memory of their own play on as if nothing had been."""
    whole = [record.to_lines() for record in Match("yongzhou", [FirstAction()] * 3, seed=4, hands=8)]
    match = played_to(Match("yongzhou", [FirstAction()] * 3, seed=4, hands=8), hands, choices)
    saved = json.loads(json.dumps(match.to_dict(), ensure_ascii=False))
    again = Match.from_dict(saved, [FirstAction()] * 3)
    assert again.to_dict() == match.to_dict()
    assert [record.to_lines() for record in again] == whole[hands:]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("version", 2), ("rules", None), ("rules", {"min_xi": "x"}), ("seed", -1), ("seed", 2**64)),
        *(("hands", "1"), ("number", 1.5), ("dealer", 3), ("draws", None), ("scores", [1, 2]), ("scores", 5)),
        *(("left", "x"), ("left", 3), ("line", ["foo"]), ("line", ["peng"]), ("line", "hu"), ("line", {})),
    ],
)
def test_saved_match_that_cannot_be_is_refused(name: str, value: object) -> None:
    saved = played_to(Match("qq-basic", bots(), seed=4, hands=8), 1, 3).to_dict()
    with pytest.raises(ValueError, match="expected"):
        Match.from_dict({**saved, name: value}, bots())
    with pytest.raises(NotationError, match=f"as {name} of a match, got None"):
        Match.from_dict({key: saved[key] for key in saved if key != name}, bots())


@pytest.mark.parametrize("state", [None, [], "x", 5])
def test_what_is_no_state_of_a_match_is_refused(state: object) -> None:
    with pytest.raises(NotationError, match="expected the fields of a match, got"):
        Match.from_dict(state, [RandomBot(0)] * 3)


def test_wrong_parts_of_a_match_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 3 bots, one a seat, got 4"):
        Match("qq-basic", bots(4))
    with pytest.raises(ValueError, match="expected a seed"):
        Match("qq-basic", bots(), seed=-1)
    match = Match("qq-basic", bots(), seed=1)
    with pytest.raises(ValueError, match="expected a hand that is over, got one in which seat"):
        match.finish()
    assert Match("qq-basic", bots()).seed != Match("qq-basic", bots()).seed


def test_game_of_a_match_is_there_while_it_is_played() -> None:
    match = Match("qq-basic", bots(), seed=1)
    assert match.game is None
    game = match.start()
    assert isinstance(game, Game)
    assert match.start() is game
    while not game.is_over:
        game.step(match.bots)
    assert isinstance(match.finish(), Record)
    assert match.game is None
