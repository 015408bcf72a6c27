"""The golden scores as test cases, and the options of scoring in the words of the package and of the twin."""

import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent / "golden"
NUMBERS = ("payment", "base", "tun", "xi", "fan")
Case = dict[str, Any]

# The golden cases name options as the twin does. What the package calls the same:
RULE_OPTIONS: dict[str, dict[str, Any]] = {
    "haidi_alone_gains": {"fan.haidi.alone": 1},
    "xiao_cap": {"fan.xiao.cap": 16},
    "yin_grows": {"fan.yin.grow": True},
    "product": {"combine": "product"},
    "no_fan": {"combine": "none"},
    "tun_from_nine": {"tun_less": 9, "tun_per": 1},
    "shown_is_heaven": {"shown_win_by_other": "tianhu_own_draw"},
}


def rule_options(options: dict[str, Any]) -> dict[str, Any]:
    """Options for `Rules.with_options`; those of the division have the same names on both sides."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        found |= RULE_OPTIONS.get(name, {name: value})
    return found


def read_cases(name: str) -> list[Case]:
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


SCORES = read_cases("scores.jsonl")
IMPOSSIBLE = read_cases("impossible.jsonl")


def each_case(cases: list[Case]) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases])
