"""Laws that follow from the rules, whatever the hand: what may change an answer, and in which direction."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from random import Random

import drafts
import pytest
from comparing import METHODS, Options, answer_of, parse_legal, rules_of, waits_as_texts
from drafts import CHI, COPY_COUNT, FACES, WANG, WANG_MAX, Draft, format_faces
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import solver_twin as twin

from paohuzi import Group, IllegalHand, Query, Solution, Tile, divisions, max_xi, ready_discards, solve, waits

NO_DIVISION = -1

laws = settings(max_examples=100, deadline=None)
both_methods = pytest.mark.parametrize("method", METHODS)


def best(draft: Draft, options: Options, method: str = "table") -> int:
    """The best xi, -1 where there is no division."""
    xi = max_xi(parse_legal(draft.text), rules=rules_of(options), method=method)
    return NO_DIVISION if xi is None else xi


def all_divisions(draft: Draft, options: Options) -> list[Solution]:
    return list(divisions(parse_legal(draft.text), rules=rules_of(options)))


def group_sets(draft: Draft, options: Options) -> set[tuple[str, ...]]:
    """The divisions, each as its groups in order of their text."""
    return {tuple(sorted(map(str, division.groups))) for division in all_divisions(draft, options)}


def exposed_xi(kind: str, faces: tuple[int, ...], options: Options) -> int:
    return Group(kind, faces).xi(rules_of(options).xi)


def with_exposed(draft: Draft, place: int, group: tuple[str, tuple[int, ...]]) -> Draft:
    return replace(draft, exposed=[*draft.exposed[:place], group, *draft.exposed[place + 1 :]])


@st.composite
def exposed_places(draw: st.DrawFn, *kinds: str) -> tuple[Draft, int]:
    """A query and the place of one of its exposed groups of these kinds."""
    draft = draw(drafts.whole_drafts(least_exposed=3))
    places = [place for place, (kind, _) in enumerate(draft.exposed) if kind in kinds]
    assume(places)
    return draft, draw(st.sampled_from(places))


# What never matters.


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options(), st.randoms(use_true_random=False))
def test_order_of_tiles_never_matters(method: str, draft: Draft, options: Options, random: Random) -> None:
    tiles = [format_faces([face]) for face in draft.hand]
    random.shuffle(tiles)
    mixed = Query.parse(draft.text.replace(format_faces(draft.hand), " ".join(tiles), 1))
    query = parse_legal(draft.text)
    assert mixed == query
    rules = rules_of(options)
    assert solve(mixed, rules=rules, method=method) == solve(query, rules=rules, method=method)


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options(), st.randoms(use_true_random=False))
def test_order_of_exposed_groups_changes_their_order_only(
    method: str, draft: Draft, options: Options, random: Random
) -> None:
    mixed = replace(draft, exposed=random.sample(draft.exposed, len(draft.exposed)))
    first = solve(parse_legal(draft.text), rules=rules_of(options), method=method)
    second = solve(parse_legal(mixed.text), rules=rules_of(options), method=method)
    count = len(draft.exposed)
    assert (first.xi, first.route, first.groups[count:]) == (second.xi, second.route, second.groups[count:])
    assert Counter(first.groups) == Counter(second.groups)


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options())
def test_the_cases_are_alike(method: str, draft: Draft, options: Options) -> None:
    """Small tiles for big ones and big for small: the same hand, when the xi table is turned round too."""

    def turned(faces: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(face if face == WANG else (face + 10) % 20 for face in faces))

    exposed = [(kind, turned(faces)) for kind, faces in draft.exposed]
    win = draft.win if draft.win is None else turned([draft.win])[0]
    mirror = replace(draft, hand=list(turned(draft.hand)), exposed=exposed, win=win)
    # (small, big, red small, red big) to (big, small, red big, red small)
    xi = {name: tuple(row[place ^ 1] for place in range(len(row))) for name, row in options["xi"].items()}
    assert best(draft, options, method) == best(mirror, options | {"xi": xi}, method)
    assert len(all_divisions(draft, options)) == len(all_divisions(mirror, options | {"xi": xi}))


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options(), st.integers(0, 100))
def test_minimum_decides_hu_only(method: str, draft: Draft, options: Options, min_xi: int) -> None:
    query = parse_legal(draft.text)
    solution = solve(query, rules=rules_of(options), method=method)
    other = solve(query, rules=rules_of(options | {"min_xi": min_xi}), method=method)
    assert answer_of(solution) == answer_of(other)
    may_win = draft.source != "discard" or options.get("discards_win", False)
    assert other.hu is (other.xi is not None and other.xi >= min_xi and may_win)


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options())
def test_discards_win_decides_hu_only(method: str, draft: Draft, options: Options) -> None:
    query = parse_legal(draft.text)
    with_it, without = (
        solve(query, rules=rules_of(options | {"discards_win": may_win}), method=method)
        for may_win in (True, False)
    )
    assert answer_of(with_it) == answer_of(without)
    assert without.hu is (with_it.hu and draft.source != "discard")


# Exposed groups.


@both_methods
@laws
@given(exposed_places("chi"), st.sampled_from(CHI), drafts.options())
def test_an_exposed_chi_adds_its_xi_and_nothing_else(
    method: str, case: tuple[Draft, int], chi: tuple[int, ...], options: Options
) -> None:
    draft, place = case
    old = draft.exposed[place]
    other = with_exposed(draft, place, ("chi", chi))
    assume(all(other.spare(face) >= 0 for face in chi))
    before, after = best(draft, options, method), best(other, options, method)
    assert (before == NO_DIVISION) == (after == NO_DIVISION)
    if before != NO_DIVISION:
        assert before - exposed_xi(*old, options) == after - exposed_xi("chi", chi, options)


@both_methods
@laws
@given(exposed_places("peng", "wei", "chouwei", "pao", "ti"), st.data(), drafts.options())
def test_an_exposed_set_that_stays_adds_its_xi_and_nothing_else(
    method: str, case: tuple[Draft, int], data: st.DataObject, options: Options
) -> None:
    draft, place = case
    kind, faces = draft.exposed[place]
    assume(faces[0] != draft.win)
    kinds = ("peng", "wei", "chouwei") if len(faces) == 3 else ("pao", "ti")
    new_kind = data.draw(st.sampled_from(kinds))
    other = with_exposed(draft, place, (new_kind, faces))
    before, after = best(draft, options, method), best(other, options, method)
    assert (before == NO_DIVISION) == (after == NO_DIVISION)
    if before != NO_DIVISION:
        assert before - exposed_xi(kind, faces, options) == after - exposed_xi(new_kind, faces, options)


@both_methods
@laws
@given(exposed_places("peng", "wei", "chouwei"), drafts.options())
def test_a_chouwei_counts_as_a_wei(method: str, case: tuple[Draft, int], options: Options) -> None:
    draft, place = case
    faces = draft.exposed[place][1]
    wei, chouwei = (with_exposed(draft, place, (kind, faces)) for kind in ("wei", "chouwei"))
    assert best(wei, options, method) == best(chouwei, options, method)


@both_methods
@laws
@given(exposed_places("chi"), drafts.options())
def test_a_chi_is_worth_no_less_in_hand(method: str, case: tuple[Draft, int], options: Options) -> None:
    """Unless it makes a kan there, or changes what the winning tile is used for."""
    draft, place = case
    chi = draft.exposed[place][1]
    in_hand = [*draft.hand, *chi]
    assume(draft.win not in chi)
    assume(options.get("kan_splittable") or all(in_hand.count(face) < 3 for face in chi))
    exposed = draft.exposed[:place] + draft.exposed[place + 1 :]
    concealed = replace(draft, hand=in_hand, exposed=exposed)
    assert best(concealed, options, method) >= best(draft, options, method)


# More freedom never costs.


@both_methods
@laws
@given(drafts.whole_drafts(most_wangs=WANG_MAX - 1), st.data(), drafts.options())
def test_a_wang_for_a_tile_never_lowers_the_xi(
    method: str, draft: Draft, data: st.DataObject, options: Options
) -> None:
    """Unless it breaks the kan that the winning tile would join, or some groups take no wang."""
    options = options | {"wang_in_quad": True, "wang_in_triplet": True}
    is_open = draft.hand.count(draft.win) < 3
    faces = [face for face in draft.hand if face != WANG and (face != draft.win or is_open)]
    assume(faces and draft.hand.count(WANG) + (draft.win == WANG) < WANG_MAX)
    hand = list(draft.hand)
    hand.remove(data.draw(st.sampled_from(faces)))
    richer = replace(draft, hand=[*hand, WANG])
    assert best(richer, options, method) >= best(draft, options, method)


@both_methods
@laws
@given(drafts.whole_drafts(most_wangs=WANG_MAX - 1, source="self"), drafts.options())
def test_no_own_draw_is_better_than_a_wang(method: str, draft: Draft, options: Options) -> None:
    """Unless the tile joins an exposed triplet, or some groups take no wang."""
    options = options | {"wang_in_quad": True, "wang_in_triplet": True}
    assume(draft.win is not None)
    assume(all(kind == "chi" or faces[0] != draft.win for kind, faces in draft.exposed))
    assert best(replace(draft, win=WANG), options, method) >= best(draft, options, method)


@laws
@given(drafts.whole_drafts(), drafts.options())
def test_kan_splittable_adds_divisions(draft: Draft, options: Options) -> None:
    free = options | {"kan_splittable": True}
    kept = options | {"kan_splittable": False}
    assert group_sets(draft, kept) <= group_sets(draft, free)
    assert best(draft, kept) <= best(draft, free)


@laws
@given(drafts.whole_drafts(), drafts.options())
def test_an_unforced_own_draw_adds_divisions(draft: Draft, options: Options) -> None:
    free = options | {"self_draw_forced": False}
    forced = options | {"self_draw_forced": True}
    assert group_sets(draft, forced) <= group_sets(draft, free)
    assert best(draft, forced) <= best(draft, free)


@laws
@given(drafts.whole_drafts(), drafts.options(), st.sampled_from(("wang_in_quad", "wang_in_triplet")))
def test_groups_that_may_hold_wangs_add_divisions(draft: Draft, options: Options, name: str) -> None:
    with_wang, without = options | {name: True}, options | {name: False}
    assert group_sets(draft, without) <= group_sets(draft, with_wang)
    assert best(draft, without) <= best(draft, with_wang)


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options())
def test_a_third_tile_as_wei_never_lowers_the_xi(method: str, draft: Draft, options: Options) -> None:
    """As long as a wei is worth no less than a peng."""
    xi = options["xi"]
    assume(all(peng <= kan for peng, kan in zip(xi["peng"], xi["kan"], strict=True)))
    as_peng, as_wei = options | {"third_from_other": "peng"}, options | {"third_from_other": "wei"}
    assert best(draft, as_peng, method) <= best(draft, as_wei, method)
    if draft.source not in ("other", "discard"):
        assert best(draft, as_peng, method) == best(draft, as_wei, method)


@both_methods
@laws
@given(drafts.whole_drafts(source="other"), drafts.options())
def test_a_drawn_tile_of_another_is_worth_no_less_than_a_discard(
    method: str, draft: Draft, options: Options
) -> None:
    assume(draft.win is not None)
    drawn, discarded = draft, replace(draft, source="discard")
    assert best(drawn, options, method) >= best(discarded, options, method)
    pengs = [faces[0] for kind, faces in draft.exposed if kind == "peng"]
    if draft.win not in pengs:
        assert best(drawn, options, method) == best(discarded, options, method)


# The xi table.


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options(), st.integers(0, 10))
def test_xi_grows_in_step_with_the_table(method: str, draft: Draft, options: Options, factor: int) -> None:
    xi = options["xi"]
    assume(max(number for row in xi.values() for number in row) * factor <= 1000)
    more = options | {"xi": {name: tuple(number * factor for number in row) for name, row in xi.items()}}
    before = best(draft, options, method)
    assert best(draft, more, method) == (before * factor if before != NO_DIVISION else NO_DIVISION)


@both_methods
@laws
@given(drafts.whole_drafts(), drafts.options(), st.data())
def test_a_dearer_group_never_lowers_the_xi(
    method: str, draft: Draft, options: Options, data: st.DataObject
) -> None:
    xi = options["xi"]
    name = data.draw(st.sampled_from(sorted(xi)))
    place = data.draw(st.integers(0, len(xi[name]) - 1))
    row = list(xi[name])
    row[place] = data.draw(st.integers(row[place], 1000))
    assert best(draft, options | {"xi": xi | {name: tuple(row)}}, method) >= best(draft, options, method)


# What every division is.


def natural_counts(groups: Iterable[Group]) -> tuple[Counter[int], int]:
    """The natural tiles of groups by face, and the number of wangs."""
    tiles = [tile for group in groups for tile in zip(group.faces, group.wang, strict=True)]
    return Counter(face for face, is_wang in tiles if not is_wang), sum(is_wang for _, is_wang in tiles)


@laws
@given(drafts.whole_drafts(), drafts.options())
def test_every_division_uses_each_tile_once(draft: Draft, options: Options) -> None:
    tiles = Counter(draft.hand) + Counter(face for _, faces in draft.exposed for face in faces)
    tiles += Counter([] if draft.win is None else [draft.win])
    wangs = tiles.pop(WANG, 0)
    for division in all_divisions(draft, options):
        assert natural_counts(division.groups) == (tiles, wangs)


@laws
@given(drafts.whole_drafts(), drafts.options())
def test_every_division_has_seven_groups_and_a_pair_with_any_quad(draft: Draft, options: Options) -> None:
    for division in all_divisions(draft, options):
        kinds = [group.kind for group in division.groups]
        assert len(kinds) == 7
        assert kinds.count("pair") == (1 if {"ti", "pao"} & set(kinds) else 0)


@laws
@given(drafts.whole_drafts(), drafts.options())
def test_divisions_are_distinct_and_best_first(draft: Draft, options: Options) -> None:
    found = all_divisions(draft, options)
    assert len(group_sets(draft, options)) == len(found)
    assert all(first.xi >= second.xi for first, second in pairwise(found))
    table = rules_of(options).xi
    assert all(division.xi == sum(group.xi(table) for group in division.groups) for division in found)


@laws
@given(drafts.whole_drafts(), drafts.options())
def test_a_kan_is_never_split(draft: Draft, options: Options) -> None:
    kept = options | {"kan_splittable": False}
    kans = [face for face in FACES if draft.hand.count(face) >= 3]
    for division in all_divisions(draft, kept):
        for face in kans:
            sets = [g for g in division.groups if g.kind in ("kan", "ti", "pao") and g.faces[0] == face]
            natural = [natural_counts([group])[0][face] for group in sets]
            assert max(natural, default=0) >= 3


@laws
@given(drafts.whole_drafts(), drafts.options())
def test_only_the_winning_tile_makes_peng_wei_and_pao(draft: Draft, options: Options) -> None:
    for division in all_divisions(draft, options):
        for group in division.groups[len(draft.exposed) :]:
            if group.kind in ("peng", "wei", "pao"):
                assert group.faces[0] == draft.win
                assert natural_counts([group])[0][draft.win] > 0
                is_from_other = draft.source in ("other", "discard")
                assert is_from_other or (group.kind == "wei" and draft.source == "self")


# Waits and discards.


@both_methods
@laws
@given(drafts.waiting_drafts(), st.sampled_from(drafts.SOURCES), drafts.options())
def test_a_wait_is_a_tile_that_wins(method: str, draft: Draft, source: str, options: Options) -> None:
    query, rules = parse_legal(draft.text), rules_of(options)
    assume(twin.is_waiting_size(twin.parse_query(draft.text)))
    found = waits(query, source=source, rules=rules, method=method)
    for face in (face for face in FACES if draft.spare(face) > 0):
        won = solve(f"{draft.text} + {format_faces([face])}@{source}", rules=rules, method=method)
        is_wait = won.xi is not None and won.xi >= options["min_xi"]
        assert found.pop(Tile(face), None) == (won if is_wait else None)
    may_be_wang = source == "self" and draft.hand.count(WANG) < options["wang"]
    assert set(found) <= ({Tile(WANG)} if may_be_wang else set())


@both_methods
@settings(max_examples=50, deadline=None)
@given(drafts.discarding_drafts(), drafts.options())
def test_ready_discards_leave_the_waits_of_the_hand_without_them(
    method: str, draft: Draft, options: Options
) -> None:
    query, rules = parse_legal(draft.text), rules_of(options)
    assume(twin.is_discarding_size(twin.parse_query(draft.text)))
    found = ready_discards(query, rules=rules, method=method)
    found_texts = {str(tile): waits_as_texts(after) for tile, after in found.items()}
    hidden = [format_faces([face]) for face in (*FACES, WANG) if face == WANG or draft.spare(face) > 0]
    for face in (face for face in FACES if 1 <= draft.hand.count(face) <= 2):
        hand = list(draft.hand)
        hand.remove(face)
        after = waits_as_texts(waits(replace(draft, hand=hand).text, rules=rules, method=method))
        left = {tile: xi for tile, xi in after.items() if tile in hidden}
        assert found_texts.pop(format_faces([face]), {}) == left
    assert not found_texts


@laws
@given(drafts.whole_drafts(), st.sampled_from(FACES))
def test_a_fifth_copy_is_refused(draft: Draft, face: int) -> None:
    hand = [*draft.hand, *[face] * (draft.spare(face) + 1)]
    with pytest.raises(IllegalHand):
        Query.parse(replace(draft, hand=hand).text)
    assert (
        Counter(hand)[face]
        + Counter([draft.win])[face]
        + sum(faces.count(face) for _, faces in draft.exposed)
        == COPY_COUNT + 1
    )
