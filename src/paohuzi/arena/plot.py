"""The points of an arena as they settle, with their intervals: a picture by matplotlib."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from .contest import ArenaError
from .estimates import CONFIDENCE, running_estimates
from .outcome import Outcome

__all__ = ["PLOT_SUFFIXES", "check_plot", "plot"]

PLOT_SUFFIXES = (".pdf", ".png", ".svg")
WIDTH, HEIGHT, DPI = 8.0, 4.5, 150  # inches, dots an inch
STEPS = 400  # of a curve
SETS_FROM = 5  # before that the bands are wider than the picture
BAND = 0.2  # opacity


def check_plot(path: Path) -> None:
    """Whether a picture can be made there. Raises ArenaError, ImportError without matplotlib."""
    if path.suffix.lower() not in PLOT_SUFFIXES:
        raise ArenaError(f"expected a picture named {' '.join(PLOT_SUFFIXES)}, got {path.name!r}")
    if not path.absolute().parent.is_dir():
        raise ArenaError(f"{path}: no such directory: {path.parent}")
    if find_spec("matplotlib") is None:
        raise ImportError("no matplotlib")


def plot(outcome: Outcome, path: Path) -> None:
    """Write the running points a hand of all players, with 95 % bands. Raises OSError.

    path: .pdf, .png or .svg.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, layout="constrained")
    axes = figure.add_subplot()
    sets = len(outcome.sets)
    steps = np.unique(np.linspace(min(sets, SETS_FROM), sets, STEPS).astype(int))
    counts = [int(count) for count in steps if count > 1]
    hands = np.array(counts) * len(outcome.contest.seatings)
    for number, player in enumerate(outcome.contest.players):
        found = np.array(running_estimates(outcome.means(number), counts))
        mean, low, high = found.reshape(-1, 3).T
        (line,) = axes.plot(hands, mean, label=player.label)
        axes.fill_between(hands, low, high, color=line.get_color(), alpha=BAND, linewidth=0)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlabel("hands")
    axes.set_ylabel("points a hand")
    axes.set_title(f"{outcome.contest.rules.name}, seed {outcome.contest.seed}, {CONFIDENCE:.0%} intervals")
    axes.legend()
    figure.savefig(path)
