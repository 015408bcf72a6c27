"""Advice for a person: the table of discards, and the tiles that help."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from ..actions import Action
from ..advice import Discard, reasons
from ..distance import Taking
from ..notation import CHINESE_SOURCES, SOURCES, Query
from ..tiles import TILES, Tile
from ..words import Words
from .render import FAINT, console, query_text, tile_text

__all__ = ["print_discards", "print_takings"]

COLUMNS = ("discard", "distance", "left", "pays", "mean", "", "chi", "peng", "pao", "improving")
FAMILIAR, NEW = "熟", "生"


def print_discards(query: Query, rows: list[Discard], say: Words) -> None:
    """The table, the advised tile first, and why."""
    headings = (say(f"advise_{column}") if column else "" for column in COLUMNS)
    table = Table(*headings, box=None, padding=(0, 2, 0, 0), header_style=FAINT)
    table.columns[-1].overflow = "fold"
    for row in rows:
        risk = row.danger
        best, expected = ("–", "–") if row.best is None else (str(row.best), f"{row.expected:.1f}")
        table.add_row(
            Text.assemble(tile_text(row.tile.face), f" {row.tile}"),
            {None: "–", 0: "0 听"}.get(row.distance, str(row.distance)),
            str(row.copies),
            best,
            expected,
            FAMILIAR if risk.familiar else NEW,
            *(str(ways or "–") for ways in (risk.chi, risk.peng, risk.pao)),
            Text.assemble(*(tile_text(each.face) for each in row.faces)),
        )
    console().print(query_text(query), table, reasons(rows, say.language), sep="\n")


def print_takings(query: Query, found: dict[tuple[Tile, str], Taking], steps: int | None, say: Words) -> None:
    """The distance, and what brings it down by source."""
    console().print(query_text(query), say("advise_far", steps=steps_text(steps, say)), sep="\n")
    if not found:
        console().print(say("advise_nothing"))
    for source in SOURCES:
        table = Table.grid(padding=(0, 2))
        for (tile, origin), taking in found.items():
            if origin == source:
                table.add_row(
                    Text.assemble("  ", tile_text(tile.face), f" {tile}"),
                    taking_text(taking, say),
                    say("advise_to", steps=steps_text(taking.distance, say)),
                )
        if table.row_count:
            heading = say("advise_from", english=source, source=CHINESE_SOURCES[source])
            console().print(heading, table, sep="\n")


def taking_text(taking: Taking, say: Words) -> str:
    """How a tile is taken, and the discard that follows."""
    kind = taking.action.partition(" ")[0]
    how = say(f"advise_take_{kind}", groups=groups_text(taking.action, say) if kind == "chi" else "")
    if taking.discard is None:
        return how
    text = say("advise_then", how=how, tile=tile_name(taking.discard, say))
    if not taking.equal:
        return text
    return text + say("advise_equal", tiles=" ".join(tile_name(each, say) for each in taking.equal))


def groups_text(action: str, say: Words) -> str:
    """The groups of a chi with its bi."""
    if say.language == "en":
        return action.partition(" ")[2]
    taken = Action.parse(action)
    names = [
        "".join(TILES[face].chinese for face in group.faces) for group in (taken.chi, *taken.bi) if group
    ]
    return "，比 ".join(names)


def tile_name(tile: Tile, say: Words) -> str:
    return say.choose(str(tile), tile.chinese)


def steps_text(steps: int | None, say: Words) -> str:
    """A distance in words."""
    key = {None: "none", -1: "hu", 0: "ready"}.get(steps)
    return str(steps) if key is None else say(f"advise_steps_{key}")
