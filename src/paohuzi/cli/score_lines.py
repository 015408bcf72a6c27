"""Scores as lines of JSON, and what is asked for: a query, or a JSON object with a query and its context."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from json.encoder import encode_basestring
from typing import Any, TextIO

from .._native import CONTEXT
from ..notation import Query
from ..rules import Rules
from ..scoring import Context, FanCount, Score, score
from ..tiles import NotationError

__all__ = ["context_of", "fan_items", "number_text", "read_line", "score_lines"]

ASKED_KEYS = ("query", "context")
SHOWN_TEXT = 60
NO_ANSWER = ", ".join(f'"{key}": null' for key in ("payment", "base", "tun", "xi", "fan", "fans", "groups"))


def score_lines(lines: list[str], rules: Rules, context: Context, out: TextIO) -> int:
    """Write the score of each line's query; returns how many lines were bad."""
    bad = 0
    for line in lines:
        text = line
        try:
            given = read_line(line)
            text = given["query"]
            found = score(Query.parse(text), rules, context_of(given, context))
            answer = f'{_score_items(found)}, "error": null'
        except ValueError as error:
            bad += 1
            answer = f'{NO_ANSWER}, "route": null, "error": {encode_basestring(str(error))}'
        out.write(f'{{"query": {encode_basestring(text)}, {answer}}}\n')
    return bad


def read_line(line: str) -> dict[str, Any]:
    """The object of a line, with the text of a query in it. Raises NotationError."""
    if not line.lstrip().startswith("{"):
        return {"query": line}
    try:
        given: dict[str, Any] = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"expected a query or a JSON object, got {_shown(line)}: {error}") from None
    if not isinstance(given.get("query"), str):
        raise NotationError(f'expected an object with a text as "query", got {_shown(line)}')
    return given


def context_of(given: Mapping[str, Any], context: Context) -> Context:
    """The context of an object, told beside the one for all lines. Raises NotationError."""
    if len(given) == 1:
        return context
    _check_keys(given, ASKED_KEYS, "an object")
    told = given["context"]
    if not isinstance(told, dict):
        raise NotationError(f"expected an object as context, got {_shown(json.dumps(told))}")
    _check_keys(told, CONTEXT, "context")
    for key, value in told.items():
        if not isinstance(value, bool):
            raise NotationError(f"expected true or false for {key}, got {_shown(json.dumps(value))}")
    return replace(context, **told)


def _check_keys(given: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in given:
        if key not in known:
            raise NotationError(f"expected keys of {where} ({', '.join(known)}), got {_shown(key)}")


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else f"{text[:SHOWN_TEXT]} ..."


def _score_items(found: Score) -> str:
    groups = ", ".join([f'"{group}"' for group in found.groups])
    numbers = (f'"{name}": {number_text(getattr(found, name))}' for name in ("payment", "base", "tun", "xi"))
    route = "null" if found.route is None else f'"{found.route}"'
    return f'{", ".join(numbers)}, {fan_items(found)}, "groups": [{groups}], "route": {route}'


def fan_items(found: Score) -> str:
    """The total of the fan and each of them."""
    fans = ", ".join([_fan_item(count) for count in found.fans])
    return f'"fan": {number_text(found.fan)}, "fans": [{fans}]'


def _fan_item(count: FanCount) -> str:
    return f'{{"id": "{count.id}", "name": {encode_basestring(count.chinese)}, "value": {count.value}}}'


def number_text(number: int | None) -> str:
    """A number as JSON."""
    return "null" if number is None else str(number)
