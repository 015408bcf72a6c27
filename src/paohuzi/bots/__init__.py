"""Players: whatever has `choose(view)` (docs/python.md)."""

from .greedy import GreedyBot
from .naming import BOT_NAMES, bot_from_name
from .random import RandomBot
from .search_bots import SearchBot

__all__ = ["BOT_NAMES", "GreedyBot", "RandomBot", "SearchBot", "bot_from_name"]
