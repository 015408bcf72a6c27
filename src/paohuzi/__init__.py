"""The Chinese letter-card game paohuzi (跑胡子): an exact and fast solver."""

from ._native import TableError
from .advice import Danger, Discard, danger, discards
from .distance import Taking, distance, improving
from .groups import Group, XiTable
from .notation import Hand, Query
from .rules import DEFAULT_RULES, LUZHOU_RULES, Fan, Rules, Together, as_rules, load_rules, preset_names
from .scoring import NO_CONTEXT, Context, FanCount, Score, score, wait_scores
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
    "NO_CONTEXT",
    "Context",
    "Danger",
    "Discard",
    "Fan",
    "FanCount",
    "Group",
    "Hand",
    "IllegalHand",
    "NotationError",
    "Query",
    "Rules",
    "Score",
    "Solution",
    "TableError",
    "Taking",
    "Tile",
    "Together",
    "XiTable",
    "as_rules",
    "count_divisions",
    "danger",
    "discards",
    "distance",
    "divisions",
    "heaven_xi",
    "improving",
    "is_heaven",
    "is_hu",
    "is_ready",
    "load_rules",
    "max_xi",
    "part_xi",
    "preset_names",
    "ready_discards",
    "score",
    "solve",
    "wait_scores",
    "waits",
]
