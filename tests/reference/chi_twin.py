"""Chi and bi: every way to eat a tile with tiles of the hand (docs/rules.md 4.6)."""

from collections.abc import Iterator
from functools import lru_cache

from .notation_twin import WANG, Group, Tiles, format_group
from .solver_twin import CHI, without

ChiAction = tuple[Group, ...]  # the chi group, then the bi groups in the order of their text


def free_tiles(hand: list[int] | Tiles) -> Tiles:
    """The tiles that are neither in a kan nor wangs: they may be laid out, and discarded."""
    return tuple(sorted(tile for tile in hand if tile != WANG and hand.count(tile) < 3))


def holds(tiles: Tiles, wanted: Tiles) -> bool:
    return all(tiles.count(tile) >= wanted.count(tile) for tile in wanted)


def chi_group(shape: Tiles) -> Group:
    return Group("chi", shape, (False,) * 3)


def chi_text(group: Group) -> str:
    return format_group(group).removeprefix("chi:")


def action_text(action: ChiAction) -> str:
    return "chi " + " + ".join(chi_text(group) for group in action)


def tiles_of_hand(action: ChiAction, tile: int) -> Tiles:
    """What the hand gives: everything laid out but the tile that was eaten."""
    return without(sum((group.faces for group in action), ()), (tile,))


@lru_cache(maxsize=50_000)
def bi_choices(free: Tiles, tile: int) -> frozenset[tuple[Group, ...]]:
    """Every unordered set of groups that lays out all of the tile that is left in hand."""
    if tile not in free:
        return frozenset([()])
    found = set()
    for shape in CHI:
        if tile in shape and holds(free, shape):
            for others in bi_choices(without(free, shape), tile):
                found.add(tuple(sorted((chi_group(shape), *others), key=chi_text)))
    return frozenset(found)


def each_chi(hand: list[int] | Tiles, tile: int) -> Iterator[ChiAction]:
    if hand.count(tile) >= 3:
        return
    free = free_tiles(hand)
    for shape in CHI:
        if tile not in shape:
            continue
        from_hand = without(shape, (tile,))
        if holds(free, from_hand):
            for bi in bi_choices(without(free, from_hand), tile):
                yield (chi_group(shape), *bi)


def chi_actions(hand: list[int] | Tiles, tile: int) -> list[ChiAction]:
    """Every chi of the tile with its bi, in the order of the texts."""
    return sorted(each_chi(hand, tile), key=action_text)
