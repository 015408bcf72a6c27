"""Sets played by processes of their own, which end when the one that started them is gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

from .contest import ArenaError, Contest
from .sets import SetResult, play_set

__all__ = ["play_sets", "work"]

AHEAD = 2  # sets given to a process at a time, so that it need not wait for the next
_MAIN = "import sys; from paohuzi.arena.workers import work; work(int(sys.argv[1]))"


def play_sets(contest: Contest, numbers: range, jobs: int = 1) -> Generator[SetResult]:
    """The results of sets in the order of their numbers, whichever process is the first to have one.

    jobs: processes, 1 or more; with 1 it is this one. Raises ArenaError for a set that cannot be played, when
    its turn comes.
    """
    if min(jobs, len(numbers)) < 2:
        for number in numbers:
            yield play_set(contest, number)
        return
    crew: list[_Worker] = []
    try:
        for _ in range(min(jobs, len(numbers))):
            crew.append(_Worker(contest))
        yield from _in_order(_played(crew, iter(numbers)), numbers)
    finally:
        for worker in crew:
            worker.end()


def _in_order(played: Iterator[tuple[int, dict[str, Any]]], numbers: range) -> Iterator[SetResult]:
    early: dict[int, dict[str, Any]] = {}
    for number in numbers:
        while number not in early:
            early.update([next(played)])
        answer = early.pop(number)
        if "error" in answer:
            raise ArenaError(answer["error"])
        yield SetResult.from_dict(answer)


def _played(crew: list[_Worker], numbers: Iterator[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The answers to all numbers, as they come."""
    by_connection = {worker.connection: worker for worker in crew}
    for _ in range(AHEAD):
        for worker in crew:
            worker.give(next(numbers, None))
    while any(worker.given for worker in crew):
        for ready in wait([worker.connection for worker in crew if worker.given]):
            assert isinstance(ready, Connection), "only connections are waited for"
            worker = by_connection[ready]
            answer = worker.receive()
            worker.give(next(numbers, None))
            yield answer


class _Worker:
    """A process that plays the sets it is given, one after another."""

    def __init__(self, contest: Contest) -> None:
        self.connection, far_end = Pipe()
        self.given: list[int] = []
        """The sets that it has not answered yet."""
        with far_end:
            number = far_end.fileno()
            command = [sys.executable, "-c", _MAIN, str(number)]
            # A group of its own: Ctrl-C is for this process alone. What bots print is no answer.
            self.process = subprocess.Popen(
                command, pass_fds=[number], stdin=subprocess.DEVNULL, stdout=sys.__stderr__, process_group=0
            )
        self._send({"path": sys.path, "contest": contest.to_dict()})

    def give(self, number: int | None) -> None:
        """Let it play a set; None is none."""
        if number is not None:
            self.given.append(number)
            self._send(number)

    def _send(self, what: object) -> None:
        with suppress(BrokenPipeError):  # that it has ended is told where an answer is missing
            self.connection.send_bytes(json.dumps(what).encode())

    def receive(self) -> tuple[int, dict[str, Any]]:
        """Its next answer, with the number of the set. Raises ArenaError if it has ended."""
        try:
            answer = json.loads(self.connection.recv_bytes())
        except (EOFError, ConnectionError):
            code = self.process.wait()
            raise ArenaError(
                f"expected set {self.given[0]} from a process, but it ended with exit code {code}"
            ) from None
        return self.given.pop(0), answer

    def end(self) -> None:
        """End it, whatever it does."""
        self.connection.close()
        self.process.kill()
        self.process.wait()


def work(number: int) -> None:
    """In a process of play_sets: play what comes through the connection of this number till it is closed."""
    with Connection(os.dup(number)) as connection, suppress(EOFError, ConnectionError):
        os.close(number)
        setting = json.loads(connection.recv_bytes())
        sys.path[:] = setting["path"]
        contest = Contest.from_dict(setting["contest"])
        while True:
            connection.send_bytes(json.dumps(_answer(contest, json.loads(connection.recv_bytes()))).encode())


def _answer(contest: Contest, number: int) -> dict[str, Any]:
    try:
        return play_set(contest, number).to_dict()
    except ArenaError as error:
        return {"error": str(error)}
