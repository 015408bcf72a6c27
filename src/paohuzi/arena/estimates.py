"""Means with their intervals, and the sequential test, of values that are independent of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import copysign, inf, log, pi, sqrt
from numbers import Real
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["CONFIDENCE", "Estimate", "Sprt", "SprtRun", "estimate", "running_estimates", "t_quantile"]

CONFIDENCE = 0.95
BOUND_MAX = 1e9  # points a hand
ERROR_RATE = 0.05  # of the sequential test, either way
SERIES_FROM = 100  # degrees of freedom from which the series for t is exact to 1e-8
HALVINGS = 60


class Estimate(NamedTuple):
    """A mean with the ends of its 95 % interval; None where there are too few values."""

    mean: float | None
    low: float | None
    high: float | None


def estimate(values: Sequence[float] | npt.NDArray[np.float64]) -> Estimate:
    """The mean of independent values with its t interval.

    >>> [round(number, 2) for number in estimate([1.0, 2.0, 3.0])]
    [2.0, -0.48, 4.48]
    """
    made = np.asarray(values, dtype=np.float64)
    count = len(made)
    if count < 2:
        return Estimate(float(made[0]) if count else None, None, None)
    mean = float(made.mean())
    half = t_quantile(count - 1) * float(made.std(ddof=1)) / sqrt(count)
    return Estimate(mean, mean - half, mean + half)


def running_estimates(
    values: Sequence[float] | npt.NDArray[np.float64], counts: Sequence[int]
) -> list[Estimate]:
    """The estimates from the first so many values, for each of the counts, 2 or more."""
    made = np.asarray(values, dtype=np.float64)
    sums, squares = np.cumsum(made), np.cumsum(made * made)
    found = []
    for count in counts:
        mean = float(sums[count - 1]) / count
        variance = max(0.0, float(squares[count - 1]) - count * mean * mean) / (count - 1)
        half = t_quantile(count - 1) * sqrt(variance / count)
        found.append(Estimate(mean, mean - half, mean + half))
    return found


@lru_cache(maxsize=1 << 12)
def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The number that Student's t with so many degrees of freedom stays below, either way, so often.

    >>> round(t_quantile(1), 3), round(t_quantile(10), 3), round(t_quantile(10_000), 3)
    (12.706, 2.228, 1.96)
    """
    if freedom >= SERIES_FROM:
        return _t_by_series(freedom, NormalDist().inv_cdf((1 + confidence) / 2))
    low, high = 0.0, pi / 2  # the angle whose tangent is t / sqrt(freedom)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _share_within(middle, freedom) < confidence else (low, middle)
    return float(np.tan(low)) * sqrt(freedom)


def _share_within(angle: float, freedom: int) -> float:
    """How often |t| is below sqrt(freedom) tan(angle): a finite sum of powers of the cosine."""
    cosine, sine = float(np.cos(angle)), float(np.sin(angle))
    is_odd = freedom % 2
    term = cosine if is_odd else 1.0
    total = term if freedom > 1 else 0.0
    for power in range(2 + is_odd, freedom - 1, 2):
        term *= cosine * cosine * (power - 1) / power
        total += term
    return 2 / pi * (angle + sine * total) if is_odd else sine * total


def _t_by_series(freedom: int, z: float) -> float:
    """In falling powers of the degrees of freedom, from the normal quantile."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the difference in points a hand between the first bot and the others.

    It decides between a difference of `low` and one of `high`, wrong either way at most about once in 20
    arenas. At a true difference between the two either answer may come. Raises ValueError unless low < high.
    """

    low: float = 0.0
    high: float = 0.2

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if isinstance(bound, bool) or not isinstance(bound, Real) or not abs(bound) <= BOUND_MAX:
                raise ValueError(f"expected LOW,HIGH as 0,0.2, got {self.low!r} and {self.high!r}")
        if not self.low < self.high:
            raise ValueError(f"expected LOW,HIGH as 0,0.2, the lower first, got {self.low:g},{self.high:g}")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """The test of a text. Raises ValueError.

        >>> Sprt.parse("-0.1,0.1")
        Sprt(low=-0.1, high=0.1)
        """
        try:
            low, high = map(float, text.split(","))
        except (ValueError, AttributeError):
            raise ValueError(f"expected LOW,HIGH as 0,0.2, got {text!r}") from None
        return cls(low, high)


@dataclass(slots=True)
class SprtRun:
    """A sequential test under way: the values it has seen, and what it decided.

    The values are taken as normal with the variance seen so far; the logarithm of the likelihood ratio is
    then n (high - low) (mean - (low + high) / 2) / variance. It decides at Wald's bounds, log(0.95 / 0.05).
    """

    sprt: Sprt
    count: int = 0
    mean: float = 0.0
    squares: float = 0.0  # sum of the squares of the distances from the mean
    decided: str | None = field(default=None)
    """"low" or "high"."""

    COUNT_MIN = 30  # before that the variance is hardly known
    BOUND = log((1 - ERROR_RATE) / ERROR_RATE)

    def add(self, value: float) -> None:
        """Look at one value more. Once it has decided, nothing changes that."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self.squares += step * (value - self.mean)
        if self.decided is None and self.count >= self.COUNT_MIN and abs(self.llr) >= self.BOUND:
            self.decided = "high" if self.llr > 0 else "low"

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio: above 0 it speaks for the higher difference."""
        evidence = (self.sprt.high - self.sprt.low) * (self.mean - (self.sprt.low + self.sprt.high) / 2)
        if self.count < 2 or evidence == 0:
            return 0.0
        variance = self.squares / (self.count - 1)
        return self.count * evidence / variance if variance else copysign(inf, evidence)
