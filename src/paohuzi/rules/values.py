"""What rules, fan and titles share as values, what their fields may hold, and how a text is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..tiles import NotationError

__all__ = ["Check", "Value", "check_fields", "one_of", "optional", "read_text", "text", "truth", "whole"]

_TRUTHS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)
NONE = "none"


class Value:
    """Equality, hash and repr by the fields that a dataclass is made of.

    A dataclass would write and compile them anew for each class, which takes longer than reading a preset.
    """

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def _held(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def __eq__(self, other: object) -> bool:
        return self._held() == other._held() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._held())

    def __repr__(self) -> str:
        held = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({', '.join(held)})"


class Check(NamedTuple):
    """One kind of value: whether a value is of it, what it is called, and its value from a text."""

    is_right: Callable[[Any], bool]
    what: str
    read: Callable[[str], Any]  # raises ValueError or KeyError
    text_is: str  # what is expected of a text


def whole(low: int, high: int) -> Check:
    """A whole number, both ends included."""
    what = f"a whole number from {low} to {high}"
    return Check(lambda value: type(value) is int and low <= value <= high, what, int, what)


def one_of(*words: str) -> Check:
    """One of some words."""
    what = " or ".join(map(repr, words))
    return Check(lambda value: isinstance(value, str) and value in words, what, str.lower, what)


def optional(check: Check) -> Check:
    """A value of the kind, or None."""
    return Check(
        lambda value: value is None or check.is_right(value),
        f"{check.what} or None",
        lambda word: None if word.lower() == NONE else check.read(word),
        f"{check.text_is} or {NONE}",
    )


text = Check(lambda value: isinstance(value, str), "a text", str, "a text")
truth = Check(
    lambda value: isinstance(value, bool), "True or False", lambda word: _TRUTHS[word.lower()], "yes or no"
)


def check_fields(value: object, checks: Mapping[str, Check], where: str = "") -> None:
    """Check the fields of a value, `where` set before their names. Raises ValueError."""
    for name, check in checks.items():
        held = getattr(value, name)
        if not check.is_right(held):
            raise ValueError(f"expected {check.what} for {where}{name}, got {held!r}")


def read_text(check: Check, name: str, value: object) -> Any:
    """A value from its text; what is no text as it is. Raises NotationError."""
    if not isinstance(value, str) or check is text:
        return value
    try:
        return check.read(value.strip())
    except (KeyError, ValueError):
        raise NotationError(f"expected {check.text_is} for {name}, got {value!r}") from None
