"""The table drawn for a terminal: pictures kept in golden/, narrow terminals, nothing that is hidden.

`python tests/test_play_table.py` writes the pictures anew, to be looked at before they are committed.
"""

import re
from io import StringIO
from pathlib import Path

import pytest
from game_bots import TABLES, new_game, points_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from paohuzi import Hand
from paohuzi.actions import HU
from paohuzi.bots import GreedyBot
from paohuzi.cli.play_hand import columns_of
from paohuzi.cli.play_hints import hints, win_score
from paohuzi.cli.play_seat import Person, Quit
from paohuzi.cli.play_signs import HIDDEN, Company
from paohuzi.cli.play_table import TableDrawing
from paohuzi.deals import Deal
from paohuzi.game import Game
from paohuzi.views import View
from paohuzi.words import LANGUAGES, Words

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("you", "greedy", "random", "greedy")
# The middle of a hand at qq-full: one's own kan, a hidden wei of another, dead tiles, something to choose.
LINE = (
    "discard 6b, peng, discard 3b, pass, pass, chi 66s6b, discard 9b, chi 9s99b, discard 1s, peng, "
    "discard 4b, peng, discard 4s, peng, discard 6b, pass, pass, pass, pass, chi 99s9b, discard 0s, "
    "discard 2s, pass, pass, discard 4s, discard 8b, peng, discard 2b"
)


def middle_game() -> Game:
    game = Game("qq-full", seed=7, dealer=1, scores=(-18, 36, -18))
    for action in LINE.split(", "):
        game.apply(action)
    return game


def company(view: View, language: str) -> Company:
    return Company(NAMES[: view.rules.seats], view.seat, Words(language))


def drawn(view: View, language: str = "en", width: int = 80, **options: bool) -> str:
    """All that is shown when a seat is asked: news, table, question, hints."""
    out = StringIO()
    console = Console(file=out, width=width, highlight=False, **options)
    who = company(view, language)
    person = Person(who, console, end_of_input, 10)
    person.begin(3)
    if view.asked == view.seat:
        with pytest.raises(Quit):
            person.choose(view)
        for line in hints(view, who.say):
            console.print(line)
    else:
        console.print(TableDrawing(view, who, 3, 10))
        person.tell_rest(view)
    return out.getvalue()


def end_of_input(_prompt: str) -> str:
    raise EOFError


def picture_path(language: str, width: int) -> Path:
    return GOLDEN / f"table_{language}_{width}.txt"


PICTURES = [(language, width) for language in LANGUAGES for width in (80, 48)]


@pytest.mark.parametrize(("language", "width"), PICTURES)
def test_the_table_looks_as_it_did(language: str, width: int) -> None:
    expected = picture_path(language, width).read_text(encoding="utf-8")
    assert drawn(middle_game().observe(0), language, width) == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [30, 48, 64, 80, 120])
def test_no_line_is_wider_than_the_terminal(language: str, width: int) -> None:
    for preset, seats in [("yongzhou-4", 3), ("hunan", 4)]:
        game = new_game(preset, seats, 5)
        for point in points_of(game, 5):
            for seat in point.playing:
                lines = drawn(point.observe(seat), language, width).splitlines()
                assert max(map(cell_len, lines)) <= width


def test_tiles_are_red_where_colours_are_shown_and_plain_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    view = middle_game().observe(0)
    assert "\x1b[1;31m" in drawn(view, force_terminal=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "31m" not in drawn(view, force_terminal=True)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in drawn(view, force_terminal=True)
    assert "\x1b" not in drawn(view)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 10_000))
def test_every_point_of_a_game_can_be_drawn(table: tuple[str, int], seed: int) -> None:
    for game in points_of(new_game(*table, seed), seed):
        for seat in game.playing:
            for language in LANGUAGES:
                assert drawn(game.observe(seat), language)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 10_000))
