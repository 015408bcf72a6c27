"""Answers as lines of JSON, many queries at a time."""

from __future__ import annotations

from functools import lru_cache
from json.encoder import encode_basestring
from typing import TextIO

from .. import batch
from .._native import ROUTES
from ..columns import NO_WIN
from ..groups import Group
from ..notation import Query
from ..rules import Rules
from ..scoring import score
from ..solver import Solution, waits
from ..tiles import COPY_COUNT, TILES, WANG
from .score_lines import fan_items, number_text

__all__ = ["division_line", "solve_lines", "wait_lines"]


def solve_lines(lines: list[str], rules: Rules, out: TextIO) -> int:
    """Write the best division of each line's query; returns how many lines were bad."""
    queries = batch.queries(lines, keep_errors=True)
    solved = batch.solve(queries, rules=rules, divisions=True)
    assert solved.route is not None
    assert solved.groups is not None
    columns = (solved.status, solved.xi, solved.hu, solved.route, solved.groups)
    rows = zip(lines, *(column.tolist() for column in columns), strict=True)
    bad = 0
    for row, (line, status, xi, hu, route, groups) in enumerate(rows):
        out.write(f'{{"query": {encode_basestring(line)}, ')
        if status:
            bad += 1
            error = encode_basestring(solved.error(row) or "")
            out.write(f'"hu": null, "xi": null, "groups": null, "route": null, "error": {error}}}\n')
        elif xi < 0:
            out.write('"hu": false, "xi": null, "groups": null, "route": null, "error": null}\n')
        else:
            out.write(f'{_division_items(hu, xi, groups, ROUTES[route])}, "error": null}}\n')
    return bad


def wait_lines(lines: list[str], source: str, rules: Rules, out: TextIO, with_score: bool = False) -> int:
    """Write the waits of each line's query; returns how many lines were bad."""
    scored_from = source if with_score else None
    parsed = [_parsed(line) for line in lines]
    queries = batch.queries(parsed, keep_errors=True)
    xi_by_row = batch.wait_xi(queries, source=source, rules=rules).tolist()
    is_asked = ((queries.win == NO_WIN) & (batch.missing_tiles(queries) == 1)).tolist()
    bad = 0
    for row, (line, query, xi_by_face) in enumerate(zip(lines, parsed, xi_by_row, strict=True)):
        out.write(f'{{"query": {encode_basestring(line)}, ')
        if is_asked[row] and isinstance(query, Query):
            items = _wait_items(query, xi_by_face, rules, scored_from)
            out.write(f'"waits": {{{items}}}, "error": null}}\n')
        else:
            bad += 1
            error = queries.errors.get(row) or _refusal(query, source, rules)
            out.write(f'"waits": null, "error": {encode_basestring(error)}}}\n')
    return bad


def division_line(division: Solution) -> str:
    """One division as a JSON object."""
    natives = [group.native for group in division.groups]
    return f"{{{_division_items(division.hu, division.xi, natives, division.route)}}}"


def _division_items(hu: bool, xi: int | None, groups: list[int], route: str | None) -> str:
    texts = ", ".join([_quoted_group(native) for native in groups if native])
    return f'"hu": {"true" if hu else "false"}, "xi": {xi}, "groups": [{texts}], "route": "{route}"'


@lru_cache(maxsize=4096)
def _quoted_group(native: int) -> str:
    return f'"{Group.from_native(native)}"'


def _parsed(line: str) -> Query | str:
    """The query, or the line itself where it is none."""
    try:
        return Query.parse(line)
    except ValueError:
        return line


def _wait_items(query: Query, xi_by_face: list[int], rules: Rules, scored_from: str | None) -> str:
    """The waits of a query; with a source also what each pays from there."""
    return ", ".join(
        f'"{TILES[face]}": {{"xi": {xi}, "left": {copies_left(query, face, rules)}'
        f"{_payment_items(query, face, rules, scored_from) if scored_from else ''}}}"
        for face, xi in enumerate(xi_by_face)
        if xi >= max(rules.min_xi, 0)
    )


def _payment_items(query: Query, face: int, rules: Rules, source: str) -> str:
    found = score(Query(query.hand, query.exposed, TILES[face], source), rules)
    return f', "payment": {number_text(found.payment)}, "base": {number_text(found.base)}, {fan_items(found)}'


def copies_left(query: Query, face: int, rules: Rules) -> int:
    """How many copies of a face are not visible in the query."""
    return (rules.wang if face == WANG else COPY_COUNT) - query.visible[face]


def _refusal(query: Query | str, source: str, rules: Rules) -> str:
    """Why a query has no waits to be asked for."""
    try:
        waits(query, source, rules)
    except ValueError as error:
        return str(error)
    return "no waits"
