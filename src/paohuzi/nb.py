"""Single queries inside numba's compiled code, `@njit(nogil=True, cache=True)` (docs/rules.md 3 and 6).

Everything is a number here: hands are packed, the codes of exposed groups stand in the bytes of one number
(`pack_exposed`), faces are 0 to 20, sources 1 to 3 (SELF, OTHER, DISCARD), and rules come as the number that
`register` gives them in this process. Answers are xi with NO_DIVISION, masks by face, or INVALID for what is
no query. The same functions work in plain Python.

    from numba import njit
    from paohuzi import nb

    @njit(nogil=True, cache=True)
    def count_wins(hands):
        wins = 0
        for hand in hands:
            wins += nb.is_hu(hand)
        return wins
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    from llvmlite import binding  # type: ignore[import-untyped]
    from numba import types
    from numba.core.errors import TypingError
    from numba.extending import get_cython_function_address, overload, register_jitable
except ImportError as error:
    raise ImportError("paohuzi.nb needs numba: pip install paohuzi[numba]") from error

from . import _native
from .rules import RulesLike, as_rules
from .tiles import FACE_COUNT

__all__ = [
    "DISCARD",
    "INVALID",
    "NO_DIVISION",
    "OTHER",
    "SELF",
    "is_hu",
    "max_xi",
    "pack_exposed",
    "ready_discards",
    "register",
    "solve_xi",
    "wait_xi",
    "waits",
]

SELF, OTHER, DISCARD = 1, 2, 3
NO_DIVISION, INVALID = -1, -3
FACE_AXIS = FACE_COUNT + 1
EXPOSED_MAX = 7

_C_TYPES = {types.int64: ctypes.c_int64, types.uint64: ctypes.c_uint64}
_XI_BY_FACE = types.CPointer(types.int16)  # type: ignore[no-untyped-call]


def _native_function(name: str, *arguments: Any) -> tuple[Any, Any]:
    """A C function of the door, for compiled code and for Python; it returns int64."""
    symbol = f"paohuzi_{name}"
    address = get_cython_function_address("paohuzi._native", symbol)
    binding.add_symbol(symbol, address)
    c_arguments = [_C_TYPES.get(argument, ctypes.c_void_p) for argument in arguments]
    compiled = types.ExternalFunction(symbol, types.int64(*arguments))
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *c_arguments)(address)

    def checked(*values: int) -> int:
        # ctypes would drop the upper bits without a word, and make a hand of what is none.
        fits = all(-(1 << 63) <= value < 1 << 64 for value in values)
        return int(call(*values)) if fits else INVALID

    return compiled, checked


_max_xi, _call_max_xi = _native_function("max_xi", types.uint64, types.int64)
_is_hu, _call_is_hu = _native_function("is_hu", types.uint64, types.int64)
_solve_xi, _call_solve_xi = _native_function("solve_xi", *[types.uint64] * 2, *[types.int64] * 3)
_waits, _call_waits = _native_function("waits", *[types.uint64] * 2, *[types.int64] * 2)
_wait_xi, _call_wait_xi = _native_function("wait_xi", *[types.uint64] * 2, *[types.int64] * 2, _XI_BY_FACE)
_discards, _call_discards = _native_function("ready_discards", *[types.uint64] * 2, *[types.int64] * 2)


def init() -> None:
    """Called by numba's entry point: importing this module has taught numba the functions."""


def register(rules: RulesLike) -> int:
    """The number of rules for the functions here, in this process only. Raises ValueError past the 64th.

    >>> register("qq-basic")
    0
    """
    rules = as_rules(rules)
    return _native.register_rules(rules.options, rules.wang)


def pack_exposed(codes: Iterable[int]) -> int:
    """The number that has up to seven group codes (`Group.code`) in its bytes, the first one lowest.

    >>> from paohuzi import Group
    >>> hex(pack_exposed([Group.parse("ti:0000b").code, Group.parse("chi:123b").code]))
    '0x9b2'
    """
    packed = 0
    shift = 0
    for code in codes:
        if not 0 < code < 1 << 8 or shift == 8 * EXPOSED_MAX:
            raise ValueError("expected at most seven group codes, 1 to 178")
        packed |= int(code) << shift
        shift += 8
    return packed


