"""The distance against play that takes one tile after the other from others, bi and source apart."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import drafts
import pytest
from comparing import rules_of, twin_options
from drafts import (
    CHI,
    FACES,
    QUADS,
    TRIPLETS,
    WANG,
    WANG_MAX,
    Draft,
    Faces,
    Options,
    few_concealed,
    fits,
    format_faces,
    tiles_beside,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import distance_twin as twin
from reference.notation_twin import parse_query, parse_tiles
from reference.solver_twin import discardable, is_discarding_size, is_waiting_size
from test_distance import FAR, steps

from paohuzi import Rules, waits

SHAPES = {"chi": CHI, "peng": TRIPLETS, "wei": TRIPLETS, "pao": QUADS}


@dataclass(frozen=True)
class Position:
    """A hand and the tiles seen beside it."""

    hand: Faces
    exposed: tuple[tuple[str, Faces], ...]
    seen: Faces

    @property
    def draft(self) -> Draft:
        return Draft([*self.hand], [*self.exposed])

    @property
    def visible(self) -> str:
        return format_faces(self.seen)

    def distance(self, rules: Rules) -> int:
        return steps(self.draft.text, self.visible, rules)

    def can_win_with(self, outside: int, options: Options, limits: twin.Limits) -> bool:
        query, seen = parse_query(self.draft.text), parse_tiles(self.visible)
        return twin.can_win_with(query, outside, seen, twin_options(options), limits)

    def comes_step_by_step(self, outside: int, options: Options) -> bool:
        """Whether play can bring so many outside tiles, and they complete the hand.

        A triplet with one of them was laid, and is a peng. A ti that may be split counts as a quad all the
        same, and then the tiles do not come out even.
        """
        if options.get("kan_splittable", False) and any(self.hand.count(face) == 4 for face in FACES):
            return False
        return self.can_win_with(outside, {**options, "third_from_other": "peng"}, twin.STEP_BY_STEP)

    def is_out(self, face: int) -> bool:
        return self.draft.spare(face) > self.seen.count(face)

    def is_ready(self, rules: Rules) -> bool:
        return any(self.is_out(tile.face) for tile in waits(self.draft.text, "other", rules))


def position_of(draft: Draft, seen: list[int]) -> Position:
    return Position(tuple(sorted(draft.hand)), tuple(sorted(draft.exposed)), tuple(sorted(seen)))


def read(query: str, visible: str) -> Position:
    parsed = parse_query(query)
    hand = [tile - 1 for tile in parsed.tiles] + [WANG] * parsed.wangs
    exposed = [(group.kind, tuple(tile - 1 for tile in group.faces)) for group in parsed.exposed]
    return position_of(Draft(hand, exposed), [tile - 1 for tile in parse_tiles(visible)])


def takings(draft: Draft, face: int) -> Iterator[Draft]:
    """Every way to take a tile into a group: no wang is laid in play, and of a kan nothing but all of it."""
    held = draft.hand.count(face)
    for shape in CHI:
        if face in shape:
            own = list(shape)
            own.remove(face)
            if all(own.count(each) <= draft.hand.count(each) <= 2 for each in own):
                yield with_group(draft, own, ("chi", shape))
    if held in (2, 3):
        kind = "peng" if held == 2 else "pao"
        yield with_group(draft, [face] * held, (kind, (face,) * (held + 1)))
    for place, (kind, faces) in enumerate(draft.exposed):
        if kind in ("peng", "wei", "chouwei") and faces[0] == face:
            exposed = [*draft.exposed]
            exposed[place] = ("pao", (face,) * 4)
            yield Draft(draft.hand, exposed)


def with_group(draft: Draft, own: list[int], group: tuple[str, Faces]) -> Draft:
    hand = [*draft.hand]
    for face in own:
        hand.remove(face)
    return Draft(hand, [*draft.exposed, group])


def after_discard(draft: Draft, seen: Faces) -> Iterator[Position]:
    """What each discard leaves, or the hand as it is where none follows."""
    query = parse_query(draft.text)
    if not is_discarding_size(query):
        yield position_of(draft, [*seen])
        return
    for tile in discardable(query):
        hand = [*draft.hand]
        hand.remove(tile - 1)
        yield position_of(Draft(hand, draft.exposed), [*seen, tile - 1])


def after_taking(position: Position) -> Iterator[Position]:
    """What each tile that is out and each discard after it leave."""
    for face in FACES:
        if position.is_out(face) and len(position.exposed) < 7:
            for taken in takings(position.draft, face):
                yield from after_discard(taken, position.seen)


@st.composite
def scattered_drafts(draw: st.DrawFn, least_exposed: int) -> Draft:
    """Some exposed groups, and any tiles beside: further from the win than drafts made of a win."""
    random = Random(draw(st.integers(0, 2**32)))
    kinds = random.choices((*SHAPES,), (6, 3, 3, 1), k=random.randint(least_exposed, 5))
    exposed: list[tuple[str, Faces]] = []
    for kind in kinds:
        taken = [face for _, faces in exposed for face in faces]
        exposed.append((kind, random.choice([shape for shape in SHAPES[kind] if fits(shape, taken)])))
    wangs = random.randrange(WANG_MAX + 1)
    size = 19 + max(1, kinds.count("pao")) - sum(len(faces) for _, faces in exposed) - wangs
    draft = Draft([WANG] * wangs, exposed)
    faces = random.choice((FACES, random.sample(FACES, 8)))
    tiles = [face for face in faces for _ in range(draft.spare(face))]
    draft.hand += random.sample(tiles, max(0, min(size, len(tiles))))
    return draft


@st.composite
def waiting_positions(draw: st.DrawFn, least_exposed: int = 4) -> Position:
    draft = draw(few_concealed(4) | scattered_drafts(least_exposed))
    assume(is_waiting_size(parse_query(draft.text)))
    return position_of(draft, draw(tiles_beside(draft)))


def assert_one_step_nearer(position: Position, options: Options) -> None:
    rules = rules_of(options)
    before = position.distance(rules)
    after = [each.distance(rules) for each in after_taking(position)]
    assert all(each >= before - 1 for each in after)
    if 0 < before < FAR and position.comes_step_by_step(before + 1, options):
        assert before - 1 in after


@given(waiting_positions(), drafts.options())
@settings(max_examples=80, deadline=None)
def test_tile_taken_from_another_brings_one_step_nearer_at_most_and_some_tile_does(
    position: Position, options: Options
) -> None:
    assert_one_step_nearer(position, options)


@pytest.mark.exhaustive
@given(waiting_positions(least_exposed=3), drafts.options())
@settings(max_examples=1_000, deadline=None)
def test_of_many_hands_some_tile_brings_one_step_nearer(position: Position, options: Options) -> None:
    assert_one_step_nearer(position, options)


@pytest.mark.parametrize(
    ("query", "visible", "options"),
    [
        pytest.param(
            "18s 5b WW | chi:123b; chi:270b; chi:123s; chi:678b; chi:678b",
            "",
            {},
            id="two groups with wangs wait for the win",
        ),
        pytest.param(
            "18s 5b W | chi:123b; chi:270b; ti:9999b; chi:678b; chi:678s",
            "",
            {},
            id="the pair and a group with a wang wait for the win",
        ),
        pytest.param(
            "6s 44b 88b | chi:123s; chi:123s; chi:789s; chi:567s; chi:789s",
            "48b",
            {"third_from_other": "wei", "min_xi": 18},
            id="a triplet of the win is worth more than one laid before",
        ),
        pytest.param(
            "555s 6s 0b | chi:123b; chi:270b; chi:123s; chi:678b; chi:678b",
            "5s",
            {"kan_splittable": True},
            id="a kan is split in the win only",
        ),
        pytest.param(
            "111b 666b 33b | chi:789b; chi:789s; chi:456s; chi:789s",
            "3333s 33b",
            {"min_xi": 18},
            id="the first of two quads costs a discard that the second would spare",
        ),
    ],
)
def test_what_only_the_win_can_bring_may_leave_no_tile_that_brings_nearer(
    query: str, visible: str, options: Options
) -> None:
    options = {"xi": drafts.CLASSIC_XI, **options}
    rules, position = rules_of(options), read(query, visible)
    before = position.distance(rules)
    assert before == 1
    assert not position.comes_step_by_step(before + 1, options)
    assert all(each.distance(rules) >= before for each in after_taking(position))


@given(st.data(), waiting_positions(), drafts.options())
@settings(max_examples=80, deadline=None)
def test_right_discard_keeps_the_distance(data: st.DataObject, position: Position, options: Options) -> None:
    drawn = data.draw(st.sampled_from([face for face in (*FACES, WANG) if position.is_out(face)]))
    whole = replace(position, hand=(*position.hand, drawn))
    assume(is_discarding_size(parse_query(whole.draft.text)))
    rules = rules_of(options)
    before = whole.distance(rules)
    after = [each.distance(rules) for each in after_discard(whole.draft, whole.seen)]
    assert all(each >= before for each in after)
    if 0 <= before < FAR and whole.can_win_with(before + 1, options, twin.ONE_QUAD):
        assert before in after


def test_no_discard_keeps_the_distance_where_all_tiles_are_in_groups_and_a_second_quad_is_to_come() -> None:
    options = {"xi": drafts.CLASSIC_XI, "min_xi": 20}
    rules, position = (
        rules_of(options),
        read("111b 666b 33b W | chi:789b; chi:789s; chi:456s; chi:789s", "33b"),
    )
    assert position.distance(rules) == 0
    assert not position.can_win_with(1, options, twin.ONE_QUAD)
    assert all(each.distance(rules) > 0 for each in after_discard(position.draft, position.seen))


def steps_of_play(position: Position, rules: Rules, most: int) -> int:
    """How many tiles are taken until the hand waits, tried in every way; FAR if more than `most`."""
    front = {position}
    for count in range(most + 1):
        if any(each.is_ready(rules) for each in front):
            return count
        if count < most:
            front = {after for each in front for after in after_taking(each)}
    return FAR


def assert_played(position: Position, options: Options, most: int) -> None:
    rules = rules_of(options)
    told, played = position.distance(rules), steps_of_play(position, rules, most)
    assert told <= played
    if told <= most and position.comes_step_by_step(told + 1, options):
        assert played == told


@given(waiting_positions(), drafts.options())
@settings(max_examples=80, deadline=None)
def test_distance_is_the_number_of_tiles_that_play_takes(position: Position, options: Options) -> None:
    assert_played(position, options, 2)


@pytest.mark.exhaustive
@given(waiting_positions(), drafts.options())
@settings(max_examples=1_000, deadline=None)
def test_distance_of_many_hands_is_the_number_of_tiles_that_play_takes(
    position: Position, options: Options
) -> None:
    assert_played(position, options, 3)
