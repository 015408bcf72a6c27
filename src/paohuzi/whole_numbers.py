"""Whole numbers from outside, checked."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

__all__ = ["checked_number"]


def checked_number(value: SupportsIndex, what: str, least: int, most: int | None = None) -> int:
    """The number as an int. what: its name in the error. Raises ValueError if it is none, or out of bounds.

    >>> checked_number(3, "threads", 1, 8)
    3
    """
    number = None if isinstance(value, bool) or not isinstance(value, SupportsIndex) else index(value)
    if number is not None and least <= number and (most is None or number <= most):
        return number
    bounds = f"from {least} up" if most is None else f"from {least} to {most}"
    raise ValueError(f"expected {what} {bounds} (a whole number), got {value!r}")
