"""`paohuzi analyse` with scores: the columns, contexts from columns, the summary, broken runs."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_analyse import (
    BAD_TEXTS,
    OUTPUTS,
    SINKS,
    FullDisk,
    Row,
    analyse,
    as_texts,
    expected_row,
    read_rows,
    refusal,
    small_batches,
    write_table,
)

from paohuzi import Context, load_rules, preset_names, samples, score
from paohuzi.analysis import SCORE_COLUMNS, Tally, work_folder
from paohuzi.analysis.answers import COLUMNS
from paohuzi.batch import Queries
from paohuzi.cli import analyse as analyse_command
from paohuzi.query_texts import query_texts

HEAVEN = "2222444555560000s 4000b"
WHOLE = "122345678900s 122345670b"
SELF, OTHER = "122345678900s 12234567b + 0b@self", "122345678900s 12234567b + 0b@other"
CONTEXTS = ("last_tile", "shown_tile", "dealer", "untouched", "first_discard", "heaven")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Queries of every state, many of which win."""
    hands = [
        samples.random_deals(10, tiles=20, seed=2),
        samples.winning_hands(30, seed=4),
        samples.waiting_hands(10, seed=5),
        samples.wang_hands(15, 2, seed=6),
    ]
    return query_texts(samples.mid_game(80, wang=2, seed=7)) + query_texts(Queries(np.concatenate(hands)))


def score_row(text: str, rules: str, **context: bool) -> Row:
    """What a single query answers for the columns of a score."""
    found = score(text, rules, Context(**context))
    if not found.hu:
        return dict.fromkeys(SCORE_COLUMNS)
    fans = "+".join(fan.id for fan in found.fans)
    return dict(zip(SCORE_COLUMNS, (found.payment, found.base, found.fan, fans, found.xi), strict=True))


def scores_of(rows: list[Row]) -> list[Row]:
    return [{name: row[name] for name in SCORE_COLUMNS} for row in rows]


def columns_of(*options: str, folder: Path) -> list[str]:
    path = write_table(folder / "in.csv", pa.table({"query": ["1s"]}))
    assert analyse(path, "-o", folder / "out.parquet", *options).exit_code == 0
    return pq.read_schema(folder / "out.parquet").names[1:]


# --- columns ---


def test_scores_come_with_the_rules_or_where_they_are_asked(tmp_path: Path) -> None:
    every = [*COLUMNS, *SCORE_COLUMNS]
    assert columns_of(folder=tmp_path) == [*COLUMNS]
    assert columns_of("--set", "min_xi=10", folder=tmp_path) == [*COLUMNS]
    assert columns_of("--rules", "luzhou", folder=tmp_path) == every
    assert columns_of("--score", folder=tmp_path) == every
    assert columns_of("--score", "--rules", "luzhou", folder=tmp_path) == every
    assert columns_of("--rules", "luzhou", "--columns", "xi,fans", folder=tmp_path) == ["xi", "fans"]
    listed = columns_of("--score", "--columns", "fan,xi", folder=tmp_path)
    assert listed == ["fan", "xi", "payment", "base", "fans", "score_xi"]


def test_the_command_offers_the_columns_that_there_are() -> None:
    assert analyse_command.SCORE_COLUMNS == SCORE_COLUMNS


