"""Matches kept in files: where they stand, who plays, what has been counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeGuard

from ..tiles import NotationError

__all__ = ["Saved", "free_path", "load_match", "save_match"]

KIND = "paohuzi match"
DEFAULT_NAME = "paohuzi-match"
SIZE_MAX = 1 << 24  # bytes; a match has a few thousand


@dataclass(frozen=True, slots=True)
class Saved:
    """seats: the names of the players by seat. match: Match.to_dict(). tally: of hands played unattended."""

    seats: tuple[str, ...]
    match: dict[str, Any]
    tally: dict[str, Any] = field(default_factory=dict)


def save_match(path: Path, seats: Sequence[str], match: dict[str, Any], tally: dict[str, Any]) -> None:
    """Write a match to a file, which is never left half written. Raises OSError."""
    text = json.dumps(
        {"type": KIND, "seats": list(seats), "match": match, "tally": tally}, ensure_ascii=False
    )
    beside = path.with_name(f".{path.name}.saving")
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(path)


def load_match(path: Path) -> Saved:
    """Read a match. Raises OSError, NotationError for a file that holds none."""
    with path.open("rb") as file:
        data = file.read(SIZE_MAX + 1)
    if len(data) > SIZE_MAX:
        raise NotationError(f"{path}: expected a saved match of at most {SIZE_MAX} bytes, got more")
    try:
        saved = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{path}: expected a saved match, got no JSON: {error}") from None
    if not isinstance(saved, dict) or saved.get("type") != KIND:
        raise NotationError(f"{path}: expected a saved match, with {KIND!r} as type")
    seats, match, tally = saved.get("seats"), saved.get("match"), saved.get("tally", {})
    if not _are_names(seats) or not isinstance(match, dict) or not isinstance(tally, dict):
        raise NotationError(f"{path}: expected seats (names), match and tally in a saved match")
    return Saved(tuple(seats), match, tally)


def _are_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def free_path(folder: Path) -> Path:
    """A file name that is not taken yet, for a match that nobody has named."""
    path, number = folder / f"{DEFAULT_NAME}.json", 1
    while path.exists():
        number += 1
        path = folder / f"{DEFAULT_NAME}-{number}.json"
    return path
