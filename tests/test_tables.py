"""The tables: the bytes of the manifest, rebuilt to the same bytes, an index without gaps, and entries that
equal a slow definition of their own."""

import hashlib
import itertools
import json
import random
import shutil
import subprocess
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from paohuzi import batch

SOURCES = Path(__file__).parent.parent / "tables"
FOLDER = resources.files("paohuzi") / "tables"
MANIFEST = json.loads((FOLDER / "manifest.json").read_text())["tables"]
NAMES = [entry["name"] for entry in MANIFEST]

PATTERNS = 9**5
STATES = [  # of one case: 4-5-6 runs, 5-6-7 runs, 2-7-10
    (first, second, sevens)
    for first, second in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
    for sevens in range(3)
]


def test_the_manifest_of_the_package_is_the_one_of_the_sources() -> None:
    assert json.loads((SOURCES / "manifest.json").read_text())["tables"] == MANIFEST


@pytest.mark.parametrize("entry", MANIFEST, ids=NAMES)
def test_each_table_built_here_has_the_bytes_of_the_manifest(entry: dict) -> None:
    data = (FOLDER / f"{entry['name']}.bin").read_bytes()
    assert len(data) == entry["bytes"]
    assert hashlib.sha256(data).hexdigest() == entry["sha256"]
    assert data[:8] == b"PHZTABLE"
    assert data[8:24].rstrip(b"\0").decode() == entry["name"]
    assert int.from_bytes(data[24:28], "little") == entry["version"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("entry", MANIFEST, ids=NAMES)
@pytest.mark.parametrize("flags", [["-O1"], ["-O3", "-funroll-loops"]], ids=" ".join)
def test_a_table_built_in_another_way_has_the_same_bytes(
    entry: dict, flags: list[str], tmp_path: Path
) -> None:
    compiler = shutil.which("c++") or shutil.which("g++")
    assert compiler, "needs a C++ compiler"
    program, table = tmp_path / "generate", tmp_path / "table.bin"
    source = SOURCES / f"{entry['name']}.cpp"
    subprocess.run([compiler, "-std=c++20", *flags, str(source), "-o", str(program)], check=True)
    subprocess.run([str(program), str(table)], check=True)
    assert hashlib.sha256(table.read_bytes()).hexdigest() == entry["sha256"]


# Reading the files as their heads describe them.


class File:
    """A table file: its sizes, and its arrays one after the other."""

    def __init__(self, name: str) -> None:
        self.data = (FOLDER / f"{name}.bin").read_bytes()
        self.sizes = np.frombuffer(self.data, np.uint32, 9, 28)
        self.place = 64

    def take(self, dtype: type, *shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        array = np.frombuffer(self.data, dtype, count, self.place).reshape(shape)
        self.place += -(-array.nbytes // 64) * 64
        return array


@lru_cache
def plain() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    file = File("plain")
    patterns, rows, _, stride = map(int, file.sizes[:4])
    tables = file.take(np.uint16, patterns), file.take(np.uint16, patterns), file.take(np.int8, rows, stride)
    assert file.place == len(file.data)
    return tables


@lru_cache
def divisions() -> tuple[np.ndarray, np.ndarray]:
    file = File("divisions")
    patterns, vectors = map(int, file.sizes[:2])
    tables = file.take(np.uint16, patterns, 4), file.take(np.uint8, vectors, 128)
    assert file.place == len(file.data)
    return tables


@lru_cache
def wang_side(side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    file = File("wang")
    for _ in range(side + 1):
        numbers = file.take(np.uint16, int(file.sizes[0]), int(file.sizes[1]))
        firsts = file.take(np.uint32, int(file.sizes[1]) + 1)
        vectors = file.take(np.uint8, int(firsts[-1]), 54)
    return numbers, firsts, vectors


def plain_entry(left: int, right: int) -> int | None:
    """The best xi of two patterns as the file has it."""
    rows, columns, matrix = plain()
    row = int(rows[left])
    rest = int(matrix[row & 8191, int(columns[right])])
    return None if rest < 0 else rest + 3 * (row >> 13)


# The slow definition: tiles as (rank, case), a recursion over the lowest one.


def half_counts(pattern: int, first_rank: int) -> dict[tuple[int, int], int]:
    counts = {}
    for i in range(5):
        digit = pattern // 9**i % 9
        counts[first_rank + i, 0] = digit % 3
        counts[first_rank + i, 1] = digit // 3
    return {tile: count for tile, count in counts.items() if count}


def groups_with(tile: tuple[int, int]) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """Groups of two or three tiles of which this is the lowest, with their xi; kan apart."""
    rank, case = tile
    three, six = (3, 0) if case == 0 else (6, 0)
    groups = [(((rank, case), (rank + 1, case), (rank + 2, case)), three if rank == 1 else six)]
    if rank == 2:
        groups.append((((2, case), (7, case), (10, case)), three))
    groups.append((((rank, case), (rank, case)), 0))
    if case == 0:
        groups.append((((rank, 0), (rank, 0), (rank, 1)), 0))
        groups.append((((rank, 0), (rank, 1), (rank, 1)), 0))
    return groups


def slow_divisions(counts: dict[tuple[int, int], int], pairs: int) -> dict[tuple, int]:
    """Every multiset of groups with exactly so many pairs (0 or 1), with its xi."""
    if not counts:
        return {(): 0} if pairs == 0 else {}
    found = {}
    tile = min(counts)
    for group, xi in groups_with(tile):
        is_pair = len(group) == 2
        if is_pair > pairs or any(counts.get(each, 0) < group.count(each) for each in group):
            continue
        rest = dict(counts)
        for each in group:
            rest[each] -= 1
            if not rest[each]:
                del rest[each]
        for others, more in slow_divisions(rest, pairs - is_pair).items():
            found[tuple(sorted((group, *others)))] = xi + more
    return found


def random_pattern(generator: random.Random, tiles: int) -> tuple[int, int]:
    """The patterns of the halves of so many free tiles, half of the time laid out in groups."""
    while True:
        counts = dict.fromkeys(itertools.product(range(1, 11), (0, 1)), 0)
        if generator.random() < 0.6:
            while sum(counts.values()) < tiles:
                group, _ = generator.choice(groups_with(generator.choice(list(counts))))
                for each in group if max(rank for rank, _ in group) <= 10 else ():
                    counts[each] += 1
        else:
            for tile in generator.sample([tile for tile in counts for _ in range(4)], tiles):
                counts[tile] += 1
        if max(counts.values()) <= 2 and sum(counts.values()) <= 21:
            digits = [counts[rank, 0] + 3 * counts[rank, 1] for rank in range(1, 11)]
            return (
                sum(digit * 9**i for i, digit in enumerate(digits[:5])),
                sum(digit * 9**i for i, digit in enumerate(digits[5:])),
            )


def check_patterns(left: int, right: int) -> bool:
    """Whether a division exists; the entries of both tables must say the same as the slow definition."""
    counts = half_counts(left, 1) | half_counts(right, 6)
    tiles = sum(counts.values())
    pairs = 1 if tiles % 3 == 2 else 0
    found = slow_divisions(counts, pairs)
    assert plain_entry(left, right) == max(found.values(), default=None)
    numbers, vectors = divisions()
    ways = [(0, 2), (0, 3), (1, 2)]
    dots = [
        int(
            vectors[numbers[left, a], :108].astype(np.int64)
            @ vectors[numbers[right, b], :108].astype(np.int64)
        )
        for a, b in ways
    ]
    assert len(found) == (0 if tiles % 3 == 1 else dots[1] + dots[2] if pairs else dots[0])
    return bool(found)


def test_entries_equal_a_slow_definition_of_their_own() -> None:
    generator = random.Random(20261130)
    have_division = sum(
        check_patterns(*random_pattern(generator, generator.choice([0, 5, 9, 12, 14, 15, 17, 18, 20, 21])))
        for _ in range(400)
    )
    assert have_division > 50


@pytest.mark.exhaustive
def test_every_pattern_of_a_half_by_itself_equals_the_slow_definition() -> None:
    for pattern in range(PATTERNS):
        if sum(half_counts(pattern, 1).values()) <= 21:
            check_patterns(pattern, 0)
            check_patterns(0, pattern)


# The index.


def test_the_index_of_a_half_is_a_bijection() -> None:
    """Each pattern is one combination of counts, and the core finds it where the formula says."""
    faces = np.array([*range(5), *range(10, 15)])
    weights = np.array([9**i for i in range(5)] + [3 * 9**i for i in range(5)])
    counts = np.array(list(itertools.product(range(3), repeat=10)), np.uint8)
    patterns = counts @ weights
    assert sorted(patterns) == list(range(PATTERNS))
    generator = np.random.default_rng(1)
    for shift in (0, 5):  # with a fixed other half, the answers are those of the row (or column)
        rest = np.zeros((PATTERNS, 20), np.uint8)
        rest[:, faces + shift] = counts
        whole = add_groups(rest, generator)
        answers = batch.max_xi(np.ascontiguousarray(whole))
        expected = [
            plain_entry(*((pattern, 0) if shift == 0 else (0, pattern))) for pattern in patterns.tolist()
        ]
        for hand, answer, xi in zip(whole, answers.tolist(), expected, strict=True):
            more = kan_xi(hand)
            fits = hand.sum() == 20 + max(1, (hand == 4).sum())
            assert answer == (-1 if xi is None or not fits else xi + more)


def add_groups(rest: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Fills hands up with kan, and a quad where a pair is due, on faces that they do not hold."""
    whole = rest.copy()
    for hand in whole:
        tiles = int(hand.sum())
        free = list(generator.permutation(np.flatnonzero(hand == 0)))
        if tiles % 3 == 2 and free:
            hand[free.pop()] = 4
        while free and hand.sum() - (hand == 4).sum() + 3 <= 21:
            hand[free.pop()] = 3
    return whole


def kan_xi(hand: np.ndarray) -> int:
    small, big = hand[:10], hand[10:]
    return int(3 * (small == 3).sum() + 9 * (small == 4).sum() + 6 * (big == 3).sum() + 12 * (big == 4).sum())


# Wang: vectors of a half by state.


def slow_half(counts: dict[tuple[int, int], int], wangs: int, first_rank: int) -> int | None:
    """Best xi of groups of three within a half that use all tiles and exactly so many wangs."""
    if not counts:
        if wangs % 3:
            return None
        return 6 * (wangs // 3)  # big triplets of wangs only
    best = None
    tile = min(counts, key=lambda each: (each[1], each[0]))
    rank, case = tile
    ranks = range(first_rank, first_rank + 5)
    value = 6 if case else 3
    runs = [
        [(start + i, case) for i in range(3)]
        for start in range(rank - 2, rank + 1)
        if start in ranks and start + 2 in ranks
    ]
    shapes = [(run, value if run[0][0] == 1 else 0) for run in runs]
    other = (rank, 1 - case)
    shapes += [([tile, tile, other], 0), ([tile, other, other], 0), ([tile, tile, tile], value)]
    for shape, xi in shapes:
        rest_tiles = list(shape)
        rest_tiles.remove(tile)
        for own in itertools.product((True, False), repeat=2):
            taken = [tile, *(each for each, is_own in zip(rest_tiles, own, strict=True) if is_own)]
            used = 3 - len(taken)
            if used > wangs or any(counts.get(each, 0) < taken.count(each) for each in taken):
                continue
            rest = dict(counts)
            for each in taken:
                rest[each] -= 1
                if not rest[each]:
                    del rest[each]
            more = slow_half(rest, wangs - used, first_rank)
            if more is not None and (best is None or xi + more > best):
                best = xi + more
    return best


def slow_vector(pattern: int, wangs: int, side: int) -> list[int | None]:
    """The vector of a half for every state of its residue, by trying every way to give own tiles or wangs."""
    first_rank = 1 + 5 * side
    counts = half_counts(pattern, first_rank)
    tiles = sum(counts.values()) + wangs
    vector = []
    for small, big in itertools.product(STATES, repeat=2):
        residue = sum(2 * state[0] + state[1] + state[2] for state in (small, big)) % 3
        if residue != (tiles if side == 0 else -tiles) % 3:
            continue
        asked: list[tuple[int, int]] = []
        xi = 0
        for case, (first, second, sevens) in enumerate((small, big)):
            if side == 0:
                asked += [(4, case)] * first + [(5, case)] * (first + second) + [(2, case)] * sevens
                xi += (6 if case else 3) * sevens
            else:
                asked += [(6, case)] * (first + second) + [(7, case)] * (second + sevens)
                asked += [(10, case)] * sevens
        best = None
        needs = {tile: asked.count(tile) for tile in asked}
        for own in itertools.product(*(range(min(n, counts.get(t, 0)) + 1) for t, n in needs.items())):
            given = dict(zip(needs, own, strict=True))
            rest = {tile: count - given.get(tile, 0) for tile, count in counts.items()}
            rest = {tile: count for tile, count in rest.items() if count}
            spare = wangs - (len(asked) - sum(own))
            more = slow_half(rest, spare, first_rank) if spare >= 0 else None
            if more is not None and (best is None or more > best):
                best = more
        vector.append(None if best is None else best + xi)
    return vector


def wang_entry(pattern: int, wangs: int, side: int) -> list[int | None]:
    numbers, firsts, vectors = wang_side(side)
    row = vectors[int(firsts[wangs]) + int(numbers[pattern, wangs])]
    values = [*(row & 15).tolist(), *(row >> 4).tolist()]
    return [None if value == 0 else 3 * (value - 1) for value in values]


@pytest.mark.parametrize("side", [0, 1], ids=["left", "right"])
def test_wang_vectors_equal_a_slow_definition_of_their_own(side: int) -> None:
    generator = random.Random(side)
    checked = 0
    while checked < 40:
        pattern, wangs = generator.randrange(PATTERNS), generator.randrange(5)
        if sum(half_counts(pattern, 1).values()) <= 9:
            assert wang_entry(pattern, wangs, side) == slow_vector(pattern, wangs, side)
            checked += 1


def test_tiles_beyond_what_groups_can_hold_have_no_vector() -> None:
    assert wang_entry(PATTERNS - 1, 2, 0) == [None] * 108  # 20 tiles and two wangs
