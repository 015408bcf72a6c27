"""What each action of a decision is worth: play on from it many times, and see what is paid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from . import _lookahead
from .actions import Action, IllegalAction
from .deals import checked_seed
from .tiles import NotationError
from .views import View
from .whole_numbers import checked_number

__all__ = [
    "METHODS",
    "ActionValue",
    "Analysis",
    "Budget",
    "Move",
    "analyse_position",
    "as_budget",
    "checked_method",
    "checked_threads",
    "policy_values",
]

METHODS = _lookahead.METHODS
DEFAULT_BUDGET = 1000
ROLLOUTS_MAX, MILLISECONDS_MAX = 10**9, 3_600_000
LINE_SHOWN = 4  # moves of a line in a table

_BUDGET = re.compile(r"\s*([0-9]{1,12})\s*(ms|s)?\s*")


class Move(NamedTuple):
    """A seat's action."""

    seat: int
    action: Action

    def __str__(self) -> str:
        return f"{self.seat}: {self.action}"


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to look ahead: so many rollouts, or so many milliseconds; the other is 0.

    rollouts: 0 to 10**9. milliseconds: 0 to 3,600,000. Raises ValueError for both or neither.

    >>> Budget.parse("1000ms"), Budget.parse("5000"), str(Budget.parse("2s"))
    (Budget(rollouts=0, milliseconds=1000), Budget(rollouts=5000, milliseconds=0), '2000ms')
    """

    rollouts: int = 0
    milliseconds: int = 0

    def __post_init__(self) -> None:
        checked_number(self.rollouts, "rollouts", 0, ROLLOUTS_MAX)
        checked_number(self.milliseconds, "milliseconds", 0, MILLISECONDS_MAX)
        if (self.rollouts > 0) == (self.milliseconds > 0):
            raise ValueError(
                f"expected a number of rollouts or of milliseconds above 0, got {self.rollouts} and "
                f"{self.milliseconds}"
            )

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read a number of rollouts, or a time as 1000ms or 2s. Raises NotationError, ValueError."""
        match = _BUDGET.fullmatch(text) if isinstance(text, str) else None
        number = int(match[1]) if match else 0
        if match is None or number == 0:
            raise NotationError(f"expected a budget as 5000 (rollouts), 1000ms or 2s, got {text!r}")
        return cls(milliseconds=number * (1000 if match[2] == "s" else 1)) if match[2] else cls(number)

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.rollouts)


