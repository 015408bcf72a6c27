"""Hypothesis strategies for queries rich in wins, and for rules with every option.

A query begins as seven groups. Then some are exposed, a tile of the others is taken as the winning tile,
tiles are swapped and tiles turn into wangs. Rules are drawn as dicts of options. All without the package.
"""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

FACES = range(20)  # 0-9 small 1-10, 10-19 big 1-10
WANG = 20
COPY_COUNT = 4
WANG_MAX = 4
GROUP_COUNT = 7
SOURCES = ("self", "other", "discard")

Faces = tuple[int, ...]
Options = dict[str, Any]

CHI: list[Faces] = [
    *((case + r, case + r + 1, case + r + 2) for case in (0, 10) for r in range(8)),
    *((case + 1, case + 6, case + 9) for case in (0, 10)),
    *((r, r, r + 10) for r in range(10)),
    *((r, r + 10, r + 10) for r in range(10)),
]
TRIPLETS: list[Faces] = [(face,) * 3 for face in FACES]
QUADS: list[Faces] = [(face,) * 4 for face in FACES]
PAIRS: list[Faces] = [(face,) * 2 for face in FACES]
EXPOSED_KINDS = {3: ("peng", "wei", "chouwei"), 4: ("pao", "ti")}


@dataclass
class Draft:
    """A query being built: faces in hand, exposed groups as (kind, faces), winning face or None, source."""

    hand: list[int]
    exposed: list[tuple[str, Faces]]
    win: int | None = None
    source: str | None = None

    def spare(self, face: int) -> int:
        """How many copies of a face are not visible."""
        seen = self.hand.count(face) + sum(faces.count(face) for _, faces in self.exposed)
        return COPY_COUNT - seen - (face == self.win)

    @property
    def text(self) -> str:
        exposed = "; ".join(f"{kind}:{format_faces(faces).replace(' ', '')}" for kind, faces in self.exposed)
        text = format_faces(self.hand) + (f" | {exposed}" if exposed else "")
        return text if self.win is None else f"{text} + {format_faces([self.win])}@{self.source}"


def format_faces(faces: list[int] | Faces) -> str:
    small = "".join(str((face + 1) % 10) for face in sorted(faces) if face < 10)
    big = "".join(str((face - 9) % 10) for face in sorted(faces) if 10 <= face < WANG)
    wangs = "W" * list(faces).count(WANG)
    return " ".join(filter(None, (small and small + "s", big and big + "b", wangs)))


def fits(shape: Faces, taken: list[int]) -> bool:
    return all(taken.count(face) + shape.count(face) <= COPY_COUNT for face in shape)


@st.composite
def seven_groups(draw: st.DrawFn) -> list[Faces]:
    """Groups of a complete hand, quads first: a pair goes with any quad."""
    quad_count = draw(st.sampled_from((0, 0, 0, 1, 1, 1, 2, 3)))
    groups: list[Faces] = []
    for place in range(GROUP_COUNT):
        if place < quad_count:
            shapes = QUADS
        elif place == GROUP_COUNT - 1 and quad_count:
            shapes = PAIRS
        else:
            shapes = draw(st.sampled_from((CHI, CHI, CHI, TRIPLETS)))
        taken = [face for group in groups for face in group]
        groups.append(draw(st.sampled_from([shape for shape in shapes if fits(shape, taken)])))
    return groups


def _exposed_kinds(group: Faces) -> tuple[str, ...]:
    return ("chi",) if len(set(group)) > 1 else EXPOSED_KINDS[len(group)]


@st.composite
def _split_groups(draw: st.DrawFn, least_exposed: int, most_exposed: int) -> Draft:
    """Some groups exposed, the others in hand. A pair is never exposed."""
    groups = draw(seven_groups())
    exposable = [group for group in groups if len(group) > 2]
    count = draw(st.integers(least_exposed, min(most_exposed, len(exposable))))
    exposed = draw(st.permutations(exposable))[:count]
    concealed = list(groups)
    for group in exposed:
        concealed.remove(group)
    named = [(draw(st.sampled_from(_exposed_kinds(group))), group) for group in exposed]
    return Draft([face for group in concealed for face in group], named)


