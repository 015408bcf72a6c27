"""The core and the backtracker give the answers of the plain exhaustive twin, whatever the rules."""

from dataclasses import replace

import drafts
import pytest
from comparing import (
    METHODS,
    Options,
    answer_of,
    parse_legal,
    rules_of,
    twin_answer,
    twin_options,
    waits_as_texts,
)
from drafts import Draft
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from reference import solver_twin as twin

import paohuzi
from paohuzi import (
    Hand,
    IllegalHand,
    count_divisions,
    divisions,
    heaven_xi,
    is_heaven,
    is_hu,
    is_ready,
    max_xi,
    part_xi,
    ready_discards,
    solve,
)

DEFAULT: Options = {"xi": drafts.CLASSIC_XI}
SPLITTABLE = DEFAULT | {"kan_splittable": True}
UNFORCED = DEFAULT | {"self_draw_forced": False}

# Places where a solver can go wrong.
TURNING_POINTS = (
    # The winning tile of another player beside an own one: peng with wangs, or kan with the own tile.
    ("123s 345b WW | chi:345s; chi:456s; chi:678s; chi:678b + 1s@other", DEFAULT),
    ("345678b WW | chi:345s; chi:456s; chi:678s; chi:678b + 1s@other", DEFAULT),
    # A kan with a wang is a quad; two of them are two quads and need one tile more.
    ("11134577s W | chi:345s; chi:678s; chi:345b; chi:678b", DEFAULT),
    ("11122234577s WW | chi:678s; chi:678b; chi:456b", DEFAULT),
    # Groups of wangs only, and a wang as the winning tile.
    ("9s WWWW | chi:345s; chi:678s; chi:345b; chi:678b; chi:456b + 9s@self", DEFAULT),
    ("9s WWWW | chi:345s; chi:678s; chi:345b; chi:678b; chi:456b + 9s@other", DEFAULT),
    ("WWW | chi:345s; chi:678s; chi:345b; chi:678b; chi:456b; chi:456s", DEFAULT),
    ("22s WWW | chi:345s; chi:678s; chi:345b; chi:678b; chi:456b + W@self", DEFAULT),
    # The fourth copy: of an exposed peng or wei, of a kan in hand, by source.
    ("345s 11b | chi:345s; chi:678s; chi:345b; chi:678b; peng:222s + 2s@self", DEFAULT),
    ("345s 11b | chi:345s; chi:678s; chi:345b; chi:678b; peng:222s + 2s@discard", DEFAULT),
    ("345s 11b | chi:345s; chi:678s; chi:345b; chi:678b; chouwei:222s + 2s@discard", DEFAULT),
    ("222345s 34511b | chi:345s; chi:678s; chi:345b + 2s@self", DEFAULT),
    ("22270s 345678b | chi:345s; chi:678s; chi:345b + 2s@self", DEFAULT),
    ("22270s 345678b | chi:345s; chi:678s; chi:345b + 2s@self", UNFORCED),
    ("22270s 345678b | chi:345s; chi:678s; chi:345b + 2s@self", SPLITTABLE | UNFORCED),
    ("22270s 345678b | chi:345s; chi:678s; chi:345b + 2s@other", DEFAULT),
    ("22270s 345678b | chi:345s; chi:678s; chi:345b + 2s@other", SPLITTABLE),
    # Four copies held, divided freely with a wang among them.
    ("1222370s 345b W 2s | chi:345s; chi:678s; chi:345b", SPLITTABLE),
)


def with_turning_points(test):
    for text, options in TURNING_POINTS:
        test = example(text=text, options=options)(test)
    return test


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=500, deadline=None)
@given(text=drafts.whole_queries(), options=drafts.options())
@with_turning_points
def test_best_division_is_that_of_the_twin(method: str, text: str, options: Options) -> None:
    query, asked = parse_legal(text), twin.parse_query(text)
    rules, free = rules_of(options), twin_options(options)
    solution = solve(query, rules=rules, method=method)
    expected = twin.best_division(asked, free)
    assert answer_of(solution) == twin_answer(expected)
    assert solution.hu is twin.is_hu(asked, free)
    assert max_xi(query, rules=rules, method=method) == solution.xi
    assert is_hu(query, rules=rules, method=method) is solution.hu


