"""Writing files of records: each hand is there for good once it is written (docs/records.md)."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from ..tiles import NotationError
from .compression import Chunks, compressor
from .events import End, Start
from .reading import Line, decode_line, read_lines
from .record import Record, encode_event

__all__ = ["RecordWriter"]

_END = b'"end"'
_FIRST = b'{"type":"start"'


class RecordWriter:
    """Appends records to a file, .jsonl, also .gz or .zst; each is flushed, and survives a kill.

    What an earlier writer left unfinished is removed first; `dropped` then says so. Raises OSError,
    CompressionError, NotationError for a file that holds something else. See docs/records.md.

    >>> from tempfile import TemporaryDirectory
    >>> from paohuzi.game import Game
    >>> from paohuzi.record import read_records
    >>> game = Game("qq-basic", seed=4)
    >>> while not game.is_over:
    ...     game.apply(game.legal_actions()[0])
    >>> with TemporaryDirectory() as folder:
    ...     with RecordWriter(f"{folder}/hands.jsonl.gz") as writer:
    ...         writer.write(game.record())
    ...     [record.end.deltas for record in read_records(f"{folder}/hands.jsonl.gz")]
    [(0, 0, 0)]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.dropped: str | None = None
        """What has been removed at the end of the file."""
        self._compressor = compressor(self.path)
        if self.path.exists():
            self._mend()
        self._file = self.path.open("ab")

    def write(self, record: Record) -> None:
        """Append a hand. Raises OSError."""
        data = b"".join(encode_event(event) + b"\n" for event in record.events)
        self._file.write(self._compressor.feed(data))
        self._file.flush()

    def close(self) -> None:
        """End the file. Raises OSError."""
        if not self._file.closed:
            with self._file:
                self._file.write(self._compressor.finish())

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _mend(self) -> None:
        """Leave nothing in the file but whole hands, so that others can follow."""
        kept, size, is_broken = _whole_hands(self.path)
        if kept < size:
            self.dropped = f"{self.path}: removed {size - kept} bytes of a hand that was not finished"
        if kept < size or is_broken:
            _shorten(self.path, kept)


def _whole_hands(path: Path) -> tuple[int, int, bool]:
    """The size of all whole hands in a file and of everything, decompressed; whether the file breaks off.

    Raises NotationError for a file of something else.
    """
    kept = size = 0
    with path.open("rb") as file:
        chunks = Chunks(path, file)
        for line in read_lines(chunks):
            if size == 0 and not _begins_record(path, line):
                raise NotationError(f"{path}, line {line.place}: expected records or a new file, got another")
            size = line.stop
            if _END in line.text and not line.is_torn and isinstance(decode_line(path, line), End):
                kept = size
    return kept, size, chunks.is_broken


def _begins_record(path: Path, line: Line) -> bool:
    if line.is_torn:
        return _FIRST.startswith(line.text[: len(_FIRST)])
    return isinstance(decode_line(path, line), Start)


def _shorten(path: Path, size: int) -> None:
    """Leave so many bytes of the data of a file. The file is never without them."""
    beside = path.with_name(f".{path.name}.mended{path.suffix}")
    made = compressor(path)
    with path.open("rb") as file, beside.open("wb") as target:
        for chunk in Chunks(path, file):
            target.write(made.feed(chunk[:size]))
            size -= min(size, len(chunk))
        target.write(made.finish())
    beside.replace(path)
