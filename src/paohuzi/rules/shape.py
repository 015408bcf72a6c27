"""Rules from and to plain dictionaries, the shape of TOML and JSON files (docs/rules.md 5.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from ..groups import XiTable
from ..tiles import NotationError
from .fans import FAN_CHECKS, TITLE_CHECKS, TOGETHER_CHECKS, Fan, Title, Together
from .rules import FLAT_CHECKS, XI_TABLES, Rules

__all__ = ["NAMES_IN_FILE", "TABLES", "dict_of", "hash_of", "rules_of"]

Fields = Mapping[str, Any]
TABLES = ("fan", "together")  # by id; everything else in a file stands for itself
_XI_ROWS = ("peng", "kan", "pao", "ti", "r123", "r27a")
_XI_FORM = f"{', '.join(map(repr, XI_TABLES))} or a table of {', '.join(_XI_ROWS)}"
NAMES_IN_FILE = [*FLAT_CHECKS, *TABLES, "titles"]


def dict_of(rules: Rules) -> dict[str, Any]:
    """The fields of rules; what is None is left out."""
    made = {name: getattr(rules, name) for name in FLAT_CHECKS}
    made["xi"] = {row: list(getattr(rules.xi, row)) for row in _XI_ROWS}
    made["fan"] = {fan.id: _without_none(fan, FAN_CHECKS) for fan in rules.fans}
    made["together"] = {each.id: _without_none(each, TOGETHER_CHECKS) for each in rules.together}
    for together in made["together"].values():
        together["of"] = list(together["of"])
    made["titles"] = [_without_none(title, TITLE_CHECKS) for title in rules.titles]
    return {name: value for name, value in made.items() if value is not None}


def _without_none(value: object, names: Iterable[str]) -> dict[str, Any]:
    """The fields of a fan, together or title but for its id, by which it is found."""
    held = ((name, getattr(value, name)) for name in names if name != "id")
    return {name: field for name, field in held if field is not None}


def hash_of(rules: Rules) -> str:
    """The SHA-256 of the JSON of the fields: one line, no blanks, ASCII, in the order of to_dict."""
    from hashlib import sha256
    from json import dumps

    return sha256(dumps(dict_of(rules), separators=(",", ":")).encode()).hexdigest()


def rules_of(given: Fields) -> Rules:
    """Rules from their fields. Raises NotationError naming the field."""
    _check_names(given, NAMES_IN_FILE, "")
    made = {name: given[name] for name in FLAT_CHECKS if name in given}
    if "xi" in made:
        made["xi"] = _read_xi(made["xi"])
    fans = _table(given, "fan")
    together = _table(given, "together")
    titles = given.get("titles", [])
    if not isinstance(titles, list):
        raise NotationError(f"expected a list for titles, got {titles!r}")
    made_rules: Rules = _made(
        Rules,
        "",
        **made,
        fans=tuple(_part(Fan, FAN_CHECKS, fan, f"fan.{key}", id=key) for key, fan in fans.items()),
        together=tuple(
            _part(Together, TOGETHER_CHECKS, each, f"together.{key}", id=key)
            for key, each in together.items()
        ),
        titles=tuple(
            _part(Title, TITLE_CHECKS, title, f"titles[{place}]") for place, title in enumerate(titles)
        ),
    )
    return made_rules


def _read_xi(value: object) -> XiTable:
    if isinstance(value, str) and value in XI_TABLES:
        return XI_TABLES[value]
    if not isinstance(value, Mapping):
        raise NotationError(f"expected {_XI_FORM} for xi, got {value!r}")
    _check_names(value, _XI_ROWS, "xi.")
    for row, numbers in value.items():
        if not isinstance(numbers, (list, tuple)) or not all(type(number) is int for number in numbers):
            raise NotationError(f"expected a list of whole numbers for xi.{row}, got {numbers!r}")
    table: XiTable = _made(XiTable, "xi.", **value)
    return table


def _table(given: Fields, name: str) -> Fields:
    table = given.get(name, {})
    if not isinstance(table, Mapping):
        raise NotationError(f"expected tables [{name}.ID] for {name}, got {table!r}")
    return table


def _part(kind: type, checks: Fields, given: object, where: str, **known: str) -> Any:
    """A fan, together or title from its fields."""
    if not isinstance(given, Mapping):
        raise NotationError(f"expected a table for {where}, got {given!r}")
    _check_names(given, [name for name in checks if name not in known], f"{where}.")
    names = dict.fromkeys(("chinese", "english"), "") if known else {}
    return _made(kind, f"{where}.", **names | dict(given) | known)


def _check_names(given: Fields, names: Iterable[str], where: str) -> None:
    """Raise NotationError for a field that is not known."""
    known = list(names)
    for name in given:
        if name not in known:
            raise NotationError(f"expected a field ({', '.join(known)}), got {where}{name}")


def _made(kind: Any, where: str, **given: Any) -> Any:
    """A value from its fields, those without a default value among them. Raises NotationError."""
    for field in fields(kind):
        if field.init and field.default is MISSING and field.name not in given:
            raise NotationError(f"expected the field {where}{field.name}, and it is not there")
    try:
        return kind(**given)
    except NotationError:
        raise
    except ValueError as error:
        raise NotationError(str(error)) from None
