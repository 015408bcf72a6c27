"""The command advise."""

import json

import pytest
from click.testing import CliRunner, Result

from paohuzi import discards, improving
from paohuzi.advice import reasons
from paohuzi.cli import main

DISCARDING = "34577s 34599b 8s | ti:0000b; wei:222s; chi:123b"
WAITING = "34577s 34599b | ti:0000b; wei:222s; chi:123b"


def run(*arguments: str) -> Result:
    return CliRunner(env={"LC_ALL": "C"}).invoke(main, ("advise", *arguments))


def test_table_has_the_advice_first_and_the_reasons_last() -> None:
    lines = run(DISCARDING).stdout.splitlines()
    assert lines[0].startswith("345778s 34599b")
    assert lines[1].split()[:2] == ["discard", "distance"]
    assert lines[2].split()[:4] == ["八", "8s", "0", "听"]
    assert len(lines) == 3 + len(discards(DISCARDING))
    assert lines[-1].startswith("8s: ready (听) for 12 copies")


def test_hand_that_waits_is_told_what_helps() -> None:
    lines = run(WAITING, "--visible", "7s 99b").stdout.splitlines()
    assert lines[1] == "distance 0 ready (听)"
    assert lines[2] == "self (自摸)"
    assert lines[3].split() == ["七", "7s", "hu", "to", "-1", "hu", "(胡)"]
    assert not [line for line in lines if "9b" in line and "hu" in line]


def test_json_holds_the_table() -> None:
    answer = json.loads(run(DISCARDING, "--json", "--rules", "luzhou", "--visible", "8s").stdout)
    rows = discards(DISCARDING, "8s", "luzhou")
    assert answer["advice"] == str(rows[0].tile) == answer["discards"][0]["tile"]
    assert [each["distance"] for each in answer["discards"]] == [row.distance for row in rows]
    assert [each["copies"] for each in answer["discards"]] == [row.copies for row in rows]
    assert answer["discards"][0]["danger"]["hu"] is True
    assert answer["visible"] == "8s"
    assert answer["distance"] == 0


def test_json_holds_the_tiles_that_help() -> None:
    query = "122458s 44b 8b 90b | peng:333b; chi:123s; wei:777b"
    answer = json.loads(run(query, "--json").stdout)
    found = improving(query)
    assert answer["distance"] == 2
    assert answer["advice"] is None
    assert [(each["tile"], each["source"], each["action"]) for each in answer["improving"]] == [
        (str(tile), source, taking.action) for (tile, source), taking in found.items()
    ]


def test_hopeless_hand_has_dashes() -> None:
    lines = run("4s 6s 9b | chi:345s; chi:456b; chi:678s; chi:789b; chi:567s; chi:345b").stdout.splitlines()
    assert lines[2].split() == ["六", "6s", "–", "0", "–", "–", "熟", "20", "–", "–"]
    assert "no discard leaves a hand that can win" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("123x",), "expected"),
        (("345s + 4s@self",), "expected a query without winning tile"),
        (("11s", "--visible", "111s"), "2 copies of 1s (一) in the query and 3 visible beside it"),
        (("11s", "--visible", "9"), "expected"),
    ],
)
def test_bad_input_is_told(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr


def test_advice_is_given_in_chinese() -> None:
    lines = run(DISCARDING, "--lang", "zh").stdout.splitlines()
    assert lines[1].split()[:3] == ["打", "距听", "进张"]
    assert lines[-1] == "打 八：听牌，可胡 12 张，平均付 7.2；生张，别家有 54 种进法，最多得 6 息"
    lines = run("7s 7789900b | chi:123s; chi:270b; peng:888b; wei:000s", "--lang", "zh").stdout.splitlines()
    assert lines[1:3] == ["距听 1", "自摸"]
    assert any(line.split()[:4] == ["柒", "7b", "吃", "柒捌玖，比"] for line in lines)


def test_reasons_of_json_are_in_the_language() -> None:
    answer = json.loads(run(DISCARDING, "--json", "--lang", "zh").stdout)
    assert answer["reasons"] == reasons(discards(DISCARDING), "zh")
    assert answer["advice"] == "8s"


def test_a_hand_that_nothing_helps_is_told_so() -> None:
    lines = run("4s | chi:345s; chi:456b; chi:678s; chi:789b; chi:567s; chi:345b", "--lang", "en").stdout
    assert lines.splitlines()[1:] == ["distance no win", "No tile brings it nearer."]


def test_equal_discards_are_told() -> None:
    query = "122458s 44b 8b 90b | peng:333b; chi:123s; wei:777b"
    assert "peng, discard 1s (or 2s 5s 8s)" in run(query, "--lang", "en").stdout
    first = json.loads(run(query, "--json").stdout)["improving"][0]
    assert (first["discard"], first["equal"]) == ("1s", ["5s", "8s"])
