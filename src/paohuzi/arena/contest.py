"""Who meets whom: the players of an arena, and the orders in which they sit at every wall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, NamedTuple

from ..bots import bot_from_name
from ..deals import checked_seed, hand_seed
from ..rules import Rules, RulesLike, as_rules

__all__ = ["SEATS", "ArenaError", "Contest", "Player"]

SEATS = 3
NAMES_MIN = 2


class ArenaError(ValueError):
    """What an arena cannot go on with: a bot that fails, a file of another arena."""


class Player(NamedTuple):
    """One line of the result. label: what it is called. name: of its bot. entries: how often it was named."""

    label: str
    name: str
    entries: int


@dataclass(frozen=True, slots=True)
class Contest:
    """Bots, rules and the seed of all walls and bots: what decides every hand.

    names: of two or three bots, as in `bot_from_name`, which makes them anew for every set. rules: of three
    seats; Rules, or the name of a preset. seed: 0 to 2**64 - 1. Raises ValueError for a name that is none,
    TypeError for bots in place of names. See docs/rules.md 4.

    >>> contest = Contest(("greedy", "random"), "qq-half", 7)
    >>> [player.label for player in contest.players], len(contest.seatings)
    (['greedy', 'random'], 6)
    >>> Contest(("greedy", "random", "random"), "qq-half", 7).seatings
    ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    """

    names: tuple[str, ...]
    rules: Rules
    seed: int

    def __init__(self, names: Sequence[str], rules: RulesLike, seed: int) -> None:
        if not isinstance(names, Sequence) or isinstance(names, str):
            raise TypeError(f"expected a list with the names of {NAMES_MIN} or {SEATS} bots, got {names!r}")
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "rules", as_rules(rules))
        object.__setattr__(self, "seed", checked_seed(seed))
        if not NAMES_MIN <= len(self.names) <= SEATS:
            raise ArenaError(f"expected {NAMES_MIN} or {SEATS} bots, got {len(self.names)}")
        if self.rules.seats != SEATS:
            raise ArenaError(f"expected rules of {SEATS} seats, got {self.rules.seats} of {self.rules.name}")
        for name in self.names:
            bot_from_name(name)

    @property
    def players(self) -> tuple[Player, ...]:
        """A bot named twice is one player, but where all names are the same: then each is one."""
        if len(set(self.names)) > 1:
            return tuple(Player(name, name, self.names.count(name)) for name in dict.fromkeys(self.names))
        labels = (f"#{number}" if number > 1 else "" for number in range(1, len(self.names) + 1))
        return tuple(Player(name + label, name, 1) for name, label in zip(self.names, labels, strict=True))

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Every order in which the players may sit: the number of the player by seat.

        Of three names their orders that differ; of two the six in which both play, one of them at two seats.
        """
        players = range(len(self.players))
        if len(self.names) < SEATS:
            return tuple(seats for seats in product(players, repeat=SEATS) if len(set(seats)) > 1)
        entries = [number for number, player in enumerate(self.players) for _ in range(player.entries)]
        return tuple(dict.fromkeys(permutations(entries)))

    @property
    def seat_hands(self) -> tuple[int, ...]:
        """By player, how many hands of a set it plays, two of its seats at one table being two."""
        return tuple(
            sum(seats.count(player) for seats in self.seatings) for player in range(len(self.players))
        )

    def deal_seed(self, number: int) -> int:
        """The seed of the wall of a set, and of its deal."""
        return hand_seed(self.seed, number)

    def bot_seed(self, number: int, player: int, seat: int) -> int:
        """The seed of a player's bot at a seat, in a set."""
        return hand_seed(self.deal_seed(number), player * SEATS + seat)

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {"names": list(self.names), "rules": self.rules.to_dict(), "seed": self.seed}

    @classmethod
    def from_dict(cls, state: dict[str, Any]) -> Contest:
        """The contest of `to_dict`. Raises ValueError."""
        return cls(state["names"], Rules.from_dict(state["rules"]), state["seed"])