def max_xi(hand: int, rules: int = 0) -> int:
    """The best xi of a packed whole hand, NO_DIVISION or INVALID. See docs/rules.md 3.

    >>> from paohuzi import Hand
    >>> max_xi(Hand.parse("122345678900s 122345670b").packed)
    18
    """
    return int(_call_max_xi(hand, rules))


def is_hu(hand: int, rules: int = 0) -> bool:
    """Whether a packed whole hand wins: its xi reaches the minimum. See docs/rules.md 3.

    >>> from paohuzi import Hand
    >>> is_hu(Hand.parse("122345678900s 122345670b").packed)
    True
    """
    return int(_call_is_hu(hand, rules)) > 0


def solve_xi(hand: int, exposed: int, win: int, source: int, rules: int = 0) -> int:
    """The best xi of a query, NO_DIVISION or INVALID; win -1 and source 0 for none. See docs/rules.md 3.

    >>> from paohuzi import Group, Hand
    >>> exposed = pack_exposed(Group.parse(text).code for text in ("ti:0000b", "wei:222s", "chi:123b"))
    >>> solve_xi(Hand.parse("34577s 34599b").packed, exposed, 18, SELF)
    27
    """
    return int(_call_solve_xi(hand, exposed, win, source, rules))


def waits(hand: int, exposed: int = 0, source: int = SELF, rules: int = 0) -> int:
    """The mask of the faces that a hand one tile short waits for, or INVALID. See docs/rules.md 3.10.

    >>> from paohuzi import Hand
    >>> bin(waits(Hand.parse("2233456678s 3456999000b").packed, 0, OTHER))
    '0b11000000000000000000'
    """
    return int(_call_waits(hand, exposed, source, rules))


def wait_xi(hand: int, exposed: int, source: int, rules: int, out: npt.NDArray[np.int16]) -> int:
    """Fill an int16 array of 21 with the best xi by winning face, NO_DIVISION for none; returns 0 or INVALID.

    See docs/rules.md 3.10.

    >>> from paohuzi import Hand
    >>> out = np.empty(21, np.int16)
    >>> wait_xi(Hand.parse("2233456678s 3456999000b").packed, 0, OTHER, 0, out), out[18]
    (0, np.int16(15))
    """
    if out.dtype != np.int16 or out.shape != (FACE_AXIS,) or not out.flags.carray:
        raise ValueError(f"expected a writeable int16 array of 21, got {out.dtype} {out.shape}")
    return int(_call_wait_xi(hand, exposed, source, rules, out.ctypes.data))


def ready_discards(hand: int, exposed: int = 0, source: int = SELF, rules: int = 0) -> int:
    """The mask of the faces after whose discard a hand waits, or INVALID. See docs/rules.md 3.10 and 4.5.

    >>> from paohuzi import Hand
    >>> ready_discards(Hand.parse("12233456678s 3456999000b").packed, 0, OTHER) & 1
    1
    """
    return int(_call_discards(hand, exposed, source, rules))


def _compile_wait_xi(hand: Any, exposed: Any, source: Any, rules: Any, out: Any) -> Any:
    form = (types.int16, 1, "C", True)
    if not isinstance(out, types.Array) or (out.dtype, out.ndim, out.layout, out.mutable) != form:
        raise TypingError(f"expected out as a writeable contiguous int16 array of 21, got {out}")

    def implementation(hand: Any, exposed: Any, source: Any, rules: Any, out: Any) -> Any:
        if out.size != FACE_AXIS:
            raise ValueError("expected out of size 21")
        return _wait_xi(hand, exposed, source, rules, out.ctypes)

    return implementation


register_jitable(pack_exposed)
overload(max_xi)(lambda hand, rules=0: lambda hand, rules=0: _max_xi(hand, rules))
overload(is_hu)(lambda hand, rules=0: lambda hand, rules=0: _is_hu(hand, rules) != 0)
overload(solve_xi)(
    lambda hand, exposed, win, source, rules=0: (
        lambda hand, exposed, win, source, rules=0: _solve_xi(hand, exposed, win, source, rules)
    )
)
overload(waits)(
    lambda hand, exposed=0, source=SELF, rules=0: (
        lambda hand, exposed=0, source=SELF, rules=0: _waits(hand, exposed, source, rules)
    )
)
overload(wait_xi)(_compile_wait_xi)
overload(ready_discards)(
    lambda hand, exposed=0, source=SELF, rules=0: (
        lambda hand, exposed=0, source=SELF, rules=0: _discards(hand, exposed, source, rules)
    )
)
