"""What a win pays, reckoned plainly: every division with every use of its wangs is scored, the best is kept.

Written from the rules (docs/rules.md 3.6 to 3.11, 4.10 and 5) as the oracle of the package's scoring. What
is a fan in which preset stands in fan_twin.py.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from .fan_twin import PRESETS, Facts, Preset, Switches
from .notation_twin import WANG, Group, Query, Tiles, format_groups, is_big, is_red, parse_query
from .solver_twin import (
    QUAD_KINDS,
    Division,
    Options,
    after,
    best_part_xi,
    divisions,
    group_key,
    groups_holding,
    is_from_other,
    is_heaven,
    is_same_face,
    kept_groups,
    natural_part,
    total_xi,
    xi_of,
)

DEALT_SIZES = (20, 21)
WANG_PENALTY = 5
FLEEING_TUN = 8
ROOM_STAKE = 3


@dataclass(frozen=True)
class Context:
    """What a score must know beside the query."""

    last_tile: bool = False
    shown_tile: bool = False
    dealer: bool = False
    untouched: bool = False
    first_discard: bool = False
    heaven: bool = False


def is_only_dealt(query: Query) -> bool:
    """No group has been laid out but quads of the deal."""
    return all(group.kind == "ti" for group in query.exposed)


def dealt_faces(query: Query) -> Tiles:
    return query.tiles + tuple(face for group in query.exposed for face in group.faces)


def is_dealt_heaven(query: Query) -> bool:
    faces = dealt_faces(query)
    return len(faces) + query.wangs in DEALT_SIZES and is_heaven(faces)


def had_won_at_the_deal(query: Query, context: Context) -> bool:
    """Whether the hand, of which all was dealt but the winning tile, is a forced heaven.

    The shown tile is one of those dealt to the dealer. A triplet or quad that was dealt is never parted with.
    """
    has_shown = context.shown_tile and context.dealer and query.win is not None and query.win != WANG
    return is_heaven(dealt_faces(query) + ((query.win,) if has_shown else ()))


def faults(query: Query, context: Context) -> dict[str, bool]:
    """What cannot be, and whether it is so here."""
    c, win, source = context, query.win, query.source
    is_early = c.shown_tile or c.untouched or c.first_discard
    is_opening = is_early or c.heaven
    return {
        "last_tile without a winning tile from the wall": c.last_tile and source not in ("self", "other"),
        "last_tile of an opening": c.last_tile and (c.shown_tile or c.first_discard or c.heaven),
        "the dealer's shown_tile from another": c.shown_tile and c.dealer and is_from_other(source),
        "another's shown_tile not from another": c.shown_tile and not c.dealer and source != "other",
        "exposed groups other than ti at the opening": is_opening and not is_only_dealt(query),
        "first_discard that is no discard": c.first_discard and source != "discard",
        "first_discard of the dealer": c.first_discard and c.dealer,
        "first_discard with shown_tile": c.first_discard and c.shown_tile,
        "heaven with a winning tile": c.heaven and win is not None,
        "heaven without three quads or five of quads and triplets": c.heaven and not is_dealt_heaven(query),
        "a forced heaven that did not win at once": is_early
        and not c.heaven
        and had_won_at_the_deal(query, c),
    }


def refuse_impossible(query: Query, context: Context) -> None:
    for fault, is_so in faults(query, context).items():
        if is_so:
            raise ValueError(f"expected a context that can be, got {fault}: {context}")


def is_small(face: int) -> bool:
    return not is_big(face)


def count(groups: Iterable[Group], holds: Callable[[int], bool]) -> int:
    return sum(holds(face) for group in groups for face in group.faces)


def wang_part(group: Group) -> Group:
    faces = zip(group.faces, group.wang, strict=True)
    return Group(group.kind, tuple(face for face, is_wang in faces if is_wang), ())


def hooks(query: Query, groups: tuple[Group, ...]) -> frozenset[int]:
    """Of each pair, triplet or quad that the winning tile makes with wangs only, how many these are."""
    if query.source != "self":
        return frozenset()
    found = set()
    for group in groups:
        beside = sum(group.wang) - (query.win == WANG)
        winning = () if query.win == WANG else (query.win,)
        if is_same_face(group.faces) and natural_part(group.faces, group.wang) == winning:
            found.add(beside)
    return frozenset(found)


def facts_of_context(query: Query, context: Context, preset: Preset, switches: Switches) -> dict[str, bool]:
    shown_by_other = context.shown_tile and not context.dealer
    dealt = context.heaven or (context.shown_tile and context.dealer)
    as_heaven = shown_by_other and switches.shown_is_heaven
    return {
        "own_draw": query.source == "self" or dealt or as_heaven,
        "last_tile": context.last_tile,
        "tianhu": dealt or as_heaven or (shown_by_other and preset.shown_is_tianhu),
        "dihu": shown_by_other and not as_heaven,
        "first_discard": context.first_discard,
        "tinghu": context.untouched and not context.shown_tile and not context.heaven,
    }


def facts_of_division(query: Query, division: Division, options: Options) -> dict[str, Any]:
    groups = division.groups
    found = hooks(query, groups)
    return {
        "xi": division.xi,
        "red": count(groups, is_red),
        "big": count(groups, is_big),
        "small": count(groups, is_small),
        "duidui": all(is_same_face(group.faces) for group in groups),
        "every_xi": all(xi_of(group, options.xi) > 0 for group in groups if group.kind != "pair"),
        "red_quads": sum(group.kind in QUAD_KINDS and is_red(group.faces[0]) for group in groups),
        "hooks": frozenset() if query.win == WANG else found,
        "hooks_of_wang": found if query.win == WANG else frozenset(),
    }


@lru_cache(maxsize=20_000)
def parts(tiles: Tiles, wangs: int, options: Options) -> frozenset[tuple[Group, ...]]:
    """Every choice of groups from a part of the tiles, each with a tile in it that is no wang."""
    if not tiles:
        return frozenset([()])
    found = set(parts(tiles[1:], wangs, options))
    for group in groups_holding(tiles[0], tiles, wangs, options):
        for others in parts(*after(group, tiles, wangs), options):
            found.add(tuple(sorted((group, *others))))
    return frozenset(found)


def heavens(query: Query, options: Options) -> list[Division]:
    """The quads and triplets of a dealt hand with every choice from the rest, fewest groups first."""
    rest = tuple(tile for tile in query.tiles if query.tiles.count(tile) < 3)
    found = []
    for part in parts(rest, query.wangs, options):
        concealed = sorted([*kept_groups(query.tiles), *part], key=group_key)
        groups = (*query.exposed, *concealed)
        found.append(Division(total_xi(groups, options), "dealt", groups))
    return sorted(found, key=lambda each: (len(each.groups), [group_key(group) for group in each.groups]))


def facts_of_heaven(query: Query, heaven: Division, options: Options) -> dict[str, Any]:
    """Tiles count in a group or not, a wang only in a group; the shape of the hand is no fan."""
    counted = [*query.exposed, Group("", query.tiles, ()), *map(wang_part, heaven.groups)]
    return facts_of_division(query, heaven, options) | {
        "red": count(counted, is_red),
        "big": count(counted, is_big),
        "small": count(counted, is_small),
        "duidui": False,
        "every_xi": False,
    }


@lru_cache(maxsize=200)
def winning_divisions(query: Query, options: Options) -> tuple[Division, ...]:
    """In the fixed order, which decides between equals."""
    if query.source == "discard" and not options.discards_win:
        return ()
    return tuple(division for division in divisions(query, options) if division.xi >= options.min_xi)


def reckon(division: Division, facts: Facts, preset: Preset, switches: Switches) -> dict[str, Any]:
    fans, total = preset.fans(facts, switches)
    tun = preset.tun(facts, switches)
    base = tun + (facts.own_draw and preset.own_draw_adds_tun)
    return {
        "payment": base * total,
        "base": base,
        "tun": tun,
        "xi": division.xi,
        "fan": total,
        "fans": list(fans.items()),
        "groups": format_groups(division.groups),
        "route": division.route,
    }


def rules_of(name: str, options: dict[str, Any]) -> tuple[Preset, Switches]:
    """A preset with options changed: switches of scoring and options of the division alike."""
    names = {field.name for field in fields(Switches)}
    changed = {key: value for key, value in options.items() if key not in names}
    preset = PRESETS[name]
    switches = Switches(**{key: value for key, value in options.items() if key in names})
    return replace(preset, options=replace(preset.options, **changed)), switches


def score(text: str, name: str, context: dict[str, bool] | None = None, **options: Any) -> Any:
    """The best score of a query by payment, then xi; None if it is no win. Raises ValueError."""
    preset, switches = rules_of(name, options)
    query, told = parse_query(text), Context(**(context or {}))
    refuse_impossible(query, told)
    known = facts_of_context(query, told, preset, switches)
    choices, facts_of = (heavens, facts_of_heaven) if told.heaven else (winning_divisions, facts_of_division)
    reckonings = []
    for division in choices(query, preset.options):
        facts = Facts(**facts_of(query, division, preset.options), **known)
        reckonings.append(reckon(division, facts, preset, switches))
    return max(reckonings, key=lambda each: (each["payment"], each["xi"]), default=None)


def points(payment: int, winner: int, stake: int = 1, seats: Iterable[int] = range(3)) -> dict[int, int]:
    """The points of each seat that plays: every other one pays the winner."""
    paid = {seat: -payment * stake for seat in seats if seat != winner}
    return paid | {winner: -sum(paid.values())}


def flee_penalty(others: Iterable[str], stake: int = ROOM_STAKE) -> int:
    """What one who flees loses to the room, from the queries of the two others."""
    xi = sum(best_part_xi(parse_query(text)) for text in others)
    return (max(0, xi - 12) // 3 + FLEEING_TUN) * stake


def wang_penalty(wangs: Sequence[int], stake: int = 1) -> list[int]:
    """The points of each seat when the hand is drawn, from the wangs that each holds."""
    due = [WANG_PENALTY * held * stake for held in wangs]
    takers = due.count(0)
    return [sum(due) if pay == 0 else -pay * takers for pay in due]
