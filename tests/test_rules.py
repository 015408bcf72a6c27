"""Rules: their fields, their native form, and options given as texts."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import pickle
import re
import struct
from typing import Any

import numpy as np
import pytest
from comparing import parse_legal
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from scoring_drafts import themed_queries
from strategies import outcome, rules, whole_rules

from paohuzi import Context, score
from paohuzi.rules import DEFAULT_RULES, FACTS, LUZHOU_RULES, Fan, Rules, Title, Together, XiTable, load_rules
from paohuzi.rules.rules import _greatest_base, _greatest_fan
from paohuzi.tiles import NotationError

OTHER_FIELDS = ("fans", "together", "titles")
OPTION_NAMES = [
    field.name for field in dataclasses.fields(Rules) if field.init and field.name not in OTHER_FIELDS
]

# struct Rules of csrc/rules.hpp, laid out by the rule of its compilers.
NATIVE_OPTIONS = np.dtype(
    [
        ("xi", "<i2", 20),
        ("min_xi", "<i2"),
        *((name, "u1") for name in ("split", "wei", "forced", "quad", "triplet")),
    ],
    align=True,
)
NATIVE_PLAY = np.dtype(
    [
        (name, "u1")
        for name in ("seats", "wang", "discards_win", "peng_forced", "shown_hidden", "wang_penalty")
    ]
    + [("dead", "u1", 6)],
    align=True,
)
NATIVE_FAN = np.dtype(
    [("fact", "u1"), ("exclusive", "u1"), ("alone", "<i2"), ("values", "<i2", 27)], align=True
)
NATIVE_TOGETHER = np.dtype([("parts", "<u4"), ("value", "<i2")], align=True)
NATIVE_SCORING = np.dtype(
    [(name, "<i2") for name in ("tun_less", "tun_per", "tianhu_xi_factor")]
    + [(name, "u1") for name in ("own_draw", "combine", "other_shown", "fan_count", "together_count")]
    + [("fans", NATIVE_FAN, 24), ("together", NATIVE_TOGETHER, 8)],
    align=True,
)
NATIVE_RULES = np.dtype(
    [("options", NATIVE_OPTIONS), ("play", NATIVE_PLAY), ("scoring", NATIVE_SCORING)], align=True
)
FACT_NUMBERS = {name: number for number, name in enumerate(FACTS)}


def native(rules: Rules) -> Any:
    """The native form, read field by field."""
    assert len(rules.native) == NATIVE_RULES.itemsize == 1528
    return np.frombuffer(rules.native, NATIVE_RULES)[0]


def test_the_rules_by_default_decide_the_classic_divisions() -> None:
    assert Rules("classic").options == DEFAULT_RULES.options
    assert (DEFAULT_RULES.xi, DEFAULT_RULES.min_xi, DEFAULT_RULES.wang) == (XiTable.CLASSIC, 15, 0)
    assert (LUZHOU_RULES.xi, LUZHOU_RULES.min_xi, LUZHOU_RULES.discards_win) == (XiTable.LUZHOU, 10, True)
    assert (load_rules("qq-basic"), load_rules("luzhou")) == (DEFAULT_RULES, LUZHOU_RULES)


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


@given(whole_rules())
def test_the_native_form_holds_what_play_and_score_need(rules: Rules) -> None:
    made = native(rules)
    assert made["options"].tobytes()[:47] == rules.options
    play, scoring = made["play"], made["scoring"]
    numbers = ("seats", "wang", "discards_win", "peng_forced", "shown_hidden", "wang_penalty")
    assert [play[name] for name in numbers] == [getattr(rules, name) for name in numbers]
    assert play["dead"].tolist() == [
        rules.chi_dead_by_passed_chi,
        rules.peng_dead_by_passed_chi,
        rules.peng_dead_by_passed_peng,
        rules.chi_dead_by_passed_peng,
        rules.chi_dead_by_discard,
        rules.peng_dead_by_discard,
    ]
    for name in ("tun_less", "tun_per", "tianhu_xi_factor"):
        assert scoring[name] == getattr(rules, name)
    assert ["nothing", "tun", "fan"][scoring["own_draw"]] == rules.own_draw
    assert ["sum", "product", "none"][scoring["combine"]] == rules.combine
    assert ["plain", "tianhu", "tianhu_own_draw"][scoring["other_shown"]] == rules.shown_win_by_other


@given(whole_rules())
def test_the_native_form_holds_every_fan(rules: Rules) -> None:
    scoring = native(rules)["scoring"]
    assert (scoring["fan_count"], scoring["together_count"]) == (len(rules.fans), len(rules.together))
    for fan, made in zip(rules.fans, scoring["fans"], strict=False):
        assert (made["fact"], made["alone"]) == (FACT_NUMBERS[fan.fact], fan.alone or 0)
        assert tuple(made["values"]) == fan.values
    exclusive = scoring["fans"]["exclusive"].tolist()
    for fan, number in zip(rules.fans, exclusive, strict=False):
        for other, other_number in zip(rules.fans, exclusive, strict=False):
            assert (fan.exclusive == other.exclusive) == (number == other_number)
        assert bool(number) == bool(fan.exclusive)
    for together, made in zip(rules.together, scoring["together"], strict=False):
        parts = [fan.id for place, fan in enumerate(rules.fans) if made["parts"] >> place & 1]
        assert (sorted(parts), made["value"]) == (sorted(together.of), together.value)


@given(whole_rules())
def test_rules_round_trip_through_dictionaries_and_json(rules: Rules) -> None:
    assert Rules.from_dict(rules.to_dict()) == rules
    loaded = Rules.from_dict(json.loads(json.dumps(rules.to_dict())))
    assert (loaded, loaded.hash, loaded.native) == (rules, rules.hash, rules.native)


@given(whole_rules(), whole_rules())
def test_the_hash_tells_rules_apart(rules: Rules, other: Rules) -> None:
    assert re.fullmatch("[0-9a-f]{64}", rules.hash)
    assert (rules.hash == other.hash) == (rules == other)


def test_the_hash_is_that_of_the_documented_text() -> None:
    text = json.dumps(DEFAULT_RULES.to_dict(), separators=(",", ":"))
    assert text.startswith('{"name":"qq-basic","chinese":"QQ\\u57fa')
    assert DEFAULT_RULES.hash == hashlib.sha256(text.encode("ascii")).hexdigest()


@given(whole_rules(), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_rules_round_trip(rules: Rules, protocol: int) -> None:
    assert eval(repr(rules)) == rules
    loaded = pickle.loads(pickle.dumps(rules, protocol))
    assert loaded == rules == copy.deepcopy(rules)
    assert (hash(loaded), loaded.options) == (hash(rules), rules.options)


@given(whole_rules(), whole_rules())
def test_options_can_be_given_as_texts(rules: Rules, other: Rules) -> None:
    options = {name: str(getattr(other, name)) for name in OPTION_NAMES} | {"xi": other.xi}
    kept = {name: getattr(rules, name) for name in OTHER_FIELDS}
    assert rules.with_options(options) == dataclasses.replace(other, **kept)


@pytest.mark.parametrize(
    ("preset", "options", "values"),
    [
        ("qq-half", {"fan.haidi.alone": "1"}, {"haidi": {1: 2}}),
        ("qq-full", {"fan.xiao.cap": "16"}, {"xiao": {15: 0, 16: 8, 24: 16, 26: 16}}),
        ("quan-mingtang", {"fan.yin.grow": "yes"}, {"yin": {0: 0, 1: 2, 2: 6, 3: 12}}),
        (
            "qq-full",
            {"fan.hong.when": "2, 8-9", "fan.wu.value": "0"},
            {"hong": {2: 2, 8: 2, 7: 0}, "wu": {0: 0}},
        ),
    ],
)
def test_a_field_of_a_fan_is_an_option(
    preset: str, options: dict[str, object], values: dict[str, dict[int, int]]
) -> None:
    changed = load_rules(preset).with_options(options)
    for fan, expected in values.items():
        assert {number: changed.fan(fan).values[number] for number in expected} == expected


def test_options_of_fan_may_be_taken_back() -> None:
    half = load_rules("qq-half")
    changed = half.with_options({"fan.haidi.alone": "1", "together.wudui.value": "11"})
    assert (changed.fan("haidi").alone, changed.together[0].value) == (1, 11)
    assert changed.with_options({"fan.haidi.alone": "none", "together.wudui.value": 10}) == half


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
    (
        "min_xy",
        "10",
        "expected an option (name, chinese, about, source, seats, wang, xi, min_xi, kan_splittable,",
    ),
    ("min_xi", "ten", "expected a whole number from 0 to 7000 for min_xi, got 'ten'"),
    ("min_xi", "-1", "expected a whole number from 0 to 7000 for min_xi, got -1"),
    ("wang", "5", "expected a whole number from 0 to 4 for wang, got 5"),
    ("discards_win", "maybe", "expected yes or no for discards_win, got 'maybe'"),
    ("third_from_other", "kan", "expected 'peng' or 'wei' for third_from_other, got 'kan'"),
    ("xi", "beijing", "expected a XiTable (classic, luzhou) for xi, got 'beijing'"),
    ("wang", True, "expected a whole number from 0 to 4 for wang, got True"),
    ("flee_tun", "few", "expected a whole number from 0 to 32767 or none for flee_tun, got 'few'"),
    ("fans", "hong", "expected up to 24 Fan values for fans, got 'hong'"),
    ("fan.haidy.alone", "1", "expected the id of a fan (hong, dian, hongwu, wu), got 'haidy'"),
    ("fan.wu.points", "1", "expected a field of fan.wu (chinese, english, fact, value, when,"),
    ("fan.wu.value", "many", "expected a whole number from 0 to 32767 for fan.wu.value, got 'many'"),
    ("fan.wu.when", "27", 'expected numbers from 0 to 26, as 1, [4, 7], "10-12" or "13+" for fan.wu.when'),
    ("fan.wu.fact", "rot", "expected 'red' or 'big' or 'small'"),
    ("fan.wu", "1", "expected an option (name, chinese,"),
    ("together.x.value", "1", "expected the id of a together (there is none), got 'x'"),
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
    {"fans": None},
    {"fans": (3,)},
    {"titles": "no"},
    {"seats": 2},
    {"combine": "max"},
    {"tun_per": 0},
    {"flee_tun": -1},
]


@pytest.mark.parametrize("fields", WRONG_FIELDS)
def test_wrong_fields_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"for {next(iter(fields))}, got"):
        dataclasses.replace(DEFAULT_RULES, **fields)


def test_rules_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULT_RULES.min_xi = 10  # type: ignore[misc]


WU = Fan("wu", "乌胡", "black", "red", 5, when="0")
DUIDUI = Fan("duidui", "对对胡", "all alike", "duidui", 4)
WUDUI = Together("wudui", "乌对", "both", ("wu", "duidui"), 10)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"fans": (WU, WU)}, "expected different ids for fans and together, got 'wu' twice"),
        ({"fans": (WU,), "together": (WUDUI,)}, "(wu) for together.wudui.of, got 'duidui'"),
        ({"titles": (Title(9, "a", "a"), Title(9, "b", "b"))}, "expected titles with points that rise"),
        (
            {"fans": tuple(dataclasses.replace(WU, id=f"wu{i}") for i in range(25))},
            "expected up to 24 Fan values",
        ),
    ],
)
def test_fan_and_titles_have_to_agree(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Rules("wrong", **fields)


# --- what a payment may come to ---


def test_a_product_that_would_not_fit_is_refused() -> None:
    """The greatest base of the classic xi is 25 tun: (7 x 12 - 12) / 3, and one for the own draw."""
    fans = [Fan(name, "", "", name, 9000) for name in ("duidui", "haidi")]
    assert Rules("large", fans=tuple(fans), combine="product").combine == "product"
    fans.append(Fan("tianhu", "", "", "tianhu", 3))
    assert Rules("larger", fans=tuple(fans)).combine == "sum"
    message = (
        "expected payments up to 2147483647, got up to 25 tun x 243000000 fan: lower what the fan count or "
        "add them up, lower xi, or raise tun_per"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        Rules("larger", fans=tuple(fans), combine="product")


def test_a_sum_that_would_not_fit_is_refused() -> None:
    """The greatest base of these is 4 x 7000 + 1 tun."""
    row = (1000, 1000, 1000, 1000)
    xi = XiTable(peng=row, kan=row, pao=row, ti=row, r123=(0, 0), r27a=(0, 0))
    fields: dict[str, Any] = {"xi": xi, "tun_less": 0, "tun_per": 1, "tianhu_xi_factor": 4}
    fans = tuple(Fan(name, "", "", name, 30000) for name in ("duidui", "haidi", "tianhu"))
    message = "got up to 28001 tun x 90000 fan: lower what the fan count, lower xi, or raise tun_per"
    with pytest.raises(ValueError, match=re.escape(message)):
        Rules("large", fans=fans, **fields)
    assert Rules("none", fans=fans, combine="none", **fields).combine == "none"
    assert Rules("steps", fans=fans, **fields | {"tun_per": 2}).tun_per == 2


@settings(max_examples=300, deadline=None)
@given(whole_rules(), themed_queries(), st.sampled_from(["sum", "product"]), st.booleans())
def test_no_score_is_above_the_greatest_base_and_fan(
    rules: Rules, text: str, combine: str, is_last: bool
) -> None:
    query = parse_legal(text)
    try:
        rules = dataclasses.replace(rules, combine=combine, min_xi=0)
    except ValueError:
        reject()
    context = Context(last_tile=is_last and query.source in ("self", "other"))
    found = score(query, rules, context)
    if found.hu:
        assert found.base <= _greatest_base(rules)
        assert found.fan <= _greatest_fan(rules)


def test_of_fan_that_cannot_meet_the_product_takes_one() -> None:
    bands = [Fan(f"red{n}", "", "", "red", 9000, when=str(n)) for n in range(9)]
    ways = [Fan(name, "", "", name, 9000, exclusive="way") for name in ("own_draw", "wang_diao", "tianhu")]
    assert len(Rules("bands", fans=(*bands, *ways), combine="product").fans) == 12


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "expected the field name, and it is not there"),
        ({"name": "x", "min_xy": 3}, "got min_xy"),
        ({"name": "x", "xi": "beijing"}, "expected 'classic', 'luzhou' or a table of peng, kan"),
        ({"name": "x", "xi": {"peng": [1, 3, 1, 3]}}, "expected the field xi.kan, and it is not there"),
        (
            {"name": "x", "xi": DEFAULT_RULES.to_dict()["xi"] | {"ti": 3}},
            "list of whole numbers for xi.ti, got 3",
        ),
        (
            {"name": "x", "xi": DEFAULT_RULES.to_dict()["xi"] | {"ti": [3]}},
            "expected 4 numbers from 0 to 1000",
        ),
        ({"name": "x", "fan": 3}, "expected tables [fan.ID] for fan, got 3"),
        ({"name": "x", "fan": {"wu": 3}}, "expected a table for fan.wu, got 3"),
        ({"name": "x", "fan": {"wu": {"value": 3}}}, "expected the field fan.wu.fact, and it is not there"),
        (
            {"name": "x", "fan": {"wu": {"fact": "red"}}},
            "expected the field fan.wu.value, and it is not there",
        ),
        ({"name": "x", "fan": {"wu": {"fact": "rot", "value": 3}}}, "for fan.wu.fact, got 'rot'"),
        ({"name": "x", "fan": {"wu": {"fact": "red", "value": "3"}}}, "for fan.wu.value, got '3'"),
        ({"name": "x", "fan": {"wu": {"fact": "red", "value": 3, "wen": 1}}}, "got fan.wu.wen"),
        ({"name": "x", "fan": {"Wu!": {"fact": "red", "value": 3}}}, "for fan.Wu!.id, got 'Wu!'"),
        (
            {"name": "x", "together": {"a": {"of": ["wu"], "value": 3}}},
            "two or more different ids of fan for together.a.of",
        ),
        ({"name": "x", "titles": {}}, "expected a list for titles, got {}"),
        (
            {"name": "x", "titles": [{"points": "3"}]},
            "expected the field titles[0].chinese, and",
        ),
        (
            {"name": "x", "flee_tun": "8"},
            "expected a whole number from 0 to 32767 or None for flee_tun, got '8'",
        ),
    ],
)
def test_wrong_fields_of_a_dictionary_are_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        Rules.from_dict(fields)
