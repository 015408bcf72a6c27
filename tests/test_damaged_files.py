"""Files with wrong bytes in them: analyse answers what can be read and tells the rest, whatever the bytes."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from paohuzi.cli import main

SUFFIXES = (".csv", ".ndjson", ".npy", ".parquet", ".arrow")
GOOD, WRONG_ROWS, FAILED = 0, 1, 2


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@lru_cache
def whole_file(suffix: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"in{suffix}"
        exposed = () if suffix == ".npy" else ("--exposed",)
        assert run("deal", "--hands", 30, *exposed, "--seed", 1, "-o", path).exit_code == GOOD
        return path.read_bytes()


@st.composite
def damage(draw: st.DrawFn, data: bytes) -> bytes:
    """Some bytes changed, left out or put in."""
    damaged = bytearray(data)
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(damaged)))
        damaged[place : place + draw(st.integers(0, 4))] = draw(st.binary(max_size=4))
    return bytes(damaged)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_bytes_are_answered_or_refused(suffix: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path, out = Path(folder) / f"in{suffix}", Path(folder) / "out.parquet"
        path.write_bytes(data.draw(damage(whole_file(suffix))))
        result = run("analyse", path, "-o", out)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        if result.exit_code == FAILED:
            assert result.stderr.startswith("Error: ")
            assert not out.exists()
        else:
            assert result.exit_code in (GOOD, WRONG_ROWS)
            errors = pq.read_table(out).column("error")
            assert (errors.null_count < len(errors)) is (result.exit_code == WRONG_ROWS)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()], ids=str)
@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_text_that_is_not_utf8_is_a_bad_row(suffix: str, kind: pa.DataType, tmp_path: Path) -> None:
    cells = [b"122345678900s 122345670b", b"1s \xff", None]
    in_bytes = pa.array(cells, pa.binary() if kind == pa.string() else pa.large_binary())
    table = pa.table({"note": in_bytes.take(pa.array([0, 0, 1])).view(kind), "query": in_bytes.view(kind)})
    path, out = tmp_path / f"in{suffix}", tmp_path / "out.csv"
    if suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa_ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    result = run("analyse", path, "-o", out, "--columns", "xi,error")
    assert result.exit_code == WRONG_ROWS
    assert out.read_text("utf-8").splitlines()[1:] == [
        '"122345678900s 122345670b","122345678900s 122345670b",18,',
        '"122345678900s 122345670b","1s \ufffd",,"column \'query\' is not UTF-8 text"',
        '"1s \ufffd",,,"column \'note\' is not UTF-8 text"',
    ]


def test_an_npy_head_that_is_no_literal_is_told(tmp_path: Path) -> None:
    path = tmp_path / "in.npy"
    path.write_bytes(
        b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<u8', 'shape': (3".ljust(117) + b"\n" + bytes(24)
    )
    result = run("analyse", path, "-o", tmp_path / "out.csv")
    assert result.exit_code == FAILED
    assert "unreadable or truncated" in result.stderr