@dataclass(frozen=True, slots=True)
class ActionValue:
    """One legal action with what it is worth to the seat that is asked.

    mean: the payment to the seat at stake 1, of all rollouts. error: its standard error, infinite with a
    single rollout. visits: how many rollouts, 1 or more. line: the moves after it that were chosen most, as
    far as the tree goes; nothing with the method flat, which has no tree.
    """

    action: Action
    mean: float
    error: float
    visits: int
    line: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The legal actions of a position, best first; str() is a table."""

    rows: tuple[ActionValue, ...]
    rollouts: int
    """All that were made."""
    method: str

    @property
    def best(self) -> Action:
        """The action of the first row."""
        return self.rows[0].action

    def __iter__(self) -> Iterator[ActionValue]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        texts = [_cells(row) for row in self.rows]
        header = ("action", "points", "±", "rollouts", "then")
        widths = [max(map(len, column)) for column in zip(header, *texts, strict=True)]
        return "\n".join(_aligned(cells, widths) for cells in (header, *texts))


def _cells(row: ActionValue) -> tuple[str, ...]:
    line = ", ".join(map(str, row.line[:LINE_SHOWN]))
    error = f"{row.error:.2f}" if isfinite(row.error) else "–"
    return str(row.action), f"{row.mean:+.2f}", error, str(row.visits), line


def _aligned(cells: tuple[str, ...], widths: list[int]) -> str:
    action, *numbers, line = cells
    columns = [action.ljust(widths[0])]
    columns += [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=False)]
    return "  ".join([*columns, line]).rstrip()


def analyse_position(
    view: View,
    budget: Budget | int | str = DEFAULT_BUDGET,
    *,
    method: str = "ismcts",
    seed: int = 0,
    threads: int = 1,
) -> Analysis:
    """Judge every legal action of the seat that a view is of, by what it pays in play that goes on from it.

    The tiles that the seat does not see are imagined: drawn at random from all that fit what it has seen. So
    equal views have equal answers.

    view: of a seat that is asked. budget: rollouts as a number, or a Budget, or its text; each action has one
    rollout at least, whatever the budget. method: "ismcts", a
    tree search, or "flat", rollouts only. seed: 0 to 2**64 - 1; with a budget of rollouts the same seed gives
    the same answer, for any number of threads. threads: 1 to 8. Raises IllegalAction for a view of a seat
    that is not asked, TypeError for what is no view, ValueError otherwise. See docs/search.md.

    >>> from paohuzi.game import Game
    >>> game = Game("qq-basic", seed=20)
    >>> game.apply("discard 2s")
    >>> analysis = analyse_position(game.observe(1), 600, seed=1)
    >>> len(analysis), analysis.rollouts <= 600, analysis.best in game.legal_actions()
    (3, True, True)
    """
    _check_asked(view)
    limit = as_budget(budget)
    rollouts, values = _lookahead_of(view.rules.native).analyse(
        bytes(view.seen),
        checked_method(method),
        limit.rollouts,
        limit.milliseconds / 1000,
        checked_seed(seed),
        checked_threads(threads),
    )
    return Analysis(tuple(_row(view, value) for value in values), rollouts, method)


def policy_values(view: View) -> list[int]:
    """What the quick policy of the rollouts thinks of each of the legal actions, in their order.

    It looks at the seat's own tiles and at what lies open: how near they are to a win, what they may pay, and
    for how many tiles they wait. Only which is greater counts. Takes some microseconds. Raises IllegalAction
    for a view of a seat that is not asked, TypeError for what is no view. See docs/search.md.

    >>> from paohuzi.game import Game
    >>> view = Game("qq-basic", seed=4).observe(0)
    >>> values = policy_values(view)
    >>> str(view.legal_actions[values.index(max(values))])
    'discard 9b'
    """
    _check_asked(view)
    return _lookahead_of(view.rules.native).policy_values(view.seen)


def _check_asked(view: View) -> None:
    if not isinstance(view, View):
        raise TypeError(f"expected the View of a seat, as Game.observe gives it, got {view!r}")
    if not view.legal_actions:
        raise IllegalAction(f"expected the view of a seat that is asked, got that of seat {view.seat}")


def as_budget(budget: Budget | int | str) -> Budget:
    """The Budget that an argument stands for: itself, its text, or so many rollouts. Raises ValueError."""
    if isinstance(budget, Budget):
        return budget
    return Budget.parse(budget) if isinstance(budget, str) else Budget(rollouts=budget)


def checked_method(method: str) -> str:
    """The method itself. Raises ValueError if it is none of METHODS."""
    if method not in METHODS:
        raise ValueError(f"expected one of the methods {', '.join(METHODS)}, got {method!r}")
    return method


def checked_threads(threads: int) -> int:
    """The number of threads itself. Raises ValueError."""
    return checked_number(threads, "threads", 1, _lookahead.STREAM_COUNT)


@lru_cache(maxsize=16)
def _lookahead_of(rules: bytes) -> _lookahead.Lookahead:
    return _lookahead.Lookahead(rules)


def _row(view: View, value: _lookahead.Value) -> ActionValue:
    number, mean, error, visits, line = value
    moves = tuple(Move(view.playing[seat], Action.from_number(action)) for seat, action in line)
    return ActionValue(Action.from_number(number), mean, error, visits, moves)