def test_a_win_is_announced_for_what_it_then_pays(table: tuple[str, int], seed: int) -> None:
    for game in points_of(new_game(*table, seed), seed):
        if HU in game.legal_actions():
            won = game.copy()
            won.apply(HU)
            assert won.result is not None
            assert win_score(game.observe(game.asked)) == won.result.score


def test_nothing_hidden_is_shown() -> None:
    """The picture is the same when the hands of the others and the wall are others."""
    deal = Deal.from_seed("qq-full", 21)
    dealer, after, before = deal.hands
    swapped = Deal((dealer, before, after), deal.shown, deal.wall[::-1])
    pictures = [drawn(Game("qq-full", deal=each).observe(0)) for each in (deal, swapped)]
    assert pictures[0] == pictures[1]
    middle = middle_game()
    assert HIDDEN * 3 in drawn(middle.observe(0))
    owner = next(seat for seat in (1, 2) if None in middle.observe(0).exposed[seat])
    assert HIDDEN not in drawn(middle.observe(owner))


# --- hints ---


def hints_of(preset: str, question: str, has_wang: bool) -> str:
    """The longest hints of a hand between greedy bots at such a question."""
    found = [""]
    for seed in range(12):
        game = Game(preset, seed=seed)
        while not game.is_over:
            view = game.observe(game.asked)
            if view.question == question and bool(view.hand.wang_count) == has_wang:
                found.append("\n".join(line.plain for line in hints(view, Words("en"))))
            game.step([GreedyBot()] * 3)
    return max(found, key=len)


def test_hints_tell_what_each_discard_leaves() -> None:
    text = hints_of("qq-full", "discard", has_wang=False)
    assert re.search(r"^discard .\n  . x[0-4]: own draw \d+ xi, \d+, another's draw \d+ xi, \d+$", text, re.M)


def test_hints_tell_what_could_be_waited_for_after_a_chi() -> None:
    text = hints_of("qq-full", "chi", has_wang=False)
    assert re.search(r"^after chi \(吃\) \S+.*, then .\n  . x[0-4]: ", text, re.M)


def test_a_discard_that_wins_is_hinted_at_where_discards_win() -> None:
    assert "a discard" in hints_of("luzhou", "discard", has_wang=False)
    assert "a discard" not in hints_of("qq-full", "discard", has_wang=False)


def test_who_holds_a_wang_is_told_of_own_draws_only() -> None:
    text = hints_of("yongzhou-4", "discard", has_wang=True)
    assert "own draw" in text
    assert "another's draw" not in text


# --- the hand in columns ---


@pytest.mark.parametrize(
    ("hand", "columns"),
    [
        ("", ""),
        ("555s 1111b 9s", "1111b 555s 9s"),
        ("123s 234s 2b 7b 0b", "123s 234s 270b"),
        ("11s 22b W W", "11s 22b W W"),
        ("1s 3s 8b 9b", "13s 89b"),
        ("5s 5b 5b", "5s55b"),
    ],
)
def test_what_belongs_together_stands_in_a_column(hand: str, columns: str) -> None:
    shown = [
        Hand.from_counts([column.count(face) for face in range(21)])
        for column in columns_of(Hand.parse(hand))
    ]
    assert sorted(str(each).replace(" ", "") for each in shown) == sorted(columns.split())


@given(
    st.lists(st.integers(0, 20), max_size=21).filter(
        lambda faces: max(map(faces.count, faces), default=0) < 5
    )
)
def test_columns_have_every_tile_of_the_hand_once(faces: list[int]) -> None:
    hand = Hand.from_counts([faces.count(face) for face in range(21)])
    columns = columns_of(hand)
    assert sorted(face for column in columns for face in column) == sorted(faces)
    assert columns == columns_of(hand)


if __name__ == "__main__":
    for language, width in PICTURES:
        picture_path(language, width).write_text(
            drawn(middle_game().observe(0), language, width), encoding="utf-8"
        )
