"""Faces, tiles and the reading of tile texts (docs/rules.md 1 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import index
from typing import Any

__all__ = ["FACE_COUNT", "RANK_COUNT", "TILES", "WANG", "WANG_MAX", "IllegalHand", "NotationError", "Tile"]

RANK_COUNT = 10
FACE_COUNT = 20
WANG = 20  # the face of a wang, and its index in every axis of 21
COPY_COUNT = 4
WANG_MAX = 4

SMALL_CHARACTERS = "一二三四五六七八九十"
BIG_CHARACTERS = "壹贰叁肆伍陆柒捌玖拾"
CHARACTERS = SMALL_CHARACTERS + BIG_CHARACTERS + "王"
DIGITS = "1234567890"
TILE_TEXTS = (*(digit + "s" for digit in DIGITS), *(digit + "b" for digit in DIGITS), "W")

_RANKS = {digit: rank for rank, digit in enumerate(DIGITS)}
CASES = {"s": 0, "S": 0, "b": RANK_COUNT, "B": RANK_COUNT}
_OTHER_CHARACTERS = {"貳": 11, "參": 12, "叄": 12, "参": 12, "陸": 15, "W": WANG, "w": WANG}
CHARACTER_FACES = {character: face for face, character in enumerate(CHARACTERS)} | _OTHER_CHARACTERS
# Full-width forms stand for ASCII one to one, so a place in the text stays the same place.
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: ord(" ")}
_FULL_WIDTH_SIGNS = frozenset(map(chr, _FULL_WIDTH))
_SHOWN_PART = 40  # characters of a wrong text in an error
_SHOWN_TEXT = 160


class NotationError(ValueError):
    """A text that is not in the notation of docs/rules.md 6."""


class IllegalHand(ValueError):
    """Tiles that no player can hold: too many copies of a face, too many tiles, no such group."""


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Tile:
    """A tile by its face: 0-9 small 1-10, 10-19 big 1-10, 20 wang. See docs/rules.md 1.

    >>> Tile.parse("7b").face, Tile(9).chinese, str(Tile(20))
    (16, '十', 'W')
    """

    face: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "face", index(self.face))
        if self.face not in _TILE_FACES:
            raise IllegalHand(f"expected a face from 0 to 20, got {self.face!r}")

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read one tile, as "1s", "0b", "W" or "柒". Raises NotationError. See docs/rules.md 6.

        >>> Tile.parse("柒")
        Tile.parse('7b')
        """
        plain = plain_text(text)
        return TILES[scan_tile(plain, 0, len(plain))]

    @property
    def rank(self) -> int:
        """The rank, 1 to 10; 0 for a wang."""
        return self.face % RANK_COUNT + 1 if self.face < WANG else 0

    @property
    def is_big(self) -> bool:
        """Whether it is one of the big tiles (大字)."""
        return RANK_COUNT <= self.face < WANG

    @property
    def is_red(self) -> bool:
        """Whether it is red (红字): rank 2, 7 or 10."""
        return self.rank in (2, 7, 10)

    @property
    def is_wang(self) -> bool:
        """Whether it is a wang (王)."""
        return self.face == WANG

    @property
    def chinese(self) -> str:
        """The Chinese character, as 一, 壹 or 王."""
        return CHARACTERS[self.face]

    def __str__(self) -> str:
        return TILE_TEXTS[self.face]

    def __repr__(self) -> str:
        return f"Tile.parse('{self}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return Tile, (self.face,)


_TILE_FACES = range(FACE_COUNT + 1)
TILES = tuple(map(Tile, _TILE_FACES))


def plain_text(text: str) -> str:
    """The text with ASCII punctuation, letters and digits in place of the full-width ones."""
    if not isinstance(text, str):
        raise TypeError(f"expected a text, got {type(text).__name__}")
    # Looking first is several times faster than translate on Chinese characters.
    return text if text.isascii() or _FULL_WIDTH_SIGNS.isdisjoint(text) else text.translate(_FULL_WIDTH)


