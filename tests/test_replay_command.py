"""The commands replay and verify."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path
from time import sleep

import msgspec
import pytest
from click.testing import CliRunner, Result
from game_bots import RandomBot, played, rules_of

from paohuzi.cli import main
from paohuzi.match import Match
from paohuzi.record import Record, RecordWriter, encode_event, read_records
from paohuzi.record.events import Discard, Draw
from paohuzi.replay_words import REPLAY_WORDS
from paohuzi.words import CATALOGUE

LINES = Path(__file__).parent / "golden" / "lines"


def run(*arguments: str | Path, stdin: str | bytes = "") -> Result:
    environment = {"LANG": "C", "LC_ALL": "", "LC_MESSAGES": ""}
    return CliRunner(env=environment).invoke(main, [*map(str, arguments)], input=stdin)


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    path = tmp_path / "hands.jsonl"
    with RecordWriter(path) as writer:
        for record in Match("qq-full", [RandomBot(seat) for seat in range(3)], seed=3, hands=6):
            writer.write(record)
    return path


# --- replay ---


def test_every_event_is_printed_where_there_is_no_terminal(hands: Path) -> None:
    result = run("replay", hands)
    assert (result.exit_code, result.stderr) == (0, "")
    told = re.findall(r"^ *(\d+) ", result.stdout, re.MULTILINE)
    expected = [str(place) for record in read_records(hands) for place in range(1, len(record.events))]
    assert told == expected
    assert "Hand 1 · qq-full · dealer (庄) random[2]" in result.stdout
    assert "\x1b" not in result.stdout
    assert "\x01" not in result.stdout


def test_replay_in_chinese_has_no_english(hands: Path) -> None:
    text = run("replay", "--lang", "zh", hands).stdout
    assert "第 1 局 · QQ全花样 · 庄家 random[2]" in text
    assert set(re.findall(r"[A-Za-z]+", text)) <= {"QQ", "random"}


def test_replay_begins_with_the_hand_asked_for(hands: Path) -> None:
    text = run("replay", "--hand", "5", hands).stdout
    assert "Hand 5 ·" in text
    assert "Hand 6 ·" in text
    assert "Hand 4 ·" not in text


@pytest.mark.parametrize("number", ["7", "999"])
def test_a_hand_that_is_not_there_is_an_error(hands: Path, number: str) -> None:
    result = run("replay", "--hand", number, hands)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {hands}: expected a hand from 1 to 6, got {number}\n"


@pytest.mark.parametrize("arguments", [(), ("--check",), ("--hand", "2")])
@pytest.mark.parametrize("text", ["", "\n\n", '{"type":"start"'])
def test_a_file_without_hands_is_an_error(tmp_path: Path, arguments: tuple[str, ...], text: str) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text(text, encoding="utf-8")
    result = run("replay", *arguments, path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith(f"Error: no hands in {path}\n")
    assert ("line 1: the file breaks off in hand 1" in result.stderr) == bool(text.strip())


def test_the_check_is_of_the_whole_file(hands: Path) -> None:
    for arguments in (("--seat", "1"), ("--hand", "2")):
        result = run("replay", "--check", *arguments, hands)
        assert result.exit_code == 2
        assert "expected --check without --seat and --hand" in result.stderr


def test_replay_shows_what_a_seat_saw(hands: Path) -> None:
    text = run("replay", "--seat", "1", hands).stdout
    assert "as random[1] saw it" in text
    assert text.count("????????????????????") == 12
    assert "random[0] passes" not in text
    assert "random[1] passes" in text


def test_record_of_a_view_is_replayed_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "seen.jsonl"
    with RecordWriter(path) as writer:
        writer.write(played("qq-basic", 3, 2).record().seen_by(1))
    assert "as 1[1] saw it" in run("replay", path).stdout
    assert run("replay", "--seat", "1", path).stdout == run("replay", path).stdout
    other = run("replay", "--seat", "0", path)
    assert other.exit_code == 1
    assert "expected a full record, got what seat 1 saw" in other.stderr
    checked = run("replay", "--check", path)
    assert checked.exit_code == 1
    assert "line 1: expected a full record" in checked.stdout


def test_seat_that_sits_out_sees_the_hand_in_full(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    rules = rules_of("hunan", 4)
    with RecordWriter(path) as writer:
        for record in Match(rules, [RandomBot(seat) for seat in range(4)], seed=1, hands=4):
            writer.write(record)
    result = run("replay", "--seat", "2", path)
    assert result.exit_code == 0
    assert "sits out (坐底)" in result.stdout
    assert run("replay", "--check", path).stdout == "4 hands, 0 of them not as the rules say\n"


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_true_records_pass_the_check(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"hands{suffix}"
    with RecordWriter(path) as writer:
        for record in Match("yongzhou", [RandomBot(seat) for seat in range(3)], seed=3, hands=50):
            writer.write(record)
    result = run("replay", "--check", path)
    assert (result.exit_code, result.stdout) == (0, "50 hands, 0 of them not as the rules say\n")
    assert run("replay", "--check", "--lang", "zh", path).stdout == "共 50 局，0 局与规则不符\n"


def test_tampered_record_fails_with_hand_and_line(hands: Path) -> None:
    lines = hands.read_bytes().splitlines()
    records = list(read_records(hands))
    before = len(records[0].events) + len(records[1].events)
    place = next(place for place, event in enumerate(records[2].events) if isinstance(event, Draw))
    event = records[2].events[place]
    other = msgspec.structs.replace(event, tile="1s" if event.tile != "1s" else "2s")
    lines[before + place] = encode_event(other)
    hands.write_bytes(b"\n".join(lines) + b"\n")
    result = run("replay", "--check", hands)
    assert result.exit_code == 1
    told, total = result.stdout.splitlines()
    where = f"{hands}, hand 3, line {before + place + 1}"
    assert told.startswith(f"{where}: expected {encode_event(event).decode()}")
    assert total == "6 hands, 1 of them not as the rules say"


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("actor", 3, "expected a seat from 0 to 2, got 3"),
        ("tile", "W", "expected a tile that can be discarded"),
    ],
)
def test_what_no_hand_can_have_is_told_with_its_place(
    hands: Path, field: str, value: object, told: str
) -> None:
    lines = hands.read_bytes().splitlines()
    records = list(read_records(hands))
    place = next(place for place, event in enumerate(records[1].events) if isinstance(event, Discard))
    line = len(records[0].events) + place
    lines[line] = json.dumps(json.loads(lines[line]) | {field: value}).encode()
    hands.write_bytes(b"\n".join(lines) + b"\n")
    checked = run("replay", "--check", hands)
    assert checked.exit_code == 1
    assert f"{hands}, hand 2, line {line + 1}: expected " in checked.stdout
    if field == "actor":
        shown = run("replay", hands)
        assert (shown.exit_code, shown.stderr) == (1, f"Error: {hands}, hand 2: {told}\n")
    else:
        assert told in checked.stdout


def test_points_that_do_not_go_on_fail_the_check(hands: Path) -> None:
    first, second, *_ = read_records(hands)
    hands.unlink()
    start = msgspec.structs.replace(second.start, scores=(1, 1, -2))
    totals = tuple(a + b for a, b in zip(start.scores, second.end.deltas, strict=True))
    end = msgspec.structs.replace(second.end, totals=totals)
    with RecordWriter(hands) as writer:
        writer.write(first)
        writer.write(Record((start, *second.events[1:-1], end)))
    result = run("replay", "--check", hands)
    assert result.exit_code == 1
    assert f"hand 2, line {len(first.events) + 1}: expected the scores" in result.stdout


@pytest.mark.parametrize("torn", [20, 2000])
def test_torn_file_is_told_and_its_hands_are_replayed(hands: Path, torn: int) -> None:
    hands.write_bytes(hands.read_bytes()[:-torn])
    lines = hands.read_bytes().count(b"\n")
    told = f"{hands}, line {lines + 1}: the file breaks off in hand 6, which is left out\n"
    result = run("replay", hands)
    assert (result.exit_code, result.stderr) == (0, told)
    assert "Hand 5 ·" in result.stdout
    checked = run("replay", "--check", hands)
    assert (checked.exit_code, checked.stderr) == (1, told)
    assert checked.stdout == "5 hands, 0 of them not as the rules say\n"


def test_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("notes\n", encoding="utf-8")
    for arguments in ((), ("--check",)):
        result = run("replay", *arguments, path)
        assert result.exit_code == 1
        assert f"{path}, line 1: expected an event as one JSON object" in result.stderr
    assert run("replay", tmp_path / "nothing.jsonl").exit_code == 2


def on_terminal(keys: str, *arguments: str) -> str:
    """What a terminal shows while keys are pressed one after the other."""
    code = "from paohuzi.cli import main; main()"
    environment = {**os.environ, "LANG": "C", "LC_ALL": "", "TERM": "xterm", "PYTHONUTF8": "1"}
    process, terminal = pty.fork()
    if process == 0:
        os.execve(sys.executable, [sys.executable, "-c", code, *arguments], environment)
    shown = ""
    for key in keys:
        shown += read_until(terminal, "quit")
        sleep(0.3)  # until the key is waited for: what comes before is lost
        os.write(terminal, key.encode())
    shown += read_until(terminal, None)
    os.waitpid(process, 0)
    return shown


def read_until(terminal: int, sign: str | None) -> str:
    """What comes until the sign, or until the end."""
    shown = b""
    while sign is None or sign.encode() not in shown:
        if not select.select([terminal], [], [], 60)[0]:
            raise AssertionError(f"nothing more comes after {shown.decode()!r}")
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed
            break
        shown += data
        if not data:
            break
    return shown.decode()


def test_keys_step_forth_and_back_on_a_terminal(hands: Path) -> None:
    shown = on_terminal("nnbbbNBBq", "replay", str(hands))
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    places = re.findall(r"^ +(\d+) ", plain, re.MULTILINE)
    assert places[:6] == ["1", "2", "3", "2", "1", "1"]
    hands_shown = re.findall(r"Hand (\d+)", plain)
    assert hands_shown == ["1"] * 6 + ["2", "1", "1"]
    assert "n next · b back" in plain
    assert "\x1b[1;31m" in shown  # red tiles are red


def test_words_of_the_replay_stand_in_the_catalogue() -> None:
    assert REPLAY_WORDS.items() <= CATALOGUE.items()
    for key, (english, chinese) in REPLAY_WORDS.items():
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", chinese)), key


# --- verify ---


def test_known_lines_are_verified() -> None:
    result = run("verify", LINES / "luzhou.jsonl", LINES / "yongzhou.jsonl")
    assert (result.exit_code, result.stdout) == (0, "300 lines, 0 of them not as the rules say\n")
    result = run("verify", "--json", LINES / "luzhou.jsonl")
    assert result.stdout.splitlines() == ['{"ok": true}'] * 150


def test_first_difference_of_a_line_is_printed(tmp_path: Path) -> None:
    first, second, third = (LINES / "hunan.jsonl").read_text(encoding="utf-8").splitlines()[:3]
    parts = json.loads(second)
    path = tmp_path / "lines.jsonl"
    path.write_text(f"{first}\n\n{json.dumps({**parts, 'choices': [3]})}\n{{}}\n{third}", encoding="utf-8")
    result = run("verify", "--json", path)
    assert result.exit_code == 1
    ok, differing, unreadable, last = [json.loads(line) for line in result.stdout.splitlines()]
    assert ok == last == {"ok": True}
    assert differing == {
        "ok": False,
        "file": str(path),
        "line": 3,
        "decision": 0,
        "expected": {"seat": 2, "choices": 3},
        "found": {"seat": 2, "choices": 2},
        "error": None,
    }
    assert (unreadable["ok"], unreadable["line"], unreadable["decision"]) == (False, 4, None)
    assert "missing required field" in unreadable["error"]
    text = run("verify", path).stdout.splitlines()
    what = "expected seat 2 with 3 actions, found seat 2 with 2 actions"
    assert text[0] == f"{path}, line 3: decision 0: {what}"
    assert text[-1] == "4 lines, 2 of them not as the rules say"


def test_lines_come_from_standard_input() -> None:
    text = (LINES / "kaixin.jsonl").read_bytes()
    assert run("verify", "-", stdin=text).stdout == "150 lines, 0 of them not as the rules say\n"
    assert run("verify", "-", stdin=b"\xff\n").exit_code == 1


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_lines_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(text, encoding="utf-8")
    for name, stdin in ((path, ""), ("-", text)):
        result = run("verify", name, LINES / "kaixin.jsonl", stdin=stdin)
        assert (result.exit_code, result.stderr) == (1, f"Error: {name}: expected game lines, got none\n")
        assert result.stdout == "150 lines, 0 of them not as the rules say\n"


def test_file_that_cannot_be_read_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.jsonl"
    result = run("verify", nothing, tmp_path, LINES / "kaixin.jsonl")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"Error: {nothing}: cannot be read: No such file or directory",
        f"Error: {tmp_path}: cannot be read: Is a directory",
    ]
    assert result.stdout == "150 lines, 0 of them not as the rules say\n"


def test_nothing_is_said_of_a_pipe_that_ended_early() -> None:
    code = "from paohuzi.cli import main; main()"
    command = [sys.executable, "-c", code, "verify", "--json", *[str(LINES / "luzhou.jsonl")] * 40]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b'{"ok": true}\n'
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 1


def test_a_seat_that_is_none_is_an_error(hands: Path) -> None:
    result = run("replay", "--seat", "3", hands)
    assert (result.exit_code, result.stderr) == (1, "Error: expected a seat from 0 to 2, got 3\n")
