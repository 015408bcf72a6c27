"""The jobs that need processes of their own: other SIMD levels, `analyse`, the first moments of a program."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import _native
from ..columns import Queries
from .jobs import max_xi_of_rows
from .sets import RECORD_FIELDS, Sets
from .timing import Measurement, Plan

__all__ = ["LEVELS", "analyse", "other_levels", "print_level", "start"]

LEVELS = ("avx512", "avx2", "portable")
SIMD_VARIABLE = "PAOHUZI_SIMD"
MEGA = 1e6
MILLI = 1e3
KIBI = 1024
NO_WIN = -1

_WINNING = "122345678900s 122345670b"
_WITH_WANG = "122345678900s 12234567b W"
# The peak since the program began; what getrusage tells includes the process that started it.
_MAIN = """
import atexit, sys
from paohuzi.cli import main

def print_peak():
    with open("/proc/self/status") as status:
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)

atexit.register(print_peak)
main()
"""
_IMPORT = """
import time, numpy
began = time.perf_counter(); import paohuzi; passed = time.perf_counter() - began
"""
_FIRST_QUERY = """
import time, paohuzi
began = time.perf_counter(); paohuzi.max_xi("{query}"); passed = time.perf_counter() - began
"""


def other_levels(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """batch.max_xi with the narrower kernels that this processor has too."""
    code = "from paohuzi.benchmark.processes import print_level; print_level()"
    for level in LEVELS[LEVELS.index(_native.simd_level()) + 1 :]:
        arguments = [str(sets.folder), str(sets.size), str(plan.repeats)]
        found = json.loads(_run(code, *arguments, **{SIMD_VARIABLE: level}))
        if found["level"] == level:
            for name, ns in found["ns"].items():
                yield Measurement(f"batch.max_xi, uint8 rows, {name}, {level}", ns)


def print_level() -> None:
    """In a process of other_levels: measure with the level of this process."""
    folder, size, repeats = sys.argv[1:]
    plan = Plan(hands=int(size), repeats=int(repeats), seconds=0, calls=0, rows=0)
    ns = dict(max_xi_of_rows(Sets(Path(folder), int(size)), plan))
    print(json.dumps({"level": _native.simd_level(), "ns": ns}))


def analyse(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """`paohuzi analyse` from packed Parquet to Parquet with two threads; nothing where pyarrow is missing."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, states, columns in (
            ("random deals, hu and xi", Queries(sets.hands("random deals")), ("--columns", "hu,xi")),
            ("mid-game, every column", mixed_states(sets.states()), ()),
            ("mid-game, every column and score", mixed_states(sets.states()), ("--rules", "qq-full")),
        ):
            file = Path(folder) / "hands.parquet"
            rows = write_states(file, states, plan.rows)
            run = run_analyse(file, Path(folder) / "out.parquet", *columns)
            yield Measurement(f"analyse, {name}", rows / run.seconds / MEGA, "M rows/s")
            yield Measurement(f"analyse, {name}, peak memory", run.peak / MEGA, "MB")


def mixed_states(states: Queries) -> Queries:
    """A third with their winning tile, a third without it, a third that took it in and must discard."""
    hand, exposed, win, source = (states.records[name].copy() for name in RECORD_FIELDS)
    kind = np.arange(len(states)) % 3
    hand += np.where(kind == 2, np.uint64(1) << (3 * win.astype(np.uint64)), np.uint64(0))
    win[kind > 0] = NO_WIN
    source[kind > 0] = 0
    return Queries(hand, exposed, win, source)


def write_states(path: Path, states: Queries, rows: int) -> int:
    """Write packed columns, the states over and over until there are so many rows; returns how many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    codes = np.ascontiguousarray(states.exposed)
    table = pa.table(
        {
            "hand": np.ascontiguousarray(states.hand),
            "exposed": pa.Array.from_buffers(
                pa.binary(codes.shape[1]), len(codes), [None, pa.py_buffer(codes)]
            ),
            "win": np.ascontiguousarray(states.win),
            "source": np.ascontiguousarray(states.source),
        }
    )
    if not (states.win != NO_WIN).any():
        table = table.select(["hand"])
    times = -(-rows // len(states))
    with pq.ParquetWriter(path, table.schema) as writer:
        for _ in range(times):
            writer.write_table(table)
    return times * len(states)


@dataclass(frozen=True, slots=True)
class AnalyseRun:
    """seconds: from start to end of the process. peak: bytes of memory at most."""

    seconds: float
    peak: int


def run_analyse(file: Path, out: Path, *options: str) -> AnalyseRun:
    """Run the command in a process of its own, with two threads. Raises RuntimeError where it fails."""
    command = [sys.executable, "-c", _MAIN, "analyse", str(file), "-o", str(out), "--threads", "2", *options]
    began = time.perf_counter()
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - began
    if ended.returncode:
        raise RuntimeError(f"paohuzi analyse ended with exit code {ended.returncode}: {ended.stderr}")
    return AnalyseRun(seconds, int(ended.stderr.split()[-1]) * KIBI)


def start(sets: Sets, plan: Plan) -> Iterator[Measurement]:
    """The first moments of a program, and what the tables take of its memory."""
    for name, code in (
        ("import paohuzi, beyond numpy", _IMPORT),
        ("first query", _FIRST_QUERY.format(query=_WINNING)),
        ("first query, with wang", _FIRST_QUERY.format(query=_WITH_WANG)),
    ):
        yield Measurement(name, statistics.median(_passed(code) for _ in range(plan.repeats)) * MILLI, "ms")
    for name, wang in (("tables in memory", False), ("tables in memory, with those for wang", True)):
        code = f"from paohuzi import _native; _native.load_tables({wang}); passed = _native.table_bytes()"
        yield Measurement(name, _passed(code) / MEGA, "MB")


def _passed(code: str) -> float:
    """What a process measures."""
    return float(_run(f"{code}\nprint(passed)"))


def _run(code: str, *arguments: str, **environment: str) -> str:
    """What a Python process prints. Raises CalledProcessError."""
    command = [sys.executable, "-c", code, *arguments]
    env = os.environ | environment
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
