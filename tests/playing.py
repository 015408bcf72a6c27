"""The command play as tests call it."""

from __future__ import annotations

import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from paohuzi.cli import main

# A hand in which the person may take the first discard by peng.
PENG = ("--seats", "you,random,random", "--seed", "3")
PROGRAM = str(Path(sysconfig.get_path("scripts")) / "paohuzi")
PLAIN = {"LANG": "C", "LC_ALL": "", "LC_MESSAGES": "", "COLUMNS": "80"}


def play(*arguments: object, typed: str = "", **environment: str) -> Result:
    return CliRunner(env=PLAIN | environment).invoke(main, ["play", *map(str, arguments)], input=typed)


def printed(*arguments: object, typed: str = "", **environment: str) -> str:
    result = play(*arguments, typed=typed, **environment)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def ones(count: int = 400) -> str:
    """The first choice, again and again; after a hand it is as good as Enter."""
    return "1\n" * count


def wait_until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)
