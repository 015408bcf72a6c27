"""Files of rules: loaded, extended, refused with file, field and what was expected."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import whole_rules

from paohuzi import max_xi, solve
from paohuzi.rules import Rules, XiTable, load_rules, preset_names
from paohuzi.tiles import NotationError

WIN = "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def toml_of(value: object) -> str:
    """A value as TOML has it. JSON differs in what it escapes: DEL, and what needs two escapes there."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_of(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_of, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@given(whole_rules())
def test_files_of_rules_round_trip(tmp_path_factory: pytest.TempPathFactory, rules: Rules) -> None:
    path = tmp_path_factory.getbasetemp() / "round.toml"
    lines = [f"{name} = {toml_of(value)}" for name, value in rules.to_dict().items()]
    assert load_rules(written(path, "\n".join(lines))) == rules


def test_a_file_is_named_after_itself_unless_it_has_a_name(tmp_path: Path) -> None:
    assert load_rules(written(tmp_path / "ours.toml", "min_xi = 9")) == Rules("ours", min_xi=9)
    assert load_rules(str(written(tmp_path / "ours.toml", 'name = "theirs"'))) == Rules("theirs")


def test_the_path_of_a_file_does_for_its_rules(tmp_path: Path) -> None:
    path = written(tmp_path / "ours.toml", 'extends = "luzhou"\nmin_xi = 37')
    assert solve(WIN, str(path)) == solve(WIN, load_rules(path))
    assert max_xi(WIN, rules=str(path)) == max_xi(WIN, rules="luzhou")


