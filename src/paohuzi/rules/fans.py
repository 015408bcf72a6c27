"""The fan (番, 名堂) of rules: what each looks at, when it applies and what it counts (docs/rules.md 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from .. import _native
from .values import Check, Value, check_fields, one_of, optional, text, truth, whole

__all__ = ["COUNT_MAX", "FACTS", "FAN_CHECKS", "TOGETHER_CHECKS", "Fact", "Fan", "Title", "Together"]

COUNT_MAX = 26  # tiles of the longest hand, hence the greatest number of any fact
VALUE_MAX = 32767  # int16 on the native side
ID_FORM = "a name of small letters, digits and _"
WHEN_FORM = 'numbers from 0 to 26, as 1, [4, 7], "10-12" or "13+"'


class Fact(NamedTuple):
    """What a fan looks at, a number of the win; `most` is the greatest that can be."""

    most: int
    chinese: str
    english: str


# In the order of enum Fact in csrc/rules.hpp; each is one small function in csrc/facts.hpp.
FACTS = {name: Fact(most, chinese, english) for name, most, chinese, english in _native.FACTS}


def _is_id(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.isidentifier() and value == value.lower()


_id = Check(_is_id, ID_FORM, str, ID_FORM)
_count = whole(0, VALUE_MAX)
FAN_CHECKS = {
    "id": _id,
    "chinese": text,
    "english": text,
    "fact": one_of(*FACTS),
    "value": _count,
    "when": Check(lambda value: True, WHEN_FORM, str, WHEN_FORM),  # read_numbers looks at it
    "each": _count,
    "grow": truth,
    "cap": optional(whole(1, VALUE_MAX)),
    "alone": optional(whole(1, VALUE_MAX)),
    "exclusive": text,
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fan(Value):
    """A bonus pattern and what it counts. Raises ValueError. See docs/rules.md 5.2.

    id: by which it is named. chinese, english: its names. fact: what it looks at, one of FACTS. when: for
    which numbers of the fact it applies, as 1, (4, 7), "10-12" or "13+". value: what it counts at the lowest
    of them, 0 to 32767; 0 switches it off. each: what every further one adds. grow: whether the counts up to
    the number are added up. cap: the most it counts. alone: the total when no other fan applies.
    exclusive: of all fan with the same word here only the highest counts.

    >>> Fan("xiao", "小", "small", "small", 8, when="16+", each=1, cap=16).values[15:20]
    (0, 8, 9, 10, 11)
    """

    id: str
    chinese: str
    english: str
    fact: str
    value: int
    when: str = "1+"
    each: int = 0
    grow: bool = False
    cap: int | None = None
    alone: int | None = None
    exclusive: str = ""
    values: tuple[int, ...] = field(init=False)
    """What it counts by the number of its fact, 0 to 26; 0 where it does not apply."""

    def __post_init__(self) -> None:
        where = f"fan.{self.id}."
        check_fields(self, FAN_CHECKS, where)
        numbers = read_numbers(self.when, f"{where}when")
        object.__setattr__(self, "when", _when_text(numbers))
        object.__setattr__(self, "values", self._find_values(numbers))
        if max(self.values) > VALUE_MAX:
            raise ValueError(f"expected {where}value to stay up to {VALUE_MAX}, got {max(self.values)}")

    def _find_values(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        rising = [self.value + self.each * step for step in range(COUNT_MAX + 1)]
        counts = [*accumulate(rising)] if self.grow else rising
        values = [0] * (COUNT_MAX + 1)
        for number in numbers if self.value else ():
            count = counts[number - numbers[0]]
            values[number] = count if self.cap is None else min(count, self.cap)
        return tuple(values)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the fact for which it applies, none if it is switched off."""
        return tuple(number for number, value in enumerate(self.values) if value)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Together(Value):
    """Fan that count another number when they all apply. Raises ValueError. See docs/rules.md 5.2.

    id, chinese, english: its names. of: the ids of two fan or more. value: what they count, 1 to 32767.

    >>> Together("wudui", "乌对", "black and all alike", ("wu", "duidui"), 10).of
    ('wu', 'duidui')
    """

    id: str
    chinese: str
    english: str
    of: tuple[str, ...]
    value: int

    def __post_init__(self) -> None:
        where = f"together.{self.id}."
        check_fields(self, TOGETHER_CHECKS, where)
        object.__setattr__(self, "of", tuple(self.of))


def _are_parts(value: object) -> bool:
    return isinstance(value, (tuple, list)) and len(set(map(str, value))) == len(value) >= 2


TOGETHER_CHECKS = {
    "id": _id,
    "chinese": text,
    "english": text,
    "of": Check(
        lambda value: _are_parts(value) and all(map(_id.is_right, value)),
        "two or more different ids of fan",
        lambda word: tuple(part.strip() for part in word.split(",")),
        "two or more different ids of fan with commas between",
    ),
    "value": whole(1, VALUE_MAX),
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Title(Value):
    """What a player with so many points is called. Raises ValueError. See docs/rules.md 5.4.

    points: from how many on. chinese, english: the title.

    >>> str(Title(30, "短工", "day labourer"))
    '短工'
    """

    points: int
    chinese: str
    english: str

    def __post_init__(self) -> None:
        check_fields(self, TITLE_CHECKS, "titles.")

    def __str__(self) -> str:
        return self.chinese


TITLE_CHECKS = {"points": whole(0, 10**12), "chinese": text, "english": text}


def read_numbers(when: object, name: str) -> tuple[int, ...]:
    """The numbers of a condition, ascending: of 1, [4, 7], "10-12", "13+" or "4, 7". Raises ValueError."""
    parts = when.split(",") if isinstance(when, str) else when if isinstance(when, Sequence) else (when,)
    numbers: set[int] = set()
    for part in parts:
        numbers.update(_read_part(part, when, name))
    if not numbers:
        raise ValueError(f"expected {WHEN_FORM} for {name}, got {when!r}")
    return tuple(sorted(numbers))


def _read_part(part: object, when: object, name: str) -> range:
    low, high = (part, part) if type(part) is int else _ends(part) if isinstance(part, str) else (0, -1)
    if not 0 <= low <= high <= COUNT_MAX:
        raise ValueError(f"expected {WHEN_FORM} for {name}, got {when!r}")
    return range(low, high + 1)


def _ends(part: str) -> tuple[int, int]:
    """The ends of a range; a first one above the last for what is none."""
    low, dash, high = map(str.strip, part.partition("-"))
    if not dash:
        high = str(COUNT_MAX) if low.endswith("+") else low
        low = low.removesuffix("+")
    is_range = all(end.isascii() and end.isdigit() for end in (low, high))
    return (int(low), int(high)) if is_range and len(low + high) <= 4 else (0, -1)


def _when_text(numbers: tuple[int, ...]) -> str:
    """The one way to write a condition: runs from low to high, "4,7,11-12,20+"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(map(_run_text, runs))


def _run_text(run: list[int]) -> str:
    low, high = run
    if high == COUNT_MAX:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}"
