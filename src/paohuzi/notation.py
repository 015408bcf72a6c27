"""Hands and queries, and their texts (docs/rules.md 6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import index, mul
from typing import Any

from ._native import unpacked
from .groups import BY_TEXT, EXPOSED_CODES, EXPOSED_KINDS, Group, read_group
from .tiles import (
    CASES,
    CHARACTER_FACES,
    CHARACTERS,
    COPY_COUNT,
    DIGITS,
    FACE_COUNT,
    RANK_COUNT,
    TALLIES,
    TALLY_BYTES,
    TILES,
    WANG,
    WANG_MAX,
    IllegalHand,
    Tile,
    expected,
    has_fifth_copy,
    plain_text,
    scan_tile,
    scan_tiles,
    tally_counts,
    tally_total,
)

__all__ = ["SOURCES", "Hand", "Query"]

SOURCES = ("self", "other", "discard")
CHINESE_SOURCES = {"self": "自摸", "other": "别家", "discard": "打出"}
_SOURCES_BY_TEXT = {source: source for source in SOURCES}
_SOURCES_BY_TEXT |= {name: source for source, name in CHINESE_SOURCES.items()} | {"別家": "other"}

GROUP_COUNT = 7
PACKED_MAX = 1 << 3 * (FACE_COUNT + 1)
TILES_MAX = 26  # six quads and a pair; fewer may fit no division, and yet be asked about
_COMPLETE_COUNTS = "a complete hand has 21 tiles with at most one quad (提, 跑), 20 + q with q quads"
_TO_OCTAL = bytes.maketrans(bytes(range(8)), b"01234567")
_DIGITS = tuple(DIGITS)


class _HandSlots:
    """A hand while it is made: plain assignment takes a third of the time it takes past a frozen class."""

    __slots__ = ("counts", "packed", "tally")

    counts: tuple[int, ...]
    packed: int
    tally: int


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Hand(_HandSlots):
    """Concealed tiles: 21 counts of 0 to 4, small 1-10, big 1-10, wang. Raises IllegalHand.

    See docs/rules.md 6.

    >>> hand = Hand.parse("1123s 270b W")
    >>> str(hand), len(hand), hand.counts[0], hand.chinese
    ('1123s 270b W', 8, 2, '一一二三 贰柒拾 王')
    """

    counts: tuple[int, ...]
    tally: int = field(init=False)
    """The counts in the bytes of one int."""
    packed: int = field(init=False)
    """The uint64 form: face i in bits 3i to 3i + 2, wang in bits 60 to 62."""

    def __new__(cls, counts: Iterable[int]) -> Hand:
        counts = tuple(counts)
        if len(counts) != FACE_COUNT + 1:
            raise IllegalHand(f"expected {FACE_COUNT + 1} counts, got {len(counts)}")
        return _new_hand(*_checked(counts))

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Read tiles, as "1123s 270b W" or "一一二三 贰柒拾 王". Raises NotationError, IllegalHand.

        See docs/rules.md 6.

        >>> Hand.parse("3s W 1s 12b2s").counts[:3]
        (1, 1, 1)
        """
        plain = plain_text(text)
        hand = _read_hand(plain, 0, len(plain))
        if has_fifth_copy(hand.tally):
            raise _too_many_copies(hand.counts)
        return hand

    @classmethod
    def from_counts(cls, counts: Iterable[int]) -> Hand:
        """The hand of 20 counts by face, or 21 with the wangs last. Raises IllegalHand.

        >>> Hand.from_counts([4] + [0] * 19)
        Hand.parse('1111s')
        """
        counts = tuple(counts)
        if len(counts) not in (FACE_COUNT, FACE_COUNT + 1):
            raise IllegalHand(f"expected 20 counts, or 21 with the wangs, got {len(counts)}")
        return cls(counts if len(counts) > FACE_COUNT else (*counts, 0))

    @classmethod
    def from_packed(cls, packed: int) -> Hand:
        """The hand of a packed uint64. Raises IllegalHand. See docs/rules.md 6.

        >>> Hand.from_packed(0o3 << 60 | 2)
        Hand.parse('11s WWW')
        """
        packed = index(packed)
        if not 0 <= packed < PACKED_MAX:
            raise IllegalHand(f"expected a packed hand, 0 to 2**63 - 1, got {packed}")
        counts = unpacked(packed)
        if counts is None:  # three bits a face: the octal digits are the counts, wang first
            raise _too_many_copies(map(int, f"{packed:021o}"[::-1]))
        return _new_hand(tuple(counts), int.from_bytes(counts, "little"), packed)

    @property
    def wang_count(self) -> int:
        """How many wangs it holds."""
        return self.counts[WANG]

    @property
    def chinese(self) -> str:
        """The notation in Chinese characters, as 一一二三 贰柒拾 王."""
        characters = [character * count for character, count in zip(CHARACTERS, self.counts, strict=True)]
        cases = (characters[:RANK_COUNT], characters[RANK_COUNT:WANG], characters[WANG:])
        return " ".join(filter(None, map("".join, cases)))

    def __len__(self) -> int:
        return tally_total(self.tally)

    def __eq__(self, other: object) -> bool:
        return self.tally == other.tally if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.packed)

    def __str__(self) -> str:
        counts = self.counts
        small = "".join(map(mul, _DIGITS, counts))
        big = "".join(map(mul, _DIGITS, counts[RANK_COUNT:]))
        return " ".join(filter(None, (small and small + "s", big and big + "b", "W" * counts[WANG])))

    def __repr__(self) -> str:
        return f"Hand.parse('{self}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return Hand.from_packed, (self.packed,)


