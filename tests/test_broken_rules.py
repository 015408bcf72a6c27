"""A plain engine in which one rule is broken plays no line and counts no perft that is about that rule.

So each of the rarely met situations earns its place. A rule is broken by other words in the twin's source.
"""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import perft
import pytest
from reference.game_twin import Game
from reference.notation_twin import format_group

HERE = Path(__file__).parent
SOURCES = ("table_twin", "game_twin")

NO_DEALER = ('yield from self._ask_hu(DEALER, None, "dealt", shown_tile=True, dealer=True)', "yield from ()")
EVERY_WIN_OF_HOLDERS = ('if wangs and source in ("other", "discard"):', "if False:")
NO_SKIP_NEEDED = ("return player.owes_skip or len(free", "return len(free")
NOTHING_NEED_BE_LEFT = (
    "return player.owes_skip or len(free_tiles(player.hand)) > len(tiles)",
    "return True",
)
NOTHING_IS_DISCARDED = ("if not self.players[seat].discardable:", "if False:")
BARRED_FOR_GOOD = (
    "tile in player.passed_wins and player.passed_wins[tile] == player.exposed_xi(self.options)",
    "tile in player.passed_wins",
)
ASKED_OTHERS = "\n        for other in SEATS:\n            yield from self._ask_hu(other, tile, 'other')"
QUAD_ON_DISCARD = """\
            if self.players[seat].makes_quad_of_own(tile):
                return (yield from self._pao(seat, tile))
        return (yield from self._offer(tile, discarder"""
OWN_MAY_HAVE = "self.players[seat].makes_quad_of_own(tile)"

