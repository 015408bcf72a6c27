"""Answers for a person: Chinese beside the notation; red tiles are red on a terminal, plain elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..groups import CHINESE_KINDS, Group
from ..notation import CHINESE_SOURCES, Query
from ..rules import Rules
from ..scoring.explanation import misfit
from ..solver import Solution, solve, waits
from ..tiles import TILES
from ..words import Words
from .answer_lines import copies_left

__all__ = ["console", "print_divisions", "print_solution", "print_waits"]

RED = "bold red"
FAINT = "dim"
ENGLISH = Words("en")
CHINESE_ROUTES = {"dealt": "整手", "single": "单张", "wei": "偎", "ti": "提", "wang": "王", "pao": "跑"}


@lru_cache(maxsize=1)
def console() -> Console:
    """The terminal, or whatever standard output is."""
    return Console(highlight=False, soft_wrap=True)


def print_solution(query: Query, rules: Rules) -> None:
    """The best division of a query, a group on a line."""
    solution = solve(query, rules)
    console().print(_query_text(query), _verdict(query, solution, rules), sep="\n")
    if solution.groups:
        table = Table.grid(padding=(0, 2))
        for group in solution.groups:
            kind = f"  {CHINESE_KINDS[group.kind]} {group.kind}"
            table.add_row(kind, _group_text(group), Text(str(group), FAINT), f"{group.xi(rules.xi):>2}")
        console().print(table)
    console().print()


def print_waits(query: Query, source: str, rules: Rules) -> None:
    """The waits of a query with xi, copies left and the groups of each win."""
    found = waits(query, source, rules)
    console().print(_query_text(query))
    if not found:
        console().print(f"no waits (不听): no tile from {source} reaches {rules.min_xi} xi")
    for tile, solution in found.items():
        left = copies_left(query, tile.face, rules)
        text = f" {tile!s:2}  {solution.xi:>3} xi  {left} left  "
        console().print(Text.assemble("  ", _tile_text(tile.face), text, (str(solution), FAINT)))
    console().print()


def print_divisions(query: Query, found: Iterable[Solution]) -> None:
    """Every division on a line, as they come."""
    console().print(_query_text(query))
    count = 0
    for count, division in enumerate(found, 1):
        groups = Text("  ").join(_group_text(group) for group in division.groups)
        console().print(
            Text.assemble(f"{count:>4}  {division.xi:>3} xi  ", groups, "  ", (str(division), FAINT))
        )
    if not count:
        console().print("no division (不成牌)")


def _verdict(query: Query, solution: Solution, rules: Rules) -> Text:
    if solution.xi is None:
        return Text(f"不胡 no hu: no division (不成牌){misfit(query, rules, ENGLISH)}", "yellow")
    xi = f"{solution.xi} xi (胡息), route {solution.route} ({CHINESE_ROUTES[solution.route or 'dealt']})"
    if solution.hu:
        return Text(f"胡 hu: {xi}", "bold green")
    why = f"{rules.min_xi} needed" if solution.xi < rules.min_xi else "not on a discard"
    return Text(f"不胡 no hu: {xi}, {why}", "yellow")


def _query_text(query: Query) -> Text:
    """The query in notation and in characters."""
    text = Text.assemble((str(query), "bold"), "  ")
    for face, count in enumerate(query.hand.counts):
        text.append_text(_tile_text(face, count))
    for group in query.exposed:
        text.append_text(Text.assemble("  ", CHINESE_KINDS[group.kind], ":", _group_text(group)))
    if query.win is not None and query.source is not None:
        text.append_text(
            Text.assemble("  + ", _tile_text(query.win.face), f" {CHINESE_SOURCES[query.source]}")
        )
    return text


def _group_text(group: Group) -> Text:
    """The characters of a group's tiles, wangs in parentheses."""
    text = Text()
    for face, is_wang in zip(group.faces, group.wang, strict=True):
        tile = _tile_text(face)
        text.append_text(Text.assemble("(", tile, ")") if is_wang else tile)
    return text


def _tile_text(face: int, count: int = 1) -> Text:
    tile = TILES[face]
    return Text(tile.chinese * count, RED if tile.is_red else "")
