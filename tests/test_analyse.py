"""`paohuzi analyse`: every way in and out, bad rows, broken runs."""

import datetime
import errno
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.feather as pa_feather
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from paohuzi import samples
from paohuzi.analysis import run as run_module
from paohuzi.analysis import sinks, work_folder
from paohuzi.analysis.answers import COLUMNS
from paohuzi.batch import Queries, unpack
from paohuzi.cli import analyse as analyse_command
from paohuzi.cli import main
from paohuzi.notation import Query
from paohuzi.query_texts import exposed_texts, query_texts, source_texts, win_texts
from paohuzi.rules import DEFAULT_RULES, Rules
from paohuzi.solver import ready_discards, solve, waits
from paohuzi.tiles import TILES

OUTPUTS = [".parquet", ".arrow", ".feather", ".csv", ".ndjson", ".jsonl"]
SINKS: dict[str, type[sinks.Sink]] = {
    ".parquet": sinks.ParquetSink,
    ".arrow": sinks.ArrowSink,
    ".csv": sinks.CsvSink,
    ".ndjson": sinks.NdjsonSink,
}
BAD_TEXTS = ["nonsense", "11111s", "", "345s | pair:11s", "1" * 30 + "s", "345s + 1s", "W + W@other"]
DRIVER = """
import sys, threading, os, time
from paohuzi.analysis import run
run.BATCH_ROWS, run.MARK_SECONDS = 50, 0.0
{more}
from paohuzi.cli import analyse as analyse_command
from paohuzi.cli import main
main()
"""

Row = dict[str, Any]


def analyse(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["analyse", *map(str, arguments)])


