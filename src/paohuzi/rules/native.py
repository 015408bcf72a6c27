"""Rules as bytes for the native side: struct Rules of csrc/rules.hpp with the padding of its compilers."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from .fans import COUNT_MAX, FACTS

if TYPE_CHECKING:
    from .rules import Rules

__all__ = ["FAN_MAX", "OPTIONS_SIZE", "TOGETHER_MAX", "native_rules"]

FAN_MAX = 24
TOGETHER_MAX = 8
OPTIONS_SIZE = 47  # struct Options without the padding behind it
_OWN_DRAW = ("nothing", "tun", "fan")
_COMBINE = ("sum", "product", "none")
_OTHER_SHOWN = ("plain", "tianhu", "tianhu_own_draw")
_FACT_NUMBERS = {name: number for number, name in enumerate(FACTS)}

_OPTIONS = Struct("<21h5Bx")
_PLAY = Struct("<12B")
_SCORING = Struct("<3h5Bx")
_FAN = Struct(f"<BBh{COUNT_MAX + 1}h")
_TOGETHER = Struct("<Ih2x")


def native_rules(rules: Rules) -> bytes:
    """All of struct Rules."""
    return b"".join((_options(rules), _play(rules), _scoring(rules), _fans(rules), _together(rules)))


def _options(rules: Rules) -> bytes:
    return _OPTIONS.pack(
        *rules.xi.values[:-1],
        rules.min_xi,
        rules.kan_splittable,
        rules.third_from_other == "wei",
        rules.self_draw_forced,
        rules.wang_in_quad,
        rules.wang_in_triplet,
    )


def _play(rules: Rules) -> bytes:
    return _PLAY.pack(
        rules.seats,
        rules.wang,
        rules.discards_win,
        rules.peng_forced,
        rules.shown_hidden,
        rules.wang_penalty,
        rules.chi_dead_by_passed_chi,
        rules.peng_dead_by_passed_chi,
        rules.peng_dead_by_passed_peng,
        rules.chi_dead_by_passed_peng,
        rules.chi_dead_by_discard,
        rules.peng_dead_by_discard,
    )


def _scoring(rules: Rules) -> bytes:
    return _SCORING.pack(
        rules.tun_less,
        rules.tun_per,
        rules.tianhu_xi_factor,
        _OWN_DRAW.index(rules.own_draw),
        _COMBINE.index(rules.combine),
        _OTHER_SHOWN.index(rules.shown_win_by_other),
        len(rules.fans),
        len(rules.together),
    )


def _fans(rules: Rules) -> bytes:
    groups = [*dict.fromkeys(fan.exclusive for fan in rules.fans if fan.exclusive)]
    packed = [
        _FAN.pack(
            _FACT_NUMBERS[fan.fact],
            groups.index(fan.exclusive) + 1 if fan.exclusive else 0,
            fan.alone or 0,
            *fan.values,
        )
        for fan in rules.fans
    ]
    return b"".join(packed).ljust(FAN_MAX * _FAN.size, b"\0")


def _together(rules: Rules) -> bytes:
    places = {fan.id: place for place, fan in enumerate(rules.fans)}
    packed = [
        _TOGETHER.pack(sum(1 << places[part] for part in together.of), together.value)
        for together in rules.together
    ]
    return b"".join(packed).ljust(TOGETHER_MAX * _TOGETHER.size, b"\0")