def _new_hand(counts: tuple[int, ...], tally: int, packed: int) -> Hand:
    """The hand with these slots."""
    hand: Any = _HandSlots()
    hand.counts = counts
    hand.tally = tally
    hand.packed = packed
    hand.__class__ = Hand
    return hand  # type: ignore[no-any-return]


def _checked(counts: tuple[int, ...]) -> tuple[tuple[int, ...], int, int]:
    """The slots of a hand with these 21 counts. Raises IllegalHand."""
    try:
        in_bytes = bytes(counts)
    except ValueError:
        raise IllegalHand(f"expected counts from 0 to {COPY_COUNT}, got {counts}") from None
    if max(in_bytes) > COPY_COUNT:
        raise _too_many_copies(in_bytes)
    packed = int(in_bytes[::-1].translate(_TO_OCTAL), 8)
    return tuple(in_bytes), int.from_bytes(in_bytes, "little"), packed


def _too_many_copies(counts: Iterable[int], where: str = "") -> IllegalHand:
    """The error for more than four copies of a face."""
    face, count = next((face, count) for face, count in enumerate(counts) if count > COPY_COUNT)
    if face == WANG:
        return IllegalHand(f"{count} wangs (王){where}: expected at most {WANG_MAX}")
    tile = TILES[face]
    return IllegalHand(f"{count} copies of {tile} ({tile.chinese}){where}: a face has {COPY_COUNT}")


# A word of tiles (345s) is read as the sum of its tiles: the tally, and above it the packed form.
_PACKED_SHIFT = 8 * TALLY_BYTES
_TALLY_MASK = (1 << _PACKED_SHIFT) - 1
_TILE_SUMS = [tally | 1 << _PACKED_SHIFT + 3 * face for face, tally in enumerate(TALLIES)]
_CHARACTER_SUMS = {character: _TILE_SUMS[face] for character, face in CHARACTER_FACES.items()}
_DIGIT_SUMS = {
    suffix: {digit: _TILE_SUMS[first + rank] for rank, digit in enumerate(DIGITS)}
    for suffix, first in CASES.items()
}
_SUM_BY_WORD: dict[str, int] = {}  # by words as they came
_WORDS_MAX = 1 << 14
_WORD_LENGTH = 24
_QUICK_LENGTH = 120  # a longer text may have more copies of a face than a tally holds


def _read_hand(text: str, start: int, stop: int) -> Hand:
    """The hand in text[start:stop], a plain text, not checked for a fifth copy. Raises NotationError."""
    if stop - start > _QUICK_LENGTH:
        return Hand(_scan_counts(text, start, stop))
    total = 0
    try:
        for word in text[start:stop].split():
            total += _SUM_BY_WORD.get(word) or _read_word(word)
    except KeyError:
        return Hand(_scan_counts(text, start, stop))
    tally = total & _TALLY_MASK
    return _new_hand(tally_counts(tally), tally, total >> _PACKED_SHIFT)


def _read_word(word: str) -> int:
    """The sum of tiles written as 345s, 三四五 or WW. Raises KeyError for anything else."""
    digits, suffix = word[:-1], word[-1]
    if digits and suffix in CASES:
        total = sum(map(_DIGIT_SUMS[suffix].__getitem__, digits))
    else:
        total = sum(map(_CHARACTER_SUMS.__getitem__, word))
    if len(word) <= _WORD_LENGTH and len(_SUM_BY_WORD) < _WORDS_MAX:
        _SUM_BY_WORD[word] = total
    return total


def _scan_counts(text: str, start: int, stop: int) -> list[int]:
    """The 21 counts of the tiles in text[start:stop], however many. Raises NotationError."""
    counts = [0] * (FACE_COUNT + 1)
    for face, _ in scan_tiles(text, start, stop, in_group=False):
        counts[face] += 1
    return counts


