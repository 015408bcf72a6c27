"""The presets: what is in them, and their names wherever rules are taken."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paohuzi import (
    Hand,
    batch,
    count_divisions,
    divisions,
    heaven_xi,
    is_hu,
    is_ready,
    max_xi,
    part_xi,
    ready_discards,
    solve,
    waits,
)
from paohuzi.rules import (
    DEFAULT_RULES,
    LUZHOU_RULES,
    Rules,
    RulesLike,
    XiTable,
    as_rules,
    load_rules,
    preset_names,
    presets,
)
from paohuzi.tiles import NotationError

NAMES = (
    *("baiwang", "changde-duohong", "changde-honghei", "hunan", "kaixin", "luzhou"),
    *("qq-basic", "qq-full", "qq-half", "quan-mingtang", "yongzhou", "yongzhou-4"),
)

# docs/rules.md 5.3: by preset and Chinese name, what some numbers of the fact count.
COUNTS: dict[str, dict[str, dict[int, int]]] = {
    "qq-basic": {
        "红胡": {9: 0, 10: 2, 12: 2, 13: 0},
        "点胡": {0: 0, 1: 3, 2: 0},
        "红乌": {12: 0, 13: 4, 24: 4},
        "乌胡": {0: 5, 1: 0},
    },
    "qq-half": {
        "红胡": {10: 2},
        "点胡": {1: 3},
        "红乌": {13: 4},
        "乌胡": {0: 5},
        "对对胡": {1: 4},
        "海底": {1: 2},
    },
    "qq-full": {
        "红胡": {3: 0, 4: 2, 5: 0, 6: 0, 7: 2, 8: 0, 10: 0, 11: 2, 12: 2, 13: 0},
        "真点胡": {1: 4, 2: 0},
        "假点胡": {9: 0, 10: 3, 11: 0},
        "红乌": {13: 4, 14: 5, 24: 15},
        "乌胡": {0: 5},
        "对对胡": {0: 0, 1: 5},
        "大": {17: 0, 18: 6, 26: 14},
        "小": {15: 0, 16: 8, 17: 9, 26: 18},
        "海底": {0: 0, 1: 2},
    },
    "quan-mingtang": {
        "点胡": {1: 4},
        "红胡": {9: 0, 10: 2, 24: 16},
        "乌胡": {0: 6},
        "对对胡": {1: 6},
        "大": {17: 0, 18: 6, 26: 6},
        "小": {15: 0, 16: 8, 26: 8},
        "海底": {1: 6},
        "天胡": {1: 6},
        "地胡": {1: 6},
        "听胡": {1: 6},
        "项项息": {0: 0, 1: 3},
        "印": {0: 0, 1: 2, 2: 4, 3: 6},
    },
    "hunan": {"红胡": {10: 2}, "点胡": {1: 3}, "红乌": {13: 4}, "乌胡": {0: 5}},
    "kaixin": {"红胡": {10: 2, 13: 0}, "点胡": {1: 3}, "红乌": {13: 4}, "对对胡": {1: 4}, "乌胡": {0: 5}},
    "baiwang": {
        "红胡": {10: 2, 13: 0},
        "海底": {1: 2},
        "点胡": {1: 3},
        "大": {17: 0, 18: 3, 19: 4, 26: 11},
        "小": {17: 0, 18: 4, 19: 5, 26: 12},
        "对对胡": {1: 4},
        "红乌": {13: 4},
        "乌胡": {0: 5},
    },
    "yongzhou": {
        "红胡": {9: 0, 10: 2, 24: 2},
        "点胡": {1: 3},
        "乌胡": {0: 4},
        "自摸": {0: 0, 1: 2},
        "单王吊": {0: 0, 1: 4, 2: 0},
        "双王吊": {1: 0, 2: 8},
    },
    "yongzhou-4": {
        "红胡": {10: 2},
        "点胡": {1: 3},
        "乌胡": {0: 4},
        "自摸": {1: 2},
        "王钓": {1: 4, 2: 0},
        "王钓王": {1: 8, 2: 0},
        "王闯": {1: 0, 2: 8, 3: 0},
        "王闯王": {2: 16},
        "王炸": {2: 0, 3: 16},
        "王炸王": {3: 32},
    },
    "luzhou": {"红胡": {9: 0, 10: 2, 24: 2}, "乌胡": {0: 4}, "天胡": {1: 2}, "地胡": {1: 2}},
    "changde-honghei": {"红胡": {10: 2}, "点胡": {1: 3}, "红乌": {13: 4}, "乌胡": {0: 5}, "对对胡": {1: 4}},
    "changde-duohong": {
        "红胡": {10: 2, 11: 3, 24: 16},
        "点胡": {1: 4},
        "乌胡": {0: 6},
        "对对胡": {1: 6},
        **{name: {1: 4} for name in ("天胡", "地胡", "海底", "听胡")},
    },
}
TOGETHER = {
    "qq-half": {"乌对": (("乌胡", "对对胡"), 10)},
    "kaixin": {
        "红对": (("红胡", "对对胡"), 6),
        "红乌对": (("红乌", "对对胡"), 8),
        "乌对": (("乌胡", "对对胡"), 10),
    },
}


def test_the_presets_are_these() -> None:
    assert preset_names() == NAMES
    installed = {file.name for file in (resources.files("paohuzi") / "presets").iterdir()}
    assert installed == {f"{name}.toml" for name in NAMES}
    assert set(COUNTS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_has_its_fan_and_what_they_count(name: str) -> None:
    rules = load_rules(name)
    assert {fan.chinese for fan in rules.fans} == set(COUNTS[name])
    for fan in rules.fans:
        expected = COUNTS[name][fan.chinese]
        assert {number: fan.values[number] for number in expected} == expected, fan.id
        assert fan.alone is None
        assert fan.cap is None


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_has_its_fan_that_count_another_number_together(name: str) -> None:
    rules = load_rules(name)
    found = {
        each.chinese: (tuple(rules.fan(part).chinese for part in each.of), each.value)
        for each in rules.together
    }
    assert found == TOGETHER.get(name, {})


@pytest.mark.parametrize("name", NAMES)
def test_only_the_ways_of_yongzhou_exclude_each_other(name: str) -> None:
    ways = {"自摸", "单王吊", "双王吊", "王钓", "王钓王", "王闯", "王闯王", "王炸", "王炸王"}
    assert {fan.chinese for fan in load_rules(name).fans if fan.exclusive} == ways & set(COUNTS[name])
    assert {fan.exclusive for fan in load_rules(name).fans} <= {"", "way"}


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_told_in_words_and_reads_as_its_own_dictionary(name: str) -> None:
    rules = load_rules(name)
    assert (rules.name, Rules.from_dict(rules.to_dict())) == (name, rules)
    assert rules.chinese
    assert re.fullmatch(r"[A-Z][^.]+\.", rules.about)
    assert all(fan.chinese and fan.english for fan in rules.fans)


# What else tells the presets apart: minimum, wang, tun, own draw, how fan combine, discards.
@pytest.mark.parametrize(
    ("names", "fields"),
    [
        (NAMES[:5] + NAMES[6:], {"min_xi": 15, "tun_less": 12, "tun_per": 3, "xi": XiTable.CLASSIC}),
        (("luzhou",), {"min_xi": 10, "tun_less": 0, "tun_per": 10, "xi": XiTable.LUZHOU}),
        (("luzhou",), {"discards_win": True, "peng_forced": True, "combine": "product", "own_draw": "tun"}),
        (NAMES[:5] + NAMES[6:], {"discards_win": False, "peng_forced": False}),
        (NAMES[:10], {"wang": 0, "wang_penalty": 0}),
        (("yongzhou",), {"wang": 2, "wang_penalty": 5, "own_draw": "nothing", "combine": "product"}),
        (("yongzhou-4",), {"wang": 4, "wang_penalty": 5, "own_draw": "nothing", "combine": "product"}),
        (("kaixin",), {"own_draw": "fan", "combine": "sum"}),
        ((*NAMES[:4], *NAMES[6:10]), {"own_draw": "tun", "combine": "sum"}),
        (("qq-full",), {"tianhu_xi_factor": 2, "shown_win_by_other": "tianhu", "stake": 3, "flee_tun": 8}),
        (
            [name for name in NAMES if name != "qq-full"],
            {
                "tianhu_xi_factor": 1,
                "shown_win_by_other": "plain",
                "stake": 1,
                "flee_tun": None,
                "titles": (),
            },
        ),
        (("hunan",), {"shown_hidden": True}),
        ([name for name in NAMES if name != "hunan"], {"shown_hidden": False}),
        (NAMES, {"seats": 3, "kan_splittable": False, "self_draw_forced": True, "third_from_other": "peng"}),
        (NAMES, {"wang_in_quad": True, "wang_in_triplet": True}),
    ],
)
def test_what_else_tells_the_presets_apart(names: list[str], fields: dict[str, Any]) -> None:
    for name in names:
        rules = load_rules(name)
        assert {field: getattr(rules, field) for field in fields} == fields, name


@pytest.mark.parametrize("name", NAMES)
def test_only_chi_goes_dead_in_kaixin_and_both_everywhere_else(name: str) -> None:
    rules = load_rules(name)
    dead = {field for field in rules.to_dict() if "_dead_" in field and getattr(rules, field)}
    everything = {field for field in rules.to_dict() if "_dead_" in field}
    assert len(everything) == 6
    only_chi = {"chi_dead_by_passed_chi", "chi_dead_by_discard"}
    assert dead == (only_chi if name == "kaixin" else everything)


@pytest.mark.parametrize(
    ("name", "xi", "tun"),
    [
        *(("qq-basic", *pair) for pair in ((15, 1), (17, 1), (18, 2), (20, 2), (21, 3), (24, 4), (11, 0))),
        *(("luzhou", *pair) for pair in ((9, 0), (10, 1), (19, 1), (20, 2))),
    ],
)
def test_tun_of_xi(name: str, xi: int, tun: int) -> None:
    assert load_rules(name).tun(xi) == tun


def test_tun_of_luzhou_by_the_other_reading() -> None:
    rules = LUZHOU_RULES.with_options({"tun_less": "9", "tun_per": "1"})
    assert [rules.tun(xi) for xi in (10, 11, 20)] == [1, 2, 11]


def test_the_titles_are_those_of_the_room() -> None:
    titles = load_rules("qq-full").titles
    assert [title.points for title in titles] == [
        *(0, 30, 60, 90, 180, 320, 530, 840, 1150, 1600, 2300, 3450, 5000, 6900, 9200, 12600),
        *(17700, 23000, 32200, 46000, 69000, 103000, 161000),
    ]
    assert "".join(title.chinese for title in titles[:3]) == "包身工短工长工"
    assert (titles[-1].chinese, len({title.english for title in titles})) == ("帝王", len(titles))


def test_a_preset_is_loaded_once() -> None:
    assert load_rules("kaixin") is load_rules("kaixin") is as_rules("kaixin")
    assert as_rules(DEFAULT_RULES) is DEFAULT_RULES is as_rules("qq-basic")


@pytest.mark.parametrize("name", ["", "beijing", "qq", "QQ-basic", "luzhou.yaml"])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    for load in (load_rules, as_rules):
        with pytest.raises(NotationError, match=rf"baiwang, changde-duohong, .*got '{name}'"):
            load(name)


@pytest.mark.parametrize("rules", [None, 3, b"luzhou", Path("luzhou")])
def test_what_is_no_rules_is_refused(rules: Any) -> None:
    with pytest.raises(TypeError, match=r"expected Rules, the name of a preset or a path \*\.toml, got"):
        as_rules(rules)


def test_a_preset_that_nobody_has_looked_at_is_a_value_like_any_other() -> None:
    def unread(name: str) -> Rules:
        return presets._preset.__wrapped__(name)

    kaixin = load_rules("kaixin")
    assert unread("kaixin") == kaixin
    assert hash(unread("kaixin")) == hash(kaixin)
    assert repr(unread("kaixin")) == repr(kaixin)
    assert pickle.loads(pickle.dumps(unread("kaixin"))) == kaixin == copy.deepcopy(unread("kaixin"))
    assert dataclasses.replace(unread("kaixin"), stake=2).stake == 2
    assert unread("kaixin").native == kaixin.native
    with pytest.raises(AttributeError, match="Rules have no 'min_xy'"):
        unread("kaixin").min_xy  # noqa: B018


# Every function that takes rules, with a hand for it.
WIN = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
WAITING = "34577s 34599b | ti:0000b; wei:222s; chi:123b"
WHOLE = "122345678900s 122345670b"
HEAVEN = "2222444555560000s 4000b"
PACKED = np.array([Hand.parse(WHOLE).packed], np.uint64)
ASKED: dict[str, Callable[[RulesLike], object]] = {
    "solve": lambda rules: solve(WIN, rules),
    "max_xi": lambda rules: max_xi(WIN, rules=rules),
    "is_hu": lambda rules: is_hu(WIN, rules=rules),
    "divisions": lambda rules: [*divisions(WIN, rules)],
    "count_divisions": lambda rules: count_divisions(WIN, rules),
    "waits": lambda rules: waits(WAITING, rules=rules),
    "is_ready": lambda rules: is_ready(WAITING, rules=rules),
    "ready_discards": lambda rules: ready_discards(WAITING.replace("577s", "577s 1s"), rules=rules),
    "heaven_xi": lambda rules: heaven_xi(HEAVEN, rules),
    "part_xi": lambda rules: part_xi(WAITING, rules),
    "batch.max_xi": lambda rules: batch.max_xi(PACKED, rules=rules).tolist(),
    "batch.is_hu": lambda rules: batch.is_hu(PACKED, rules=rules).tolist(),
    "batch.solve": lambda rules: batch.solve(batch.queries([WIN]), rules=rules).xi.tolist(),
    "batch.waits": lambda rules: batch.waits(batch.queries([WAITING]), rules=rules).tolist(),
    "batch.wait_xi": lambda rules: batch.wait_xi(batch.queries([WAITING]), rules=rules).tolist(),
    "batch.ready_discards": lambda rules: batch.ready_discards(PACKED, rules=rules).tolist(),
}


@pytest.mark.parametrize("function", ASKED)
def test_the_name_of_a_preset_does_for_its_rules(function: str) -> None:
    ask = ASKED[function]
    assert ask("luzhou") == ask(LUZHOU_RULES)
    assert ask("qq-basic") == ask(DEFAULT_RULES)


@pytest.mark.parametrize("function", ASKED)
def test_a_wrong_name_of_a_preset_is_refused_wherever_rules_are_taken(function: str) -> None:
    with pytest.raises(NotationError, match=r"expected the name of a preset \(baiwang, .*got 'beijing'"):
        ASKED[function]("beijing")
    with pytest.raises(TypeError, match=r"expected Rules, the name of a preset or a path \*\.toml, got 3"):
        ASKED[function](3)  # type: ignore[arg-type]
