"""Who sits at the table and by which rules they play, for the engine twin (docs/rules.md 4 and 5)."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .chi_twin import free_tiles
from .notation_twin import ALL_TILES, Group, Tiles, format_group, is_red, parse_tiles, tile_name
from .solver_twin import DEFAULT, LUZHOU, QUAD_KINDS, Options, natural, total_xi

SEATS = (0, 1, 2)  # dealer, next, previous
DEALER, NEXT, PREVIOUS = SEATS


def seat_after(seat: int) -> int:
    return (seat + 1) % 3


class DeadTiles(NamedTuple):
    """Which event makes the face dead for what (docs/rules.md 4.7)."""

    passed_chi_for_chi: bool = True
    passed_chi_for_peng: bool = True
    passed_peng_for_chi: bool = True
    passed_peng_for_peng: bool = True
    discarded_for_chi: bool = True
    discarded_for_peng: bool = True


EVERY_EVENT = DeadTiles()


@dataclass(frozen=True)
class TableRules:
    """What a preset decides about play; `options` decide the win."""

    options: Options = DEFAULT
    dead: DeadTiles = EVERY_EVENT
    peng_forced: bool = False
    shown_hidden: bool = False  # with four seats


KAIXIN_DEAD = DeadTiles(
    passed_chi_for_peng=False,
    passed_peng_for_chi=False,
    passed_peng_for_peng=False,
    discarded_for_peng=False,
)
CLASSIC_RULES = TableRules()
PRESETS = {
    "qq-basic": CLASSIC_RULES,
    "qq-half": CLASSIC_RULES,
    "qq-full": CLASSIC_RULES,
    "quan-mingtang": CLASSIC_RULES,
    "hunan": TableRules(shown_hidden=True),
    "kaixin": TableRules(dead=KAIXIN_DEAD),
    "baiwang": CLASSIC_RULES,
    "yongzhou": TableRules(Options(wang=2)),
    "luzhou": TableRules(Options(xi=LUZHOU, min_xi=10, discards_win=True), peng_forced=True),
    "changde-honghei": CLASSIC_RULES,
    "changde-duohong": CLASSIC_RULES,
    "yongzhou-4": TableRules(Options(wang=4)),
}


@dataclass
class Deal:
    """The tiles of each seat, the shown tile and the wall in the order of drawing."""

    hands: tuple[Tiles, Tiles, Tiles]
    shown: int
    wall: list[int]


def parse_deal(line: dict[str, Any]) -> Deal:
    """The deal of a game line; the wall is one tile a word."""
    hands = tuple(parse_tiles(line[name]) for name in ("dealer", "next", "previous"))
    return Deal(
        (hands[0], hands[1], hands[2]),
        parse_tiles(line["shown"])[0],
        [parse_tiles(word)[0] for word in line["wall"].split()],
    )


def with_last_tile_shown(wall: list[int]) -> list[int]:
    """The wall of four seats: a red last tile goes to the top until the last one is black (4.12)."""
    for _ in range(len(wall)):
        if not is_red(wall[-1]):
            break
        wall = [wall[-1], *wall[:-1]]
    return wall


@dataclass
class Player:
    """What one seat holds, has laid out, and has given up."""

    hand: list[int]
    exposed: list[Group] = field(default_factory=list)
    dead_for_chi: set[int] = field(default_factory=set)
    dead_for_peng: set[int] = field(default_factory=set)
    passed_wins: dict[int, int] = field(default_factory=dict)  # face: exposed xi at the question
    owes_skip: bool = False
    has_taken_in: bool = False

    def held(self, tile: int) -> int:
        return self.hand.count(tile)

    def has_exposed(self, tile: int, *kinds: str) -> bool:
        return any(group.kind in kinds and group.faces[0] == tile for group in self.exposed)

    def makes_quad_of_own(self, tile: int) -> bool:
        return self.held(tile) == 3 or self.has_exposed(tile, "wei", "chouwei")

    @property
    def quad_count(self) -> int:
        return sum(group.kind in QUAD_KINDS for group in self.exposed)

    @property
    def discardable(self) -> list[int]:
        return sorted(set(free_tiles(self.hand)))

    def exposed_xi(self, options: Options) -> int:
        """Dealt quads count as laid out even before they are (4.8)."""
        return total_xi((*self.exposed, *self.dealt_quads), options)

    def take_out(self, tiles: Tiles) -> None:
        for tile in tiles:
            self.hand.remove(tile)

    def lay_triplet(self, kind: str, tile: int) -> None:
        """Two of the hand with the tile that appeared."""
        self.take_out((tile, tile))
        self.exposed.append(natural(kind, tile))

    def lay_quad(self, kind: str, tile: int) -> None:
        """The kan in hand or the triplet that lies exposed, with the tile that appeared."""
        quad = natural(kind, tile)
        if self.held(tile) == 3:
            self.take_out((tile,) * 3)
            self.exposed.append(quad)
            return
        place = next(n for n, group in enumerate(self.exposed) if group.faces == (tile,) * 3)
        self.exposed[place] = quad

    @property
    def dealt_quads(self) -> list[Group]:
        return [natural("ti", tile) for tile in ALL_TILES if self.held(tile) == 4]

    def lay_dealt_quads(self) -> None:
        quads = self.dealt_quads
        for quad in quads:
            self.take_out(quad.faces)
        self.exposed += quads

    def kill(self, tile: int, for_chi: bool, for_peng: bool) -> None:
        if for_chi:
            self.dead_for_chi.add(tile)
        if for_peng:
            self.dead_for_peng.add(tile)


def query_text(hand: list[int], exposed: list[Group], tile: int | None, source: str) -> str:
    text = " ".join(tile_name(held) for held in sorted(hand))
    if exposed:
        text += " | " + "; ".join(format_group(group) for group in exposed)
    return text if tile is None else f"{text} + {tile_name(tile)}@{source}"


def table_rules(preset: str, **switches: Any) -> TableRules:
    """The rules of a preset with some changed."""
    return replace(PRESETS[preset], **switches)
