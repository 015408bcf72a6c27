"""A plain exhaustive solver: every division of a hand, by trying everything.

Written from the rules (docs/rules.md 1, 2, 3 and 6) with its own data structures, as the oracle that the
package's two solvers are compared with. It is meant to be read: each rule stands in one small function.

Every order and number that it shares with the package is said again here.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .notation_twin import (
    ALL_TILES,
    BIG,
    SMALL,
    WANG,
    Group,
    Marks,
    Query,
    Tiles,
    is_big,
    is_red,
    tile_name,
)
from .notation_twin import format_group as format_group
from .notation_twin import format_groups as format_groups
from .notation_twin import parse_query as parse_query
from .notation_twin import parse_tiles as parse_tiles

GROUP_COUNT = 7
ROUTES = ("dealt", "single", "wei", "ti", "wang", "pao")
KINDS = ("chi", "pair", "peng", "kan", "wei", "chouwei", "pao", "ti")
QUAD_KINDS = ("pao", "ti")


class XiTable(NamedTuple):
    """xi by (small, big, red small, red big), of runs and 2-7-10 by (small, big)."""

    peng: tuple[int, ...] = (1, 3, 1, 3)
    kan: tuple[int, ...] = (3, 6, 3, 6)
    pao: tuple[int, ...] = (6, 9, 6, 9)
    ti: tuple[int, ...] = (9, 12, 9, 12)
    r123: tuple[int, ...] = (3, 6)
    r27a: tuple[int, ...] = (3, 6)


CLASSIC = XiTable()
LUZHOU = XiTable((1, 3, 6, 9), (6, 9, 9, 12), (9, 12, 12, 15), (12, 15, 15, 18), (3, 6), (6, 9))


@dataclass(frozen=True)
class Options:
    xi: XiTable = CLASSIC
    min_xi: int = 15
    kan_splittable: bool = False
    third_from_other: str = "peng"
    self_draw_forced: bool = True
    discards_win: bool = False
    wang_in_quad: bool = True
    wang_in_triplet: bool = True
    wang: int = 0


DEFAULT = Options()


class Division(NamedTuple):
    xi: int
    route: str
    groups: tuple[Group, ...]  # exposed ones first, then the concealed ones by `group_key`


RUNS: list[Tiles] = [(t, t + 1, t + 2) for case in (SMALL, BIG) for t in case[:8]]
R27A: list[Tiles] = [(case[1], case[6], case[9]) for case in (SMALL, BIG)]
JIAO: list[Tiles] = [*((t, t, t + 10) for t in SMALL), *((t, t + 10, t + 10) for t in SMALL)]
CHI = RUNS + R27A + JIAO
PAIRS = [(t, t) for t in ALL_TILES]
TRIPLETS = [(t, t, t) for t in ALL_TILES]
QUADS = [(t, t, t, t) for t in ALL_TILES]
SHAPES = CHI + PAIRS + TRIPLETS + QUADS
SHAPES_WITH = {tile: [shape for shape in SHAPES if tile in shape] for tile in ALL_TILES}


def is_same_face(shape: Tiles) -> bool:
    return len(set(shape)) == 1


def is_triplet(shape: Tiles) -> bool:
    return len(shape) == 3 and is_same_face(shape)


def is_quad(shape: Tiles) -> bool:
    return len(shape) == 4


def own_kind(shape: Tiles) -> str:
    """The kind of a concealed group of one's own tiles and wangs."""
    if is_quad(shape):
        return "ti"
    if is_triplet(shape):
        return "kan"
    return "pair" if len(shape) == 2 else "chi"


def xi_of(group: Group, table: XiTable) -> int:
    face = group.faces[0]
    by_colour = is_big(face) + 2 * is_red(face)
    if group.kind == "peng":
        return table.peng[by_colour]
    if group.kind in ("kan", "wei", "chouwei"):
        return table.kan[by_colour]
    if group.kind == "pao":
        return table.pao[by_colour]
    if group.kind == "ti":
        return table.ti[by_colour]
    if group.faces in ((1, 2, 3), (11, 12, 13)):
        return table.r123[is_big(face)]
    if group.faces in R27A:
        return table.r27a[is_big(face)]
    return 0