class _QuerySlots:
    """A query while it is made, as _HandSlots."""

    __slots__ = ("exposed", "hand", "key", "source", "tally", "win")

    exposed: tuple[Group, ...]
    hand: Hand
    key: bytes
    source: str | None
    tally: int
    win: Tile | None


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Query(_QuerySlots):
    """A question about a hand: concealed tiles, exposed groups, and the winning tile if there is one.

    hand: the concealed tiles without the winning tile. exposed: up to 7 groups of the kinds chi,
    peng, wei, chouwei, pao, ti, without wangs. win and source: the winning tile and where it comes
    from ("self", "other", "discard"), or both None. Raises IllegalHand. See docs/rules.md 3 and 6.

    >>> query = Query.parse("345s 345b 77s 99b | ti:0000b; wei:222s; chi:123b + 9b@other")
    >>> str(query.hand), query.exposed[0].kind, query.win, query.source, query.tile_count
    ('34577s 34599b', 'ti', Tile.parse('9b'), 'other', 21)
    """

    hand: Hand
    exposed: tuple[Group, ...]
    win: Tile | None
    source: str | None
    key: bytes = field(init=False)
    """The native form, struct Query of csrc/query.hpp (24 bytes)."""
    tally: int = field(init=False)
    """The tiles visible in the query as a tally."""

    def __new__(
        cls, hand: Hand, exposed: Iterable[Group] = (), win: Tile | None = None, source: str | None = None
    ) -> Query:
        exposed = tuple(exposed)
        _expect_type("hand", Hand, hand)
        for group in exposed:
            _expect_type("exposed", Group, group)
        if win is not None:
            _expect_type("win", Tile, win)
        return _new_query(hand, exposed, win, source)

    @classmethod
    def parse(cls, text: str) -> Query:
        """Read a query: tiles, `|` exposed groups between `;`, `+` winning tile `@` source.

        ASCII or Chinese (简 or 繁), full-width signs too. Raises NotationError, IllegalHand. See
        docs/rules.md 6.

        >>> Query.parse("三四五 ７７s|碰：叁叁叁；ti:0000B ＋ 柒@self")
        Query.parse('34577s | peng:333b; ti:0000b + 7b@self')
        """
        text = plain_text(text)
        body, plus, win_text = text.partition("+")
        hand_text, bar, exposed_text = body.partition("|")
        if not (plus or bar or hand_text.strip()):
            raise expected("a query as 34577s | peng:333b + 7s@self", text, 0)
        hand = _read_hand(text, 0, len(hand_text))
        exposed = _read_exposed(text, len(hand_text) + 1, exposed_text) if bar else ()
        win, source = (_WINS.get(win_text) or _scan_win(text, len(body) + 1)) if plus else _NO_WIN
        return _new_query(hand, exposed, win, source)

    @property
    def visible(self) -> tuple[int, ...]:
        """The 21 counts of all tiles of the query: concealed, exposed and winning."""
        return tally_counts(self.tally)

    @property
    def tile_count(self) -> int:
        """How many tiles the query has in all."""
        return tally_total(self.tally)

    @property
    def chinese(self) -> str:
        """The notation in Chinese characters, as 三四五 | 碰:叁叁叁 + 柒@自摸."""
        win = f"{self.win.chinese}@{CHINESE_SOURCES[self.source]}" if self.win and self.source else ""
        return _join(self.hand.chinese, [group.chinese for group in self.exposed], win)

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Query) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        win = f"{self.win}@{self.source}" if self.win else ""
        return _join(str(self.hand), [str(group) for group in self.exposed], win)

    def __repr__(self) -> str:
        return f"Query.parse('{self}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return Query, (self.hand, self.exposed, self.win, self.source)


# The end of Query.key by face and source of the winning tile. A drawn wang is always one's own.
_KEY_TAILS: dict[tuple[int | None, str | None], bytes] = {(None, None): bytes([0xFF, 0]).ljust(9, b"\0")}
_KEY_TAILS |= {
    (face, source): bytes([face, number]).ljust(9, b"\0")
    for face in range(FACE_COUNT + 1)
    for number, source in enumerate(SOURCES, 1)
    if face != WANG or source == "self"
}


def _expect_type(name: str, wanted: type, value: object) -> None:
    if not isinstance(value, wanted):
        raise TypeError(f"expected a {wanted.__name__} as {name}, got {value!r}")


