"""The notation of many queries at once (docs/rules.md 6)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .columns import Queries
from .groups import CODE_COUNT, Group
from .notation import SOURCES
from .tiles import DIGITS, TILE_TEXTS

__all__ = ["exposed_texts", "query_texts", "source_texts", "win_texts"]

COUNT_BITS = 3
HALF_RANKS = 5  # a case is written as its ranks 1-5 and 6-10, each by one look-up
HALF_BITS = HALF_RANKS * COUNT_BITS
HALF_SHIFTS = range(0, 5 * HALF_BITS, HALF_BITS)  # four halves, then the wangs


def query_texts(queries: Queries) -> list[str]:
    """The canonical texts of queries without faults, as `str` of each Query.

    >>> from paohuzi import batch
    >>> query_texts(batch.queries(["1s1s2b | peng:333b + 9b@other", "W"]))
    ['11s 2b | peng:333b + 9b@other', 'W']
    """
    wins = zip(win_texts(queries.win), source_texts(queries.source), strict=True)
    return [
        _joined(hand, exposed, win and f"+ {win}@{source}")
        for hand, exposed, (win, source) in zip(
            _hand_texts(queries.hand), exposed_texts(queries.exposed), wins, strict=True
        )
    ]


def _joined(hand: str, exposed: str, win: str) -> str:
    return " ".join(filter(None, (hand, exposed and "| " + exposed, win))) or "|"


def exposed_texts(exposed: npt.NDArray[np.uint8]) -> list[str]:
    """The texts of rows of seven group codes, as "peng:333b; ti:0000b"."""
    names = _group_names()
    return ["; ".join([names[code] for code in codes if code]) for codes in exposed.tolist()]


def win_texts(win: npt.NDArray[np.int8]) -> list[str]:
    """The texts of winning tiles by face; empty for -1."""
    names = (*TILE_TEXTS, "")
    return [names[face] for face in win.tolist()]


def source_texts(source: npt.NDArray[np.uint8]) -> list[str]:
    """The texts of sources 1 to 3; empty for 0."""
    names = ("", *SOURCES)
    return [names[number] for number in source.tolist()]


def _hand_texts(hands: npt.NDArray[np.uint64]) -> list[str]:
    mask = np.uint64((1 << HALF_BITS) - 1)
    halves = [hands >> np.uint64(shift) & mask for shift in HALF_SHIFTS]
    small = _case_texts(halves[0], halves[1], "s")
    big = _case_texts(halves[2], halves[3], "b")
    wang = ["W" * count for count in halves[4].tolist()]
    return [" ".join(filter(None, cases)) for cases in zip(small, big, wang, strict=True)]


def _case_texts(low: npt.NDArray[np.uint64], high: npt.NDArray[np.uint64], suffix: str) -> list[str]:
    low_digits, high_digits = _half_digits(0), _half_digits(HALF_RANKS)
    digits = [low_digits[a] + high_digits[b] for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    return [text and text + suffix for text in digits]


@lru_cache(maxsize=2)
def _half_digits(first: int) -> list[str]:
    """The digits of all counts of five ranks, by the counts as in a packed hand."""
    texts = [""]
    for digit in DIGITS[first : first + HALF_RANKS]:
        texts = [text + digit * count for count in range(1 << COUNT_BITS) for text in texts]
    return texts


@lru_cache(maxsize=1)
def _group_names() -> list[str]:
    return ["", *(str(Group.from_code(code)) for code in range(1, CODE_COUNT))]