def total_xi(groups: tuple[Group, ...], options: Options) -> int:
    return sum(xi_of(group, options.xi) for group in groups)


def without(tiles: Tiles, taken: Tiles) -> Tiles:
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return tuple(left)


def natural_part(faces: Tiles, marks: Marks) -> Tiles:
    return tuple(face for face, is_wang in zip(faces, marks, strict=True) if not is_wang)


def wang_markings(shape: Tiles, tiles: Tiles, wangs: int) -> Iterator[Marks]:
    """Every choice of which faces of the shape are wangs; among equal faces the wangs come last."""
    choices = []
    for face in sorted(set(shape)):
        wanted = shape.count(face)
        most = min(wanted, tiles.count(face))
        choices.append([(False,) * n + (True,) * (wanted - n) for n in range(most, -1, -1)])
    for choice in product(*choices):
        marks = sum(choice, ())
        if sum(marks) <= wangs:
            yield marks


def may_hold_wang(shape: Tiles, options: Options) -> bool:
    if is_quad(shape):
        return options.wang_in_quad
    if is_triplet(shape):
        return options.wang_in_triplet
    return True


def groups_holding(tile: int, tiles: Tiles, wangs: int, options: Options) -> Iterator[Group]:
    """Every group that can be made with the tile itself (not only a wang for it) in it."""
    for shape in SHAPES_WITH[tile]:
        for marks in wang_markings(shape, tiles, wangs if may_hold_wang(shape, options) else 0):
            if tile in natural_part(shape, marks):
                yield Group(own_kind(shape), shape, marks)


def groups_of_wangs(wangs: int, options: Options) -> Iterator[Group]:
    for shape in SHAPES:
        if len(shape) <= wangs and may_hold_wang(shape, options):
            yield Group(own_kind(shape), shape, (True,) * len(shape))


def next_groups(tiles: Tiles, wangs: int, options: Options) -> Iterator[Group]:
    """The groups for the lowest tile; when no tile is left, those of wangs alone."""
    return groups_holding(tiles[0], tiles, wangs, options) if tiles else groups_of_wangs(wangs, options)


def after(group: Group, tiles: Tiles, wangs: int) -> tuple[Tiles, int]:
    """What remains of tiles and wangs when the group is laid out."""
    return without(tiles, natural_part(group.faces, group.wang)), wangs - sum(group.wang)


@dataclass(frozen=True)
class Start:
    """A route with what it decides: groups already laid and tiles and wangs that are still free."""

    route: str
    exposed: tuple[Group, ...]
    tiles: Tiles  # one's own
    wangs: int
    win: int | None = None  # the winning tile, when it is free too
    source: str | None = None
    laid: tuple[Group, ...] = field(default=())

    @property
    def room(self) -> int:
        return GROUP_COUNT - len(self.exposed) - len(self.laid)


def is_from_other(source: str | None) -> bool:
    return source in ("other", "discard")


def natural(kind: str, tile: int) -> Group:
    size = 4 if kind in QUAD_KINDS else 3
    return Group(kind, (tile,) * size, (False,) * size)


def exposed_triplet(query: Query, *kinds: str) -> Group | None:
    """The exposed group of the winning tile's face, of one of the kinds."""
    for group in query.exposed:
        if group.kind in kinds and group.faces[0] == query.win:
            return group
    return None


def makes_wei(query: Query) -> bool:
    return query.source == "self" and query.tiles.count(query.win) == 2


def makes_quad_of_own(query: Query) -> bool:
    """A kan in hand, or an exposed wei or chouwei, that the winning tile makes a quad of."""
    return query.tiles.count(query.win) == 3 or exposed_triplet(query, "wei", "chouwei") is not None


