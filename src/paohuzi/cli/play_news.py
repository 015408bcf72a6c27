"""What has happened at the table since a seat last looked, and how a hand ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from ..match import Match
from ..results import Result
from ..views import Appearance
from .play_signs import HIDDEN, Company, said
from .render import FAINT

__all__ = ["end_lines", "news_lines", "totals_table"]

OPEN = "open"


def news_lines(appearances: Sequence[Appearance], company: Company) -> Iterator[Text]:
    """A line for each tile that was drawn or discarded."""
    return (_news_line(each, company) for each in appearances)


def _news_line(appearance: Appearance, company: Company) -> Text:
    say, tile = company.say, appearance.tile
    key = "discarded" if appearance.is_discard else "drew"
    line = say(key, who=company.who(appearance.owner), tile=tile.chinese if tile else HIDDEN)
    return said(f" {line}{_fate_text(appearance, company)}", tile)


def _fate_text(appearance: Appearance, company: Company) -> str:
    say, taker = company.say, appearance.taker
    if taker is None or appearance.fate == "joined":
        return say(f"fate_{appearance.fate}")
    how = say(f"how_{appearance.fate}")
    if taker == appearance.owner:
        return say("fate_own", how=how)
    return say("fate_taken", taker=company.who(taker), how=how)


def end_lines(result: Result, company: Company) -> Iterator[Text]:
    """How the hand ended, with the reckoning of a win."""
    say = company.say
    if result.type == "draw":
        yield Text(say("end_draw"), "bold")
    elif result.seat is not None and result.type == "leave":
        yield Text(say("end_leave", who=company.who(result.seat)), "bold")
    elif result.seat is not None:
        yield _win_line(result, company.who(result.seat), company)
    if result.score is not None:
        yield Text(result.score.explain(say.language))


def _win_line(result: Result, who: str, company: Company) -> Text:
    say = company.say
    if result.tile is None:
        return Text(say("end_dealt", who=who), "bold")
    source = say(f"source_{result.source}")
    return said(say("end_hu", who=who, tile=result.tile.chinese, source=source), result.tile)


def totals_table(match: Match, result: Result, company: Company) -> Table:
    """What the hand brought and what all have, with their titles where the rules have some."""
    say = company.say
    titles = match.titles
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=FAINT)
    table.add_column(say("player"))
    for key in ("this_hand", "total"):
        table.add_column(say(key), justify="right")
    if titles:
        table.add_column(say("player_title"))
    for seat, (made, points) in enumerate(zip(result.points, match.scores, strict=True)):
        row = [company.who(seat), f"{made:+d}", f"{points:+d}"]
        if titles:
            row.append(say.choose(f"{titles[seat].chinese} {titles[seat].english}", titles[seat].chinese))
        table.add_row(*row)
    return table
