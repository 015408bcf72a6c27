"""The command score, and waits --score."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from typing import Any

import pytest
from click.testing import CliRunner, Result
from golden_scores import IMPOSSIBLE, NUMBERS, SCORES, Case, each_case, rule_options
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import outcome

from paohuzi import NO_CONTEXT, Context, load_rules, score, wait_scores, waits
from paohuzi._native import CONTEXT
from paohuzi.cli import main
from paohuzi.cli.score import CONTEXT_HELP
from paohuzi.cli.score_lines import context_of, read_line

WIN = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
WAITING = "34577s 34599b | ti:0000b; wei:222s; chi:123b"
HEAVEN = "2222444555560000s 4000b"
KEYS = ["query", "payment", "base", "tun", "xi", "fan", "fans", "groups", "route", "error"]

Answer = dict[str, Any]


def run(*arguments: str, stdin: str | bytes = "", **environment: str) -> Result:
    known = {"LANG": "C", "LC_ALL": "", "LC_MESSAGES": "", **environment}
    return CliRunner(env=known).invoke(main, arguments, input=stdin)


def objects(result: Result) -> list[Answer]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def asked(query: str, **told: object) -> str:
    return json.dumps({"query": query, "context": told})


# --- lines of JSON ---


def test_an_object_a_query_has_exactly_the_documented_keys() -> None:
    result = run("score", "--json", "--rules", "qq-full", "--last-tile", WIN)
    assert result.exit_code == 0
    [answer] = objects(result)
    assert list(answer) == KEYS
    assert answer == {
        "query": WIN,
        "payment": 30,
        "base": 6,
        "tun": 5,
        "xi": 27,
        "fan": 5,
        "fans": [
            {"id": "jiadian", "name": "假点胡", "value": 3},
            {"id": "haidi", "name": "海底", "value": 2},
        ],
        "groups": ["ti:0000b", "wei:222s", "chi:123b", "chi:345s", "pair:77s", "chi:345b", "wei:999b"],
        "route": "wei",
        "error": None,
    }


def test_no_win_has_no_payment_and_no_error() -> None:
    [answer] = objects(run("score", "--json", "1s"))
    assert list(answer) == KEYS
    assert answer == dict.fromkeys(KEYS) | {"query": "1s", "fans": [], "groups": []}


def cases_by_rules() -> dict[str, list[Case]]:
    """The golden cases by the options of the command that they are asked with."""
    found = defaultdict(list)
    for case in SCORES:
        options = rule_options(case["options"])
        settings = [part for name, value in options.items() for part in ("--set", f"{name}={value}")]
        found[" ".join(["--rules", case["rules"], *settings])].append(case)
    return found


@pytest.mark.parametrize(("options", "cases"), cases_by_rules().items(), ids=[*cases_by_rules()])
def test_golden_scores_are_answered_line_by_line(options: str, cases: list[Case]) -> None:
    lines = "".join(asked(case["query"], **case["context"]) + "\n" for case in cases)
    result = run("score", "--json", *options.split(), "-", stdin=lines)
    assert result.exit_code == 0
    for case, answer in zip(cases, objects(result), strict=True):
        assert [answer[name] for name in ("query", *NUMBERS)] == [case[name] for name in ("query", *NUMBERS)]
        assert sorted(fan["name"] for fan in answer["fans"]) == sorted(case["fans"])
        assert answer["error"] is None


@each_case(IMPOSSIBLE)
def test_impossible_contexts_are_errors_of_their_lines(case: Case) -> None:
    lines = f"{asked(case['query'], **dict.fromkeys(case['context'], True))}\n{WIN}\n"
    result = run("score", "--json", "-", stdin=lines)
    assert result.exit_code == 1
    bad, good = objects(result)
    assert (bad["query"], bad["payment"], good["payment"]) == (case["query"], None, 12)
    assert "expected" in bad["error"]


@pytest.mark.parametrize(
    ("line", "query", "message"),
    [
        ("nonsense", "nonsense", "character 1"),
        ("11111s", "11111s", "5 copies of 1s"),
        ('{"query": "nonsense"}', "nonsense", "character 1"),
        ('{"query":', None, "expected a query or a JSON object, got"),
        ("[" * 40_000, None, "expected"),
        ('{"query": ' + "[" * 40_000, None, "expected a query or a JSON object, got"),
        ("{}", "{}", 'expected an object with a text as "query", got {}'),
        ('{"query": 3}', None, 'expected an object with a text as "query", got {'),
        ('{"query": null, "context": {}}', None, 'a text as "query"'),
        (
            '{"query": "1s", "rules": "luzhou"}',
            "1s",
            "keys of an object (query, context), got rules",
        ),
        ('{"query": "1s", "context": null}', "1s", "expected an object as context, got null"),
        ('{"query": "1s", "context": ["dealer"]}', "1s", 'expected an object as context, got ["dealer"]'),
        (asked("1s", luck=True), "1s", "expected keys of context (last_tile, shown_tile, dealer,"),
        (asked("1s", dealer=1), "1s", "expected true or false for dealer, got 1"),
        (asked("1s", dealer="true"), "1s", 'expected true or false for dealer, got "true"'),
        (asked("1s", dealer=None), "1s", "expected true or false for dealer, got null"),
        ('{"query": "1s", "context": {}} x', None, "Extra data"),
        ("\ufeff" + asked("x"), "x", "character 1"),
    ],
)
def test_a_bad_line_has_its_error_and_the_others_go_on(line: str, query: str | None, message: str) -> None:
    result = run("score", "--json", "-", stdin=f"{WIN}\n{line}\n{WIN}\n".encode())
    assert result.exit_code == 1
    before, bad, after = objects(result)
    assert list(bad) == KEYS
    assert bad["query"] == (line if query is None else query)
    assert message in bad["error"]
    assert {name for name, value in bad.items() if value is None} == {*KEYS} - {"query", "error"}
    assert before == after == objects(run("score", "--json", WIN))[0]


@given(st.text(max_size=40) | st.text(max_size=20).map(lambda text: f'{{"query": "1s", {text}'))
@example('{"query": "1s", "context": {"dealer": true}')
@settings(deadline=None)
def test_any_line_is_read_or_refused(line: str) -> None:
    def read(line: str) -> Context:
        given_line = read_line(line)
        assert isinstance(given_line["query"], str)
        return context_of(given_line, NO_CONTEXT)

    context, refusal = outcome(read, line)
    assert context == NO_CONTEXT or "expected" in str(refusal)


def test_half_a_surrogate_pair_is_a_bad_line() -> None:
    result = run("score", "--json", "-", stdin='{"query": "\\ud800"}\n')
    assert result.exit_code == 1
    assert "expected" in objects(result)[0]["error"]


def test_the_flags_hold_for_all_lines_and_the_context_of_a_line_beside_them() -> None:
    lines = "\n".join([WIN, asked(WIN), asked(WIN, dealer=True), asked(WIN, last_tile=False)])
    result = run("score", "--json", "--rules", "qq-full", "--last-tile", "-", stdin=lines)
    assert [answer["payment"] for answer in objects(result)] == [30, 30, 30, 18]


def test_every_field_of_a_context_is_a_flag() -> None:
    assert tuple(CONTEXT_HELP) == CONTEXT
    [heaven] = objects(run("score", "--json", "--rules", "qq-full", "--heaven", "--dealer", HEAVEN))
    assert heaven["payment"] == 210
    [shown] = objects(
        run(
            "score",
            "--json",
            "--rules",
            "quan-mingtang",
            "--shown-tile",
            "--dealer",
            "122345678900s 122345670b",
        )
    )
    assert [fan["id"] for fan in shown["fans"]] == ["tianhu"]
    first = "222456789s 11177b 555b 990s + 9s@discard"
    [opening] = objects(run("score", "--json", "--rules", "luzhou", "--first-discard", "--untouched", first))
    context = Context(first_discard=True, untouched=True)
    assert opening["payment"] == score(first, "luzhou", context).payment


def test_chinese_queries_come_back_as_they_came() -> None:
    text = "一二二三四五六七八九十十 壹贰贰叁肆伍陆柒拾"
    [answer] = objects(run("score", "--json", text))
    assert (answer["query"], answer["payment"]) == (text, 2)


# --- for a person ---


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_for_a_person_it_is_the_explanation(lang: str) -> None:
    result = run("score", "--rules", "qq-full", "--lang", lang, WIN, "1s", HEAVEN)
    assert result.exit_code == 0
    found = (score(query, "qq-full") for query in (WIN, "1s", HEAVEN))
    assert result.stdout == "".join(f"{each.explain(lang)}\n\n" for each in found)


def test_the_language_is_that_of_the_locale() -> None:
    assert "Each loser pays" in run("score", WIN).stdout
    assert "输家各付" in run("score", WIN, LANG="zh_CN.UTF-8").stdout


def test_objects_are_read_for_a_person_too() -> None:
    result = run(
        "score", "--rules", "qq-full", "-", stdin=f"{asked(WIN, last_tile=True)}\nx\n{asked('1s', a=1)}\n"
    )
    assert result.exit_code == 1
    assert "With: the wall's last tile (海底)" in result.stdout
    assert result.stderr.count("Error: expected") == 2


def test_red_tiles_are_red_and_nothing_else_is() -> None:
    program = "from paohuzi.cli import main; main()"
    command = [sys.executable, "-c", program, "score", "--lang", "en", "--set", "fan.hong.english=十", WIN]
    environment = {**os.environ, "FORCE_COLOR": "1", "TERM": "xterm"}
    printed = subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode()
    assert re.findall("\x1b\\[1;31m([^\x1b]*)\x1b", printed) == [*"拾拾拾拾", *"二二二", "贰", *"七七"]


def test_a_context_that_cannot_be_is_told() -> None:
    result = run("score", "--dealer", "--shown-tile", "122345678900s 12234567b + 0b@other")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "expected no winning tile from another for the dealer's win on the shown tile" in result.stderr


# --- waits --score ---


@pytest.mark.parametrize("source", ["self", "other", "discard"])
@pytest.mark.parametrize("rules", ["qq-full", "luzhou", "yongzhou", "quan-mingtang"])
@pytest.mark.parametrize("query", [WAITING, "3457s 34599b W | ti:0000b; wei:222s; chi:123b", "1s"])
def test_waits_tell_what_each_pays(query: str, rules: str, source: str) -> None:
    result = run("waits", "--score", "--json", "--rules", rules, "--source", source, query)
    [plain] = objects(run("waits", "--json", "--rules", rules, "--source", source, query))
    [answer] = objects(result)
    if query == "1s":
        assert (result.exit_code, answer) == (1, plain)
        return
    for (face, wait), (tile, found) in zip(
        answer["waits"].items(), wait_scores(query, source, rules).items(), strict=True
    ):
        assert face == str(tile)
        assert wait == plain["waits"][face] | {
            "payment": found.payment,
            "base": found.base,
            "fan": found.fan,
            "fans": [{"id": fan.id, "name": fan.chinese, "value": fan.value} for fan in found.fans],
        }


def test_waits_on_a_discard_pay_only_where_discards_win() -> None:
    assert {found.payment for found in wait_scores(WAITING, "discard").values()} == {None}
    assert min(found.payment or 0 for found in wait_scores(WAITING, "discard", "luzhou").values()) > 0
    assert [*wait_scores(WAITING, "discard")] == [*waits(WAITING, "discard")]


def test_waits_with_scores_for_a_person() -> None:
    result = run("waits", "--score", "--rules", "qq-full", WAITING, "22334455667788990s 112b")
    assert result.exit_code == 0
    found = wait_scores(WAITING, rules=load_rules("qq-full"))
    groups = ["; ".join(map(str, each.groups)) for each in found.values()]
    assert all(text in result.stdout for text in groups)
    assert "玖 9b   27 xi  2 left  pays 18 = 6 tun x 3 fan (假点胡 3)  ti:0000b" in result.stdout
    assert "no waits (不听)" in result.stdout
    on_discard = run("waits", "--score", "--source", "discard", WAITING).stdout
    assert "7s   22 xi  2 left  pays nothing, not on a discard\n" in on_discard
