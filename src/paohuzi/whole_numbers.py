"""Whole numbers from outside, checked."""

from __future__ import annotations

__all__ = ["checked_number"]


def checked_number(value: int, what: str, least: int, most: int | None = None) -> int:
    """The number itself. what: its name in the error. Raises ValueError if it is none, or out of bounds.

    >>> checked_number(3, "threads", 1, 8)
    3
    """
    if type(value) is int and least <= value and (most is None or value <= most):
        return value
    bounds = f"from {least} up" if most is None else f"from {least} to {most}"
    raise ValueError(f"expected {what} {bounds} (a whole number), got {value!r}")
