"""Bots measured against each other on duplicate deals (docs/arena.md)."""

from .contest import ArenaError, Contest, Player
from .estimates import Estimate, Sprt, estimate
from .outcome import Outcome, Standing
from .run import play_arena
from .sets import SetResult, play_set

__all__ = [
    "ArenaError",
    "Contest",
    "Estimate",
    "Outcome",
    "Player",
    "SetResult",
    "Sprt",
    "Standing",
    "estimate",
    "play_arena",
    "play_set",
]
