"""What the property tests draw: values of every kind, and texts that are almost right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from paohuzi.groups import CODE_COUNT, Group, XiTable
from paohuzi.notation import SOURCES, Hand, Query
from paohuzi.rules import Rules
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
rules = st.builds(
    Rules,
    name=st.text(max_size=8),
    xi=st.one_of(st.sampled_from([XiTable.CLASSIC, XiTable.LUZHOU]), xi_tables),
    min_xi=st.integers(0, 7000),
    kan_splittable=st.booleans(),
    third_from_other=st.sampled_from(["peng", "wei"]),
    self_draw_forced=st.booleans(),
    discards_win=st.booleans(),
    wang_in_quad=st.booleans(),
    wang_in_triplet=st.booleans(),
    wang=st.integers(0, 4),
)

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
