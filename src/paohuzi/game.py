"""One hand of play: who is asked, what may be done, what comes of it. No rule of the game is here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from . import _engine
from .actions import Action, IllegalAction
from .deals import Deal, checked_seed, random_seed
from .results import Result, ended, left
from .rules import DEFAULT_RULES, RulesLike, as_rules
from .settlement import turn_order
from .tiles import IllegalHand
from .views import View, seating

if TYPE_CHECKING:
    from .record import Record

__all__ = ["Bot", "Game", "Leaves", "bot_name", "check_bot", "check_bots"]


class Bot(Protocol):
    """Whoever plays at a seat: it is shown what the seat may know, and chooses one of the legal actions."""

    def choose(self, view: View) -> Action:
        """One of view.legal_actions. May raise Leaves."""
        ...


class Leaves(Exception):
    """Raised by a bot's `choose`: its seat leaves the table (docs/rules.md 4.11)."""


class Game:
    """One hand. Seats go round the table, 0 to 2 or, with four seats, 0 to 3 with one that sits out.

    rules: Rules, the name of a preset or a path. seed: of the deal, 0 to 2**64 - 1; deal: its tiles, in place
    of a seed; with neither the seed is a random one. dealer: who deals. scores: by seat, the points before
    this hand, for the views. Raises ValueError. See docs/rules.md 4.

    >>> game = Game("qq-basic", seed=4)
    >>> game.asked, game.question, *map(str, game.legal_actions()[:2])
    (0, 'discard', 'discard 1s', 'discard 2s')
    >>> while not game.is_over:
    ...     game.apply(game.legal_actions()[0])
    >>> game.result.type, game.result.seat, game.result.points
    ('draw', None, (0, 0, 0))
    """

    __slots__ = (
        "_line",
        "_result",
        "_seating",
        "_table",
        "deal",
        "dealer",
        "playing",
        "rules",
        "scores",
        "seed",
    )

    def __init__(
        self,
        rules: RulesLike = DEFAULT_RULES,
        *,
        seed: int | None = None,
        deal: Deal | None = None,
        dealer: int = 0,
        scores: Sequence[int] | None = None,
    ) -> None:
        self.rules = as_rules(rules)
        self.dealer = dealer
        self.playing = turn_order(self.rules, dealer)
        """The seats that play: the dealer, the next player, the previous one."""
        self.scores = _scores(scores, self.rules.seats)
        self.seed, self.deal = _dealt(self.rules, seed, deal)
        self._table = _engine.Table(self.rules.native)
        try:
            self._table.deal(*self.deal.native)
        except ValueError as error:
            raise IllegalHand(str(error)) from None
        self._seating = seating(self.rules, self.playing)
        self._line: list[Action] = []
        self._result: Result | None = None

    @property
    def asked(self) -> int | None:
        """The seat that is asked; None when the hand is over."""
        asked = -1 if self._result else self._table.asked
        return None if asked < 0 else self.playing[asked]

    @property
    def question(self) -> str | None:
        """What it is asked: "shown_hu", "draw_hu", "hu", "peng", "chi" or "discard" (docs/rules.md 4.13)."""
        return None if self.asked is None else self._table.question

    def legal_actions(self) -> tuple[Action, ...]:
        """What the asked seat may do, in order; empty when the hand is over. See docs/rules.md 4.13."""
        return () if self._result else tuple(map(Action.from_number, self._table.actions()))

    def apply(self, action: Action | str) -> None:
        """Take an action for the asked seat. Raises IllegalAction, NotationError for a text that is none."""
        if not isinstance(action, Action):
            action = Action.parse(action)
        try:
            if self._result:
                raise ValueError
            self._table.apply(action.number)
        except ValueError:
            raise IllegalAction(self._refusal(action)) from None
        self._line.append(action)

    def leave(self, seat: int) -> None:
        """End the hand because a seat leaves the table. Raises ValueError if it is over, or for no seat.

        See docs/rules.md 4.11 and 5.4.
        """
        if self.is_over or not 0 <= seat < self.rules.seats:
            seats = f"a seat from 0 to {self.rules.seats - 1}"
            raise ValueError(f"expected {seats} and a hand going on, got {seat}")
        self._result = left(self._table, seat, self.rules, self.playing)

    def observe(self, seat: int) -> View:
        """What a seat may know. Raises ValueError for one that does not play."""
        place = self._place(seat)
        table = self._table
        actions = self.legal_actions() if table.asked == place else ()
        seen = table.observe(place, self._result is not None and self._result.type == "leave")
        playing = self.playing
        return View(self.rules, seat, self.dealer, playing, self.scores, actions, seen, self._seating)

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self._result is not None or self._table.is_over

    @property
    def result(self) -> Result | None:
        """How it ended; None before."""
        if self._result is None:
            self._result = ended(self._table, self.rules, self.playing)
        return self._result

    @property
    def line(self) -> tuple[Action, ...]:
        """The actions taken so far."""
        return tuple(self._line)

    def copy(self) -> Game:
        """The same hand at the same point, to be played on apart."""
        other = object.__new__(Game)
        for name in Game.__slots__:
            setattr(other, name, getattr(self, name))
        other._table = self._table.copy()
        other._line = self._line.copy()
        return other

    def step(self, bots: Sequence[Bot]) -> None:
        """Let the asked seat's bot choose. bots: by seat. Raises IllegalAction naming bot and seat, and what
        the bot itself raises, with a note of both."""
        seat = self.asked
        if seat is None:
            raise ValueError("expected a hand going on, got one that is over")
        if seat >= len(bots):
            raise ValueError(f"expected a bot for seat {seat}, got {len(bots)} bots")
        try:
            choice = bots[seat].choose(self.observe(seat))
        except Leaves:
            self.leave(seat)
            return
        except Exception as error:
            error.add_note(f"bot {bot_name(bots[seat])} at seat {seat}")
            raise
        try:
            self.apply(choice)
        except (ValueError, TypeError) as error:
            raise IllegalAction(f"{error} (bot {bot_name(bots[seat])} at seat {seat})") from None

    def play(self, bots: Sequence[Bot]) -> Record:
        """Let the bots play to the end. bots: by seat. Returns the Record.

        Raises IllegalAction naming bot and seat, TypeError for what is no bot. See docs/records.md.
        """
        check_bots(bots, self.rules.seats)
        while not self.is_over:
            self.step(bots)
        return self.record([bot_name(bot) for bot in bots])

    def record(self, names: Sequence[str] | None = None, hand: int = 0) -> Record:
        """What has happened. names: of the players by seat, or numbers. hand: its number in the match.

        Raises ValueError if it goes on. See docs/records.md.
        """
        from .record import record_hand, start_event

        result = self.result
        leaver = result.seat if result and result.type == "leave" else None
        start = start_event(
            self.rules,
            self.deal,
            self.dealer,
            seed=self.seed,
            names=[str(seat) for seat in range(self.rules.seats)] if names is None else names,
            scores=self.scores,
            hand=hand,
        )
        return record_hand(self.rules, self.deal, self.dealer, self._line, start=start, leaver=leaver)

    def perft(self, depth: int) -> int:
        """How many sequences of so many legal actions there are from here; draws do not branch.

        depth: 1 to 12. Raises ValueError.

        >>> Game("qq-basic", seed=4).perft(2)
        46
        """
        return self._table.perft(depth)

    def divide(self, depth: int) -> dict[Action, int]:
        """The same by first action."""
        return {Action.from_number(number): count for number, count in self._table.divide(depth).items()}

    def _place(self, seat: int) -> int:
        if seat not in self.playing:
            seats = ", ".join(map(str, sorted(self.playing)))
            raise ValueError(f"expected a seat that plays ({seats}), got {seat!r}")
        return self.playing.index(seat)

    def _refusal(self, action: Action) -> str:
        if self.is_over:
            return f"expected no action, for the hand is over, got {action}"
        allowed = ", ".join(map(str, self.legal_actions()))
        return f"expected one of {allowed}, got {action} from seat {self.asked}"