@st.composite
def _with_winning_tile(draw: st.DrawFn, draft: Draft) -> Draft:
    """Take the winning tile out of the hand, or out of an exposed quad, of which a triplet stays."""
    quads = [group for group in draft.exposed if len(group[1]) == 4]
    if quads and (not draft.hand or draw(st.booleans())):
        quad = draw(st.sampled_from(quads))
        kind = draw(st.sampled_from(EXPOSED_KINDS[3]))
        draft.exposed[draft.exposed.index(quad)] = (kind, quad[1][:3])
        draft.win = quad[1][0]
    elif draft.hand:
        draft.win = draw(st.sampled_from(draft.hand))
        draft.hand.remove(draft.win)
    if draft.win is not None:
        draft.source = draw(st.sampled_from(SOURCES))
    return draft


@st.composite
def _with_swaps(draw: st.DrawFn, draft: Draft) -> Draft:
    """Put other tiles in the place of up to two in hand."""
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 1, 2))) if draft.hand else 0):
        draft.hand.remove(draw(st.sampled_from(draft.hand)))
        draft.hand.append(draw(st.sampled_from([face for face in FACES if draft.spare(face) > 0])))
    return draft


@st.composite
def _with_wangs(draw: st.DrawFn, draft: Draft, most: int) -> Draft:
    """Turn tiles in hand into wangs, now and then the winning tile of an own draw too."""
    for _ in range(draw(st.integers(0, min(most, len(draft.hand))))):
        draft.hand.remove(draw(st.sampled_from([face for face in draft.hand if face != WANG])))
        draft.hand.append(WANG)
    may_draw_wang = draft.source == "self" and draft.hand.count(WANG) < most
    if may_draw_wang and draw(st.sampled_from((False, False, False, True))):
        draft.win = WANG
    return draft


@st.composite
def whole_drafts(
    draw: st.DrawFn,
    most_wangs: int = WANG_MAX,
    least_exposed: int = 0,
    most_exposed: int = 6,
    source: str | None = None,
) -> Draft:
    """Queries of about the size of a complete hand; many of them can be divided.

    Three of four have a winning tile; with a source given, each that has a tile to spare, and from there.
    """
    draft = draw(_split_groups(least_exposed, most_exposed))
    if source is not None or draw(st.sampled_from((False, True, True, True))):
        draft = draw(_with_winning_tile(draft))
        draft.source = draft.source and (source or draft.source)
    draft = draw(_with_swaps(draft))
    return draw(_with_wangs(draft, most_wangs))


@st.composite
def waiting_drafts(draw: st.DrawFn) -> Draft:
    """Queries without a winning tile, one tile short; many of them wait."""
    draft = draw(_split_groups(0, 6))
    draft = draw(_with_winning_tile(draft))
    draft = draw(_with_swaps(draft))
    draft.win = draft.source = None
    return draw(_with_wangs(draft, WANG_MAX))


@st.composite
def discarding_drafts(draw: st.DrawFn) -> Draft:
    """Queries of a hand that has taken a tile in and must discard one."""
    draft = draw(_split_groups(0, 6))
    draft = draw(_with_swaps(draft))
    return draw(_with_wangs(draft, WANG_MAX))


@st.composite
def few_concealed(draw: st.DrawFn, most_wangs: int = 2) -> Draft:
    """Hands of the middle of a game, from a few tiles to ten: what the twin answers in good time."""
    drawn = whole_drafts(most_wangs=0, least_exposed=4)
    draft = draw(drawn.filter(lambda draft: len(draft.hand) <= 11))
    draft.win = draft.source = None
    for _ in range(draw(st.integers(0, min(4, len(draft.hand))))):  # further from the win
        draft.hand.remove(draw(st.sampled_from(draft.hand)))
        draft.hand.append(draw(st.sampled_from([face for face in FACES if draft.spare(face) > 0])))
    for _ in range(draw(st.integers(0, min(most_wangs, len(draft.hand))))):
        draft.hand.remove(draw(st.sampled_from([face for face in draft.hand if face != WANG])))
        draft.hand.append(WANG)
    return draft