def makes_ti(query: Query) -> bool:
    return query.source == "self" and makes_quad_of_own(query)


def makes_pao(query: Query) -> bool:
    if is_from_other(query.source) and makes_quad_of_own(query):
        return True
    return query.source in ("self", "other") and exposed_triplet(query, "peng") is not None


def may_stand_single(query: Query, options: Options) -> bool:
    is_forced = makes_wei(query) or makes_ti(query)
    return not (is_forced and options.self_draw_forced)


def start_with_quad(query: Query, win: int, kind: str) -> Start:
    """The winning tile joins the three that are exposed, or the kan in hand."""
    quad = natural(kind, win)
    old = exposed_triplet(query, "peng", "wei", "chouwei")
    if old is not None:
        exposed = tuple(quad if group == old else group for group in query.exposed)
        return Start(kind, exposed, query.tiles, query.wangs)
    return Start(kind, query.exposed, without(query.tiles, (win,) * 3), query.wangs, laid=(quad,))


def starts(query: Query, options: Options) -> Iterator[Start]:
    tiles, wangs, exposed, win = query.tiles, query.wangs, query.exposed, query.win
    if win is None:
        yield Start("dealt", exposed, tiles, wangs)
        return
    if win == WANG:
        yield Start("wang", exposed, tiles, wangs + 1)
        return
    if may_stand_single(query, options):
        yield Start("single", exposed, tiles, wangs, win, query.source)
    if makes_wei(query):
        yield Start("wei", exposed, without(tiles, (win, win)), wangs, laid=(natural("wei", win),))
    if makes_ti(query):
        yield start_with_quad(query, win, "ti")
    if makes_pao(query):
        yield start_with_quad(query, win, "pao")


def with_kans_laid(start: Start, options: Options) -> Iterator[Start]:
    """Lay out the faces held three or four times, which are never split; a wang may join each kan."""
    if options.kan_splittable:
        yield start
        return
    choices = []
    for tile, count in Counter(start.tiles).items():
        kan, ti = natural("kan", tile), natural("ti", tile)
        if count == 3:
            promoted = Group("ti", ti.faces, (False, False, False, True))
            choices.append([kan, promoted] if options.wang_in_quad else [kan])
        elif count == 4:
            choices.append([ti])
    for laid in product(*choices):
        used = sum(sum(group.wang) for group in laid)
        if used <= start.wangs:
            tiles = tuple(tile for tile in start.tiles if start.tiles.count(tile) < 3)
            yield replace(start, tiles=tiles, wangs=start.wangs - used, laid=start.laid + laid)


def kind_with_winning_tile(group: Group, source: str | None, options: Options) -> str:
    """The kind of a group that holds the winning tile, by where that came from."""
    if is_from_other(source):
        if is_quad(group.faces):
            return "pao"
        if is_triplet(group.faces):
            return "wei" if options.third_from_other == "wei" else "peng"
    elif is_triplet(group.faces) and not any(group.wang):
        return "wei"
    return group.kind


def with_winning_tile_laid(start: Start, options: Options) -> Iterator[Start]:
    """Choose the group of the winning tile. All other tiles are then one's own.

    Four natural tiles of the face are no business of the single route: that is the route ti or pao.
    """
    if start.win is None:
        yield start
        return
    tiles = tuple(sorted((*start.tiles, start.win)))
    for group in groups_holding(start.win, tiles, start.wangs, options):
        if is_quad(group.faces) and not any(group.wang):
            continue
        left, wangs = after(group, tiles, start.wangs)
        named = group._replace(kind=kind_with_winning_tile(group, start.source, options))
        yield replace(start, tiles=left, wangs=wangs, win=None, laid=(*start.laid, named))


def all_starts(query: Query, options: Options) -> Iterator[Start]:
    for start in starts(query, options):
        for kept in with_kans_laid(start, options):
            yield from with_winning_tile_laid(kept, options)


