"""Analyse files: read, solve and write at the same time, and leave a trail that a broken run can follow."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..rules import DEFAULT_RULES, Rules
from .answers import COLUMNS, Answers, Tally, answer, answer_fields, has_scores
from .context_columns import find_contexts, read_contexts
from .formats import OUTPUT_FORMATS, AnalysisError, format_of, writing
from .journal import Journal
from .query_columns import QueryColumns, find_columns
from .sinks import Sink, open_sink
from .sources import Chunk, Source
from .text_sources import open_source

__all__ = ["Job", "Progress", "Summary", "analyse"]

BATCH_ROWS = 1 << 17  # rows of a record batch, and so of a row group of the output
MARK_SECONDS = 2.0  # how much work a sudden end may cost
JOURNAL_VERSION = 2

Progress = Callable[[float, int], None]  # called with the part that is done (0 to 1) and the rows of this run


@dataclass(frozen=True, slots=True)
class Job:
    """What to analyse.

    inputs: files of the same columns. out: the file to write. columns: the columns to add, of COLUMNS and
    SCORE_COLUMNS.
    source: from whom waiting hands would win. threads: threads that solve, beside one that reads and one that
    writes. resume: whether to go on with an unfinished run.
    """

    inputs: tuple[Path, ...]
    out: Path
    columns: tuple[str, ...] = COLUMNS
    rules: Rules = DEFAULT_RULES
    source: str = "self"
    threads: int = 1
    resume: bool = False

    def fingerprint(self) -> dict[str, Any]:
        """What must be the same for a run to be gone on with."""
        states = [(path.resolve(), path.stat()) for path in self.inputs]
        return {
            "journal": JOURNAL_VERSION,
            "inputs": [[str(path), state.st_size, state.st_mtime_ns] for path, state in states],
            "columns": list(self.columns),
            "rules": f"{self.rules.name} ({self.rules.hash})",
            "source": self.source,
            "batch": BATCH_ROWS,
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """What a finished run found. rows: all rows. resumed: rows that an earlier run had finished already."""

    tally: Tally
    resumed: int
    seconds: float

    @property
    def rate(self) -> float:
        """Rows a second of this run."""
        return (self.tally.rows - self.resumed) / max(self.seconds, 1e-9)


@dataclass(frozen=True, slots=True)
class _State:
    """How far the output is written: the next row to read, what was found up to there, and its size then."""

    file: int
    row: int
    tally: Tally
    size: int


def analyse(job: Job, progress: Progress | None = None) -> Summary:
    """Write the input files' columns and the asked answers for every row to `job.out`.

    The output appears when it is complete. Raises AnalysisError; what was finished by then is kept beside it
    for `resume`. See docs/rules.md 3.
    """
    began = time.monotonic()
    file_format = _check_output(job)
    sources = [open_source(path) for path in job.inputs]
    columns = [find_columns(source.schema, source.path) for source in sources]
    schema = _output_schema(job, sources)
    first = sources[0]  # the columns of all agree
    contexts = find_contexts(first.schema, first.path) if has_scores(job.columns) else ()
    journal = Journal(job.out, job.fingerprint(), resume=job.resume)
    try:
        with writing(job.out):
            marks = [entry["sink"] for entry in journal.entries]
            sink = open_sink(file_format, journal.data, schema, marks)
        run = _Run(job, sources, columns, contexts, schema, sink, journal, progress)
        tally = run.go()
        return Summary(tally, run.resumed, time.monotonic() - began)
    finally:
        journal.close()


def _check_output(job: Job) -> str:
    if job.out.is_dir():
        raise AnalysisError(f"{job.out}: expected a file to write, got a directory")
    if job.out.exists() and not job.out.is_file():
        raise AnalysisError(f"{job.out}: expected a file to write, got a device or a pipe")
    if not job.out.parent.is_dir():
        raise AnalysisError(f"{job.out}: no such directory: {job.out.parent}")
    if any(job.out.exists() and path.exists() and path.samefile(job.out) for path in job.inputs):
        raise AnalysisError(f"{job.out}: the output would replace an input")
    return format_of(job.out, OUTPUT_FORMATS)


def _output_schema(job: Job, sources: list[Source]) -> pa.Schema:
    """The columns of the inputs, which must agree, and the asked ones. Raises AnalysisError."""
    first = sources[0]
    for source in sources[1:]:
        if source.schema != first.schema:
            raise AnalysisError(
                f"{source.path}: expected the columns of {first.path} ({_columns_text(first.schema)}), "
                f"got {_columns_text(source.schema)}"
            )
    for name in job.columns:
        if name in first.schema.names:
            raise AnalysisError(f"{first.path}: has a column {name!r} already; leave it out with --columns")
    return pa.schema([*first.schema, *answer_fields(job.columns)])


def _columns_text(schema: pa.Schema) -> str:
    return ", ".join(f"{column.name} {column.type}" for column in schema)


class _Run:
    """One run from its state to the end."""

    def __init__(
        self,
        job: Job,
        sources: list[Source],
        columns: list[QueryColumns],
        contexts: tuple[str, ...],
        schema: pa.Schema,
        sink: Sink,
        journal: Journal,
        progress: Progress | None,
    ) -> None:
        self.job = job
        self.sources = sources
        self.columns = columns
        self.contexts = contexts
        self.schema = schema
        self.sink = sink
        self.journal = journal
        self.progress = progress
        self.sizes = [max(1, source.path.stat().st_size) for source in sources]
        self.state = _first_state(journal, sink)
        self.resumed = self.state.tally.rows
        self.marked = self.state
        self.marked_at = time.monotonic()

    def go(self) -> Tally:
        """Do all that is left; returns what all rows came to."""
        try:
            self._work()
            with writing(self.job.out):
                self._mark()
                self.sink.finish()
                self.journal.deliver()
        except AnalysisError as error:
            self._keep()
            error.kept = self.journal.folder if self.journal.entries else None
            raise
        except BaseException:
            self._keep()
            raise
        return self.state.tally

    def _keep(self) -> None:
        """Note all that is finished; of a batch half written nothing stays."""
        with suppress(Exception):
            self.sink.roll_back(self.state.size)
            self._mark()

    def _work(self) -> None:
        """Read one batch ahead, solve some at a time, write them in order."""
        pending: deque[Future[_Solved]] = deque()
        chunks = self._chunks()
        with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(self.job.threads) as solvers:
            try:
                coming = reader.submit(next, chunks, None)
                while (item := coming.result()) is not None:
                    coming = reader.submit(next, chunks, None)
                    pending.append(solvers.submit(self._solve, *item))
                    if len(pending) > self.job.threads + 1:
                        self._write(pending.popleft().result())
                while pending:
                    self._write(pending.popleft().result())
            except BaseException:
                solvers.shutdown(wait=False, cancel_futures=True)
                raise

    def _chunks(self) -> Iterator[tuple[int, Chunk]]:
        row = self.state.row
        for file in range(self.state.file, len(self.sources)):
            for chunk in self.sources[file].chunks(row, BATCH_ROWS):
                yield file, chunk
            row = 0

    def _solve(self, file: int, chunk: Chunk) -> _Solved:
        queries, errors = self.columns[file].queries(chunk.batch)
        errors.update(chunk.errors)
        contexts = read_contexts(chunk.batch, self.contexts, errors) if self.contexts else None
        answers = answer(queries, errors, self.job.columns, self.job.rules, self.job.source, contexts)
        batch = pa.RecordBatch.from_arrays([*chunk.batch.columns, *answers.columns], schema=self.schema)
        return _Solved(file, chunk.row + chunk.batch.num_rows, chunk.done, batch, answers)

    def _write(self, solved: _Solved) -> None:
        with writing(self.job.out):
            self.sink.write(solved.batch)
            # In one step, wherever an interrupt comes.
            self.state = _State(
                solved.file, solved.next_row, self.state.tally + solved.answers.tally, self.sink.size
            )
            if time.monotonic() - self.marked_at > MARK_SECONDS:
                self._mark()
        if self.progress is not None:
            read = sum(self.sizes[: solved.file]) + self.sizes[solved.file] * solved.done
            self.progress(read / sum(self.sizes), self.state.tally.rows - self.resumed)

    def _mark(self) -> None:
        """Note in the journal what is finished."""
        state = self.state
        if state.tally.rows > self.marked.tally.rows:
            mark = self.sink.mark(self.marked.size)
            tally = state.tally.to_json()
            self.journal.add({"file": state.file, "row": state.row, "tally": tally, "sink": mark})
            self.marked = state
        self.marked_at = time.monotonic()


def _first_state(journal: Journal, sink: Sink) -> _State:
    if not journal.entries:
        return _State(0, 0, Tally(), sink.size)
    last = journal.entries[-1]
    return _State(last["file"], last["row"], Tally.from_json(last["tally"]), sink.size)


@dataclass(frozen=True, slots=True)
class _Solved:
    """A batch of the output, and where in the inputs the next one begins."""

    file: int
    next_row: int
    done: float
    batch: pa.RecordBatch
    answers: Answers
