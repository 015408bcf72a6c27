"""Rows shared out among threads (the native side releases the GIL)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import index

__all__ = ["CHUNK_ROWS", "share_out"]

CHUNK_ROWS = 1 << 16  # long enough for one call of the door, short enough to share out among threads


def share_out(work: Callable[[slice], None], count: int, threads: int) -> None:
    """Let up to so many threads work on slices of all rows; the first error in row order is raised."""
    if index(threads) < 1:
        raise ValueError(f"expected threads from 1 up, got {threads}")
    parts = [slice(start, min(start + CHUNK_ROWS, count)) for start in range(0, count, CHUNK_ROWS)]
    if threads == 1 or len(parts) < 2:
        for part in parts:
            work(part)
        return
    left = iter(parts)
    failures: list[tuple[int, BaseException]] = []

    def run() -> None:
        for part in left:  # a list iterator gives each part to one thread only
            try:
                work(part)
            except BaseException as error:
                failures.append((part.start, error))
            if failures:
                return

    # This thread works too: with it busy, the system starts the others on processors of their own.
    with ThreadPoolExecutor(min(threads, len(parts)) - 1) as pool:
        for _ in range(min(threads, len(parts)) - 1):
            pool.submit(run)
        run()
    if failures:
        raise min(failures, key=lambda failure: failure[0])[1]
