"""The reckoning in words: every number of it, in English with the Chinese terms and wholly in Chinese."""

import re

import pytest
from golden_scores import SCORES, Case, rule_options
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_drafts import themed_queries

from paohuzi import NO_CONTEXT, Context, IllegalHand, Query, Rules, Score, load_rules, preset_names, score
from paohuzi.rules import FACTS, Fan, Together
from paohuzi.words import LANGUAGES, Words

LAST = Context(last_tile=True)
WIN = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
BLACK_ALIKE = "99s | wei:333b; wei:444b; wei:555s; wei:666s; wei:888b; wei:555b + 9s@self"


def lines_of(found: Score, lang: str = "en") -> list[str]:
    return [" ".join(line.split()) for line in found.explain(lang).splitlines()]


def scored(case: Case) -> Score:
    rules = load_rules(case["rules"]).with_options(rule_options(case["options"]))
    return score(case["query"], rules, Context(**case["context"]))


def test_a_win_is_reckoned_line_by_line() -> None:
    assert (
        score(WIN, "qq-full", LAST).explain()
        == """\
34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self
With: the wall's last tile (海底)
胡 hu: each loser pays 90
Groups (门子)
   12  ti:0000b      提:拾拾拾拾
    3  wei:222s      偎:二二二
    6  chi:123b      吃:壹贰叁
    0  chi:345s      吃:三四五
    0  pair:77s      将:七七
    0  chi:345b      吃:叁肆伍
    6  wei:999b      偎:玖玖玖
xi and tun (胡息, 囤)
  12 + 3 + 6 + 6 = 27 xi, 15 needed
  The own draw makes a wei (偎).
  tun (囤) = (27 - 12) / 3 = 5
  An own draw (自摸) adds 1 tun.
  Base: 6 tun
Fan (番)
    3  假点胡 ten red (red tiles: 10)
    2  海底 last tile (won on the wall's last tile)
  3 + 2 = 5 fan
Payment (付)
  Each loser pays 6 x 5 = 30.
  With the stake of 3 each loser pays 30 x 3 = 90.
  The winner receives 180."""
    )


def test_a_win_is_reckoned_in_chinese() -> None:
    assert (
        score(WIN, "qq-full", LAST).explain("zh")
        == """\
三四五七七 叁肆伍玖玖 | 提:拾拾拾拾; 偎:二二二; 吃:壹贰叁 + 玖@自摸
情形：墩上最后一张
胡：输家各付 90
门子
   12  提:拾拾拾拾
    3  偎:二二二
    6  吃:壹贰叁
    0  吃:三四五
    0  将:七七
    0  吃:叁肆伍
    6  偎:玖玖玖
胡息与囤数
  12 + 3 + 6 + 6 = 27 胡息，15 胡息起胡
  自摸成偎。
  囤数 = (27 - 12) / 3 = 5
  自摸加 1 囤。
  共 6 囤
名堂
    3  假点胡（红字：10）
    2  海底（胡墩上最后一张）
  3 + 2 = 5 番
付
  输家各付 6 × 5 = 30。
  底分 3，输家各付 30 × 3 = 90。
  赢家得 180。"""
    )


