"""A bot that plays by chance."""

from __future__ import annotations

from hashlib import blake2b

from ..actions import Action
from ..deals import checked_seed
from ..views import View

__all__ = ["RandomBot"]


class RandomBot:
    """Any legal action, each as likely as the others: the same one for the same seed and view.

    seed: 0 to 2**64 - 1, else ValueError. It remembers nothing, so a match that was interrupted goes on the
    same way.

    >>> from paohuzi.game import Game
    >>> bot = RandomBot(seed=1)
    >>> Game("qq-basic", seed=4).play([bot, bot, bot]).end.deltas
    (0, 0, 0)
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._key = checked_seed(seed).to_bytes(8, "little")

    def choose(self, view: View) -> Action:
        """One of the legal actions."""
        number = int.from_bytes(blake2b(bytes(view.seen), digest_size=8, key=self._key).digest())
        return view.legal_actions[number % len(view.legal_actions)]
