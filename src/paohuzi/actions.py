"""What a player may choose, with its text in both scripts (docs/rules.md 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from . import _engine
from .groups import Group
from .notation import Hand
from .tiles import TILES, IllegalHand, NotationError, Tile, expected, plain_text

__all__ = ["HU", "KINDS", "PASS", "PENG", "Action", "IllegalAction", "chi_actions"]

KINDS = _engine.ACTION_KINDS
CHINESE_KINDS = {"hu": "胡", "peng": "碰", "chi": "吃", "discard": "打", "pass": "过"}
BI_MAX = 2  # with three copies of the tile in hand it is a kan

_KINDS_BY_TEXT = {kind: kind for kind in KINDS} | {name: kind for kind, name in CHINESE_KINDS.items()}
_KINDS_BY_TEXT["過"] = "pass"
_BEGINNING = re.compile(r"\s*([A-Za-z]+|\S?)\s*")
_CHI = "chi:"


class IllegalAction(ValueError):
    """An action that the rules do not allow at this point, or no action at all."""


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Action:
    """One choice: hu (胡), pass (过), peng (碰), chi (吃) with its bi (比), or discard (打).

    kind: one of KINDS. tile: of a discard. chi: the group that takes the tile in, bi: up to two groups that
    lay out the others like it, in any order (kept in that of their text). Raises IllegalAction. See
    docs/rules.md 4.13 and 6.

    >>> action = Action("chi", chi=Group.parse("chi:123s"), bi=[Group.parse("chi:22s2b")])
    >>> str(action), action.chinese, action == Action.parse("吃 一二三 + 二二贰")
    ('chi 123s + 22s2b', '吃 一二三 + 二二贰', True)
    """

    kind: str
    tile: Tile | None
    chi: Group | None
    bi: tuple[Group, ...]
    number: int = field(init=False)
    """The action as the native side has it, see _engine; actions sort as their numbers do."""
    _text: str = field(init=False)

    def __init__(
        self, kind: str, tile: Tile | None = None, chi: Group | None = None, bi: Iterable[Group] = ()
    ) -> None:
        laid = tuple(sorted(bi, key=str))
        if not _is_action(kind, tile, chi, laid):
            raise IllegalAction(
                f"expected one of {', '.join(KINDS)}, with a tile for discard, with groups (runs, 2-7-10, "
                f"绞) for chi, at most {BI_MAX} of them bi; got {kind!r}, {tile!r}, {chi!r}, {laid!r}"
            )
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "tile", tile)
        put(self, "chi", chi)
        put(self, "bi", laid)
        put(self, "number", _number(kind, tile, chi, laid))
        put(self, "_text", _format(kind, tile, chi, laid))

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read an action, as "discard 5s", "chi 123s + 22s2b" or "打 五". Raises NotationError.

        See docs/rules.md 6.

        >>> Action.parse("chi 123s + 234s + 22s2b")
        Action.parse('chi 123s + 22s2b + 234s')
        """
        return _BY_TEXT.get(text) or _read(text)

    @classmethod
    def from_number(cls, number: int) -> Action:
        """The action that the native side has under a number. Raises IllegalAction.

        >>> Action.from_number(Action.parse("discard 5s").number)
        Action.parse('discard 5s')
        """
        action = _BY_NUMBER.get(number)
        return action if action is not None else _made_from(number)

    @property
    def chinese(self) -> str:
        """The text in Chinese characters, as 吃 一二三 + 二二贰."""
        name = CHINESE_KINDS[self.kind]
        if self.tile is not None:
            return f"{name} {self.tile.chinese}"
        return " ".join((name, " + ".join(group.chinese.partition(":")[2] for group in self.groups))).rstrip()

    @property
    def groups(self) -> tuple[Group, ...]:
        """What a chi lays out: its group, then the bi."""
        return () if self.chi is None else (self.chi, *self.bi)

    def __eq__(self, other: object) -> bool:
        return self.number == other.number if isinstance(other, Action) else NotImplemented

    def __lt__(self, other: Action) -> bool:
        return self.number < other.number if isinstance(other, Action) else NotImplemented

    def __hash__(self) -> int:
        return self.number

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Action.parse('{self._text}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return Action.parse, (self._text,)


def _is_action(kind: str, tile: Tile | None, chi: Group | None, bi: tuple[Group, ...]) -> bool:
    if kind == "discard":
        return isinstance(tile, Tile) and not tile.is_wang and chi is None and not bi
    if kind == "chi":
        return tile is None and len(bi) <= BI_MAX and all(map(_is_chi, (chi, *bi)))
    return kind in KINDS and tile is None and chi is None and not bi


def _is_chi(group: object) -> bool:
    return isinstance(group, Group) and group.kind == "chi" and not group.wang_mask


def _number(kind: str, tile: Tile | None, chi: Group | None, bi: tuple[Group, ...]) -> int:
    face = 0 if tile is None else tile.face
    codes = sorted(group.code for group in bi)
    first, second = (*codes, 0, 0)[:2]
    return KINDS.index(kind) << 32 | face << 24 | (chi.code if chi else 0) << 16 | first << 8 | second


def _format(kind: str, tile: Tile | None, chi: Group | None, bi: tuple[Group, ...]) -> str:
    if tile is not None:
        return f"{kind} {tile}"
    if chi is None:
        return kind
    return f"{kind} " + " + ".join(str(group).removeprefix(_CHI) for group in (chi, *bi))


# Every action there is once it has been met: a few tens of thousands at most.
_BY_NUMBER: dict[int, Action] = {}
_BY_TEXT: dict[str, Action] = {}  # by texts as they came
_BY_TEXT_MAX = 1 << 15
_BY_TEXT_LENGTH = 40


def _made_from(number: int) -> Action:
    """The action of a number that is asked for the first time. Raises IllegalAction."""
    kind, face, *codes = number >> 32, number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255
    try:
        chi, *bi = (Group.from_code(code) if code else None for code in codes)
        tile = TILES[face] if KINDS[kind] == "discard" else None
        action = Action(KINDS[kind], tile, chi, filter(None, bi))
    except (IllegalHand, IndexError):
        action = None
    if action is None or action.number != number:
        raise IllegalAction(f"expected the number of an action, got {number:#x}")
    return _BY_NUMBER.setdefault(number, action)


def _read(text: str) -> Action:
    """The action of a text that is read for the first time. Raises NotationError."""
    plain = plain_text(text)
    match = _BEGINNING.match(plain)
    kind = _KINDS_BY_TEXT.get(match[1].lower()) if match else None
    if match is None or kind is None:
        raise expected(f"an action ({', '.join(KINDS)})", plain, 0)
    action = _read_rest(kind, plain, match.end())
    action = _BY_NUMBER.setdefault(action.number, action)
    if len(text) <= _BY_TEXT_LENGTH and len(_BY_TEXT) < _BY_TEXT_MAX:
        _BY_TEXT[text] = action
    return action


def _read_rest(kind: str, text: str, start: int) -> Action:
    """The action of this kind from what its text has behind the kind. Raises NotationError."""
    rest = text[start:]
    if kind == "discard":
        return _made(text, start, "a tile, as 1s, 0b or 柒", kind, tile=_tile(text, start))
    if kind == "chi":
        groups = [_group(text, start, part) for part in rest.split("+")]
        return _made(text, start, f"a group and up to {BI_MAX} bi", kind, chi=groups[0], bi=groups[1:])
    if rest.strip():
        raise expected(f"nothing behind {kind}", text, start)
    return Action(kind)


def _made(text: str, start: int, wanted: str, kind: str, **parts: Any) -> Action:
    try:
        return Action(kind, **parts)
    except IllegalAction:
        raise expected(wanted, text, start) from None


def _tile(text: str, start: int) -> Tile:
    try:
        return Tile.parse(text[start:])
    except NotationError:
        raise expected("a tile, as 1s, 0b or 柒", text, start) from None


def _group(text: str, start: int, part: str) -> Group:
    try:
        return Group.parse(_CHI + part)
    except NotationError:
        raise expected("groups as 123s, 270b or 11s1b with + between", text, start) from None


def chi_actions(hand: Hand | str, tile: Tile | str) -> tuple[Action, ...]:
    """Every way to take a tile into a hand by chi (吃) with its bi (比), in order.

    hand: the concealed tiles, without the tile. Whether a discard is left is not asked, nor whether the tile
    is dead. Raises NotationError, IllegalHand; ValueError for a wang. See docs/rules.md 4.6.

    >>> [str(action) for action in chi_actions("122334s 22b", "2s")][:3]
    ['chi 123s + 234s + 2s22b', 'chi 123s + 22s2b', 'chi 234s + 123s + 2s22b']
    """
    hand = hand if isinstance(hand, Hand) else Hand.parse(hand)
    tile = tile if isinstance(tile, Tile) else Tile.parse(tile)
    return tuple(map(Action.from_number, _engine.chi_actions(hand.packed, tile.face)))


HU = Action.from_number(KINDS.index("hu") << 32)
PENG = Action.from_number(KINDS.index("peng") << 32)
PASS = Action.from_number(KINDS.index("pass") << 32)