def test_the_columns_have_the_documented_types(texts: list[str], tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.csv", pa.table({"query": texts}))
    assert analyse(path, "-o", tmp_path / "out.parquet", "--score").exit_code == 0
    types = {field.name: str(field.type) for field in pq.read_schema(tmp_path / "out.parquet")}
    assert [types[name] for name in SCORE_COLUMNS] == ["int32", "int16", "int32", "string", "int16"]


@pytest.mark.parametrize("rules", preset_names())
def test_every_preset_pays_what_single_queries_pay(rules: str, texts: list[str], tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.parquet", pa.table({"query": texts + BAD_TEXTS}))
    assert analyse(path, "-o", tmp_path / "out.arrow", "--rules", rules).exit_code == 1
    rows = read_rows(tmp_path / "out.arrow")
    expected = [score_row(text, rules) for text in texts] + [dict.fromkeys(SCORE_COLUMNS)] * len(BAD_TEXTS)
    assert scores_of(rows) == expected
    assert sum(row["payment"] is not None for row in rows) >= 40
    others = [expected_row(text, load_rules(rules)) for text in texts + BAD_TEXTS]
    assert [{name: row[name] for name in COLUMNS} for row in rows] == others


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("source", [".parquet", ".arrow", ".csv", ".ndjson"])
def test_every_format_takes_contexts_and_holds_scores(
    source: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_batches(monkeypatch, 3)
    told = [
        (SELF, {}),
        (SELF, {"last_tile": True}),
        (SELF, {"last_tile": True, "dealer": True}),
        (SELF, {"untouched": True}),
        (OTHER, {"shown_tile": True}),
        (SELF, {"shown_tile": True, "dealer": True}),
        (HEAVEN, {"heaven": True}),
        (WHOLE, {"dealer": True}),
    ]
    columns: dict[str, list[Any]] = {"query": [text for text, _ in told]}
    columns |= {name: [context.get(name, False) for _, context in told] for name in CONTEXTS}
    path, out = write_table(tmp_path / f"in{source}", pa.table(columns)), tmp_path / f"out{output}"
    result = analyse(path, "-o", out, "--rules", "quan-mingtang", "--threads", 2)
    assert result.exit_code == 0, result.output
    rows, expected = (
        scores_of(read_rows(out)),
        [score_row(text, "quan-mingtang", **each) for text, each in told],
    )
    assert rows == (list(map(as_texts, expected)) if output == ".csv" else expected)
    assert len({row["payment"] for row in expected}) == 5


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([True, False, None]),
        pa.array([1, 0, None], pa.int8()),
        pa.array([1, 0, None], pa.uint64()),
        pa.array([1.0, 0.0, float("nan")]),
        pa.array(["true", "false", None]),
        pa.array([" TRUE", "0", ""]),
        pa.array(["1.0", "0.0", " "]),
        pa.array(["1", "False", None]).dictionary_encode(),
    ],
    ids=lambda cells: f"{cells.type} {cells[0]}",
)
def test_a_context_may_come_in_any_type(cells: pa.Array, tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.parquet", pa.table({"query": [SELF] * 3, "last_tile": cells}))
    assert analyse(path, "-o", tmp_path / "out.ndjson", "--rules", "qq-full").exit_code == 0
    assert [row["fans"] for row in read_rows(tmp_path / "out.ndjson")] == ["haidi", "", ""]


def test_a_context_of_mixed_json_is_read_cell_by_cell(tmp_path: Path) -> None:
    rows = [{"query": SELF, "last_tile": value} for value in (True, 1, "true", "", None, 2, [1])]
    (tmp_path / "in.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert analyse(tmp_path / "in.ndjson", "-o", tmp_path / "out.ndjson", "--score").exit_code == 1
    answers = read_rows(tmp_path / "out.ndjson")
    assert [row["payment"] for row in answers] == [3, 3, 3, 3, 3, None, None]
    assert answers[5]["error"] == "column 'last_tile': expected true or false, 1 or 0, got '2'"


# --- what cannot be ---


def test_bad_contexts_are_bad_rows(tmp_path: Path) -> None:
    columns = {
        "query": [WHOLE, SELF, SELF, HEAVEN, "x", WHOLE],
        "last_tile": ["1", "yes", "2", "", "maybe", ""],
        "heaven": ["", "", "", "0", "", "1"],
    }
    path = write_table(tmp_path / "in.csv", pa.table(columns))
    assert analyse(path, "-o", tmp_path / "out.parquet", "--rules", "qq-half").exit_code == 1
    rows = read_rows(tmp_path / "out.parquet")
    assert [row["payment"] for row in rows] == [None] * 6
    assert [row["hu"] for row in rows] == [None, None, None, None, None, None]
    beginnings = (
        "expected a winning tile from the wall",
        "column 'last_tile': expected true or false, 1 or 0, got 'yes'",
        "column 'last_tile': expected true or false, 1 or 0, got '2'",
        None,
        "expected a tile",
        "expected 3 quads, or 5 quads and triplets, for forced heaven",
    )
    for row, beginning in zip(rows, beginnings, strict=True):
        assert (row["error"] or "").startswith(beginning or ""), row
        assert (row["error"] is None) == (beginning is None)


def test_numbers_that_are_no_truth_are_bad_rows(tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.parquet", pa.table({"query": [SELF] * 3, "dealer": [0, 2, -1]}))
    assert analyse(path, "-o", tmp_path / "out.parquet", "--score").exit_code == 1
    errors = [row["error"] for row in read_rows(tmp_path / "out.parquet")]
    assert errors == [
        None,
        "column 'dealer': expected a whole number from 0 to 1, got 2",
        "column 'dealer': expected a whole number from 0 to 1, got -1",
    ]


def test_a_column_of_another_type_is_told_only_where_scores_are_asked(tmp_path: Path) -> None:
    columns = {"query": [SELF], "dealer": pa.array([datetime.date(2024, 5, 6)])}
    path = write_table(tmp_path / "in.parquet", pa.table(columns))
    message = refusal(path, "-o", tmp_path / "out.csv", "--rules", "luzhou")
    assert "column 'dealer' is date32[day]; expected true or false, 1 or 0" in message
    assert not work_folder(tmp_path / "out.csv").exists()
    assert analyse(path, "-o", tmp_path / "out.csv").exit_code == 0
    assert analyse(path, "-o", tmp_path / "out.csv", "--rules", "luzhou", "--columns", "xi").exit_code == 0


def test_a_column_of_the_name_of_an_answer_is_told(tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.csv", pa.table({"query": ["1s"], "fan": ["1"]}))
    assert "has a column 'fan' already" in refusal(path, "-o", tmp_path / "out.csv", "--score")
    assert "expected names of" in refusal(path, "-o", tmp_path / "out.csv", "--columns", "pay")


# --- the summary ---


def test_the_summary_tells_the_mean_payment_and_the_wins_by_fan(texts: list[str], tmp_path: Path) -> None:
    path = write_table(tmp_path / "in.csv", pa.table({"query": texts}))
    words = analyse(path, "-o", tmp_path / "out.csv", "--rules", "qq-half").stdout.split()
    rows = [score_row(text, "qq-half") for text in texts]
    paid = [row for row in rows if row["payment"] is not None]
    mean = sum(row["payment"] for row in paid) / len(paid)
    assert words[words.index("mean") + 2] == f"{mean:,.2f}"
    for fan in load_rules("qq-half").fans:
        count = sum(fan.id in row["fans"].split("+") for row in paid)
        assert (fan.id in words) == (count > 0)
        assert not count or words[words.index(fan.id) + 1] == str(count)
    assert words[words.index("平胡") + 1] == str(sum(row["fans"] == "" for row in paid))


def test_without_scores_or_wins_nothing_is_told_of_payments(texts: list[str], tmp_path: Path) -> None:
    for query, options in ((texts, ()), (["1s"], ("--score",))):
        path = write_table(tmp_path / "in.csv", pa.table({"query": query}))
        printed = analyse(path, "-o", tmp_path / "out.csv", *options).stdout
        assert "mean payment" not in printed
        assert "fan 番" not in printed


def test_tallies_add_up_and_keep_through_the_journal() -> None:
    one = Tally(5, 2, 1, paid=2, payments=2**33)
    one.fans.update({"hong": 1, "": 1})
    one.xi.update({15: 2})
    both = one + one
    assert (both.rows, both.paid, both.payments, both.fans["hong"], both.xi[15]) == (10, 4, 2**34, 2, 4)
    assert Tally.from_json(json.loads(json.dumps(both.to_json()))) == both


# --- broken runs ---


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A file of some batches."""
    hands = np.concatenate([samples.winning_hands(800, seed=13), samples.waiting_hands(200, seed=14)])
    table = pa.table({"hand": np.random.default_rng(0).permutation(hands), "dealer": [1, 0] * 500})
    return write_table(tmp_path / "many.parquet", table)


@pytest.mark.parametrize("output", SINKS)
def test_a_broken_run_goes_on_with_its_scores_and_its_summary(
    output: str, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(printed: str) -> list[str]:
        words = ("seconds", "rows a second", "of an earlier run")
        return [" ".join(line.split()) for line in printed.splitlines() if not line.startswith(words)]

    small_batches(monkeypatch)
    out = tmp_path / f"out{output}"
    options = (many, "-o", out, "--rules", "quan-mingtang")
    whole = analyse(*options, "--threads", 3)
    wanted = out.read_bytes()
    out.unlink()
    with monkeypatch.context() as limits:
        FullDisk(limits, SINKS[output], 7)
        refusal(*options)
    assert "rules was quan-mingtang" in refusal(many, "-o", out, "--rules", "luzhou", "--resume")
    resumed = analyse(*options, "--resume")
    assert "of an earlier run" in resumed.stdout
    assert out.read_bytes() == wanted
    assert told(resumed.stdout) == told(whole.stdout)