@st.composite
def tiles_beside(draw: st.DrawFn, draft: Draft) -> list[int]:
    """Tiles that may be seen beside those of the query."""
    left = [face for face in FACES for _ in range(draft.spare(face))]
    places = draw(st.lists(st.integers(0, len(left) - 1), unique=True, max_size=40))
    return [left[place] for place in places]


def whole_queries() -> st.SearchStrategy[str]:
    """The texts of whole_drafts."""
    return whole_drafts().map(lambda draft: draft.text)


def waiting_queries() -> st.SearchStrategy[str]:
    """The texts of waiting_drafts."""
    return waiting_drafts().map(lambda draft: draft.text)


def discarding_queries() -> st.SearchStrategy[str]:
    """The texts of discarding_drafts."""
    return discarding_drafts().map(lambda draft: draft.text)


@st.composite
def dealt_hands(draw: st.DrawFn) -> list[int]:
    """Faces of 20 or 21 dealt tiles, rich in triplets and quads, with up to four wangs."""
    tiles: list[int] = [WANG] * draw(st.integers(0, WANG_MAX))
    size = draw(st.sampled_from((20, 21)))
    for shape in draw(st.permutations(QUADS))[: draw(st.integers(0, 4))]:
        tiles += shape
    for shape in draw(st.permutations(TRIPLETS))[: draw(st.integers(0, 5))]:
        tiles += shape if fits(shape, tiles) and len(tiles) + 3 <= size else ()
    while len(tiles) < size:
        tiles.append(draw(st.sampled_from([face for face in FACES if tiles.count(face) < COPY_COUNT])))
    return tiles


XI_NUMBERS = st.integers(0, 20) | st.integers(0, 1000)
XI_SHAPES = {"peng": 4, "kan": 4, "pao": 4, "ti": 4, "r123": 2, "r27a": 2}
CLASSIC_XI = {
    "peng": (1, 3, 1, 3),
    "kan": (3, 6, 3, 6),
    "pao": (6, 9, 6, 9),
    "ti": (9, 12, 9, 12),
    "r123": (3, 6),
    "r27a": (3, 6),
}
LUZHOU_XI = {
    "peng": (1, 3, 6, 9),
    "kan": (6, 9, 9, 12),
    "pao": (9, 12, 12, 15),
    "ti": (12, 15, 15, 18),
    "r123": (3, 6),
    "r27a": (6, 9),
}


def xi_tables() -> st.SearchStrategy[dict[str, Faces]]:
    """xi tables as dicts: the two named ones and any others of that shape."""
    free = st.fixed_dictionaries({name: st.tuples(*[XI_NUMBERS] * size) for name, size in XI_SHAPES.items()})
    return st.sampled_from((CLASSIC_XI, LUZHOU_XI)) | free


def options() -> st.SearchStrategy[Options]:
    """Rule options as a dict, often all default but the xi table, the minimum and the wangs."""
    free = st.fixed_dictionaries(
        {
            "xi": xi_tables(),
            "min_xi": st.integers(0, 40),
            "kan_splittable": st.booleans(),
            "third_from_other": st.sampled_from(("peng", "wei")),
            "self_draw_forced": st.booleans(),
            "discards_win": st.booleans(),
            "wang_in_quad": st.booleans(),
            "wang_in_triplet": st.booleans(),
            "wang": st.integers(0, WANG_MAX),
        }
    )
    default = st.fixed_dictionaries(
        {
            "xi": st.sampled_from((CLASSIC_XI, LUZHOU_XI)),
            "min_xi": st.integers(0, 40),
            "wang": st.sampled_from((0, 4)),
        }
    )
    return default | free
