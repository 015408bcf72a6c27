"""The backtracker meets every division of the exhaustive twin exactly once, and its other answers follow."""

from itertools import islice
from typing import Any

import drafts
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from reference import solver_twin as twin

from paohuzi import _backtrack as backtrack
from paohuzi.groups import Group, XiTable
from paohuzi.notation import Query
from paohuzi.rules import DEFAULT_RULES, Rules
from paohuzi.tiles import IllegalHand

Options = dict[str, Any]
Native = tuple[bytes, bytes]
Answer = tuple[int, str, tuple[str, ...]]  # xi, route, groups

SOURCES = ("self", "other", "discard")
WINNING = "22347990s 449b | wei:111s; wei:000b; wei:888b + 4s@other"
WITH_WANGS = "1223377880s 1112370b WWWW"


def native(text: str, options: Options) -> Native:
    """The key of a query and the options as the backtracker takes them."""
    try:
        key = Query.parse(text).key
    except IllegalHand:  # more tiles than any hand can hold
        reject()
    return key, Rules("drawn", **{**options, "xi": XiTable(**options["xi"])}).options


def of_twin(text: str, options: Options) -> tuple[twin.Query, twin.Options]:
    return twin.parse_query(text), twin.Options(**{**options, "xi": twin.XiTable(**options["xi"])})


def default(text: str) -> Native:
    return Query.parse(text).key, DEFAULT_RULES.options


def as_answer(xi: int, route: int, groups: tuple[int, ...]) -> Answer:
    return xi, twin.ROUTES[route], tuple(str(Group.from_native(group)) for group in groups)


def twin_answer(division: twin.Division) -> Answer:
    return division.xi, division.route, twin.format_groups(division.groups)


def in_order(key: bytes, options: bytes, limit: int = -1) -> list[Any]:
    """The divisions that collect gives, as those of the iterator."""
    arrays = backtrack.collect(key, options, limit)
    columns = (arrays["xi"].tolist(), arrays["route"].tolist(), map(tuple, arrays["groups"].tolist()))
    return list(zip(*columns, strict=True))


@settings(max_examples=300, deadline=None)
@given(drafts.whole_queries(), drafts.options())
def test_divisions_are_those_of_the_twin_in_the_fixed_order(text: str, options: Options) -> None:
    found = [as_answer(*division) for division in in_order(*native(text, options))]
    assert found == [twin_answer(division) for division in twin.divisions(*of_twin(text, options))]


@settings(max_examples=300, deadline=None)
@given(drafts.whole_queries(), drafts.options())
def test_best_xi_and_division_and_count_follow_from_the_divisions(text: str, options: Options) -> None:
    query = native(text, options)
    found = in_order(*query)
    assert sorted(backtrack.divisions(*query)) == sorted(found)
    assert backtrack.count(*query) == len(found)
    first = found[0] if found else None
    assert backtrack.best_division(*query) == first
    assert backtrack.best_xi(*query) == (first[0] if first else -1)


@settings(max_examples=100, deadline=None)
@given(drafts.waiting_queries(), drafts.options(), st.integers(0, 2), st.integers(0, 4))
def test_waits_are_the_best_xi_with_each_tile(text: str, options: Options, source: int, wang: int) -> None:
    key, packed = native(text, options)
    query, rules = of_twin(text, {**options, "wang": wang, "min_xi": 0})
    by_face = backtrack.waits(key, packed, source + 1, wang)
    faces = (*twin.ALL_TILES, twin.WANG)
    found = {twin.tile_name(tile): xi for tile, xi in zip(faces, by_face, strict=True) if xi >= 0}
    assert found == twin.waits(query, SOURCES[source], rules)


@settings(max_examples=200, deadline=None)
@given(drafts.whole_queries() | drafts.waiting_queries(), drafts.options())
def test_best_part_is_that_of_the_twin(text: str, options: Options) -> None:
    text = text.partition("+")[0]
    assert backtrack.best_part(*native(text, options)) == twin.best_part_xi(*of_twin(text, options))


@pytest.mark.parametrize("limit", [0, 1, 5, 10_000])
def test_limit_cuts_the_list_after_the_best(limit: int) -> None:
    everything = in_order(*default(WITH_WANGS))
    assert in_order(*default(WITH_WANGS), limit) == everything[:limit]


def test_divisions_can_be_left_half_way() -> None:
    divisions = backtrack.divisions(*default(WITH_WANGS))
    first = list(islice(divisions, 3))
    rest = list(divisions)
    assert len(first) + len(rest) == backtrack.count(*default(WITH_WANGS))
    assert next(divisions, None) is None


def test_a_query_without_division_has_none() -> None:
    query = default("345s 88b | pao:0000b + 8b@self")
    assert backtrack.best_xi(*query) == -1
    assert backtrack.best_division(*query) is None
    assert list(backtrack.divisions(*query)) == []
    assert len(backtrack.collect(*query)) == 0


KEY, OPTIONS = default(WINNING)


@pytest.mark.parametrize(
    ("key", "options"),
    [
        (KEY[:-1], OPTIONS),
        (KEY, OPTIONS[:-1]),
        (KEY[:8] + b"\xff" + KEY[9:], OPTIONS),
        (KEY[:15] + b"\x15" + KEY[16:], OPTIONS),
        (KEY[:16] + b"\x04" + KEY[17:], OPTIONS),
        (b"\x07" + KEY[1:], OPTIONS),
    ],
    ids=["short key", "short options", "no such group", "no such face", "no such source", "seven copies"],
)
def test_a_bad_key_is_refused(key: bytes, options: bytes) -> None:
    for ask in (backtrack.best_xi, backtrack.best_division, backtrack.count, backtrack.divisions):
        with pytest.raises(ValueError, match="expected"):
            ask(key, options)
