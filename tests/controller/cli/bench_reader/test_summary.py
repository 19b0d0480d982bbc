# SPDX-License-Identifier: MIT
"""What is told of many scenes is what came of them, for people and for programs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from controller.cli.bench_reader.face_shift import FaceShift, measure_face_shift
from controller.cli.bench_reader.scene_accuracy import SceneOutcome, SceneResult
from controller.cli.bench_reader.summary import count_outcomes, to_json, to_text

RESULTS = (
    SceneResult(6, "imitations", SceneOutcome.DOUBTED, doubts=("glare", "unsure")),
    SceneResult(0, "clean trays", SceneOutcome.EXACT, polarities=(5, 4)),
    SceneResult(4, "clean trays", SceneOutcome.MISREAD),
    SceneResult(1, "wild", SceneOutcome.DOUBTED, doubts=("unsure",)),
    SceneResult(3, "planted cocked", SceneOutcome.BELIEVED),
    SceneResult(19, "planted cocked", SceneOutcome.TOLD, doubts=("cocked",)),
)


def test_json_has_every_kind_the_polarity_and_the_seeds() -> None:
    told = json.loads(json.dumps(to_json(RESULTS)))
    assert told["all"]["silently_wrong"] == 2
    assert told["kinds"]["clean trays"]["outcomes"] == {"exact": 1, "misread": 1}
    assert told["polarity"] == {"dice": 5, "right": 4}
    assert told["seeds"] == {
        "clean trays misread": [4],
        "imitations doubted": [6],
        "planted cocked believed": [3],
    }


def test_people_get_a_row_a_kind_the_doubts_and_the_seeds() -> None:
    lines = to_text(RESULTS).splitlines()
    heads = ["scenes", "exact", "misread", "doubted", "told", "believed", "wrong", "at", "most"]
    assert lines[0].split() == heads
    row = ["clean", "trays", "2", "1", "50.0%", "1", "50.0%", "-", "-", "-", "97.47%"]
    assert lines[2].split() == row
    kinds = [line.split("  ")[0] for line in lines[1:6]]
    assert kinds == ["all", "clean trays", "imitations", "planted cocked", "wild"]
    assert "polarity right on 4 of 5 dice that were read" in lines
    assert "doubts told, imitations: glare 1, unsure 1" in lines
    assert "seeds, planted cocked believed: 3" in lines


def test_doubts_shift_the_shares_of_faces() -> None:
    """A doubted scene with two sixes makes the six rarer among the dice that count."""
    believed = SceneResult(
        0, "clean trays", SceneOutcome.EXACT, dice=(1, 1, 1, 1, 1, 1), believed=(1, 1, 1, 1, 1, 1)
    )
    doubted = SceneResult(4, "clean trays", SceneOutcome.DOUBTED, dice=(0, 0, 0, 0, 0, 2))
    found = measure_face_shift([believed] * 30 + [doubted] * 10)
    assert (found.dice, found.believed) == (200, 180)
    assert found.true == pytest.approx((0.15,) * 5 + (0.25,), abs=1e-4)
    assert found.shifts == pytest.approx((0.01667,) * 5 + (-0.08333,), abs=1e-4)
    assert 0 < found.errors[5] < 0.04
    assert to_text([believed, doubted]).count("+-") == 6
    assert measure_face_shift([doubted]).shifts == ()


def test_the_standard_errors_of_shifts_are_right() -> None:
    """Against the spread of the shift over many examinations in which sixes are doubted more."""
    rng = np.random.default_rng(1)

    def examine_once() -> FaceShift:
        results = []
        for seed in range(150):
            dice = rng.multinomial(5, (1 / 6,) * 6)
            is_read = rng.random() < 0.95 - 0.15 * dice[5]
            outcome = SceneOutcome.EXACT if is_read else SceneOutcome.DOUBTED
            counts = tuple(int(one) for one in dice)
            read = counts if is_read else (0,) * 6
            results.append(SceneResult(seed, "clean trays", outcome, dice=counts, believed=read))
        return measure_face_shift(results)

    found = [examine_once() for _ in range(200)]
    spread = np.std([one.shifts for one in found], axis=0)
    assert np.mean([one.errors for one in found], axis=0) == pytest.approx(spread, rel=0.15)
    assert np.mean([one.shifts[5] for one in found]) < -0.01


def test_before_the_first_scene_there_is_nothing_to_tell() -> None:
    assert to_text(()) == "no scene was examined\n"
    assert count_outcomes(()).most_wrong == 1.0
