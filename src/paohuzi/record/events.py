"""The events of a record, one JSON object a line, in the manner of mjai (docs/records.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from ..groups import CODE_COUNT, Group
from ..tiles import TILE_TEXTS

__all__ = [
    "EVENT_TYPES",
    "PROTOCOL",
    "UNKNOWN",
    "VERSION",
    "Chi",
    "Chouwei",
    "DealEvent",
    "Discard",
    "Draw",
    "DrawGame",
    "End",
    "Event",
    "FanEntry",
    "Hu",
    "Leave",
    "Pao",
    "Pass",
    "Peng",
    "Skip",
    "Start",
    "Ti",
    "Wei",
]

PROTOCOL = "paohuzi-record"
VERSION = 1
UNKNOWN = "?"
SEATS_MAX = 4
NUMBER_MAX = 1 << 53  # what JSON holds everywhere


def groups_of(*kinds: str) -> list[Group]:
    """Every group of some kinds, without wangs."""
    every = map(Group.from_code, range(1, CODE_COUNT))
    return [group for group in every if group.kind in kinds]


Seat: TypeAlias = Annotated[int, Meta(ge=0, le=SEATS_MAX - 1, description="a seat of the table")]
HandText: TypeAlias = Annotated[
    str, Meta(max_length=120, description="tiles together, as 1123s 270b W; a ? for each not known")
]
Names: TypeAlias = Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=SEATS_MAX)]
Whole: TypeAlias = Annotated[int, Meta(ge=-NUMBER_MAX, le=NUMBER_MAX)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=NUMBER_MAX)]
Points: TypeAlias = Annotated[tuple[Whole, ...], Meta(max_length=SEATS_MAX, description="by seat")]
Question: TypeAlias = Literal["shown_hu", "draw_hu", "hu", "peng", "chi"]
Source: TypeAlias = Literal["dealt", "self", "other", "discard"]

if TYPE_CHECKING:
    TileText: TypeAlias = str
    BiText: TypeAlias = str
    TripletText: TypeAlias = str
else:  # written out they are read three times as fast as by a pattern
    TileText = Literal[(*TILE_TEXTS, UNKNOWN)]
    BiText = Literal[tuple(str(group).removeprefix("chi:") for group in groups_of("chi"))]
    TripletText = Literal[tuple(str(group) for group in groups_of("peng", "wei", "chouwei"))]
Tiles: TypeAlias = Annotated[tuple[TileText, ...], Meta(max_length=4)]


class Start(Struct, frozen=True, gc=False, tag="start", forbid_unknown_fields=True):
    """A hand begins: the rules, who sits where, who deals. view: the seat whose view the record is, null for
    the full one; then the wall, in the order of drawing, is known, and the seed where there was one."""

    protocol: Annotated[str, Meta(pattern=f"^{PROTOCOL}$")]
    version: Annotated[int, Meta(ge=VERSION, le=VERSION)]
    view: Seat | None
    hand: Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="its number in the match, from 0")]
    seats: Annotated[Names, Meta(description="the players' names by seat")]
    dealer: Seat
    scores: Annotated[Points, Meta(description="by seat, the points of the match before the hand")]
    seed: Annotated[int, Meta(ge=0, description="of the deal, up to 2**64 - 1")] | None
    wall: Annotated[str, Meta(max_length=120, description="tiles with blanks between")]
    rules_hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    rules: Annotated[dict[str, Any], Meta(description="all fields, in the shape of a file of rules")]


class DealEvent(Struct, frozen=True, gc=False, tag="deal", forbid_unknown_fields=True):
    """The hands by seat, the dealer's without the shown tile; empty for a seat that sits out."""

    hands: Annotated[tuple[HandText, ...], Meta(max_length=SEATS_MAX)]
    shown: TileText


class Draw(Struct, frozen=True, gc=False, tag="draw", forbid_unknown_fields=True, omit_defaults=True):
    """A tile is drawn from the wall; hidden: only the actor sees it."""

    actor: Seat
    tile: TileText
    hidden: bool = False
    forced: bool = False