def small_batches(monkeypatch: pytest.MonkeyPatch, rows: int = 50) -> None:
    monkeypatch.setattr(run_module, "BATCH_ROWS", rows)
    monkeypatch.setattr(run_module, "MARK_SECONDS", 0.0)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Queries of every state: with winning tile, whole, waiting, too short; no bad ones."""
    hands = [
        samples.random_deals(20, seed=1),
        samples.random_deals(10, tiles=20, seed=2),
        samples.random_deals(5, tiles=12, seed=3),
        samples.winning_hands(20, seed=4),
        samples.waiting_hands(20, seed=5),
        samples.wang_hands(10, 2, seed=6),
    ]
    mixed = query_texts(samples.mid_game(40, wang=4, seed=7))
    mixed += query_texts(Queries(np.concatenate(hands)))
    random.Random(0).shuffle(mixed)
    return mixed


def expected_row(text: str, rules: Rules = DEFAULT_RULES) -> Row:
    """What single queries answer for a row."""
    row: Row = dict.fromkeys(COLUMNS)
    try:
        query = Query.parse(text)
    except ValueError as error:
        return row | {"error": str(error) if text else "no hand"}
    tiles = 20 + max(1, query.hand.counts[:20].count(4) + sum(group.is_quad for group in query.exposed))
    if query.win is not None or query.tile_count >= tiles:
        solution = solve(query, rules)
        row |= {"hu": solution.hu, "xi": solution.xi}
        row["division"] = str(solution) if solution.xi is not None else None
    if query.win is None and query.tile_count == tiles - 1:
        row["waits"] = " ".join(f"{tile}:{won.xi}" for tile, won in waits(query, "self", rules).items())
    if query.win is None and query.tile_count == tiles:
        row["ready_discards"] = " ".join(map(str, ready_discards(query, "self", rules)))
    return row


def expected_rows(texts: list[str]) -> list[Row]:
    return [expected_row(text) for text in texts]


def write_table(path: Path, table: pa.Table) -> Path:
    """Write a table by other means than those of the project."""
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=37)
    elif path.suffix == ".feather":
        pa_feather.write_feather(table, path, chunksize=41)
    elif path.suffix == ".arrow":
        with pa_ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=23)
    elif path.suffix == ".csv":
        pa_csv.write_csv(table, path)
    else:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in table.to_pylist())
        path.write_text("".join(lines), "utf-8")
    return path


def read_rows(path: Path) -> list[Row]:
    """Read an output by other means than those of the project; CSV gives texts."""
    if path.suffix == ".parquet":
        rows: list[Row] = pq.read_table(path).to_pylist()
    elif path.suffix in (".arrow", ".feather"):
        with pa_ipc.open_file(path) as file:
            rows = file.read_all().to_pylist()
    elif path.suffix == ".csv":
        names = pa_csv.open_csv(path).schema.names
        options = pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            strings_can_be_null=True,
            null_values=[""],
            quoted_strings_can_be_null=False,
        )
        rows = pa_csv.read_csv(path, convert_options=options).to_pylist()
    else:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return rows


def as_texts(row: Row) -> Row:
    """A row as CSV has it."""
    return {
        name: value if value is None or isinstance(value, str) else str(value).lower()
        for name, value in row.items()
    }


def answers_of(rows: list[Row]) -> list[Row]:
    return [{name: row[name] for name in COLUMNS} for row in rows]


def table_of(texts: list[str]) -> pa.Table:
    return pa.table(
        {"id": range(len(texts)), "query": texts, "note": [f'"{n}", a\nb' for n in range(len(texts))]}
    )


# --- ways in and out ---


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("source", [".parquet", ".arrow", ".feather", ".csv", ".ndjson", ".jsonl"])
def test_every_format_goes_to_every_format(
    source: str, output: str, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    texts = texts + BAD_TEXTS
    table = table_of(texts)
    out = tmp_path / f"out{output}"
    result = analyse(write_table(tmp_path / f"in{source}", table), "-o", out, "--threads", 2)
    assert result.exit_code == 1, result.output
    rows = read_rows(out)
    wanted = [kept | answer for kept, answer in zip(table.to_pylist(), expected_rows(texts), strict=True)]
    if ".csv" in (source, output):
        rows, wanted = list(map(as_texts, rows)), list(map(as_texts, wanted))
    assert rows == wanted
    assert not work_folder(out).exists()


def layouts() -> dict[str, Callable[[Queries], dict[str, Any]]]:
    """Columns that hold the same concealed hands in different ways."""
    numbers = [str(tile) for tile in TILES]
    return {
        "packed": lambda q: {"hand": np.array(q.hand)},
        "packed, signed": lambda q: {"hand": q.hand.astype(np.int64)},
        "packed, as text": lambda q: {"hand": [str(hand) for hand in q.hand]},
        "binary of 21": lambda q: {"hand": pa.array([bytes(row) for row in unpack(q.hand)], pa.binary(21))},
        "list": lambda q: {"hand": pa.array(unpack(q.hand).tolist(), pa.list_(pa.uint8()))},
        "large list": lambda q: {"hand": pa.array(unpack(q.hand).tolist(), pa.large_list(pa.int64()))},
        "list of 21": lambda q: {"hand": pa.array(unpack(q.hand).tolist(), pa.list_(pa.int16(), 21))},
        "20 counts and wang": lambda q: {
            "hand": pa.array([bytes(row[:20]) for row in unpack(q.hand)], pa.binary(20)),
            "wang": unpack(q.hand)[:, 20],
        },
        "text": lambda q: {"hand": query_texts(Queries(q.hand))},
        "columns": lambda q: dict(zip(numbers, unpack(q.hand).T, strict=True)),
        "columns of floats": lambda q: dict(zip(numbers, unpack(q.hand).T.astype(float), strict=True)),
        "columns of texts": lambda q: dict(zip(numbers, unpack(q.hand).T.astype(str).tolist(), strict=True)),
    }


@pytest.mark.parametrize("name", layouts())
def test_every_layout_of_hands_gives_the_same_answers(name: str, tmp_path: Path) -> None:
    queries = samples.mid_game(60, wang=4, seed=9)
    columns = layouts()[name](queries)
    columns["exposed"] = exposed_texts(queries.exposed)
    columns["win"] = win_texts(queries.win)
    columns["source"] = source_texts(queries.source)
    path = write_table(tmp_path / "in.parquet", pa.table(columns))
    result = analyse(path, "-o", tmp_path / "out.parquet")
    assert result.exit_code == 0, result.output
    assert answers_of(read_rows(tmp_path / "out.parquet")) == expected_rows(query_texts(queries))


def test_exposed_groups_winning_tiles_and_sources_may_be_codes(tmp_path: Path) -> None:
    queries = samples.mid_game(60, seed=10)
    codes = [bytes(row) for row in queries.exposed]
    for exposed in (pa.array(codes, pa.binary(7)), pa.array(queries.exposed.tolist(), pa.list_(pa.uint8()))):
        columns = {"hand": np.array(queries.hand), "exposed": exposed}
        columns |= {"win": np.array(queries.win), "source": np.array(queries.source)}
        path = write_table(tmp_path / "in.arrow", pa.table(columns))
        assert analyse(path, "-o", tmp_path / "out.arrow").exit_code == 0
        assert answers_of(read_rows(tmp_path / "out.arrow")) == expected_rows(query_texts(queries))


def test_texts_may_come_as_dictionary(texts: list[str], tmp_path: Path) -> None:
    table = pa.table({"query": pa.array(texts).dictionary_encode()})
    assert analyse(write_table(tmp_path / "in.parquet", table), "-o", tmp_path / "out.arrow").exit_code == 0
    assert answers_of(read_rows(tmp_path / "out.arrow")) == expected_rows(texts)


@pytest.mark.parametrize("width", [20, 21, 1])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_files_hold_counts_or_packed_hands(
    width: int, order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch, 7)
    hands = samples.random_deals(30, seed=11)
    array = np.asarray(hands if width == 1 else unpack(hands)[:, :width], order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "in.npy", array)
    assert analyse(tmp_path / "in.npy", "-o", tmp_path / "out.parquet").exit_code == 0
    rows = read_rows(tmp_path / "out.parquet")
    assert answers_of(rows) == expected_rows(query_texts(Queries(hands)))
    assert [row["hand"] for row in rows] == (hands.tolist() if width == 1 else [bytes(row) for row in array])


def test_several_files_of_several_formats_become_one(texts: list[str], tmp_path: Path) -> None:
    table = pa.table({"query": texts})
    parts = [
        write_table(tmp_path / name, table.slice(place, 40))
        for name, place in (("a.parquet", 0), ("b.csv", 40), ("c.ndjson", 80))
    ]
    assert analyse(*parts, "-o", tmp_path / "out.ndjson").exit_code == 0
    assert answers_of(read_rows(tmp_path / "out.ndjson")) == expected_rows(texts[:120])


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("source", [".parquet", ".arrow", ".csv"])
def test_a_file_without_rows_gives_one_without_rows(source: str, output: str, tmp_path: Path) -> None:
    path = write_table(tmp_path / f"in{source}", pa.table({"query": pa.array([], pa.string())}))
    result = analyse(path, "-o", tmp_path / f"out{output}")
    assert result.exit_code == 0, result.output
    assert read_rows(tmp_path / f"out{output}") == []


def test_the_columns_have_the_documented_types(texts: list[str], tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.csv", pa.table({"query": texts}))
    assert analyse(path, "-o", tmp_path / "out.parquet").exit_code == 0
    types = {field.name: str(field.type) for field in pq.read_schema(tmp_path / "out.parquet")}
    text = "string"
    assert types == {
        **{"query": text, "hu": "bool", "xi": "int16"},
        **{"division": text, "waits": text, "ready_discards": text, "error": text},
    }


def test_the_command_offers_the_columns_that_there_are() -> None:
    assert analyse_command.COLUMNS == COLUMNS


def test_only_the_asked_columns_are_added_in_the_asked_order(tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.csv", pa.table({"query": ["1s"]}))
    assert analyse(path, "-o", tmp_path / "out.csv", "--columns", "xi, hu").exit_code == 0
    assert (tmp_path / "out.csv").read_text() == '"query","xi","hu"\n"1s",,\n'


def test_rules_and_source_change_the_answers(tmp_path: Path) -> None:
    text = "34577s 34599b | ti:0000b; wei:222s; chi:123b"
    path = write_table(tmp_path / "in.csv", pa.table({"query": [text, text + " + 9b@discard"]}))
    options = ("--set", "discards_win=yes", "--set", "min_xi=22", "--source", "other")
    assert analyse(path, "-o", tmp_path / "out.ndjson", *options).exit_code == 0
    waiting, won = read_rows(tmp_path / "out.ndjson")
    assert waiting["waits"] == "7s:22 9b:24"
    assert won["hu"] is True


def test_rows_keep_their_order_whatever_the_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_batches(monkeypatch, 100)
    hands = samples.random_deals(5000, seed=12)
    path = write_table(tmp_path / "in.parquet", pa.table({"id": range(5000), "hand": hands}))
    outputs = []
    for threads in (1, 4):
        assert analyse(path, "-o", tmp_path / "out.parquet", "--threads", threads).exit_code == 0
        outputs.append((tmp_path / "out.parquet").read_bytes())
    assert [row["id"] for row in read_rows(tmp_path / "out.parquet")] == list(range(5000))
    assert outputs[0] == outputs[1]


def test_values_of_every_json_kind_are_kept(tmp_path: Path) -> None:
    rows = [
        {"query": "1s", "a": 1, "b": -1, "c": 1.5, "d": "x", "e": True, "f": {"g": [1, None]}, "h": 1 << 63},
        {"query": "2s", "a": None, "b": 2, "c": 2, "d": None, "e": None, "f": "y", "h": 0, "i": [1, 2]},
    ]
    (tmp_path / "in.ndjson").write_text("\n".join(map(json.dumps, rows)))
    assert analyse(tmp_path / "in.ndjson", "-o", tmp_path / "out.ndjson").exit_code == 0
    for row, kept in zip(rows, read_rows(tmp_path / "out.ndjson"), strict=True):
        assert {name: kept[name] for name in row} == row
    assert analyse(tmp_path / "in.ndjson", "-o", tmp_path / "out.parquet").exit_code == 0
    types = pq.read_schema(tmp_path / "out.parquet")
    assert [str(types.field(name).type) for name in "abcdefhi"] == [
        *("int64", "int64", "double", "string", "bool", "string", "uint64"),
        "list<element: int64>",
    ]


def test_columns_that_text_formats_cannot_hold_become_text(tmp_path: Path) -> None:
    columns = {
        "query": ["1s"],
        "blob": [b"\x01\xff"],
        "nest": [{"a": [1]}],
        "when": [datetime.date(2024, 5, 6)],
    }
    path = write_table(tmp_path / "in.parquet", pa.table(columns))
    for output in (".csv", ".ndjson"):
        assert analyse(path, "-o", tmp_path / f"out{output}").exit_code == 0
        [row] = read_rows(tmp_path / f"out{output}")
        assert row["blob"] == "01ff"
        assert row["nest"] in ('{"a": [1]}', {"a": [1]})
        assert row["when"] == "2024-05-06"


@pytest.mark.parametrize("output", [".parquet", ".arrow", ".csv", ".ndjson"])
@pytest.mark.parametrize("text", [pa.large_string(), pa.string_view()], ids=str)
def test_texts_and_bytes_of_every_arrow_type_are_read_and_written(
    text: pa.DataType, output: str, tmp_path: Path
) -> None:
    columns = {
        "hand": pa.array(["34577s 34599b", None], text),
        "exposed": pa.array(["ti:0000b; wei:222s; chi:123b", None], text),
        "win": pa.array(["9b", None], text),
        "source": pa.array(["other", None], text),
        "bytes": pa.array([b"\xff", None], pa.binary_view()),
        "uuid": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16, None], pa.binary(16))),
        "nothing": pa.nulls(2),
    }
    path = write_table(tmp_path / "in.arrow", pa.table(columns))
    assert analyse(path, "-o", tmp_path / f"out{output}").exit_code == 1
    rows = read_rows(tmp_path / f"out{output}")
    assert [(row["hand"], str(row["xi"])) for row in rows] == [("34577s 34599b", "24"), (None, "None")]
    assert rows[1]["error"] == "no hand"


def test_columns_without_any_value_are_empty(tmp_path: Path) -> None:
    columns = {name: pa.nulls(1) for name in ("exposed", "win", "source", "wang")}
    path = write_table(tmp_path / "in.parquet", pa.table({"hand": ["2233456678s 3456999000b"], **columns}))
    assert analyse(path, "-o", tmp_path / "out.parquet", "--source", "other").exit_code == 0
    assert read_rows(tmp_path / "out.parquet")[0]["waits"] == "9b:15 0b:15"


def test_the_summary_tells_rows_wins_and_bad_ones(texts: list[str], tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.csv", pa.table({"query": texts + BAD_TEXTS}))
    output = analyse(path, "-o", tmp_path / "out.csv").stdout
    rows = expected_rows(texts + BAD_TEXTS)
    words = output.split()
    assert words[words.index("rows") + 1] == str(len(rows))
    assert words[words.index("胡") + 1] == str(sum(row["hu"] is True for row in rows))
    assert words[words.index("bad") + 2] == str(len(BAD_TEXTS))
    assert "xi 胡息" in output


# --- bad rows ---


def test_bad_cells_are_told_by_column(tmp_path: Path) -> None:
    table = pa.table(
        {
            "hand": pa.array([0o1, None, 5, 1, 1, 1, 1, 1, 1 << 63], pa.uint64()),
            "exposed": [None, None, None, "x:1", "pair:11s", ";".join(["chi:123s"] * 8), "", "", ""],
            "win": ["", None, "", "", "", "", "1x", "1s", ""],
            "source": [None, "", "self", "", "", "", "self", "nobody", ""],
        }
    )
    result = analyse(write_table(tmp_path / "in.parquet", table), "-o", tmp_path / "out.parquet")
    assert result.exit_code == 1
    errors = [row["error"] for row in read_rows(tmp_path / "out.parquet")]
    beginnings = (
        None,
        "no hand",
        "5 copies of 1s",
        "column 'exposed': expected a group",
        "expected exposed groups of",
        "more than 7 exposed groups",
        "column 'win': expected",
        "column 'source': expected self, other, discard, got 'nobody'",
        "expected a packed hand",
    )
    for error, beginning in zip(errors, beginnings, strict=True):
        assert error == beginning if beginning is None else error.startswith(beginning), error


def test_bad_counts_are_told_by_column(tmp_path: Path) -> None:
    counts: dict[str, list[Any]] = {str(tile): [0, 0, 0] for tile in TILES}
    counts["1s"] = ["5", "", "x"]
    path = write_table(tmp_path / "in.csv", pa.table(counts))
    assert analyse(path, "-o", tmp_path / "out.ndjson").exit_code == 1
    assert [row["error"] for row in read_rows(tmp_path / "out.ndjson")] == [
        "column '1s': expected a whole number from 0 to 4, got '5'",
        None,
        "column '1s': expected a whole number from 0 to 4, got 'x'",
    ]
    lists = pa.array([[0] * 21, [0] * 19, [9] + [0] * 19, [-1] + [0] * 19, None], pa.list_(pa.int32()))
    path = write_table(tmp_path / "in.parquet", pa.table({"hand": lists}))
    assert analyse(path, "-o", tmp_path / "out.ndjson").exit_code == 1
    assert [row["error"] for row in read_rows(tmp_path / "out.ndjson")] == [
        None,
        "column 'hand': expected 20 or 21 numbers, got 19",
        "9 copies of 1s (一): a face has 4",
        "column 'hand': expected whole numbers from 0 to 255, got -1",
        "no hand",
    ]


def test_a_csv_row_with_too_many_or_few_fields_keeps_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch, 10)
    lines = ["id,query"]
    wanted = []
    for number in range(300):
        if number % 7 == 3 or number > 295:
            lines.append(f"{number},1s,more" if number % 2 else f"{number}")
            wanted.append((None, None, True))
        else:
            lines.append(f'{number},"1s\n2s"' if number % 5 == 0 else f"{number},1s")
            wanted.append((str(number), lines[-1].partition(",")[2].strip('"'), False))
        if number % 11 == 0:
            lines.append("")
    (tmp_path / "in.csv").write_text("\n".join(lines))
    assert analyse(tmp_path / "in.csv", "-o", tmp_path / "out.parquet").exit_code == 1
    rows = read_rows(tmp_path / "out.parquet")
    assert [(row["id"], row["query"], row["error"] is not None) for row in rows] == wanted
    assert rows[3]["error"] == "expected 2 fields, got 3: '3,1s,more'"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_csv_row_may_have_too_many_fields_and_be_no_text(mark: bytes, tmp_path: Path) -> None:
    lines = [mark + b'"query","\xe9\x9b\xaa"', b"1s,\xc3\xa9", b"1s,\xe9,more", b'"\xe9",a', b'2s,""', b"3s,"]
    (tmp_path / "in.csv").write_bytes(b"\n".join(lines))
    assert analyse(tmp_path / "in.csv", "-o", tmp_path / "out.parquet").exit_code == 1
    rows = read_rows(tmp_path / "out.parquet")
    assert [(row["query"], row["雪"]) for row in rows] == [
        ("1s", "é"),
        (None, None),
        ("\ufffd", "a"),
        ("2s", ""),
        ("3s", None),
    ]
    assert [row["error"] for row in rows] == [
        None,
        "expected 2 fields, got 3: '1s,\ufffd,more'",
        "column 'query' is not UTF-8 text",
        None,
        None,
    ]


def test_a_csv_line_that_is_too_long_is_told(tmp_path: Path) -> None:
    for start in (b"1s\n" * 10_000, b""):
        (tmp_path / "in.csv").write_bytes(b"query\n" + start + b'"' + b"1" * 3_000_000)
        assert "expected lines of at most 1,048,576 bytes" in refusal(
            tmp_path / "in.csv", "-o", tmp_path / "out.csv"
        )


def test_numbers_may_come_as_text(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("hand,exposed,win,source\n" + "34577s 34599b,ti:0000b;wei:222s;chi:123b,{},{}\n" * 4)
    path.write_text(path.read_text().format("18", "2", "-1", "0", "21", "2", "9b", "4"))
    assert analyse(path, "-o", tmp_path / "out.parquet").exit_code == 1
    rows = read_rows(tmp_path / "out.parquet")
    assert [row["xi"] for row in rows] == [24, None, None, None]
    assert rows[1]["waits"] == "7s:24 9s:21 7b:21 9b:27"
    assert ["win" in (row["error"] or "") for row in rows] == [False, False, True, False]
    assert "column 'source': expected self, other, discard, got '4'" in rows[3]["error"]
    names = [str(tile) for tile in TILES[:20]]
    lines = [",".join(cell for _ in names) for cell in ("1.0", "1.5", "nan", "1e400")]
    path.write_text("\n".join([",".join(names), *lines]))
    assert analyse(path, "-o", tmp_path / "out.parquet").exit_code == 1
    rows = read_rows(tmp_path / "out.parquet")
    assert [row["waits"] for row in rows] == ["", None, None, None]


def test_one_json_value_of_another_kind_is_one_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "in.ndjson"

    def errors(*rows: dict[str, Any]) -> list[bool]:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert analyse(path, "-o", tmp_path / "out.ndjson").exit_code == 1
        answers = read_rows(tmp_path / "out.ndjson")
        assert [{name: row[name] for name in rows[0]} for row in answers] == list(rows)
        return [row["error"] is not None for row in answers]

    assert errors(*({"query": value} for value in ("1s", {"a": 1}, 10, "7b"))) == [False, True, False, False]
    assert errors(*({"hand": value} for value in ([1] * 20, "x", [1.5], True, "1s"))) == [
        False,
        True,
        True,
        True,
        False,
    ]
    wins = ((7, "self"), ("x", 1), ("2s", 3))
    rows = ({"hand": "1s", "win": win, "source": source} for win, source in wins)
    assert errors(*rows) == [False, True, False]
    assert errors({"hand": 1}, {"hand": -1}) == [False, True]
    assert "got -1" in str(read_rows(tmp_path / "out.ndjson")[1]["error"])


def test_json_lines_that_are_none_keep_their_place(tmp_path: Path) -> None:
    lines = [
        b'{"query": "1s"}',
        b"nonsense",
        b"",
        b"[1]",
        b'{"query": "\\ud800"}',
        b'{"query": "\xff"}',
        b'{"query": 5}',
    ]
    (tmp_path / "in.ndjson").write_bytes(b"\n".join(lines[:-1]))
    assert analyse(tmp_path / "in.ndjson", "-o", tmp_path / "out.ndjson").exit_code == 1
    rows = read_rows(tmp_path / "out.ndjson")
    assert [row["query"] for row in rows] == ["1s", None, None, None, None]
    assert [row["error"] and row["error"].split()[0] for row in rows] == [None, "no", "expected", "no", "no"]


def test_bytes_that_are_no_text_are_a_bad_row(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"query\n1s\n\xff1s\n2s\n")
    assert analyse(tmp_path / "in.csv", "-o", tmp_path / "out.csv").exit_code == 1
    rows = read_rows(tmp_path / "out.csv")
    assert [row["error"] for row in rows] == [None, "column 'query' is not UTF-8 text", None]


# --- files that cannot be read or written ---


def refusal(*arguments: object) -> str:
    """The message of a run that fails as a whole."""
    result = analyse(*arguments)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.stderr


def test_missing_columns_are_told(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    nothing = write_table(tmp_path / "a.csv", pa.table({"id": ["1"], "tiles": ["1s"]}))
    assert "no column with hands" in refusal(nothing, "-o", out)
    assert "got id, tiles" in refusal(nothing, "-o", out)
    some = write_table(tmp_path / "b.csv", pa.table({str(tile): ["1"] for tile in TILES[:5]}))
    assert "columns of counts are missing: 6s 7s" in refusal(some, "-o", out)
    alone = write_table(tmp_path / "c.csv", pa.table({"hand": ["1s"], "win": ["1s"]}))
    assert "column 'win' needs a column 'source'" in refusal(alone, "-o", out)
    wrong = write_table(tmp_path / "d.parquet", pa.table({"hand": [1.5]}))
    assert "column 'hand' is double" in refusal(wrong, "-o", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("exposed", pa.array([178])),
        ("exposed", pa.array([b"123456"], pa.binary(6))),
        ("exposed", pa.array([b"123456789"], pa.binary(9))),
        ("win", pa.array([True])),
        ("source", pa.array([datetime.date(2020, 1, 1)])),
        ("wang", pa.array([b"1"])),
    ],
    ids=str,
)
def test_columns_beside_the_hands_of_a_wrong_type_are_told(
    name: str, column: pa.Array, tmp_path: Path
) -> None:
    columns = {"hand": pa.array([1], pa.uint64()), "win": ["1s"], "source": ["self"]} | {name: column}
    path = write_table(tmp_path / "in.parquet", pa.table(columns))
    assert f"column '{name}' is {column.type}; expected text" in refusal(path, "-o", tmp_path / "out.csv")


def test_files_that_are_not_what_they_are_called_are_told(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert "no such file" in refusal(tmp_path / "none.csv", "-o", out)
    assert "directory" in refusal(tmp_path, "-o", out) or "expected a file named" in refusal(
        tmp_path, "-o", out
    )
    assert "expected a file named" in refusal(tmp_path / "in.txt", "-o", out)
    for suffix in (".parquet", ".arrow", ".npy", ".csv"):
        path = tmp_path / f"in{suffix}"
        path.write_bytes(b"")
        assert "unreadable" in refusal(path, "-o", out)
        if suffix != ".csv":
            path.write_bytes(b"something else altogether" * 20)
            assert "unreadable" in refusal(path, "-o", out)
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".npy"])
def test_truncated_files_are_told(suffix: str, texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / f"in{suffix}"
    if suffix == ".npy":
        np.save(path, samples.random_deals(100))
    else:
        write_table(path, pa.table({"query": texts}))
    os.truncate(path, path.stat().st_size * 2 // 3)
    assert "truncated" in refusal(path, "-o", tmp_path / "out.csv")


def test_a_stream_that_breaks_off_fails_and_keeps_what_was_done(
    texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch, 10)
    path = write_table(tmp_path / "in.arrow", pa.table({"query": texts}))
    os.truncate(path, path.stat().st_size * 2 // 3)
    message = refusal(path, "-o", tmp_path / "out.csv")
    assert "truncated" in message
    assert "--resume" in message


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((3, 19), np.uint8),
        np.zeros((3, 20), np.int64),
        np.zeros(3, np.float64),
        np.zeros((), np.uint64),
    ],
    ids=str,
)
def test_arrays_of_a_wrong_shape_or_type_are_told(array: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", array)
    assert "expected uint8 (N, 20)" in refusal(tmp_path / "in.npy", "-o", tmp_path / "out.csv")


def test_an_array_of_negative_length_is_told(tmp_path: Path) -> None:
    header = b"\x93NUMPY\x01\x00v\x00{'descr': '<u8', 'fortran_order': False, 'shape': (-5,), }"
    (tmp_path / "in.npy").write_bytes(header.ljust(127) + b"\n")
    assert "got uint64 (-5,)" in refusal(tmp_path / "in.npy", "-o", tmp_path / "out.csv")


def test_outputs_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.csv", pa.table({"query": ["1s"]}))
    assert "expected a file named" in refusal(path, "-o", tmp_path / "out.xlsx")
    assert "no such directory" in refusal(path, "-o", tmp_path / "none" / "out.csv")
    assert "directory" in refusal(path, "-o", tmp_path)
    assert "directory" in refusal(path, "-o", ".")
    assert "would replace an input" in refusal(path, "-o", path)
    taken = write_table(tmp_path / "taken.csv", pa.table({"query": ["1s"], "xi": ["1"]}))
    assert "has a column 'xi' already" in refusal(taken, "-o", tmp_path / "out.csv")
    assert "expected names of" in refusal(path, "-o", tmp_path / "out.csv", "--columns", "xi,luck")


def test_inputs_of_different_columns_are_told(tmp_path: Path) -> None:
    first = write_table(tmp_path / "a.csv", pa.table({"query": ["1s"]}))
    second = write_table(tmp_path / "b.csv", pa.table({"hand": ["1s"]}))
    assert "expected the columns of" in refusal(first, second, "-o", tmp_path / "out.csv")


def test_columns_of_one_name_are_told(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("query,query\n1s,2s\n")
    assert "more than once" in refusal(tmp_path / "in.csv", "-o", tmp_path / "out.csv")


def test_without_pyarrow_it_says_what_to_install(tmp_path: Path) -> None:
    program = "import sys; sys.modules['pyarrow'] = None\nfrom paohuzi.cli import main\nmain()"
    command = [sys.executable, "-c", program, "analyse", "in.csv", "-o", "out.csv"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert result.returncode == 2
    assert 'pip install "paohuzi[files]"' in result.stderr
    assert "Traceback" not in result.stderr


# --- broken runs ---


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A file of some batches."""
    hands = np.concatenate([samples.random_deals(1500, seed=13), samples.waiting_hands(500, seed=14)])
    table = pa.table({"id": range(2000), "hand": np.random.default_rng(0).permutation(hands)})
    return write_table(tmp_path / "many.parquet", table)


