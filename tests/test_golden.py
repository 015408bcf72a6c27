"""The golden cases: hands of real games and sources, with the answers the rules give."""

import json
from pathlib import Path
from typing import Any

import pytest
from comparing import METHODS, waits_as_texts
from reference import solver_twin as twin

from paohuzi import Hand, Query, Rules, divisions, is_heaven, is_hu, max_xi, solve, waits

GOLDEN = Path(__file__).parent / "golden"
Case = dict[str, Any]


def cases(name: str) -> Any:
    """One parameter a line of a golden file, called by the id of the case."""
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]
    )


def rules_of(case: Case) -> Rules:
    return Rules("golden", min_xi=case.get("min_xi", 15), discards_win=case.get("discards_win", False))


def twin_options(case: Case) -> twin.Options:
    return twin.Options(min_xi=case.get("min_xi", 15), discards_win=case.get("discards_win", False))


@pytest.mark.parametrize("method", METHODS)
@cases("wins")
def test_win_has_the_known_xi(case: Case, method: str) -> None:
    query = Query.parse(case["query"])
    solution = solve(query, rules=rules_of(case), method=method)
    assert (solution.xi, solution.hu) == (case["xi"], case["hu"])
    assert max_xi(query, rules=rules_of(case), method=method) == case["xi"]
    assert is_hu(query, rules=rules_of(case), method=method) is case["hu"]


@cases("wins")
def test_first_of_the_divisions_has_the_known_xi(case: Case) -> None:
    best = next(iter(divisions(Query.parse(case["query"]), rules=rules_of(case))), None)
    assert (best.xi if best else None) == case["xi"]


@cases("wins")
def test_twin_knows_the_win(case: Case) -> None:
    query = twin.parse_query(case["query"])
    assert twin.best_xi(query, twin_options(case)) == case["xi"]
    assert twin.is_hu(query, twin_options(case)) is case["hu"]
    best = twin.best_division(query, twin_options(case))
    assert (best.xi if best else None) == case["xi"]


@pytest.mark.parametrize("method", METHODS)
@cases("wang")
def test_hand_with_wang_has_the_known_xi(case: Case, method: str) -> None:
    assert solve(case["query"], rules=rules_of(case), method=method).xi == case["xi"]


@cases("wang")
def test_twin_knows_the_hand_with_wang(case: Case) -> None:
    assert twin.best_xi(twin.parse_query(case["query"])) == case["xi"]


@pytest.mark.parametrize("method", METHODS)
@cases("waits")
def test_waits_are_the_known_ones(case: Case, method: str) -> None:
    found = waits(case["query"], source=case["source"], rules=rules_of(case), method=method)
    assert waits_as_texts(found) == case["waits"]


@cases("waits")
def test_twin_knows_the_waits(case: Case) -> None:
    assert twin.waits(twin.parse_query(case["query"]), case["source"], twin_options(case)) == case["waits"]


@cases("heaven")
def test_forced_heaven_is_known(case: Case) -> None:
    assert is_heaven(Hand.parse(case["hand"])) is case["heaven"]


@cases("heaven")
def test_twin_knows_forced_heaven(case: Case) -> None:
    assert twin.is_heaven(twin.parse_tiles(case["hand"])) is case["heaven"]
