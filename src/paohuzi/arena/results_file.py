"""Results kept in a file, so that an arena that was ended can go on: JSON Lines, one line a set.

The first line says which arena it is. Each line is written in one piece; a last one that is torn is dropped.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import Any

from ..deals import checked_seed
from .contest import ArenaError, Contest
from .sets import SetResult

__all__ = ["ResultsFile", "header_of", "stored_seed"]

KIND = "paohuzi arena"
VERSION = 1
SHOWN = 60  # characters of what is wrong
NUMBER_MAX = 1 << 53  # up to which every whole number is a float too
BY_PLAYER = ("points", "wins", "dealt_in", "decisions")


def header_of(contest: Contest) -> dict[str, Any]:
    """The first line: what must be the same for going on."""
    return {
        "type": KIND,
        "version": VERSION,
        "paohuzi": version("paohuzi"),
        "bots": list(contest.names),
        "players": [player.label for player in contest.players],
        "seatings": [list(seats) for seats in contest.seatings],
        "rules": contest.rules.name,
        "hash": contest.rules.hash,
        "seed": contest.seed,
    }


def stored_seed(path: Path) -> int | None:
    """The seed of the arena in a file; None where none has begun there. Raises ArenaError, OSError."""
    if not path.exists():
        return None
    _check_file(path)
    with path.open("rb") as file:
        header = _header(path, file.readline())
    return None if header is None else _seed(path, header)


def _check_file(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ArenaError(f"{path}: expected a file to keep results in, got a device or a folder")


def _header(path: Path, line: bytes) -> dict[str, Any] | None:
    """What the first line says; None if it is not whole."""
    if not line.endswith(b"\n"):
        if line and not line.startswith(_BEGINNING[: len(line)]):
            raise ArenaError(f"{path}: expected results of an arena, got another file")
        return None
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("type") != KIND:
        raise ArenaError(f"{path}, line 1: expected results of an arena, with {KIND!r} as type")
    return header


_BEGINNING = json.dumps({"type": KIND}).encode()[:-1]


def _seed(path: Path, header: dict[str, Any]) -> int:
    try:
        return checked_seed(header.get("seed", -1))
    except ValueError as error:
        raise ArenaError(f"{path}, line 1: {error}") from None


class ResultsFile:
    """A file of results, locked for one arena at a time.

    resume: go on behind what is there, `stored`; else the file must be new. Raises ArenaError, OSError.
    """

    def __init__(self, path: Path, contest: Contest, *, resume: bool) -> None:
        self.path = path
        self.stored: list[SetResult] = []
        """The sets of an earlier run."""
        self.dropped = 0
        """How many bytes of a torn line were removed."""
        self._contest = contest
        _check_file(path)
        self._file = path.open("a+b", buffering=0)
        try:
            self._lock()
            self._begin(contest, resume)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ArenaError(f"{self.path}: another arena is writing it") from None

    def _begin(self, contest: Contest, resume: bool) -> None:
        self._file.seek(0)
        text = self._file.read()
        lines = text.splitlines(keepends=True)
        header = _header(self.path, lines[0]) if lines else None
        if not resume:
            if len(lines) > 1:
                raise ArenaError(
                    f"{self.path}: has results already; go on with --resume, or name another file"
                )
            lines, header = [], None
        if header is not None:
            self._compare(header, header_of(contest))
            self._read(lines)
        kept = sum(map(len, lines[: len(self.stored) + 1])) if header is not None else 0
        self.dropped = len(text) - kept if resume else 0
        self._file.truncate(kept)
        if header is None:
            self._append(header_of(contest))

    def _compare(self, before: dict[str, Any], now: dict[str, Any]) -> None:
        changed = [name for name in now if before.get(name) != now[name]]
        if changed:
            what = "; ".join(f"{name} was {before.get(name)}, is {now[name]}" for name in changed)
            raise ArenaError(f"{self.path}: holds another arena: {what}")

    def _read(self, lines: list[bytes]) -> None:
        """Keep the sets of all lines but a last one that is torn."""
        for number, line in enumerate(lines[1:]):
            if line is lines[-1] and not line.endswith(b"\n"):
                return
            try:
                self.stored.append(_read_set(line, number, self._contest))
            except ValueError as error:
                expected = f"expected set {number} of {len(self._contest.players)} players"
                raise ArenaError(f"{self.path}, line {number + 2}: {expected}, {error}") from None

    def write(self, result: SetResult) -> None:
        """Append a set. Raises OSError."""
        self._append(result.to_dict())

    def _append(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n"
        start = os.fstat(self._file.fileno()).st_size
        try:
            if self._file.write(line) < len(line):
                raise OSError(f"{self.path}: no room for another line")
        except BaseException:
            self._file.truncate(start)  # what is added later begins a line of its own
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Make sure that all is on the disk, and unlock the file. Raises OSError."""
        with self._file:
            os.fsync(self._file.fileno())


def _read_set(line: bytes, number: int, contest: Contest) -> SetResult:
    """The set of a line. Raises ValueError saying what is wrong with it: somebody may have edited it."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict):
        raise ValueError(f"a JSON object, got {line[:SHOWN].decode(errors='replace').rstrip()!r}")
    for is_right, name, what in _demands(entry, number, contest):
        if not is_right:
            raise ValueError(f"with {what} as {name}, got {str(entry.get(name))[:SHOWN]}")
    return SetResult.from_dict(entry)


def _demands(entry: dict[str, Any], number: int, contest: Contest) -> Iterator[tuple[bool, str, str]]:
    """Whether a field is right, its name, and what it should be; each for a line that met those before."""
    players, hands = len(contest.players), len(contest.seatings)
    yield _is_number(entry.get("set")) and entry["set"] == number, "set", str(number)
    for name in BY_PLAYER:
        yield _are_numbers(entry.get(name), players), name, f"{players} whole numbers"
    for name in BY_PLAYER[1:]:
        yield min(entry[name]) >= 0, name, "numbers from 0 up"
    won = sum(entry["wins"])
    yield sum(entry["points"]) == 0, "points", "numbers that add up to 0"
    yield won <= hands, "wins", f"at most {hands} hands"
    yield _is_number(entry.get("drawn")) and entry["drawn"] == hands - won, "drawn", str(hands - won)
    most = won if contest.rules.discards_win else 0
    yield sum(entry["dealt_in"]) <= most, "dealt_in", f"at most {most} hands"
    yield _are_times(entry.get("seconds"), players), "seconds", f"{players} times"


def _is_number(value: object) -> bool:
    return type(value) is int and abs(value) <= NUMBER_MAX


def _are_numbers(value: object, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(map(_is_number, value))


def _are_times(value: object, count: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == count
        and all(_is_number(each) or (type(each) is float and isfinite(each)) for each in value)
        and min(value) >= 0
    )
