"""What the property tests draw: values of every kind, and texts that are almost right."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from paohuzi.groups import CODE_COUNT, Group, XiTable
from paohuzi.notation import SOURCES, Hand, Query
from paohuzi.rules import FACTS, Fan, Rules, Title, Together
from paohuzi.tiles import TILES, WANG, IllegalHand, NotationError

Value = TypeVar("Value")


def _every_group() -> list[Group]:
    groups = []
    for native in range(CODE_COUNT | 15 << 8):
        try:
            groups.append(Group.from_native(native))
        except IllegalHand:
            continue
    return groups


EVERY_GROUP = _every_group()
NATURAL_GROUPS = [group for group in EVERY_GROUP if group.wang_mask == 0]
EXPOSABLE_GROUPS = [group for group in NATURAL_GROUPS if group.kind not in ("kan", "pair")]
DECK = [face for face in range(WANG + 1) for _ in range(4)]

tiles = st.sampled_from(TILES)
groups = st.sampled_from(EVERY_GROUP)


def counts_of(faces: list[int]) -> list[int]:
    """The 21 counts of some faces."""
    return [faces.count(face) for face in range(WANG + 1)]


@st.composite
def hands(draw: st.DrawFn, max_size: int = 26) -> Hand:
    """Any tiles of a deck with four wangs."""
    places = draw(st.lists(st.integers(0, len(DECK) - 1), unique=True, max_size=max_size))
    return Hand(counts_of([DECK[place] for place in places]))


@st.composite
def fitting_groups(draw: st.DrawFn, choices: list[Group], max_size: int = 7) -> list[Group]:
    """Groups that can be made from one deck."""
    taken: list[Group] = []
    counts = [0] * (WANG + 1)
    for group in draw(st.lists(st.sampled_from(choices), max_size=max_size)):
        more = [have + need for have, need in zip(counts, group.counts, strict=True)]
        if max(more) <= 4:
            counts = more
            taken.append(group)
    return taken


def room_beside(exposed: list[Group]) -> int:
    """How many more tiles a complete hand with these groups and no other quad has."""
    quads = sum(group.is_quad for group in exposed)
    return 20 + max(1, quads) - sum(map(len, exposed))


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Any legal query: with or without exposed groups, winning tile and wangs."""
    exposed = draw(fitting_groups(EXPOSABLE_GROUPS).filter(lambda groups: room_beside(groups) >= 0))
    room = room_beside(exposed)
    left = list(DECK)
    for group in exposed:
        for face in group.faces:
            left.remove(face)
    source = draw(st.sampled_from([None, *SOURCES])) if room else None
    win = None
    if source is not None:
        win = draw(st.sampled_from([face for face in left if source == "self" or face != WANG]))
        left.remove(win)
        room -= 1
    places = draw(st.lists(st.integers(0, len(left) - 1), unique=True, max_size=room))
    hand = Hand(counts_of([left[place] for place in places]))
    return Query(hand, exposed, None if win is None else TILES[win], source)


xi_rows = [st.tuples(*[st.integers(0, 1000)] * size) for size in (4, 4, 4, 4, 2, 2)]
xi_tables = st.builds(XiTable, *xi_rows)
truths = st.booleans()
options = st.fixed_dictionaries(
    {
        "name": st.text(max_size=8),
        "xi": st.one_of(st.sampled_from([XiTable.CLASSIC, XiTable.LUZHOU]), xi_tables),
        "min_xi": st.integers(0, 7000),
        "kan_splittable": truths,
        "third_from_other": st.sampled_from(["peng", "wei"]),
        "self_draw_forced": truths,
        "discards_win": truths,
        "wang_in_quad": truths,
        "wang_in_triplet": truths,
        "wang": st.integers(0, 4),
    }
)
"""What decides a division and its xi, and the name."""
rules = st.builds(lambda fields: Rules(**fields), options)

_ids = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
fans = st.builds(
    Fan,
    id=_ids,
    chinese=st.text(max_size=4),
    english=st.text(max_size=4),
    fact=st.sampled_from(sorted(FACTS)),
    value=st.integers(0, 20),
    when=st.lists(st.integers(0, 26), min_size=1, max_size=6).map(tuple),
    each=st.integers(0, 9),
    grow=truths,
    cap=st.none() | st.integers(1, 40),
    alone=st.none() | st.integers(1, 9),
    exclusive=st.sampled_from(["", "", "way", "colour"]),
)
titles = st.builds(Title, points=st.integers(0, 10**6), chinese=st.text(max_size=4), english=st.just("x"))


@st.composite
def whole_rules(draw: st.DrawFn) -> Rules:
    """Rules with every field, fan and titles too."""
    fields = draw(options)
    fields |= {field: draw(truths) for field in ("shown_hidden", "peng_forced")}
    fields |= {field.name: draw(truths) for field in dataclasses.fields(Rules) if "_dead_" in field.name}
    fields["seats"] = draw(st.integers(3, 4))
    fields["tun_less"] = draw(st.integers(0, 7000))
    fields["tun_per"] = draw(st.integers(1, 7000))
    fields["tianhu_xi_factor"] = draw(st.integers(1, 4))
    fields["own_draw"] = draw(st.sampled_from(["nothing", "tun", "fan"]))
    fields["shown_win_by_other"] = draw(st.sampled_from(["plain", "tianhu", "tianhu_own_draw"]))
    fields["combine"] = draw(st.sampled_from(["sum", "none"]))
    fields["stake"] = draw(st.integers(1, 10**6))
    fields["wang_penalty"] = draw(st.integers(0, 255))
    fields["flee_tun"] = draw(st.none() | st.integers(0, 99))
    fields |= {field: draw(st.text(max_size=4)) for field in ("chinese", "about", "source")}
    fields["fans"] = drawn = tuple(draw(st.lists(fans, max_size=4, unique_by=lambda fan: fan.id)))
    if len(drawn) > 1:
        parts = draw(st.permutations([fan.id for fan in drawn]))[: draw(st.integers(2, len(drawn)))]
        fields["together"] = (Together("both_of_them", "合", "both", tuple(parts), 7),)
    rising = sorted(draw(st.lists(titles, max_size=3, unique_by=lambda title: title.points)), key=_points)
    return Rules(**fields, titles=tuple(rising))


def _points(title: Title) -> int:
    return title.points


_SIGNS = "0123456789sbSBWw|;:+@()（）；：＋＠｜ \t\n一十壹貳拾王吃偎將"
_PIECES = [*_SIGNS, "peng:", "chi:", "ti:", "self", "other"]
_NOTATION_LIKE = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)


@st.composite
def _damaged(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A right text with a piece of it replaced."""
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    stop = draw(st.integers(start, min(len(text), start + 3)))
    return text[:start] + draw(st.one_of(st.sampled_from(["", *_PIECES]), st.text(max_size=3))) + text[stop:]


def outcome(parse: Callable[[str], Value], text: str) -> tuple[Value | None, ValueError | None]:
    """What a parser makes of a text: a value, or the error by which it may refuse it."""
    try:
        return parse(text), None
    except (NotationError, IllegalHand) as refusal:
        return None, refusal


def wild_texts(right: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts for a parser: any, of the characters of the notation, and right ones with a fault."""
    return st.one_of(st.text(max_size=60), _NOTATION_LIKE, _damaged(right))
