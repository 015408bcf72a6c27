"""The weights of belief are those that bench/belief_weights.py measures."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPT = Path(__file__).parent.parent / "bench" / "belief_weights.py"
PRESET = "qq-half"
ERRORS = 4  # standard errors that a weight may be off
ROUNDED = 0.02  # and what its digits leave out


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = spec_from_file_location(SCRIPT.stem, SCRIPT)
    module = sys.modules[SCRIPT.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def far_off(script: ModuleType, measured, used) -> np.ndarray:
    """Which weights are not those measured."""
    off = np.abs(measured.weights.values - used.logarithms)
    return off > ERRORS * measured.weights.errors + ROUNDED


def test_the_script_prints_both_tables() -> None:
    command = [sys.executable, str(SCRIPT), "--hands", "60", "--seed", "3"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0].startswith("qq-half, 60 hands, ")
    starts = ("he has discarded", "each face near", "he has not", "for each group", "where it waits")
    assert [sum(line.count("±") for line in lines if line.startswith(start)) for start in starts] == [
        *(1, 3, 2, 5, 5),
    ]
    assert [line.partition(" by ")[2] for line in lines[-3:]] == [
        *("counting alone", "the weights of faces", "both tables"),
    ]


def test_the_weights_are_those_measured(script: ModuleType) -> None:
    measured, used = script.measure(PRESET, 300, 5), script.Weights.in_use()
    assert not far_off(script, measured, used).any(), "\n".join(script.lines_of(measured))
    alone, by_faces, by_both = measured.log_probabilities
    assert alone < by_faces < by_both
    doubled = script.Weights(used.faces**2, 2 * used.hands)
    assert far_off(script, measured, doubled).sum() > 6


def test_a_weight_that_nothing_depends_on_changes_nothing(script: ModuleType) -> None:
    measured = script.measure(PRESET, 60, 6)
    unmeasured = np.isnan(measured.weights.values)
    assert set(script.Weights.in_use().logarithms[unmeasured]) == {0}


@pytest.mark.exhaustive
def test_the_weights_are_those_of_thousands_of_hands(script: ModuleType) -> None:
    measured, used = script.measure(PRESET, 6000, 9), script.Weights.in_use()
    assert not far_off(script, measured, used).any(), "\n".join(script.lines_of(measured))
    assert np.nanmax(measured.weights.errors) < 0.3
    for factor in (0.8, 1.25):
        stretched = script.Weights(used.faces**factor, factor * used.hands)
        assert far_off(script, measured, stretched).sum() > 6


def test_near_faces_stand_in_a_group_of_chi(script: ModuleType) -> None:
    """As docs/rules.md 2 has them: 1-2-3, 2-7-10, and those of one rank."""
    assert np.flatnonzero(script.NEAR[0]).tolist() == [1, 2, 10]
    assert np.flatnonzero(script.NEAR[1]).tolist() == [0, 2, 3, 6, 9, 11]
