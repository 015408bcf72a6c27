"""Rules: their fields, their native form, and options given as texts."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import outcome, rules

from paohuzi.rules import DEFAULT_RULES, LUZHOU_RULES, Rules, XiTable
from paohuzi.tiles import NotationError

OPTION_NAMES = [field.name for field in dataclasses.fields(Rules) if field.init]


def test_the_rules_by_default_are_the_classic_ones() -> None:
    assert Rules("classic") == DEFAULT_RULES
    assert (DEFAULT_RULES.xi, DEFAULT_RULES.min_xi, DEFAULT_RULES.wang) == (XiTable.CLASSIC, 15, 0)
    assert (LUZHOU_RULES.xi, LUZHOU_RULES.min_xi, LUZHOU_RULES.discards_win) == (XiTable.LUZHOU, 10, True)


def test_the_native_form_of_the_default_rules() -> None:
    xi = (1, 3, 1, 3, 3, 6, 3, 6, 6, 9, 6, 9, 9, 12, 9, 12, 3, 6, 3, 6)
    assert struct.unpack("<21h5B", DEFAULT_RULES.options) == (*xi, 15, 0, 0, 1, 1, 1)


@given(rules)
def test_the_native_form_holds_every_option(rules: Rules) -> None:
    numbers = struct.unpack("<21h5B", rules.options)
    table = rules.xi
    assert numbers[:20] == table.peng + table.kan + table.pao + table.ti + table.r123 + table.r27a
    assert numbers[20:22] == (rules.min_xi, rules.kan_splittable)
    assert numbers[22:24] == (rules.third_from_other == "wei", rules.self_draw_forced)
    assert numbers[24:] == (rules.wang_in_quad, rules.wang_in_triplet)


@given(rules, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_rules_round_trip(rules: Rules, protocol: int) -> None:
    assert eval(repr(rules)) == rules
    loaded = pickle.loads(pickle.dumps(rules, protocol))
    assert loaded == rules == copy.deepcopy(rules)
    assert (hash(loaded), loaded.options) == (hash(rules), rules.options)


@given(rules, rules)
def test_options_can_be_given_as_texts(rules: Rules, other: Rules) -> None:
    options = {name: str(getattr(other, name)) for name in OPTION_NAMES} | {"xi": other.xi}
    assert rules.with_options(options) == other


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"xi": "Luzhou"}, {"xi": XiTable.LUZHOU}),
        ({"xi": "classic", "min_xi": " 10 "}, {"xi": XiTable.CLASSIC, "min_xi": 10}),
        ({"kan_splittable": "YES", "wang_in_quad": "off"}, {"kan_splittable": True, "wang_in_quad": False}),
        ({"third_from_other": "Wei", "wang": "4"}, {"third_from_other": "wei", "wang": 4}),
        ({"self_draw_forced": False, "min_xi": 0}, {"self_draw_forced": False, "min_xi": 0}),
        ({}, {}),
    ],
)
def test_options_change_only_what_they_name(options: dict[str, object], fields: dict[str, Any]) -> None:
    assert DEFAULT_RULES.with_options(options) == dataclasses.replace(DEFAULT_RULES, **fields)


WRONG_OPTIONS = [
    ("min_xy", "10", "expected an option (name, xi, min_xi, kan_splittable, third_from_other,"),
    ("min_xi", "ten", "expected a whole number from 0 to 7000 for min_xi, got 'ten'"),
    ("min_xi", "-1", "expected a whole number from 0 to 7000 for min_xi, got -1"),
    ("wang", "5", "expected a whole number from 0 to 4 for wang, got 5"),
    ("discards_win", "maybe", "expected yes or no for discards_win, got 'maybe'"),
    ("third_from_other", "kan", "expected 'peng' or 'wei' for third_from_other, got 'kan'"),
    ("xi", "beijing", "expected a XiTable (classic, luzhou) for xi, got 'beijing'"),
    ("wang", True, "expected a whole number from 0 to 4 for wang, got True"),
]


@pytest.mark.parametrize(("name", "value", "message"), WRONG_OPTIONS)
def test_a_wrong_option_is_refused_with_what_was_expected(name: str, value: Any, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        DEFAULT_RULES.with_options({name: value})


@given(st.sampled_from(OPTION_NAMES) | st.text(max_size=8), st.text(max_size=8))
def test_any_text_is_an_option_or_a_notation_error(name: str, value: str) -> None:
    changed, refusal = outcome(lambda value: DEFAULT_RULES.with_options({name: value}), value)
    if changed is None:
        assert isinstance(refusal, NotationError)
        assert re.search("expected .*, got ", str(refusal), re.DOTALL)
    else:
        assert changed == DEFAULT_RULES.with_options({name: getattr(changed, name)})


WRONG_FIELDS = [
    {"min_xi": -1},
    {"min_xi": 15.0},
    {"wang": 5},
    {"xi": None},
    {"kan_splittable": 1},
    {"name": 3},
]


@pytest.mark.parametrize("fields", WRONG_FIELDS)
def test_wrong_fields_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"for {next(iter(fields))}, got"):
        dataclasses.replace(DEFAULT_RULES, **fields)


def test_rules_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULT_RULES.min_xi = 10  # type: ignore[misc]
