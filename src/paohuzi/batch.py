"""Answers for many hands at once, from and to numpy arrays (docs/rules.md 3 and 6).

Hands come as counts, (N, 20) or (N, 21) uint8 with the wangs last, or packed, (N,) uint64; contiguous or not.
What else belongs to a query - exposed groups, winning tile, source - comes with `Queries`. The work releases
the GIL and `threads` splits it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import index
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import ROUTES
from .columns import (
    FACE_AXIS,
    GROUP_COUNT,
    QUERY_DTYPE,
    Bytes,
    Column,
    Hands,
    Queries,
    Records,
    bytes_of,
    illegal_hand,
    pack,
    packed_of,
    queries,
    read_hands,
    read_out,
    read_wang,
    records_of,
    records_of_rows,
    unpack,
)
from .distance_batch import UNREACHABLE, distance
from .notation import SOURCES
from .rules import DEFAULT_RULES, Rules, RulesLike, as_rules
from .score_batch import Scores, score
from .sharing import share_out

__all__ = [
    "NO_ROUTE",
    "QUERY_DTYPE",
    "ROUTES",
    "UNREACHABLE",
    "Queries",
    "Scores",
    "Solutions",
    "distance",
    "is_hu",
    "max_xi",
    "missing_tiles",
    "pack",
    "queries",
    "ready_discards",
    "score",
    "solve",
    "unpack",
    "wait_xi",
    "waits",
]

Bools: TypeAlias = npt.NDArray[np.bool_]
Masks: TypeAlias = npt.NDArray[np.uint32]
Xi: TypeAlias = npt.NDArray[np.int8]
Method: TypeAlias = Literal["table", "backtrack"]

NO_ROUTE = 255
NO_DIVISION = -1
INT8_MAX = 127
_BESIDE_MIN_XI = (slice(40), slice(42, None))  # of the bytes of rules: after 20 xi of two bytes each
_SOURCE_NUMBERS = {source: number for number, source in enumerate(SOURCES, 1)}


@dataclass(frozen=True, slots=True, eq=False)
class Solutions:
    """The best divisions of N queries, by column.

    xi: (N,) int16, -1 where no division exists. hu: (N,) bool. status: (N,) uint8, 0 or the fault of the
    row, `error(row)` as a text. With divisions also route: (N,) uint8, index of ROUTES, NO_ROUTE for none,
    and groups: (N, 7) uint16 for `Group.from_native`, exposed groups first, 0 where there is none.
    """

    xi: npt.NDArray[np.int16]
    hu: Bools
    status: Bytes
    errors: Mapping[int, str]
    """What was wrong with the texts that could not be read, by row."""
    route: Bytes | None = None
    groups: npt.NDArray[np.uint16] | None = None

    def error(self, row: int) -> str | None:
        """What is wrong with a row, None if nothing."""
        row = range(len(self.status))[row]
        return self.errors.get(row) or _native.FAULT_TEXTS[self.status[row]] or None

    def __len__(self) -> int:
        return len(self.xi)


def max_xi(
    hands: Hands,
    wang: Column | None = None,
    *,
    rules: RulesLike = DEFAULT_RULES,
    method: Method = "table",
    threads: int = 1,
    out: Xi | None = None,
) -> Xi:
    """The best xi (胡息) of each hand, (N,) int8, -1 where no division exists.

    hands: counts, packed hands or Queries. wang: wangs (王) beside those in the hands, (N,) uint8 or one
    number, 0 to 4. rules: Rules, or the name of a preset. method: "backtrack" asks the independent search.
    out: (N,) int8 to fill. Rows of Queries with a fault have -1. Raises TypeError, ValueError, IllegalHand
    naming the first bad row. See docs/rules.md 3.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> batch.max_xi(np.array([Hand.parse("122345678900s 122345670b").packed], np.uint64))
    array([18], dtype=int8)
    """
    hands = _read(hands)
    wangs = read_wang(wang, hands)
    xi: Xi = read_out(out, len(hands), np.int8, (hands, wangs))
    share_out(_xi_work(hands, wangs, as_rules(rules), method, xi), len(hands), threads)
    return xi


def is_hu(
    hands: Hands,
    wang: Column | None = None,
    *,
    rules: RulesLike = DEFAULT_RULES,
    method: Method = "table",
    threads: int = 1,
    out: Bools | None = None,
) -> Bools:
    """Whether each hand wins (胡), (N,) bool: its best xi reaches the minimum of the rules.

    The arguments are those of max_xi; out is (N,) bool. See docs/rules.md 3.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> batch.is_hu(np.array([Hand.parse("122345678900s 122345670b").packed], np.uint64))
    array([ True])
    """
    rules = as_rules(rules)
    hands = _read(hands)
    wangs = read_wang(wang, hands)
    hu: Bools = read_out(out, len(hands), np.bool_, (hands, wangs))
    if isinstance(hands, Queries):
        hu[:] = solve(hands, rules=rules, method=method, threads=threads).hu
        return hu
    by_backtrack = _is_backtrack(method)
    if by_backtrack or not _has_classic_xi(rules):

        def decide(part: slice) -> None:
            xi = _xi_of_records(records_of(hands, wangs, part), rules, by_backtrack)
            np.greater_equal(xi, rules.min_xi, out=hu[part])

    else:
        xi = np.empty(len(hands), np.int8)
        work = _xi_work(hands, wangs, rules, method, xi)

        def decide(part: slice) -> None:
            work(part)
            np.greater_equal(xi[part], rules.min_xi, out=hu[part])

    share_out(decide, len(hands), threads)
    return hu


def solve(
    queries: Queries,
    *,
    rules: RulesLike = DEFAULT_RULES,
    method: Method = "table",
    divisions: bool = False,
    threads: int = 1,
) -> Solutions:
    """The best xi of each query and whether it wins; with divisions also the routes and groups.

    A row with a fault gets no division and its status; the others go on. Raises TypeError for anything but
    Queries. See docs/rules.md 3.

    >>> from paohuzi import batch
    >>> solved = batch.solve(batch.queries(["34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"]))
    >>> solved.xi, solved.hu, solved.error(0)
    (array([27], dtype=int16), array([ True]), None)
    """
    if not isinstance(queries, Queries):
        raise TypeError(f"expected Queries, as batch.queries(texts) makes them, got {type(queries).__name__}")
    rules = as_rules(rules)
    count = len(queries)
    solved = Solutions(
        np.empty(count, np.int16),
        np.empty(count, np.bool_),
        np.empty(count, np.uint8),
        queries.errors,
        np.empty(count, np.uint8) if divisions else None,
        np.empty((count, GROUP_COUNT), np.uint16) if divisions else None,
    )
    by_backtrack = _is_backtrack(method)

    def work(part: slice) -> None:
        records, xi = queries.records[part], solved.xi[part]
        _native.solve_records(bytes_of(records), rules.options, by_backtrack, xi, solved.status[part])
        np.greater_equal(xi, rules.min_xi, out=solved.hu[part])
        if not rules.discards_win:
            solved.hu[part] &= records["source"] != _SOURCE_NUMBERS["discard"]
        if solved.route is not None and solved.groups is not None:
            _native.divide_records(
                bytes_of(records), rules.options, by_backtrack, xi, solved.route[part], solved.groups[part]
            )

    share_out(work, count, threads)
    return solved


def missing_tiles(hands: Hands, *, threads: int = 1) -> Xi:
    """How many tiles each hand lacks to a whole one, (N,) int8: 0 for a whole hand, 1 for one that waits.

    The natural quads (提, 跑) that are there before the winning tile count; a hand may have too many tiles,
    and then lacks fewer than none. Rows of Queries with a fault have 0. Raises as max_xi, and IllegalHand for
    a hand of more than 26 tiles, which nobody can hold. See docs/rules.md 3.1.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> batch.missing_tiles(np.array([Hand.parse("2233456678s 3456999000b").packed], np.uint64))
    array([1], dtype=int8)
    """
    hands = _read(hands)
    missing = np.empty(len(hands), np.int8)

    def work(part: slice) -> None:
        records = records_of(hands, None, part)
        faults = np.empty(len(records), np.uint8)
        _native.check_records(bytes_of(records), faults, missing[part])
        if not isinstance(hands, Queries) and faults.any():
            row = part.start + int(np.argmax(faults))
            raise illegal_hand(hands[row], row)

    share_out(work, len(hands), threads)
    return missing


def waits(
    hands: Hands,
    *,
    source: str = "self",
    min_xi: int | None = None,
    rules: RulesLike = DEFAULT_RULES,
    method: Method = "table",
    threads: int = 1,
) -> Masks:
    """The faces that each hand waits for, (N,) uint32 with bit f set for face f, bit 20 for the wang (王).

    hands: counts, packed hands or Queries without winning tile. source: "self", "other" or "discard".
    min_xi: xi that a wait must reach, by default that of the rules. A hand that does not lack exactly one
    tile has no waits, nor has a row of Queries with a fault. Raises as max_xi. See docs/rules.md 3.10.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> hands = np.array([Hand.parse("2233456678s 3456999000b").packed], np.uint64)
    >>> [f"{mask:b}" for mask in batch.waits(hands, source="other")]
    ['11000000000000000000']
    """
    hands = _read(hands)
    rules = _with_minimum(rules, min_xi)
    masks = np.empty(len(hands), np.uint32)
    share_out(_wait_work(hands, source, rules, method, masks, None), len(hands), threads)
    return masks


def wait_xi(
    hands: Hands,
    *,
    source: str = "self",
    rules: RulesLike = DEFAULT_RULES,
    method: Method = "table",
    threads: int = 1,
) -> Xi:
    """The best xi of each hand by winning face, (N, 21) int8, -1 where it makes no division or cannot come.

    The arguments are those of waits. Raises also ValueError for xi above 127. See docs/rules.md 3.10.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> hands = np.array([Hand.parse("2233456678s 3456999000b").packed], np.uint64)
    >>> batch.wait_xi(hands, source="other")[0, 18]
    np.int8(15)
    """
    hands = _read(hands)
    xi = np.empty((len(hands), FACE_AXIS), np.int8)
    share_out(_wait_work(hands, source, as_rules(rules), method, None, xi), len(hands), threads)
    return xi


def ready_discards(
    hands: Hands,
    *,
    source: str = "self",
    min_xi: int | None = None,
    rules: RulesLike = DEFAULT_RULES,
    method: Method = "table",
    threads: int = 1,
) -> Masks:
    """The faces after whose discard each hand waits, (N,) uint32 with bit f set for face f.

    The arguments are those of waits; a hand that is not whole has none. See docs/rules.md 3.10 and 4.5.

    >>> import numpy as np
    >>> from paohuzi import Hand, batch
    >>> hands = np.array([Hand.parse("2233456678s 3456999000b 1s").packed], np.uint64)
    >>> bool(batch.ready_discards(hands)[0] & 1)
    True
    """
    hands = _read(hands)
    rules = _with_minimum(rules, min_xi)
    number, by_backtrack = _source_number(source), _is_backtrack(method)
    masks = np.empty(len(hands), np.uint32)

    def work(part: slice) -> None:
        records = bytes_of(records_of(hands, None, part))
        _native.discard_records(records, rules.options, number, rules.wang, by_backtrack, masks[part])

    share_out(work, len(hands), threads)
    return masks


def _xi_work(
    hands: Hands, wangs: Bytes | None, rules: Rules, method: Method, xi: Xi
) -> Callable[[slice], None]:
    """What fills the xi of a slice."""
    by_backtrack = _is_backtrack(method)
    if isinstance(hands, Queries) or by_backtrack or not _has_classic_xi(rules):

        def by_records(part: slice) -> None:
            xi[part] = _narrow(_xi_of_records(records_of(hands, wangs, part), rules, by_backtrack))

        return by_records
    arrays = hands

    def by_kernel(part: slice) -> None:
        _fill_xi(arrays[part], None if wangs is None else wangs[part], xi[part], part.start)

    return by_kernel


def _has_classic_xi(rules: Rules) -> bool:
    """Whether the best xi is that of the classic rules: all but the minimum alike."""
    return all(rules.options[part] == DEFAULT_RULES.options[part] for part in _BESIDE_MIN_XI)


def _xi_of_records(records: Records, rules: Rules, by_backtrack: bool) -> npt.NDArray[np.int16]:
    xi = np.empty(len(records), np.int16)
    _native.solve_records(bytes_of(records), rules.options, by_backtrack, xi, np.empty(len(xi), np.uint8))
    return xi


def _fill_xi(hands: Any, wang: Bytes | None, xi: Xi, start: int) -> None:
    """The xi of some hands under the classic rules, the first of them row `start` of all."""
    if hands.strides[-1] != hands.itemsize:
        hands = np.ascontiguousarray(hands)
    if hands.ndim == 1:
        _native.max_xi_packed(hands, wang, xi)
    else:
        _native.max_xi_rows(hands, wang, xi)
    if xi.min(initial=0) < NO_DIVISION:
        rows = np.flatnonzero(xi < NO_DIVISION)  # what the tables do not hold, and what is no hand
        few = records_of_rows(hands[rows], None if wang is None else wang[rows], start + rows)
        xi[rows] = _narrow(_xi_of_records(few, DEFAULT_RULES, False))


def _wait_work(
    hands: Hands, source: str, rules: Rules, method: Method, masks: Masks | None, xi: Xi | None
) -> Callable[[slice], None]:
    """What fills the waits of a slice, as masks or as xi."""
    number, by_backtrack = _source_number(source), _is_backtrack(method)
    is_own_draw = number == _SOURCE_NUMBERS["self"]
    if isinstance(hands, Queries) or by_backtrack or not is_own_draw or not _has_classic_xi(rules):

        def by_records(part: slice) -> None:
            records = bytes_of(records_of(hands, None, part))
            mask = None if masks is None else masks[part]
            wide = None if xi is None else np.empty(xi[part].shape, np.int16)
            _native.wait_records(records, rules.options, number, rules.wang, by_backtrack, mask, wide)
            if xi is not None and wide is not None:
                xi[part] = _narrow(wide)

        return by_records
    arrays = hands

    def by_kernel(part: slice) -> None:
        packed = packed_of(arrays[part], part.start)
        mask = None if masks is None else masks[part]
        part_xi = None if xi is None else xi[part]
        bad = _native.self_wait_hands(packed, rules.wang, rules.min_xi, mask, part_xi)
        if bad >= 0:
            raise illegal_hand(packed[bad], part.start + bad)

    return by_kernel


def _read(hands: Hands) -> Hands:
    return hands if isinstance(hands, Queries) else read_hands(hands)


def _narrow(xi: npt.NDArray[np.int16]) -> Xi:
    """xi as int8. Raises ValueError for xi that int8 cannot hold."""
    if xi.max(initial=0) > INT8_MAX:
        raise ValueError(f"expected xi up to {INT8_MAX}, got {xi.max()}: `solve` has room for it")
    return xi.astype(np.int8)


def _with_minimum(rules: RulesLike, min_xi: int | None) -> Rules:
    rules = as_rules(rules)
    return rules if min_xi is None else replace(rules, min_xi=index(min_xi))


def _is_backtrack(method: Method) -> bool:
    if method not in ("table", "backtrack"):
        raise ValueError(f"expected 'table' or 'backtrack' as method, got {method!r}")
    return method == "backtrack"


def _source_number(source: str) -> int:
    if source not in _SOURCE_NUMBERS:
        raise ValueError(f"expected one of {', '.join(SOURCES)} as source, got {source!r}")
    return _SOURCE_NUMBERS[source]