class Discard(Struct, frozen=True, gc=False, tag="discard", forbid_unknown_fields=True):
    """A tile is discarded."""

    actor: Seat
    tile: TileText


class Chi(Struct, frozen=True, gc=False, tag="chi", forbid_unknown_fields=True, omit_defaults=True):
    """吃 of a tile of `target`, with the tiles consumed from the hand, and the bi groups laid out."""

    actor: Seat
    target: Seat
    tile: TileText
    consumed: Tiles
    bi: Annotated[tuple[BiText, ...], Meta(max_length=2)] = ()


class Peng(Struct, frozen=True, gc=False, tag="peng", forbid_unknown_fields=True, omit_defaults=True):
    """碰 of a tile of `target`; forced where the rules have it so."""

    actor: Seat
    target: Seat
    tile: TileText
    consumed: Tiles
    forced: bool = False


class Wei(Struct, frozen=True, gc=False, tag="wei", forbid_unknown_fields=True, omit_defaults=True):
    """偎 of one's own draw."""

    actor: Seat
    tile: TileText
    consumed: Tiles
    forced: bool = False


class Chouwei(Wei, frozen=True, gc=False, tag="chouwei"):
    """臭偎: the same, of a face dead for peng."""


class Ti(Struct, frozen=True, gc=False, tag="ti", forbid_unknown_fields=True, omit_defaults=True):
    """提 of one's own draw, with three tiles of the hand or onto an exposed group; dealt: four dealt ones."""

    actor: Seat
    tile: TileText
    consumed: Tiles
    onto: TripletText | None = None
    dealt: bool = False
    forced: bool = False


class Pao(Struct, frozen=True, gc=False, tag="pao", forbid_unknown_fields=True, omit_defaults=True):
    """跑 of a tile of `target`, with three tiles of the hand or onto an exposed group."""

    actor: Seat
    target: Seat
    tile: TileText
    consumed: Tiles
    onto: TripletText | None = None
    forced: bool = False


class Skip(Struct, frozen=True, gc=False, tag="skip", forbid_unknown_fields=True, omit_defaults=True):
    """A tile taken in is not followed by a discard: the next player draws."""

    actor: Seat
    forced: bool = False


class Pass(Struct, frozen=True, gc=False, tag="pass", forbid_unknown_fields=True):
    """A claim that was offered and declined, on a tile of `target`."""

    actor: Seat
    target: Seat
    tile: TileText
    question: Question


class FanEntry(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A fan that applies: its id and Chinese name, and what it counts."""

    id: str
    name: str
    value: Number


class Hu(Struct, frozen=True, gc=False, tag="hu", forbid_unknown_fields=True, omit_defaults=True):
    """胡, with the reckoning. payment: of each loser at stake 1. forced: a forced heaven."""

    actor: Seat
    target: Seat | None
    tile: TileText | None
    source: Source
    query: Annotated[str, Meta(max_length=400, description="hand, groups and winning tile in the notation")]
    payment: Number
    base: Number
    tun: Number
    xi: Number
    fan: Number
    fans: tuple[FanEntry, ...]
    groups: tuple[str, ...]
    route: str
    forced: bool = False


class DrawGame(
    Struct, frozen=True, gc=False, tag="draw-game", forbid_unknown_fields=True, omit_defaults=True
):
    """荒庄: `actor` should draw, and the wall is empty."""

    actor: Seat
    forced: bool = False


class Leave(Struct, frozen=True, gc=False, tag="leave", forbid_unknown_fields=True):
    """The actor leaves the table; the hand ends."""

    actor: Seat


class End(Struct, frozen=True, gc=False, tag="end", forbid_unknown_fields=True):
    """What the hand brings to each seat, and the points of the match after it."""

    deltas: Points
    totals: Points


Event: TypeAlias = (
    Start
    | DealEvent
    | Draw
    | Discard
    | Chi
    | Peng
    | Wei
    | Chouwei
    | Ti
    | Pao
    | Skip
    | Pass
    | Hu
    | DrawGame
    | Leave
    | End
)
EVENT_TYPES: tuple[type, ...] = Event.__args__
