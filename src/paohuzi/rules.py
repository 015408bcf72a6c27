"""The rule switches that decide a division and its xi (docs/rules.md 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from struct import Struct
from typing import Any

from .groups import XI_MAX, XiTable
from .tiles import WANG_MAX, NotationError

__all__ = ["DEFAULT_RULES", "LUZHOU_RULES", "Rules", "XiTable"]

MIN_XI_MAX = 7 * XI_MAX
_NATIVE_OPTIONS = Struct("<21h5B")
_XI_TABLES = {"classic": XiTable.CLASSIC, "luzhou": XiTable.LUZHOU}
_TRUTHS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a table, passed whole. Raises ValueError. See docs/rules.md 3.

    name: what the rules are called. xi: the xi of the groups. min_xi: xi needed for a win, 0 to
    7000. wang: wangs in the deck, 0 to 4. The others are the options of docs/rules.md 3.

    >>> Rules("at home", min_xi=10).with_options({"discards_win": "yes"}).discards_win
    True
    """

    name: str
    xi: XiTable = XiTable.CLASSIC
    min_xi: int = 15
    kan_splittable: bool = False
    third_from_other: str = "peng"
    self_draw_forced: bool = True
    discards_win: bool = False
    wang_in_quad: bool = True
    wang_in_triplet: bool = True
    wang: int = 0
    options: bytes = field(init=False, repr=False, compare=False)
    """What the native side has to know: struct Options of csrc/rules.hpp, packed, little endian."""

    def __post_init__(self) -> None:
        for name, (is_right, what) in _CHECKS.items():
            value = getattr(self, name)
            if not is_right(value):
                raise ValueError(f"expected {what} for {name}, got {value!r}")
        object.__setattr__(self, "options", self._native_options())

    def _native_options(self) -> bytes:
        return _NATIVE_OPTIONS.pack(
            *self.xi.values[:-1],
            self.min_xi,
            self.kan_splittable,
            self.third_from_other == "wei",
            self.self_draw_forced,
            self.wang_in_quad,
            self.wang_in_triplet,
        )

    def with_options(self, options: Mapping[str, object]) -> Rules:
        """These rules with some options changed, texts read as on the command line.

        options: field name to value; xi also as "classic" or "luzhou", truths as yes/no, true/false,
        on/off, 1/0. Raises NotationError.

        >>> DEFAULT_RULES.with_options({"min_xi": "10", "xi": "luzhou"}).min_xi
        10
        """
        changed = {name: _read_option(name, value) for name, value in options.items()}
        try:
            return replace(self, **changed)
        except ValueError as error:
            raise NotationError(str(error)) from None


def _is_int_up_to(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


_TRUTH_CHECK = (_is_bool, "True or False")
_CHECKS: dict[str, Any] = {
    "name": (lambda value: isinstance(value, str), "a text"),
    "xi": (lambda value: isinstance(value, XiTable), f"a XiTable ({', '.join(_XI_TABLES)})"),
    "min_xi": (lambda value: _is_int_up_to(value, MIN_XI_MAX), f"a whole number from 0 to {MIN_XI_MAX}"),
    "kan_splittable": _TRUTH_CHECK,
    "third_from_other": (lambda value: value in ("peng", "wei"), "'peng' or 'wei'"),
    "self_draw_forced": _TRUTH_CHECK,
    "discards_win": _TRUTH_CHECK,
    "wang_in_quad": _TRUTH_CHECK,
    "wang_in_triplet": _TRUTH_CHECK,
    "wang": (lambda value: _is_int_up_to(value, WANG_MAX), f"a whole number from 0 to {WANG_MAX}"),
}


def _read_option(name: str, value: object) -> Any:
    """The value of an option from its text; other values as they are."""
    check = _CHECKS.get(name)
    if check is None:
        raise NotationError(f"expected an option ({', '.join(_CHECKS)}), got {name!r}")
    if not isinstance(value, str) or name == "name":
        return value
    word = value.strip().lower()
    if name == "third_from_other":
        return word
    try:
        if name == "xi":
            return _XI_TABLES[word]
        return _TRUTHS[word] if check is _TRUTH_CHECK else int(word)
    except (KeyError, ValueError):
        what = "yes or no" if check is _TRUTH_CHECK else check[1]
        raise NotationError(f"expected {what} for {name}, got {value!r}") from None


DEFAULT_RULES = Rules("classic")
LUZHOU_RULES = Rules("luzhou", xi=XiTable.LUZHOU, min_xi=10, discards_win=True)
