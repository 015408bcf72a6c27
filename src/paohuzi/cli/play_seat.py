"""The seat of the person at the terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from ..actions import HU, PASS, PENG, Action
from ..search import Budget
from ..tiles import NotationError
from ..views import View
from ..words import Words
from .play_hints import ahead, hints, win_score
from .play_news import OPEN, news_lines
from .play_signs import HIDDEN, Company, choice_text, said
from .play_table import TableDrawing
from .render import FAINT

__all__ = ["Person", "Quit"]

QUIT, HINTS, HELP, PASS_KEY = "q", "h", "?", "0"
WORDS = {"hu": HU, "胡": HU, "peng": PENG, "碰": PENG, "pass": PASS, "过": PASS, "過": PASS, PASS_KEY: PASS}


class Quit(Exception):
    """The person wants to stop."""


class Person:
    """Shows what the seat may know and asks what to do.

    company: who sits where. console: where it is shown. ask: reads a line after a prompt, raises EOFError.
    hands: how many the match has, None without end. looks_ahead: how long for each choice; None: not at all.
    """

    name = "you"

    def __init__(
        self,
        company: Company,
        console: Console,
        ask: Callable[[str], str],
        hands: int | None,
        looks_ahead: Budget | None = None,
    ) -> None:
        self.company = company
        self.say = company.say
        self.console = console
        self.ask = ask
        self.hands = hands
        self.looks_ahead = looks_ahead
        self.number = 1
        """Of the hand, from 1."""
        self._told = 0  # so many tiles of the hand have been told of

    def begin(self, number: int) -> None:
        """A new hand."""
        self.number = number
        self._told = 0

    def choose(self, view: View) -> Action:
        """What the person types. Raises Quit, also where nothing can be shown or typed any more."""
        try:
            return self._chosen(view)
        except OSError as error:
            raise Quit from error

    def _chosen(self, view: View) -> Action:
        self._show(view)
        while True:
            typed = self._typed()
            if typed in (HINTS, HELP):
                (self._show_hints if typed == HINTS else self._show_help)(view)
            elif (action := read_choice(typed, view.legal_actions)) is not None:
                return action
            elif typed:
                self.console.print(Text(self.say("not_a_choice", typed=typed), "yellow"))

    def ask_to_go_on(self) -> None:
        """Wait before the next hand. Raises Quit."""
        self.console.print(Text(self.say("go_on"), FAINT))
        self._typed()

    def tell_rest(self, view: View) -> None:
        """What happened after the last question."""
        self._tell_news(view)

    def _typed(self) -> str:
        try:
            typed = self.ask("> ").strip()
        except EOFError:
            raise Quit from None
        if typed.lower() == QUIT:
            raise Quit
        return typed

    def _show(self, view: View) -> None:
        self.console.clear()  # a terminal; elsewhere the tables follow one another
        self.console.print()
        self._tell_news(view)
        self.console.print(TableDrawing(view, self.company, self.number, self.hands))
        for line in question_lines(view, self.company):
            self.console.print(line)
        self._show_choices(view)
        if self.looks_ahead is not None and len(view.legal_actions) > 1:
            self.console.print(ahead(view, self.looks_ahead, self.say))

    def _tell_news(self, view: View) -> None:
        settled = [each for each in view.appearances if each.fate != OPEN]
        for line in news_lines(settled[self._told :], self.company):
            self.console.print(line)
        self._told = len(settled)

    def _show_choices(self, view: View) -> None:
        pending = view.pending.tile if view.pending else None
        choices = []
        for number, action in numbered(view.legal_actions):
            text = choice_text(action, pending, self.say)
            if action == HU:
                text.append(_pays(view, self.say))
            choices.append(Text.assemble((f"{number:>2} ", "bold cyan"), text))
        is_short = view.question == "discard"
        self.console.print(Columns(choices, padding=(0, 2)) if is_short else Text("\n").join(choices))
        self.console.print(Text(f" {self.say('keys')}", FAINT))

    def _show_hints(self, view: View) -> None:
        self.console.print(Panel(Text("\n").join(hints(view, self.say)), title=self.say("hint_title")))

    def _show_help(self, _view: View) -> None:
        self.console.print(Panel(self.say("help", hidden=HIDDEN * 3)))


def numbered(actions: tuple[Action, ...]) -> list[tuple[int, Action]]:
    """The actions with what is typed for them: 1 and on, 0 to pass, which stands last."""
    others = [action for action in actions if action != PASS]
    return [*enumerate(others, 1), *((0, action) for action in actions if action == PASS)]


def read_choice(typed: str, actions: tuple[Action, ...]) -> Action | None:
    """The action that is meant by a number, a word, a tile or the text of an action; None if none is."""
    action = dict(numbered(actions)).get(int(typed)) if typed.isdecimal() and len(typed) < 3 else None
    action = action or WORDS.get(typed.lower()) or _read_action(typed) or _read_action(f"discard {typed}")
    return action if action in actions else None


def _read_action(text: str) -> Action | None:
    try:
        return Action.parse(text)
    except NotationError:
        return None


def question_lines(view: View, company: Company) -> list[Text]:
    """The tile that may be taken and what may be done with it."""
    say, pending = company.say, view.pending
    question = say(f"ask_{view.question}")
    if pending is None or pending.tile is None or view.question == "shown_hu":
        return [Text(f" {question}", "bold")]
    key = "discarded" if pending.is_discard else "drew"
    happened = say(key, who=company.who(pending.owner), tile=pending.tile.chinese)
    return [said(f" {happened} — {question}", pending.tile)]


def _pays(view: View, say: Words) -> str:
    """What the win that can be had now is worth."""
    won = win_score(view)
    return say("choice_hu_pays", xi=won.xi, payment=(won.payment or 0) * view.rules.stake)
