"""What a win pays: the golden scores, and for any hand, preset, context and option what the twin says."""

import dataclasses
import pickle
from typing import Any

import drafts
import pytest
from comparing import parse_legal
from golden_scores import IMPOSSIBLE, NUMBERS, SCORES, Case, each_case, rule_options
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reference import score_twin as twin
from scoring_drafts import themed_queries

import paohuzi
from paohuzi import Context, FanCount, Rules, Score, load_rules, score

CONTEXT_KEYS = ("last_tile", "shown_tile", "dealer", "untouched", "first_discard", "heaven")
PRESETS = sorted(twin.PRESETS)
SCORING_OPTIONS: dict[str, dict[str, Any]] = {
    "qq-half": {"haidi_alone_gains": False},
    "qq-full": {"xiao_cap": 16},
    "quan-mingtang": {"yin_grows": True},
    "baiwang": {"product": True},
    "luzhou": {"no_fan": True, "tun_from_nine": True},
}
Asked = tuple[str, str, dict[str, bool], dict[str, Any]]  # query, preset, context, options


def rules_with(preset: str, options: dict[str, Any]) -> Rules:
    return load_rules(preset).with_options(rule_options(options))


def scored(asked: Asked) -> Score:
    text, preset, context, options = asked
    return score(parse_legal(text), rules=rules_with(preset, options), context=Context(**context))


def numbers_of(found: Score) -> tuple[int | None, ...]:
    return tuple(getattr(found, name) for name in NUMBERS)


@each_case(SCORES)
def test_score_is_the_known_one(case: Case) -> None:
    found = scored((case["query"], case["rules"], case["context"], case["options"]))
    assert numbers_of(found) == tuple(case[name] for name in NUMBERS)
    assert sorted(fan.chinese for fan in found.fans) == sorted(case["fans"])


