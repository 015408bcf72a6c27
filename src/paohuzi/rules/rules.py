"""The rules of a table as one value: divisions and their xi, play, score (docs/rules.md 2 to 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING, Any

from ..groups import XI_MAX, XiTable
from ..tiles import WANG_MAX, NotationError
from .fans import FACTS, FAN_CHECKS, TOGETHER_CHECKS, VALUE_MAX, Fan, Title, Together
from .native import FAN_MAX, OPTIONS_SIZE, TOGETHER_MAX, native_rules
from .values import Check, Value, check_fields, one_of, optional, read_text, text, truth, whole

__all__ = ["FLAT_CHECKS", "XI_TABLES", "Rules"]

GROUP_COUNT = 7
MIN_XI_MAX = GROUP_COUNT * XI_MAX
PAYMENT_MAX = (1 << 31) - 1  # int32 on the native side
XI_TABLES = {"classic": XiTable.CLASSIC, "luzhou": XiTable.LUZHOU}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rules(Value):
    """The rules of a table, passed whole. Raises ValueError. See docs/rules.md 3 to 5.

    The fields and the numbers they may hold are those of the files of rules, docs/rules.md 5.6.

    >>> Rules("at home", min_xi=10).with_options({"discards_win": "yes"}).discards_win
    True
    """

    name: str
    chinese: str = ""
    about: str = ""
    source: str = ""
    seats: int = 3
    wang: int = 0
    xi: XiTable = XiTable.CLASSIC
    min_xi: int = 15
    kan_splittable: bool = False
    third_from_other: str = "peng"
    self_draw_forced: bool = True
    discards_win: bool = False
    wang_in_quad: bool = True
    wang_in_triplet: bool = True
    shown_hidden: bool = False
    peng_forced: bool = False
    chi_dead_by_passed_chi: bool = True
    peng_dead_by_passed_chi: bool = True
    peng_dead_by_passed_peng: bool = True
    chi_dead_by_passed_peng: bool = True
    chi_dead_by_discard: bool = True
    peng_dead_by_discard: bool = True
    tun_less: int = 12
    tun_per: int = 3
    tianhu_xi_factor: int = 1
    own_draw: str = "tun"
    shown_win_by_other: str = "plain"
    combine: str = "sum"
    stake: int = 1
    wang_penalty: int = 0
    flee_tun: int | None = None
    fans: tuple[Fan, ...] = ()
    together: tuple[Together, ...] = ()
    titles: tuple[Title, ...] = ()
    native: bytes = field(init=False)
    """What the native side has to know: struct Rules of csrc/rules.hpp, little endian."""
    options: bytes = field(init=False)
    """The first part of it, struct Options: what decides a division and its xi."""

    def __post_init__(self) -> None:
        check_fields(self, _CHECKS)
        for name in ("fans", "together", "titles"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _check_fans(self)
        _check_payment(self)
        _check_titles(self.titles)
        object.__setattr__(self, "native", native_rules(self))
        object.__setattr__(self, "options", self.native[:OPTIONS_SIZE])

    @property
    def hash(self) -> str:
        """The SHA-256 of all fields as 64 hex digits, the same everywhere. See docs/rules.md 5.6.

        >>> len(Rules("at home").hash)
        64
        """
        from .shape import hash_of

        return hash_of(self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The field of a preset that nobody has looked at yet: now its file is read."""
            if name == "name" or name not in self.__slots__:
                raise AttributeError(f"Rules have no {name!r}")
            from .files import read_rules
            from .presets import preset_path

            read = read_rules(preset_path(self.name))
            for slot in self.__slots__:
                object.__setattr__(self, slot, getattr(read, slot))
            return getattr(read, name)

    def tun(self, xi: int) -> int:
        """The tun (囤) that so many xi are worth, 0 or more. See docs/rules.md 5.1.

        >>> [Rules("at home").tun(xi) for xi in (15, 17, 18, 20, 21, 24)]
        [1, 1, 2, 2, 3, 4]
        """
        return max(0, (xi - self.tun_less) // self.tun_per)

    def fan(self, fan_id: str) -> Fan:
        """The fan of an id. Raises NotationError naming those there are.

        >>> from paohuzi import DEFAULT_RULES
        >>> DEFAULT_RULES.fan("wu").value
        5
        """
        found: Fan = _part_of(self.fans, "fan", fan_id)
        return found

    @property
    def fan_ids(self) -> tuple[str, ...]:
        """The ids of the fan, then of together: in the order of the bits of a mask of fan.

        >>> from paohuzi import load_rules
        >>> load_rules("qq-half").fan_ids[-2:]
        ('haidi', 'wudui')
        """
        return (*(fan.id for fan in self.fans), *(together.id for together in self.together))

    def to_dict(self) -> dict[str, Any]:
        """All fields in the shape of a file of rules, for JSON or TOML. See docs/rules.md 5.6.

        >>> Rules("at home").to_dict()["min_xi"]
        15
        """
        from .shape import dict_of

        return dict_of(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Rules:
        """Rules from the shape of a file; fields that are not there have their default values.

        Raises NotationError naming the field. See docs/rules.md 5.6.

        >>> wu = {"chinese": "乌胡", "fact": "red", "when": 0, "value": 5}
        >>> Rules.from_dict({"name": "at home", "fan": {"wu": wu}}).fan("wu").values[:2]
        (5, 0)
        """
        from .shape import rules_of

        return rules_of(fields)

    def with_options(self, options: Mapping[str, object]) -> Rules:
        """These rules with some fields changed, texts read as on the command line.

        options: field to value, also as fan.haidi.alone or together.wudui.value; xi also as "classic" or
        "luzhou", truths as yes/no, true/false, on/off, 1/0. Raises NotationError.

        >>> Rules("at home").with_options({"min_xi": "10", "xi": "luzhou"}).min_xi
        10
        """
        try:
            return _changed(self, options)
        except NotationError:
            raise
        except ValueError as error:
            raise NotationError(str(error)) from None


def _changed(rules: Rules, options: Mapping[str, object]) -> Rules:
    flat: dict[str, Any] = {}
    for name, value in options.items():
        table, *path = name.split(".")
        if table in _PARTS and len(path) == 2:
            rules = _with_part(rules, table, path[0], path[1], value)
        elif name in _CHECKS:
            flat[name] = read_text(_CHECKS[name], name, value)
        else:
            known = f"{', '.join(_CHECKS)}, fan.ID.FIELD, together.ID.FIELD"
            raise NotationError(f"expected an option ({known}), got {name!r}")
    return replace(rules, **flat)


def _with_part(rules: Rules, table: str, part_id: str, name: str, value: object) -> Rules:
    """The rules with one field of one fan changed."""
    field_name, checks = _PARTS[table]
    parts = getattr(rules, field_name)
    part = _part_of(parts, table, part_id)
    if name not in checks or name == "id":
        known = ", ".join(known for known in checks if known != "id")
        raise NotationError(f"expected a field of {table}.{part_id} ({known}), got {name!r}")
    new: Any = replace(part, **{name: read_text(checks[name], f"{table}.{part_id}.{name}", value)})
    changed: dict[str, Any] = {field_name: tuple(new if old is part else old for old in parts)}
    return replace(rules, **changed)


def _part_of(parts: tuple[Any, ...], table: str, part_id: str) -> Any:
    for part in parts:
        if part.id == part_id:
            return part
    known = ", ".join(part.id for part in parts) or "there is none"
    raise NotationError(f"expected the id of a {table} ({known}), got {part_id!r}")


def _tuple_of(kind: type, most: int) -> Check:
    what = f"up to {most} {kind.__name__} values"
    return Check(
        lambda value: (
            isinstance(value, (tuple, list))
            and len(value) <= most
            and all(isinstance(part, kind) for part in value)
        ),
        what,
        _refuse_text,
        what,
    )


def _refuse_text(word: str) -> Any:
    raise ValueError(word)


_XI_CHECK = Check(
    lambda value: isinstance(value, XiTable),
    f"a XiTable ({', '.join(XI_TABLES)})",
    lambda word: XI_TABLES[word.lower()],
    f"a XiTable ({', '.join(XI_TABLES)})",
)
FLAT_CHECKS = {
    **dict.fromkeys(("name", "chinese", "about", "source"), text),
    "seats": whole(3, 4),
    "wang": whole(0, WANG_MAX),
    "xi": _XI_CHECK,
    "min_xi": whole(0, MIN_XI_MAX),
    "kan_splittable": truth,
    "third_from_other": one_of("peng", "wei"),
    **dict.fromkeys(("self_draw_forced", "discards_win", "wang_in_quad", "wang_in_triplet"), truth),
    **dict.fromkeys(("shown_hidden", "peng_forced"), truth),
    **dict.fromkeys(("chi_dead_by_passed_chi", "peng_dead_by_passed_chi"), truth),
    **dict.fromkeys(("peng_dead_by_passed_peng", "chi_dead_by_passed_peng"), truth),
    **dict.fromkeys(("chi_dead_by_discard", "peng_dead_by_discard"), truth),
    "tun_less": whole(0, MIN_XI_MAX),
    "tun_per": whole(1, MIN_XI_MAX),
    "tianhu_xi_factor": whole(1, 4),
    "own_draw": one_of("nothing", "tun", "fan"),
    "shown_win_by_other": one_of("plain", "tianhu", "tianhu_own_draw"),
    "combine": one_of("sum", "product", "none"),
    "stake": whole(1, 10**6),
    "wang_penalty": whole(0, 255),
    "flee_tun": optional(whole(0, VALUE_MAX)),
}
_CHECKS = {
    **FLAT_CHECKS,
    "fans": _tuple_of(Fan, FAN_MAX),
    "together": _tuple_of(Together, TOGETHER_MAX),
    "titles": _tuple_of(Title, 1000),
}
_PARTS = {"fan": ("fans", FAN_CHECKS), "together": ("together", TOGETHER_CHECKS)}


def _check_fans(rules: Rules) -> None:
    """What holds between the fan. Raises ValueError."""
    ids = [fan.id for fan in rules.fans]
    for part_id in (every := [*ids, *(together.id for together in rules.together)]):
        if every.count(part_id) > 1:
            raise ValueError(f"expected different ids for fans and together, got {part_id!r} twice")
    for together in rules.together:
        for part_id in together.of:
            if part_id not in ids:
                known = ", ".join(ids) or "there is none"
                raise ValueError(
                    f"expected ids of fan ({known}) for together.{together.id}.of, got {part_id!r}"
                )


def _check_payment(rules: Rules) -> None:
    """No payment may be more than its column holds. Raises ValueError."""
    base, fan = _greatest_base(rules), _greatest_fan(rules)
    if max(base, 1) * fan > PAYMENT_MAX:
        add_up = " or add them up" if rules.combine == "product" else ""
        raise ValueError(
            f"expected payments up to {PAYMENT_MAX}, got up to {base} tun x {fan} fan: lower what the fan "
            f"count{add_up}, lower xi, or raise tun_per"
        )


def _greatest_base(rules: Rules) -> int:
    xi = GROUP_COUNT * max(rules.xi.values) * rules.tianhu_xi_factor
    return rules.tun(xi) + (rules.own_draw == "tun")


def _greatest_fan(rules: Rules) -> int:
    """No total is greater: fan that look at the same fact see the same number of it."""
    combined = _product if rules.combine == "product" else sum
    exclusive: dict[str, int] = {}
    by_fact: dict[str, list[tuple[int, ...]]] = {}
    for fan in rules.fans:
        if fan.exclusive:
            exclusive[fan.exclusive] = max(exclusive.get(fan.exclusive, 0), *fan.values)
        else:
            by_fact.setdefault(fan.fact, []).append(fan.values[: FACTS[fan.fact].most + 1])
    parts = [max(map(combined, zip(*values, strict=True))) for values in by_fact.values()]
    parts += [*exclusive.values(), *(together.value for together in rules.together)]
    greatest = max(combined(parts), 1, *(fan.alone or 0 for fan in rules.fans))
    return (1 if rules.combine == "none" else greatest) + (rules.own_draw == "fan")


def _product(values: Iterable[int]) -> int:
    """Of what counts: 0 stands for a fan that does not apply."""
    return prod(value or 1 for value in values)


def _check_titles(titles: tuple[Title, ...]) -> None:
    points = [title.points for title in titles]
    if points != sorted(set(points)):
        raise ValueError(f"expected titles with points that rise, got {points}")
