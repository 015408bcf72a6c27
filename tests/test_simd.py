"""All SIMD paths give the same answers: each level in a process of its own, forced by PAOHUZI_SIMD."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from paohuzi import DEFAULT_RULES, Rules, XiTable, _native, batch, load_rules, samples
from paohuzi.benchmark.sets import unfinished

LEVELS = ("avx512", "avx2", "portable")
WANGS = range(5)
SOURCES = ("self", "other", "discard")
SCORED = ("qq-basic", "qq-full", "quan-mingtang", "yongzhou-4")
BLOCK_EDGES = (1, 15, 16, 17, 255, 256, 257)  # numbers of rows about the blocks that the kernels work in

ANSWER = """
import sys
import numpy as np
sys.path.insert(0, {tests!r})
import test_simd
test_simd.write_answers({path!r})
"""


def hands_of_every_kind() -> dict[str, npt.NDArray[np.uint64]]:
    hands = {
        "random deals": samples.random_deals(20_000, seed=11),
        "winning hands": samples.winning_hands(20_000, seed=11),
        "near misses": samples.near_misses(20_000, seed=11),
    }
    for wang in WANGS[1:]:
        hands[f"{wang} wang"] = samples.wang_hands(2_000, wang, seed=11)
    hands["mixed"] = np.concatenate([some[:500] for some in hands.values()])
    np.random.default_rng(11).shuffle(hands["mixed"])
    return hands


def answers() -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """The level of this process, and what it answers."""
    yield "level", np.array(_native.simd_level())
    for name, hands in hands_of_every_kind().items():
        rows = batch.unpack(hands)
        yield f"max_xi, {name}, packed", batch.max_xi(hands)
        yield f"max_xi, {name}, packed, every other", batch.max_xi(hands[::2])
        yield f"max_xi, {name}, 21 counts", batch.max_xi(rows)
        yield f"max_xi, {name}, 21 counts, by column", batch.max_xi(np.asfortranarray(rows))
        beside = np.ascontiguousarray(rows[:, 20])
        yield f"max_xi, {name}, 20 counts and wang", batch.max_xi(rows[:, :20].copy(), wang=beside)
        yield f"is_hu, {name}", batch.is_hu(hands)
        for count in BLOCK_EDGES:
            yield f"max_xi, {name}, {count} packed", batch.max_xi(hands[3 : 3 + count])
            yield f"max_xi, {name}, {count} rows", batch.max_xi(rows[3 : 3 + count])
    for preset in SCORED:
        for name, hands in hands_of_every_kind().items():
            yield from scores_of(preset, name, hands)
    for wang in WANGS:
        hands = samples.waiting_hands(2_000, wang=wang, seed=11)
        for source in SOURCES:
            yield f"wait_xi, {wang} wang, {source}", batch.wait_xi(hands, source=source)
        yield f"waits, {wang} wang", batch.waits(hands)
    yield "ready_discards", batch.ready_discards(samples.near_misses(1_000, seed=11))
    solved = batch.solve(samples.mid_game(10_000, wang=2, seed=11), divisions=True)
    assert solved.route is not None
    assert solved.groups is not None
    yield from {"xi": solved.xi, "route": solved.route, "groups": solved.groups}.items()
    for count in (*BLOCK_EDGES, 6_000):
        solved = batch.solve(damaged_states()[-count:])
        yield from {f"xi, {count} damaged": solved.xi, f"status, {count} damaged": solved.status}.items()
    yield from distances()


def distances() -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """How far hands are, by small numbers of xi and by large ones, which have code of their own."""
    large = XiTable(
        peng=(100, 300) * 2,
        kan=(300, 600) * 2,
        pao=(600, 900) * 2,
        ti=(900, 1000) * 2,
        r123=(300, 600),
        r27a=(3, 6),
    )
    for rules in (
        load_rules("luzhou"),
        Rules("split", kan_splittable=True),
        Rules("large", xi=large, min_xi=1500),
    ):
        for name, hands in hands_of_every_kind().items():
            yield f"distance, {rules.name}, {name}", batch.distance(hands[:500], rules=rules)
        for wang in (0, 1, 2):
            states = unfinished(samples.mid_game(1_000, wang=2, seed=11), wang)
            yield f"distance, {rules.name}, mid-game, {wang} wang", batch.distance(states, rules=rules)
    yield "distance, damaged", batch.distance(unfinished(damaged_states(), 0))


def damaged_states() -> batch.Queries:
    """Mid-game states of which most have some bytes changed; the last seven of a record mean nothing."""
    random = np.random.default_rng(13)
    rows = samples.mid_game(6_000, wang=2, seed=13).records.copy()
    records = rows.view(np.uint8).reshape(len(rows), -1)
    records[:, 17:] = random.integers(0, 256, (len(rows), 7))
    for times in (2, 3):
        some = np.flatnonzero(random.random(len(rows)) < 1 / times)
        places = random.integers(0, 17, len(some))
        near = records[some, places] + random.integers(-2, 3, len(some))
        records[some, places] = np.where(
            random.random(len(some)) < 0.7, near, random.integers(0, 256, len(some))
        )
    return batch.Queries.from_records(rows)


def scores_of(
    preset: str, name: str, hands: npt.NDArray[np.uint64]
) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """The columns of the scores of some hands; of many wangs the presets that have them."""
    wangs = hands >> np.uint64(60)
    hands = hands[wangs <= max(2, load_rules(preset).wang)]
    rows = batch.unpack(hands)
    forms = {
        "packed": (hands,),
        "packed, every other": (hands[::2],),
        "21 counts": (rows,),
        "21 counts, by column": (np.asfortranarray(rows),),
        "20 counts and wang": (rows[:, :20].copy(), np.ascontiguousarray(rows[:, 20])),
    }
    forms |= {f"{count} packed": (hands[3 : 3 + count],) for count in BLOCK_EDGES}
    forms |= {f"{count} rows": (rows[3 : 3 + count],) for count in BLOCK_EDGES}
    for form, arguments in forms.items():
        scores = batch.score(*arguments, rules=preset)
        for column in ("payment", "fan", "fans", "base", "xi", "status"):
            yield f"score of {preset}, {name}, {form}, {column}", getattr(scores, column)


def write_answers(path: str) -> None:
    """In a process of its own: the answers by its level."""
    np.savez(path, **dict(answers()))


@pytest.fixture(scope="module")
def of_this_process() -> dict[str, npt.NDArray[Any]]:
    return dict(answers())


@pytest.mark.parametrize("level", LEVELS)
def test_a_forced_level_answers_as_the_one_chosen_at_load(
    level: str, of_this_process: dict[str, npt.NDArray[Any]], tmp_path: Path
) -> None:
    path = tmp_path / "answers.npz"
    code = ANSWER.format(tests=str(Path(__file__).parent), path=str(path))
    environment = os.environ | {"PAOHUZI_SIMD": level}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    found = np.load(path)
    if str(found["level"]) != level:
        pytest.skip(f"this processor does not run {level}")
    assert set(found.files) == set(of_this_process)
    wrong = [name for name in found.files if name != "level" and not same(found[name], of_this_process[name])]
    assert not wrong


def same(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one.dtype == other.dtype and np.array_equal(one, other)


def test_damaged_states_are_answered_and_refused_as_each_by_itself() -> None:
    states = damaged_states()
    solved = batch.solve(states)
    assert len(set(solved.status)) == len(_native.FAULT_TEXTS)
    for record, xi, status in zip(states.records, solved.xi, solved.status, strict=True):
        assert status == fault_of(record.tobytes())
        assert xi == (-1 if status else _native.best_xi(record.tobytes(), DEFAULT_RULES.options))


def fault_of(key: bytes) -> int:
    """The number of what the door says of a key."""
    try:
        _native.missing_tiles(key)
    except ValueError as error:
        return _native.FAULT_TEXTS.index(str(error).removeprefix("not a query: "))
    return 0


# In a fresh process: tables that only hands with wangs need are not there yet.
BAD_ROW = """
import numpy as np
from paohuzi import batch, samples
hands = samples.random_deals(700)
rows, beside = batch.unpack(hands), np.zeros(700, np.uint8)
{change}
try:
    print("answered", batch.{function}(*{arguments}))
