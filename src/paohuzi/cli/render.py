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
from ..scoring import Score, wait_scores
from ..scoring.explanation import heading, misfit, sections
from ..solver import Solution, solve, waits
from ..tiles import TILES, Tile
from ..words import Words
from .answer_lines import copies_left

__all__ = [
    "console",
    "print_divisions",
    "print_score",
    "print_solution",
    "print_wait_scores",
    "print_waits",
    "query_text",
    "tile_text",
]

RED = "bold red"
FAINT = "dim"
WIN, NO_WIN = "bold green", "yellow"
RED_TILES = "[二七十贰柒拾]"
ENGLISH = Words("en")
CHINESE_ROUTES = {"dealt": "整手", "single": "单张", "wei": "偎", "ti": "提", "wang": "王", "pao": "跑"}


@lru_cache(maxsize=1)
def console() -> Console:
    """The terminal, or whatever standard output is."""
    return Console(highlight=False, soft_wrap=True)


def print_solution(query: Query, rules: Rules) -> None:
    """The best division of a query, a group on a line."""
    solution = solve(query, rules)
    console().print(query_text(query), _verdict(query, solution, rules), sep="\n")
    if solution.groups:
        table = Table.grid(padding=(0, 2))
        for group in solution.groups:
            kind = f"  {CHINESE_KINDS[group.kind]} {group.kind}"
            table.add_row(kind, _group_text(group), Text(str(group), FAINT), f"{group.xi(rules.xi):>2}")
        console().print(table)
    console().print()


def print_waits(query: Query, source: str, rules: Rules) -> None:
    """The waits of a query with xi, copies left and the groups of each win."""
    console().print(query_text(query))
    found = waits(query, source, rules)
    for tile, solution in found.items():
        _print_wait(query, tile, solution.xi, str(solution), rules)
    _end_waits(len(found), source, rules)


def print_wait_scores(query: Query, source: str, rules: Rules) -> None:
    """The waits of a query with xi, copies left, what each pays, and the groups that pay it."""
    console().print(query_text(query))
    best, scores = waits(query, source, rules), wait_scores(query, source, rules)
    for tile, found in scores.items():
        groups = "; ".join(map(str, found.groups))
        _print_wait(query, tile, best[tile].xi, f"{_payment_text(found)}  {groups}".rstrip(), rules)
    _end_waits(len(scores), source, rules)


def _print_wait(query: Query, tile: Tile, xi: int | None, rest: str, rules: Rules) -> None:
    text = f" {tile!s:2}  {xi:>3} xi  {copies_left(query, tile.face, rules)} left  "
    console().print(Text.assemble("  ", tile_text(tile.face), text, (rest, FAINT)))


def _payment_text(found: Score) -> str:
    if found.payment is None:
        return "pays nothing, not on a discard"
    fans = f" ({', '.join(map(str, found.fans))})" if found.fans else ""
    return f"pays {found.payment} = {found.base} tun x {found.fan} fan{fans}"


def _end_waits(count: int, source: str, rules: Rules) -> None:
    if not count:
        console().print(f"no waits (不听): no tile from {source} reaches {rules.min_xi} xi")
    console().print()


def print_score(found: Score, say: Words) -> None:
    """The reckoning of a score."""
    query, *others = heading(found, say)
    *told, verdict = others
    console().print(_with_red(query, "bold"), *told, Text(verdict, WIN if found.hu else NO_WIN), sep="\n")
    for place, section in enumerate(sections(found, say)):
        console().print(Text(section.title, "bold"))
        for line in section.lines:
            console().print(Text("  ").append_text(_with_red(line) if place == 0 else Text(line)))
    console().print()


def _with_red(line: str, style: str = "") -> Text:
    """A line in which the red tiles are red."""
    text = Text(line, style)
    text.highlight_regex(RED_TILES, RED)
    return text


def print_divisions(query: Query, found: Iterable[Solution]) -> None:
    """Every division on a line, as they come."""
    console().print(query_text(query))
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
        return Text(f"不胡 no hu: no division (不成牌){misfit(query, rules, ENGLISH)}", NO_WIN)
    xi = f"{solution.xi} xi (胡息), route {solution.route} ({CHINESE_ROUTES[solution.route or 'dealt']})"
    if solution.hu:
        return Text(f"胡 hu: {xi}", WIN)
    why = f"{rules.min_xi} needed" if solution.xi < rules.min_xi else "not on a discard"
    return Text(f"不胡 no hu: {xi}, {why}", NO_WIN)


def query_text(query: Query) -> Text:
    """The query in notation and in characters."""
    text = Text.assemble((str(query), "bold"), "  ")
    for face, count in enumerate(query.hand.counts):
        text.append_text(tile_text(face, count))
    for group in query.exposed:
        text.append_text(Text.assemble("  ", CHINESE_KINDS[group.kind], ":", _group_text(group)))
    if query.win is not None and query.source is not None:
        text.append_text(
            Text.assemble("  + ", tile_text(query.win.face), f" {CHINESE_SOURCES[query.source]}")
        )
    return text


def _group_text(group: Group) -> Text:
    """The characters of a group's tiles, wangs in parentheses."""
    text = Text()
    for face, is_wang in zip(group.faces, group.wang, strict=True):
        tile = tile_text(face)
        text.append_text(Text.assemble("(", tile, ")") if is_wang else tile)
    return text


def tile_text(face: int, count: int = 1) -> Text:
    """The character of a face, as often as told."""
    tile = TILES[face]
    return Text(tile.chinese * count, RED if tile.is_red else "")
