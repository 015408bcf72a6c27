"""What a win pays, and why: the best of all divisions under a region's rules (docs/rules.md 3.6 and 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from .. import _native
from .._native import CONTEXT, FACTS
from ..groups import Group
from ..notation import Query
from ..rules import DEFAULT_RULES, Fan, Rules, RulesLike, Together, as_rules
from ..solver import QueryLike, as_query, waits
from ..tiles import IllegalHand, Tile

__all__ = ["NO_CONTEXT", "Context", "FanCount", "Score", "score", "wait_scores"]

_FACT_PLACES = {entry[0]: place for place, entry in enumerate(FACTS)}


@dataclass(frozen=True, slots=True)
class Context:
    """What a score must know beside the query. See docs/rules.md 5.

    last_tile: won on the wall's last tile (海底). shown_tile: won on the shown tile (亮张). dealer: the
    winner deals. untouched: the winner has never taken a tile in (听胡). first_discard: the next player wins
    on the dealer's discard that opens the hand. heaven: forced heaven (天胡), the hand need not be complete.

    >>> Context(last_tile=True).flags
    1
    """

    last_tile: bool = False
    shown_tile: bool = False
    dealer: bool = False
    untouched: bool = False
    first_discard: bool = False
    heaven: bool = False

    def __post_init__(self) -> None:
        for name in CONTEXT:
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"expected True or False for {name}, got {getattr(self, name)!r}")

    @property
    def flags(self) -> int:
        """The bit mask of the native side, bits in the order of the fields."""
        return sum(getattr(self, name) << place for place, name in enumerate(CONTEXT))


assert tuple(field.name for field in fields(Context)) == CONTEXT
NO_CONTEXT = Context()


@dataclass(frozen=True, slots=True)
class FanCount:
    """A fan (番) that applies, and what it counts. See docs/rules.md 5.

    >>> str(FanCount(Fan("haidi", "海底", "last tile", "haidi", 2), 2))
    '海底 2'
    """

    fan: Fan | Together
    value: int

    @property
    def id(self) -> str:
        """By which the rules name it."""
        return self.fan.id

    @property
    def chinese(self) -> str:
        """Its Chinese name."""
        return self.fan.chinese

    @property
    def english(self) -> str:
        """Its English name."""
        return self.fan.english

    def __str__(self) -> str:
        return f"{self.chinese} {self.value}"


@dataclass(frozen=True, slots=True)
class Score:
    """What a win pays, or that there is none: then payment and all below is None or empty.

    payment: what each loser pays at stake 1, base x fan. base: tun with what an own draw adds. tun: 囤, from
    xi. xi: 胡息. fan: 番, the total that multiplies. fans: those that apply. groups, route: as in Solution;
    tiles that a forced heaven leaves over are in no group. numbers: of what fan look at, in the order of
    FACTS; wangs (王) count as what they stand for. See docs/rules.md 5.

    >>> print(score("122345678900s 122345670b", "qq-full"))
    18 xi (胡息), 2 tun (囤) x 1 fan (番) = 2
    """

    payment: int | None
    base: int | None
    tun: int | None
    xi: int | None
    fan: int | None
    fans: tuple[FanCount, ...]
    groups: tuple[Group, ...]
    route: str | None
    numbers: tuple[int, ...]
    query: Query
    rules: Rules
    context: Context

    @property
    def hu(self) -> bool:
        """Whether it is a win (胡)."""
        return self.payment is not None

    def number(self, fact: str) -> int:
        """The number of a fact, as "red": how many red tiles; 0 for no win. Raises KeyError.

        See docs/rules.md 5.2.

        >>> score("122345678900s 122345670b").number("red")
        9
        """
        place = _FACT_PLACES[fact]
        return self.numbers[place] if self.numbers else 0

    def explain(self, lang: str = "en") -> str:
        """The reckoning line by line, or why it is no win; lang is "en" or "zh". Raises ValueError.

        See docs/rules.md 5.

        >>> print(score("1s").explain("zh"))
        一
        不胡：不成牌，1 张，应有 21 张
        """
        from .explanation import explain

        return explain(self, lang)

    def __str__(self) -> str:
        if not self.hu:
            return "no win (不胡)"
        return f"{self.xi} xi (胡息), {self.base} tun (囤) x {self.fan} fan (番) = {self.payment}"


def score(query: QueryLike, rules: RulesLike = DEFAULT_RULES, context: Context = NO_CONTEXT) -> Score:
    """What a query pays: the best of all divisions by payment, then xi, then the first in the fixed order.

    query: Query, Hand, text, packed int, or counts by face. rules: Rules, the name of a preset or a path.
    Raises NotationError, IllegalHand, and IllegalHand for a context that this win cannot have. See
    docs/rules.md 3.6 and 5.

    >>> won = score("122345678900s 12234567b + 0b@self", "qq-full", Context(last_tile=True))
    >>> won.payment, won.base, won.fan, [str(fan) for fan in won.fans]
    (6, 3, 2, ['海底 2'])
    """
    if query.__class__ is not Query:
        query = as_query(query)
    if rules.__class__ is not Rules:
        rules = as_rules(rules)
    try:
        found = _native.score(query.key, rules.native, context.flags)
    except ValueError as error:
        raise IllegalHand(f"{error}; got {_told(context)} with {query}") from None
    if found is None:
        return Score(None, None, None, None, None, (), (), None, (), query, rules, context)
    payment, base, tun, xi, fan, mask, groups, route, numbers = found
    counts = tuple(_fan_counts(rules, mask, numbers)) if mask else ()
    return Score(payment, base, tun, xi, fan, counts, groups, route, numbers, query, rules, context)


def wait_scores(
    query: QueryLike, source: str = "self", rules: RulesLike = DEFAULT_RULES
) -> dict[Tile, Score]:
    """What each wait of a hand pays, by face: the tiles of `waits`, each with its score.

    The arguments are those of waits. Where discards do not win a wait for one has no payment. See
    docs/rules.md 3.10 and 5.

    >>> found = wait_scores("34577s 34599b | ti:0000b; wei:222s; chi:123b", "other", "qq-full")
    >>> {str(tile): score.payment for tile, score in found.items()}
    {'7s': 6, '9s': 9, '7b': 6, '9b': 12}
    """
    query, rules = as_query(query), as_rules(rules)
    found = waits(query, source, rules)
    return {tile: score(Query(query.hand, query.exposed, tile, source), rules) for tile in found}


def _told(context: Context) -> str:
    told = [name for name in CONTEXT if getattr(context, name)]
    return " and ".join(told) or "no context"


def _fan_counts(rules: Rules, mask: int, numbers: tuple[int, ...]) -> Iterator[FanCount]:
    """The fan of a mask with what each counts."""
    is_alone = mask & (mask - 1) == 0
    for place, fan in enumerate(rules.fans):
        if mask >> place & 1:
            value = fan.values[numbers[_FACT_PLACES[fan.fact]]]
            yield FanCount(fan, fan.alone if is_alone and fan.alone else value)
    for place, together in enumerate(rules.together, len(rules.fans)):
        if mask >> place & 1:
            yield FanCount(together, together.value)
