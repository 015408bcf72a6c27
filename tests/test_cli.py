"""The command line: solve, waits, divisions and what all commands share."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paohuzi.cli import main
from paohuzi.cli.main import COMMANDS
from paohuzi.notation import Query
from paohuzi.solver import count_divisions, divisions, solve, waits

GOLDEN = Path(__file__).parent / "golden"
WIN = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
WAITING = "34577s 34599b | ti:0000b; wei:222s; chi:123b"
WHOLE = "122345678900s 122345670b"
ESCAPE = "\x1b["


def run(*arguments: str, stdin: str | bytes = "", **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, input=stdin)


def objects(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def started(*arguments: str) -> "subprocess.Popen[bytes]":
    """A process of its own; on Windows signals would differ, and there is no test for it."""
    command = [sys.executable, "-c", "from paohuzi.cli import main; main()", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, "PYTHONUTF8": "1"}
    )


def golden(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


# --- solve ---


def test_solve_prints_one_json_object_a_query() -> None:
    result = run("solve", "--json", WIN)
    assert result.exit_code == 0
    assert objects(result) == [
        {
            "query": WIN,
            "hu": True,
            "xi": 27,
            "groups": ["ti:0000b", "wei:222s", "chi:123b", "chi:345s", "pair:77s", "chi:345b", "wei:999b"],
            "route": "wei",
            "error": None,
        }
    ]


def test_solve_agrees_with_every_golden_win() -> None:
    cases = golden("wins.jsonl")
    for min_xi in {case["min_xi"] for case in cases}:
        group = [case for case in cases if case["min_xi"] == min_xi]
        lines = "".join(f"{case['query']}\n" for case in group)
        result = run("solve", "--json", "--set", f"min_xi={min_xi}", "-", stdin=lines)
        assert result.exit_code == 0
        for case, answer in zip(group, objects(result), strict=True):
            assert (answer["query"], answer["xi"], answer["hu"]) == (case["query"], case["xi"], case["hu"])


def test_solve_gives_a_bad_line_its_error_and_goes_on() -> None:
    result = run("solve", "--json", "-", stdin=f"{WIN}\nnonsense\n11111s\n{WHOLE}\n")
    assert result.exit_code == 1
    answers = objects(result)
    assert [answer["error"] is None for answer in answers] == [True, False, False, True]
    assert "character 1" in str(answers[1]["error"])
    assert "5 copies of 1s" in str(answers[2]["error"])
    assert answers[1] | {"error": ""} == {
        "query": "nonsense",
        "hu": None,
        "xi": None,
        "groups": None,
        "route": None,
        "error": "",
    }


def test_solve_of_a_hand_without_division_has_xi_null() -> None:
    [answer] = objects(run("solve", "--json", "1s"))
    assert (answer["hu"], answer["xi"], answer["groups"], answer["error"]) == (False, None, None, None)


def test_a_discard_wins_only_where_the_rules_say_so() -> None:
    query = WIN.replace("self", "discard")
    [shut] = objects(run("solve", "--json", query))
    [open_] = objects(run("solve", "--json", "--set", "discards_win=yes", query))
    assert (shut["hu"], shut["xi"]) == (False, 24)
    assert (open_["hu"], open_["xi"]) == (True, 24)


def test_blank_lines_a_byte_order_mark_and_carriage_returns_are_left_out() -> None:
    result = run("solve", "--json", "-", stdin=b"\xef\xbb\xbf" + f"\n{WIN}\r\n  \r\n\r\n{WHOLE}".encode())
    assert result.exit_code == 0
    assert [answer["query"] for answer in objects(result)] == [WIN, WHOLE]


def test_no_input_is_no_output() -> None:
    for command in ("solve", "waits", "score"):
        result = run(command, "--json", "-", stdin="")
        assert (result.exit_code, result.stdout) == (0, "")


def test_bytes_that_are_no_text_are_a_bad_line() -> None:
    result = run("solve", "--json", "-", stdin=b"\xff\xfe\x00\n" + WIN.encode() + b"\n")
    assert result.exit_code == 1
    assert [answer["xi"] for answer in objects(result)] == [None, 27]


def test_queries_in_chinese_are_answered_in_notation() -> None:
    [answer] = objects(run("solve", "--json", Query.parse(WIN).chinese))
    assert (answer["xi"], answer["groups"]) == (27, [str(group) for group in solve(WIN).groups])


def test_lines_over_several_blocks_are_all_answered() -> None:
    count = 6000
    result = run("solve", "--json", "-", stdin=f"{WIN}\n" * count)
    assert [answer["xi"] for answer in objects(result)] == [27] * count


def test_solve_for_a_person_names_groups_and_xi() -> None:
    result = run("solve", WIN, "1s", WIN.replace("9b@self", "9b@discard"))
    assert result.exit_code == 0
    assert "胡 hu: 27 xi" in result.stdout
    assert "偎 wei   玖玖玖" in result.stdout
    assert "no division" in result.stdout
    assert "not on a discard" in result.stdout


@pytest.mark.parametrize(
    ("query", "settings", "hint"),
    [
        ("1s", (), ": 1 tile, 21 would fit"),
        ("1122334455667788990s 112b", (), ": 22 tiles, 21 would fit"),
        ("345s 88b | pao:0000b + 8b@self", (), ": 10 tiles, 21 to 22 would fit"),
        ("1s W | ti:1111b; ti:2222b", (), ": 10 tiles, 22 to 23 would fit"),
        ("22221s", ("--set", "kan_splittable=yes"), ": 5 tiles, 21 would fit"),
        ("1133557799s 1133557799b 1s", (), ""),
        ("1122334455667788990s 11b + 2b@self", (), ": 22 tiles, 21 would fit"),
    ],
)
def test_solve_for_a_person_says_which_numbers_of_tiles_would_fit(
    query: str, settings: tuple[str, ...], hint: str
) -> None:
    line = run("solve", *settings, query).stdout.splitlines()[1]
    assert line == f"不胡 no hu: no division (不成牌){hint}"


def test_solve_for_a_person_puts_errors_aside() -> None:
    result = run("solve", "nonsense", WIN)
    assert result.exit_code == 1
    assert "27 xi" in result.stdout
    assert "nonsense" in result.stderr
    assert "nonsense" not in result.stdout


# --- waits ---


@pytest.mark.parametrize("case", golden("waits.jsonl"), ids=lambda case: str(case["id"]))
def test_waits_agree_with_the_golden_case(case: dict[str, object]) -> None:
    options = ["--source", str(case["source"]), "--set", f"min_xi={case['min_xi']}"]
    [answer] = objects(run("waits", "--json", *options, str(case["query"])))
    found = {face: wait["xi"] for face, wait in answer["waits"].items()}
    assert found == case["waits"]


def test_waits_count_the_copies_that_are_not_visible() -> None:
    [answer] = objects(run("waits", "--json", WAITING))
    assert answer["waits"]["7s"] == {"xi": 24, "left": 2}
    assert answer["waits"]["9s"] == {"xi": 21, "left": 4}


def test_waits_list_the_wang_where_the_rules_have_one() -> None:
    hand = WAITING.replace("34577s", "3457s W").replace("3457s W", "3457s").replace("99b |", "99b W |")
    [answer] = objects(run("waits", "--json", "--set", "wang=4", hand))
    assert answer["waits"]["W"]["left"] == 3
    [without] = objects(run("waits", "--json", hand))
    assert "W" not in without["waits"]


def test_waits_refuse_a_hand_that_is_not_one_tile_short() -> None:
    result = run("waits", "--json", "-", stdin=f"{WHOLE}\n{WIN}\nx\n{WAITING}\n")
    assert result.exit_code == 1
    answers = objects(result)
    assert [answer["waits"] is None for answer in answers] == [True, True, True, False]
    assert "20" in str(answers[0]["error"])
    assert "winning tile" in str(answers[1]["error"])


def test_waits_agree_with_the_library_one_by_one() -> None:
    for case in golden("waits.jsonl"):
        for source in ("self", "other"):
            [answer] = objects(run("waits", "--json", "--source", source, str(case["query"])))
            expected = {
                str(tile): solution.xi for tile, solution in waits(str(case["query"]), source).items()
            }
            assert {face: wait["xi"] for face, wait in answer["waits"].items()} == expected


def test_waits_for_a_person() -> None:
    result = run("waits", WAITING, "22334455667788990s 112b")
    assert result.exit_code == 0
    assert "七 7s   24 xi  2 left" in result.stdout
    assert "no waits" in result.stdout


# --- divisions ---


def test_divisions_come_best_first() -> None:
    query = "1223377880s 1112370b WWWW"
    result = run("divisions", "--json", "--limit", "50", query)
    answers = objects(result)
    assert [answer["xi"] for answer in answers] == sorted((answer["xi"] for answer in answers), reverse=True)
    for answer, division in zip(answers, divisions(query), strict=False):
        assert answer["groups"] == [str(group) for group in division.groups]


def test_divisions_are_counted() -> None:
    query = "1123s 1112233b W | chi:456s; chi:456b; chi:678b"
    count = count_divisions(query)
    assert run("divisions", "--count", query).stdout == f"{count}\n"
    assert len(objects(run("divisions", "--json", query))) == count
    assert len(run("divisions", query).stdout.splitlines()) == count + 1


def test_divisions_of_a_hand_that_has_none() -> None:
    assert "no division" in run("divisions", "1s").stdout
    assert run("divisions", "--count", "1s").stdout == "0\n"
    assert run("divisions", "--json", "1s").stdout == ""


def test_no_divisions_at_all_cannot_be_asked_for() -> None:
    assert run("divisions", "--limit", "0", WHOLE).exit_code == 2


def test_divisions_of_nonsense_say_what_is_wrong() -> None:
    result = run("divisions", "nonsense")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "character 1" in result.stderr


# --- all commands ---


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout
    assert f"  paohuzi {name}" in result.stdout or f"(paohuzi {name}" in result.stdout


def test_help_lists_every_command_without_loading_what_they_need() -> None:
    program = (
        "import sys; from paohuzi.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('pyarrow', 'rich', 'paohuzi.cli.queries') if name in sys.modules])"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert all(f"  {name}" in output for name in COMMANDS)
    assert output.endswith("[]\n")


@pytest.mark.parametrize(
    "setting", ["min_xi", "min_xi=x", "nothing=1", "xi=other", "wang=5", "discards_win=2"]
)
def test_a_wrong_setting_is_refused_with_what_is_expected(setting: str) -> None:
    result = run("solve", "--set", setting, WIN)
    assert result.exit_code == 2
    assert "expected" in result.stderr


def test_an_unknown_command_is_refused() -> None:
    assert run("solv", WIN).exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_ask_the_program(shell: str) -> None:
    assert f"_PAOHUZI_COMPLETE={shell}_complete" in run("completion", shell).stdout


def test_completion_offers_commands_and_options() -> None:
    environment = {"_PAOHUZI_COMPLETE": "bash_complete", "COMP_WORDS": "paohuzi di", "COMP_CWORD": "1"}
    assert "divisions" in CliRunner(env=environment).invoke(main, [], prog_name="paohuzi").stdout


def test_output_is_plain_when_piped_and_red_tiles_are_red_on_a_terminal() -> None:
    def output(**environment: str) -> str:
        command = [sys.executable, "-c", "from paohuzi.cli import main; main()", "solve", WIN]
        result = subprocess.run(command, capture_output=True, check=True, env={**os.environ, **environment})
        return result.stdout.decode()

    assert ESCAPE not in output()
    assert f"{ESCAPE}1;31m七七" in output(FORCE_COLOR="1", TERM="xterm")


@pytest.mark.parametrize(
    ("environment", "is_red"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_errors_are_red_on_a_terminal_that_wants_colours(environment: dict[str, str], is_red: bool) -> None:
    terminal, end = os.openpty()
    program = "from paohuzi.cli import main; main()"
    known = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    command = [sys.executable, "-c", program, "solve", "nonsense"]
    subprocess.run(command, stderr=end, env=known | {"TERM": "xterm"} | environment)
    os.close(end)
    assert (ESCAPE.encode() in os.read(terminal, 1000)) == is_red
    os.close(terminal)


def test_what_the_encoding_of_the_output_cannot_show_is_escaped() -> None:
    for options in ([], ["--json"]):
        command = [sys.executable, "-c", "from paohuzi.cli import main; main()", "solve", *options, "三", WIN]
        environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
        result = subprocess.run(command, capture_output=True, env=environment, check=False)
        assert result.returncode == 0
        assert b"\\u4e09" in result.stdout


# --- processes ---


def test_each_line_is_answered_before_the_next_one_is_written() -> None:
    with started("solve", "--json", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(f"{WIN}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["xi"] == 27
        process.stdin.close()
        assert process.wait(30) == 0


def test_ctrl_c_ends_quietly_with_130() -> None:
    with started("solve", "--json", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{WIN}\n".encode())
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 130
        assert b"Traceback" not in errors


def test_a_reader_that_has_enough_causes_no_traceback() -> None:
    with started("solve", "--json", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        try:
            process.stdin.write(f"{WIN}\n".encode() * 20_000)
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.wait(30)
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


COMMANDS_THAT_PRINT = [
    ("solve", WIN),
    ("solve", "--json", WIN),
    ("waits", WAITING),
    ("waits", "--score", WAITING),
    ("score", WIN),
    ("score", "--json", WIN),
    ("divisions", WHOLE),
    ("divisions", "--count", WHOLE),
    ("deal", "--hands", "5", "-o", "-"),
    ("rules",),
    ("rules", "--json", "luzhou"),
    ("completion", "bash"),
    ("--help",),
]


@pytest.mark.parametrize("arguments", COMMANDS_THAT_PRINT, ids=" ".join)
def test_a_full_output_is_told(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", "from paohuzi.cli import main; main()", *arguments]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 2
    assert ended.stderr == "Error: cannot go on: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("arguments", [*COMMANDS_THAT_PRINT, ("solve", "-")], ids=" ".join)
def test_closed_streams_are_empty_ones(arguments: tuple[str, ...]) -> None:
    program = [sys.executable, "-c", "from paohuzi.cli import main; main()", *arguments]
    closed = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *program])
    assert closed.returncode == 0
