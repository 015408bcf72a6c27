"""The rules of a table as one value, and those that ship with the package (docs/rules.md 3 to 5)."""

from ..groups import XiTable
from .fans import FACTS, Fan, Title, Together
from .presets import DEFAULT_RULES, LUZHOU_RULES, RulesLike, as_rules, load_rules, preset_names
from .rules import Rules

__all__ = [
    "DEFAULT_RULES",
    "FACTS",
    "LUZHOU_RULES",
    "Fan",
    "Rules",
    "RulesLike",
    "Title",
    "Together",
    "XiTable",
    "as_rules",
    "load_rules",
    "preset_names",
]