# What breaks the rule of each situation: words of the twin, and others for them.
BROKEN: dict[str, tuple[str, str]] = {
    "heaven-order": (
        "for seat in SEATS:\n            shown =",
        "for seat in (DEALER, PREVIOUS, NEXT):\n            shown =",
    ),
    "shown-other-before": NO_DEALER,
    "shown-next-first": ("for seat in (NEXT, PREVIOUS):", "for seat in (PREVIOUS, NEXT):"),
    "shown-makes-dealers-quad": (
        "if self.shown != WANG and",
        "if self.shown != WANG and self.players[DEALER].held(self.shown) != 3 and",
    ),
    "shown-pass-of-dealer-bars-nothing": (
        "        if tile is not None:\n            player.passed",
        "        tile = self.shown if tile is None else tile\n        if True:\n            player.passed",
    ),
    "shown-pass-bars-others": (
        "        if tile is not None:\n            player.passed",
        "        if tile is not None and 'shown_tile' not in context:\n            player.passed",
    ),
    "shown-pass-counts-dealt-quads": (
        "total_xi((*self.exposed, *self.dealt_quads), options)",
        "total_xi(tuple(self.exposed), options)",
    ),
    "shown-wang-dealer-only": (
        'for seat in (NEXT, PREVIOUS):\n                yield from self._ask_hu(seat, self.shown, "other"',
        "pass\n        if True:\n            for seat in (NEXT, PREVIOUS):\n"
        '                yield from self._ask_hu(seat, self.shown, "self"',
    ),
    "wang-holder-shown-tile": (EVERY_WIN_OF_HOLDERS[0], 'if wangs and source == "discard":'),
    "dealer-two-quads": ("if self.players[DEALER].quad_count >= 2:", "if False:"),
    "skip-by-chi": ("player.owes_skip = seat != DEALER and player.quad_count >= 2", "pass"),
    "skip-by-wang": (
        "hand.append(WANG)\n        return (yield from self._after_taking_in(seat))",
        "hand.append(WANG)\n        return (yield from self._discard_if_any(seat))",
    ),
    "skip-not-by-quad": (
        "        if self.players[seat].quad_count >= 2:\n            return",
        "        self.players[seat].owes_skip = False\n"
        "        if self.players[seat].quad_count >= 3:\n            return",
    ),
    "skip-needs-no-discard-chi": NO_SKIP_NEEDED,
    "skip-needs-no-discard-peng": NO_SKIP_NEEDED,
    "no-discard-no-chi": NOTHING_NEED_BE_LEFT,
    "no-discard-no-peng": NOTHING_NEED_BE_LEFT,
    "no-discard-no-forced-peng": NOTHING_NEED_BE_LEFT,
    "nothing-to-discard-wei": NOTHING_IS_DISCARDED,
    "nothing-to-discard-wang": NOTHING_IS_DISCARDED,
    "nothing-to-discard-quad": NOTHING_IS_DISCARDED,
    "dead-wins-not-on-ti-wei": (
        '"self", bars=False)\n        player = self.players[seat]',
        '"self")\n        player = self.players[seat]',
    ),
    "dead-wins-own-draw": ('_ask_hu(drawer, tile, "self")', '_ask_hu(drawer, tile, "self", bars=False)'),
    "dead-wins-lifted": BARRED_FOR_GOOD,
    "dead-wins-lifted-by-chi": BARRED_FOR_GOOD,
    "dead-wins-not-lifted-by-chi-of-no-xi": (
        "return total_xi((*self.exposed, *self.dealt_quads), options)",
        "return len(self.exposed)",
    ),
    "dead-wins-drawn-wang": ('_ask_hu(seat, WANG, "self")', '_ask_hu(seat, WANG, "self", bars=False)'),
    "dead-wins-discard": ('tile, "discard", first', 'tile, "discard", bars=False, first'),
    "discard-next-first": (
        'for seat in others:\n                yield from self._ask_hu(seat, tile, "discard"',
        'for seat in reversed(others):\n                yield from self._ask_hu(seat, tile, "discard"',
    ),
    "discard-not-won": ("if self.options.discards_win:", "if True:"),
    "first-discard-next": (
        "return seat == NEXT and self.discard_count",
        "return False and self.discard_count",
    ),
    "first-discard-previous": ("return seat == NEXT and self.discard_count", "return self.discard_count"),
    "hu-order": (
        """\
        yield from self._ask_hu(drawer, tile, "self")
        for seat in others:
            yield from self._ask_hu(seat, tile, "other")
""",
        """\
        for seat in others:
            yield from self._ask_hu(seat, tile, "other")
        yield from self._ask_hu(drawer, tile, "self")
""",
    ),
    "no-hu-on-others-ti": (
        '        self.players[seat].lay_quad("ti", tile)',
        ASKED_OTHERS.lstrip("\n") + '\n        self.players[seat].lay_quad("ti", tile)',
    ),
    "no-hu-on-others-wei": (
        '        kind = "chouwei" if',
        ASKED_OTHERS.lstrip("\n") + '\n        kind = "chouwei" if',
    ),
    "pao-own-peng": ("runs_on_peng = self", "runs_on_peng = seat != drawer and self"),
    "pao-not-on-discard": (
        QUAD_ON_DISCARD,
        QUAD_ON_DISCARD.replace(
            OWN_MAY_HAVE, OWN_MAY_HAVE + " or self.players[seat].has_exposed(tile, 'peng')"
        ),
    ),
    "pao-of-wei-on-discard": (
        QUAD_ON_DISCARD,
        QUAD_ON_DISCARD.replace(OWN_MAY_HAVE, "self.players[seat].held(tile) == 3"),
    ),
    "second-quad": (
        "        if self.players[seat].quad_count >= 2:\n            return",
        "        if self.players[seat].quad_count >= 3:\n            return",
    ),
    "dead-peng-then-chi": ("[seat for seat in passed_peng if seat != taker]", "passed_peng"),
    "dead-settled-late": (
        "            passed.append(seat)\n        return None\n\n    def _ask_chi",
        "            passed.append(seat)\n            player.kill(tile, True, True)\n"
        "        return None\n\n    def _ask_chi",
    ),
    "dead-discard-chi": ("dead.discarded_for_chi,", "False,"),
    "dead-passed-chi": ("dead.passed_chi_for_chi,", "False,"),
    "dead-peng-peng": ("dead.passed_peng_for_peng)", "False)"),
    "dead-peng-chi": ("dead.passed_peng_for_chi,", "False,"),
    "kaixin-peng-lives": ("    passed_peng_for_peng=False,", "    passed_peng_for_peng=True,"),
    "kaixin-peng-chi-lives": ("    passed_peng_for_chi=False,", "    passed_peng_for_chi=True,"),
    "chi-lost-to-chi": (
        '                return seat\n            self._tell("pass", seat, tile, on="chi")',
        "                passed += [other for other in seats if self._chi_choices(other, tile)]\n"
        '                return seat\n            self._tell("pass", seat, tile, on="chi")',
    ),
    "chi-lost-to-peng": (
        "        if taker is None:\n            taker = yield from self._ask_chi",
        "        if taker is not None:\n"
        "            passed_chi = [seat for seat in chi_seats if self._chi_choices(seat, tile)]\n"
        "        if taker is None:\n            taker = yield from self._ask_chi",
    ),
    "chi-discard-next-only": ("chi_seats=others[:1]", "chi_seats=others"),
    "wang-penalty-4": ("[-5 * count * without_any", "[-4 * count * without_any"),
    "wang-holder-own-draw-only": EVERY_WIN_OF_HOLDERS,
    "last-tile": ("self._is_last_of_wall(source)\n        context", "False\n        context"),
    "untouched": ('context["untouched"] = not player.has_taken_in', 'context["untouched"] = False'),
    "hidden-shown": ("if self.shown != WANG and not self.is_shown_hidden:", "if self.shown != WANG:"),
    "hidden-dealer-wins": NO_DEALER,
    "four-seats-last-red": ("with_last_tile_shown(start.wall) if self.is_shown_hidden else", ""),
    "four-seats-last-not-won": ("if self.is_shown_hidden and self._is_last_of_wall(source):", "if False:"),
    "four-seats-kaixin-shown": ("self.rules.shown_hidden and seats == 4", "seats == 4"),
}
# Rules that no rarely met situation is about.
MORE_BROKEN = [
    ('raise HandOver({"type": "hu", "seat": seat, "tile": None, "source": "dealt"})', "pass"),
    ("shown = [self.shown] if seat == DEALER else []", "shown = []"),
    ("quads = self.dealt_quads\n", "quads = []\n"),
    ("if self.shown != WANG and not self.is_shown_hidden:", "if False:"),
    ("if self.options.discards_win:", "if False:"),
    ("return sorted(set(free_tiles(self.hand)))", "return sorted(set(self.hand))"),
    (
        'answer = "peng" if is_forced else (yield seat, ["peng", "pass"])',
        'answer = yield seat, ["peng", "pass"]',
    ),
    (
        QUAD_ON_DISCARD,
        QUAD_ON_DISCARD.replace(OWN_MAY_HAVE, "self.players[seat].has_exposed(tile, 'wei', 'chouwei')"),
    ),
]
# Their rules say what a win pays, or who has it before there is a choice: perft counts only choices.
NO_PERFT = {"heaven-order", "first-discard-next", "first-discard-previous", "wang-penalty-4", "last-tile"}
NO_PERFT |= {"untouched"}