def whole_run(many: Path, out: Path) -> bytes:
    """The bytes of an unbroken run."""
    assert analyse(many, "-o", out).exit_code == 0
    data = out.read_bytes()
    out.unlink()
    return data


class FullDisk:
    """Lets a sink write some batches, then fail in the middle of one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, sink: type[sinks.Sink], batches: int) -> None:
        self.left = batches
        write = sink.write

        def limited(target: sinks.Sink, batch: pa.RecordBatch) -> None:
            if self.left == 0:
                with target.path.open("ab") as file:
                    file.write(b"half a batch")
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self.left -= 1
            write(target, batch)

        monkeypatch.setattr(sink, "write", limited)


@pytest.mark.parametrize("output", SINKS)
def test_a_full_disk_loses_nothing(
    output: str, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / f"out{output}"
    wanted = whole_run(many, out)
    with monkeypatch.context() as limits:
        FullDisk(limits, SINKS[output], 13)
        message = refusal(many, "-o", out)
    assert "no space left" in message
    assert "--resume" in message
    assert not out.exists()
    result = analyse(many, "-o", out, "--resume")
    assert result.exit_code == 0, result.output
    assert "of an earlier run" in result.stdout
    assert out.read_bytes() == wanted
    assert not work_folder(out).exists()


def test_a_link_stays_and_the_file_it_leads_to_is_written(many: Path, tmp_path: Path) -> None:
    wanted = whole_run(many, tmp_path / "plain.parquet")
    link, target = tmp_path / "link.parquet", tmp_path / "folder" / "target"
    target.parent.mkdir()
    link.symlink_to(target)
    for _ in range(2):  # to a file that is not there yet, and to one that is
        result = analyse(many, "-o", link)
        assert result.exit_code == 0, result.output
        assert link.is_symlink()
        assert target.read_bytes() == wanted
    assert [path.name for path in target.parent.iterdir()] == ["target"]
    assert not work_folder(link).exists()


def test_a_device_is_not_written_to(many: Path, tmp_path: Path) -> None:
    link = tmp_path / "nothing.csv"
    link.symlink_to("/dev/null")
    assert "expected a file to write" in refusal(many, "-o", link)


def driver(more: str, *arguments: object) -> "subprocess.Popen[bytes]":
    """A run in a process of its own, of small batches with a mark after each."""
    command = [sys.executable, "-c", DRIVER.format(more=more), "analyse", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("output", SINKS)
def test_a_run_killed_at_random_points_and_resumed_gives_the_same_file(
    output: str, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / f"out{output}"
    wanted = whole_run(many, out)
    delays = random.Random(output)
    for _ in range(4):
        # The clock starts when the first batch is to be written, so that the kill hits the work.
        more = f"""
