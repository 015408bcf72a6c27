"""The whole table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from . import jobs, processes
from .sets import Sets
from .timing import Measurement, Plan

__all__ = ["FULL", "QUICK", "measure"]

FULL = Plan(hands=1_000_000, repeats=7, seconds=2.0, calls=20_000, rows=10_000_000)
QUICK = Plan(hands=50_000, repeats=3, seconds=0.1, calls=2_000, rows=200_000)

JOBS = (
    jobs.batch_max_xi,
    processes.other_levels,
    jobs.single_query,
    jobs.wang,
    jobs.waits,
    jobs.mid_game,
    jobs.distances,
    jobs.batch_score,
    jobs.score_with_wang,
    jobs.two_threads,
    jobs.python_calls,
    jobs.numba_call,
    jobs.backtracker,
    jobs.all_divisions,
    processes.analyse,
    processes.start,
)


def measure(plan: Plan, folder: Path) -> Iterator[Measurement]:
    """The rows of the table as they are measured. The sets of hands are kept in the folder."""
    sets = Sets(folder, plan.hands)
    for job in JOBS:
        yield from job(sets, plan)
