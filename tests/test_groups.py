"""Groups: what is one, their codes, texts and xi."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import EVERY_GROUP, NATURAL_GROUPS, groups, outcome, wild_texts

from paohuzi.groups import CODE_COUNT, KINDS, Group, XiTable
from paohuzi.tiles import IllegalHand, NotationError

GROUPS_HPP = Path(__file__).parent.parent / "csrc" / "groups.hpp"


def test_every_code_is_one_natural_group() -> None:
    assert [group.code for group in NATURAL_GROUPS] == list(range(1, CODE_COUNT))
    assert len({(group.kind, group.faces) for group in NATURAL_GROUPS}) == CODE_COUNT - 1


def test_codes_are_those_of_the_native_side() -> None:
    constants = re.findall(r"int (\w+)_CODE = (\d+);", GROUPS_HPP.read_text(encoding="utf-8"))
    first = {name: int(code) for name, code in constants}
    texts = {
        "RUN": "chi:123s", "R27A": "chi:270s", "JIAO_SMALL": "chi:11s1b", "JIAO_BIG": "chi:1s11b",
        "PAIR": "pair:11s", "PENG": "peng:111s", "KAN": "kan:111s", "WEI": "wei:111s",
        "CHOUWEI": "chouwei:111s", "PAO": "pao:1111s", "TI": "ti:1111s",
    }  # fmt: skip
    assert {name: Group.parse(text).code for name, text in texts.items()} == first
    last = {"chi:890b": 16, "chi:270b": 18, "chi:00s0b": 28, "chi:0s00b": 38, "ti:0000b": 178}
    assert {text: Group.parse(text).code for text in last} == last


def is_chi(faces: tuple[int, ...]) -> bool:
    """Three in a row, 2-7-10 or both cases of a rank, told from ranks and cases alone."""
    ranks = [face % 10 + 1 for face in faces]
    cases = {face // 10 for face in faces}
    if len(cases) == 2:
        return len(set(ranks)) == 1
    return ranks in ([ranks[0], ranks[0] + 1, ranks[0] + 2], [2, 7, 10])


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_a_group_is_what_the_rules_say(size: int) -> None:
    sizes = {"chi": 3, "pair": 2, "peng": 3, "kan": 3, "wei": 3, "chouwei": 3, "pao": 4, "ti": 4}
    known = {(group.kind, group.faces) for group in NATURAL_GROUPS}
    for faces in combinations_with_replacement(range(20), size):
        for kind in KINDS:
            is_right = is_chi(faces) if kind == "chi" and size == 3 else len(set(faces)) == 1
            assert ((kind, faces) in known) == (is_right and sizes[kind] == size)


def test_wangs_stand_last_among_equal_faces() -> None:
    for group in NATURAL_GROUPS:
        masks = product((False, True), repeat=len(group))
        made = {Group(group.kind, group.faces, wang).wang for wang in masks}
        assert made == {other.wang for other in EVERY_GROUP if other.code == group.code}
    assert str(Group("chi", (1, 1, 11), (True, False, False))) == "chi:2(2)s2b"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("kan:(222)s", "kan:(2)(2)(2)s"), ("kan:2(22)s", "kan:2(2)(2)s"), ("kan:(2)2(2)S", "kan:2(2)(2)s"),
        ("chi:2b22s", "chi:22s2b"), ("chi:2s2b2s", "chi:22s2b"), ("chi:(2)b(2)s2s", "chi:2(2)s(2)b"),
        ("CHI: 3 (1) 2 s ", "chi:(1)23s"), ("chi:0s7s2s", "chi:270s"), ("吃:一（二）三", "chi:1(2)3s"),
        ("臭偎:叁叁叁", "chouwei:333b"), ("將：柒柒", "pair:77b"), ("将:7b柒", "pair:77b"),
        ("跑:玖玖玖玖", "pao:9999b"),
    ],
)  # fmt: skip
def test_other_ways_to_write_a_group(text: str, canonical: str) -> None:
    assert str(Group.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "(kinds chi, peng, kan, wei, chouwei, pao, ti, pair), found nothing more at character 1 of ''"),
        ("333b", "expected a group as peng:333b"),
        ("pung:333b", "found 'pung:333b' at character 1 of 'pung:333b'"),
        ("peng:33b", "expected three equal tiles after 'peng:', found '33b' at character 6 of 'peng:33b'"),
        ("ti:3334b", "expected four equal tiles after 'ti:', found '3334b' at character 4"),
        ("pair:7s7b", "expected two equal tiles after 'pair:'"),
        ("chi:124s", "2-7-10 of one case (270s) or three of a rank in both cases (11s1b) after 'chi:'"),
        ("chi:890", "s (small, 小) or b (big, 大) after '890', found nothing more at character 8"),
        ("chi:12Ws", "found 'W' at character 7 of 'chi:12Ws'"),
        ("chi:12s王", "a wang (王) as the face it stands for in parentheses, found '王' at character 8"),
        ("chi:12(3s", "expected a digit or a Chinese character and ')' after '(', found 's' at character 9"),
        ("chi:12()3s", "found ')' at character 8"),
        ("chi:12((3))s", "found '(' at character 8"),
        ("chi:12)3s", "found ')' at character 7"),
    ],
)
def test_a_wrong_group_text_names_the_place_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        Group.parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("kind", "faces", "wang"),
    [
        ("chi", (0, 1, 3), ()), ("run", (0, 1, 2), ()), ("peng", (20, 20, 20), ()), ("pair", (3,), ()),
        ("pair", (), ()), ("pair", (3, 3), (True,)), ("pair", (3, 3), (False, True, False)),
    ],
)  # fmt: skip
def test_other_tiles_are_no_group(kind: str, faces: tuple[int, ...], wang: tuple[bool, ...]) -> None:
    with pytest.raises(IllegalHand, match="no such group"):
        Group(kind, faces, wang)


@pytest.mark.parametrize("native", [0, CODE_COUNT, 255, -1, 39 | 1 << 8, 59 | 8 << 8, 1 | 16 << 8])
def test_other_codes_are_no_group(native: int) -> None:
    with pytest.raises(IllegalHand):
        Group.from_native(native)
    with pytest.raises(IllegalHand):
        Group.from_natives([1, native])


@given(groups)
def test_a_group_reads_its_own_texts_and_codes(group: Group) -> None:
    assert Group.parse(str(group)) == Group.parse(group.chinese) == group
    assert eval(repr(group)) == group
    assert Group.from_code(group.code, group.wang_mask) is Group.from_native(group.native)
    assert Group.from_natives([group.native, 1]) == (group, Group.parse("chi:123s"))


@given(groups, st.data())
def test_the_order_of_the_tiles_does_not_matter(group: Group, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(list(zip(group.faces, group.wang, strict=True))))
    faces, wang = zip(*shuffled, strict=True)
    assert Group(group.kind, faces, wang) == group
    assert hash(Group(group.kind, faces, wang)) == hash(group)


@given(groups, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_a_group_can_be_pickled_and_copied(group: Group, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(group, protocol)) == group == copy.deepcopy(group)


@given(wild_texts(groups.map(str) | groups.map(lambda group: group.chinese)))
def test_any_text_is_a_group_or_a_notation_error(text: str) -> None:
    group, refusal = outcome(Group.parse, text)
    if group is None:
        assert isinstance(refusal, NotationError)
        assert re.search(r"expected .*, found .* at character \d+ of ", str(refusal), re.DOTALL)
    else:
        assert Group.parse(str(group)) == group


def test_a_group_knows_its_shape() -> None:
    jiao = Group.parse("chi:2(2)s2b")
    assert (jiao.wang_count, jiao.wang_mask, jiao.red_count, jiao.big_count, len(jiao)) == (1, 0b10, 3, 1, 3)
    assert jiao.counts == (0, 1, *[0] * 9, 1, *[0] * 8, 1)
    shapes = {group.kind: (group.is_quad, group.is_triplet, group.is_pair) for group in NATURAL_GROUPS}
    assert [kind for kind in KINDS if shapes[kind][0]] == ["pao", "ti"]
    assert [kind for kind in KINDS if shapes[kind][1]] == ["peng", "kan", "wei", "chouwei"]
    assert [kind for kind in KINDS if shapes[kind][2]] == ["pair"]


def test_a_group_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Group.parse("pair:77b").kind = "chi"  # type: ignore[misc]
    assert Group.parse("pair:77b") != "pair:77b"


CLASSIC = {
    "peng:333s": 1, "peng:333b": 3, "kan:222s": 3, "wei:555b": 6, "chouwei:000s": 3, "pao:1111s": 6,
    "pao:2222b": 9, "ti:9999s": 9, "ti:7777b": 12, "chi:123s": 3, "chi:123b": 6, "chi:270s": 3, "chi:270b": 6,
    "chi:234s": 0, "chi:890b": 0, "chi:11s1b": 0, "chi:2s22b": 0, "pair:77b": 0, "kan:(2)(2)(2)b": 6,
    "chi:12(3)b": 6,
}  # fmt: skip
LUZHOU = {
    "peng:333s": 1, "peng:333b": 3, "peng:222s": 6, "peng:777b": 9, "kan:111s": 6, "wei:333b": 9,
    "kan:000s": 9, "chouwei:222b": 12, "pao:1111s": 9, "pao:3333b": 12, "pao:2222s": 12, "pao:7777b": 15,
    "ti:9999s": 12, "ti:9999b": 15, "ti:0000s": 15, "ti:0000b": 18, "chi:123s": 3, "chi:123b": 6,
    "chi:270s": 6, "chi:270b": 9, "chi:22s2b": 0, "pair:22s": 0,
}  # fmt: skip


@pytest.mark.parametrize(("table", "worth"), [(XiTable.CLASSIC, CLASSIC), (XiTable.LUZHOU, LUZHOU)])
def test_xi_is_that_of_the_table(table: XiTable, worth: dict[str, int]) -> None:
    assert {text: Group.parse(text).xi(table) for text in worth} == worth


def test_only_triplets_quads_123_and_2710_have_xi() -> None:
    without = [str(group) for group in NATURAL_GROUPS if group.xi() == 0]
    assert len(without) == 2 * (8 - 1) + 20 + 20
    assert not any(text.startswith(("peng", "kan", "wei", "chouwei", "pao", "ti")) for text in without)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"peng": (1, 3)}, "expected 4 numbers from 0 to 1000 as xi of peng, got (1, 3)"),
        ({"ti": (9, 12, 9, -1)}, "as xi of ti, got (9, 12, 9, -1)"),
        ({"r123": (3, 1001)}, "expected 2 numbers from 0 to 1000 as xi of r123"),
        ({"r27a": (3, 6.5)}, "as xi of r27a"),
    ],
)
def test_a_wrong_xi_table_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        dataclasses.replace(XiTable.CLASSIC, **changes)


def test_xi_rows_may_be_lists() -> None:
    lists: list[Any] = [
        list(getattr(XiTable.LUZHOU, name)) for name in ("peng", "kan", "pao", "ti", "r123", "r27a")
    ]
    assert XiTable(*lists) == XiTable.LUZHOU
    assert hash(XiTable(*lists)) == hash(XiTable.LUZHOU)
