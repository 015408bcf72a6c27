"""Hypothesis strategies for hands that many fan are given for: black, red, of one case, all alike, hooked."""

from collections.abc import Callable

from drafts import (
    CHI,
    EXPOSED_KINDS,
    GROUP_COUNT,
    PAIRS,
    QUADS,
    SOURCES,
    TRIPLETS,
    WANG,
    WANG_MAX,
    Draft,
    Faces,
    fits,
)
from hypothesis import strategies as st

RED = (1, 6, 9, 11, 16, 19)


def reds(shape: Faces) -> int:
    return sum(face in RED for face in shape)


def bigs(shape: Faces) -> int:
    return sum(face >= 10 for face in shape)


THEMES: dict[str, Callable[[Faces], bool]] = {
    "black": lambda shape: reds(shape) == 0,
    "red": lambda shape: reds(shape) >= min(2, len(shape) - 1),
    "mixed": lambda shape: True,
    "big": lambda shape: bigs(shape) == len(shape),
    "small": lambda shape: bigs(shape) == 0,
    "alike": lambda shape: len(set(shape)) == 1,
    "with xi": lambda shape: len(set(shape)) == 1 or shape in CHI[0:16:8] or shape in CHI[16:18],
}


@st.composite
def themed_groups(draw: st.DrawFn) -> list[Faces]:
    """Seven groups, all but up to two of one theme; quads come with a pair.

    The others may be held to one red tile, so that a black hand comes to 点胡.
    """
    holds = THEMES[draw(st.sampled_from(sorted(THEMES)))]
    strays = draw(st.sampled_from((0, 0, 1, 1, 2)))
    most_reds = draw(st.sampled_from((1, 4)))
    quad_count = draw(st.sampled_from((0, 0, 0, 1, 1, 2, 3, 6)))
    groups: list[Faces] = []
    for place in range(GROUP_COUNT):
        is_pair = quad_count > 0 and place == GROUP_COUNT - 1
        pool = QUADS if place < quad_count else PAIRS if is_pair else CHI + TRIPLETS
        taken = [face for group in groups for face in group]
        free = [shape for shape in pool if fits(shape, taken)]
        is_stray = place >= GROUP_COUNT - strays
        fitting = [shape for shape in free if (0 < reds(shape) <= most_reds if is_stray else holds(shape))]
        groups.append(draw(st.sampled_from(fitting or free)))
    return groups


def kinds_of(group: Faces) -> tuple[str, ...]:
    return ("chi",) if len(set(group)) > 1 else EXPOSED_KINDS[len(group)]


@st.composite
def themed_drafts(draw: st.DrawFn, most_wangs: int = WANG_MAX) -> Draft:
    """A complete hand on a theme, most of it exposed, now and then hooked on wangs."""
    groups = draw(st.permutations(draw(themed_groups())))
    count = draw(st.integers(1, 3))
    concealed = [group for place, group in enumerate(groups) if place < count or len(group) == 2]
    exposed = [group for place, group in enumerate(groups) if place >= count and len(group) > 2]
    named = [(draw(st.sampled_from(kinds_of(group))), group) for group in exposed]
    draft = Draft([face for group in concealed for face in group], named)
    draft.win = draw(st.sampled_from(draft.hand))
    draft.source = draw(st.sampled_from(SOURCES))
    draft.hand.remove(draft.win)
    hooked = [group for group in concealed if group == (draft.win,) * len(group) and len(group) <= most_wangs]
    if hooked and draw(st.booleans()):
        return draw(_hooked(draft, hooked[0], most_wangs))
    for _ in range(draw(st.integers(0, min(most_wangs, len(draft.hand))))):
        draft.hand.remove(draw(st.sampled_from([face for face in draft.hand if face != WANG])))
        draft.hand.append(WANG)
    return draft


@st.composite
def _hooked(draw: st.DrawFn, draft: Draft, group: Faces, most_wangs: int) -> Draft:
    """The winning tile's group becomes wangs but for the winning tile, which may be a wang too."""
    for face in group[1:]:
        draft.hand.remove(face)
        draft.hand.append(WANG)
    draft.source = "self"
    if len(group) <= most_wangs and draw(st.booleans()):
        draft.win = WANG
    return draft


def themed_queries(most_wangs: int = WANG_MAX) -> st.SearchStrategy[str]:
    """The texts of themed_drafts."""
    return themed_drafts(most_wangs).map(lambda draft: draft.text)
