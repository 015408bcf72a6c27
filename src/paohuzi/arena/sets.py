"""One set: the hands of one wall in every order of the players."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from traceback import extract_tb
from typing import Any, TypeAlias

from ..actions import Action
from ..bots import bot_from_name
from ..deals import Deal
from ..game import Bot, Game, Leaves
from ..views import View
from .contest import SEATS, ArenaError, Contest

__all__ = ["SetResult", "play_set"]

DEALER = 0  # the same seat in every hand: the players change places instead
Numbers: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetResult:
    """What came of a set, by player over its hands. points: at stake 1. seconds: spent on the decisions.

    dealt_in: discards that another won on. drawn: hands that nobody won (荒庄). See docs/rules.md 4.10 and 5.
    """

    number: int
    points: Numbers
    wins: Numbers
    dealt_in: Numbers
    decisions: Numbers
    drawn: int
    seconds: tuple[float, ...] = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "set": self.number,
            "points": list(self.points),
            "wins": list(self.wins),
            "dealt_in": list(self.dealt_in),
            "decisions": list(self.decisions),
            "drawn": self.drawn,
            "seconds": [round(each, 6) for each in self.seconds],
        }

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> SetResult:
        """The result of `to_dict`. Raises KeyError, TypeError, ValueError."""
        by_player = (tuple(map(int, state[name])) for name in ("points", "wins", "dealt_in", "decisions"))
        seconds = tuple(map(float, state["seconds"]))
        points, wins, dealt_in, decisions = by_player
        return cls(int(state["set"]), points, wins, dealt_in, decisions, int(state["drawn"]), seconds)


class Clocked:
    """A bot at a seat, whose decisions are counted and timed."""

    __slots__ = ("choose_of_bot", "decisions", "player", "seconds")

    def __init__(self, bot: Bot, player: int) -> None:
        self.choose_of_bot: Callable[[View], Action] = bot.choose
        self.player = player
        self.decisions = 0
        self.seconds = 0.0

    def choose(self, view: View) -> Action:
        began = perf_counter()
        choice = self.choose_of_bot(view)
        self.seconds += perf_counter() - began
        self.decisions += 1
        return choice


def play_set(contest: Contest, number: int) -> SetResult:
    """Play the set with this number, 0 to 2**64 - 1: bots made anew, the dealer always seat 0.

    Raises ValueError for another number, ArenaError naming the bot that fails. See docs/rules.md 4.

    >>> result = play_set(Contest(("random", "random"), "qq-basic", 1), 0)
    >>> sum(result.points), sum(result.wins) + result.drawn
    (0, 6)
    """
    if not isinstance(contest, Contest):
        raise TypeError(f"expected a Contest, got {contest!r}")
    tally = _Tally(len(contest.players))
    deal = Deal.from_seed(contest.rules, contest.deal_seed(number))
    with redirect_stdout(sys.stderr):  # what bots print is not the answer of the command
        bots = _bots(contest, number)
        for seating in contest.seatings:
            hand = _Hand(contest, number, deal, [bots[player][seat] for seat, player in enumerate(seating)])
            tally.add(hand.play(), seating)
    return tally.result(number, bots)


def _bots(contest: Contest, number: int) -> list[list[Clocked]]:
    """By player and seat."""
    return [
        [
            Clocked(bot_from_name(each.name, contest.bot_seed(number, player, seat)), player)
            for seat in range(SEATS)
        ]
        for player, each in enumerate(contest.players)
    ]


@dataclass(frozen=True, slots=True)
class _End:
    """payments: by seat. dealt_in: whose discard was won on."""

    payments: Numbers
    winner: int | None
    dealt_in: int | None


@dataclass(slots=True)
class _Tally:
    players: int
    points: list[int] = field(init=False)
    wins: list[int] = field(init=False)
    dealt_in: list[int] = field(init=False)
    drawn: int = 0

    def __post_init__(self) -> None:
        self.points, self.wins, self.dealt_in = ([0] * self.players for _ in range(3))

    def add(self, end: _End, seating: Sequence[int]) -> None:
        for player, payment in zip(seating, end.payments, strict=True):
            self.points[player] += payment
        if end.winner is None:
            self.drawn += 1
        else:
            self.wins[seating[end.winner]] += 1
        if end.dealt_in is not None:
            self.dealt_in[seating[end.dealt_in]] += 1

    def result(self, number: int, bots: list[list[Clocked]]) -> SetResult:
        return SetResult(
            number,
            points=tuple(self.points),
            wins=tuple(self.wins),
            dealt_in=tuple(self.dealt_in),
            decisions=tuple(sum(bot.decisions for bot in of_player) for of_player in bots),
            drawn=self.drawn,
            seconds=tuple(sum(bot.seconds for bot in of_player) for of_player in bots),
        )


class _Hand:
    """One hand of a set."""

    def __init__(self, contest: Contest, number: int, deal: Deal, bots: Sequence[Clocked]) -> None:
        self.contest = contest
        self.number = number
        self.bots = bots
        self.game = Game(contest.rules, deal=deal, dealer=DEALER)
        self.asked: list[int] = []

    def play(self) -> _End:
        game, bots, asked = self.game, self.bots, self.asked
        while (seat := game.asked) is not None:
            asked.append(seat)
            try:
                game.apply(bots[seat].choose(game.observe(seat)))
            except Exception as error:
                raise self._failure(seat, error) from error
        return self._end()

    def _end(self) -> _End:
        result = self.game.result
        assert result is not None, "the hand is over"
        return _End(result.payments, result.winner, self._discarder() if result.source == "discard" else None)

    def _discarder(self) -> int:
        """Who discarded last: nothing comes between a discard and a win on it."""
        discards = (
            seat for seat, action in zip(self.asked, self.game.line, strict=True) if action.kind == "discard"
        )
        return list(discards)[-1]

    def _failure(self, seat: int, error: Exception) -> ArenaError:
        label = self.contest.players[self.bots[seat].player].label
        deal_seed = self.contest.deal_seed(self.number)
        what = "leaves the table" if isinstance(error, Leaves) else f"{type(error).__name__}: {error}"
        place = extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        return ArenaError(
            f"bot {label} (seat {seat}) failed in set {self.number}, at decision {len(self.asked)} of a hand "
            f"with the deal seed {deal_seed}: {what} ({where})"
        )
