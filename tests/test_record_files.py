"""Files of records: appended to, read again, torn off, damaged, killed while they are written."""

import gzip
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from game_bots import RandomBot, played

from paohuzi import NotationError
from paohuzi.match import Match
from paohuzi.record import CompressionError, Record, RecordWriter, compression, read_entries, read_records

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
every_kind = pytest.mark.parametrize("suffix", SUFFIXES)
RECORDS = [played("qq-full", 3, seed).record() for seed in range(12)]


@pytest.fixture
def path(tmp_path: Path, suffix: str) -> Path:
    if suffix.endswith(".zst"):
        pytest.importorskip("zstandard")
    return tmp_path / f"hands{suffix}"


def write(path: Path, records: list[Record]) -> None:
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)


def read(path: Path) -> tuple[list[Record], list[str]]:
    torn: list[str] = []
    return [entry.record for entry in read_entries(path, torn.append)], torn


@every_kind
def test_what_is_written_is_read_again(path: Path) -> None:
    write(path, RECORDS[:5])
    write(path, [])
    write(path, RECORDS[5:])
    assert read(path) == (RECORDS, [])
    assert list(read_records(path)) == RECORDS


@every_kind
def test_hands_are_found_with_their_numbers_and_lines(path: Path) -> None:
    write(path, RECORDS[:4])
    line = 1
    for number, entry in enumerate(read_entries(path), 1):
        assert (entry.number, entry.line, entry.record) == (number, line, RECORDS[number - 1])
        line += len(entry.record.events)


@every_kind
def test_each_hand_is_there_once_it_is_written(path: Path) -> None:
    with RecordWriter(path) as writer:
        for count, record in enumerate(RECORDS[:5], 1):
            writer.write(record)
            assert read(path) == (RECORDS[:count], [])


