"""The speed of this build on this machine, beside the plain backtracker in the same run."""

from .run import FULL, QUICK, measure
from .sets import CONCEALED, Sets
from .timing import Measurement, Plan, machine, median_ns, paced_ns

__all__ = [
    "CONCEALED",
    "FULL",
    "QUICK",
    "Measurement",
    "Plan",
    "Sets",
    "machine",
    "measure",
    "median_ns",
    "paced_ns",
]
