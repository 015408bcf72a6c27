"""What an arena found: the players with their points, and what the sequential test says."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from .contest import Contest
from .estimates import Estimate, Sprt, SprtRun, estimate
from .sets import SetResult

__all__ = ["Outcome", "Standing"]

DIGITS = 4


@dataclass(frozen=True, slots=True)
class Standing:
    """One player. hands: how many it played, two seats at one table being two. points: a hand, at stake 1.

    win_rate, deal_in_rate: shares of its hands; the latter of those in which another won on its discard, None
    where discards do not win. ms_per_decision: by the clock. What nothing was played for is None.
    """

    name: str
    hands: int
    points: Estimate
    wins: int
    win_rate: float | None
    dealt_in: int
    deal_in_rate: float | None
    decisions: int
    ms_per_decision: float | None

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "name": self.name,
            "points": _rounded(self.points.mean),
            "low": _rounded(self.points.low),
            "high": _rounded(self.points.high),
            "wins": self.wins,
            "ms_per_decision": _rounded(self.ms_per_decision),
            "hands": self.hands,
            "win_rate": _rounded(self.win_rate),
            "deal_in_rate": _rounded(self.deal_in_rate),
            "decisions": self.decisions,
        }


@dataclass(slots=True)
class Outcome:
    """The sets played so far, in order. sprt: the test to be held, if any."""

    contest: Contest
    sprt: Sprt | None = None
    sets: list[SetResult] = field(default_factory=list)
    resumed: int = 0
    """How many of the sets an earlier run had played."""
    dropped: int = 0
    """How many bytes of a torn line were removed from its file."""
    seconds: float = 0.0
    """How long this run took."""
    was_interrupted: bool = False
    """Whether Ctrl-C ended it."""
    test: SprtRun | None = field(init=False)

    def __post_init__(self) -> None:
        played, self.sets = self.sets, []
        self.test = None if self.sprt is None else SprtRun(self.sprt)
        for result in played:
            self.add(result)

    def add(self, result: SetResult) -> None:
        """Count a set more."""
        if self.test is not None:
            self.test.add(self._lead(result))
        self.sets.append(result)

    def _lead(self, result: SetResult) -> float:
        """How many points a hand the first player had more than the others."""
        own, *others = result.points
        own_hands, *other_hands = self.contest.seat_hands
        return own / own_hands - sum(others) / sum(other_hands)

    @property
    def lead(self) -> Estimate:
        """How many points a hand the first player has more than the others."""
        return estimate([self._lead(result) for result in self.sets])

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test has decided."""
        return self.test is not None and self.test.decided is not None

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return len(self.sets) * len(self.contest.seatings)

    @property
    def drawn(self) -> int:
        """How many of them nobody won (荒庄)."""
        return sum(result.drawn for result in self.sets)

    def means(self, player: int) -> npt.NDArray[np.float64]:
        """A player's points a hand, set by set: the sets are independent, the hands of a set are not."""
        points = np.array([result.points[player] for result in self.sets], dtype=np.float64)
        return points / self.contest.seat_hands[player]

    @property
    def standings(self) -> list[Standing]:
        """The players in the order in which they were named."""
        return [self._standing(number) for number in range(len(self.contest.players))]

    def _standing(self, number: int) -> Standing:
        hands = len(self.sets) * self.contest.seat_hands[number]
        wins, dealt_in, decisions = (
            sum(each[number] for each in column)
            for column in (
                (result.wins for result in self.sets),
                (result.dealt_in for result in self.sets),
                (result.decisions for result in self.sets),
            )
        )
        seconds = sum(result.seconds[number] for result in self.sets)
        return Standing(
            name=self.contest.players[number].label,
            hands=hands,
            points=estimate(self.means(number)),
            wins=wins,
            win_rate=wins / hands if hands else None,
            dealt_in=dealt_in,
            deal_in_rate=dealt_in / hands if hands and self.contest.rules.discards_win else None,
            decisions=decisions,
            ms_per_decision=1000 * seconds / decisions if decisions else None,
        )

    def summary(self) -> dict[str, Any]:
        """The answer of --json."""
        return {
            "bots": [standing.to_dict() for standing in self.standings],
            "hands": self.hands,
            "sets": len(self.sets),
            "drawn": self.drawn,
            "rules": self.contest.rules.name,
            "seed": self.contest.seed,
            "sprt": self._test_told(),
            "interrupted": self.was_interrupted,
            "seconds": round(self.seconds, 3),
        }

    def _test_told(self) -> dict[str, Any] | None:
        if self.sprt is None or self.test is None:
            return None
        return {
            "low": self.sprt.low,
            "high": self.sprt.high,
            "difference": _rounded(self.lead.mean),
            "llr": _rounded(self.test.llr) if isfinite(self.test.llr) else None,
            "bound": _rounded(self.test.BOUND),
            "decided": self.test.decided,
        }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS)
