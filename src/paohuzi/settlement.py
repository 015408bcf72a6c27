"""Who pays whom after a hand, in whole numbers (docs/rules.md 4.10 to 4.12 and 5).

Seats go round the table, 0 to 2 or, with four seats, 0 to 3; the one opposite the dealer then sits out.
"""

from __future__ import annotations

from collections.abc import Sequence

from .rules import RulesLike, Title, as_rules
from .tiles import WANG_MAX

__all__ = [
    "beans",
    "drawn_points",
    "flee_penalty",
    "next_dealer",
    "playing_seats",
    "points",
    "title",
    "turn_order",
]

DRAWS_MAX = 3  # hands drawn in a row after which the deal is passed on


def playing_seats(rules: RulesLike, dealer: int = 0) -> tuple[int, ...]:
    """The seats that play: all but the one that sits out (坐底) of four.

    rules: Rules, or the name of a preset. dealer: the dealer's seat. Raises ValueError. See docs/rules.md
    4.12.

    >>> from paohuzi import load_rules
    >>> playing_seats("hunan"), playing_seats(load_rules("hunan").with_options({"seats": 4}), dealer=1)
    ((0, 1, 2), (0, 1, 2))
    """
    return tuple(sorted(turn_order(rules, dealer)))


def turn_order(rules: RulesLike, dealer: int = 0) -> tuple[int, int, int]:
    """The seats that play in their order: the dealer, the next player (下家), the previous one (上家).

    rules: Rules, or the name of a preset. dealer: the dealer's seat. Raises ValueError. See docs/rules.md
    4.12.

    >>> from paohuzi import load_rules
    >>> turn_order("hunan", 2), turn_order(load_rules("hunan").with_options({"seats": 4}), dealer=1)
    ((2, 0, 1), (1, 2, 0))
    """
    seats = as_rules(rules).seats
    _check_seat(dealer, seats, "dealer")
    return dealer, (dealer + 1) % seats, (dealer - 1) % seats


def points(payment: int, winner: int, rules: RulesLike, dealer: int = 0) -> tuple[int, ...]:
    """What a win brings to each seat: the winner has what the two losers pay, on a discard too.

    payment: of each loser at stake 1, 0 or more. winner, dealer: seats. rules: Rules, or the name of a
    preset; their stake multiplies. The sum is 0. Raises ValueError. See docs/rules.md 5.4.

    >>> points(6, 1, "qq-full")
    (-18, 36, -18)
    """
    rules = as_rules(rules)
    _check_whole(payment, "payment")
    playing = playing_seats(rules, dealer)
    if winner not in playing:
        raise ValueError(f"expected a seat that plays ({_listed(playing)}) as winner, got {winner!r}")
    made = [0] * rules.seats
    for loser in playing:
        made[loser] -= payment * rules.stake
        made[winner] += payment * rules.stake
    return tuple(made)


def drawn_points(wangs: Sequence[int], rules: RulesLike, dealer: int = 0) -> tuple[int, ...]:
    """What a drawn hand (荒庄) brings to each seat: holders of wangs (王) pay those without.

    wangs: by seat, 0 to 4. rules: Rules, or the name of a preset. The sum is 0. Raises ValueError. See
    docs/rules.md 4.10.

    >>> drawn_points([1, 0, 1], "yongzhou")
    (-5, 10, -5)
    """
    rules = as_rules(rules)
    playing = playing_seats(rules, dealer)
    _check_wangs(wangs, rules.seats, rules.wang)
    made = [0] * rules.seats
    for holder in playing:
        for other in playing:
            if wangs[holder] and not wangs[other]:
                made[holder] -= rules.wang_penalty * wangs[holder] * rules.stake
                made[other] += rules.wang_penalty * wangs[holder] * rules.stake
    return tuple(made)


def flee_penalty(rules: RulesLike, xi_of_others: Sequence[int]) -> int:
    """What a player who flees (逃跑) loses to the room; nobody receives it.

    rules: Rules, or the name of a preset. xi_of_others: the most xi that each of the two others could have
    (part_xi). Raises ValueError where fleeing costs nothing. See docs/rules.md 5.4.

    >>> flee_penalty("qq-full", [12, 9])
    33
    """
    rules = as_rules(rules)
    if rules.flee_tun is None:
        raise ValueError(f"expected rules with flee_tun, got {rules.name}, which has none")
    if len(xi_of_others) != 2:
        raise ValueError(f"expected the xi of two others, got {len(xi_of_others)}")
    for xi in xi_of_others:
        _check_whole(xi, "xi")
    return (rules.tun(sum(xi_of_others)) + rules.flee_tun) * rules.stake


def title(points: int, rules: RulesLike) -> Title:
    """The title (等级) of a player with so many points, which may be negative.

    points: a whole number. rules: Rules, or the name of a preset. Raises ValueError for what is none, and
    where there are no titles. See docs/rules.md 5.4.

    >>> title(100, "qq-full").chinese, title(-5, "qq-full").english
    ('佃工', 'bonded labourer')
    """
    rules = as_rules(rules)
    _check_points(points)
    if not rules.titles:
        raise ValueError(f"expected rules with titles, got {rules.name}, which has none")
    reached = [each for each in rules.titles if each.points <= points]
    return reached[-1] if reached else rules.titles[0]


def beans(points: int, factor: int) -> int:
    """The beans (欢乐豆) that points are worth in a room. factor: the room's, 1 or more. Raises ValueError.

    See docs/rules.md 5.4.

    >>> beans(-18, 50)
    -900
    """
    if type(factor) is not int or factor < 1:
        raise ValueError(f"expected a whole number from 1 as factor, got {factor!r}")
    _check_points(points)
    return points * factor


def next_dealer(dealer: int, winner: int | None, draws: int, rules: RulesLike) -> int:
    """Who deals the next hand: the winner, or the dealer again; after every third draw in a row the next.

    dealer, winner: seats, winner None for a drawn hand. draws: how many hands were drawn in a row, this one
    included. Raises ValueError. See docs/rules.md 4.10 and 4.11.

    >>> next_dealer(0, None, 2, "luzhou"), next_dealer(0, None, 3, "luzhou"), next_dealer(0, 2, 0, "luzhou")
    (0, 1, 2)
    """
    seats = as_rules(rules).seats
    _check_seat(dealer, seats, "dealer")
    _check_whole(draws, "draws")
    if winner is not None:
        _check_seat(winner, seats, "winner")
        return winner
    return (dealer + 1) % seats if draws and draws % DRAWS_MAX == 0 else dealer


def _check_seat(seat: int, seats: int, name: str) -> None:
    if type(seat) is not int or not 0 <= seat < seats:
        raise ValueError(f"expected a seat from 0 to {seats - 1} as {name}, got {seat!r}")


def _check_whole(number: int, name: str) -> None:
    if type(number) is not int or number < 0:
        raise ValueError(f"expected a whole number from 0 as {name}, got {number!r}")


def _check_points(points: int) -> None:
    if type(points) is not int:
        raise ValueError(f"expected a whole number as points, got {points!r}")


def _check_wangs(wangs: Sequence[int], seats: int, wang: int) -> None:
    if len(wangs) != seats:
        raise ValueError(f"expected the wangs of {seats} seats, got {len(wangs)}")
    for count in wangs:
        if type(count) is not int or not 0 <= count <= WANG_MAX:
            raise ValueError(f"expected 0 to {WANG_MAX} wangs (王) of a seat, got {count!r}")
    if sum(wangs) > wang:
        raise ValueError(f"expected at most the {wang} wangs (王) of the deck, got {sum(wangs)}")


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))
