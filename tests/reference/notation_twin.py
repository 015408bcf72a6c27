"""Tiles, groups, queries and their notation, for the twins.

Tiles are the numbers 1-10 (small) and 11-20 (big); WANG is 21. Tiles held together are sorted tuples.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

SMALL = range(1, 11)
BIG = range(11, 21)
ALL_TILES = range(1, 21)
WANG = 21

Tiles = tuple[int, ...]
Marks = tuple[bool, ...]


def is_big(tile: int) -> bool:
    return tile > 10


def rank(tile: int) -> int:
    return (tile - 1) % 10 + 1


def is_red(tile: int) -> bool:
    return rank(tile) in (2, 7, 10)


class Group(NamedTuple):
    """Tiles laid out together; `wang` marks which of the faces are wangs standing for them."""

    kind: str
    faces: Tiles
    wang: Marks


@dataclass(frozen=True)
class Query:
    """Concealed tiles (without wangs), how many wangs, exposed groups, the winning tile and its source."""

    tiles: Tiles
    wangs: int = 0
    exposed: tuple[Group, ...] = ()
    win: int | None = None
    source: str | None = None


def tile_name(tile: int) -> str:
    return "W" if tile == WANG else f"{rank(tile) % 10}{'b' if is_big(tile) else 's'}"


def parse_tiles(text: str) -> Tiles:
    tiles: list[int] = []
    for digits, suffix in re.findall(r"(\d+)([sb])", text):
        tiles += [(int(digit) or 10) + (10 if suffix == "b" else 0) for digit in digits]
    return tuple(sorted(tiles)) + (WANG,) * text.count("W")


def parse_group(text: str) -> Group:
    kind, tiles = text.strip().split(":")
    faces = parse_tiles(tiles)
    return Group(kind, faces, (False,) * len(faces))


def parse_query(text: str) -> Query:
    text, _, win_part = text.partition("+")
    hand, _, exposed = text.partition("|")
    win, _, source = win_part.strip().partition("@")
    tiles = parse_tiles(hand)
    return Query(
        tuple(tile for tile in tiles if tile != WANG),
        tiles.count(WANG),
        tuple(parse_group(part) for part in exposed.split(";") if part.strip()),
        parse_tiles(win)[0] if win else None,
        source or None,
    )


def format_group(group: Group) -> str:
    text = ""
    for suffix, case in (("s", SMALL), ("b", BIG)):
        shown = [
            f"({rank(face) % 10})" if is_wang else f"{rank(face) % 10}"
            for face, is_wang in zip(group.faces, group.wang, strict=True)
            if face in case
        ]
        if shown:
            text += "".join(shown) + suffix
    return f"{group.kind}:{text}"


def format_groups(groups: tuple[Group, ...]) -> tuple[str, ...]:
    return tuple(format_group(group) for group in groups)
