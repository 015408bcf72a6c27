"""The commands `solve`, `waits` and `divisions`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import BinaryIO

import click

from ..notation import Query
from ..rules import Rules
from .answer_lines import solve_lines, wait_lines
from .options import fail, json_option, rules_option, source_option

__all__ = ["divisions", "solve", "waits"]

BAD_LINES = 1  # exit code
BLOCK_SIZE = 1 << 18  # bytes of standard input that are answered at once; less when no more is there yet
BLANKS = " \t\r\f\v\ufeff"  # a byte order mark stands at the start of some files
LINE_BLOCKS_MAX = 64
Answer = Callable[[list[str]], int]  # prints the answers to some lines, returns how many were bad


@click.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...|-")
@rules_option
@json_option
def solve(queries: tuple[str, ...], rules: Rules, as_json: bool) -> None:
    """The best division of each QUERY, or of each line of standard input with `-`.

    A query is the concealed tiles, | the exposed groups, + the winning tile @ its source (self, other,
    discard). Chinese characters do as well. With --json one object a query: query, hu (whether it wins), xi
    (null without a division), groups, route, error. A bad line gets its error, the rest go on; the exit code
    is then 1. Blank lines are left out.

    \b
    Examples:
      paohuzi solve "122345678900s 122345670b"
      paohuzi solve --set min_xi=10 "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@other"
      paohuzi solve --json - < hands.txt > solved.ndjson
    """
    if as_json:
        _answer_all(queries, lambda lines: solve_lines(lines, rules, sys.stdout))
    else:
        from .render import print_solution

        _answer_all(queries, lambda lines: _one_by_one(lines, lambda query: print_solution(query, rules)))


@click.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...|-")
@source_option
@rules_option
@json_option
def waits(queries: tuple[str, ...], source: str, rules: Rules, as_json: bool) -> None:
    """The faces that complete each QUERY, or each line of standard input with `-`.

    The hand is one tile short. Listed are the faces whose win reaches the minimum xi, with the xi of the best
    win and the copies left, that is, not visible in the query. With --json one object a query: query, waits
    as {"7s": {"xi": 22, "left": 2}}, error. A bad line gets its error, the rest go on; the exit code is then
    1. Blank lines are left out.

    \b
    Examples:
      paohuzi waits "34577s 34599b | ti:0000b; wei:222s; chi:123b"
      paohuzi waits --source other --json "34577s 34599b | ti:0000b; wei:222s; chi:123b"
      paohuzi waits --set wang=4 --json - < hands.txt
    """
    if as_json:
        _answer_all(queries, lambda lines: wait_lines(lines, source, rules, sys.stdout))
    else:
        from .render import print_waits

        _answer_all(
            queries, lambda lines: _one_by_one(lines, lambda query: print_waits(query, source, rules))
        )


@click.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Print the best N only.")
@click.option("--count", is_flag=True, help="Print only how many there are.")
@rules_option
@json_option
def divisions(query: str, limit: int | None, count: bool, rules: Rules, as_json: bool) -> None:
    """Every division of QUERY, best first: by xi, then in a fixed order.

    \b
    Examples:
      paohuzi divisions "122345678900s 122345670b"
      paohuzi divisions --limit 3 "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
      paohuzi divisions --count "1223377880s 1112370b WWWW"
    """
    from ..solver import count_divisions
    from ..solver import divisions as divisions_of
    from .answer_lines import division_line
    from .render import print_divisions

    try:
        parsed = Query.parse(query)
        if count:
            click.echo(count_divisions(parsed, rules))
            return
        found = islice(divisions_of(parsed, rules), limit)
        if as_json:
            for division in found:
                click.echo(division_line(division))
        else:
            print_divisions(parsed, found)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _answer_all(queries: tuple[str, ...], answer: Answer) -> None:
    """Answer the arguments, or standard input block by block; exit with BAD_LINES if any was bad."""
    bad = 0
    for lines in _blocks(sys.stdin.buffer) if queries == ("-",) else [list(queries)]:
        bad += answer(lines)
        sys.stdout.flush()
    if bad:
        sys.exit(BAD_LINES)


def _blocks(stream: BinaryIO) -> Iterator[list[str]]:
    """The lines of a stream that are not blank, as many at a time as are there already."""
    started: list[bytes] = []  # the beginning of a line; no query is so long that all of it would matter
    read = getattr(stream, "read1", stream.read)
    while data := read(BLOCK_SIZE):
        whole, newline, rest = data.rpartition(b"\n")
        if newline:
            yield _lines(b"".join((*started, whole)))
            started.clear()
        if len(started) < LINE_BLOCKS_MAX:
            started.append(rest)
    yield _lines(b"".join(started))


def _lines(block: bytes) -> list[str]:
    texts = block.decode("utf-8", "replace").split("\n")
    return [line for text in texts if (line := text.strip(BLANKS))]


def _one_by_one(lines: list[str], answer: Callable[[Query], None]) -> int:
    """Answer each line for a person; a bad one goes to standard error."""
    bad = 0
    for line in lines:
        try:
            answer(Query.parse(line))
        except ValueError as error:
            bad += 1
            sys.stdout.flush()
            fail(str(error))
    return bad
