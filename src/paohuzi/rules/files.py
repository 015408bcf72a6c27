"""Files of rules in TOML: read, with what they extend, or refused by file and field (docs/rules.md 5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tomllib import loads
from typing import Any

from ..tiles import NotationError
from .presets import preset_path
from .rules import Rules
from .shape import NAMES_IN_FILE, TABLES, rules_of

__all__ = ["read_rules"]

SIZE_MAX = 1 << 20  # bytes; the longest preset has some thousand, and a device has no end


def read_rules(path: Path) -> Rules:
    """The rules of a file, called after it unless it has a name. Raises NotationError, OSError."""
    given = _read_file(path)
    try:
        return rules_of({"name": path.stem, **given})
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None
    except RecursionError:
        raise NotationError(
            f"{path}: expected fields of rules, got tables without end in each other"
        ) from None


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
    with path.open("rb") as file:
        data = file.read(SIZE_MAX + 1)
    if len(data) > SIZE_MAX:
        raise NotationError(f"{path}: expected at most {SIZE_MAX} bytes of rules, got more")
    try:
        given = loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # no UTF-8, no TOML, a number or nesting that has no end
        raise NotationError(f"{path}: expected TOML in UTF-8, got what is none: {error}") from None
    if not given:
        fields = ", ".join(("extends", *NAMES_IN_FILE))
        raise NotationError(f"{path}: expected at least one field ({fields}), got none")
    return given


def _base_path(path: Path, base: object) -> Path:
    if not isinstance(base, str):
        raise NotationError(f"expected the name of a preset or a file *.toml, got {base!r}")
    if not base.endswith(".toml"):
        return preset_path(base)
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
