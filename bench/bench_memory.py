"""How large is the wheel and how long does it take to build; how long is the import, and the first query?"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi.benchmark import FULL, Sets
from paohuzi.benchmark.processes import start


def test_wheel(
    benchmark: BenchmarkFixture, pytestconfig: pytest.Config, tmp_path: Path, note: Callable[[str], None]
) -> None:
    folder = f"-Cbuild-dir={tmp_path / 'build'}"
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), folder]
    benchmark.pedantic(subprocess.run, ([*command, str(pytestconfig.rootpath)],), {"check": True})
    wheel = next(tmp_path.glob("*.whl"))
    note(f"wheel: {wheel.stat().st_size / 1e6:.1f} MB; its build is timed above")


def test_first_moments(benchmark: BenchmarkFixture, sets: Sets, note: Callable[[str], None]) -> None:
    for row in benchmark.pedantic(lambda: list(start(sets, FULL))):
        note(f"{row.job}: {row.value:.1f} {row.unit}")
