"""The group of commands. A command's module is imported when it is called, so that help is quick."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from .options import fail

__all__ = ["main"]

FAILED, INTERRUPTED = 2, 130  # exit codes: the command could not be carried out; it was ended by Ctrl-C

# Command, its module beside this one, and its line in the help.
COMMANDS = {
    "solve": ("queries", "Best division of hands: whether they win (胡), for how much xi (胡息)."),
    "waits": ("queries", "The tiles that complete waiting hands (听)."),
    "divisions": ("queries", "Every division of one hand, best first."),
    "score": ("score", "What hands pay (算分) under the rules of a table, and why."),
    "advise": ("advise", "What to discard, or which tiles help, and why."),
    "rules": ("rules", "The rules of the presets (玩法): list, explain or compare them."),
    "play": ("play", "Play in the terminal (打牌), or let bots play among themselves."),
    "arena": ("arena", "Bots (机器人) against each other on the same walls: points with intervals."),
    "replay": ("replay", "Step through recorded hands, or check that they are true."),
    "verify": ("verify", "Replay game lines and compare every decision."),
    "deal": ("deal", "Write random realistic hands to a file."),
    "analyse": ("analyse", "Solve a file of hands: Parquet, Arrow, CSV, NDJSON or NPY."),
    "bench": ("bench", "Measure the speed on this machine."),
    "completion": ("completion", "Print the script that completes commands in your shell."),
}


class LazyGroup(click.Group):
    """Commands by name, imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"..{COMMANDS[cmd_name][0]}", __name__)
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def main(self, *arguments: Any, **options: Any) -> Any:
        _open_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                # What the terminal's encoding cannot show is escaped, in JSON validly so.
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().main(*arguments, **options)
        except OSError as error:
            if error.errno == errno.EPIPE:  # of a pipe that ended early click has taken care
                raise
            sys.stdout = _open_nothing("w")  # what a full disk did not take is not tried again at the end
            with suppress(OSError):
                fail(f"cannot go on: {error}")
            sys.exit(FAILED)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)


def _open_closed_streams() -> None:
    """Give a program started without standard streams empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, _open_nothing(mode))


def _open_nothing(mode: str) -> Any:
    return Path(os.devnull).open(mode, encoding="utf-8")


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`paohuzi COMMAND --help` shows examples. Tiles: 1s-0s small, 1b-0b big (0 is ten), W wang (王).",
)
@click.version_option(package_name="paohuzi")
def main() -> None:
    """Exact and fast answers about hands of the Chinese letter-card game paohuzi (跑胡子).

    \b
    Examples:
      paohuzi solve "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
      paohuzi waits "34577s 34599b | ti:0000b; wei:222s; chi:123b"
      paohuzi score --rules qq-full "34577s 34599b | ti:0000b; wei:222s; chi:123b + 9b@self"
      paohuzi analyse hands.parquet -o solved.parquet
    """