except ValueError as error:
    print(error)
"""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("function", ["max_xi", "score"])
@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ("hands[[430, 611]] = 1 << 63", "(hands,)", "row 430: bit 63 "),
        ("hands[[430, 611]] = 5 << 60", "(hands,)", "row 430: 5 wangs "),
        ("hands[[430, 611]] = 5", "(hands,)", "row 430: 5 copies of 1s "),
        ("hands[430] = 5 << 60; hands[611] = 5", "(hands,)", "row 430: 5 wangs "),
        ("rows[[430, 611], 7] = 5", "(rows,)", "row 430: 5 copies of 8s "),
        ("rows[[430, 611], 7] = 255", "(rows[:, :20].copy(),)", "row 430: 255 copies of 8s "),
        ("beside[[430, 611]] = 5", "(hands, beside)", "row 430: 5 wangs "),
        ("beside[430] = 200; rows[611, 7] = 9", "(rows, beside)", "row 430: 200 wangs "),
    ],
)
def test_every_level_names_the_first_bad_row(
    level: str, function: str, change: str, arguments: str, message: str
) -> None:
    environment = os.environ | {"PAOHUZI_SIMD": level, "PYTHONUTF8": "1"}
    code = BAD_ROW.format(function=function, change=change, arguments=arguments)
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert ended.stdout.decode().startswith(message)
