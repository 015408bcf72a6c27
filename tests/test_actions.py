"""Actions: their texts in both scripts, their numbers, what is refused."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NATURAL_GROUPS

from paohuzi import Group, NotationError, Tile, _engine
from paohuzi.actions import HU, KINDS, PASS, PENG, Action, IllegalAction
from paohuzi.tiles import TILES, WANG

CHI_GROUPS = [group for group in NATURAL_GROUPS if group.kind == "chi"]
PLAIN = [HU, PASS, PENG]
discards = st.sampled_from(TILES[:WANG]).map(lambda tile: Action("discard", tile))
chi_groups = st.sampled_from(CHI_GROUPS)
chis = st.builds(lambda chi, bi: Action("chi", chi=chi, bi=bi), chi_groups, st.lists(chi_groups, max_size=2))
actions = st.one_of(st.sampled_from(PLAIN), discards, chis)


@given(actions)
def test_text_is_read_back(action: Action) -> None:
    assert Action.parse(str(action)) == action
    assert Action.parse(action.chinese) == action
    assert str(Action.parse(action.chinese)) == str(action)


@given(actions)
def test_repr_and_pickle_give_the_action_back(action: Action) -> None:
    assert eval(repr(action)) == action
    assert pickle.loads(pickle.dumps(action)) == action
    assert hash(Action.parse(str(action))) == hash(action)


@given(actions)
def test_number_is_that_of_one_action(action: Action) -> None:
    assert Action.from_number(action.number) == action
    assert Action.from_number(action.number).bi == action.bi


def test_numbers_are_those_of_the_engine_and_sort_alike() -> None:
    for preset in ("qq-basic", "kaixin", "yongzhou"):
        for seed in range(60):
            table = _engine.Table(_native(preset))
            table.deal_seed(seed)
            while not table.is_over:
                numbers = table.actions()
                offered = [Action.from_number(number) for number in numbers]
                assert [action.number for action in offered] == numbers
                assert all(first < second for first, second in pairwise(offered))
                assert [Action.parse(str(action)) for action in offered] == offered
                table.apply(numbers[seed % len(numbers)])


def _native(preset: str) -> bytes:
    from paohuzi import load_rules

    return load_rules(preset).native


def test_bi_stand_in_the_order_of_their_texts() -> None:
    texts = ["chi 123s + 234s + 22s2b", "chi 123s + 22s2b + 234s", "吃 一二三 + 二三四 + 二二贰"]
    assert {str(Action.parse(text)) for text in texts} == {"chi 123s + 22s2b + 234s"}
    assert Action.parse(texts[2]).chinese == "吃 一二三 + 二二贰 + 二三四"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("hu", "hu"),
        (" PENG ", "peng"),
        ("胡", "hu"),
        ("过", "pass"),
        ("過", "pass"),
        ("打五", "discard 5s"),
        ("打 拾", "discard 0b"),
        ("discard　５ｓ", "discard 5s"),
        ("chi 321s", "chi 123s"),
        ("吃二七十", "chi 270s"),
        ("chi 1b11s ＋123s", "chi 11s1b + 123s"),
    ],
)
def test_other_ways_to_write_are_understood(text: str, action: str) -> None:
    assert str(Action.parse(text)) == action


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "foo", "discard", "discard W", "discard 1s 2s", "discard 123s", "pass 1s", "hu hu"),
        *(
            "chi",
            "chi 1s",
            "chi 111s",
            "chi 12(3)s",
            "chi 123s +",
            "chi 123s + 111s",
            "吃",
            "打 王",
            "chi chi:123s",
        ),
        "chi 123s + 123s + 123s + 123s",
        "discard 1x",
        "+",
    ],
)
def test_what_is_no_action_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(NotationError, match=r"expected .* at character \d+ of"):
        Action.parse(text)


@given(st.text(max_size=30) | st.text("chi discard+123456 sb胡吃打", max_size=25))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        action = Action.parse(text)
    except NotationError:
        return
    assert Action.parse(str(action)) == action


@pytest.mark.parametrize(
    "parts",
    [
        {"kind": "discard"},
        {"kind": "discard", "tile": Tile(WANG)},
        {"kind": "hu", "tile": Tile(1)},
        {"kind": "chi"},
        {"kind": "chi", "chi": Group.parse("peng:111s")},
        {"kind": "chi", "chi": Group.parse("chi:12(3)s")},
        {"kind": "chi", "chi": CHI_GROUPS[0], "bi": CHI_GROUPS[:3]},
        {"kind": "pass", "chi": CHI_GROUPS[0]},
        {"kind": "kan"},
    ],
)
def test_parts_that_make_no_action_are_refused(parts: dict[str, object]) -> None:
    with pytest.raises(IllegalAction, match="expected one of"):
        Action(**parts)


@given(st.integers(-(1 << 50), 1 << 50) | st.integers(0, 6 << 32))
def test_number_of_no_action_is_refused(number: int) -> None:
    try:
        action = Action.from_number(number)
    except IllegalAction:
        return
    assert action.number == number


def test_kinds_are_those_of_the_notation() -> None:
    assert set(KINDS) == {"hu", "pass", "peng", "chi", "discard"}
