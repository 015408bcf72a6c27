"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ..notation import SOURCES
from ..rules import DEFAULT_RULES, Rules, load_rules, preset_names
from ..words import LANGUAGES, default_language

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = [
    "are_rules_given",
    "change_rules",
    "check_apart",
    "complete_rules",
    "fail",
    "json_option",
    "lang_option",
    "read_rules",
    "rules_option",
    "set_option",
    "source_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])
_RULES_KEY = f"{__name__}.rules"
_RULES_PARAMETER = "rules_source"


def read_rules(source: str) -> Rules:
    """The rules of a preset or file, for an option or argument. Raises click.BadParameter."""
    try:
        return load_rules(source)
    except OSError as error:
        raise click.BadParameter(f"{source}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def complete_rules(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[CompletionItem]:
    """The presets that begin so, or files."""
    from click.shell_completion import CompletionItem

    names = [CompletionItem(name) for name in preset_names() if name.startswith(begun)]
    return names or [CompletionItem(begun, type="file")]


def change_rules(rules: Rules, settings: tuple[str, ...]) -> Rules:
    """Rules with the changes of --set. Raises click.BadParameter."""
    options: dict[str, object] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"expected option=value, got {setting!r}")
        options[name.strip()] = value
    try:
        return rules.with_options(options)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _keep_rules(ctx: click.Context, _param: click.Parameter, source: str | None) -> None:
    ctx.meta[_RULES_KEY] = DEFAULT_RULES if source is None else read_rules(source)


def are_rules_given(ctx: click.Context) -> bool:
    """Whether --rules is on the command line; for an option after it."""
    return ctx.get_parameter_source(_RULES_PARAMETER) is ParameterSource.COMMANDLINE


def _change_kept(ctx: click.Context, _param: click.Parameter, settings: tuple[str, ...]) -> Rules:
    return change_rules(ctx.meta[_RULES_KEY], settings)


def rules_option(command: Command) -> Command:
    """--rules, and --set option=value any number of times, together as the argument `rules`."""
    choose = click.option(
        "--rules",
        _RULES_PARAMETER,
        is_eager=True,  # before --set, which changes what it chose
        expose_value=False,
        callback=_keep_rules,
        metavar="NAME|FILE",
        shell_complete=complete_rules,
        help="The rules: a preset, as luzhou, or a file as ours.toml. `paohuzi rules` lists the presets.",
    )
    return choose(set_option(_change_kept)(command))


def set_option(callback: Callable[..., Any] | None = None) -> Callable[[Command], Command]:
    """--set option=value any number of times, as the argument `rules`."""
    return click.option(
        "--set",
        "rules",
        multiple=True,
        metavar="OPTION=VALUE",
        callback=callback,
        help="Change a rule: min_xi=10, xi=luzhou, wang=2, discards_win=yes, fan.haidi.alone=1; all are in "
        "`paohuzi rules --json NAME`. May be repeated.",
    )


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


def lang_option(what: str) -> Callable[[Command], Command]:
    """--lang, the language of what is told, by default that of the locale."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        default=default_language,
        show_default="that of the locale, else en",
        help=f"The language of the {what}.",
    )


def check_apart(**files: Path | None) -> None:
    """Refuse options that name one and the same file. files: by option. Raises click.UsageError."""
    options: dict[Path, str] = {}
    for name, path in files.items():
        if path is not None:
            before = options.setdefault(path.resolve(), name)
            if before != name:
                raise click.UsageError(f"expected different files for --{before} and --{name}, got {path}")


def fail(message: str) -> None:
    """Print an error for the user, red where the terminal shows colours and the user wants them."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    click.echo(f"{click.style('Error:', fg='red')} {message}", err=True, color=False if is_plain else None)