@pytest.mark.parametrize("preset", PRESETS)
@each_case(IMPOSSIBLE)
def test_impossible_context_is_refused(case: Case, preset: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        scored((case["query"], preset, dict.fromkeys(case["context"], True), {}))


@pytest.mark.parametrize("context", [None, 1, {"last_tile": True}, "last_tile", "qq-full"])
def test_what_is_no_context_is_refused(context: Any) -> None:
    with pytest.raises(TypeError, match="expected a Context, got "):
        score("122345678900s 122345670b", "qq-full", context)


def contexts(*keys: str) -> st.SearchStrategy[dict[str, bool]]:
    """Contexts in which some of the keys are told; many of them cannot be."""
    if not keys:
        return st.just({})
    return st.sets(st.sampled_from(keys), max_size=2).map(lambda told: dict.fromkeys(sorted(told), True))


@st.composite
def options_of(draw: st.DrawFn, preset: str) -> dict[str, Any]:
    """Some options of the preset's scoring, now and then some of the division."""
    choices = SCORING_OPTIONS.get(preset, {}) | {"shown_is_heaven": True}
    if draw(st.sampled_from((False, False, False, True))):
        choices |= {
            "kan_splittable": True,
            "self_draw_forced": False,
            "third_from_other": "wei",
            "wang_in_quad": False,
            "wang_in_triplet": False,
            "discards_win": True,
            "min_xi": draw(st.integers(0, 30)),
        }
    told = draw(st.sets(st.sampled_from(sorted(choices)), max_size=3))
    return {name: choices[name] for name in sorted(told)}


@st.composite
def asked(draw: st.DrawFn, texts: st.SearchStrategy[str], *keys: str) -> Asked:
    preset = draw(st.sampled_from(PRESETS))
    return draw(texts), preset, draw(contexts(*keys)), draw(options_of(preset))


def hands(most_wangs: int) -> st.SearchStrategy[str]:
    """Any hands, and hands that many fan are given for."""
    any_hands = drafts.whole_drafts(most_wangs=most_wangs).map(lambda draft: draft.text)
    return any_hands | themed_queries(most_wangs)


def concealed_hands() -> st.SearchStrategy[str]:
    return drafts.whole_drafts(most_exposed=0).map(lambda draft: draft.text)


def twin_score(question: Asked) -> Any:
    """The twin's score, None for no win, the word "impossible" for a context that cannot be."""
    text, preset, context, options = question
    try:
        return twin.score(text, preset, context, **options)
    except ValueError:
        return "impossible"


def agrees_on_numbers(question: Asked) -> tuple[Score | None, Any]:
    """Payment, base, tun, xi and fan are the twin's; both answers, where there is a win."""
    expected = twin_score(question)
    if expected == "impossible":
        with pytest.raises(ValueError, match="expected"):
            scored(question)
        return None, None
    found = scored(question)
    if expected is None:
        assert numbers_of(found) == (None,) * len(NUMBERS)
        assert found.fans == ()
        return None, None
    assert numbers_of(found) == tuple(expected[name] for name in NUMBERS)
    assert sorted((fan.chinese, fan.value) for fan in found.fans) == sorted(expected["fans"])
    return found, expected


def agrees(question: Asked) -> None:
    found, expected = agrees_on_numbers(question)
    if found is not None:
        assert tuple(map(str, found.groups)) == expected["groups"]
        assert found.route == expected["route"]


@settings(max_examples=600, deadline=None)
@given(asked(hands(0), "last_tile", "dealer"))
def test_score_without_wang_is_that_of_the_twin(question: Asked) -> None:
    agrees(question)


@settings(max_examples=600, deadline=None)
@given(asked(hands(4), "last_tile", "dealer"))
@example(("220000s 2333666b W | chi:11s1b; chi:44s4b + 2b@self", "yongzhou", {}, {}))
@example(("3333000s 123567899000b WWW", "yongzhou-4", {}, {}))
def test_score_with_wangs_is_that_of_the_twin(question: Asked) -> None:
    agrees(question)


@settings(max_examples=400, deadline=None)
@given(asked(concealed_hands(), *CONTEXT_KEYS))
def test_score_at_the_opening_is_that_of_the_twin(question: Asked) -> None:
    agrees(question)


@settings(max_examples=300, deadline=None)
@given(asked(hands(2), *CONTEXT_KEYS))
def test_score_in_any_context_is_that_of_the_twin(question: Asked) -> None:
    agrees(question)


@settings(max_examples=400, deadline=None)
@given(asked(drafts.dealt_hands().map(drafts.format_faces)), st.booleans())
def test_score_of_a_forced_heaven_is_that_of_the_twin(question: Asked, is_dealer: bool) -> None:
    text, preset, _, options = question
    context = {"heaven": True} | ({"dealer": True} if is_dealer else {})
    agrees_on_numbers((text, preset, context, options))


@pytest.mark.parametrize("text", ["1s", "122345678900s 12234567b + 0b@self"])
def test_a_score_is_a_value(text: str) -> None:
    found = score(text, "qq-full", Context(dealer=True))
    assert pickle.loads(pickle.dumps(found)) == found == score(text, "qq-full", Context(dealer=True))
    assert len({found, score(text, "qq-full", Context(dealer=True)), score(text, "qq-full")}) == 2
    assert eval(repr(found), vars(paohuzi) | vars(paohuzi.rules) | {"FanCount": FanCount}) == found
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.payment = 3  # type: ignore[misc]


def test_a_context_is_a_value() -> None:
    context = Context(last_tile=True, dealer=True)
    assert eval(repr(context)) == context == pickle.loads(pickle.dumps(context))
    assert (context.flags, dataclasses.replace(context, heaven=True).flags) == (5, 37)


@settings(max_examples=200, deadline=None)
@given(drafts.whole_drafts(), st.randoms(use_true_random=False), st.sampled_from(PRESETS))
def test_order_of_the_tiles_changes_nothing(draft: drafts.Draft, chance: Any, preset: str) -> None:
    rules, query = load_rules(preset), parse_legal(draft.text)
    texts = [drafts.format_faces([face]) for face in draft.hand]
    chance.shuffle(texts)
    shuffled = " ".join(texts) + draft.text.removeprefix(drafts.format_faces(draft.hand))
    assert score(shuffled, rules=rules) == score(query, rules=rules)
