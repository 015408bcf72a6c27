"""Bots by their names on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path

from ..deals import checked_seed
from ..game import Bot
from .greedy import GreedyBot
from .random import RandomBot
from .search_bots import SEARCH_BOT_NAMES, SearchBot

__all__ = ["BOT_NAMES", "bot_from_name"]

BOT_NAMES = ("random", "greedy", *SEARCH_BOT_NAMES)
_NAMES = f"{', '.join(BOT_NAMES)}, or my_module:MyBot"


def bot_from_name(name: str, seed: int = 0) -> Bot:
    """The bot of a name: one of BOT_NAMES, or my_module:MyBot for a class in a module of one's own.

    Those that look ahead take a budget in the name, as ismcts:5000 (rollouts) or flat:1000ms.

    The module is looked for in the current folder too. The class is called with `seed=` if its constructor
    takes one, else without arguments. seed: for bots that play by chance, 0 to 2**64 - 1. Raises ValueError
    for a name that is none, TypeError for what is no text.

    >>> bot_from_name("greedy").name, bot_from_name("ismcts:1000ms").name
    ('greedy', 'ismcts:1000ms')
    """
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a bot ({_NAMES}), got {name!r}")
    checked_seed(seed)
    module, colon, cls = name.partition(":")
    if colon and module in (RandomBot.name, GreedyBot.name):
        raise ValueError(f"expected {module} alone, which has no options, got {name!r}")
    if name == RandomBot.name:
        return RandomBot(seed)
    if name == GreedyBot.name:
        return GreedyBot()
    if module in SEARCH_BOT_NAMES:
        return SearchBot.from_name(name, seed)
    if not (module and colon and cls):
        raise ValueError(f"expected a bot ({_NAMES}), got {name!r}")
    return _loaded(module, cls, name, seed)


def _loaded(module: str, cls: str, name: str, seed: int) -> Bot:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        made_by = getattr(import_module(module), cls)
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"expected a class my_module:MyBot that can be imported, got {name!r}: {error}"
        ) from None
    except Exception as error:
        raise ValueError(f"bot {name} cannot be imported: {type(error).__name__}: {error}") from error
    try:
        bot = _made(made_by, seed)
    except Exception as error:
        raise ValueError(f"bot {name} cannot be made: {type(error).__name__}: {error}") from error
    if not callable(getattr(bot, "choose", None)):
        raise ValueError(f"expected a bot with choose(view), got {name!r}, which has none")
    return bot


def _made(make: Callable[..., Bot], seed: int) -> Bot:
    try:
        takes_seed = "seed" in signature(make).parameters
    except (TypeError, ValueError):  # of what is built in nothing is known
        takes_seed = False
    return make(seed=seed) if takes_seed else make()
