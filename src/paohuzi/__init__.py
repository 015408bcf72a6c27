"""The Chinese letter-card game paohuzi (跑胡子): an exact and fast solver."""

from ._native import TableError
from .groups import Group, XiTable
from .notation import Hand, Query
from .rules import DEFAULT_RULES, LUZHOU_RULES, Rules
from .solver import (
    Solution,
    count_divisions,
    divisions,
    heaven_xi,
    is_heaven,
    is_hu,
    is_ready,
    max_xi,
    part_xi,
    ready_discards,
    solve,
    waits,
)
from .tiles import IllegalHand, NotationError, Tile

__all__ = [
    "DEFAULT_RULES",
    "LUZHOU_RULES",
    "Group",
    "Hand",
    "IllegalHand",
    "NotationError",
    "Query",
    "Rules",
    "Solution",
    "TableError",
    "Tile",
    "XiTable",
    "count_divisions",
    "divisions",
    "heaven_xi",
    "is_heaven",
    "is_hu",
    "is_ready",
    "max_xi",
    "part_xi",
    "ready_discards",
    "solve",
    "waits",
]
