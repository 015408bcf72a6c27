"""Bots that look ahead (docs/search.md)."""

from __future__ import annotations

from ..actions import Action
from ..search import METHODS, Budget, analyse_position
from ..views import View

__all__ = ["SEARCH_BOT_NAMES", "SearchBot"]

SEARCH_BOT_NAMES = METHODS
DEFAULT_BUDGET = Budget(rollouts=1000)


class SearchBot:
    """Takes the action that pays best in rollouts: by tree search ("ismcts") or by rollouts only ("flat").

    budget: of each decision. seed: 0 to 2**64 - 1; with a budget of rollouts the same seed and view give the
    same action. threads: 1 to 8.

    >>> from paohuzi.game import Game
    >>> bot = SearchBot("ismcts", Budget(rollouts=50))
    >>> game = Game("qq-basic", seed=4)
    >>> bot.name, bot.choose(game.observe(0)) in game.legal_actions()
    ('ismcts:50', True)
    """

    def __init__(
        self, method: str = "ismcts", budget: Budget = DEFAULT_BUDGET, seed: int = 0, threads: int = 1
    ) -> None:
        self.method = method
        self.budget = budget
        self.seed = seed
        self.threads = threads
        self.name = f"{method}:{budget}" + (f",threads={threads}" if threads > 1 else "")

    @classmethod
    def from_name(cls, name: str, seed: int = 0) -> SearchBot:
        """The bot of a name as ismcts, ismcts:5000, flat:1000ms or ismcts:2s,threads=2. Raises ValueError."""
        method, _, options = name.partition(":")
        budget, _, threads = options.partition(",threads=")
        if method not in METHODS or (threads and not threads.isdecimal()):
            raise ValueError(f"expected a bot as ismcts:5000, flat:1s or ismcts:2s,threads=2, got {name!r}")
        return cls(method, Budget.parse(budget) if budget else DEFAULT_BUDGET, seed, int(threads or 1))

    def choose(self, view: View) -> Action:
        """One of the legal actions."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        found = analyse_position(view, self.budget, method=self.method, seed=self.seed, threads=self.threads)
        return found.best
