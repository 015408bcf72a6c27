"""Random deals in the notation of game lines, and random play on them. Without the package.

A deal is a dict with `rules`, `dealer`, `shown`, `next`, `previous` and `wall`, as in a game line. A game is
anything with `actions`, `apply` and `end`.
"""

from random import Random
from typing import Any, Protocol

from drafts import CHI, COPY_COUNT, FACES, TRIPLETS, WANG, format_faces

PRESETS = (
    *("qq-basic", "qq-half", "qq-full", "quan-mingtang", "hunan", "kaixin", "baiwang", "yongzhou", "luzhou"),
    *("changde-honghei", "changde-duohong", "yongzhou-4"),
)
WANGS = {"yongzhou": 2, "yongzhou-4": 4}
FOUR_SEATS = ("hunan", "kaixin")
SEATS = range(3)
HAND_SIZE = 20
WANG_CHANCE = 0.05
# Groups with xi are drawn more often, so that a hand reaches the minimum.
SHAPES = [*CHI, *TRIPLETS, *([(0, 1, 2), (10, 11, 12), (1, 6, 9), (11, 16, 19)] * 6)]

Deal = dict[str, Any]


class Table(Protocol):
    actions: list[str]
    end: dict[str, Any] | None

    def apply(self, action: str) -> None: ...


def random_deal(preset: str, seed: int, clumping: float = 0.0, grouping: float = 0.0) -> Deal:
    """A deal of the preset; with clumping and grouping 0 all are equally likely.

    clumping: chance of each tile to lie beside its like, for kans and quads. grouping: chance of each hand to
    be made of groups, for hands that are soon complete.
    """
    random = Random(f"{preset} {seed} {clumping} {grouping}")
    deck = clumped_deck(random, WANGS.get(preset, 0), clumping)
    hands = [take_hand(random, deck, random.random() < grouping) for _ in SEATS]
    random.shuffle(hands)
    random.shuffle(deck)
    shown, *wall = deck
    return {
        "rules": preset,
        "dealer": format_faces(hands[0]),
        "shown": format_faces([shown]),
        "next": format_faces(hands[1]),
        "previous": format_faces(hands[2]),
        "wall": " ".join(format_faces([face]) for face in wall),
    }


def clumped_deck(random: Random, wangs: int, clumping: float) -> list[int]:
    """A shuffled deck in which each tile lies beside its like with the given chance."""
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


def take_hand(random: Random, deck: list[int], is_grouped: bool) -> list[int]:
    """A hand off the deck: its first tiles, or such as make groups, the last one cut short, and its wangs."""
    hand: list[int] = []
    while is_grouped and len(hand) < HAND_SIZE:
        group = random.choice(SHAPES)[: HAND_SIZE - len(hand)]
        group = (WANG,) if WANG in deck and random.random() < WANG_CHANCE else group
        if all(deck.count(face) >= group.count(face) for face in group):
            hand += group
            for face in group:
                deck.remove(face)
    rest = HAND_SIZE - len(hand)
    hand += deck[:rest]
    del deck[:rest]
    return hand


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