def fits(tile_count: int, room: int) -> bool:
    """Whether so many tiles can fill the groups: each three or four, and two for the pair."""
    return 3 * room - 1 <= tile_count <= 4 * room


@lru_cache(maxsize=50_000)
def layouts(tiles: Tiles, wangs: int, room: int, options: Options) -> frozenset[tuple[Group, ...]]:
    """Every way to lay all the tiles and wangs out as `room` groups."""
    if room == 0 or not fits(len(tiles) + wangs, room):
        return frozenset([()]) if room == 0 and not tiles and not wangs else frozenset()
    found = set()
    for group in next_groups(tiles, wangs, options):
        for others in layouts(*after(group, tiles, wangs), room - 1, options):
            found.add(tuple(sorted((group, *others))))
    return frozenset(found)


def has_right_pairs(groups: tuple[Group, ...]) -> bool:
    """Rules 3: exactly one pair with a quad or more, none without."""
    kinds = [group.kind for group in groups]
    has_quad = any(kind in QUAD_KINDS for kind in kinds)
    return kinds.count("pair") == (1 if has_quad else 0)


def group_key(group: Group) -> tuple[int, int, int, Tiles, int]:
    """Concealed groups are listed by this: lowest natural face, kind, shape, wang mask."""
    lowest = min(natural_part(group.faces, group.wang), default=WANG)
    shape = CHI.index(group.faces) if group.kind == "chi" else 0
    mask = sum(2**place for place, is_wang in enumerate(group.wang) if is_wang)
    return lowest, KINDS.index(group.kind), shape, group.faces, mask


def order_key(division: Division, exposed_count: int) -> tuple[object, ...]:
    """Best first: xi, then the order of the routes, then the concealed groups."""
    concealed = [group_key(group) for group in division.groups[exposed_count:]]
    return -division.xi, ROUTES.index(division.route), concealed


def divisions(query: Query, options: Options = DEFAULT) -> list[Division]:
    """Every distinct division of the query, best first."""
    found: dict[tuple[Group, ...], Division] = {}
    # Starts come in the order of the routes, so that an equal division found later is the one dropped.
    for start in all_starts(query, options):
        for free in layouts(start.tiles, start.wangs, start.room, options) if start.room >= 0 else ():
            concealed = sorted(start.laid + free, key=group_key)
            groups = (*start.exposed, *concealed)
            if has_right_pairs(groups):
                division = Division(total_xi(groups, options), start.route, groups)
                found.setdefault(tuple(sorted(groups)), division)
    return sorted(found.values(), key=lambda division: order_key(division, len(query.exposed)))


def best_division(query: Query, options: Options = DEFAULT) -> Division | None:
    return next(iter(divisions(query, options)), None)


@lru_cache(maxsize=50_000)
def best_layout(
    tiles: Tiles, wangs: int, room: int, has_pair: bool, has_quad: bool, options: Options
) -> int | None:
    """The best xi of laying all out as `room` groups, None where there is no way."""
    if room == 0:
        return 0 if not tiles and not wangs and has_pair == has_quad else None
    if not fits(len(tiles) + wangs, room):
        return None
    best = None
    for group in next_groups(tiles, wangs, options):
        if group.kind == "pair" and has_pair:
            continue
        pair, quad = has_pair or group.kind == "pair", has_quad or is_quad(group.faces)
        rest = best_layout(*after(group, tiles, wangs), room - 1, pair, quad, options)
        if rest is not None:
            best = max(best or 0, xi_of(group, options.xi) + rest)
    return best


def best_xi(query: Query, options: Options = DEFAULT) -> int | None:
    """The best xi of all divisions, None where there is none."""
    best = None
    for start in all_starts(query, options):
        laid = start.exposed + start.laid
        kinds = [group.kind for group in laid]
        if start.room < 0 or kinds.count("pair") > 1:
            continue
        has_quad = any(kind in QUAD_KINDS for kind in kinds)
        rest = best_layout(start.tiles, start.wangs, start.room, "pair" in kinds, has_quad, options)
        if rest is not None:
            best = max(best or 0, total_xi(laid, options) + rest)
    return best


