"""A score told line by line, in English with the Chinese terms or wholly in Chinese (docs/rules.md 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .._native import CONTEXT
from ..groups import Group
from ..notation import Hand, Query
from ..rules import FACTS, Fan, Rules, Together
from ..settlement import points
from ..solver import fitting_sizes, solve
from ..words import Section, Words
from .score import Score

__all__ = ["explain", "heading", "misfit", "sections", "tun_formula"]

_NOT_COUNTED = "·"


def explain(score: Score, lang: str) -> str:
    """The heading and the sections as one text. Raises ValueError for a language that is not there."""
    say = Words(lang)
    lines = heading(score, say)
    for section in sections(score, say):
        lines += [section.title, *(f"  {line}" for line in section.lines)]
    return "\n".join(lines)


def heading(score: Score, say: Words) -> list[str]:
    """What was asked, and in one line what the answer is."""
    told = [say(f"context_{name}") for name in CONTEXT if getattr(score.context, name)]
    with_context = [say("context", told=say.listed(told))] if told else []
    query = say.choose(str(score.query), score.query.chinese)
    if score.payment is None:
        return [query, *with_context, say("no_hu", why=_why_none(score, say))]
    return [query, *with_context, say("hu", payment=score.payment * score.rules.stake)]


def sections(score: Score, say: Words) -> Iterator[Section]:
    """The reckoning; of what is no win the best division, if there is one."""
    if score.payment is None:
        best = solve(score.query, score.rules)
        if best.xi is not None:
            yield Section(say("groups"), _group_lines(best.groups, score.rules, say))
            xi_line = _xi_line(best.groups, best.xi, score.rules, say)
            yield Section(say("xi_title"), [xi_line, say(f"route_{best.route}")])
        return
    yield Section(say("groups"), [*_group_lines(score.groups, score.rules, say), *_left_over(score, say)])
    yield Section(say("xi_and_tun"), [*_tun_lines(score, say)])
    yield Section(say("fan"), [*_fan_lines(score, say)])
    yield Section(say("to_pay"), [*_payment_lines(score, say)])


def tun_formula(xi: str, rules: Rules) -> str:
    """How the tun of a xi is found, the xi as a text: "(21 - 12) / 3"."""
    less = f"{xi} - {rules.tun_less}" if rules.tun_less else xi
    if rules.tun_per == 1:
        return less
    return f"({less}) / {rules.tun_per}" if rules.tun_less else f"{less} / {rules.tun_per}"


def misfit(query: Query, rules: Rules, say: Words) -> str:
    """The numbers of tiles that would fit, where that of the query does not; else nothing."""
    sizes = fitting_sizes(query, rules)
    if query.tile_count in sizes:
        return ""
    low, high = sizes[0], sizes[-1]
    fitting = str(low) if low == high else say("to", low=low, high=high)
    return say("misfit_1" if query.tile_count == 1 else "misfit", tiles=query.tile_count, fitting=fitting)


def _why_none(score: Score, say: Words) -> str:
    """Why a query is no win."""
    xi, rules = solve(score.query, score.rules).xi, score.rules
    if xi is None:
        return say("no_division") + misfit(score.query, rules, say)
    return say("low_xi", xi=xi, min_xi=rules.min_xi) if xi < rules.min_xi else say("on_discard")


def _group_lines(groups: Iterable[Group], rules: Rules, say: Words) -> list[str]:
    return [
        _counted(group.xi(rules.xi), say.choose(f"{group!s:14}{group.chinese}", group.chinese))
        for group in groups
    ]


def _counted(number: int | str, text: str) -> str:
    """A line with its number in front."""
    return f"{number:>3}  {text}"


def _left_over(score: Score, say: Words) -> Iterator[str]:
    """The tiles that a forced heaven leaves over."""
    used = [sum(counts) for counts in zip(*(group.counts for group in score.groups), strict=True)]
    left = Hand([have - taken for have, taken in zip(score.query.visible, used, strict=True)])
    if score.context.heaven and left.packed:
        yield say("left_over", tiles=say.choose(str(left), left.chinese))


def _xi_line(groups: Iterable[Group], xi: int, rules: Rules, say: Words) -> str:
    parts = [str(part) for group in groups if (part := group.xi(rules.xi))]
    return say("xi_total", sum=_equation(" + ".join(parts) or "0", xi))


def _equation(sum_of: str, total: int) -> str:
    return sum_of if sum_of == str(total) else f"{sum_of} = {total}"


def _tun_lines(score: Score, say: Words) -> Iterator[str]:
    rules, xi = score.rules, score.xi or 0
    minimum = say("enough_heaven") if score.context.heaven else say("enough", min_xi=rules.min_xi)
    yield _xi_line(score.groups, xi, rules, say) + minimum
    yield say(f"route_{score.route}")
    factor = rules.tianhu_xi_factor if score.number("tianhu") else 1
    if factor > 1:
        yield say("tianhu_times", factor=factor)
    counted = f"{factor} {say('times')} {xi}" if factor > 1 else str(xi)
    yield say("tun_found", sum=_equation(tun_formula(counted, rules), score.tun or 0)) + _rounding(
        factor * xi - rules.tun_less, rules, say
    )
    if score.number("own_draw") and rules.own_draw != "fan":
        yield say(f"own_draw_{rules.own_draw}")
    yield say("base", base=score.base)


def _rounding(steps: int, rules: Rules, say: Words) -> str:
    if steps < 0:
        return say("tun_least")
    return say("tun_rounded") if steps % rules.tun_per else ""


def _fan_lines(score: Score, say: Words) -> Iterator[str]:
    rules = score.rules
    if rules.combine == "none":
        yield say("combine_none")
    elif not score.fans:
        yield _counted(1, say("no_fan_met"))
    else:
        yield from (_fan_line(fan, score, say) for fan in _met(score))
        yield from (_together_line(each, score, say) for each in _together(score))
    values = [str(count.value) for count in score.fans] or ["1"]
    sign = f" {say('times')} " if rules.combine == "product" else " + "
    more = ""
    if score.number("own_draw") and rules.own_draw == "fan":
        more = " + 1"
        yield say("own_draw_fan")
    yield say("fan_total", sum=_equation(sign.join(values) + more, score.fan or 0))


def _met(score: Score) -> list[Fan]:
    """The fan whose condition is met, whether they count or not."""
    return [fan for fan in score.rules.fans if _value(fan, score)]


def _value(fan: Fan, score: Score) -> int:
    return fan.values[score.number(fan.fact)]


def _together(score: Score) -> list[Together]:
    return [count.fan for count in score.fans if isinstance(count.fan, Together)]


def _fan_line(fan: Fan, score: Score, say: Words) -> str:
    fact, number = FACTS[fan.fact], score.number(fan.fact)
    condition = say.choose(fact.english, fact.chinese)
    if fact.most > 1:
        condition = say("numbers", fact=condition, numbers=number)
    text = say("fan_met", name=_name(fan, say), condition=condition)
    for count in score.fans:
        if count.fan is fan:
            return _counted(count.value, text + (say("by_itself") if count.value == fan.alone else ""))
    return _counted(_NOT_COUNTED, text + _why_not(fan, score, say))


def _why_not(fan: Fan, score: Score, say: Words) -> str:
    """In place of which other a fan does not count: the highest of its kind, or one of both together."""
    rivals = [other for other in _met(score) if other.exclusive and other.exclusive == fan.exclusive]
    highest = max(rivals, key=lambda other: _value(other, score), default=fan)
    if highest is not fan:
        return say("not_beside", value=_value(fan, score), name=highest.chinese or highest.id)
    whole = next(each for each in _together(score) if fan.id in each.of)
    return say("counted_in", value=_value(fan, score), name=whole.chinese or whole.id)


def _together_line(together: Together, score: Score, say: Words) -> str:
    parts = [score.rules.fan(part) for part in together.of]
    sign = f" {say('times')} " if score.rules.combine == "product" else " + "
    instead = sign.join(str(_value(part, score)) for part in parts)
    names = say.listed(part.chinese or part.id for part in parts)
    return _counted(together.value, say("instead", name=_name(together, say), parts=names, sum=instead))


def _name(fan: Fan | Together, say: Words) -> str:
    chinese = fan.chinese or fan.id
    return say.choose(f"{chinese} {fan.english}".strip(), chinese)


def _payment_lines(score: Score, say: Words) -> Iterator[str]:
    payment, stake = score.payment or 0, score.rules.stake
    gain, *_, loss = points(payment, 0, score.rules)
    yield say("paid", base=score.base, fan=score.fan, payment=payment)
    if stake > 1:
        yield say("paid_stake", payment=payment, stake=stake, points=-loss)
    yield say("gained", gain=gain)
