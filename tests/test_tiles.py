"""Tiles: faces, colours, texts, and the arithmetic of tallies."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import counts_of, outcome, tiles, wild_texts

from paohuzi.tiles import (
    FACE_COUNT,
    TILES,
    WANG,
    IllegalHand,
    NotationError,
    Tile,
    has_fifth_copy,
    tally_counts,
    tally_of,
    tally_total,
)

SUFFIX = "expected the suffix s (small, 小) or b (big, 大)"


def test_faces_are_small_then_big_then_wang() -> None:
    assert [str(tile) for tile in TILES] == [
        *("1s", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "0s"),
        *("1b", "2b", "3b", "4b", "5b", "6b", "7b", "8b", "9b", "0b"),
        "W",
    ]
    assert "".join(tile.chinese for tile in TILES) == "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾王"


def test_rank_case_and_colour() -> None:
    assert [tile.rank for tile in TILES] == [*range(1, 11), *range(1, 11), 0]
    assert [tile.face for tile in TILES if tile.is_big] == list(range(10, 20))
    assert [str(tile) for tile in TILES if tile.is_red] == ["2s", "7s", "0s", "2b", "7b", "0b"]
    assert [tile.face for tile in TILES if tile.is_wang] == [WANG]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0b", "0b"), ("7S", "7s"), (" 3 b ", "3b"), ("w", "W"), ("王", "W"), ("７ｓ", "7s"), ("Ｗ", "W"),
        ("十", "0s"), ("拾", "0b"), ("贰", "2b"), ("貳", "2b"), ("叁", "3b"), ("參", "3b"), ("叄", "3b"),
        ("陆", "6b"), ("陸", "6b"), ("　九　", "9s"),
    ],
)  # fmt: skip
def test_other_ways_to_write_a_tile(text: str, canonical: str) -> None:
    assert str(Tile.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected one tile, as 1s, 0b, W or 柒, found nothing more at character 1 of ''"),
        ("12s", "expected one tile, as 1s, 0b, W or 柒, found '12s' at character 1 of '12s'"),
        ("5", f"{SUFFIX} after '5', found nothing more at character 2 of '5'"),
        ("5x", f"{SUFFIX} after '5', found 'x' at character 2 of '5x'"),
        ("s", "expected a tile as 1s, 0b, W or 柒, found 's' at character 1 of 's'"),
        ("1(2)s", "found '(' at character 2 of '1(2)s'"),
        ("5W", "found 'W' at character 2 of '5W'"),
        ("²s", "found '²' at character 1 of '²s'"),
    ],
)
def test_a_wrong_tile_text_names_the_place_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        Tile.parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize("face", [-1, 21, 255])
def test_a_face_is_from_0_to_20(face: int) -> None:
    with pytest.raises(IllegalHand, match=f"expected a face from 0 to 20, got {face}"):
        Tile(face)


@pytest.mark.parametrize("not_text", [None, 5, b"1s", ["1s"]])
def test_only_texts_are_parsed(not_text: Any) -> None:
    with pytest.raises(TypeError, match="expected a text"):
        Tile.parse(not_text)


def test_a_face_is_a_whole_number() -> None:
    with pytest.raises(TypeError):
        Tile(3.0)  # type: ignore[arg-type]
    assert type(Tile(True).face) is int


@given(tiles)
def test_a_tile_reads_its_own_texts(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == Tile.parse(tile.chinese) == tile
    assert eval(repr(tile)) == tile


@given(tiles, st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_a_tile_can_be_pickled_and_copied(tile: Tile, protocol: int) -> None:
    assert pickle.loads(pickle.dumps(tile, protocol)) == tile == copy.deepcopy(tile)
    assert hash(copy.copy(tile)) == hash(tile)


def test_a_tile_is_frozen_and_ordered() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        TILES[3].face = 4  # type: ignore[misc]
    assert sorted([Tile(20), Tile(3), Tile(12)]) == [Tile(3), Tile(12), Tile(20)]


@given(wild_texts(tiles.map(str)))
def test_any_text_is_a_tile_or_a_notation_error(text: str) -> None:
    tile, refusal = outcome(Tile.parse, text)
    if tile is None:
        assert isinstance(refusal, NotationError)
        assert re.search(r"expected .*, found .* at character \d+ of ", str(refusal), re.DOTALL)
    else:
        assert Tile.parse(str(tile)) == tile


@given(st.lists(st.integers(0, FACE_COUNT), max_size=120))
def test_a_tally_counts_tiles(faces: list[int]) -> None:
    tally = tally_of(faces)
    counts = counts_of(faces)
    assert tally_counts(tally) == tuple(counts)
    assert tally_total(tally) == len(faces)
    assert has_fifth_copy(tally) == (max(counts) > 4)
