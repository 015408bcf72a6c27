"""What a run has finished, so that a broken one can go on.

While a run lasts, the folder .OUT.partial stands beside the output OUT, or beside the file that OUT links to:
with the growing data file, and a journal of one JSON object a line. The first says what run it is, each
further one how far the data is good.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from pathlib import Path
from typing import Any

from .formats import AnalysisError, writing

__all__ = ["Journal", "work_folder"]

Entry = dict[str, Any]
JOURNAL_NAME = "journal.ndjson"


def work_folder(out: Path) -> Path:
    """Where an unfinished run of an output is kept."""
    target = _target(out)
    return target.parent / f".{target.name}.partial"


def _target(out: Path) -> Path:
    """The file that is written: what a link leads to, so that it stays a link."""
    return Path(os.path.realpath(out))


class Journal:
    """The work folder of an output, locked for one run at a time."""

    def __init__(self, out: Path, run: Entry, *, resume: bool) -> None:
        """Begin the folder anew, or go on with the one that is there.

        out: the output. run: what has to agree for going on, as JSON values by name. Raises AnalysisError.
        """
        self.out = out
        self.folder = work_folder(out)
        self.data = self.folder / f"data{out.suffix}"
        self.entries: list[Entry] = []  # of the run so far
        with writing(out):
            self.folder.mkdir(exist_ok=True)
            self._file = (self.folder / JOURNAL_NAME).open("a+b", buffering=0)
        try:
            self._lock()
            with writing(out):
                self._begin(run, resume)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AnalysisError(f"{self.out}: another run is writing it") from None

    def _begin(self, run: Entry, resume: bool) -> None:
        self._file.seek(0)
        has_data = len(list(self.folder.iterdir())) > 1  # a run may have ended just before clearing up
        lines = _whole_lines(self._file.read()) if resume and has_data else []
        if lines:
            self._compare(json.loads(lines[0]), run)
        # A sudden end may have left a line unfinished, or nothing behind the first line.
        self.entries = [json.loads(line) for line in lines[1:]]
        self._file.truncate(sum(map(len, lines)) if self.entries else 0)
        if not self.entries:
            self._empty_folder()
            self._append(run)

    def _empty_folder(self) -> None:
        """Remove all but the journal itself, which is open."""
        for path in self.folder.iterdir():
            if path.name != JOURNAL_NAME:
                path.unlink()

    def _compare(self, before: Entry, now: Entry) -> None:
        """Raise if the unfinished run is another one."""
        changed = [name for name in now if before.get(name) != now[name]]
        if changed:
            what = "; ".join(f"{name} was {before.get(name)}, is {now[name]}" for name in changed)
            raise AnalysisError(
                f"{self.out}: the unfinished run is another one, start it without --resume: {what}"
            )

    def add(self, entry: Entry) -> None:
        """Note how far the run is finished. Raises OSError."""
        self._append(entry)
        self.entries.append(entry)

    def _append(self, entry: Entry) -> None:
        line = memoryview(json.dumps(entry).encode() + b"\n")
        start = os.fstat(self._file.fileno()).st_size
        try:
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except BaseException:
            self._file.truncate(start)  # what is added later begins a line of its own
            raise

    def deliver(self) -> None:
        """Put the completed data file in the place of the output, and clear up. Raises OSError."""
        target = _target(self.out)
        self.data.replace(target)
        _folder_to_disk(target.parent)
        shutil.rmtree(self.folder)

    def close(self) -> None:
        """Unlock the folder. It stays for a later run to go on, unless there is nothing in it to keep."""
        if not self.entries:
            shutil.rmtree(self.folder, ignore_errors=True)
        self._file.close()


def _folder_to_disk(folder: Path) -> None:
    """Make a renaming last."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _whole_lines(text: bytes) -> list[bytes]:
    """The lines of a journal up to the first that is not whole."""
    lines = []
    for line in text.splitlines(keepends=True):
        try:
            json.loads(line)
        except ValueError:
            break
        if line.endswith(b"\n"):
            lines.append(line)
    return lines
