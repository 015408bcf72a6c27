"""Fan: for which numbers they apply and what they count."""

from __future__ import annotations

import dataclasses
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fans, outcome

from paohuzi.rules import FACTS, Fan, Rules, Title, Together

PLAIN = Fan("x", "", "", "red", 3)
RULES = Rules("one fan", fans=(PLAIN,))


@pytest.mark.parametrize(
    ("when", "text", "numbers"),
    [
        (1, "1", [1]),
        ("1", "1", [1]),
        ("13+", "13+", [*range(13, 27)]),
        ("10-12", "10-12", [10, 11, 12]),
        ([4, 7, 12, 11], "4,7,11-12", [4, 7, 11, 12]),
        (("4", "7 - 8", "26"), "4,7-8,26+", [4, 7, 8, 26]),
        (" 3, 1-2 ,2", "1-3", [1, 2, 3]),
        ("0+", "0+", [*range(27)]),
    ],
)
def test_a_condition_is_read_and_written_in_one_way(when: Any, text: str, numbers: list[int]) -> None:
    fan = dataclasses.replace(PLAIN, when=when)
    assert (fan.when, [*fan.numbers]) == (text, numbers)


@pytest.mark.parametrize(
    "when", ["", "x", "27", "-1", "12-10", "1++", "3+-5", 27, -1, 1.0, True, None, [], [None], [[1]]]
)
def test_what_is_no_condition_is_refused(when: Any) -> None:
    with pytest.raises(ValueError, match=r"expected numbers from 0 to 26, .* for fan.x.when, got "):
        dataclasses.replace(PLAIN, when=when)


@given(st.text(max_size=8))
def test_any_text_is_a_condition_or_refused(when: str) -> None:
    fan, refusal = outcome(lambda when: RULES.with_options({"fan.x.when": when}).fan("x"), when)
    if fan is None:
        assert "for fan.x.when, got" in str(refusal)
    else:
        assert dataclasses.replace(PLAIN, when=fan.when) == fan


def test_without_a_condition_a_fan_applies_from_one_on() -> None:
    assert (PLAIN.when, PLAIN.numbers) == ("1+", tuple(range(1, 27)))


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        ({"value": 5, "when": 0}, {0: 5, 1: 0}),
        ({"value": 4, "when": "13+", "each": 1}, {12: 0, 13: 4, 14: 5, 24: 15}),
        ({"value": 2, "each": 2}, {0: 0, 1: 2, 2: 4, 3: 6}),
        ({"value": 2, "each": 2, "grow": True}, {0: 0, 1: 2, 2: 6, 3: 12, 4: 20}),
        ({"value": 2, "grow": True}, {1: 2, 2: 4, 3: 6}),
        ({"value": 8, "when": "16+", "each": 1, "cap": 16}, {15: 0, 16: 8, 24: 16, 26: 16}),
        ({"value": 2, "when": [4, 7], "each": 1}, {4: 2, 5: 0, 7: 5}),
        ({"value": 0, "each": 3}, {1: 0, 2: 0, 26: 0}),
    ],
)
def test_what_a_fan_counts(fields: dict[str, Any], counts: dict[int, int]) -> None:
    fan = dataclasses.replace(PLAIN, **fields)
    assert {number: fan.values[number] for number in counts} == counts


@given(fans)
def test_the_counts_are_those_of_the_definition(fan: Fan) -> None:
    lowest = min(fan.numbers, default=0)
    for number, count in enumerate(fan.values):
        steps = [fan.value + fan.each * step for step in range(number - lowest + 1)]
        expected = (sum(steps) if fan.grow else steps[-1]) if number in fan.numbers else 0
        assert count == (expected if fan.cap is None else min(expected, fan.cap))


@given(fans)
def test_fan_round_trip(fan: Fan) -> None:
    assert eval(repr(fan)) == fan == pickle.loads(pickle.dumps(fan))
    assert len(fan.values) == 27


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "Hong"}, "expected a name of small letters, digits and _ for fan.Hong.id, got 'Hong'"),
        ({"fact": "rot"}, "expected 'red' or 'big' or"),
        ({"value": 40000}, "expected a whole number from 0 to 32767 for fan.x.value, got 40000"),
        ({"value": True}, "for fan.x.value, got True"),
        ({"value": 30000, "each": 300}, "expected fan.x.value to stay up to 32767, got 37500"),
        ({"grow": 1}, "expected True or False for fan.x.grow, got 1"),
        ({"cap": 0}, "expected a whole number from 1 to 32767 or None for fan.x.cap, got 0"),
        ({"alone": "2"}, "for fan.x.alone, got '2'"),
        ({"exclusive": None}, "expected a text for fan.x.exclusive, got None"),
    ],
)
def test_a_wrong_field_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        dataclasses.replace(PLAIN, **fields)


@pytest.mark.parametrize("of", ["ab", ("a",), ("a", "a"), ("a", 3), (), None])
def test_together_needs_two_fan(of: Any) -> None:
    with pytest.raises(ValueError, match=r"expected two or more different ids of fan for together\.t\.of"):
        Together("t", "", "", of, 3)


def test_titles_and_together_round_trip() -> None:
    for value in (Together("t", "合", "both", ("a", "b"), 3), Title(30, "短工", "day labourer")):
        assert eval(repr(value)) == value == pickle.loads(pickle.dumps(value))


def test_every_fact_has_a_greatest_number_and_both_names() -> None:
    assert all(1 <= fact.most <= 26 and fact.chinese and fact.english for fact in FACTS.values())