def cases(name: str) -> dict[str, dict[str, Any]]:
    lines = (HERE / "golden" / name).read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


LINES, PERFT = cases("rare_lines.jsonl"), cases("perft.jsonl")


def broken_game(monkeypatch: pytest.MonkeyPatch, words: str, others: str) -> Any:
    """The twin's class of games with other words in its source, which has the words once."""
    texts = [(HERE / "reference" / f"{name}.py").read_text(encoding="utf-8") for name in SOURCES]
    assert sum(text.count(words) for text in texts) == 1, "the twin has changed"
    module = ModuleType("")
    for name, text in zip(SOURCES, texts, strict=True):
        module = ModuleType(f"reference.{name}_broken")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        source = text.replace(words, others).replace(
            "from .table_twin import", "from .table_twin_broken import"
        )
        module.__package__ = "reference"
        exec(compile(source, module.__name__, "exec"), vars(module))
    return module.Game


def replays(line: dict[str, Any], engine: Any) -> bool:
    """Whether the engine asks what the line says and ends as it does."""
    game = engine(line["rules"], line, line.get("seat_count", 3))
    for seat, choices, action in zip(line["seats"], line["choices"], line["line"], strict=True):
        if (game.asked, len(game.actions)) != (seat, choices) or action not in game.actions:
            return False
        game.apply(action)
    return (game.asked, game.end) == (None, line["end"])


def counts_alike(case: dict[str, Any], engine: Any) -> bool:
    """Whether the engine asks the same seat, and counts as many sequences at every depth."""

    def start() -> Any:
        return engine(case["rules"], case, case.get("seat_count", 3))

    line = tuple(case["line"])
    try:
        if perft.after(start, line).asked != case["asked"]:
            return False
        return all(perft.perft(start, depth, line) == count for depth, count in enumerate(case["counts"], 1))
    except ValueError:  # an action of the line is not offered
        return False


def test_every_situation_has_a_rule_to_break() -> None:
    assert set(LINES) == set(BROKEN)
    assert set(PERFT) == set(BROKEN) - {"heaven-order"}


@pytest.mark.parametrize("name", LINES)
def test_engine_with_a_broken_rule_does_not_replay_the_line(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert replays(LINES[name], Game)
    assert not replays(LINES[name], broken_game(monkeypatch, *BROKEN[name]))


@pytest.mark.parametrize("name", sorted(set(PERFT) - NO_PERFT))
def test_engine_with_a_broken_rule_counts_other_sequences(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not counts_alike(PERFT[name], broken_game(monkeypatch, *BROKEN[name]))


PLAY = cases("play.jsonl")


def comes_out(case: dict[str, Any], engine: Any) -> bool:
    """Whether the engine comes to the end, or question, and the exposed groups of a golden case."""
    game = engine(case["rules"], case, case.get("seat_count", 3))
    for action in case["line"]:
        if action not in game.actions:
            return False
        game.apply(action)
    exposed = [sorted(map(format_group, player.exposed)) for player in game.players]
    expected = [sorted(filter(None, text.split(";"))) for text in case["exposed"]]
    asked = (game.asked, sorted(game.actions), game.end, exposed)
    return asked == (case.get("seat"), case.get("actions", []), case.get("end"), expected)


def test_every_golden_hand_fails_on_some_engine_with_a_broken_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(comes_out(case, Game) for case in PLAY.values())
    unharmed = set(PLAY)
    for words, others in {*BROKEN.values(), *MORE_BROKEN}:
        engine = broken_game(monkeypatch, words, others)
        unharmed -= {name for name in unharmed if not comes_out(PLAY[name], engine)}
    assert unharmed == set()


def test_every_section_of_the_rules_of_play_has_a_case() -> None:
    """But for 4.1, the deal, and 4.11, who deals next: they have tests of their own."""
    told = {case["section"] for case in LINES.values()} | {name.partition("-")[0] for name in PLAY}
    assert told >= {f"4.{number}" for number in (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13)}
