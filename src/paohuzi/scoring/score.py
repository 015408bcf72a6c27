"""What a win pays, and why: the best of all divisions under a region's rules (docs/rules.md 3.6 and 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from .. import _native
from .._native import CONTEXT, FACTS
from ..groups import Group
from ..notation import Query
from ..rules import DEFAULT_RULES, Fan, Rules, RulesLike, Together, as_rules
from ..solver import QueryLike, as_query, waits
from ..tiles import IllegalHand, Tile

__all__ = ["NO_CONTEXT", "Context", "FanCount", "Score", "score", "wait_scores"]

_NO_WIN: tuple[Any, ...] = (None, None, None, None, None, 0, (), None, ())  # as _native.score answers a win
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
    flags: int = field(init=False, repr=False, compare=False)
    """The bit mask of the native side, bits in the order of the other fields."""

    def __post_init__(self) -> None:
        for name in CONTEXT:
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"expected True or False for {name}, got {getattr(self, name)!r}")
        flags = sum(getattr(self, name) << place for place, name in enumerate(CONTEXT))
        object.__setattr__(self, "flags", flags)


assert tuple(field.name for field in fields(Context) if field.init) == CONTEXT
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


class _ScoreSlots:
    """A score while it is made: setting the slots of a frozen one takes as long as the whole answer."""

    __slots__ = (
        *("payment", "base", "tun", "xi", "fan", "fans", "groups", "route", "numbers"),
        *("query", "rules", "context"),
    )


@dataclass(frozen=True, slots=True)
class Score(_ScoreSlots):
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
    Raises NotationError, IllegalHand, and IllegalHand for a context that this win cannot have, TypeError for
    what is none. See docs/rules.md 3.6 and 5.

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
    except AttributeError:
        raise TypeError(f"expected a Context, got {context!r}") from None
    made: Any = _ScoreSlots()
    made.payment, made.base, made.tun, made.xi, made.fan, mask, made.groups, made.route, numbers = (
        found or _NO_WIN
    )
    made.fans = tuple(_fan_counts(rules, mask, numbers)) if mask else ()
    made.numbers = numbers
    made.query, made.rules, made.context = query, rules, context
    made.__class__ = Score
    return made  # type: ignore[no-any-return]


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
    fans, is_alone = rules.fans, mask & (mask - 1) == 0
    while mask:
        place = (mask & -mask).bit_length() - 1
        mask &= mask - 1
        if place < len(fans):
            fan = fans[place]
            value = fan.values[numbers[_FACT_PLACES[fan.fact]]]
            yield FanCount(fan, fan.alone if is_alone and fan.alone else value)
        else:
            together = rules.together[place - len(fans)]
            yield FanCount(together, together.value)