@settings(max_examples=500, deadline=None)
@given(text=drafts.whole_queries(), options=drafts.options())
@with_turning_points
def test_all_divisions_are_those_of_the_twin_in_their_order(text: str, options: Options) -> None:
    query, asked = parse_legal(text), twin.parse_query(text)
    found = [answer_of(division) for division in divisions(query, rules=rules_of(options))]
    assert found == [twin_answer(division) for division in twin.divisions(asked, twin_options(options))]
    for method in METHODS:
        assert count_divisions(query, rules=rules_of(options), method=method) == len(found)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=150, deadline=None)
@given(drafts.waiting_queries(), st.sampled_from(drafts.SOURCES), drafts.options())
def test_waits_are_those_of_the_twin(method: str, text: str, source: str, options: Options) -> None:
    query, asked = parse_legal(text), twin.parse_query(text)
    assume(twin.is_waiting_size(asked))
    found = paohuzi.waits(query, source=source, rules=rules_of(options), method=method)
    assert waits_as_texts(found) == twin.waits(asked, source, twin_options(options))


@settings(max_examples=100, deadline=None)
@given(drafts.waiting_queries(), drafts.options())
def test_each_wait_comes_with_its_best_division(text: str, options: Options) -> None:
    query = parse_legal(text)
    assume(twin.is_waiting_size(twin.parse_query(text)))
    for tile, solution in paohuzi.waits(query, rules=rules_of(options)).items():
        asked = twin.parse_query(f"{text} + {tile}@self")
        assert answer_of(solution) == twin_answer(twin.best_division(asked, twin_options(options)))


@settings(max_examples=100, deadline=None)
@given(drafts.waiting_queries(), drafts.options())
def test_ready_means_to_have_a_wait(text: str, options: Options) -> None:
    query, asked = parse_legal(text), twin.parse_query(text)
    assume(twin.is_waiting_size(asked))
    assert is_ready(query, rules=rules_of(options)) is bool(twin.waits(asked, "self", twin_options(options)))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60, deadline=None)
@given(drafts.discarding_queries(), drafts.options())
def test_ready_discards_are_those_of_the_twin(method: str, text: str, options: Options) -> None:
    query, asked = parse_legal(text), twin.parse_query(text)
    assume(twin.is_discarding_size(asked))
    found = ready_discards(query, rules=rules_of(options), method=method)
    as_texts = {str(tile): waits_as_texts(waits) for tile, waits in found.items()}
    assert as_texts == twin.ready_discards(asked, "self", twin_options(options))


@settings(max_examples=200, deadline=None)
@given(drafts.waiting_drafts())
def test_waits_of_another_size_are_refused(draft: Draft) -> None:
    text = replace(draft, hand=draft.hand[:-1]).text
    query = parse_legal(text)
    assume(not twin.is_waiting_size(twin.parse_query(text)))
    with pytest.raises(IllegalHand):
        paohuzi.waits(query)


@settings(max_examples=200, deadline=None)
@given(drafts.discarding_drafts())
def test_ready_discards_of_another_size_are_refused(draft: Draft) -> None:
    text = replace(draft, hand=draft.hand[:-1]).text
    query = parse_legal(text)
    assume(not twin.is_discarding_size(twin.parse_query(text)))
    with pytest.raises(IllegalHand):
        ready_discards(query)


@settings(max_examples=300, deadline=None)
@given(drafts.dealt_hands())
def test_forced_heaven_is_that_of_the_twin(faces: list[int]) -> None:
    text = drafts.format_faces(faces)
    assert is_heaven(Hand.parse(text)) is twin.is_heaven(twin.parse_tiles(text))


@settings(max_examples=300, deadline=None)
@given(drafts.dealt_hands(), drafts.options())
def test_xi_of_forced_heaven_is_that_of_the_twin(faces: list[int], options: Options) -> None:
    text = drafts.format_faces(faces)
    expected = twin.heaven_xi(twin.parse_tiles(text), twin_options(options))
    assert heaven_xi(Hand.parse(text), rules=rules_of(options)) == expected


@settings(max_examples=300, deadline=None)
@given(drafts.waiting_queries(), drafts.options())
def test_xi_of_a_part_is_that_of_the_twin(text: str, options: Options) -> None:
    expected = twin.best_part_xi(twin.parse_query(text), twin_options(options))
    assert part_xi(parse_legal(text), rules=rules_of(options)) == expected
