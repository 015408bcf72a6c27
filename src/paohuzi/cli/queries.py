"""The commands `solve`, `waits` and `divisions`."""

from __future__ import annotations

import sys
from itertools import islice

import click

from ..notation import Query
from ..rules import Rules
from .answer_lines import solve_lines, wait_lines
from .options import json_option, rules_option, source_option
from .query_lines import answer_all, one_by_one

__all__ = ["divisions", "solve", "waits"]


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
        answer_all(queries, lambda lines: solve_lines(lines, rules, sys.stdout))
    else:
        from .render import print_solution

        answer_all(
            queries, lambda lines: one_by_one(lines, lambda line: print_solution(Query.parse(line), rules))
        )


@click.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...|-")
@source_option
@click.option("--score", "with_score", is_flag=True, help="Also tell what each wait pays under the rules.")
@rules_option
@json_option
def waits(queries: tuple[str, ...], source: str, with_score: bool, rules: Rules, as_json: bool) -> None:
    """The faces that complete each QUERY, or each line of standard input with `-`.

    The hand is one tile short. Listed are the faces whose win reaches the minimum xi, with the xi of the best
    win and the copies left, that is, not visible in the query; with --score also what each pays, and the
    groups of the division that pays most. With --json one object a query: query, waits as {"7s": {"xi": 22,
    "left": 2}}, with --score also payment, base, fan and fans as of `score`, and error. A bad line gets its
    error, the rest go on; the exit code is then 1. Blank lines are left out.

    \b
    Examples:
      paohuzi waits "34577s 34599b | ti:0000b; wei:222s; chi:123b"
      paohuzi waits --source other --json "34577s 34599b | ti:0000b; wei:222s; chi:123b"
      paohuzi waits --score --rules qq-full "34577s 34599b | ti:0000b; wei:222s; chi:123b"
      paohuzi waits --set wang=4 --json - < hands.txt
    """
    if as_json:
        answer_all(queries, lambda lines: wait_lines(lines, source, rules, sys.stdout, with_score))
        return
    from .render import print_wait_scores, print_waits

    answer = print_wait_scores if with_score else print_waits
    answer_all(
        queries, lambda lines: one_by_one(lines, lambda line: answer(Query.parse(line), source, rules))
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
