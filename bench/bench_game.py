"""How long do decisions through Game, records and game lines take?

Each run ends with its rate, decisions or hands a second.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from paohuzi.actions import Action
from paohuzi.game import Game
from paohuzi.lines import verify
from paohuzi.match import Match
from paohuzi.record import Record, RecordWriter, first_difference, read_records
from paohuzi.views import View

HANDS = 200
LINES = Path(__file__).parent.parent / "tests" / "golden" / "lines"
Note = Callable[[str], None]


class RandomBot:
    def __init__(self) -> None:
        self.choose_one = Random(1).choice

    def choose(self, view: View) -> Action:
        return self.choose_one(view.legal_actions)


class ReadingBot(RandomBot):
    """Reads every field of the view."""

    fields = tuple(name for name, part in vars(View).items() if isinstance(part, property))

    def choose(self, view: View) -> Action:
        for name in self.fields:
            getattr(view, name)
        return super().choose(view)


def play_without_views() -> int:
    choose = Random(1).choice
    decisions = 0
    for seed in range(HANDS):
        game = Game("qq-basic", seed=seed)
        while not game.is_over:
            game.apply(choose(game.legal_actions()))
        decisions += len(game.line)
    return decisions


def play_with(bot: RandomBot) -> int:
    decisions = 0
    for seed in range(HANDS):
        game = Game("qq-basic", seed=seed)
        while not game.is_over:
            game.step([bot] * 3)
        decisions += len(game.line)
    return decisions


def rate(benchmark: BenchmarkFixture, note: Note, what: str, count: int) -> None:
    if benchmark.stats is not None:
        note(f"{what}: {count / benchmark.stats.stats.min:,.0f} a second")


def test_decisions_without_views(benchmark: BenchmarkFixture, note: Note) -> None:
    benchmark.group = "200 hands of random play"
    rate(benchmark, note, "decisions without views", benchmark(play_without_views))


def test_decisions_with_views(benchmark: BenchmarkFixture, note: Note) -> None:
    benchmark.group = "200 hands of random play"
    rate(benchmark, note, "decisions with views", benchmark(play_with, RandomBot()))


def test_decisions_with_views_read_whole(benchmark: BenchmarkFixture, note: Note) -> None:
    benchmark.group = "200 hands of random play"
    rate(benchmark, note, "decisions with views, every field read", benchmark(play_with, ReadingBot()))


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return list(Match("qq-basic", [RandomBot()] * 3, seed=1, hands=HANDS))


def test_hands_with_records(benchmark: BenchmarkFixture, note: Note) -> None:
    benchmark.group = "200 hands and their records"
    benchmark(lambda: list(Match("qq-basic", [RandomBot()] * 3, seed=1, hands=HANDS)))
    rate(benchmark, note, "hands played and recorded", HANDS)


def test_records_written(
    benchmark: BenchmarkFixture, note: Note, records: list[Record], tmp_path: Path
) -> None:
    benchmark.group = "200 hands and their records"

    def write() -> None:
        (tmp_path / "hands.jsonl").unlink(missing_ok=True)
        with RecordWriter(tmp_path / "hands.jsonl") as writer:
            for record in records:
                writer.write(record)

    benchmark(write)
    rate(benchmark, note, "records written", HANDS)


def test_records_checked(
    benchmark: BenchmarkFixture, note: Note, records: list[Record], tmp_path: Path
) -> None:
    benchmark.group = "200 hands and their records"
    path = tmp_path / "hands.jsonl"
    with RecordWriter(path) as writer:
        for record in records:
            writer.write(record)
    assert benchmark(lambda: [first_difference(record) for record in read_records(path)]) == [None] * HANDS
    rate(benchmark, note, "records read and checked", HANDS)


def test_game_lines(benchmark: BenchmarkFixture, note: Note) -> None:
    benchmark.group = "1350 game lines"
    lines = [line for path in sorted(LINES.glob("*.jsonl")) for line in path.read_bytes().splitlines()]
    assert benchmark(lambda: [verify(line) for line in lines]) == [None] * len(lines)
    rate(benchmark, note, "game lines verified", len(lines))
