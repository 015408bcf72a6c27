"""Many hands at one table: who deals, the points so far, who leaves (docs/rules.md 4.10, 4.11 and 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .deals import checked_seed, first_dealer, hand_seed, random_seed
from .game import Bot, Game, bot_name, check_bot, check_bots
from .rules import Rules, RulesLike, Title, as_rules
from .settlement import beans, next_dealer, title
from .tiles import NotationError
from .whole_numbers import checked_number

if TYPE_CHECKING:
    from .record import Record

__all__ = ["Match"]

STATE_VERSION = 1


class Match:
    """A match: an iterator that plays hand after hand and yields their Records.

    rules: Rules, the name of a preset or a path. bots: by seat. seed: of all deals and of the first dealer, a
    random one if left out. hands: how many, without end if None. Raises ValueError, TypeError for what is no
    bot; playing raises IllegalAction naming bot and seat. See docs/rules.md 4.11.
    """

    def __init__(
        self,
        rules: RulesLike,
        bots: Sequence[Bot],
        *,
        seed: int | None = None,
        hands: int | None = None,
    ) -> None:
        self.rules: Rules = as_rules(rules)
        check_bots(bots, self.rules.seats)
        self.bots = list(bots)
        self.seed = random_seed() if seed is None else checked_seed(seed)
        self.hands = None if hands is None else checked_number(hands, "hands", 0)
        self.number = 0
        """How many hands have been played."""
        self.left: int | None = None
        """The seat that somebody has left; then nothing goes on until `sit_down`."""
        self.game: Game | None = None
        """The hand that is being played."""
        self._begin(first_dealer(self.rules, self.seed))

    def _begin(self, dealer: int) -> None:
        self.dealer = dealer
        """Who deals the hand that is played, or the next one."""
        self.draws = 0
        """How many hands have been drawn in a row."""
        self.scores = (0,) * self.rules.seats
        """By seat, the points so far."""

    @property
    def is_over(self) -> bool:
        """Whether all hands have been played, or a seat is empty."""
        return self.left is not None or (self.hands is not None and self.number >= self.hands)

    @property
    def titles(self) -> tuple[Title, ...]:
        """By seat, the titles (等级) of the points so far; none where the rules have none."""
        return tuple(title(points, self.rules) for points in self.scores) if self.rules.titles else ()

    def beans(self, factor: int) -> tuple[int, ...]:
        """By seat, the beans (欢乐豆) that the points are worth. factor: the room's, 1 or more."""
        return tuple(beans(points, factor) for points in self.scores)

    def start(self) -> Game:
        """The hand that is being played, dealt if there is none. Raises ValueError when the match is over."""
        if self.game is None:
            if self.is_over:
                raise ValueError("expected a match going on, got one that is over")
            seed = hand_seed(self.seed, self.number)
            self.game = Game(self.rules, seed=seed, dealer=self.dealer, scores=self.scores)
        return self.game

    def finish(self) -> Record:
        """The Record of the hand that has been played to its end; the points and the deal go on."""
        game, number = self.start(), self.number
        self.settle()
        return game.record([bot_name(bot) for bot in self.bots], number)

    def settle(self) -> None:
        """What `finish` does, without a Record: several times as fast."""
        game = self.start()
        result = game.result
        if result is None:
            raise ValueError(f"expected a hand that is over, got one in which seat {game.asked} is asked")
        self.scores = tuple(map(sum, zip(self.scores, result.points, strict=True)))
        self.game = None
        self.number += 1
        if result.type == "leave":
            self.left = result.seat
        else:
            self.draws = 0 if result.winner is not None else self.draws + 1
            self.dealer = next_dealer(self.dealer, result.winner, self.draws, self.rules)

    def sit_down(self, seat: int, bot: Bot) -> None:
        """A bot takes the empty seat, and the match starts anew: no points, any first dealer.

        Raises ValueError if the seat is not empty. See docs/rules.md 4.11.
        """
        if self.left is None or self.left != seat:
            raise ValueError(f"expected the empty seat ({self.left}), got {seat}")
        check_bot(bot, seat)
        self.bots[seat] = bot
        self.left = None
        self._begin(first_dealer(self.rules, hand_seed(self.seed, self.number)))

    def __iter__(self) -> Iterator[Record]:
        return self

    def __next__(self) -> Record:
        if self.is_over and self.game is None:
            raise StopIteration
        game = self.start()
        while not game.is_over:
            game.step(self.bots)
        return self.finish()

    def to_dict(self) -> dict[str, Any]:
        """Where the match stands, for JSON: also in the middle of a hand. The bots are not part of it."""
        return {
            "version": STATE_VERSION,
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "hands": self.hands,
            "number": self.number,
            "dealer": self.dealer,
            "draws": self.draws,
            "scores": list(self.scores),
            "left": self.left,
            "line": None if self.game is None else [str(action) for action in self.game.line],
        }

    @classmethod
    def from_dict(cls, state: Mapping[str, Any], bots: Sequence[Bot]) -> Match:
        """The match that stands so. Raises NotationError naming the field, ValueError."""
        _check_state(state)
        match = cls(Rules.from_dict(state["rules"]), bots, seed=state["seed"], hands=state["hands"])
        seats = range(match.rules.seats)
        places = (state["dealer"], 0 if state["left"] is None else state["left"])
        if len(state["scores"]) != len(seats) or not set(places).issubset(seats):
            told = f"scores {state['scores']}, dealer {state['dealer']} and left {state['left']}"
            raise NotationError(f"expected scores, dealer and left of {len(seats)} seats, got {told}")
        if match.hands is not None and state["number"] > match.hands:
            raise NotationError(f"expected at most {match.hands} as number of a match, got {state['number']}")
        for name in ("number", "dealer", "draws", "left"):
            setattr(match, name, state[name])
        match.scores = tuple(state["scores"])
        if state["line"] is not None:
            game = match.start()
            for action in state["line"]:
                game.apply(action)
        return match


Check = tuple[str, Callable[[Any], bool]]


def _is_whole(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_list(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(type(part) is kind for part in value)


_WHOLE: Check = ("a whole number from 0", _is_whole)
_WHOLE_OR_NONE: Check = ("a whole number from 0 or null", lambda value: value is None or _is_whole(value))
_STATE: dict[str, Check] = {
    "version": (f"version {STATE_VERSION}", lambda value: value == STATE_VERSION),
    "rules": ("the fields of rules", lambda value: isinstance(value, Mapping)),
    "seed": _WHOLE,
    "hands": _WHOLE_OR_NONE,
    "number": _WHOLE,
    "dealer": _WHOLE,
    "draws": _WHOLE,
    "scores": ("a list of whole numbers", lambda value: _is_list(value, int)),
    "left": _WHOLE_OR_NONE,
    "line": ("a list of actions or null", lambda value: value is None or _is_list(value, str)),
}


def _check_state(state: Mapping[str, Any]) -> None:
    """Raise NotationError for a field of a saved match that cannot be."""
    if not isinstance(state, Mapping):
        raise NotationError(f"expected the fields of a match, got {state!r}")
    for name, (what, is_right) in _STATE.items():
        if name not in state or not is_right(state[name]):
            raise NotationError(f"expected {what} as {name} of a match, got {state.get(name)!r}")
