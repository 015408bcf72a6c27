"""Bots that look ahead (docs/search.md)."""

from __future__ import annotations

import re

from ..actions import Action
from ..deals import checked_seed
from ..search import METHODS, Budget, analyse_position, as_budget, checked_method, checked_threads
from ..views import View

__all__ = ["SEARCH_BOT_NAMES", "SearchBot"]

SEARCH_BOT_NAMES = METHODS
DEFAULT_BUDGET = Budget(rollouts=1000)

_NAME = re.compile(rf"({'|'.join(METHODS)})(?::([^,]+)(?:,threads=([1-8]))?)?")


class SearchBot:
    """Takes the action that pays best in rollouts: by tree search ("ismcts") or by rollouts only ("flat").

    budget: of each decision. seed: 0 to 2**64 - 1; with a budget of rollouts the same seed and view give the
    same action. threads: 1 to 8. Raises ValueError.

    >>> from paohuzi.game import Game
    >>> bot = SearchBot("ismcts", Budget(rollouts=50))
    >>> game = Game("qq-basic", seed=4)
    >>> bot.name, bot.choose(game.observe(0)) in game.legal_actions()
    ('ismcts:50', True)
    """

    def __init__(
        self,
        method: str = "ismcts",
        budget: Budget | int | str = DEFAULT_BUDGET,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.method = checked_method(method)
        self.budget = as_budget(budget)
        self.seed = checked_seed(seed)
        self.threads = checked_threads(threads)
        self.name = f"{method}:{self.budget}" + (f",threads={threads}" if threads > 1 else "")

    @classmethod
    def from_name(cls, name: str, seed: int = 0) -> SearchBot:
        """The bot of a name as ismcts, ismcts:5000, flat:1000ms or ismcts:2s,threads=2. Raises ValueError."""
        match = _NAME.fullmatch(name)
        if match is None:
            raise ValueError(f"expected a bot as ismcts:5000, flat:1s or ismcts:2s,threads=2, got {name!r}")
        method, budget, threads = match.groups()
        return cls(method, Budget.parse(budget) if budget else DEFAULT_BUDGET, seed, int(threads or 1))

    def choose(self, view: View) -> Action:
        """One of the legal actions."""
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        found = analyse_position(view, self.budget, method=self.method, seed=self.seed, threads=self.threads)
        return found.best
