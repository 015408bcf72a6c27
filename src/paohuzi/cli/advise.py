"""The command `advise`."""

from __future__ import annotations

import json

import click

from ..advice import Discard, discards, reasons
from ..distance import Taking, distance, improving, seen_tiles
from ..notation import Hand, Query
from ..rules import Rules
from ..tiles import Tile
from ..words import Words
from .options import json_option, lang_option, rules_option

__all__ = ["advise"]


@click.command()
@click.argument("query")
@click.option("--visible", default="", metavar="TILES", help="All tiles seen beside those of the query.")
@rules_option
@lang_option("advice")
@json_option
def advise(query: str, visible: str, rules: Rules, lang: str, as_json: bool) -> None:
    """What to discard from QUERY, or which tiles help it, and why.

    For a hand that is to discard a table: each tile with the distance after it (0 is ready), the tiles that
    bring the hand nearer with the copies left of them, best and expected payment, and what it gives others.
    For a hand that waits or is further away: the tiles that bring it nearer, and how each is taken. With
    --json one object: query, visible, distance, advice, reasons, discards or improving; the reasons are in
    the language of --lang.

    \b
    Examples:
      paohuzi advise "34577s 34599b 8s | ti:0000b; wei:222s; chi:123b"
      paohuzi advise --rules luzhou --visible "112s 5b" --lang zh "1123557789s 14467889000b"
      paohuzi advise --json "34577s 34599b | ti:0000b; wei:222s; chi:123b"
    """
    try:
        asked, seen = Query.parse(query), seen_tiles(visible)
        if _is_to_discard(asked):
            rows = discards(asked, seen, rules)
            if as_json:
                click.echo(_json_of_discards(asked, seen, rows, distance(asked, seen, rules), lang))
            else:
                _print_discards(asked, rows, Words(lang))
            return
        found = improving(asked, seen, rules)
        steps = distance(asked, seen, rules)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(_json_of_takings(asked, seen, found, steps))
    else:
        _print_takings(asked, found, steps, Words(lang))


def _is_to_discard(query: Query) -> bool:
    from .._native import missing_tiles

    has_free = any(0 < count < 3 for count in query.hand.counts[:20])
    return query.win is None and missing_tiles(query.key) <= 0 and has_free


def _json_of_discards(query: Query, seen: Hand, rows: list[Discard], steps: int | None, lang: str) -> str:
    answer = {
        "query": str(query),
        "visible": str(seen),
        "distance": steps,
        "advice": str(rows[0].tile),
        "reasons": reasons(rows, lang),
        "discards": [_row_object(row) for row in rows],
    }
    return json.dumps(answer, ensure_ascii=False)


def _row_object(row: Discard) -> dict[str, object]:
    risk = row.danger
    return {
        "tile": str(row.tile),
        "distance": row.distance,
        "ready": row.ready,
        "improving": {str(tile): list(sources) for tile, sources in row.faces.items()},
        "copies": row.copies,
        "best": row.best,
        "expected": None if row.expected is None else round(row.expected, 3),
        "danger": {name: getattr(risk, name) for name in ("familiar", "chi", "peng", "pao", "xi", "hu")},
    }


def _json_of_takings(
    query: Query, seen: Hand, found: dict[tuple[Tile, str], Taking], steps: int | None
) -> str:
    takings = [
        {
            "tile": str(tile),
            "source": source,
            "action": taking.action,
            "discard": None if taking.discard is None else str(taking.discard),
            "equal": [str(each) for each in taking.equal],
            "distance": taking.distance,
        }
        for (tile, source), taking in found.items()
    ]
    answer = {
        "query": str(query),
        "visible": str(seen),
        "distance": steps,
        "advice": None,
        "reasons": None,
        "improving": takings,
    }
    return json.dumps(answer, ensure_ascii=False)


def _print_discards(query: Query, rows: list[Discard], say: Words) -> None:
    from .advice_render import print_discards

    print_discards(query, rows, say)


def _print_takings(
    query: Query, found: dict[tuple[Tile, str], Taking], steps: int | None, say: Words
) -> None:
    from .advice_render import print_takings

    print_takings(query, found, steps, say)
