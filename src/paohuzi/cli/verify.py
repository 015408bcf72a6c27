"""The command `verify`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ..lines import Difference
from ..lines import verify as difference_of
from ..record.compression import Chunks
from ..record.reading import read_lines
from .options import fail, json_option

__all__ = ["verify"]

STANDARD_INPUT = "-"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...|-")
@json_option
@click.pass_context
def verify(ctx: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Replay game lines: who is asked, how many choices there are, how the hand ends.

    FILE has a hand a line as a JSON object, also as .gz or .zst; - is standard input. What a line says is
    expected, what the rules say is found. With --json: {"ok": true} for each line, or the first difference
    with file, line, decision (from 0), expected, found and error. The exit code is 1 if any line differs or
    cannot be read, or a FILE has none.

    \b
    Examples:
      paohuzi verify lines/*.jsonl
      paohuzi verify --json - < lines.jsonl
    """
    count = differing = unreadable = 0
    for path in files:
        before = count
        try:
            for place, text in _read(path):
                found = difference_of(text)
                count += 1
                differing += found is not None
                _print(path, place, found, as_json)
            if count == before:
                raise ValueError(f"{path}: expected game lines, got none")
        except ValueError as error:
            fail(str(error))
            unreadable += 1
    if not as_json:
        click.echo(f"{count} lines, {differing} of them not as the rules say")
    ctx.exit(1 if differing or unreadable else 0)


def _read(path: Path) -> Iterator[tuple[int, bytes]]:
    if str(path) == STANDARD_INPUT:
        yield from _lines(Chunks(path, sys.stdin.buffer))
        return
    try:
        with path.open("rb") as file:
            yield from _lines(Chunks(path, file))
    except OSError as error:  # of this file: what cannot be printed is raised elsewhere
        raise ValueError(f"{path}: cannot be read: {error.strerror or error}") from None


def _lines(chunks: Chunks) -> Iterator[tuple[int, bytes]]:
    return ((line.place, line.text) for line in read_lines(chunks))


def _print(path: Path, place: int, found: Difference | None, as_json: bool) -> None:
    if as_json:
        where = {"ok": found is None} if found is None else {"ok": False, "file": str(path), "line": place}
        click.echo(json.dumps({**where, **(found._asdict() if found else {})}, ensure_ascii=False))
    elif found is not None:
        click.echo(f"{path}, line {place}: {found}")
