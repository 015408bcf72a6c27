"""An arena from the first set to the last, or to the decision."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from time import perf_counter

from ..deals import random_seed
from ..rules import DEFAULT_RULES, RulesLike
from ..whole_numbers import checked_number
from .contest import Contest
from .estimates import Sprt
from .outcome import Outcome
from .results_file import ResultsFile, stored_seed
from .sets import SetResult
from .workers import play_sets

__all__ = ["Progress", "play_arena"]

HANDS = 600
HANDS_OF_TEST = 60_000  # at most, where a sequential test ends the arena
HANDS_MAX = 1_000_000_000

Progress = Callable[[Outcome, int], None]  # called with what was played so far and the number of sets to play


def play_arena(
    names: Sequence[str],
    rules: RulesLike = DEFAULT_RULES,
    *,
    hands: int | None = None,
    seed: int | None = None,
    jobs: int = 1,
    sprt: Sprt | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Outcome:
    """Let bots play the same walls in every order of the seats.

    names: of two or three bots, as in `bot_from_name`. rules: of three seats; Rules, or the name of a preset.
    hands: how many, 1 to 10**9, rounded up to whole sets; 600 if left out. sprt: the test that ends the arena
    when it is decided, after 60,000 hands if `hands` is left out. seed: of walls and bots, 0 to 2**64 - 1; if
    left out that of the file gone on with, or a random one. jobs: processes; the result does not depend on
    them. out: a file to keep the results in. resume: whether to go on with it. progress: called after every
    set. Ctrl-C ends the arena with what was played. Raises ValueError, of which ArenaError is one, TypeError,
    OSError. See docs/rules.md 4 and 5.

    >>> outcome = play_arena(["greedy", "random"], "qq-half", hands=60, seed=7)
    >>> outcome.hands, [standing.name for standing in outcome.standings]
    (60, ['greedy', 'random'])
    >>> outcome.standings[0].points.mean > 0
    True
    """
    path = None if out is None else Path(out)
    if resume and path is None:
        raise ValueError("expected a file as out with resume, to know what to go on with")
    if seed is None and resume and path is not None:
        seed = stored_seed(path)
    if seed is None:
        seed = random_seed()
    contest = Contest(names, rules, seed)
    count = _set_count(contest, hands, sprt)
    checked_number(jobs, "processes", 1)
    outcome = Outcome(contest, sprt)
    with ExitStack() as stack:
        file = stack.enter_context(ResultsFile(path, contest, resume=resume)) if path else None
        _Run(outcome, count, file, progress).go(jobs)
    return outcome


def _set_count(contest: Contest, hands: int | None, sprt: Sprt | None) -> int:
    if sprt is not None and not isinstance(sprt, Sprt):
        raise TypeError(f"expected a Sprt, as Sprt(0, 0.2), got {sprt!r}")
    if hands is None:
        hands = HANDS if sprt is None else HANDS_OF_TEST
    return -(-checked_number(hands, "hands", 1, HANDS_MAX) // len(contest.seatings))


class _Run:
    def __init__(
        self, outcome: Outcome, count: int, file: ResultsFile | None, progress: Progress | None
    ) -> None:
        self.outcome = outcome
        self.count = count
        self.file = file
        self.progress = progress

    def go(self, jobs: int) -> None:
        """Take the sets of the file, then play the others, until all are there or the test has decided."""
        began = perf_counter()
        stored = self.file.stored[: self.count] if self.file else []
        self.outcome.resumed = len(stored)
        self.outcome.dropped = self.file.dropped if self.file else 0
        played = play_sets(self.outcome.contest, range(len(stored), self.count), jobs)
        try:
            self._take(chain(stored, self._kept(played)))
        except KeyboardInterrupt:
            self.outcome.was_interrupted = True
        finally:
            played.close()
            self.outcome.seconds = perf_counter() - began

    def _take(self, results: Iterator[SetResult]) -> None:
        for result in results:
            self.outcome.add(result)
            if self.progress is not None:
                self.progress(self.outcome, self.count)
            if self.outcome.is_decided:
                return

    def _kept(self, played: Iterator[SetResult]) -> Iterator[SetResult]:
        """The same, each written to the file first."""
        for result in played:
            if self.file is not None:
                self.file.write(result)
            yield result