def test_a_file_is_read_anew_each_time(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    assert load_rules(written(path, "min_xi = 9")).min_xi == 9
    assert load_rules(written(path, "\ufeffmin_xi = 8")).min_xi == 8


def test_a_file_may_extend_a_preset(tmp_path: Path) -> None:
    text = """
    extends = "qq-half"
    min_xi = 10
    [fan.haidi]
    alone = 1
    [fan.da]
    fact = "big"
    when = "18+"
    value = 6
    each = 1
    [together.wudui]
    value = 12
    """
    rules = load_rules(written(tmp_path / "ours.toml", text))
    half = load_rules("qq-half")
    assert (rules.name, rules.min_xi, rules.chinese) == ("ours", 10, half.chinese)
    assert [fan.id for fan in rules.fans] == [*(fan.id for fan in half.fans), "da"]
    assert rules.fan("haidi") == half.with_options({"fan.haidi.alone": 1}).fan("haidi")
    assert rules.fans[:5] == half.fans[:5]
    assert (rules.together[0].of, rules.together[0].value) == (("wu", "duidui"), 12)


def test_a_file_may_extend_a_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    written(tmp_path / "base" / "a.toml", 'extends = "b.toml"\nmin_xi = 8')
    written(tmp_path / "base" / "b.toml", 'extends = "luzhou"\nmin_xi = 7\nstake = 2')
    rules = load_rules(written(tmp_path / "ours.toml", 'extends = "base/a.toml"\n'))
    assert (rules.min_xi, rules.stake, rules.xi) == (8, 2, XiTable.LUZHOU)


BROKEN = [
    ("\nmin_xi = x", "expected TOML in UTF-8, got what is none: Invalid value (at line 2, column 10)"),
    ("a = 1\n\n[fan", "got what is none: Expected ']'"),
    ("min_xi = 'ten'", "expected a whole number from 0 to 7000 for min_xi, got 'ten'"),
    ("min_xi = 15.0", "for min_xi, got 15.0"),
    ("wang = true", "expected a whole number from 0 to 4 for wang, got True"),
    ("name = 3", "expected a text for name, got 3"),
    ("minimum = 3", "expected a field (name, chinese,"),
    ("xi = 'beijing'", "expected 'classic', 'luzhou' or a table of"),
    ("seats = 5", "expected a whole number from 3 to 4 for seats, got 5"),
    ("combine = 'max'", "expected 'sum' or 'product' or 'none' for combine, got 'max'"),
    ("[fan.x]\nfact = 'rot'\nvalue = 3", "for fan.x.fact, got 'rot'"),
    ("[fan.x]\nfact = 'red'\nvalue = 3\nwhen = '10-'", "for fan.x.when, got '10-'"),
    ("[fan.x]\nfact = 'red'\nwhen = 3", "expected the field fan.x.value, and it is not there"),
    ("[[fan]]\nfact = 'red'", "expected tables [fan.ID] for fan, got [{'fact': 'red'}]"),
    ("[fan]\nx = 3", "expected a table for fan.x, got 3"),
    ("extends = 'qq-half'\n[fan]\nhaidi = 3", "expected a table for fan.haidi, got 3"),
    ("extends = 'qq-half'\nfan = 3", "expected tables [fan.ID] for fan, got 3"),
    ("[together.x]\nof = ['a', 'b']\nvalue = 3", "for together.x.of, got 'a'"),
    *((text, "expected at least one field (extends, name, ") for text in ("", " \n", "# all as usual\n")),
    ("min_xi = inf", "expected a whole number from 0 to 7000 for min_xi, got inf"),
    ("min_xi = 2026-11-30", "for min_xi, got datetime.date(2026, 11, 30)"),
    ("min_xi = []", "for min_xi, got []"),
    ("[min_xi]", "for min_xi, got {}"),
    (f"min_xi = {'1' * 5000}", "got what is none: Exceeds the limit"),
    (f"xi = {'[' * 100_000}", "got what is none: maximum recursion depth"),
    (f"min_xi{'.a' * 5000} = 1", "expected fields of rules, got tables without end"),
    ("xi = 3", "expected 'classic', 'luzhou' or a table of"),
    ("xi = {}", "expected the field xi.peng, and it is not there"),
    ("xi = {peng = 3}", "expected a list of whole numbers for xi.peng, got 3"),
    ("titles = 3", "expected a list for titles, got 3"),
    ("[[titles]]", "expected the field titles[0]."),
    ("extends = ''", "extends: expected the name of a preset (baiwang,"),
    ("extends = 'qq-half'\nlevel = 3", "expected a field (name, chinese,"),
    ("[fan]\n[fan.x]", "expected the field fan.x.fact, and it is not there"),
    ("[fan.x]\nfact = 'red'\nvalue = 3\ncolour = 'red'", "expected a field (chinese,"),
    ("extends = 'beijing'", "extends: expected the name of a preset (baiwang,"),
    ("extends = 3", "extends: expected the name of a preset or a file *.toml, got 3"),
    ("extends = 'not-there.toml'", "extends: expected a file that is there, got"),
    ("extends = 'broken.toml'", "got broken.toml > broken.toml"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN, ids=lambda text: text[:30])
def test_a_broken_file_names_itself_the_field_and_what_was_expected(
    tmp_path: Path, text: str, message: str
) -> None:
    path = written(tmp_path / "broken.toml", text)
    with pytest.raises(NotationError, match=re.escape(message)) as refusal:
        load_rules(path)
    assert str(refusal.value).startswith(f"{path}: ")


TOML_PIECES = [
    "=",
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
    "\n",
    "-",
    "+",
    "3",
    "1.5",
    "true",
    "fan.",
    "wu",
    "x",
    "extends",
]


@given(st.sampled_from(preset_names()), st.data())
def test_any_file_is_rules_or_refused_by_its_name(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    text = (resources.files("paohuzi") / "presets" / f"{name}.toml").read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, start + 6))
        piece = data.draw(st.sampled_from(["", *TOML_PIECES]) | st.text(max_size=3))
        text = text[:start] + piece + text[stop:]
    path = tmp_path_factory.getbasetemp() / "damaged.toml"
    try:
        path.write_text(text, encoding="utf-8", newline="")
        rules = load_rules(path)
    except NotationError as refusal:
        assert str(path) in str(refusal)  # noqa: PT017
    else:
        assert Rules.from_dict(rules.to_dict()) == rules


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(NotationError, match=re.escape(f"{path}: expected TOML in UTF-8, got what is none")):
        load_rules(path)


def test_a_circle_of_extensions_is_refused(tmp_path: Path) -> None:
    for name, base in (("a", "b"), ("b", "c"), ("c", "a")):
        written(tmp_path / f"{name}.toml", f'extends = "{base}.toml"')
    with pytest.raises(NotationError, match=re.escape("got a.toml > b.toml > c.toml > a.toml")):
        load_rules(tmp_path / "a.toml")


def test_a_fault_of_the_extended_file_names_that_file(tmp_path: Path) -> None:
    written(tmp_path / "base.toml", "min_xi = ")
    path = written(tmp_path / "ours.toml", 'extends = "base.toml"')
    with pytest.raises(NotationError, match=re.escape(f"{tmp_path / 'base.toml'}: expected TOML")):
        load_rules(path)


def test_a_file_of_no_end_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "long.toml", f"min_xi = 9 # {'x' * (1 << 20)}")
    for long in (path, Path("/dev/zero")):
        with pytest.raises(NotationError, match=f"{long}: expected at most 1048576 bytes of rules, got more"):
            load_rules(long)


def test_an_extended_file_without_a_field_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "base.toml", "")
    path = written(tmp_path / "ours.toml", 'extends = "base.toml"\nmin_xi = 9')
    with pytest.raises(
        NotationError, match=re.escape(f"{tmp_path / 'base.toml'}: expected at least one field")
    ):
        load_rules(path)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.toml"):
        load_rules(tmp_path / "none.toml")
