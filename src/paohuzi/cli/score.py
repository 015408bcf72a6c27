"""The command `score`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..notation import Query
from ..rules import Rules
from ..scoring import Context
from ..scoring import score as score_of
from ..words import Words
from .options import json_option, lang_option, rules_option
from .query_lines import answer_all, one_by_one
from .score_lines import context_of, read_line, score_lines

__all__ = ["score"]

Command = TypeVar("Command", bound=Callable[..., Any])
CONTEXT_HELP = {
    "last_tile": "Won on the wall's last tile (海底).",
    "shown_tile": "Won on the shown tile (亮张).",
    "dealer": "The winner deals (庄家).",
    "untouched": "The winner has never taken a tile in (听胡).",
    "first_discard": "Won on the dealer's discard that opens the hand (地胡).",
    "heaven": "Forced heaven (天胡); the hand need not be complete.",
}


def context_options(command: Command) -> Command:
    """A flag for each field of a context, arguments of the same names."""
    for name, text in reversed(CONTEXT_HELP.items()):
        command = click.option(f"--{name.replace('_', '-')}", name, is_flag=True, help=text)(command)
    return command


@click.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...|-")
@context_options
@rules_option
@lang_option("explanation")
@json_option
def score(queries: tuple[str, ...], rules: Rules, lang: str, as_json: bool, **told: bool) -> None:
    """What each QUERY pays under the rules and why, or each line of standard input with `-`.

    Of all divisions the one that pays most is told: groups with their xi, tun, fan, and what each loser pays.
    A line may also be an object {"query": ..., "context": {"last_tile": true}}, with the context keys
    last_tile, shown_tile, dealer, untouched, first_discard and heaven; they stand beside the flags here,
    which hold for all lines. With --json one object a query: query, payment (of each loser at stake 1, null
    if it is no win), base, tun, xi, fan (the total that multiplies), fans (id, name and value of each),
    groups, route, error. A bad line gets its error, the rest go on; the exit code is then 1. Blank lines are
    left out.

    \b
    Examples:
      paohuzi score --rules qq-full --last-tile "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
      paohuzi score --rules baiwang --set combine=product --lang zh "122345678900s 122345670b"
      paohuzi score --rules yongzhou --json - < hands.txt > scored.ndjson
    """
    context = Context(**told)
    if as_json:
        answer_all(queries, lambda lines: score_lines(lines, rules, context, sys.stdout))
        return
    from .render import print_score

    say = Words(lang)

    def answer(line: str) -> None:
        given = read_line(line)
        print_score(score_of(Query.parse(given["query"]), rules, context_of(given, context)), say)

    answer_all(queries, lambda lines: one_by_one(lines, answer))
