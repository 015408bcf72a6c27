"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..notation import SOURCES
from ..rules import DEFAULT_RULES, Rules

__all__ = ["fail", "json_option", "rules_option", "source_option"]

Command = TypeVar("Command", bound=Callable[..., Any])


def _read_rules(_ctx: click.Context, _param: click.Parameter, settings: tuple[str, ...]) -> Rules:
    options: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"expected option=value, got {setting!r}")
        options[name.strip()] = value
    try:
        return DEFAULT_RULES.with_options(options)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def rules_option(command: Command) -> Command:
    """--set option=value, any number of times, as the argument `rules`."""
    return click.option(
        "--set",
        "rules",
        multiple=True,
        metavar="OPTION=VALUE",
        callback=_read_rules,
        help="Change a rule: min_xi=10, xi=luzhou, wang=2, discards_win=yes, kan_splittable=yes, "
        "third_from_other=wei, self_draw_forced=no, wang_in_quad=no, wang_in_triplet=no. May be repeated.",
    )(command)


def source_option(command: Command) -> Command:
    """--source, whom the winning tile of a waiting hand comes from."""
    return click.option(
        "--source",
        type=click.Choice(SOURCES),
        default=SOURCES[0],
        show_default=True,
        help="Where the winning tile comes from: one's own draw, another's draw or a discard.",
    )(command)


def json_option(command: Command) -> Command:
    """--json, the argument `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")(command)


def fail(message: str) -> None:
    """Print an error for the user, red where the terminal shows colours and the user wants them."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    click.echo(f"{click.style('Error:', fg='red')} {message}", err=True, color=False if is_plain else None)
