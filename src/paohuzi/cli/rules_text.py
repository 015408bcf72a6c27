"""Rules told in words: every switch that matters, the fan with what they count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ..groups import XiTable
from ..rules import FACTS, Fan, Rules
from ..scoring.explanation import tun_formula
from ..words import Section, Words

__all__ = ["differences", "explain", "fan_lines", "fan_rows", "summary"]

Fields: TypeAlias = dict[str, Any]
TUN_EXAMPLES = 4
GROWING_SHOWN = 3
XI_ROWS = ("peng", "kan", "pao", "ti", "r123", "r27a")
TABLES = ("xi", "fan", "together")
WORDS = ("name", "chinese", "english", "about", "source")  # fields that make no difference


def summary(rules: Rules, say: Words) -> str:
    """The rules in one line: what they are about, in Chinese the names of their fan."""
    return say.choose(rules.about, say.listed(fan.chinese for fan in rules.fans))


def explain(rules: Rules, say: Words) -> list[Section]:
    """The rules of a table without the fan."""
    return [
        Section(say("table"), [*_table_lines(rules, say)]),
        Section(say("win"), [*_win_lines(rules, say)]),
        Section(say("play"), [*_play_lines(rules, say)]),
        Section(say("score"), [*_score_lines(rules, say)]),
    ]


def _table_lines(rules: Rules, say: Words) -> Iterator[str]:
    yield say(f"seats_{rules.seats}")
    if rules.shown_hidden:
        yield say("shown_hidden")
    yield say("wang_n", wang=rules.wang) if rules.wang else say("wang_0")


def _win_lines(rules: Rules, say: Words) -> Iterator[str]:
    yield say("min_xi", min_xi=rules.min_xi)
    yield say("xi", table=say.listed(_xi_texts(rules.xi, say)))
    yield say("discards_yes" if rules.discards_win else "discards_no")
    if rules.kan_splittable:
        yield say("kan_splittable")
    if rules.third_from_other == "wei":
        yield say("third_from_other")
    if not rules.self_draw_forced:
        yield say("not_forced")
    if rules.wang and not rules.wang_in_quad:
        yield say("no_wang_in_quad")
    if rules.wang and not rules.wang_in_triplet:
        yield say("no_wang_in_triplet")


def _xi_texts(table: XiTable, say: Words) -> Iterator[str]:
    """Each group with its xi, the red ones where they differ."""
    for row in XI_ROWS:
        xi = getattr(table, row)
        plain, red = xi[:2], xi[2:]
        text = f"{say(f'xi_{row}')} {plain[0]}/{plain[1]}"
        yield text + (say("xi_red", red=f"{red[0]}/{red[1]}") if red and red != plain else "")


def _play_lines(rules: Rules, say: Words) -> Iterator[str]:
    if rules.peng_forced:
        yield say("peng_forced")
    for what in ("chi", "peng"):
        causes = [
            say(cause)
            for cause in ("by_passed_chi", "by_passed_peng", "by_discard")
            if getattr(rules, f"{what}_dead_{cause}")
        ]
        key = "dead" if causes else "never_dead"
        yield say(key, what=say(what), causes=say.listed(causes))


def _score_lines(rules: Rules, say: Words) -> Iterator[str]:
    unit = say("xi_unit")
    steps = [rules.min_xi + step * rules.tun_per for step in range(TUN_EXAMPLES)]
    examples = say.listed(f"{xi} {unit} → {rules.tun(xi)}" for xi in steps)
    yield say("tun", formula=tun_formula(unit, rules), examples=examples)
    if (factor := rules.tianhu_xi_factor) > 1:
        example = f"{steps[2]} {unit} → {rules.tun(factor * steps[2])}"
        yield say("tianhu", formula=tun_formula(f"{factor} {unit}", rules), examples=example)
    yield say(f"own_draw_{rules.own_draw}")
    yield say(f"combine_{rules.combine}")
    yield say("payment_stake", stake=rules.stake) if rules.stake > 1 else say("payment")
    if rules.shown_win_by_other != "plain":
        yield say(f"other_{rules.shown_win_by_other}")
    if rules.wang_penalty:
        yield say("wang_penalty", penalty=rules.wang_penalty * rules.stake)
    if rules.flee_tun is not None:
        yield say("flee", tun=rules.flee_tun, stake=rules.stake)
    if rules.titles:
        titles = (
            say("title", chinese=title.chinese, english=title.english, points=title.points)
            for title in rules.titles
        )
        yield say("titles", titles=" · ".join(titles))


def fan_rows(rules: Rules, say: Words) -> list[tuple[str, str, str]]:
    """Of every fan that is not switched off its names, its condition and what it counts."""
    return [
        (_fan_name(fan, say), _condition(fan, say), _count_text(fan, say))
        for fan in rules.fans
        if fan.value and rules.combine != "none"
    ]


def fan_lines(rules: Rules, say: Words) -> Iterator[str]:
    """What holds between the fan."""
    if not fan_rows(rules, say):
        yield say("no_fan")
        return
    for together in rules.together:
        parts = [rules.fan(part) for part in together.of]
        sum_of = " + ".join(str(max(part.values)) for part in parts)
        names = say.listed(part.chinese for part in parts)
        yield say("together", parts=names, name=together.chinese, value=together.value, sum=sum_of)
    for word in dict.fromkeys(fan.exclusive for fan in rules.fans if fan.exclusive):
        names = say.listed(fan.chinese for fan in rules.fans if fan.exclusive == word)
        yield say("exclusive", fans=names)


def _fan_name(fan: Fan, say: Words) -> str:
    return say.choose(f"{fan.chinese} {fan.english} ({fan.id})", f"{fan.chinese} ({fan.id})")


def _condition(fan: Fan, say: Words) -> str:
    fact = FACTS[fan.fact]
    name = say.choose(fact.english, fact.chinese)
    if fan.when == "1+":
        return name
    *others, last = (_numbers_text(part, say) for part in fan.when.split(","))
    numbers = say("or", first=say.listed(others), last=last) if others else last
    return say("numbers", fact=name, numbers=numbers)


def _numbers_text(part: str, say: Words) -> str:
    if part.endswith("+"):
        return say("or_more", number=part[:-1])
    low, dash, high = part.partition("-")
    return say("to", low=low, high=high) if dash else low


def _count_text(fan: Fan, say: Words) -> str:
    if fan.grow:
        counts = [fan.values[number] for number in fan.numbers[:GROWING_SHOWN]]
        text = say("growing", values=", ".join(map(str, counts)))
    elif fan.each and fan.each == fan.value and fan.when == "1+":
        text = say("each_of", value=fan.value)
    else:
        text = say("rising", value=fan.value, each=fan.each) if fan.each else str(fan.value)
    if fan.cap is not None:
        text += say("cap", cap=fan.cap)
    return text if fan.alone is None else text + say("alone", alone=fan.alone)


def differences(first: Rules, second: Rules) -> dict[str, tuple[Any, Any]]:
    """The fields that differ, words apart, with both values; None where one has no such field or fan."""
    one, other = first.to_dict(), second.to_dict()
    tables = {table: (one.pop(table), other.pop(table)) for table in TABLES}
    pairs = {name: (one.get(name), other.get(name)) for name in {**one, **other}}
    for table, (mine, theirs) in tables.items():
        pairs |= _of_table(table, mine, theirs)
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1] and not _is_word(name)}


def _is_word(name: str) -> bool:
    return name.rpartition(".")[2] in WORDS


def _of_table(table: str, one: Fields, other: Fields) -> dict[str, tuple[Any, Any]]:
    """The fields of a table with dots; a fan that only one of both has is a field itself."""
    pairs: dict[str, tuple[Any, Any]] = {}
    for key in {**one, **other}:
        mine, theirs, name = one.get(key), other.get(key), f"{table}.{key}"
        if isinstance(mine, dict) and isinstance(theirs, dict):
            pairs |= _of_table(name, mine, theirs)
        else:
            pairs[name] = (mine, theirs)
    return pairs
