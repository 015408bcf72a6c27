"""The fan and the tun of every preset (docs/rules.md 5): a function each, from the facts of a win.

It is the twins' own table, written from the rules and never from the package's presets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

from .solver_twin import DEFAULT, LUZHOU, Options

Fans = dict[str, int]
Reading = tuple[Fans, int]  # the fan, and the total that multiplies


@dataclass(frozen=True)
class Switches:
    """The options of scoring, each at its default."""

    haidi_alone_gains: bool = True  # qq-half
    xiao_cap: int = 99  # qq-full: the most that 小 is worth
    yin_grows: bool = False  # quan-mingtang: 2, 4, 6 ... summed
    product: bool = False  # baiwang
    no_fan: bool = False  # luzhou
    tun_from_nine: bool = False  # luzhou: tun is xi - 9
    shown_is_heaven: bool = False  # any: another's win on the shown tile is 天胡 and own draw, no 地胡


@dataclass(frozen=True)
class Facts:
    """What fan are given for."""

    xi: int
    red: int
    big: int
    small: int
    duidui: bool
    every_xi: bool  # each group but the pair has xi
    red_quads: int
    own_draw: bool
    last_tile: bool
    tianhu: bool
    dihu: bool  # another's win on the shown tile
    first_discard: bool
    tinghu: bool
    hooks: frozenset[int]  # numbers of wangs that make a pair, triplet or quad with the winning tile alone
    hooks_of_wang: frozenset[int]  # the same where the winning tile is a wang itself


def given(*fans: tuple[str, int, bool]) -> Fans:
    """The fan whose condition holds."""
    return {name: value for name, value, holds in fans if holds}


def summed(fans: Fans) -> Reading:
    return fans, sum(fans.values()) or 1


def multiplied(fans: Fans) -> Reading:
    return fans, prod(fans.values())


def highest(fans: Fans) -> Fans:
    return dict(sorted(fans.items(), key=lambda item: item[1])[-1:])


def qq_basic(f: Facts, _: Switches) -> Reading:
    return summed(
        given(
            ("红胡", 2, f.red in (10, 11, 12)),
            ("点胡", 3, f.red == 1),
            ("红乌", 4, f.red >= 13),
            ("乌胡", 5, f.red == 0),
        )
    )


def qq_half(f: Facts, switches: Switches) -> Reading:
    black = f.red == 0
    fans = given(
        ("红胡", 2, f.red in (10, 11, 12)),
        ("点胡", 3, f.red == 1),
        ("红乌", 4, f.red >= 13),
        ("乌胡", 5, black and not f.duidui),
        ("对对胡", 4, f.duidui and not black),
        ("乌对", 10, black and f.duidui),
    )
    if not f.last_tile:
        return summed(fans)
    alone = 2 if switches.haidi_alone_gains else 1
    return summed(fans | {"海底": 2 if fans else alone})


def qq_full(f: Facts, switches: Switches) -> Reading:
    return summed(
        given(
            ("红胡", 2, f.red in (4, 7, 11, 12)),
            ("真点胡", 4, f.red == 1),
            ("假点胡", 3, f.red == 10),
            ("红乌", 4 + (f.red - 13), f.red >= 13),
            ("乌胡", 5, f.red == 0),
            ("对对胡", 5, f.duidui),
            ("大", 6 + (f.big - 18), f.big >= 18),
            ("小", min(8 + (f.small - 16), switches.xiao_cap), f.small >= 16),
            ("海底", 2, f.last_tile),  # alone it adds 1 to 1
        )
    )


def quan_mingtang(f: Facts, switches: Switches) -> Reading:
    seals = range(1, f.red_quads + 1)
    return summed(
        given(
            ("点胡", 4, f.red == 1),
            ("红胡", 2 + (f.red - 10), f.red >= 10),
            ("乌胡", 6, f.red == 0),
            ("对对胡", 6, f.duidui),
            ("大", 6, f.big >= 18),
            ("小", 8, f.small >= 16),
            ("海底", 6, f.last_tile),
            ("天胡", 6, f.tianhu),
            ("地胡", 6, f.dihu),
            ("听胡", 6, f.tinghu),
            ("项项息", 3, f.every_xi),
            ("印", sum(2 * n if switches.yin_grows else 2 for n in seals), f.red_quads > 0),
        )
    )


def hunan(f: Facts, _: Switches) -> Reading:
    return summed(
        given(
            ("红胡", 2, 10 <= f.red <= 12),
            ("点胡", 3, f.red == 1),
            ("红乌", 4, f.red > 12),
            ("乌胡", 5, f.red == 0),
        )
    )


def kaixin(f: Facts, _: Switches) -> Reading:
    red, very_red, black = 10 <= f.red <= 12, f.red >= 13, f.red == 0
    fans = given(
        ("红胡", 2, red and not f.duidui),
        ("点胡", 3, f.red == 1),
        ("红乌", 4, very_red and not f.duidui),
        ("对对胡", 4, f.duidui and not (red or very_red or black)),
        ("乌胡", 5, black and not f.duidui),
        ("红对", 6, red and f.duidui),
        ("红乌对", 8, very_red and f.duidui),
        ("乌对", 10, black and f.duidui),
    )
    return fans, (sum(fans.values()) or 1) + f.own_draw


def baiwang(f: Facts, switches: Switches) -> Reading:
    fans = given(
        ("红胡", 2, 10 <= f.red <= 12),
        ("海底", 2, f.last_tile),
        ("点胡", 3, f.red == 1),
        ("大", 3 + (f.big - 18), f.big >= 18),
        ("小", 4 + (f.small - 18), f.small >= 18),
        ("对对胡", 4, f.duidui),
        ("红乌", 4, f.red >= 13),
        ("乌胡", 5, f.red == 0),
    )
    return multiplied(fans) if switches.product else summed(fans)


def yongzhou(f: Facts, _: Switches) -> Reading:
    hooks = f.hooks | f.hooks_of_wang
    colour = given(("红胡", 2, f.red >= 10), ("点胡", 3, f.red == 1), ("乌胡", 4, f.red == 0))
    draw = given(("自摸", 2, f.own_draw), ("单王吊", 4, 1 in hooks), ("双王吊", 8, 2 in hooks))
    return multiplied(colour | highest(draw))


def luzhou(f: Facts, switches: Switches) -> Reading:
    fans = given(
        ("红胡", 2, f.red >= 10),
        ("乌胡", 4, f.red == 0),
        ("天胡", 2, f.tianhu),
        ("地胡", 2, f.first_discard),
    )
    return ({}, 1) if switches.no_fan else multiplied(fans)


def changde_honghei(f: Facts, _: Switches) -> Reading:
    return summed(
        given(
            ("红胡", 2, 10 <= f.red < 13),
            ("点胡", 3, f.red == 1),
            ("红乌", 4, f.red >= 13),
            ("乌胡", 5, f.red == 0),
            ("对对胡", 4, f.duidui),
        )
    )


def changde_duohong(f: Facts, _: Switches) -> Reading:
    return summed(
        given(
            ("红胡", 2 + (f.red - 10), f.red >= 10),
            ("点胡", 4, f.red == 1),
            ("乌胡", 6, f.red == 0),
            ("对对胡", 6, f.duidui),
            ("天胡", 4, f.tianhu),
            ("地胡", 4, f.dihu),
            ("海底", 4, f.last_tile),
            ("听胡", 4, f.tinghu),
        )
    )


def yongzhou_4(f: Facts, _: Switches) -> Reading:
    colour = given(("红胡", 2, f.red >= 10), ("点胡", 3, f.red == 1), ("乌胡", 4, f.red == 0))
    draw = given(
        ("自摸", 2, f.own_draw),
        ("王钓", 4, 1 in f.hooks),
        ("王钓王", 8, 1 in f.hooks_of_wang),
        ("王闯", 8, 2 in f.hooks),
        ("王闯王", 16, 2 in f.hooks_of_wang),
        ("王炸", 16, 3 in f.hooks),
        ("王炸王", 32, 3 in f.hooks_of_wang),
    )
    return multiplied(colour | highest(draw))


def tun_by_threes(f: Facts, _: Switches) -> int:
    return max(0, (f.xi - 12) // 3)


def tun_of_qq_full(f: Facts, _: Switches) -> int:
    return max(0, ((2 * f.xi if f.tianhu else f.xi) - 12) // 3)


def tun_of_luzhou(f: Facts, switches: Switches) -> int:
    return max(0, f.xi - 9 if switches.tun_from_nine else f.xi // 10)


@dataclass(frozen=True)
class Preset:
    fans: Callable[[Facts, Switches], Reading]
    tun: Callable[[Facts, Switches], int] = tun_by_threes
    options: Options = DEFAULT
    own_draw_adds_tun: bool = True
    shown_is_tianhu: bool = False  # another's win on the shown tile, which stays no own draw


PRESETS = {
    "qq-basic": Preset(qq_basic),
    "qq-half": Preset(qq_half),
    "qq-full": Preset(qq_full, tun_of_qq_full, shown_is_tianhu=True),
    "quan-mingtang": Preset(quan_mingtang),
    "hunan": Preset(hunan),
    "kaixin": Preset(kaixin, own_draw_adds_tun=False),
    "baiwang": Preset(baiwang),
    "yongzhou": Preset(yongzhou, options=Options(wang=2), own_draw_adds_tun=False),
    "luzhou": Preset(luzhou, tun_of_luzhou, Options(LUZHOU, min_xi=10, discards_win=True)),
    "changde-honghei": Preset(changde_honghei),
    "changde-duohong": Preset(changde_duohong),
    "yongzhou-4": Preset(yongzhou_4, options=Options(wang=4), own_draw_adds_tun=False),
}
