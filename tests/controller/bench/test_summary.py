# SPDX-License-Identifier: MIT
"""What is told of many scenes is what came of them, for people and for programs."""

from __future__ import annotations

import json

import pytest

from controller.bench.scene_accuracy import SceneOutcome, SceneResult
from controller.bench.summary import count_outcomes, to_json, to_text

RESULTS = (
    SceneResult(6, "imitations", SceneOutcome.DOUBTED, doubts=("glare", "unsure")),
    SceneResult(0, "clean trays", SceneOutcome.EXACT, polarities=(5, 4)),
    SceneResult(4, "clean trays", SceneOutcome.MISREAD),
    SceneResult(1, "wild", SceneOutcome.DOUBTED, doubts=("unsure",)),
    SceneResult(3, "planted cocked", SceneOutcome.BELIEVED),
    SceneResult(19, "planted cocked", SceneOutcome.TOLD, doubts=("cocked",)),
)


def test_scenes_outcomes_and_doubts_are_counted() -> None:
    counted = count_outcomes(RESULTS)
    assert counted.scenes == 6
    assert dict(counted.outcomes)[SceneOutcome.DOUBTED] == 2
    assert dict(counted.doubts) == {"glare": 1, "unsure": 2, "cocked": 1}


def test_misread_and_believed_both_count_as_silently_wrong() -> None:
    assert count_outcomes(RESULTS).silently_wrong == 2
    assert count_outcomes(RESULTS).most_wrong == pytest.approx(0.7287, abs=1e-4)


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


def test_before_the_first_scene_there_is_nothing_to_tell() -> None:
    assert to_text(()) == "no scene was examined\n"
    assert count_outcomes(()).most_wrong == 1.0
