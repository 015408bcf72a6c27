"""The command rules, and --rules with --set on the other commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from paohuzi.cli import main
from paohuzi.rules import Rules, load_rules, preset_names
from paohuzi.solver import divisions, solve, waits
from paohuzi.words import _WORDS, default_language

WIN = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
WAITING = "34577s 34599b | ti:0000b; wei:222s; chi:123b"
HALF_WITHOUT_GAIN = ("qq-half", "--set", "fan.haidi.alone=1")


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env={"LANG": "C", "LC_ALL": "", "LC_MESSAGES": "", **environment}).invoke(
        main, arguments
    )


def printed(*arguments: str, **environment: str) -> str:
    result = run(*arguments, **environment)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def objects(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed(*arguments).splitlines()]


# --- the list ---


def test_the_list_has_a_line_a_preset() -> None:
    lines = printed("rules").splitlines()
    assert lines[0].split() == ["name", "Chinese", "min", "xi", "wang", "seats", "about"]
    assert [line.split()[0] for line in lines[1:]] == [*preset_names()]
    [luzhou] = [line for line in lines if line.startswith("luzhou ")]
    assert luzhou.split(maxsplit=5) == ["luzhou", "泸州", "10", "0", "3", load_rules("luzhou").about]


def test_the_list_as_json() -> None:
    listed = objects("rules", "--json")
    assert [each["name"] for each in listed] == [*preset_names()]
    assert listed[-1] == {
        "name": "yongzhou-4",
        "chinese": "永州四王",
        "min_xi": 15,
        "wang": 4,
        "seats": 3,
        "about": load_rules("yongzhou-4").about,
    }


# --- one table's rules ---


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_rules_are_explained_with_every_fan(name: str, language: str) -> None:
    rules = load_rules(name)
    text = printed("rules", name, "--lang", language)
    assert text.startswith(f"{name}  {rules.chinese}\n")
    assert text.endswith(f" {rules.hash}\n")
    for fan in rules.fans:
        assert fan.chinese in text
        assert f"({fan.id})" in text
    assert {"en": "Each loser pays", "zh": "输家各付"}[language] in text


def lines_of(name: str, *arguments: str) -> list[str]:
    return [" ".join(line.split()) for line in printed("rules", name, *arguments).splitlines()]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("qq-basic", "Seven groups (门子) with at least 15 xi (胡息)."),
        ("qq-basic", "Discards cannot be won on."),
        ("qq-basic", "tun (囤) = (xi - 12) / 3, rounded down: 15 xi → 1, 18 xi → 2, 21 xi → 3, 24 xi → 4."),
        ("qq-basic", "红胡 red (hong) red tiles: 10 to 12 2"),
        ("qq-half", "乌胡, 对对胡 together (乌对): 10, in place of 5 + 4."),
        ("qq-full", "With 天胡: (2 xi - 12) / 3; 21 xi → 10."),
        ("qq-full", "红胡 red (hong) red tiles: 4, 7 or 11 to 12 2"),
        ("qq-full", "大 big (da) big tiles: 18 or more 6, +1 for each more"),
        ("qq-full", "Each loser pays tun x fan x 3, the stake."),
        ("qq-full", "Who flees (逃跑) pays (tun of what the two others could have + 8) x 3 to the room."),
        ("quan-mingtang", "印 red quads (yin) red quads 2 for each"),
        ("kaixin", "No face goes dead (臭牌) for peng (碰)."),
        ("kaixin", "A face goes dead (臭牌) for chi (吃) by a chi passed, one's own discard."),
        ("kaixin", "An own draw (自摸) adds 1 fan, to 1 where there is none."),
        ("yongzhou", "Of 自摸, 单王吊, 双王吊 only the highest counts."),
        ("yongzhou", "2 wangs (王). Who holds one wins on own draws only."),
        (
            "yongzhou",
            "Hand drawn (荒庄): who holds wangs pays 5 a wang to each player without any.",
        ),
        ("yongzhou-4", "Not from one of the texts."),
        ("luzhou", "tun (囤) = xi / 10, rounded down: 10 xi → 1, 20 xi → 2, 30 xi → 3, 40 xi → 4."),
        ("luzhou", "Discards can be won on, and both losers pay."),
        ("luzhou", "Peng (碰) must be taken."),
        ("luzhou", "The fan are multiplied; without any (平胡) they are 1."),
    ],
)
def test_what_matters_is_said(name: str, line: str) -> None:
    assert line in lines_of(name)


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("fan.haidi.alone=1", "海底 last tile (haidi) won on the wall's last tile 2, 1 by itself"),
        ("fan.hongwu.cap=9", "红乌 very red (hongwu) red tiles: 13 or more 4, at most 9"),
        ("fan.wu.when=0,3", "乌胡 black (wu) red tiles: 0 or 3 5"),
        ("seats=4", "Four at the table: the seat opposite the dealer sits out (坐底)."),
        ("kan_splittable=yes", "In the win a kan (坎) or ti (提) in hand may be divided."),
        ("third_from_other=wei", "A third tile from another makes a triplet with the xi of a wei (偎)."),
        ("self_draw_forced=no", "An own draw need not become a wei (偎) or ti (提) in the win."),
        ("combine=none", "None."),
        ("tun_per=1", "tun (囤) = xi - 12, rounded down: 15 xi → 3, 16 xi → 4, 17 xi → 5, 18 xi → 6."),
        (
            "shown_win_by_other=tianhu_own_draw",
            "Another's win on the shown tile (亮张) is a 天胡 and an own draw.",
        ),
    ],
)
def test_a_change_is_said_too(setting: str, line: str) -> None:
    assert line in lines_of("qq-half", "--set", setting)


def test_switches_for_wangs_are_said_where_there_are_wangs() -> None:
    settings = ("--set", "wang_in_quad=no", "--set", "wang_in_triplet=no")
    for name, said in (("yongzhou", True), ("luzhou", False)):
        lines = lines_of(name, *settings)
        assert ("No wang in a quad." in lines, "No wang in a triplet." in lines) == (said, said)


def test_a_fan_that_is_switched_off_is_not_listed() -> None:
    assert "(haidi)" not in printed("rules", "qq-half", "--set", "fan.haidi.value=0")


def test_red_quads_that_grow_are_shown_by_their_first_counts() -> None:
    assert "印 red quads (yin) red quads 2, 6, 12 ..." in lines_of(
        "quan-mingtang", "--set", "fan.yin.grow=yes"
    )


def test_one_as_json_is_a_file_of_rules_and_its_hash() -> None:
    [fields] = objects("rules", *HALF_WITHOUT_GAIN, "--json")
    rules = load_rules("qq-half").with_options({"fan.haidi.alone": 1})
    assert fields.pop("hash") == rules.hash
    assert Rules.from_dict(fields) == rules


def test_a_file_is_explained_like_a_preset(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('extends = "luzhou"\nchinese = "我们的"\nmin_xi = 9\n', encoding="utf-8")
    lines = lines_of(str(path))
    assert lines[0] == "ours 我们的"
    assert "Seven groups (门子) with at least 9 xi (胡息)." in lines


# --- two of them ---


def test_a_comparison_shows_what_differs() -> None:
    lines = [line.split() for line in printed("rules", "--diff", "qq-basic", "kaixin").splitlines()]
    assert lines[0] == ["field", "qq-basic", "kaixin"]
    assert ["own_draw", "tun", "fan"] in lines
    assert ["peng_dead_by_discard", "yes", "no"] in lines
    assert ["fan.duidui", "-", "对对胡", "4"] in lines
    assert not [line for line in lines if line[0] in ("name", "chinese", "about", "source", "fan.hong")]


def test_a_comparison_as_json_has_both_values() -> None:
    [found] = objects("rules", "--json", "--diff", "qq-full", "baiwang")
    assert found["rules"] == ["qq-full", "baiwang"]
    assert found["fields"]["fan.hong.when"] == ["4,7,11-12", "10-12"]
    assert found["fields"]["flee_tun"] == [8, None]
    assert found["fields"]["fan.zhendian"] == [load_rules("qq-full").to_dict()["fan"]["zhendian"], None]
    assert "fan.wu.value" not in found["fields"]


@pytest.mark.parametrize("name", preset_names())
def test_rules_do_not_differ_from_themselves(name: str) -> None:
    assert printed("rules", "--diff", name, name) == "No difference in the rules.\n"


def test_hunan_differs_from_the_basic_rules_in_one_field() -> None:
    [found] = objects("rules", "--json", "--diff", "qq-basic", "hunan")
    assert found["fields"] == {"shown_hidden": [False, True]}


# --- words ---


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "en_US"}, "zh"),
    ],
)
def test_the_language_is_that_of_the_locale(environment: dict[str, str], language: str) -> None:
    assert default_language(environment) == language
    title = {"en": "name", "zh": "名字"}[language]
    assert printed("rules", **environment).startswith(title)


def test_chinese_answers_are_wholly_chinese() -> None:
    for name in preset_names():
        for line in printed("rules", name, "--lang", "zh").splitlines()[1:-1]:
            latin = "".join(sign for sign in line if sign.isascii() and sign.isalpha())
            ids = "".join(fan.id for fan in load_rules(name).fans if f"({fan.id})" in line)
            assert latin in ("", "S", "SS") or f"({ids})" in line, line


def test_every_text_has_both_languages_with_the_same_values() -> None:
    for key, texts in _WORDS.items():
        english, chinese = ({*re.findall(r"{(\w+)}", text)} for text in texts)
        assert chinese == english - {"english"}, key


# --- what is refused ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("beijing",), "expected the name of a preset (baiwang,"),
        (("none.toml",), "none.toml: cannot be read: No such file or directory"),
        (("--diff", "luzhou", "beijing"), "got 'beijing'"),
        (("luzhou", "--diff", "luzhou", "kaixin"), "expected NAME or --diff A B, got both"),
        (("--set", "min_xi=3"), "--set changes the rules NAME, and there is none"),
        (("luzhou", "--set", "min_xi"), "expected option=value, got 'min_xi'"),
        (
            ("luzhou", "--set", "fan.haidi.value=3"),
            "the id of a fan (hong, wu, tianhu, dihu), got 'haidi'",
        ),
        (("luzhou", "--lang", "fr"), "'fr' is not one of 'en', 'zh'"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[str, ...], message: str) -> None:
    result = run("rules", *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


# --- --rules on the other commands ---


def test_solve_and_divisions_take_the_rules_by_name() -> None:
    [answer] = objects("solve", "--json", "--rules", "luzhou", WIN)
    assert answer["xi"] == solve(WIN, "luzhou").xi
    assert answer["xi"] != solve(WIN).xi
    found = objects("divisions", "--json", "--rules", "luzhou", WIN)
    assert [each["xi"] for each in found] == [each.xi for each in divisions(WIN, "luzhou")]


def test_waits_takes_the_rules_by_name_and_set_changes_them() -> None:
    def waiting(*options: str) -> list[str]:
        [answer] = objects("waits", "--json", *options, WAITING)
        return [*answer["waits"]]

    assert waiting("--rules", "yongzhou") == [*map(str, waits(WAITING, rules="yongzhou"))]
    assert "W" in waiting("--rules", "yongzhou")
    for options in (("--rules", "yongzhou", "--set", "wang=0"), ("--set", "wang=0", "--rules", "yongzhou")):
        assert "W" not in waiting(*options)


def test_rules_of_a_file_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text("min_xi = 28\n", encoding="utf-8")
    [answer] = objects("solve", "--json", "--rules", str(path), WIN)
    assert (answer["xi"], answer["hu"]) == (27, False)
    path.write_text("min_xi = x\n", encoding="utf-8")
    result = run("solve", "--rules", str(path), WIN)
    assert result.exit_code == 2
    assert "expected TOML in UTF-8" in " ".join(result.stderr.split())


def test_deal_has_the_wangs_of_the_rules() -> None:
    def wangs(*options: str) -> int:
        return printed("deal", "--hands", "200", "--seed", "3", "-o", "-", *options).count("W")

    assert wangs() == 0
    assert wangs("--rules", "yongzhou-4") == wangs("--wang", "4") > 0
    assert wangs("--rules", "yongzhou-4", "--wang", "0") == 0
    assert wangs("--set", "wang=2") == wangs("--rules", "yongzhou")


def test_completion_offers_the_presets() -> None:
    environment = {
        "_PAOHUZI_COMPLETE": "bash_complete",
        "COMP_WORDS": "paohuzi solve --rules qq",
        "COMP_CWORD": "3",
    }
    offered = CliRunner(env=environment).invoke(main, [], prog_name="paohuzi").stdout
    assert offered.split() == ["plain,qq-basic", "plain,qq-full", "plain,qq-half"]