@every_kind
def test_file_cut_anywhere_gives_its_whole_hands_and_can_be_gone_on_with(path: Path) -> None:
    write(path, RECORDS[:3])
    write(path, RECORDS[3:6])
    whole = path.read_bytes()
    random = Random(1)
    for cut in [1, len(whole) - 1, *(random.randrange(1, len(whole)) for _ in range(60))]:
        path.write_bytes(whole[:cut])
        kept, torn = read(path)
        assert kept == RECORDS[: len(kept)]
        assert all("breaks off in hand" in message for message in torn)
        with RecordWriter(path) as writer:
            assert (writer.dropped is not None) == bool(torn)
            writer.write(RECORDS[9])
        assert read(path) == ([*kept, RECORDS[9]], [])
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_torn_line_is_told(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    write(path, RECORDS[:2])
    lines = len(RECORDS[0].events) + len(RECORDS[1].events)
    path.write_bytes(path.read_bytes() + b'{"type":"start","proto')
    assert read(path)[1] == [f"{path}, line {lines + 1}: the file breaks off in hand 3, which is left out"]
    writer = RecordWriter(path)
    assert writer.dropped == f"{path}: removed 22 bytes of a hand that was not finished"
    writer.close()
    assert read(path) == (RECORDS[:2], [])


def test_hand_without_its_end_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    write(path, RECORDS[:1])
    path.write_bytes(path.read_bytes() + b"\n".join(RECORDS[1].to_lines()[:-1]) + b"\n")
    kept, torn = read(path)
    assert (kept, len(torn)) == (RECORDS[:1], 1)


WRITER = """
import sys
from itertools import count
sys.path.insert(0, sys.argv[2])
from game_bots import played
from paohuzi.record import RecordWriter
records = [played("qq-basic", 3, seed).record() for seed in range(5)]
with RecordWriter(sys.argv[1]) as writer:
    for number in count():
        writer.write(records[number % 5])
        print(number + 1, flush=True)
"""


@every_kind
def test_killed_writer_leaves_every_hand_it_has_written(path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    written = [int(process.stdout.readline()) for _ in range(40)][-1]
    process.send_signal(signal.SIGKILL)
    written = max([written, *map(int, process.stdout.read().split())])
    process.wait()
    kept, _ = read(path)
    assert len(kept) >= written
    records = [played("qq-basic", 3, seed).record() for seed in range(5)]
    assert kept == [records[number % 5] for number in range(len(kept))]
    write(path, RECORDS[:1])
    assert read(path) == ([*kept, RECORDS[0]], [])


def test_blank_lines_and_carriage_returns_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    lines = [line for record in RECORDS[:2] for line in record.to_lines()]
    for end in (b"\r\n", b"\n\n", b" \n \n"):
        path.write_bytes(end.join(lines) + end)
        assert read(path) == (RECORDS[:2], [])
    write(path, RECORDS[2:3])
    assert read(path) == (RECORDS[:3], [])


@pytest.mark.parametrize(
    ("place", "text", "error"),
    [
        (0, b"{}", "line 1: expected an event"),
        (1, b"foo", "line 2: expected an event"),
        (5, b'{"type":"draw","actor":9,"tile":"1s"}', "line 6: expected an event .*<= 3"),
        (4, b'{"type":"end","deltas":[0,0,0],"totals":[0,0,0]}', "line 6: expected start, got"),
        (0, b'{"type":"end","deltas":[0,0,0],"totals":[0,0,0]}', "line 1: expected start, got end"),
        (3, b"\xff\xfe", "line 4: expected an event"),
        (2, b"[" * 5000, "line 3: expected an event"),
    ],
)
def test_wrong_line_is_told_with_its_number(tmp_path: Path, place: int, text: bytes, error: str) -> None:
    path = tmp_path / "hands.jsonl"
    lines = [*RECORDS[0].to_lines(), *RECORDS[1].to_lines()]
    lines[place] = text
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(NotationError, match=error):
        list(read_records(path))


def test_line_and_hand_without_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_bytes(b"x" * (3 << 20))
    with pytest.raises(NotationError, match="line 1: expected at most 1048576 bytes"):
        list(read_records(path))
    start, deal, first, *_ = RECORDS[0].to_lines()
    path.write_bytes(b"\n".join([start, deal, *[first] * 5000]) + b"\n")
    with pytest.raises(NotationError, match="line 400: expected an end after at most 400 events"):
        list(read_records(path))


def test_file_of_something_else_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    for text in (b"my notes\n", b"my notes", b'{"a": 1}\n', b'{"type":"end","deltas":[],"totals":[]}\n'):
        path.write_bytes(text)
        with pytest.raises(NotationError, match="line 1: expected"):
            RecordWriter(path)
        assert path.read_bytes() == text


@pytest.mark.parametrize("suffix", SUFFIXES[1:])
def test_damaged_compressed_file_is_refused_or_read_in_part(path: Path) -> None:
    write(path, RECORDS)
    whole = path.read_bytes()
    random = Random(2)
    for _ in range(60):
        place = random.randrange(len(whole))
        other = bytes([whole[place] ^ random.randrange(1, 256)])
        path.write_bytes(whole[:place] + other + whole[place + 1 :])
        assert is_refused_or_read(path)


def is_refused_or_read(path: Path) -> bool:
    try:
        kept, _ = read(path)
    except NotationError as error:
        return str(path) in str(error)
    return len(kept) <= len(RECORDS)


def test_gzip_of_others_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl.gz"
    lines = [line for record in RECORDS for line in record.to_lines()]
    path.write_bytes(gzip.compress(b"\n".join(lines) + b"\n"))
    assert read(path) == (RECORDS, [])
    path.write_bytes(b"no gzip at all")
    with pytest.raises(NotationError, match=r"expected a file \*\.gz, got what is none"):
        read(path)


def test_zst_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(CompressionError, match=r"pip install 'paohuzi\[zst\]'"):
        RecordWriter(tmp_path / "hands.jsonl.zst")
    (tmp_path / "hands.jsonl.zst").write_bytes(b"x")
    with pytest.raises(CompressionError, match="zstandard"):
        read(tmp_path / "hands.jsonl.zst")
    assert compression.COMPRESSED_CHUNK < 1 << 16


def test_match_is_written_as_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = Match("baiwang", [RandomBot(seat) for seat in range(3)], seed=3, hands=20)
    with RecordWriter(path) as writer:
        for record in match:
            writer.write(record)
    records = list(read_records(path))
    assert [record.start.hand for record in records] == list(range(20))
    assert records[-1].end.totals == match.scores
