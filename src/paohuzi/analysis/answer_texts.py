"""Answers as columns of texts, made for a whole batch at once (docs/rules.md 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..groups import Group
from ..tiles import TILES, IllegalHand

__all__ = ["division_texts", "face_texts", "fan_texts", "wait_texts"]

Mask = npt.NDArray[np.bool_]
NATIVE_CODES = 1 << 12  # native group codes have 12 bits: a code and which tiles are wangs


def division_texts(groups: npt.NDArray[np.uint16], is_null: Mask) -> pa.Array:
    """The notation of divisions: groups is (N, 7) of native codes, 0 for none; null where asked.

    >>> import numpy as np
    >>> division_texts(np.array([[1, 79, 0, 0, 0, 0, 0]], np.uint16), np.array([False])).to_pylist()
    ['chi:123s; kan:111s']
    """
    is_there = groups != 0
    return _joined(_group_names().take(pa.array(groups[is_there])), is_there.sum(1), is_null, "; ")


def wait_texts(xi: npt.NDArray[np.int16], min_xi: int, is_null: Mask) -> pa.Array:
    """The waits with their xi, of (N, 21) xi by face: those that reach the minimum; null where asked.

    >>> import numpy as np
    >>> xi = np.full((1, 21), -1, np.int16)
    >>> xi[0, 6], xi[0, 18], xi[0, 19] = 22, 9, 21
    >>> wait_texts(xi, 15, np.array([False])).to_pylist()
    ['7s:22 0b:21']
    """
    is_wait = xi >= max(min_xi, 0)
    rows, faces = np.nonzero(is_wait)
    values = xi[rows, faces].astype(np.int64)
    size = 1 << int(values.max(initial=0)).bit_length()
    return _joined(_wait_names(size).take(pa.array(faces * size + values)), is_wait.sum(1), is_null, " ")


def face_texts(masks: npt.NDArray[np.uint32], is_null: Mask) -> pa.Array:
    """The faces of (N,) masks; null where asked.

    >>> import numpy as np
    >>> face_texts(np.array([0b101, 0], np.uint32), np.array([False, False])).to_pylist()
    ['1s 3s', '']
    """
    is_there = (masks[:, None] >> np.arange(len(TILES), dtype=np.uint32) & 1).astype(np.bool_)
    faces = np.nonzero(is_there)[1]
    return _joined(_face_names().take(pa.array(faces)), is_there.sum(1), is_null, " ")


def fan_texts(masks: npt.NDArray[np.uint32], ids: Sequence[str], is_null: Mask) -> pa.Array:
    """The ids of the fan of (N,) masks; null where asked.

    >>> import numpy as np
    >>> masks = np.array([0b101, 0, 0], np.uint32)
    >>> fan_texts(masks, ["hong", "dian", "duidui"], np.array([False, False, True])).to_pylist()
    ['hong+duidui', '', None]
    """
    found, places = np.unique(masks, return_inverse=True)
    texts = [
        "+".join(fan_id for place, fan_id in enumerate(ids) if mask >> place & 1) for mask in found.tolist()
    ]
    return pa.array(texts, pa.string()).take(pa.array(places, mask=is_null))


def _joined(texts: pa.Array, counts: npt.NDArray[np.int64], is_null: Mask, separator: str) -> pa.Array:
    """The texts of each row, as many as it has, as one text."""
    ends = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=ends[1:])
    rows = pa.ListArray.from_arrays(pa.array(ends), texts, mask=pa.array(is_null))
    return pc.binary_join(rows, separator)


@lru_cache(maxsize=1)
def _group_names() -> pa.Array:
    """The texts of the groups by native code; null where a number is none."""
    return pa.array([_group_name(native) for native in range(NATIVE_CODES)], pa.string())


def _group_name(native: int) -> str | None:
    try:
        return str(Group.from_native(native))
    except IllegalHand:
        return None


@lru_cache(maxsize=16)
def _wait_names(size: int) -> pa.Array:
    """The texts of the waits by face * size + xi."""
    return pa.array([f"{tile}:{xi}" for tile in TILES for xi in range(size)], pa.string())


@lru_cache(maxsize=1)
def _face_names() -> pa.Array:
    return pa.array([str(tile) for tile in TILES], pa.string())
