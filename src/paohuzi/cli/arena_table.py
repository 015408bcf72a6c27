"""What an arena found, as a table with some lines below it."""

from __future__ import annotations

from math import inf

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..arena import Outcome, Standing
from ..words import Words
from .play_signs import rules_name
from .render import FAINT

__all__ = ["print_outcome"]

NAME_WIDTH, WIDTH_MIN = 10, 80


def print_outcome(outcome: Outcome, say: Words, console: Console) -> None:
    """The players with their points, then what was played and what the test says."""
    standings = outcome.standings
    has_deal_in = outcome.contest.rules.discards_win
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=FAINT)
    table.add_column(say("arena_bot"), overflow="fold", min_width=NAME_WIDTH)
    for key in ("points", "interval", "wins", "share", *(["deal_in"] if has_deal_in else []), "time"):
        table.add_column(say(f"arena_{key}"), justify="right", no_wrap=True)
    for standing in standings:
        table.add_row(*_row(standing, has_deal_in))
    console.width = max(console.width, WIDTH_MIN)  # no number is cut
    console.print(table)
    for line in _lines(outcome, say):
        console.print(Text(line), soft_wrap=True)


def _row(standing: Standing, has_deal_in: bool) -> list[str]:
    mean, low, high = standing.points
    return [
        standing.name,
        _number(mean, "+.3f"),
        "–" if low is None else f"{low:+.3f} … {high:+.3f}",
        f"{standing.wins}",
        _number(standing.win_rate, ".1%"),
        *([_number(standing.deal_in_rate, ".1%")] if has_deal_in else []),
        _number(standing.ms_per_decision, ".3f"),
    ]


def _number(number: float | None, form: str) -> str:
    return "–" if number is None else format(number, form)


def _lines(outcome: Outcome, say: Words) -> list[str]:
    contest = outcome.contest
    lines = [
        say(
            "arena_hands",
            hands=outcome.hands,
            rules=rules_name(contest.rules, say),
            sets=len(outcome.sets),
            seatings=len(contest.seatings),
            drawn=f"{outcome.drawn} ({outcome.drawn / max(1, outcome.hands):.1%})",
        )
    ]
    if outcome.resumed:
        lines.append(say("arena_resumed", sets=outcome.resumed))
    if len(outcome.sets) == 1:
        lines.append(say("arena_one_set"))
    return [
        *lines,
        *_lines_of_test(outcome, say),
        say("arena_seed", seed=contest.seed, seconds=f"{outcome.seconds:.1f}"),
    ]


def _lines_of_test(outcome: Outcome, say: Words) -> list[str]:
    if outcome.sprt is None or outcome.test is None:
        return []
    test, contest = outcome.test, outcome.contest
    key = "too_few" if test.count < test.COUNT_MIN else test.decided or "undecided"
    told = say(
        f"arena_{key}",
        low=f"{outcome.sprt.low:g}",
        high=f"{outcome.sprt.high:g}",
        llr="∞" if test.llr == inf else f"{test.llr:.2f}",
        bound=f"{test.BOUND:.2f}",
        least=test.COUNT_MIN,
        hands=test.COUNT_MIN * len(contest.seatings),
        sets=test.count,
    )
    lead = _number(outcome.lead.mean, "+.3f")
    return [say("arena_difference", name=contest.players[0].label, difference=lead), told]
