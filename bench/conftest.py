"""The sets that the benchmarks share, and figures that are no times.

A run over a million hands that takes 1 ms takes 1 ns a hand. PAOHUZI_BENCH_HANDS makes the sets smaller,
PAOHUZI_SIMD=avx512, avx2 or portable forces the kernels.
"""

import os
from collections.abc import Callable

import pytest

from paohuzi.benchmark import Sets

HANDS = int(os.environ.get("PAOHUZI_BENCH_HANDS", 1_000_000))
FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def sets(pytestconfig: pytest.Config) -> Sets:
    return Sets(pytestconfig.rootpath / "build" / "bench", HANDS)


@pytest.fixture
def note(pytestconfig: pytest.Config) -> Callable[[str], None]:
    """Keeps a figure for the end of the run."""
    return pytestconfig.stash.setdefault(FIGURES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for figure in config.stash.get(FIGURES, []):
        terminalreporter.write_line(figure)
