"""Game lines: a whole hand as one JSON object, with who was asked and how many choices there were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from .actions import IllegalAction
from .deals import Deal
from .game import Game
from .rules import Rules, load_rules, preset_names
from .tiles import IllegalHand, NotationError

__all__ = ["Difference", "GameLine", "verify"]

FOUR_SEATS = 4


class _Parts(msgspec.Struct):
    """What a line has; anything else in it (an id, a note) is left alone."""

    rules: str | dict[str, Any]
    dealer: str
    shown: str
    next: str
    previous: str
    wall: str
    line: list[str]
    seats: list[int]
    choices: list[int]
    end: dict[str, Any]
    seat_count: int | None = None


_DECODER = msgspec.json.Decoder(_Parts)


class Difference(NamedTuple):
    """Where a line and the rules part first.

    decision: its place in the line, from 0; their number when the ends differ, None for a line that cannot be
    read. expected: what the line has, `seat` and `choices`, or `end`. found: what there is by the rules.
    error: what is wrong beside them.
    """

    decision: int | None
    expected: dict[str, Any] | None
    found: dict[str, Any] | None
    error: str | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return self.error if self.decision is None else f"decision {self.decision}: {self.error}"
        return f"decision {self.decision}: expected {_told(self.expected)}, found {_told(self.found)}"


@dataclass(frozen=True, slots=True)
class GameLine:
    """A whole hand. seats, choices: who was asked, counted from the dealer, and how many actions it had.

    end: as in docs/rules.md 6. Raises NotationError, IllegalHand.

    >>> game = Game("qq-basic", seed=4)
    >>> while not game.is_over:
    ...     game.apply(game.legal_actions()[0])
    >>> line = GameLine.of(game)
    >>> line.seats[:3], line.choices[:3], line.end
    ((0, 2, 2), (11, 2, 15), {'type': 'draw', 'pay': [0, 0, 0]})
    >>> GameLine.parse(line.text) == line
    True
    """

    rules: Rules
    deal: Deal
    line: tuple[str, ...]
    seats: tuple[int, ...]
    choices: tuple[int, ...]
    end: dict[str, Any]

    @classmethod
    def parse(cls, text: str | bytes) -> GameLine:
        """Read a line. Raises NotationError."""
        try:
            parts = _DECODER.decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise NotationError(f"expected a game line as a JSON object, got what is none: {error}") from None
        try:
            deal = Deal.from_texts(msgspec.structs.asdict(parts))
        except IllegalHand as error:
            raise NotationError(str(error)) from None
        lists = (tuple(parts.line), tuple(parts.seats), tuple(parts.choices))
        return cls(_rules_of(parts), deal, *lists, parts.end)

    @classmethod
    def of(cls, game: Game) -> GameLine:
        """The line of a hand that is over. Raises ValueError."""
        again = Game(game.rules, deal=game.deal)
        seats, choices = [], []
        for action in game.line:
            asked = _asked(again)
            seats.append(asked["seat"])
            choices.append(asked["choices"])
            again.apply(action)
        end = end_of(again)
        if end is None:
            raise ValueError(f"expected a hand that is over, got one that asks {again.question}")
        return cls(game.rules, game.deal, tuple(map(str, game.line)), tuple(seats), tuple(choices), end)

    @property
    def text(self) -> str:
        """The line as JSON."""
        rules: Any = self.rules.name
        seat_count = {"seat_count": FOUR_SEATS} if self.rules.seats == FOUR_SEATS else {}
        if _preset(rules, self.rules.seats) != self.rules:
            rules, seat_count = self.rules.to_dict(), {}
        told = {"rules": rules, **self.deal.to_texts(), "line": self.line, "seats": self.seats}
        return msgspec.json.encode({**told, "choices": self.choices, "end": self.end, **seat_count}).decode()

    def difference(self) -> Difference | None:
        """Where the rules first say something else; None if they say the same. See docs/rules.md 4.13."""
        game = Game(self.rules, deal=self.deal)
        for place, (text, seat, choices) in enumerate(zip(self.line, self.seats, self.choices, strict=False)):
            expected = {"seat": seat, "choices": choices}
            found = _asked(game)
            if found != expected:
                return Difference(place, expected, found)
            try:
                game.apply(text)
            except (IllegalAction, NotationError) as error:
                return Difference(place, expected, found, str(error))
        return self._difference_at_end(_asked(game))

    def _difference_at_end(self, found: dict[str, Any]) -> Difference | None:
        sizes = (len(self.line), len(self.seats), len(self.choices))
        if len(set(sizes)) > 1:
            told = "expected line, seats and choices of one length, got {}, {} and {}".format(*sizes)
            return Difference(min(sizes), None, found, told)
        return None if found == {"end": self.end} else Difference(len(self.line), {"end": self.end}, found)


def verify(text: str | bytes) -> Difference | None:
    """Replay a line of text: where it parts from the rules first, None if it does not.

    >>> str(verify('{"rules": "qq-basic"}'))
    'expected a game line as a JSON object, got what is none: Object missing required field `dealer`'
    """
    try:
        return GameLine.parse(text).difference()
    except NotationError as error:
        return Difference(None, None, None, str(error))


def _asked(game: Game) -> dict[str, Any]:
    """Who is asked, counted from the dealer, and how many actions there are; or the end."""
    asked = game.asked
    if asked is None:
        return {"end": end_of(game)}
    return {"seat": game.playing.index(asked), "choices": len(game.legal_actions())}


def end_of(game: Game) -> dict[str, Any] | None:
    """The end as a line tells it; None before. Seats are counted from the dealer."""
    result = game.result
    if result is None:
        return None
    pay = [result.payments[seat] for seat in game.playing]
    if result.score is None or result.seat is None:
        return {"type": result.type, "pay": pay}
    won = {
        "type": "hu",
        "seat": game.playing.index(result.seat),
        "tile": None if result.tile is None else str(result.tile),
        "source": result.source,
    }
    return won if result.is_heaven else {**won, "xi": result.score.xi, "pay": pay}


def _rules_of(parts: _Parts) -> Rules:
    if isinstance(parts.rules, dict):
        return Rules.from_dict(parts.rules)
    found = _preset(parts.rules, 3 if parts.seat_count is None else parts.seat_count)
    if found is None:
        names = ", ".join(preset_names())
        raise NotationError(f"expected the name of a preset ({names}) as rules, got {parts.rules!r}")
    return found


@lru_cache(maxsize=64)
def _preset(name: str, seats: int) -> Rules | None:
    """The preset of a name; no file, for a line must not say what is read."""
    if name not in preset_names():
        return None
    rules = load_rules(name)
    return rules if rules.seats == seats else rules.with_options({"seats": seats})


def _told(part: Mapping[str, Any] | None) -> str:
    if part is None:
        return "nothing"
    if "end" in part:
        return f"the end {msgspec.json.encode(part['end']).decode()}"
    return f"seat {part['seat']} with {part['choices']} actions"
