"""The presets by name (docs/rules.md 5.3)."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from ..tiles import NotationError
from .rules import Rules

__all__ = [
    "DEFAULT_RULES",
    "LUZHOU_RULES",
    "RulesLike",
    "as_rules",
    "load_rules",
    "preset_names",
    "preset_path",
]

RulesLike: TypeAlias = Rules | str
"""Rules, the name of a preset, or the path of a file of rules, *.toml."""

_FOLDER = Path(__file__).parent.parent / "presets"
_SUFFIX = ".toml"


def preset_names() -> tuple[str, ...]:
    """The names of the presets, in order. See docs/rules.md 5.3.

    >>> len(preset_names()), preset_names()[0]
    (12, 'baiwang')
    """
    return tuple(sorted(path.stem for path in _FOLDER.glob(f"*{_SUFFIX}")))


def load_rules(source: str | os.PathLike[str]) -> Rules:
    """The rules of a preset, or of a file of rules.

    source: the name of a preset, or a path: a PathLike, or a text that ends in .toml or has a slash. Raises
    NotationError naming file and field, OSError if the file cannot be read. See docs/rules.md 5.6.

    >>> load_rules("luzhou").min_xi
    10
    """
    if isinstance(source, str) and not source.endswith(_SUFFIX) and os.sep not in source:
        return _preset(source)
    from .files import read_rules

    return read_rules(Path(source))


def as_rules(rules: RulesLike) -> Rules:
    """The rules that an argument stands for: itself, the preset of that name, or the file, read each time.

    Raises NotationError naming the presets, OSError, TypeError. See docs/rules.md 5.6.

    >>> as_rules("luzhou") is as_rules(LUZHOU_RULES)
    True
    """
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"expected Rules, the name of a preset or a path *{_SUFFIX}, got {rules!r}")
    return load_rules(rules)


@lru_cache
def _preset(name: str) -> Rules:
    """The one value of a preset. Its file is read when a field is first asked for (Rules.__getattr__)."""
    preset_path(name)
    rules = object.__new__(Rules)
    object.__setattr__(rules, "name", name)
    return rules


def preset_path(name: str) -> Path:
    """The file of a preset. Raises NotationError naming the presets."""
    if name not in preset_names():
        names = ", ".join(preset_names())
        raise NotationError(f"expected the name of a preset ({names}) or a file *{_SUFFIX}, got {name!r}")
    return _FOLDER / f"{name}{_SUFFIX}"


DEFAULT_RULES = _preset("qq-basic")
LUZHOU_RULES = _preset("luzhou")