@pytest.mark.parametrize(
    ("query", "rules", "options", "context", "lines"),
    [
        (WIN, "qq-basic", {}, NO_CONTEXT, ["2 红胡 red (red tiles: 10)", "2 fan", "The winner receives 24."]),
        ("122345678900s 122345670b", "hunan", {}, NO_CONTEXT, ["1 none (平胡)", "1 fan", "Base: 2 tun"]),
        (WIN, "luzhou", {"combine": "none"}, NO_CONTEXT, ["No fan count.", "1 fan"]),
        (
            WIN,
            "kaixin",
            {},
            NO_CONTEXT,
            ["An own draw (自摸) adds 1 fan, to 1 where there is none.", "2 + 1 = 3 fan"],
        ),
        (WIN, "baiwang", {"combine": "product"}, LAST, ["2 x 2 = 4 fan", "Each loser pays 6 x 4 = 24."]),
        (
            WIN,
            "luzhou",
            {},
            NO_CONTEXT,
            ["tun (囤) = 42 / 10 = 4, rounded down", "An own draw (自摸) adds 1 tun."],
        ),
        (WIN, "luzhou", {"tun_less": 9, "tun_per": 1}, NO_CONTEXT, ["tun (囤) = 42 - 9 = 33"]),
        (WIN, "qq-basic", {"tun_less": 50}, NO_CONTEXT, ["tun (囤) = (27 - 50) / 3 = 0, never less"]),
        (
            BLACK_ALIKE,
            "kaixin",
            {},
            NO_CONTEXT,
            [
                "· 对对胡 all alike (every group is a triplet, quad or pair): 4, counted in 乌对",
                "· 乌胡 black (red tiles: 0): 5, counted in 乌对",
                "10 乌对 black and all alike (乌胡, 对对胡 together, in place of 5 + 4)",
                "10 + 1 = 11 fan",
            ],
        ),
        (
            "44s | wei:333b; wei:666b; chi:123s; chi:456s; chi:270b; chi:789b + 4s@self",
            "qq-half",
            {"fan.haidi.alone": 1},
            LAST,
            ["1 海底 last tile (won on the wall's last tile), by itself", "1 fan"],
        ),
        (
            "220000s 2333666b W | chi:11s1b; chi:44s4b + W@self",
            "yongzhou-4",
            {},
            NO_CONTEXT,
            [
                "The wang (王) drawn joins those in hand.",
                "An own draw (自摸) adds nothing by itself.",
                "· 自摸 own draw (won on an own draw): 2, not beside 王钓王",
                "8 fan",
            ],
        ),
        (
            "2222444555560000s 4000b",
            "qq-full",
            {},
            Context(heaven=True),
            [
                "With: forced heaven (天胡)",
                "Left over: 6s 4b",
                "9 + 3 + 9 + 9 + 6 = 36 xi, any number wins",
                "With 天胡 the xi count 2 times.",
                "tun (囤) = (2 x 36 - 12) / 3 = 20",
            ],
        ),
        (
            "22s | pao:0000b",
            "qq-basic",
            {},
            NO_CONTEXT,
            ["不胡 no hu: no division (不成牌): 6 tiles, 21 would fit"],
        ),
        ("1s", "qq-basic", {}, NO_CONTEXT, ["不胡 no hu: no division (不成牌): 1 tile, 21 would fit"]),
        (WIN, "qq-basic", {"min_xi": 28}, NO_CONTEXT, ["不胡 no hu: 27 xi (胡息), 28 needed", "xi (胡息)"]),
        (
            WIN.replace("self", "discard"),
            "qq-basic",
            {},
            NO_CONTEXT,
            [
                "不胡 no hu: not on a discard",
                "12 + 3 + 6 + 3 = 24 xi",
                "The winning tile joins the free tiles (单张).",
            ],
        ),
    ],
)
def test_every_turn_of_the_reckoning_has_its_line(
    query: str, rules: str, options: dict[str, object], context: Context, lines: list[str]
) -> None:
    found = lines_of(score(query, load_rules(rules).with_options(options), context))
    assert [line for line in lines if line not in found] == []


@pytest.mark.parametrize("case", SCORES, ids=lambda case: str(case["id"]))
def test_known_scores_are_told_with_their_numbers(case: Case) -> None:
    found = scored(case)
    for lang in LANGUAGES:
        lines = lines_of(found, lang)
        if case["payment"] is None:
            assert any(line.startswith("不胡") for line in lines)
            continue
        for name in case["fans"]:
            assert any(name in line and line[0].isdigit() for line in lines)
        sign, unit = {"en": ("x", "xi"), "zh": ("×", "胡息")}[lang]
        assert any(f"{case['base']} {sign} {case['fan']} = {case['payment']}" in line for line in lines)
        assert any(f"{case['xi']} {unit}" in line for line in lines)


@settings(max_examples=300, deadline=None)
@given(themed_queries(), st.sampled_from(preset_names()))
def test_sums_and_products_are_right_and_chinese_is_wholly_chinese(text: str, rules: str) -> None:
    try:
        found = score(Query.parse(text), rules)
    except IllegalHand:
        return
    english, chinese = found.explain("en"), found.explain("zh")
    assert not re.search("[A-Za-z]", chinese)
    for line in (*english.splitlines(), *chinese.splitlines()):
        for sum_of, total in re.findall(r"(?<![\d(])([\d(][\d ()+×x/-]*) = (\d+)", line):
            least = max(0, eval(sum_of.replace("×", "*").replace("x", "*").replace("/", "//")))
            assert least == int(total), line


def test_fan_that_meet_are_told_whatever_the_order() -> None:
    """Of an exclusive word the highest; what that one is part of counts together."""
    fans = (
        Fan("a", "", "", "own_draw", 2, exclusive="way"),
        Fan("b", "", "", "haidi", 3, exclusive="way"),
        Fan("c", "丙", "", "red", 4, when="10"),
    )
    rules = Rules("made", fans=fans, together=(Together("d", "", "both", ("b", "c"), 9),))
    lines = lines_of(score(WIN, rules, LAST))
    assert "· a (won on an own draw): 2, not beside b" in lines
    assert "· b (won on the wall's last tile): 3, counted in d" in lines
    assert "· 丙 (red tiles: 10): 4, counted in d" in lines
    assert "9 d both (b, 丙 together, in place of 3 + 4)" in lines


def test_every_context_has_words() -> None:
    for context in ("last_tile", "shown_tile", "dealer", "untouched", "first_discard", "heaven"):
        for lang in LANGUAGES:
            assert Words(lang)(f"context_{context}")


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match="expected en or zh as language, got 'fr'"):
        score(WIN).explain("fr")


def test_numbers_of_facts_can_be_asked_for() -> None:
    found, none = score(WIN, "qq-full", LAST), score("1s")
    assert (found.number("red"), found.number("haidi"), found.number("yin")) == (10, 1, 1)
    assert {none.number(fact) for fact in FACTS} == {0}
    with pytest.raises(KeyError):
        none.number("luck")
