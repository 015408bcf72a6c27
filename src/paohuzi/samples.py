"""Random hands by the million, for tests, benchmarks and demonstrations.

Every generator is vectorised and seeded: the same arguments give the same hands, all of them distinct, and a
longer run of a seed begins with the shorter one. Hands are packed uint64, queries `batch.Queries`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _engine, batch
from .columns import Queries
from .groups import CODE_COUNT, Group
from .rules import DEFAULT_RULES, RulesLike, as_rules
from .tiles import COPY_COUNT, FACE_COUNT, WANG, WANG_MAX
from .whole_numbers import checked_number

__all__ = [
    "deal_chunks",
    "mid_game",
    "mid_game_chunks",
    "near_misses",
    "played_state_chunks",
    "played_states",
    "random_deals",
    "waiting_hands",
    "wang_hands",
    "winning_hands",
]

Hands = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.uint8]  # (rows, 21)
Codes = npt.NDArray[np.uint8]  # (rows, 7) group codes
Faces = npt.NDArray[np.integer]
Mask = npt.NDArray[np.bool_]
Records = npt.NDArray[np.void]  # of RECORD_DTYPE
Rows = npt.NDArray[Any]  # Hands or Records
Random = np.random.Generator

# The columns of Queries; whole words, so that rows compare by three of them.
RECORD_DTYPE = np.dtype(
    [("hand", "<u8"), ("exposed", "u1", 7), ("win", "i1"), ("source", "u1"), ("padding", "u1", 7)]
)
CHUNK_ROWS = 1 << 14  # decks of so many rows stay in the level-2 cache
SEED_MAX = (1 << 64) - 1
GAME_BITS = 20  # a chunk takes its states from fewer games than 2**20
GROUP_COUNT = 7

# First codes of the kinds (csrc/groups.hpp); the code for a face follows by adding the face.
CHI, PAIR, PENG, KAN, WEI, CHOUWEI, PAO, TI = 1, 39, 59, 79, 99, 119, 139, 159
SELF, OTHER, DISCARD = 1, 2, 3

TRIPLET_SHARE = 0.25  # of the groups that are neither quad nor pair
QUAD_SHARES = (0.0, 0.9, 0.09, 0.01)  # hands with 1, 2 and 3 quads among those with any
MID_GAME_QUAD_SHARES = (0.6, 0.36, 0.036, 0.004)
HELD_WANG_SHARE = 0.25  # of the wangs of the deck, about what a hand has of all tiles
REPLACED_TILES = (0, 0, 0, 1, 2, 4)  # tiles that a mid-game state is away from a division, each as likely


def random_deals(count: int, *, tiles: int = 21, wang: int = 0, seed: int = 0) -> Hands:
    """Hands dealt from a shuffled deck of 80 tiles and `wang` wangs.

    `tiles` is 10 to 26, `wang` 0 to 4. Returns uint64 (count,). Raises ValueError. See docs/rules.md 4.

    >>> from paohuzi import Hand, samples
    >>> len(Hand.from_packed(int(samples.random_deals(3)[0])))
    21
    """
    checked_number(tiles, "tiles", 10, 26)
    checked_number(wang, "wang", 0, WANG_MAX)
    return _collect(count, seed, lambda random: _dealt(random, tiles, wang))


def winning_hands(count: int, *, seed: int = 0) -> Hands:
    """Whole hands of which a division exists, every other one with a quad.

    They are built of groups, so that none breaks a kan or ti, and kept when the backtracker confirms. With
    n >= 2 quads (a tenth of those with a quad) a hand has 20 + n tiles, otherwise 21. The xi may stay below
    the minimum. Returns uint64 (count,). See docs/rules.md 3.

    >>> from paohuzi import max_xi, samples
    >>> all(max_xi(int(hand)) is not None for hand in samples.winning_hands(5))
    True
    """
    return _collect(count, seed, lambda random: batch.pack(_winners(random)))


def near_misses(count: int, *, seed: int = 0) -> Hands:
    """Winning hands with one tile swapped for another face; some win all the same.

    Returns uint64 (count,). See docs/rules.md 3.
    """
    return _collect(count, seed, lambda random: batch.pack(_one_swapped(random, _winners(random))))


def wang_hands(count: int, wang: int, *, seed: int = 0) -> Hands:
    """Winning hands with `wang` (0 to 4) of their tiles turned into wangs.

    Returns uint64 (count,). See docs/rules.md 3.
    """
    checked_number(wang, "wang", 0, WANG_MAX)
    return _collect(count, seed, lambda random: batch.pack(_with_wang(random, _winners(random), wang)))


def waiting_hands(count: int, *, wang: int = 0, seed: int = 0) -> Hands:
    """Winning hands without one of their tiles, `wang` (0 to 4) of the others turned into wangs.

    They have 19 + max(1, quads held) tiles. Returns uint64 (count,). See docs/rules.md 3.

    >>> from paohuzi import samples, waits
    >>> all(waits(int(hand)) is not None for hand in samples.waiting_hands(3))
    True
    """
    checked_number(wang, "wang", 0, WANG_MAX)
    return _collect(count, seed, lambda random: batch.pack(_waiting(random, wang)))


def mid_game(count: int, *, wang: int = 0, seed: int = 0) -> Queries:
    """States of a player with one to five exposed groups, and a winning tile with its source.

    Each is built round a division; up to four tiles are then replaced, so that wins, near misses and hopeless
    hands all occur. Dealt quads are exposed as in play, and before the winning tile there are
    19 + max(1, quads) tiles. Each of the `wang` wangs (0 to 4) of the deck is in the hand with a chance of
    one in four. Returns Queries of `count` rows. Raises ValueError. See docs/rules.md 3 and 4.

    >>> from paohuzi import samples
    >>> queries = samples.mid_game(4)
    >>> queries.hand.shape, queries.exposed.shape
    ((4,), (4, 7))
    """
    checked_number(wang, "wang", 0, WANG_MAX)
    return _as_queries(_collect(count, seed, lambda random: _mid_game(random, wang)))


def played_states(count: int, *, rules: RulesLike = DEFAULT_RULES, seed: int = 0) -> Queries:
    """States of players in the middle of games, each with a tile that came up and its source.

    The games are played by three bots that go by a rule of thumb, and up to four states are taken from each:
    of any seat with an exposed group, and any tile drawn or discarded that was to be decided about. Few of
    them win. rules: Rules, the name of a preset or a path. seed: 0 to 2**64 - 1; the states of a seed are the
    same on every platform. Returns Queries of `count` rows. Raises ValueError. See docs/rules.md 4.

    >>> from paohuzi import samples
    >>> queries = samples.played_states(4, rules="yongzhou-4", seed=1)
    >>> queries.exposed[:, 0].all(), (queries.win >= 0).all()
    (np.True_, np.True_)
    """
    return _as_queries(_first_distinct(count, _played_chunks(rules, seed)))


def deal_chunks(*, tiles: int = 21, wang: int = 0, seed: int = 0) -> Iterator[Hands]:
    """The hands of random_deals in chunks without end; the few that repeat are left in."""
    checked_number(tiles, "tiles", 1, 26)
    checked_number(wang, "wang", 0, WANG_MAX)
    return (_dealt(random, tiles, wang) for random in _random_chunks(seed))


def mid_game_chunks(*, wang: int = 0, seed: int = 0) -> Iterator[Queries]:
    """The states of mid_game in chunks without end; the few that repeat are left in."""
    checked_number(wang, "wang", 0, WANG_MAX)
    return (_as_queries(_mid_game(random, wang)) for random in _random_chunks(seed))


def played_state_chunks(*, rules: RulesLike = DEFAULT_RULES, seed: int = 0) -> Iterator[Queries]:
    """The states of played_states in chunks without end; the few that repeat are left in."""
    return map(_as_queries, _played_chunks(rules, seed))


def _played_chunks(rules: RulesLike, seed: int) -> Iterator[Records]:
    checked_number(seed, "seed", 0, SEED_MAX)
    table = _engine.TableRules(as_rules(rules).native)
    games = itertools.count(step=1 << GAME_BITS)
    return (np.frombuffer(_engine.play_states(table, seed, game, CHUNK_ROWS), RECORD_DTYPE) for game in games)


def _random_chunks(seed: int) -> Iterator[Random]:
    checked_number(seed, "seed", 0)
    return (np.random.default_rng([seed, chunk]) for chunk in itertools.count())


def _as_queries(records: Records) -> Queries:
    return Queries(records["hand"], records["exposed"], records["win"], records["source"])


def _collect(count: int, seed: int, make: Callable[[Random], Rows]) -> Rows:
    """The first `count` distinct rows of the chunks that `make` gives."""
    return _first_distinct(count, map(make, _random_chunks(seed)))


def _first_distinct(count: int, chunks: Iterator[Rows]) -> Rows:
    checked_number(count, "count", 0)
    rows = _distinct(next(chunks))
    while len(rows) < count:
        more = itertools.islice(chunks, 1 + (count - len(rows)) // CHUNK_ROWS)
        rows = _distinct(np.concatenate([rows, *more]))
    return rows[:count]


def _distinct(rows: Rows) -> Rows:
    _, first = np.unique(_keys(rows), return_index=True)
    return rows[np.sort(first)]


def _keys(rows: Hands | Records) -> Hands:
    """A number a row: equal for equal rows, and for others with a chance of 2**-64."""
    words: Hands = rows.view(np.uint64).reshape(len(rows), -1)
    keys: Hands = (words * _KEY_FACTORS[: words.shape[1]]).sum(axis=1, dtype=np.uint64)
    return keys


def _dealt(random: Random, tiles: int, wang: int) -> Hands:
    """Hands of a shuffled deck each, by as many steps of Fisher and Yates as tiles are wanted."""
    deck = np.append(np.repeat(np.arange(FACE_COUNT), COPY_COUNT), [WANG] * wang).astype(np.uint8)
    decks = np.repeat(deck[:, None], CHUNK_ROWS, axis=1)
    columns = np.arange(CHUNK_ROWS)
    for place in range(tiles):
        other = random.integers(place, len(deck), CHUNK_ROWS, dtype=np.uint8)
        tile = decks[other, columns]
        decks[other, columns] = decks[place]
        decks[place] = tile
    hands: Hands = _STEPS[decks[:tiles]].sum(axis=0, dtype=np.uint64)
    return hands


def _build_groups(random: Random, quads: Faces, is_exposed: Mask) -> Codes:
    """Seven random groups a row: `quads` ti first, then runs, 2-7-10, jiao and kan, last the pair if any.

    A group is drawn again until it fits: no fifth copy of a face; and in hand no tile of another group's kan,
    ti or pair, nor a third tile of a face, for that would make a kan.
    """
    codes = np.zeros(is_exposed.shape, np.uint8)
    all_tiles = np.zeros(len(quads), np.uint64)
    hands = all_tiles.copy()
    for place in range(GROUP_COUNT):
        rows = np.arange(len(quads))
        while len(rows):
            drawn = _draw_groups(random, quads[rows], place)
            in_hand = ~is_exposed[rows, place]
            clashes = (all_tiles[rows] + _MORE_COPIES[drawn] & _FOURS[drawn]) != 0
            clashes |= in_hand & ((hands[rows] + _LOADS[drawn] & _FOURS[drawn]) != 0)
            fitting, drawn = rows[~clashes], drawn[~clashes]
            codes[fitting, place] = drawn
            all_tiles[fitting] += _TILES[drawn]
            hands[fitting] += np.where(is_exposed[fitting, place], np.uint64(0), _TILES[drawn])
            rows = rows[clashes]
    return codes


def _draw_groups(random: Random, quads: Faces, place: int) -> Codes:
    """A group a row that may stand at the place."""
    face = random.integers(0, FACE_COUNT, len(quads), dtype=np.uint8)
    codes = random.integers(CHI, PAIR, len(quads), dtype=np.uint8)
    np.copyto(codes, face + KAN, where=random.random(len(quads), dtype=np.float32) < TRIPLET_SHARE)
    np.copyto(codes, face + TI, where=quads > place)
    if place == GROUP_COUNT - 1:
        np.copyto(codes, face + PAIR, where=quads > 0)
    return codes


def _winners(random: Random) -> Counts:
    """Rows of tile counts of which a division exists, without and with a quad in turn."""
    quads = random.choice(len(QUAD_SHARES), CHUNK_ROWS, p=QUAD_SHARES)
    quads[::2] = 0
    codes = _build_groups(random, quads, np.zeros((CHUNK_ROWS, GROUP_COUNT), np.bool_))
    hands: Hands = _TILES[codes].sum(axis=1, dtype=np.uint64)
    return batch.unpack(hands[batch.max_xi(hands, method="backtrack") >= 0])


def _picked(random: Random, counts: Counts) -> Faces:
    """The face of one tile at random of each row."""
    through = counts.cumsum(axis=1, dtype=np.uint8)
    faces: Faces = (through <= random.integers(0, through[:, -1])[:, None]).sum(axis=1)
    return faces


def _one_swapped(random: Random, counts: Counts) -> Counts:
    """One tile of each row replaced by a tile of another face of which a copy is left."""
    rows = np.arange(len(counts))
    left = COPY_COUNT - counts[:, :FACE_COUNT]
    removed = _picked(random, counts)
    left[rows, removed] = 0
    counts[rows, removed] -= 1
    counts[rows, _picked(random, left)] += 1
    return counts


def _with_wang(random: Random, counts: Counts, wang: int) -> Counts:
    """So many tiles of each row turned into wangs."""
    rows = np.arange(len(counts))
    for _ in range(wang):
        counts[rows, _picked(random, counts[:, :FACE_COUNT])] -= 1
    counts[:, WANG] += np.uint8(wang)
    return counts


def _waiting(random: Random, wang: int) -> Counts:
    counts = _winners(random)
    counts[np.arange(len(counts)), _picked(random, counts)] -= 1
    counts = _with_wang(random, counts, wang)
    quads = (counts[:, :FACE_COUNT] == COPY_COUNT).sum(axis=1)
    waiting: Counts = counts[counts.sum(axis=1) == 19 + np.maximum(quads, 1)]
    return waiting


def _mid_game(random: Random, wang: int) -> Records:
    """Query records of states that can occur in play."""
    records, counts = _mid_game_wins(random)
    _replace_some(random, records, counts)
    held = random.binomial(wang, HELD_WANG_SHARE, len(counts))
    for step in range(wang):
        rows = np.flatnonzero(held > step)
        counts[rows] = _with_wang(random, counts[rows], 1)
    records["source"] = source = random.choice((SELF, OTHER, DISCARD), len(counts), p=(0.4, 0.4, 0.2))
    drawn_wang = (source == SELF) & (held < wang) & (random.random(len(counts)) < 0.1)
    records["win"][drawn_wang] = WANG
    records["hand"] = batch.pack(counts)
    possible: Records = records[counts[:, :FACE_COUNT].max(axis=1) < COPY_COUNT]
    return possible


def _mid_game_wins(random: Random) -> tuple[Records, Counts]:
    """Records built round a division, yet without hand and source, and the tile counts in hand."""
    quads = random.choice(len(MID_GAME_QUAD_SHARES), CHUNK_ROWS, p=MID_GAME_QUAD_SHARES)
    # The winning tile may make the only quad: of a kan in hand or of an exposed triplet.
    completes = (quads == 1) & (random.random(CHUNK_ROWS) < 0.5)
    from_hand = completes & (random.random(CHUNK_ROWS) < 0.5)
    exposed_count = np.maximum(random.integers(1, 6, CHUNK_ROWS), quads) + from_hand
    is_exposed = np.arange(GROUP_COUNT) < exposed_count[:, None]
    is_exposed[from_hand, 0] = False

    codes = _build_groups(random, quads, is_exposed)
    codes[completes, 0] -= np.uint8(TI - KAN)
    records = np.zeros(CHUNK_ROWS, RECORD_DTYPE)
    records["exposed"] = _exposed_codes(random, codes, is_exposed)
    counts = batch.unpack(_TILES[np.where(is_exposed, 0, codes)].sum(axis=1, dtype=np.uint64))
    records["win"] = np.where(completes, codes[:, 0] - np.uint8(KAN), _picked(random, counts))
    rows = np.flatnonzero(~completes)
    counts[rows, records["win"][rows]] -= 1
    return records, counts


def _exposed_codes(random: Random, codes: Codes, is_exposed: Mask) -> Codes:
    """The exposed groups as they may have come about, in any order, then zeros."""
    is_triplet = (codes >= KAN) & (codes < WEI)
    triplet = random.choice(np.array([PENG, WEI, CHOUWEI], np.uint8), codes.shape, p=(0.5, 0.45, 0.05))
    quad = random.choice(np.array([PAO, TI], np.uint8), codes.shape)
    exposed = np.where(is_triplet, codes - KAN + triplet, np.where(codes >= TI, codes - TI + quad, codes))
    exposed[~is_exposed] = 0
    order = np.where(is_exposed, random.random(codes.shape, dtype=np.float32), 2).argsort(axis=1)
    return np.take_along_axis(exposed, order, axis=1)


def _replace_some(random: Random, records: Records, counts: Counts) -> None:
    """Tiles in hand become others of which a copy is left, and in half of these rows the winning tile too."""
    win = records["win"]
    on_table = batch.unpack(_TILES[records["exposed"]].sum(axis=1, dtype=np.uint64))
    left = COPY_COUNT - counts - on_table
    left[:, WANG] = 0
    left[np.arange(len(left)), win] -= 1
    replaced = random.choice(REPLACED_TILES, len(counts))
    for step in range(max(REPLACED_TILES)):
        rows = np.flatnonzero(replaced > step)
        old, new = _picked(random, counts[rows]), _picked(random, left[rows])
        counts[rows, old] -= 1
        counts[rows, new] += 1
        left[rows, new] -= 1
    rows = np.flatnonzero((replaced > 0) & (random.random(len(counts)) < 0.5))
    win[rows] = _picked(random, left[rows])


_KEY_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
_STEPS = np.uint64(1) << np.arange(0, 63, 3, dtype=np.uint64)  # one tile of each face in a packed hand
# By group code, packed: the tiles; and what to add to the tiles that are there so that the third bit of a
# count (_FOURS) tells that the group does not fit: a fifth copy, or in hand a face that it may not share.
_COUNTS = np.array(
    [np.bincount(Group.from_code(code).faces if code else (), minlength=21) for code in range(CODE_COUNT)],
    np.uint64,
)
_IS_SET = (_COUNTS > 0).sum(axis=1, keepdims=True) == 1
_TILES = _COUNTS @ _STEPS
_FOURS = np.where(_COUNTS > 0, np.uint64(4), np.uint64(0)) @ _STEPS
_MORE_COPIES = np.where(_COUNTS > 0, _COUNTS - np.uint64(1), np.uint64(0)) @ _STEPS
_LOADS = np.where(_COUNTS > 0, np.where(_IS_SET, np.uint64(3), _COUNTS + np.uint64(1)), np.uint64(0)) @ _STEPS
