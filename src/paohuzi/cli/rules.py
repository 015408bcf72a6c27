"""The command `rules`."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.text import Text

from ..rules import Rules, load_rules, preset_names
from ..words import Words
from .options import change_rules, complete_rules, json_option, lang_option, read_rules, set_option
from .render import FAINT, console
from .rules_text import differences, explain, fan_lines, fan_rows, summary

__all__ = ["rules"]


@click.command()
@click.argument("name", required=False, metavar="[NAME|FILE]", shell_complete=complete_rules)
@click.option(
    "--diff",
    nargs=2,
    metavar="A B",
    shell_complete=complete_rules,
    help="Show the fields in which two of them differ.",
)
@set_option()
@lang_option("answer")
@json_option
def rules(
    name: str | None, diff: tuple[str, str] | None, rules: tuple[str, ...], lang: str, as_json: bool
) -> None:
    """List the presets (玩法), explain the rules NAME or of a FILE.toml, or compare two of them.

    With --set the rules are those of NAME with a change. With --json: the list is an object a preset, with
    name, chinese, min_xi, wang, seats and about; one preset is all its fields, in the shape of a file, and
    its hash; a comparison has the names and, by field, both values.

    \b
    Examples:
      paohuzi rules
      paohuzi rules qq-full
      paohuzi rules qq-half --set fan.haidi.alone=1 --lang zh
      paohuzi rules --diff qq-basic kaixin
    """
    if diff and name:
        raise click.UsageError("expected NAME or --diff A B, got both")
    if rules and not name:
        raise click.UsageError("--set changes the rules NAME, and there is none")
    say = Words(lang)
    if diff:
        first, second = map(read_rules, diff)
        (_print_differences_json if as_json else _print_differences)(first, second, say)
    elif name:
        chosen = change_rules(read_rules(name), rules)
        (_print_json if as_json else _print_rules)(chosen, say)
    else:
        (_print_list_json if as_json else _print_list)([*map(load_rules, preset_names())], say)


def _print_list(presets: list[Rules], say: Words) -> None:
    headings = (say(key) for key in ("name", "chinese", "minimum", "wangs", "seats", "about"))
    rows = [[Text(heading, FAINT) for heading in headings]]
    for preset in presets:
        numbers = (Text(f"{number}") for number in (preset.min_xi, preset.wang, preset.seats))
        rows.append([Text(preset.name, "bold"), Text(preset.chinese), *numbers, Text(summary(preset, say))])
    _print_rows(rows)


def _print_rows(rows: list[list[Text]]) -> None:
    """Columns one beneath another, however wide the last one is."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        for cell, width in zip(row[:-1], widths, strict=False):
            cell.pad_right(width - cell.cell_len)
        console().print(Text("  ").join(row))


def _print_list_json(presets: list[Rules], _say: Words) -> None:
    for preset in presets:
        names = ("name", "chinese", "min_xi", "wang", "seats", "about")
        _echo({name: getattr(preset, name) for name in names})


def _print_rules(chosen: Rules, say: Words) -> None:
    write = console().print
    write(Text.assemble((chosen.name, "bold"), "  ", chosen.chinese))
    source = say("source", source=chosen.source) if chosen.source else say("no_source")
    write(Text(f"{summary(chosen, say)}\n{source}"))
    for section in explain(chosen, say):
        write(Text.assemble("\n", (section.title, "bold")))
        for line in section.lines:
            write(Text(f"  {line}"))
    write(Text.assemble("\n", (say("fan"), "bold")))
    _print_fan(chosen, say)
    write(Text.assemble("\n", (say("hash", hash=chosen.hash), FAINT)))


def _print_fan(chosen: Rules, say: Words) -> None:
    _print_rows([[Text(f"  {row[0]}"), *map(Text, row[1:])] for row in fan_rows(chosen, say)])
    for line in fan_lines(chosen, say):
        console().print(Text(f"  {line}"))


def _print_json(chosen: Rules, _say: Words) -> None:
    _echo({**chosen.to_dict(), "hash": chosen.hash})


def _print_differences(first: Rules, second: Rules, say: Words) -> None:
    found = differences(first, second)
    if not found:
        console().print(say("same"))
        return
    rows = [[Text(heading, FAINT) for heading in (say("field"), first.name, second.name)]]
    for field, pair in found.items():
        rows.append([Text(field), *(Text(_value_text(value, say)) for value in pair)])
    _print_rows(rows)


def _value_text(value: Any, say: Words) -> str:
    if isinstance(value, bool):
        return say("yes" if value else "no")
    if isinstance(value, list):
        return ", ".join(_value_text(part, say) for part in value) or "-"
    if isinstance(value, dict):  # a fan, together or title
        return f"{value['chinese']} {value.get('value', value.get('points'))}"
    return "-" if value in (None, "") else str(value)


def _print_differences_json(first: Rules, second: Rules, _say: Words) -> None:
    _echo({"rules": [first.name, second.name], "fields": differences(first, second)})


def _echo(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))
