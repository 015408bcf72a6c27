"""Groups (门子), their codes and their xi (docs/rules.md 2 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, ClassVar

from .tiles import (
    CHARACTERS,
    DIGITS,
    FACE_COUNT,
    RANK_COUNT,
    WANG,
    IllegalHand,
    expected,
    plain_text,
    scan_tiles,
    tally_counts,
    tally_of,
)

__all__ = ["KINDS", "Group", "XiTable"]

KINDS = ("chi", "peng", "kan", "wei", "chouwei", "pao", "ti", "pair")
CHINESE_KINDS = dict(zip(KINDS, ("吃", "碰", "坎", "偎", "臭偎", "跑", "提", "将"), strict=True))
_KINDS_BY_TEXT = {kind: kind for kind in KINDS} | {name: kind for kind, name in CHINESE_KINDS.items()}
_KINDS_BY_TEXT["將"] = "pair"

# The layout of codes is that of csrc/groups.hpp: code 0 is no group, then every group in this order.
PAIR_CODE = 39
CODE_COUNT = 179
WANG_MASK_SHIFT = 8
_SET_SIZES = {"pair": 2, "peng": 3, "kan": 3, "wei": 3, "chouwei": 3, "pao": 4, "ti": 4}


def _groups_in_code_order() -> Iterator[tuple[str, tuple[int, ...]]]:
    """Kind and faces of every group that tiles alone can form."""
    cases = (0, RANK_COUNT)
    yield from (("chi", (case + r, case + r + 1, case + r + 2)) for case in cases for r in range(8))
    yield from (("chi", (case + 1, case + 6, case + 9)) for case in cases)
    yield from (("chi", (rank, rank, rank + RANK_COUNT)) for rank in range(RANK_COUNT))
    yield from (("chi", (rank, rank + RANK_COUNT, rank + RANK_COUNT)) for rank in range(RANK_COUNT))
    for kind, size in _SET_SIZES.items():
        yield from ((kind, (face,) * size) for face in range(FACE_COUNT))


_SHAPES = (("", ()), *_groups_in_code_order())
_CODES = {shape: code for code, shape in enumerate(_SHAPES) if code}
EXPOSED_KINDS = ("chi", "peng", "wei", "chouwei", "pao", "ti")
# Groups that may lie exposed, by native code: no wang among their tiles.
EXPOSED_CODES = frozenset(code for code, (kind, _) in enumerate(_SHAPES) if kind in EXPOSED_KINDS)


def _xi_place(kind: str, faces: tuple[int, ...]) -> int:
    """Where XiTable.values has the xi of a group."""
    is_big = faces[0] >= RANK_COUNT
    if kind in _SET_ROWS:
        is_red = faces[0] % RANK_COUNT in (1, 6, 9)
        return 4 * _SET_ROWS[kind] + is_big + 2 * is_red
    ranks = [face - RANK_COUNT * is_big for face in faces]
    if ranks == [0, 1, 2]:
        return 16 + is_big
    return 18 + is_big if ranks == [1, 6, 9] else _NO_XI


_SET_ROWS = {"peng": 0, "kan": 1, "wei": 1, "chouwei": 1, "pao": 2, "ti": 3}
_NO_XI = 20
_XI_PLACES = (_NO_XI, *(_xi_place(kind, faces) for kind, faces in _SHAPES[1:]))

XI_MAX = 1000  # seven groups stay within int16


@dataclass(frozen=True, slots=True)
class XiTable:
    """The xi of every group, 0 to 1000 each; the groups not named here are worth nothing.

    peng, kan (also wei and chouwei), pao and ti: (small, big, small red, big red); r123 (1-2-3)
    and r27a (2-7-10): (small, big). Raises ValueError. See docs/rules.md 2.

    >>> XiTable.CLASSIC.ti, XiTable.LUZHOU.r27a
    ((9, 12, 9, 12), (6, 9))
    """

    CLASSIC: ClassVar[XiTable]
    LUZHOU: ClassVar[XiTable]

    peng: tuple[int, int, int, int]
    kan: tuple[int, int, int, int]
    pao: tuple[int, int, int, int]
    ti: tuple[int, int, int, int]
    r123: tuple[int, int]
    r27a: tuple[int, int]
    values: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """All 20 numbers in the order of the fields, and the 0 of the other groups."""

    def __post_init__(self) -> None:
        values: list[int] = []
        for name, size in (("peng", 4), ("kan", 4), ("pao", 4), ("ti", 4), ("r123", 2), ("r27a", 2)):
            row = tuple(getattr(self, name))
            if len(row) != size or not all(isinstance(xi, int) and 0 <= xi <= XI_MAX for xi in row):
                raise ValueError(f"expected {size} numbers from 0 to {XI_MAX} as xi of {name}, got {row!r}")
            object.__setattr__(self, name, row)
            values += row
        object.__setattr__(self, "values", (*values, 0))


XiTable.CLASSIC = XiTable(
    peng=(1, 3, 1, 3), kan=(3, 6, 3, 6), pao=(6, 9, 6, 9), ti=(9, 12, 9, 12), r123=(3, 6), r27a=(3, 6)
)
XiTable.LUZHOU = XiTable(
    peng=(1, 3, 6, 9), kan=(6, 9, 9, 12), pao=(9, 12, 12, 15), ti=(12, 15, 15, 18), r123=(3, 6), r27a=(6, 9)
)


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Group:
    """A group of a hand: its kind, the faces of its tiles, and which of them are wangs.

    kind: one of KINDS; every run, 二七十 and 绞 is "chi". faces: 0-19, in any order (kept
    ascending). wang: as long as faces, true where a wang stands for the face (kept last among
    equal faces); none by default. Raises IllegalHand for what is no group. See docs/rules.md 2.

    >>> Group("chi", (2, 0, 1), (True, False, False))
    Group.parse('chi:12(3)s')
    """

    kind: str
    faces: tuple[int, ...]
    wang: tuple[bool, ...]
    code: int = field(init=False)
    """The native code without wangs (csrc/groups.hpp)."""
    native: int = field(init=False)
    """The native code with bit 8 + i set where tile i is a wang."""
    tally: int = field(init=False)
    """The tiles themselves as a tally, wangs counted as wangs."""
    _xi_place: int = field(init=False)
    _text: str = field(init=False)

    def __init__(self, kind: str, faces: Iterable[int], wang: Iterable[bool] = ()) -> None:
        faces = tuple(faces)
        in_wang = tuple(map(bool, wang)) or (False,) * len(faces)
        tiles = sorted(zip(faces, in_wang, strict=False))
        code = _CODES.get((kind, tuple(face for face, _ in tiles)))
        if code is None or len(in_wang) != len(faces):
            raise IllegalHand(f"no such group: kind {kind!r}, faces {faces!r}, wang {in_wang!r}")
        _fill(self, code, tuple(is_wang for _, is_wang in tiles))

    @classmethod
    def from_code(cls, code: int, wang_mask: int = 0) -> Group:
        """The group of a native code, wangs in bit i of the mask for tile i. Raises IllegalHand.

        >>> Group.from_code(59 + 12), Group.from_code(1, 0b100)
        (Group.parse('peng:333b'), Group.parse('chi:12(3)s'))
        """
        return cls.from_native(code | wang_mask << WANG_MASK_SHIFT)

    @classmethod
    def from_native(cls, native: int) -> Group:
        """The group of a native code that has its wang mask in bits 8 to 11. Raises IllegalHand.

        >>> Group.from_native(1 | 0b100 << 8)
        Group.parse('chi:12(3)s')
        """
        group = _BY_NATIVE.get(native)
        return group if group is not None else _remember(native)

    @classmethod
    def from_natives(cls, natives: Sequence[int]) -> tuple[Group, ...]:
        """The groups of several native codes, as of one division. Raises IllegalHand.

        >>> Group.from_natives([71, 1])
        (Group.parse('peng:333b'), Group.parse('chi:123s'))
        """
        try:
            return tuple([_BY_NATIVE[native] for native in natives])
        except KeyError:
            return tuple(map(cls.from_native, natives))

    @classmethod
    def parse(cls, text: str) -> Group:
        """Read a group, as "peng:333b", "chi:12(3)s" or "偎:五五五". Raises NotationError.

        See docs/rules.md 6.

        >>> Group.parse("chi:22s(2)b").wang
        (False, False, True)
        """
        plain = plain_text(text)
        return BY_TEXT.get(plain) or read_group(plain, 0, len(plain))

    def xi(self, table: XiTable = XiTable.CLASSIC) -> int:
        """Its xi by that table. See docs/rules.md 2.

        >>> Group.parse("ti:0000b").xi(), Group.parse("peng:222s").xi(XiTable.LUZHOU)
        (12, 6)
        """
        return table.values[self._xi_place]

    @property
    def is_quad(self) -> bool:
        """Whether it has four tiles (跑, 提)."""
        return len(self.faces) == 4

    @property
    def is_triplet(self) -> bool:
        """Whether it is three of one face (碰, 坎, 偎, 臭偎)."""
        return len(self.faces) == 3 and self.kind != "chi"

    @property
    def is_pair(self) -> bool:
        """Whether it is the pair (将)."""
        return self.kind == "pair"

    @property
    def wang_mask(self) -> int:
        """Bit i set where tile i is a wang."""
        return self.native >> WANG_MASK_SHIFT

    @property
    def wang_count(self) -> int:
        """How many of its tiles are wangs."""
        return sum(self.wang)

    @property
    def red_count(self) -> int:
        """How many tiles are red (红字), a wang counted as what it stands for."""
        return sum(face % RANK_COUNT in (1, 6, 9) for face in self.faces)

    @property
    def big_count(self) -> int:
        """How many tiles are big (大字), a wang counted as what it stands for."""
        return sum(face >= RANK_COUNT for face in self.faces)

    @property
    def counts(self) -> tuple[int, ...]:
        """The 21 counts of its tiles, a wang counted as wang."""
        return tally_counts(self.tally)

    @property
    def chinese(self) -> str:
        """The notation in Chinese characters, as 吃:一二(三)."""
        tiles = zip(self.faces, self.wang, strict=True)
        return f"{CHINESE_KINDS[self.kind]}:" + "".join(
            f"({CHARACTERS[face]})" if is_wang else CHARACTERS[face] for face, is_wang in tiles
        )

    def __len__(self) -> int:
        return len(self.faces)

    def __eq__(self, other: object) -> bool:
        return self.native == other.native if isinstance(other, Group) else NotImplemented

    def __hash__(self) -> int:
        return self.native

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Group.parse('{self._text}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return Group.from_native, (self.native,)


_BY_NATIVE: dict[int, Group] = {}  # at most the 844 groups there are


def _fill(group: Group, code: int, wang: tuple[bool, ...]) -> None:
    """Set the slots of a new group."""
    kind, faces = _SHAPES[code]
    put = object.__setattr__
    put(group, "kind", kind)
    put(group, "faces", faces)
    put(group, "wang", wang)
    put(group, "code", code)
    put(group, "native", code | sum(is_wang << WANG_MASK_SHIFT + i for i, is_wang in enumerate(wang)))
    tiles = zip(faces, wang, strict=True)
    put(group, "tally", tally_of(WANG if is_wang else face for face, is_wang in tiles))
    put(group, "_xi_place", _XI_PLACES[code])
    put(group, "_text", _format(kind, faces, wang))


def _format(kind: str, faces: tuple[int, ...], wang: tuple[bool, ...]) -> str:
    """The canonical text of a group."""
    tiles = zip(faces, wang, strict=True)
    text = kind + ":"
    for is_big, part in groupby(tiles, key=lambda tile: tile[0] >= RANK_COUNT):
        digits = ((DIGITS[face % RANK_COUNT], is_wang) for face, is_wang in part)
        text += "".join(f"({digit})" if is_wang else digit for digit, is_wang in digits) + "sb"[is_big]
    return text


def _remember(native: int) -> Group:
    """Make the group of a native code that is asked for the first time."""
    code, wang_mask = native & 0xFF, native >> WANG_MASK_SHIFT
    if not 0 < code < CODE_COUNT:
        raise IllegalHand(f"expected a group code from 1 to {CODE_COUNT - 1}, got {code} (of {native})")
    kind, faces = _SHAPES[code]
    group = Group(kind, faces, [bool(wang_mask >> i & 1) for i in range(len(faces))])
    if group.native != native:
        raise IllegalHand(f"no group: wang mask {wang_mask:#b} on {kind} of faces {faces}")
    return _BY_NATIVE.setdefault(native, group)


# Groups by texts as they came, for the reading of many queries; those of a usual shape all fit.
BY_TEXT: dict[str, Group] = {}
_BY_TEXT_MAX = 4096
_BY_TEXT_LENGTH = 24


def read_group(text: str, start: int, stop: int) -> Group:
    """The group in text[start:stop], a plain text; kept in BY_TEXT. Raises NotationError."""
    group = _scan_group(text, start, stop)
    if stop - start <= _BY_TEXT_LENGTH and len(BY_TEXT) < _BY_TEXT_MAX:
        BY_TEXT[text[start:stop]] = group
    return group


def _scan_group(text: str, start: int, stop: int) -> Group:
    colon = text.find(":", start, stop)
    name = text[start : stop if colon < 0 else colon].strip()
    kind = _KINDS_BY_TEXT.get(name.lower())
    if kind is None or colon < 0:
        raise expected(f"a group as peng:333b (kinds {', '.join(KINDS)})", text, start, stop)
    tiles = sorted(scan_tiles(text, colon + 1, stop, in_group=True))
    code = _CODES.get((kind, tuple(face for face, _ in tiles)))
    if code is None:
        raise expected(f"{_description(kind)} after '{kind}:'", text, colon + 1, stop)
    group = object.__new__(Group)
    _fill(group, code, tuple(is_wang for _, is_wang in tiles))
    return _BY_NATIVE.setdefault(group.native, group)


def _description(kind: str) -> str:
    """What the tiles of a group of that kind are."""
    if kind == "chi":
        return "a run (as 123s), 2-7-10 of one case (270s) or three of a rank in both cases (11s1b)"
    return f"{('two', 'three', 'four')[_SET_SIZES[kind] - 2]} equal tiles"
