"""The engine at its door as a game of texts, so that the twin's tests fit it: deals, actions and ends as in
game lines."""

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from paohuzi import Group, Hand, Tile, _engine
from paohuzi.rules import load_rules

Deal = dict[str, Any]

SEAT_NAMES = ("dealer", "next", "previous")
WANG = 20


@lru_cache
def native_rules(preset: str, seats: int = 3, **switches: Any) -> bytes:
    return replace(load_rules(preset), seats=seats, **switches).native


def faces_of(text: str) -> list[int]:
    return [Tile.parse(word).face for word in text.split()]


def packed(text: str) -> int:
    return Hand.parse(text).packed


def held_faces(hand: int) -> list[int]:
    """The tiles of a packed hand."""
    return [face for face, count in enumerate(Hand.from_packed(hand).counts) for _ in range(count)]


def new_table(preset: str, seats: int = 3, is_recording: bool = False, **switches: Any) -> _engine.Table:
    return _engine.Table(native_rules(preset, seats, **switches), is_recording)


def dealt_table(deal: Deal, seats: int = 3, is_recording: bool = False, **switches: Any) -> _engine.Table:
    table = new_table(deal["rules"], seats, is_recording, **switches)
    hands = tuple(packed(deal[name]) for name in SEAT_NAMES)
    table.deal(hands, faces_of(deal["shown"])[0], bytes(faces_of(deal["wall"])))
    return table


@cache
def action_text(action: int) -> str:
    kind = _engine.ACTION_KINDS[action >> 32]
    if kind == "discard":
        return f"discard {Tile(action >> 24 & 255)}"
    if kind != "chi":
        return kind
    chi, *bi = (
        str(Group.from_code(code)).partition(":")[2]
        for code in (action >> 16 & 255, action >> 8 & 255, action & 255)
        if code
    )
    return "chi " + " + ".join([chi, *sorted(bi)])


def end_of(table: _engine.Table) -> dict[str, Any] | None:
    """The end as a game line has it."""
    result = table.result()
    if result is None:
        return None
    kind, seat, face, source, is_heaven, payments, *_, xi, _fan, _fans = result
    if kind == "draw":
        return {"type": "draw", "pay": list(payments)}
    tile = None if face is None else str(Tile(face))
    end = {"type": "hu", "seat": seat, "tile": tile, "source": source}
    return end if is_heaven else end | {"xi": xi, "pay": list(payments)}


class EngineGame:
    """A dealt table with `asked`, `actions`, `apply` and `end` in texts."""

    def __init__(self, deal: Deal, seats: int = 3, is_recording: bool = False, **switches: Any) -> None:
        self.table = dealt_table(deal, seats, is_recording, **switches)

    def copy(self) -> "EngineGame":
        other = EngineGame.__new__(EngineGame)
        other.table = self.table.copy()
        return other

    @property
    def asked(self) -> int | None:
        return None if self.table.asked < 0 else self.table.asked

    @property
    def numbers(self) -> dict[str, int]:
        return {action_text(action): action for action in self.table.actions()}

    @property
    def actions(self) -> list[str]:
        return list(self.numbers)

    @property
    def end(self) -> dict[str, Any] | None:
        return end_of(self.table)

    def apply(self, action: str) -> None:
        self.table.apply(self.numbers[action])
