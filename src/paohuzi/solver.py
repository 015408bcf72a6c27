"""Can this hand win, for how much xi, how divided, and which tiles complete it (docs/rules.md 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from typing import Literal, Protocol, SupportsIndex, TypeAlias

from . import _backtrack, _native
from .groups import Group
from .notation import SOURCES, Hand, Query
from .rules import DEFAULT_RULES, Rules, RulesLike, as_rules
from .tiles import COPY_COUNT, FACE_COUNT, TILES, WANG, IllegalHand, Tile

__all__ = [
    "Method",
    "QueryLike",
    "Solution",
    "count_divisions",
    "divisions",
    "fitting_sizes",
    "heaven_xi",
    "is_heaven",
    "is_hu",
    "is_ready",
    "max_xi",
    "part_xi",
    "ready_discards",
    "solve",
    "waits",
]

QueryLike: TypeAlias = Query | Hand | str | SupportsIndex | Iterable[int]
Method: TypeAlias = Literal["table", "backtrack"]
Waits: TypeAlias = "dict[Tile, Solution]"

_SOURCE_NUMBERS: dict[str | None, int] = {source: number for number, source in enumerate(SOURCES, 1)}
# Places in a query key, struct Query of csrc/query.hpp.
_HAND_END, _WIN_AT, _SOURCE_AT = 8, 15, 16
_NO_XI_WINS = 1 << 15  # more than any division has
_HEAVEN_QUADS, _HEAVEN_SETS = 3, 5
_NO_QUAD_TILES, _QUADS_MAX = 20, 6  # a whole hand has one tile more, or one for each quad


@dataclass(frozen=True, slots=True)
class Solution:
    """A division of a query, or the answer that there is none.

    hu: whether it wins (胡). xi: its xi (胡息), None without a division. groups: the exposed groups in their
    order, then the concealed ones by their lowest tile. route: where the winning tile went, "dealt" without
    one, else "single", "wei", "ti", "wang" or "pao". See docs/rules.md 3.

    >>> print(solve("122345678900s 122345670b"))
    chi:123s; chi:270s; chi:456s; chi:890s; chi:123b; chi:270b; chi:456b
    """

    hu: bool
    xi: int | None
    groups: tuple[Group, ...]
    route: str | None

    def __str__(self) -> str:
        return "; ".join(map(str, self.groups))


_NO_SOLUTION = Solution(False, None, (), None)


class _Question(Protocol):
    """The signature of max_xi and is_hu, which the door answers itself for a packed hand."""

    def __call__(self, query: QueryLike, rules: RulesLike = ..., method: Method = ...) -> object: ...


class _XiQuestion(_Question, Protocol):
    def __call__(self, query: QueryLike, rules: RulesLike = ..., method: Method = ...) -> int | None: ...


class _HuQuestion(_Question, Protocol):
    def __call__(self, query: QueryLike, rules: RulesLike = ..., method: Method = ...) -> bool: ...


def solve(query: QueryLike, rules: RulesLike = DEFAULT_RULES, method: Method = "table") -> Solution:
    """The best division of a query: most xi, then the first in a fixed order.

    query: Query, Hand, text, packed int, or 20 or 21 counts by face. rules: Rules, or the name of a
    preset. method: "table", or "backtrack" for the independent search. Raises NotationError, IllegalHand. See
    docs/rules.md 3.6.

    >>> solution = solve("34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self")
    >>> solution.hu, solution.xi, solution.route, str(solution.groups[-1])
    (True, 27, 'wei', 'wei:999b')
    """
    if query.__class__ is not Query:
        query = as_query(query)
    if rules.__class__ is not Rules:
        rules = as_rules(rules)
    by_backtrack = method != "table" and _is_backtrack(method)
    return _native.solve(query.key, rules.options, rules.discards_win, by_backtrack) or _NO_SOLUTION


def divisions(query: QueryLike, rules: RulesLike = DEFAULT_RULES) -> Iterator[Solution]:
    """Every division of a query, best first: by xi, then in a fixed order.

    All are found at once, and each is made when it is asked for. Raises NotationError, IllegalHand. See
    docs/rules.md 3.6 and 3.7.

    >>> [division.xi for division in divisions("1123s 1112233b W | chi:456s; chi:456b; chi:678b")][:3]
    [12, 9, 6]
    """
    query, rules = as_query(query), as_rules(rules)
    min_xi = rules.min_xi if query.source != "discard" or rules.discards_win else _NO_XI_WINS
    found: Iterator[Solution] = _native.solutions(_backtrack.collect(query.key, rules.options), min_xi)
    return found


def count_divisions(query: QueryLike, rules: RulesLike = DEFAULT_RULES, method: Method = "table") -> int:
    """How many divisions a query has, without making them. Raises NotationError, IllegalHand.

    See docs/rules.md 3.7.

    >>> count_divisions("122345678900s 122345670b")
    1
    """
    options = as_rules(rules).options
    return _native.count_divisions(as_query(query).key, options, _is_backtrack(method))


def waits(
    query: QueryLike, source: str = "self", rules: RulesLike = DEFAULT_RULES, method: Method = "table"
) -> Waits:
    """The tiles that win from that source with the minimum xi, each with its best division, by face.

    query: one tile short, without winning tile. source: "self", "other" or "discard". A face of which four
    copies are held is no wait; the wang (王) is one on an own draw where the rules have a further one. Raises
    NotationError, IllegalHand. See docs/rules.md 3.10.

    >>> found = waits("34577s 34599b | ti:0000b; wei:222s; chi:123b", "other")
    >>> {str(tile): solution.xi for tile, solution in found.items()}
    {'7s': 22, '9s': 21, '7b': 21, '9b': 24}
    """
    key, number, rules = _key_lacking(1, query), _source_number(source), as_rules(rules)
    xi_by_face = _native.waits(key, rules.options, number, rules.wang, _is_backtrack(method))
    faces = [face for face, xi in enumerate(xi_by_face) if xi >= max(rules.min_xi, 0)]
    return _solve_each(key, faces, number, rules, method)


def is_ready(
    query: QueryLike, source: str = "self", rules: RulesLike = DEFAULT_RULES, method: Method = "table"
) -> bool:
    """Whether a hand that is one tile short has a wait. The arguments are those of waits.

    See docs/rules.md 3.10.

    >>> is_ready("2233456678s 3456999000b"), is_ready("1122334455667788990s 1b")
    (True, False)
    """
    key, number, rules = _key_lacking(1, query), _source_number(source), as_rules(rules)
    xi_by_face = _native.waits(key, rules.options, number, rules.wang, _is_backtrack(method))
    return max(xi_by_face) >= max(rules.min_xi, 0)


def ready_discards(
    query: QueryLike, source: str = "self", rules: RulesLike = DEFAULT_RULES, method: Method = "table"
) -> dict[Tile, Waits]:
    """The discards after which a hand waits, each with the waits that it leaves, by face.

    query: a hand that has taken a tile in and must discard, without winning tile. The other arguments are
    those of waits; the copy discarded stays visible. See docs/rules.md 3.10 and 4.5.

    >>> found = ready_discards("12233456678s 3456999000b", "other")
    >>> [*map(str, found)], [*map(str, found[Tile.parse("1s")])]
    (['1s', '2s', '5s', '8s', '3b', '6b'], ['9b', '0b'])
    """
    key, number, rules = _key_lacking(0, query), _source_number(source), as_rules(rules)
    by_backtrack = _is_backtrack(method)
    found = _native.ready_discards(key, rules.options, number, rules.wang, by_backtrack)
    ready = {}
    for discard, mask in found.items():
        faces = [face for face in range(FACE_COUNT + 1) if mask >> face & 1]
        rest = int.from_bytes(key[:_HAND_END], "little") - (1 << 3 * discard)
        after = rest.to_bytes(_HAND_END, "little") + key[_HAND_END:]
        ready[TILES[discard]] = _solve_each(after, faces, number, rules, method)
    return ready


def is_heaven(hand: QueryLike) -> bool:
    """Whether a dealt hand wins at once, whatever the rest is (forced heaven, 天胡).

    hand: 20 tiles, the dealer's 21, and wangs (王), which do not count towards it. Raises NotationError,
    IllegalHand. See docs/rules.md 3.11.

    >>> is_heaven("2222444555560000s 4000b")
    True
    """
    counts = _as_dealt(hand).hand.counts[:WANG]
    quads = counts.count(4)
    return quads >= _HEAVEN_QUADS or quads + counts.count(3) >= _HEAVEN_SETS


def heaven_xi(hand: QueryLike, rules: RulesLike = DEFAULT_RULES) -> int | None:
    """The xi of a forced heaven (天胡): its quads and triplets with the best of the rest; None if it is none.

    Raises NotationError, IllegalHand. See docs/rules.md 3.11.

    >>> heaven_xi("2222444555560000s 4000b")
    36
    """
    query = _as_dealt(hand)
    return _native.best_part(query.key, as_rules(rules).options) if is_heaven(query) else None


def fitting_sizes(query: Query, rules: Rules = DEFAULT_RULES) -> range:
    """The numbers of tiles that would make a whole hand of a query's quads. See docs/rules.md 3.1.

    >>> fitting_sizes(Query.parse("345s 88b | pao:0000b + 8b@self"))
    range(21, 23)
    """
    exposed = sum(group.is_quad for group in query.exposed)
    held = query.hand.counts[:WANG].count(COPY_COUNT)
    fewest = exposed + (0 if rules.kan_splittable else held)
    # The winning tile may make one more, and so may each wang.
    most = exposed + held + query.hand.wang_count + (query.win is not None)
    low, high = (_NO_QUAD_TILES + max(1, quads) for quads in (fewest, min(most, _QUADS_MAX)))
    return range(low, high + 1)


def part_xi(query: QueryLike, rules: RulesLike = DEFAULT_RULES) -> int:
    """The best xi of exposed groups, quads and triplets kept, and any groups of a part of the other tiles.

    Raises NotationError, IllegalHand. See docs/rules.md 3.11 and 5.

    >>> part_xi("123s 5b | peng:333b")
    6
    """
    return _native.best_part(as_query(query).key, as_rules(rules).options)


def _max_xi(query: QueryLike, rules: RulesLike | None, method: Method | None) -> int | None:
    """max_xi for what the door leaves to Python."""
    options = as_rules(DEFAULT_RULES if rules is None else rules).options
    xi = _native.best_xi(as_query(query).key, options, _is_backtrack("table" if method is None else method))
    return xi if xi >= 0 else None


def _is_hu(query: QueryLike, rules: RulesLike | None, method: Method | None) -> bool:
    """is_hu for what the door leaves to Python."""
    rules = as_rules(DEFAULT_RULES if rules is None else rules)
    query = as_query(query)
    xi = _native.best_xi(query.key, rules.options, _is_backtrack("table" if method is None else method))
    return xi >= rules.min_xi and (query.source != "discard" or rules.discards_win)


_native.set_values(Solution, Group.from_native, _max_xi, _is_hu)
max_xi: _XiQuestion = _native.max_xi
is_hu: _HuQuestion = _native.is_hu


def _solve_each(key: bytes, faces: list[int], source: int, rules: Rules, method: Method) -> Waits:
    """The solutions of a key with each face as the winning tile."""
    by_backtrack = _is_backtrack(method)
    solved = {}
    for face in faces:
        won = key[:_WIN_AT] + bytes((face, source)) + key[_SOURCE_AT + 1 :]
        solved[TILES[face]] = _native.solve(won, rules.options, rules.discards_win, by_backtrack)
    return solved


def as_query(query: QueryLike) -> Query:
    """The query that an argument stands for. Raises TypeError, NotationError, IllegalHand."""
    if isinstance(query, Query):
        return query
    if isinstance(query, str):
        return Query.parse(query)
    if isinstance(query, Hand):
        return Query(query)
    if isinstance(query, int):  # before the questions that take long
        return Query(Hand.from_packed(query))
    if isinstance(query, Sized) and isinstance(query, Iterable):
        return Query(Hand.from_counts(query))
    if isinstance(query, SupportsIndex):
        return Query(Hand.from_packed(query.__index__()))
    raise TypeError(f"expected a Query, a Hand, a text, a packed int or counts by face, got {query!r}")


def _as_dealt(hand: QueryLike) -> Query:
    """A query of a hand alone. Raises IllegalHand."""
    query = as_query(hand)
    if query.exposed or query.win is not None:
        raise IllegalHand(f"expected a hand as dealt, without exposed groups and winning tile, got {query}")
    return query


def _key_lacking(missing: int, query: QueryLike) -> bytes:
    """The key of a query without winning tile that lacks so many tiles. Raises IllegalHand."""
    query = as_query(query)
    if query.win is not None:
        raise IllegalHand(f"expected a query without winning tile, got {query}")
    lacking = _native.missing_tiles(query.key)
    if lacking != missing:
        what = ("must discard", "waits")[missing]
        raise IllegalHand(
            f"{query.tile_count} tiles: with {_quads(query)} a hand that {what} has "
            f"{query.tile_count + lacking - missing} ({query})"
        )
    return query.key


def _quads(query: Query) -> str:
    count = sum(group.is_quad for group in query.exposed) + query.hand.counts[:WANG].count(4)
    return f"{count} quad" + "s" * (count != 1)


def _is_backtrack(method: Method) -> bool:
    if method not in ("table", "backtrack"):
        raise ValueError(f"expected 'table' or 'backtrack' as method, got {method!r}")
    return method == "backtrack"


def _source_number(source: str) -> int:
    number = _SOURCE_NUMBERS.get(source)
    if number is None:
        raise ValueError(f"expected one of {', '.join(SOURCES)} as source, got {source!r}")
    return number