def check_bots(bots: Sequence[Bot], seats: int) -> None:
    """Raise ValueError, TypeError unless there is a bot for each seat."""
    if not isinstance(bots, Sequence) or isinstance(bots, str):
        raise TypeError(f"expected a list of {seats} bots, one a seat, got {bots!r}")
    if len(bots) != seats:
        raise ValueError(f"expected {seats} bots, one a seat, got {len(bots)}")
    for seat, bot in enumerate(bots):
        check_bot(bot, seat)


def check_bot(bot: Bot, seat: int) -> None:
    """Raise TypeError for what cannot choose, as the name of a bot, or its class."""
    if isinstance(bot, type) or not callable(getattr(bot, "choose", None)):
        raise TypeError(f"expected a bot with choose(view) at seat {seat}, got {bot!r}")


def bot_name(bot: Bot) -> str:
    """What a bot is called: its `name`, else its class."""
    name = getattr(bot, "name", None)
    return name if isinstance(name, str) else type(bot).__name__


def _scores(scores: Sequence[int] | None, seats: int) -> tuple[int, ...]:
    scores = (0,) * seats if scores is None else tuple(scores)
    if len(scores) != seats:
        raise ValueError(f"expected the scores of {seats} seats, got {len(scores)}")
    if not all(type(points) is int for points in scores):
        raise ValueError(f"expected whole numbers as scores, got {scores}")
    return scores


def _dealt(rules: Any, seed: int | None, deal: Deal | None) -> tuple[int | None, Deal]:
    """The seed, if there is one, and its deal."""
    if deal is None:
        seed = random_seed() if seed is None else checked_seed(seed)
        return seed, Deal.from_seed(rules, seed)
    if seed is not None:
        raise ValueError("expected a seed or a deal, got both")
    if not isinstance(deal, Deal):
        raise TypeError(f"expected a Deal, got {deal!r}")
    return None, deal
