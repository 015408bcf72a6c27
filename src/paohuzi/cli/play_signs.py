"""Tiles, groups, seats and choices as texts at the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from ..actions import Action
from ..groups import CHINESE_KINDS, Group
from ..rules import Rules
from ..tiles import TILES, Tile
from ..words import Words
from .render import FAINT, RED

__all__ = ["HIDDEN", "Company", "choice_text", "group_text", "rules_name", "said", "tile_text", "tiles_text"]

HIDDEN = "▒"  # a tile that lies face down


@dataclass(frozen=True, slots=True)
class Company:
    """Who sits where, as one of them says it. names: by seat. seat: whose table it is. say: the language."""

    names: tuple[str, ...]
    seat: int
    say: Words

    def place(self, seat: int) -> str:
        """Where a seat is from here, as next or 下家."""
        steps = (seat - self.seat) % len(self.names)
        if steps == 0:
            return self.say("you")
        key = {1: "seat_next", len(self.names) - 1: "seat_previous"}.get(steps, "seat_opposite")
        return self.say(key)

    def who(self, seat: int) -> str:
        """The place with who plays there."""
        return self.place(seat) if seat == self.seat else f"{self.place(seat)} {self.names[seat]}"


def rules_name(rules: Rules, say: Words) -> str:
    """What the rules are called in the language."""
    return say.choose(rules.name, rules.chinese or rules.name)


def tile_text(tile: Tile | None) -> Text:
    """The character of a tile, red as the tile is; of an unknown one its back."""
    if tile is None:
        return Text(HIDDEN, FAINT)
    return Text(tile.chinese, RED if tile.is_red else "bold")


def tiles_text(tiles: Iterable[Tile | None], between: str = "") -> Text:
    """Characters of several tiles."""
    return Text(between).join(map(tile_text, tiles))


def group_text(group: Group | None) -> Text:
    """A group with its kind in front; None is a hidden wei (偎)."""
    if group is None:
        return Text.assemble((CHINESE_KINDS["wei"], FAINT), tiles_text([None] * 3))
    return Text.assemble((CHINESE_KINDS[group.kind], FAINT), tiles_text(_tiles_of(group)))


def said(text: str, *tiles: Tile | None) -> Text:
    """A text in which the characters of these tiles have their colour."""
    line = Text(text)
    for tile in tiles:
        if tile is not None:
            line.highlight_words([tile.chinese], RED if tile.is_red else "bold")
    return line


def choice_text(action: Action, pending: Tile | None, say: Words) -> Text:
    """A choice in words; pending: the tile that may be taken."""
    if action.kind == "peng":
        return _with_tiles(say("choice_peng", tiles=""), [pending] * 3)
    if action.kind == "discard":
        return Text(" ").join((tile_text(action.tile), Text(str(action.tile), FAINT)))
    if action.chi is None:
        return Text(say(f"choice_{action.kind}"))
    text = _with_tiles(say("choice_chi", tiles=""), _tiles_of(action.chi))
    for place, group in enumerate(action.bi):
        text.append_text(_with_tiles(" + " if place else say("choice_bi", tiles=""), _tiles_of(group)))
    return text


def _with_tiles(text: str, tiles: Iterable[Tile | None]) -> Text:
    return Text.assemble(text, tiles_text(tiles))


def _tiles_of(group: Group) -> list[Tile]:
    return [TILES[face] for face in group.faces]
