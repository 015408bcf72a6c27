"""Rules by the name of a preset or from a file in TOML (docs/rules.md 5)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from ..tiles import NotationError
from .rules import Rules
from .shape import TABLES, rules_of

__all__ = ["DEFAULT_RULES", "LUZHOU_RULES", "RulesLike", "as_rules", "load_rules", "preset_names"]

RulesLike: TypeAlias = Rules | str
"""Rules, or the name of a preset."""

_FOLDER = Path(__file__).parent.parent / "presets"
_SUFFIX = ".toml"


def preset_names() -> tuple[str, ...]:
    """The names of the presets, in order. See docs/rules.md 5.

    >>> len(preset_names()), preset_names()[0]
    (12, 'baiwang')
    """
    return tuple(sorted(path.stem for path in _FOLDER.glob(f"*{_SUFFIX}")))


def load_rules(source: str | os.PathLike[str]) -> Rules:
    """The rules of a preset, or of a file of rules.

    source: the name of a preset, or a path: a PathLike, or a text that ends in .toml or has a slash. Raises
    NotationError naming file and field, OSError if the file cannot be read. See docs/rules.md 5.

    >>> load_rules("luzhou").min_xi
    10
    """
    if isinstance(source, str) and not source.endswith(_SUFFIX) and os.sep not in source:
        return _preset(source)
    path = Path(source)
    return _rules_from(path, _read_file(path))


def as_rules(rules: RulesLike) -> Rules:
    """The rules that an argument stands for: itself, or the preset of that name.

    Raises NotationError naming the presets, TypeError.

    >>> as_rules("luzhou") is as_rules(LUZHOU_RULES)
    True
    """
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"expected Rules or the name of a preset, got {rules!r}")
    return _preset(rules)


@lru_cache(maxsize=64)
def _preset(name: str) -> Rules:
    path = _preset_path(name)
    return _rules_from(path, _read_file(path))


def _preset_path(name: str) -> Path:
    if name not in preset_names():
        raise NotationError(
            f"expected the name of a preset ({', '.join(preset_names())}) or a file *{_SUFFIX}, got {name!r}"
        )
    return _FOLDER / f"{name}{_SUFFIX}"


def _rules_from(path: Path, given: Mapping[str, Any]) -> Rules:
    try:
        return rules_of({"name": path.stem, **given})
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None


def _read_file(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The fields of a file, together with those of the rules it extends."""
    given = _read_toml(path)
    base = given.pop("extends", None)
    if base is None:
        return given
    try:
        base_path = _base_path(path, base)
    except NotationError as error:
        raise NotationError(f"{path}: extends: {error}") from None
    chain = (*above, path.resolve())
    if base_path.resolve() in chain:
        names = " > ".join(str(each.name) for each in (*chain, base_path))
        raise NotationError(f"{path}: extends: expected rules that end somewhere, got {names}")
    return _merged(_read_file(base_path, chain), given)


def _read_toml(path: Path) -> dict[str, Any]:
    from tomllib import TOMLDecodeError, loads

    try:
        return loads(path.read_text(encoding="utf-8-sig"))
    except (TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotationError(f"{path}: expected TOML in UTF-8, got what is none: {error}") from None


def _base_path(path: Path, base: object) -> Path:
    if not isinstance(base, str):
        raise NotationError(f"expected the name of a preset or a file *{_SUFFIX}, got {base!r}")
    if not base.endswith(_SUFFIX):
        return _preset_path(base)
    if not (path.parent / base).is_file():
        raise NotationError(f"expected a file that is there, got {path.parent / base}")
    return path.parent / base


def _merged(base: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The fields of both, those given in place of those of the base; fan field by field."""
    merged = {**base, **given}
    for table in TABLES:
        old, new = base.get(table, {}), given.get(table, {})
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            merged[table] = {**old, **{key: _merged_part(old.get(key), part) for key, part in new.items()}}
    return merged


def _merged_part(old: object, new: object) -> object:
    return {**old, **new} if isinstance(old, Mapping) and isinstance(new, Mapping) else new


DEFAULT_RULES = load_rules("qq-basic")
LUZHOU_RULES = load_rules("luzhou")
