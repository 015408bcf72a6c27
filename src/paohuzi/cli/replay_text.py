"""A recorded hand for people: what happens, and what lies where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rich.text import Text

from ..groups import CHINESE_KINDS, Group
from ..record import Record
from ..record.events import (
    UNKNOWN,
    Chi,
    Chouwei,
    DealEvent,
    Discard,
    Draw,
    DrawGame,
    End,
    Event,
    Hu,
    Leave,
    Pao,
    Pass,
    Peng,
    Skip,
    Ti,
    Wei,
)
from ..record.position import Position, tiles_of
from ..record.record import tag_of
from ..tiles import NotationError, Tile
from ..words import Words
from .render import FAINT, RED

__all__ = ["Teller"]

RED_BEGINS, RED_ENDS = "\x01", "\x02"  # around red tiles, while a line is put together as a text


class Teller:
    """Tells about one record in one language."""

    def __init__(self, record: Record, say: Words) -> None:
        self.record = record
        self.say = say
        self.rules = record.rules
        self.playing = record.playing

    def title(self) -> Text:
        """Which hand it is."""
        start = self.record.start
        rules = self.say.choose(self.rules.name, self.rules.chinese or self.rules.name)
        title = self.say("replay_hand", hand=start.hand + 1, rules=rules, who=self.who(start.dealer))
        if start.view is not None:
            title += self.say("replay_view", who=self.who(start.view))
        return Text(title, "bold")

    def who(self, seat: int) -> str:
        """The name of a seat's player, with the number of the seat. Raises NotationError for none."""
        names = self.record.start.seats
        if seat >= len(names):
            raise NotationError(f"expected a seat from 0 to {len(names) - 1}, got {seat}")
        return f"{names[seat]}[{seat}]"

    def event(self, event: Event) -> Text | None:
        """What happened; None for what the title tells."""
        tell = _TELLERS.get(type(event))
        if tell is None:
            return None
        forced = self.say("replay_forced") if getattr(event, "forced", False) and not _is_draw(event) else ""
        return coloured(tell(self, event) + forced)

    def position(self, position: Position) -> Iterator[Text]:
        """What lies where, a few lines a seat."""
        yield coloured(self.say("replay_wall", count=position.wall) + self._pending(position))
        for seat in range(len(self.record.start.seats)):
            name = Text(self.who(seat), "bold")
            if seat not in self.playing:
                yield Text.assemble(name, "  ", self.say("replay_sits_out"))
                continue
            yield name
            yield self._row("replay_held", tiles_text(sorted(position.hands[seat], key=_tile_order)))
            yield self._row("replay_exposed", "  ".join(map(group_text, position.exposed[seat])))
            yield self._row("replay_lying", tiles_text(position.lying[seat]))

    def _row(self, key: str, text: str) -> Text:
        return Text.assemble("  ", (self.say(key), FAINT), "  ", coloured(text or "-"))

    def _pending(self, position: Position) -> str:
        if position.pending is None:
            return ""
        tile, seat = position.pending
        return " · " + self.say("replay_pending", who=self.who(seat), tile=tiles_text([tile]))

    # One method a kind of event; the texts still have the marks of red tiles.

    def _deal(self, event: DealEvent) -> str:
        return self.say("replay_deal", tile=tiles_text([event.shown]))

    def _draw(self, event: Draw) -> str:
        return self._of("replay_draw_hidden" if event.hidden else "replay_draw", event)

    def _chi(self, event: Chi) -> str:
        groups = tiles_text(sorted((event.tile, *event.consumed), key=_tile_order))
        if event.bi:
            bi = "  ".join(tiles_text(tiles_of(text)) for text in event.bi)
            groups = self.say("replay_bi", chi=groups, bi=bi)
        return self._of("replay_chi", event, groups=groups)

    def _simple(self, event: Any) -> str:
        return self._of(f"replay_{tag_of(event)}", event)

    def _pass(self, event: Pass) -> str:
        what = self.say(f"replay_question_{event.question.rpartition('_')[2]}")
        return self._of("replay_pass", event, what=what)

    def _hu(self, event: Hu) -> str:
        told = self._of("replay_hu" if event.tile is None else "replay_hu_tile", event)
        fans = self.say.listed(f"{fan.name} {fan.value}" for fan in event.fans)
        reckoning = self.say(
            "replay_reckoning",
            xi=event.xi,
            base=event.base,
            fan=event.fan,
            payment=event.payment,
            fans=self.say("replay_fans", fans=fans) if fans else "",
        )
        return "\n".join((told, "  " + "  ".join(map(group_text, event.groups)), f"  {reckoning}"))

    def _end(self, event: End) -> str:
        points = (
            self.say("replay_points", who=self.who(seat), delta=f"{delta:+}", total=total)
            for seat, (delta, total) in enumerate(zip(event.deltas, event.totals, strict=True))
        )
        return self.say("replay_end", points=self.say.listed(points))

    def _of(self, key: str, event: Any, **more: str) -> str:
        target, tile = getattr(event, "target", None), getattr(event, "tile", None)
        return self.say(
            key,
            who=self.who(event.actor),
            target="" if target is None else self.who(target),
            tile="" if tile is None else tiles_text([tile]),
            **more,
        )


_TELLERS: dict[type, Callable[[Teller, Any], str]] = {
    DealEvent: Teller._deal,
    Draw: Teller._draw,
    Chi: Teller._chi,
    Pass: Teller._pass,
    Hu: Teller._hu,
    End: Teller._end,
    **dict.fromkeys((Discard, Peng, Wei, Chouwei, Ti, Pao, Skip, DrawGame, Leave), Teller._simple),
}


def _is_draw(event: Event) -> bool:
    return isinstance(event, (Draw, DrawGame, Skip))


def _tile_order(text: str) -> tuple[bool, int]:
    return (True, 0) if text == UNKNOWN else (False, Tile.parse(text).face)


def tiles_text(texts: Iterable[str]) -> str:
    """The characters of tiles, red ones between marks; a sign for one not known."""
    return "".join(map(_tile_text, texts))


def _tile_text(text: str) -> str:
    if text == UNKNOWN:
        return UNKNOWN
    tile = Tile.parse(text)
    return f"{RED_BEGINS}{tile.chinese}{RED_ENDS}" if tile.is_red else tile.chinese


def group_text(text: str) -> str:
    """A group in characters, wangs in parentheses; one not known as it is."""
    kind, _, tiles = text.partition(":")
    if UNKNOWN in tiles:
        return f"{CHINESE_KINDS[kind]}:{tiles}"
    group = Group.parse(text)
    shown = (
        f"({_tile_text(str(Tile(face)))})" if is_wang else _tile_text(str(Tile(face)))
        for face, is_wang in zip(group.faces, group.wang, strict=True)
    )
    return f"{CHINESE_KINDS[kind]}:{''.join(shown)}"


def coloured(text: str) -> Text:
    """The text with what stands between the marks in red."""
    made = Text()
    for part in text.split(RED_BEGINS):
        red, mark, rest = part.partition(RED_ENDS)
        made.append(red, RED if mark else "").append(rest)
    return made