def _new_query(hand: Hand, exposed: tuple[Group, ...], win: Tile | None, source: str | None) -> Query:
    """The query of these parts. Raises IllegalHand."""
    tail = _KEY_TAILS.get((win.face if win else None, source))
    if tail is None:
        raise _bad_win(win, source)
    if len(exposed) > GROUP_COUNT:
        raise IllegalHand(f"{len(exposed)} exposed groups: a hand has {GROUP_COUNT} groups")
    codes = [group.native for group in exposed]
    if not EXPOSED_CODES.issuperset(codes):
        raise _no_exposed(exposed)
    tally = hand.tally + TALLIES[win.face] if win else hand.tally
    for group in exposed:
        tally += group.tally
    if has_fifth_copy(tally):
        raise _too_many_visible(hand, exposed, win)
    if tally_total(tally) > TILES_MAX:
        raise IllegalHand(f"{tally_total(tally)} tiles: {_COMPLETE_COUNTS}, so at most {TILES_MAX}")
    key = hand.packed.to_bytes(8, "little") + bytes(codes).ljust(GROUP_COUNT, b"\0") + tail
    return _query_of(hand, exposed, win, source, key, tally)


def _query_of(
    hand: Hand, exposed: tuple[Group, ...], win: Tile | None, source: str | None, key: bytes, tally: int
) -> Query:
    """The query with these slots."""
    query: Any = _QuerySlots()
    query.hand = hand
    query.exposed = exposed
    query.win = win
    query.source = source
    query.key = key
    query.tally = tally
    query.__class__ = Query
    return query  # type: ignore[no-any-return]


def query_in_play(hand: Hand, exposed: tuple[Group, ...], key: bytes) -> Query:
    """The query of tiles and groups that somebody holds in play, which are not checked again; its key."""
    tally = hand.tally
    for group in exposed:
        tally += group.tally
    return _query_of(hand, exposed, None, None, key, tally)


def _join(hand: str, exposed: list[str], win: str) -> str:
    """The text of a query from the texts of its parts; a lone bar for a query without tiles."""
    groups = "| " + "; ".join(exposed) if exposed else ""
    return " ".join(filter(None, (hand, groups, win and "+ " + win))) or "|"


def _read_exposed(text: str, start: int, exposed_text: str) -> tuple[Group, ...]:
    """The groups of exposed_text, which stands at text[start]. Raises NotationError."""
    pieces = exposed_text.split(";")
    try:
        return tuple([BY_TEXT[piece] for piece in pieces])
    except KeyError:
        if not exposed_text.strip():
            return ()
    groups = []
    for piece in pieces:
        groups.append(read_group(text, start, start + len(piece)))
        start += len(piece) + 1
    return tuple(groups)


_NO_WIN: tuple[Tile | None, str | None] = (None, None)
_WINS: dict[str, tuple[Tile | None, str | None]] = {}  # winning tiles with source by their texts as they came
_WINS_MAX = 1024
_WIN_LENGTH = 16


def _scan_win(text: str, start: int) -> tuple[Tile, str]:
    """The winning tile and its source in text[start:]. Raises NotationError."""
    at = text.find("@", start)
    tile = TILES[scan_tile(text, start, len(text) if at < 0 else at)]
    source = _SOURCES_BY_TEXT.get(text[at + 1 :].strip().lower()) if at >= 0 else None
    if source is None:
        wanted = f"@ and a source ({', '.join(SOURCES)}) after the winning tile"
        raise expected(wanted, text, at if at >= 0 else len(text))
    if len(text) - start <= _WIN_LENGTH and len(_WINS) < _WINS_MAX:
        _WINS[text[start:]] = tile, source
    return tile, source


def _no_exposed(exposed: tuple[Group, ...]) -> IllegalHand:
    """The error for a group that cannot lie exposed."""
    wrong = next(group for group in exposed if group.native not in EXPOSED_CODES)
    return IllegalHand(f"expected exposed groups of {', '.join(EXPOSED_KINDS)} without wangs, got {wrong}")


def _bad_win(win: Tile | None, source: str | None) -> IllegalHand:
    """The error for a winning tile and a source that do not go together."""
    if win is None:
        return IllegalHand(f"expected no source without a winning tile, got {source!r}")
    if source not in SOURCES:
        return IllegalHand(f"expected a source ({', '.join(SOURCES)}) for winning tile {win}, got {source!r}")
    return IllegalHand(f"a wang (王) wins only on one's own draw: expected source self, got {source!r}")


def _too_many_visible(hand: Hand, exposed: tuple[Group, ...], win: Tile | None) -> IllegalHand:
    """The error for a fifth copy in the whole query, with where the copies are."""
    laid = tally_counts(sum(group.tally for group in exposed))
    won = tally_counts(TALLIES[win.face] if win else 0)
    counts = [sum(copies) for copies in zip(hand.counts, laid, won, strict=True)]
    face = next(face for face, count in enumerate(counts) if count > COPY_COUNT)
    places = {"in hand": hand.counts[face], "in exposed groups": laid[face], "as winning tile": won[face]}
    where = ", ".join(f"{count} {place}" for place, count in places.items() if count)
    return _too_many_copies(counts, f" ({where})")
