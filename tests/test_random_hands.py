"""What a million random hands are made of, by the rules they are played by: a table of the documentation."""

from pathlib import Path

import pytest
from engine_games import native_rules

from paohuzi import _engine, preset_names

PAGE = Path(__file__).resolve().parent.parent / "docs" / "random-hands.md"
COLUMNS = {
    "qq-basic": ("qq-basic", 3),
    "kaixin": ("kaixin", 3),
    "luzhou": ("luzhou", 3),
    "yongzhou": ("yongzhou", 3),
    "yongzhou-4": ("yongzhou-4", 3),
    "hunan, 4 seats": ("hunan", 4),
}
HANDS = 1_000_000


def counted(preset: str, seats: int, hands: int) -> dict[str, int]:
    """What is counted, by what the rows are called."""
    totals = _engine.random_play(native_rules(preset, seats), 0, hands, with_events=True)
    asked = {f"asked: {name}": count for name, count in totals["questions"].items() if name != "none"}
    alone = {name: totals[name] for name in ("decisions", "choices")}
    return {**alone, **asked, **totals["events"], "forced heaven": totals["heavens"]}


def table_rows(hands: int) -> list[str]:
    columns = [counted(preset, seats, hands) for preset, seats in COLUMNS.values()]
    return [
        f"| {name} | " + " | ".join(f"{column[name]:,}" for column in columns) + " |" for name in columns[0]
    ]


@pytest.mark.exhaustive
def test_totals_over_a_million_hands_are_those_of_the_page() -> None:
    rows = table_rows(HANDS)
    print("", *rows, sep="\n")
    page = PAGE.read_text(encoding="utf-8")
    assert [row for row in rows if row not in page] == []


def test_the_page_has_every_kind_of_event_and_question() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert "| | " + " | ".join(f"`{name}`" for name in COLUMNS) + " |" in page
    for name in counted("qq-basic", 3, 1):
        assert f"| {name} |" in page


def test_rules_that_are_played_alike_give_the_same_totals() -> None:
    alike = [counted(preset, 3, 2_000) for preset in preset_names() if preset not in COLUMNS]
    assert alike == [counted("qq-basic", 3, 2_000)] * 7