from paohuzi.analysis import sinks
def late_kill():
    time.sleep({delays.uniform(0, 0.04)})
    os.kill(os.getpid(), 9)
opened = run.open_sink
def open_sink(*arguments):
    threading.Thread(target=late_kill, daemon=True).start()
    return opened(*arguments)
run.open_sink = open_sink
"""
        with driver(more, many, "-o", out, "--resume") as process:
            process.communicate(timeout=60)
            if process.returncode == 0:
                break
            assert process.returncode == -signal.SIGKILL
        assert not out.exists()
    result = analyse(many, "-o", out, "--resume")
    assert result.exit_code == 0, result.output
    assert out.read_bytes() == wanted


def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / "out.parquet"
    wanted = whole_run(many, out)
    slow = """
write = run._Run._write
def slow_write(self, solved):
    write(self, solved)
    print("written", flush=True)
    time.sleep(0.05)
run._Run._write = slow_write
"""
    with driver(slow, many, "-o", out) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Interrupted" in errors
    assert b"--resume" in errors
    assert b"Traceback" not in errors
    assert not out.exists()
    assert analyse(many, "-o", out, "--resume").exit_code == 0
    assert out.read_bytes() == wanted


@pytest.mark.parametrize("output", SINKS)
def test_a_file_that_may_not_grow_fails_clearly_and_is_gone_on_with(
    output: str, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / f"out{output}"
    wanted = whole_run(many, out)
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({len(wanted) // 2},) * 2)"
    with driver(limit, many, "-o", out) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 2, errors
    assert b"no space left" in errors
    assert b"Traceback" not in errors
    assert not out.exists()
    result = analyse(many, "-o", out, "--resume")
    assert result.exit_code == 0, result.output
    assert "of an earlier run" in result.stdout
    assert out.read_bytes() == wanted


def broken_run(many: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the beginning of a run behind."""
    with monkeypatch.context() as limits:
        FullDisk(limits, SINKS[out.suffix], 5)
        refusal(many, "-o", out)


