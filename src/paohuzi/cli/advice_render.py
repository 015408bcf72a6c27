"""Advice for a person: the table of discards, and the tiles that help."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from ..advice import Discard, reasons
from ..distance import Taking
from ..notation import CHINESE_SOURCES, SOURCES, Query
from ..tiles import Tile
from .render import FAINT, console, query_text, tile_text

__all__ = ["print_discards", "print_takings"]

HEADINGS = ("discard", "distance", "left", "pays", "mean", "", "chi", "peng", "pao", "improving")
FAMILIAR, NEW = "熟", "生"


def print_discards(query: Query, rows: list[Discard]) -> None:
    """The table, the advised tile first, and why."""
    table = Table(*HEADINGS, box=None, padding=(0, 2, 0, 0), header_style=FAINT)
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
    console().print(query_text(query), table, reasons(rows), sep="\n")


def print_takings(query: Query, found: dict[tuple[Tile, str], Taking], steps: int | None) -> None:
    """The distance, and what brings it down by source."""
    console().print(query_text(query), f"distance {steps_text(steps)}", sep="\n")
    for source in SOURCES:
        table = Table.grid(padding=(0, 2))
        for (tile, origin), taking in found.items():
            if origin == source:
                table.add_row(
                    Text.assemble("  ", tile_text(tile.face), f" {tile}"),
                    str(taking),
                    f"to {steps_text(taking.distance)}",
                )
        if table.row_count:
            console().print(f"{source} ({CHINESE_SOURCES[source]})", table, sep="\n")


def steps_text(steps: int | None) -> str:
    """A distance in words."""
    if steps is None:
        return "no win"
    return {-1: "-1 hu (胡)", 0: "0 ready (听)"}.get(steps, str(steps))
