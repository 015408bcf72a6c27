"""The table as one seat sees it, drawn for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.console import Group as Rows
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..groups import CHINESE_KINDS, Group
from ..rules import Rules
from ..tiles import COPY_COUNT, TILES, WANG
from ..views import View
from .play_hand import columns_of
from .play_signs import Company, group_text, rules_name, said, tile_text, tiles_text
from .render import FAINT

__all__ = ["TableDrawing"]

SIDE_BY_SIDE = 64  # columns of a terminal from which two seats stand beside one another
WIDTH_MAX = 100
FRAME = 4  # columns that the frame of a seat takes
COLUMN_WIDTH = 4
KAN_COUNT = 3


class TableDrawing:
    """A renderable: the header, the other seats, what lies, and one's own hand in columns.

    number: of the hand, from 1. hands: how many the match has, None without end.
    """

    def __init__(self, view: View, company: Company, number: int, hands: int | None) -> None:
        self.view = view
        self.company = company
        self.say = company.say
        self.number = number
        self.hands = hands

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, WIDTH_MAX)
        yield self._header()
        place = self.view.playing.index(self.view.seat)
        after, before = (self.view.playing[(place + steps) % 3] for steps in (1, 2))
        if width < SIDE_BY_SIDE:
            yield from (self._panel(seat, self._seat_rows(seat), width) for seat in (before, after))
        else:  # the previous player on the left, the next one on the right, as they sit
            yield self._side_by_side([before, after], width, console, options)
        yield self._panel(self.view.seat, self._own_rows(width), width)

    def _header(self) -> Text:
        view, say = self.view, self.say
        number = (
            say("table_hand", number=self.number)
            if self.hands is None
            else say("table_hand_of", number=self.number, hands=self.hands)
        )
        parts = [rules_name(view.rules, say), number, say("table_wall", count=view.wall_count)]
        if view.shown is not None:
            parts.append(say("table_shown", tile=view.shown.chinese))
        parts += [
            say("table_sits_out", who=self.company.who(seat))
            for seat in range(view.rules.seats)
            if seat not in view.playing
        ]
        return said(" " + " · ".join(parts), view.shown)

    def _side_by_side(
        self, seats: list[int], width: int, console: Console, options: ConsoleOptions
    ) -> RenderableType:
        widths = (width // 2, width - width // 2)
        bodies = [Rows(*self._seat_rows(seat)) for seat in seats]
        inner = options.update_width(widths[0] - FRAME)
        height = max(len(console.render_lines(body, inner)) for body in bodies) + 2
        grid = Table.grid()
        for each in widths:
            grid.add_column(width=each)
        grid.add_row(
            *(
                self._panel(seat, [body], each, height)
                for seat, body, each in zip(seats, bodies, widths, strict=True)
            )
        )
        return grid

    def _panel(
        self, seat: int, rows: Iterable[RenderableType], width: int, height: int | None = None
    ) -> Panel:
        title = self.company.who(seat)
        if seat == self.view.dealer:
            title += f" ({self.say('table_dealer')})"
        return Panel(
            Rows(*rows),
            box=box.ROUNDED,
            title=f"{title} · {self.view.scores[seat]:+d}",
            title_align="left",
            width=width,
            height=height,
            border_style="bold" if seat == self.view.seat else FAINT,
        )

    def _seat_rows(self, seat: int) -> Iterator[Text]:
        """What is seen of another seat."""
        view = self.view
        held = self.say("table_held", count=view.hand_sizes[seat], xi=view.xi[seat])
        yield Text(held + self._extras(seat))
        yield from self._laid_out(seat)

    def _extras(self, seat: int) -> str:
        wangs = self.view.drawn_wangs[seat]
        skip = f" · {self.say('table_skip')}" if self.view.skips[seat] else ""
        return (f" · {'王' * wangs}" if wangs else "") + skip

    def _laid_out(self, seat: int) -> Iterator[Text]:
        groups = self.view.exposed[seat]
        nothing = Text(self.say("table_nothing"), FAINT)
        yield Text("  ").join(map(group_text, groups)) if groups else nothing
        yield Text.assemble((self.say("table_lying"), FAINT), tiles_text(self.view.lying[seat], " "))

    def _own_rows(self, width: int) -> Iterator[RenderableType]:
        view = self.view
        kans = sum(_kan_xi(face, count, view.rules) for face, count in enumerate(view.hand.counts[:WANG]))
        told = self.say("table_own", xi=view.xi[view.seat], kans=kans)
        yield Text(told + self._extras(view.seat))
        yield from self._laid_out(view.seat)
        yield from self._dead_lines()
        columns = columns_of(view.hand)
        per_row = max(1, (width - FRAME) // COLUMN_WIDTH)
        for start in range(0, len(columns), per_row):
            yield Text()
            yield _drawn(columns[start : start + per_row])

    def _dead_lines(self) -> Iterator[Text]:
        """The faces of the own hand and others that may no longer be taken."""
        view = self.view
        chi, peng = set(view.dead_for_chi), set(view.dead_for_peng)
        parts = [
            self.say(key, tiles="".join(tile.chinese for tile in sorted(tiles)))
            for key, tiles in (
                ("dead_both", chi & peng),
                ("dead_chi", chi - peng),
                ("dead_peng", peng - chi),
                ("dead_hu", set(view.dead_for_hu)),
            )
            if tiles
        ]
        if parts:
            yield Text(self.say("dead_tiles", tiles=self.say.listed(parts)), FAINT)


def _kan_xi(face: int, count: int, rules: Rules) -> int:
    """What so many tiles of a face are worth as a kan (坎) or ti (提)."""
    kind = {KAN_COUNT: "kan", COPY_COUNT: "ti"}.get(count)
    return Group(kind, (face,) * count).xi(rules.xi) if kind else 0


def _drawn(columns: tuple[tuple[int, ...], ...]) -> Table:
    """Columns of tiles, with a sign above those that stay together."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for _ in columns:
        grid.add_column(no_wrap=True)
    heads = [_KAN_SIGNS.get(column.count(column[0]), "") for column in columns]
    if any(heads):
        grid.add_row(*(Text(head, FAINT) for head in heads))
    for row in range(max(map(len, columns))):
        grid.add_row(*(tile_text(TILES[column[row]]) if row < len(column) else Text() for column in columns))
    return grid


_KAN_SIGNS = {KAN_COUNT: CHINESE_KINDS["kan"], COPY_COUNT: CHINESE_KINDS["ti"]}
