"""What a player may want to know: what completes the hand, and what each choice leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rich.text import Text

from ..actions import Action
from ..notation import SOURCES, Hand, Query
from ..scoring import Context, Score, score, wait_scores
from ..search import Budget, analyse_position
from ..solver import part_xi, ready_discards
from ..tiles import IllegalHand, Tile
from ..views import View
from ..words import Words
from .play_signs import choice_text, said
from .render import FAINT

__all__ = ["ahead", "hints", "win_score"]

AHEAD_SHOWN = 4  # choices
TAKEN = {"chi", "peng", "pao", "wei", "chouwei", "ti", "joined"}


def win_score(view: View) -> Score:
    """What the win that the seat may claim now is worth. Raises IllegalHand when it cannot be one."""
    pending = view.pending
    taken = any(each.taker == view.seat and each.fate in TAKEN for each in view.appearances)
    is_opening = view.question == "shown_hu"
    context = Context(
        last_tile=not is_opening and not view.wall_count and pending is not None and not pending.is_discard,
        shown_tile=is_opening,
        dealer=view.seat == view.dealer,
        untouched=not taken,
        first_discard=_is_first_discard(view),
    )
    if pending is None or (is_opening and context.dealer):  # the shown tile is in the dealer's hand already
        return score(view.query, view.rules, context)
    source = "discard" if pending.is_discard else "self" if pending.owner == view.seat else "other"
    return score(Query(view.hand, view.groups, pending.tile, source), view.rules, context)


def _is_first_discard(view: View) -> bool:
    """Whether the next player may take the dealer's discard that opens the hand."""
    pending, after_dealer = view.pending, view.playing[1]
    return (
        pending is not None
        and pending.is_discard
        and len(view.appearances) == 1
        and view.seat == after_dealer
    )


def hints(view: View, say: Words) -> Iterator[Text]:
    """Lines that tell what the hand waits for, or what each choice leaves."""
    if view.question == "discard":
        lines = [*_discard_lines(view, view.query, say)]
    else:
        waits = _waits_text(view, view.query, say)
        lines = [Text(say("hint_ready")), *waits] if waits else []
    yield from lines or _not_ready_lines(view, say)
    for action in view.legal_actions:
        if action.kind in ("peng", "chi"):
            taking = [*_discard_lines(view, view.after(action), say, action)]
            lines += taking
            yield from taking
    if lines:
        yield Text(say("hint_pays"), FAINT)


def ahead(view: View, budget: Budget, say: Words) -> Text:
    """What the best choices are worth in points, by a look ahead as long as the budget."""
    analysis = analyse_position(view, budget)
    pending = view.pending.tile if view.pending else None
    line = Text(say("hint_ahead"), FAINT)
    for row in analysis.rows[:AHEAD_SHOWN]:
        line.append("  ")
        line.append_text(choice_text(row.action, pending, say))
        line.append(f" {row.mean * view.rules.stake:+.1f}", "bold" if row.action == analysis.best else FAINT)
    return line


def _not_ready_lines(view: View, say: Words) -> Iterator[Text]:
    yield Text(say("hint_no_discard" if view.question == "discard" else "hint_not_ready"))
    yield Text(say("hint_xi", xi=part_xi(view.query, view.rules), min_xi=view.rules.min_xi))


def _discard_lines(view: View, query: Query, say: Words, taking: Action | None = None) -> Iterator[Text]:
    """For each discard that leaves the hand ready, what it then waits for."""
    pending = view.pending.tile if view.pending else None
    for tile in _ready_discards(view, query):
        choice = "" if taking is None else choice_text(taking, pending, say).plain
        key = "hint_after_discard" if taking is None else "hint_after"
        yield said(say(key, choice=choice, tile=tile.chinese), tile)
        yield from _waits_text(view, _without(query, tile), say)


def _ready_discards(view: View, query: Query) -> list[Tile]:
    """The discards after which some tile completes the hand, from wherever it comes."""
    try:
        found = [ready_discards(query, source, view.rules) for source in _sources(view)]
    except IllegalHand:  # no discard is due after it
        return []
    return sorted({tile for each in found for tile in each})


def _sources(view: View) -> list[str]:
    if view.hand.wang_count:  # its holder wins on own draws only
        return ["self"]
    return [source for source in SOURCES if source != "discard" or view.rules.discards_win]


def _without(query: Query, tile: Tile) -> Query:
    counts = list(query.hand.counts)
    counts[tile.face] -= 1
    return Query(Hand.from_counts(counts), query.exposed)


def _waits_text(view: View, query: Query, say: Words) -> list[Text]:
    """A line for each tile that completes the hand: copies not seen yet, and what it pays from whom."""
    try:
        found = {source: wait_scores(query, source, view.rules) for source in _sources(view)}
    except IllegalHand:  # it cannot win next: a skip is due
        return []
    tiles = sorted({tile for scores in found.values() for tile in scores})
    return [*map(partial(_wait_line, view, found, say=say), tiles)]


def _wait_line(view: View, found: Mapping[str, Mapping[Tile, Score]], tile: Tile, *, say: Words) -> Text:
    wins = [
        say(f"hint_{source}", xi=scores[tile].xi, payment=(scores[tile].payment or 0) * view.rules.stake)
        for source, scores in found.items()
        if tile in scores and scores[tile].hu
    ]
    left = view.unseen[tile.face]
    return said("  " + say("hint_wait", tile=tile.chinese, left=left, wins=say.listed(wins)), tile)