def is_hu(query: Query, options: Options = DEFAULT) -> bool:
    xi = best_xi(query, options)
    return xi is not None and xi >= options.min_xi and (query.source != "discard" or options.discards_win)


def held(query: Query) -> Counter[int]:
    """The visible tiles of a query without a winning tile."""
    return Counter(query.tiles) + Counter(face for group in query.exposed for face in group.faces)


def quad_count(query: Query) -> int:
    in_hand = sum(count == 4 for count in Counter(query.tiles).values())
    return in_hand + sum(group.kind in QUAD_KINDS for group in query.exposed)


def tile_count(query: Query) -> int:
    return len(query.tiles) + query.wangs + sum(len(group.faces) for group in query.exposed)


def is_waiting_size(query: Query) -> bool:
    return tile_count(query) == 19 + max(1, quad_count(query))


def is_discarding_size(query: Query) -> bool:
    return tile_count(query) == 20 + max(1, quad_count(query))


def waits(
    query: Query, source: str = "self", options: Options = DEFAULT, seen: Counter[int] | None = None
) -> dict[str, int]:
    """The tiles that win, by name, with the best xi of each. `seen` are the visible tiles."""
    seen = held(query) if seen is None else seen
    faces = [tile for tile in ALL_TILES if seen[tile] < 4]
    if source == "self" and query.wangs < options.wang:
        faces.append(WANG)
    found = {}
    for tile in faces:
        xi = best_xi(replace(query, win=tile, source=source), options)
        if xi is not None and xi >= options.min_xi:
            found[tile_name(tile)] = xi
    return found


def discardable(query: Query) -> list[int]:
    return [tile for tile, count in sorted(Counter(query.tiles).items()) if count < 3]


def ready_discards(
    query: Query, source: str = "self", options: Options = DEFAULT
) -> dict[str, dict[str, int]]:
    """The waits after each discard that leaves any. The discard itself stays visible."""
    found = {}
    for tile in discardable(query):
        rest = replace(query, tiles=without(query.tiles, (tile,)))
        after_it = waits(rest, source, options, held(query))
        if after_it:
            found[tile_name(tile)] = after_it
    return found


@lru_cache(maxsize=50_000)
def best_part(tiles: Tiles, wangs: int, options: Options) -> int:
    """The best xi of groups that any part of the tiles makes; each group holds a tile that is no wang."""
    if not tiles:
        return 0
    best = best_part(tiles[1:], wangs, options)
    for group in groups_holding(tiles[0], tiles, wangs, options):
        rest = best_part(*after(group, tiles, wangs), options)
        best = max(best, xi_of(group, options.xi) + rest)
    return best


def kept_groups(tiles: Tiles) -> list[Group]:
    """The triplets and quads held in the hand."""
    kinds = {3: "kan", 4: "ti"}
    return [natural(kinds[count], tile) for tile, count in Counter(tiles).items() if count in kinds]


def best_part_xi(query: Query, options: Options = DEFAULT) -> int:
    """The best xi of exposed groups and any part of the hand, kans and quads kept whole and without wang."""
    kept = kept_groups(query.tiles)
    rest = tuple(tile for tile in query.tiles if query.tiles.count(tile) < 3)
    return total_xi((*query.exposed, *kept), options) + best_part(rest, query.wangs, options)


def is_heaven(tiles: Tiles) -> bool:
    """Forced heaven of a dealt hand of 20 or 21 tiles."""
    kinds = [group.kind for group in kept_groups(tuple(tile for tile in tiles if tile != WANG))]
    return kinds.count("ti") >= 3 or len(kinds) >= 5


def heaven_xi(tiles: Tiles, options: Options = DEFAULT) -> int | None:
    if not is_heaven(tiles):
        return None
    naturals = tuple(tile for tile in tiles if tile != WANG)
    return best_part_xi(Query(naturals, tiles.count(WANG)), options)
