"""Queries from arguments or from standard input, block by block, and what happens to bad ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

from .options import fail

__all__ = ["answer_all", "one_by_one"]

BAD_LINES = 1  # exit code
BLOCK_SIZE = 1 << 18  # bytes of standard input that are answered at once; less when no more is there yet
BLANKS = " \t\r\f\v\ufeff"  # a byte order mark stands at the start of some files
LINE_BLOCKS_MAX = 64
Answer = Callable[[list[str]], int]  # prints the answers to some lines, returns how many were bad


def answer_all(queries: tuple[str, ...], answer: Answer) -> None:
    """Answer the arguments, or standard input block by block; exit with BAD_LINES if any was bad."""
    bad = 0
    for lines in _blocks(sys.stdin.buffer) if queries == ("-",) else [list(queries)]:
        bad += answer(lines)
        sys.stdout.flush()
    if bad:
        sys.exit(BAD_LINES)


def one_by_one(lines: list[str], answer: Callable[[str], None]) -> int:
    """Answer each line for a person; a bad one goes to standard error."""
    bad = 0
    for line in lines:
        try:
            answer(line)
        except ValueError as error:
            bad += 1
            sys.stdout.flush()
            fail(str(error))
    return bad


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
