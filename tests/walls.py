"""Random deals in the notation of game lines, and random play on them. Without the package.

A deal is a dict with `rules`, `dealer`, `shown`, `next`, `previous` and `wall`, as in a game line. A game is
anything with `actions`, `apply` and `end`.
"""

from random import Random
from typing import Any, Protocol

from drafts import COPY_COUNT, FACES, WANG, format_faces

PRESETS = (
    *("qq-basic", "qq-half", "qq-full", "quan-mingtang", "hunan", "kaixin", "baiwang", "yongzhou", "luzhou"),
    *("changde-honghei", "changde-duohong", "yongzhou-4"),
)
WANGS = {"yongzhou": 2, "yongzhou-4": 4}
FOUR_SEATS = ("hunan", "kaixin")
HAND_SIZE = 20

Deal = dict[str, Any]


class Table(Protocol):
    actions: list[str]
    end: dict[str, Any] | None

    def apply(self, action: str) -> None: ...


def random_deal(preset: str, seed: int, clumping: float = 0.0) -> Deal:
    """A deal of the preset. With clumping 0 all are equally likely; up to 1, hands hold more equal tiles."""
    random = Random(f"{preset} {seed} {clumping}")
    deck = clumped_deck(random, WANGS.get(preset, 0), clumping)
    hands = [deck[seat * HAND_SIZE : (seat + 1) * HAND_SIZE] for seat in range(3)]
    shown, *wall = random.sample(deck[3 * HAND_SIZE :], len(deck) - 3 * HAND_SIZE)
    return {
        "rules": preset,
        "dealer": format_faces(hands[0]),
        "shown": format_faces([shown]),
        "next": format_faces(hands[1]),
        "previous": format_faces(hands[2]),
        "wall": " ".join(format_faces([face]) for face in wall),
    }


def clumped_deck(random: Random, wangs: int, clumping: float) -> list[int]:
    """A shuffled deck in which each tile stays beside its like with the given chance."""
    clumps = [[WANG] for _ in range(wangs)]
    for face in FACES:
        clumps.append([face])
        for _ in range(COPY_COUNT - 1):
            if random.random() < clumping:
                clumps[-1].append(face)
            else:
                clumps.append([face])
    random.shuffle(clumps)
    return [face for clump in clumps for face in clump]


def play_out(game: Table, seed: int, hu_chance: float = 0.5) -> list[str]:
    """Random actions until the end; a win is taken with the given chance, all else uniformly."""
    random = Random(seed)
    line = []
    while game.end is None:
        actions = sorted(game.actions)
        if "hu" in actions:
            action = "hu" if random.random() < hu_chance else "pass"
        else:
            action = random.choice(actions)
        line.append(action)
        game.apply(action)
    return line