def test_an_unfinished_run_is_begun_anew_without_resume(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / "out.arrow"
    wanted = whole_run(many, out)
    broken_run(many, out, monkeypatch)
    result = analyse(many, "-o", out)
    assert result.exit_code == 0
    assert "begun anew" in result.stderr
    assert "of an earlier run" not in result.stdout
    assert out.read_bytes() == wanted


def test_a_run_that_ended_just_before_clearing_up_is_begun_anew(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / "out.parquet"
    broken_run(many, out, monkeypatch)
    (work_folder(out) / "data.parquet").rename(out)
    assert analyse(many, "-o", out, "--resume").exit_code == 0
    assert pq.read_metadata(out).num_rows == 2000
    assert not work_folder(out).exists()


def test_another_run_is_not_gone_on_with(many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_batches(monkeypatch)
    out = tmp_path / "out.csv"
    broken_run(many, out, monkeypatch)
    message = refusal(many, "-o", out, "--resume", "--columns", "xi")
    assert "columns was" in message
    write_table(many, pa.table({"id": [1], "hand": [1]}))
    message = refusal(many, "-o", out, "--resume")
    assert "inputs was" in message
    assert "go on" not in message
    assert work_folder(out).is_dir()


def test_a_torn_journal_line_is_passed_over(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / "out.ndjson"
    wanted = whole_run(many, out)
    broken_run(many, out, monkeypatch)
    with (work_folder(out) / "journal.ndjson").open("ab") as file:
        file.write(b'{"file": 0, "row": 1')
    assert analyse(many, "-o", out, "--resume").exit_code == 0
    assert out.read_bytes() == wanted


def test_resume_without_an_unfinished_run_begins_one(many: Path, tmp_path: Path) -> None:
    assert analyse(many, "-o", tmp_path / "out.parquet", "--resume").exit_code == 0


def test_two_runs_do_not_write_one_output(many: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    slow = "import time\nrun.answer = lambda *a: print('begun', flush=True) or time.sleep(60)"
    with driver(slow, many, "-o", out) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert "another run is writing it" in refusal(many, "-o", out)
        process.kill()


def test_an_output_of_an_earlier_run_stays_until_the_new_one_is_complete(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch)
    out = tmp_path / "out.csv"
    out.write_text("precious")
    broken_run(many, out, monkeypatch)
    assert out.read_text() == "precious"
