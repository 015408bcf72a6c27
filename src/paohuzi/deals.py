"""The tiles of a hand of play before it begins (docs/rules.md 4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from os import urandom

from . import _engine
from .notation import Hand
from .rules import RulesLike, as_rules
from .tiles import (
    COPY_COUNT,
    FACE_COUNT,
    TILE_TEXTS,
    TILES,
    WANG,
    IllegalHand,
    NotationError,
    Tile,
    plain_text,
    scan_tiles,
)
from .whole_numbers import checked_number

__all__ = ["ROLES", "Deal", "first_dealer", "hand_seed", "random_seed"]

ROLES = ("dealer", "next", "previous")
SEED_BITS = 64
SEED_MAX = (1 << SEED_BITS) - 1
_TILES_BY_TEXT = dict(zip(TILE_TEXTS, TILES, strict=True))
DEALT_COUNT = 20


@dataclass(frozen=True, slots=True)
class Deal:
    """Three hands of 20 tiles, the dealer's, the next and the previous player's; the shown tile; the wall.

    wall: in the order of drawing. Raises IllegalHand if these are not the tiles of a deck. See docs/rules.md
    4.1.

    >>> deal = Deal.from_seed("qq-basic", 1)
    >>> str(deal.hands[0]), str(deal.shown), len(deal.wall)
    ('1124445670s 1224468900b', '5s', 19)
    """

    hands: tuple[Hand, Hand, Hand]
    shown: Tile
    wall: tuple[Tile, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", tuple(self.hands))
        object.__setattr__(self, "wall", tuple(self.wall))
        _check_deck(self)

    @classmethod
    def from_seed(cls, rules: RulesLike, seed: int) -> Deal:
        """The deal of a seed, 0 to 2**64 - 1: the same on every platform. Raises ValueError.

        See docs/rules.md 4.1.
        """
        hands, shown, wall = _engine.make_deal(as_rules(rules).wang, checked_seed(seed))
        first, second, third = map(Hand.from_packed, hands)
        return cls((first, second, third), TILES[shown], tuple(TILES[face] for face in wall))

    @classmethod
    def from_texts(cls, texts: Mapping[str, object]) -> Deal:
        """The deal of the texts `dealer`, `next`, `previous`, `shown` and `wall`, as in a game line.

        Raises NotationError naming the text, IllegalHand. See docs/rules.md 6.

        >>> deal = Deal.from_seed("yongzhou", 7)
        >>> Deal.from_texts(deal.to_texts()) == deal
        True
        """
        first, second, third = (Hand.parse(_text(texts, role)) for role in ROLES)
        shown = Tile.parse(_text(texts, "shown"))
        return cls((first, second, third), shown, read_tiles(_text(texts, "wall")))

    def to_texts(self) -> dict[str, str]:
        """Its texts by name. See docs/rules.md 6.

        >>> Deal.from_seed("qq-basic", 1).to_texts()["next"]
        '233467780s 13356667790b'
        """
        dealer, after, before = map(str, self.hands)
        wall = " ".join(map(str, self.wall))
        return {"dealer": dealer, "shown": str(self.shown), "next": after, "previous": before, "wall": wall}

    def is_of_seed(self, seed: int) -> bool:
        """Whether it is the deal of a seed, for a deck like its own. Raises ValueError.

        >>> Deal.from_seed("qq-basic", 1).is_of_seed(1)
        True
        """
        return self.native == _engine.make_deal(self.wang_count, checked_seed(seed))

    @property
    def wang_count(self) -> int:
        """How many wangs (王) the deck has."""
        dealt = len(self.hands) * DEALT_COUNT + 1
        return dealt + len(self.wall) - FACE_COUNT * COPY_COUNT

    @property
    def native(self) -> tuple[tuple[int, int, int], int, bytes]:
        """As the native side has it: packed hands, face of the shown tile, faces of the wall."""
        first, second, third = (hand.packed for hand in self.hands)
        return (first, second, third), self.shown.face, bytes(tile.face for tile in self.wall)


def first_dealer(rules: RulesLike, seed: int) -> int:
    """The seat that deals first in the match of a seed. Raises ValueError. See docs/rules.md 4.11.

    >>> [first_dealer("qq-basic", seed) for seed in range(6)]
    [2, 2, 2, 2, 0, 2]
    """
    return _engine.first_dealer(as_rules(rules).seats, checked_seed(seed))


def hand_seed(match_seed: int, number: int) -> int:
    """The seed of the deal with this number, 0 to 2**64 - 1, in the match of a seed. Raises ValueError.

    >>> hand_seed(1, 0)
    10451216379200822465
    """
    number = checked_number(number, "the number of a hand", 0, SEED_MAX)
    return _engine.hand_seed(checked_seed(match_seed), number)


def random_seed() -> int:
    """A seed that nobody knows beforehand."""
    return int.from_bytes(urandom(SEED_BITS // 8), "big")


def checked_seed(seed: int) -> int:
    """The seed as an int. Raises ValueError if it is none."""
    try:
        return checked_number(seed, "a seed", 0, SEED_MAX)
    except ValueError:
        raise ValueError(f"expected a seed from 0 to 2**{SEED_BITS} - 1, got {seed!r}") from None


def read_tiles(text: str) -> tuple[Tile, ...]:
    """Tiles in the order of the text. Raises NotationError."""
    with suppress(KeyError):
        return tuple([_TILES_BY_TEXT[word] for word in text.split()])
    plain = plain_text(text)
    return tuple(TILES[face] for face, _ in scan_tiles(plain, 0, len(plain), in_group=False))


def _text(texts: Mapping[str, object], name: str) -> str:
    text = texts.get(name)
    if not isinstance(text, str):
        raise NotationError(f"expected the tiles of {name} as a text, got {text!r}")
    return text


def _check_deck(deal: Deal) -> None:
    for role, hand in zip(ROLES, deal.hands, strict=True):
        if len(hand) != DEALT_COUNT:
            raise IllegalHand(f"expected {DEALT_COUNT} tiles for {role}, got {len(hand)}: {hand}")
    counts = _counts(deal)
    for face in range(FACE_COUNT):
        if counts[face] != COPY_COUNT:
            raise IllegalHand(f"expected {COPY_COUNT} of {TILES[face]} in the deal, got {counts[face]}")
    if counts[WANG] > COPY_COUNT:
        raise IllegalHand(f"expected at most {COPY_COUNT} wangs (王) in the deal, got {counts[WANG]}")


def _counts(deal: Deal) -> list[int]:
    counts = [sum(copies) for copies in zip(*(hand.counts for hand in deal.hands), strict=True)]
    for tile in (deal.shown, *deal.wall):
        counts[tile.face] += 1
    return counts
