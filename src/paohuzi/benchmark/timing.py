"""What one measurement is, and how time is taken."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import _native

__all__ = ["Measurement", "Plan", "machine", "median_ns", "paced_ns"]

NANO = 1e9
FIRST_HANDS = 64  # of a paced run


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of the table.

    value: the median, in ns a hand unless the unit says otherwise. backtrack: the same by the plain
    backtracker, in the same unit.
    """

    job: str
    value: float
    unit: str = "ns"
    backtrack: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the backtracker it is."""
        return None if self.backtrack is None else self.backtrack / self.value


@dataclass(frozen=True, slots=True)
class Plan:
    """How thoroughly to measure.

    hands: distinct hands of a set. repeats: runs of which the median counts. seconds: about how long the
    backtracker runs for a row, over as many hands of the set as it manages. calls: single calls from Python
    that make one run. rows: rows of a file that is analysed.
    """

    hands: int
    repeats: int
    seconds: float
    calls: int
    rows: int


def machine() -> dict[str, str]:
    """What the figures depend on."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "level": _native.simd_level(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "date": time.strftime("%Y-%m-%d"),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown")


def median_ns(work: Callable[[], object], count: int, repeats: int) -> float:
    """The median time of some runs, in ns for each of `count` hands. A run before them warms up."""
    work()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * NANO / count


def paced_ns(work: Callable[[int], object], count: int, seconds: float) -> float:
    """The time of one run over as many of `count` hands as fit in the seconds, in ns a hand."""
    hands = min(FIRST_HANDS, count)
    while True:
        began = time.perf_counter()
        work(hands)
        passed = time.perf_counter() - began
        if hands == count or passed > seconds / 4:
            return passed * NANO / hands
        hands = min(4 * hands, count)