def expected(what: str, text: str, place: int, stop: int | None = None) -> NotationError:
    """The error for a text that has something else than `what` at index `place` (to `stop`)."""
    stop = len(text) if stop is None else stop
    while place < stop and text[place].isspace():
        place += 1
    found = text[place : min(max(stop, place + 1), place + _SHOWN_PART)].rstrip()
    whole = text if len(text) <= _SHOWN_TEXT else text[:_SHOWN_TEXT] + "..."
    what_came = repr(found) if found else "nothing more"
    return NotationError(f"expected {what}, found {what_came} at character {place + 1} of {whole!r}")


def scan_tile(text: str, start: int, stop: int) -> int:
    """The face of the only tile in text[start:stop]. Raises NotationError."""
    faces = list(scan_tiles(text, start, stop, in_group=False))
    if len(faces) != 1:
        raise expected("one tile, as 1s, 0b, W or 柒", text, start, stop)
    return faces[0][0]


def scan_tiles(text: str, start: int, stop: int, *, in_group: bool) -> Iterator[tuple[int, bool]]:
    """The tiles of text[start:stop] as (face, whether it stands in parentheses).

    Parentheses belong to groups, where a wang has no own sign; a wang of a hand is W or 王.
    Raises NotationError.
    """
    waiting: list[tuple[int, bool]] = []  # digits whose suffix is still to come
    wrong = WANG if in_group else -1  # the face that may not come
    opened = -1  # the place of an open parenthesis
    for place in range(start, stop):
        character = text[place]
        if character in _RANKS:
            waiting.append((_RANKS[character], opened >= 0))
        elif character in CASES and waiting and opened < 0:
            yield from ((rank + CASES[character], in_wang) for rank, in_wang in waiting)
            waiting.clear()
        elif (face := CHARACTER_FACES.get(character, wrong)) != wrong and not waiting:
            yield face, opened >= 0
        elif in_group and character == "(" and opened < 0:
            opened = place
        elif character == ")" and opened >= 0 and text[opened + 1 : place].strip():
            opened = -1
        elif not character.isspace():
            raise expected(_wanted(waiting, opened, in_group), text, place, place + 1)
    if waiting or opened >= 0:
        raise expected(_wanted(waiting, opened, in_group), text, stop, stop)


def _wanted(waiting: list[tuple[int, bool]], opened: int, in_group: bool) -> str:
    """What may stand at the present place of scan_tiles."""
    if opened >= 0:
        return "a digit or a Chinese character and ')' after '('"
    if waiting:
        digits = "".join(DIGITS[rank] for rank, _ in waiting[:_SHOWN_PART])
        return f"the suffix s (small, 小) or b (big, 大) after '{digits}'"
    if in_group:
        return "a tile as 1s, 0b or 柒, a wang (王) as the face it stands for in parentheses"
    return "a tile as 1s, 0b, W or 柒"


# A tally is an int with the count of face f in byte f: tallies add up, and one test of one int
# checks all faces.
TALLIES = tuple(1 << 8 * face for face in _TILE_FACES)
TALLY_BYTES = FACE_COUNT + 1
_TO_OVER = sum(TALLIES) * (0x80 - COPY_COUNT - 1)
_OVER = sum(TALLIES) * 0x80


def tally_of(faces: Iterable[int]) -> int:
    """The tally of some tiles, at most 255 of a face."""
    return sum(TALLIES[face] for face in faces)


def has_fifth_copy(tally: int) -> bool:
    """Whether a face, or the wang, is there more than four times (and at most 127 times)."""
    return (tally + _TO_OVER) & _OVER != 0


def tally_total(tally: int) -> int:
    """How many tiles it counts, at most 254."""
    return tally % 255  # 256 leaves 1, so a number leaves the sum of its bytes


def tally_counts(tally: int) -> tuple[int, ...]:
    """The counts by face, wang last."""
    return tuple(tally.to_bytes(TALLY_BYTES, "little"))
