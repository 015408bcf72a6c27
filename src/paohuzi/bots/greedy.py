"""A bot that plays the obvious: read in two minutes, and a mark for others to beat."""

from __future__ import annotations

from ..actions import HU, Action
from ..search import policy_values
from ..views import View

__all__ = ["GreedyBot"]


class GreedyBot:
    """Wins when it can; else keeps the tiles that lead to a win soonest, and takes what brings it nearer.

    It thinks of its own hand alone, and never further than its next action.

    >>> from paohuzi.game import Game
    >>> str(GreedyBot().choose(Game("qq-basic", seed=4).observe(0)))
    'discard 9b'
    """

    name = "greedy"

    def choose(self, view: View) -> Action:
        """One of the legal actions."""
        if HU in view.legal_actions:
            return HU
        # Each action leaves some tiles: worth more the more groups and parts of groups are among them, the
        # more xi (胡息) those have and the more fan may count them; and if they wait for a win, by the copies
        # still out and what each pays, as in the table of `paohuzi advise`. docs/search.md has the weights.
        values = policy_values(view)
        return view.legal_actions[values.index(max(values))]
