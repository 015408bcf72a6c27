"""What comes of hands that bots play among themselves: counted, and told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import inf
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..game import Game
from ..match import Match
from ..tiles import NotationError
from ..words import Words
from .play_signs import rules_name
from .render import FAINT

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """Sums over hands. wins and points by seat; xi and payment (at stake 1) over the hands won."""

    wins: list[int]
    points: list[int]
    hands: int = 0
    drawn: int = 0
    xi: int = 0
    payment: int = 0
    decisions: int = 0
    draws: int = 0
    seconds: float = 0.0

    @classmethod
    def of_seats(cls, seats: int) -> Tally:
        """Nothing counted yet."""
        return cls([0] * seats, [0] * seats)

    @classmethod
    def from_dict(cls, state: Mapping[str, Any], seats: int) -> Tally:
        """The tally of a saved match; an empty one begins anew. Raises NotationError."""
        tally = cls.of_seats(seats)
        for name in (each.name for each in fields(cls)):
            value = state.get(name, getattr(tally, name))
            if not _is_like(value, getattr(tally, name)):
                raise NotationError(f"expected numbers as {name} of a tally, got {value!r}")
            setattr(tally, name, value)
        if not tally._adds_up():
            raise NotationError(f"expected wins and drawn hands of a tally that are its hands, got {tally}")
        return tally

    def _adds_up(self) -> bool:
        counts = (*self.wins, self.hands, self.drawn, self.xi, self.payment, self.decisions, self.draws)
        return (
            min(counts) >= 0
            and sum(self.wins) + self.drawn == self.hands
            and sum(self.points) == 0
            and 0 <= self.seconds < inf
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)

    def add(self, game: Game) -> None:
        """Count a hand that is over."""
        result = game.result
        assert result is not None, "the hand is over"
        self.hands += 1
        self.decisions += len(game.line)
        self.draws += len(game.deal.wall) - game.observe(game.playing[0]).wall_count
        self.points = [sum(pair) for pair in zip(self.points, result.points, strict=True)]
        if result.winner is None:
            self.drawn += 1
        else:
            self.wins[result.winner] += 1
        if result.score is not None:
            self.xi += result.score.xi or 0
            self.payment += result.score.payment or 0

    def summary(self, match: Match, names: tuple[str, ...]) -> dict[str, Any]:
        """The answer of --json."""
        won = sum(self.wins)
        return {
            "rules": match.rules.name,
            "seed": match.seed,
            "hands": self.hands,
            "seats": [self._seat(seat, name) for seat, name in enumerate(names)],
            "drawn": self.drawn,
            "mean_xi": _mean(self.xi, won),
            "mean_payment": _mean(self.payment, won),
            "decisions_per_hand": _mean(self.decisions, self.hands),
            "draws_per_hand": _mean(self.draws, self.hands),
            "seconds": round(self.seconds, 3),
            "hands_per_second": _mean(self.hands, self.seconds, 1),
        }

    def _seat(self, seat: int, name: str) -> dict[str, Any]:
        points = self.points[seat]
        per_hand = _mean(points, self.hands)
        return {"bot": name, "wins": self.wins[seat], "points": points, "points_per_hand": per_hand}

    def print_for_people(self, match: Match, names: tuple[str, ...], say: Words, console: Console) -> None:
        """The summary as a table with some lines below it."""
        told = self.summary(match, names)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=FAINT)
        table.add_column(say("sum_seat"))
        for key in ("sum_wins", "sum_share", "sum_points", "sum_mean"):
            table.add_column(say(key), justify="right")
        for each in told["seats"]:
            share = f"{each['wins'] / max(1, self.hands):.1%}"
            mean = f"{each['points_per_hand'] or 0:+.2f}"
            table.add_row(each["bot"], f"{each['wins']}", share, f"{each['points']:+d}", mean)
        console.print(table)
        for line in _lines(told, rules_name(match.rules, say), say):
            console.print(Text(line))


def _lines(told: Mapping[str, Any], rules: str, say: Words) -> list[str]:
    share, has_won = told["drawn"] / max(1, told["hands"]), told["mean_xi"] is not None
    won = (say("sum_xi", xi=told["mean_xi"]), say("sum_payment", payment=told["mean_payment"]))
    return [
        say.listed((say("sum_draws", draws=f"{told['drawn']} ({share:.1%})"), *(won if has_won else ()))),
        say("sum_length", decisions=told["decisions_per_hand"], draws=told["draws_per_hand"]),
        say(
            "sum_hands",
            hands=told["hands"],
            rules=rules,
            seconds=told["seconds"],
            speed=told["hands_per_second"],
        ),
        say("sum_seed", seed=told["seed"]),
    ]


def _mean(total: float, count: float, digits: int = 3) -> float | None:
    """The mean, None of nothing."""
    return round(total / count, digits) if count else None


def _is_like(value: object, example: object) -> bool:
    if isinstance(example, list):
        return isinstance(value, list) and [type(each) for each in value] == [int] * len(example)
    return type(value) is int or (type(value) is float and isinstance(example, float))
