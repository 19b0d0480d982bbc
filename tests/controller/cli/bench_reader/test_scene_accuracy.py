# SPDX-License-Identifier: MIT
"""A reading is held against everything that is true of the scene."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from controller.cli.bench_reader.scene_accuracy import (
    ExamOptions,
    SceneOutcome,
    SceneResult,
    examine,
    grade,
    plan_scene,
)
from tests.controller.cli.bench_reader.scenes import read_die, reading, shot, shot_die
from vision.frame import Image
from vision.reading import DoubtKind, Polarity, TrayReading
from vision.trace import Trace
from vision.training.scenes import RenderedScene, SceneSpec

TWO_DICE = shot(shot_die(3, 40), shot_die(5, 120, is_light=False))


class ReaderThatSays:
    def __init__(self, said: TrayReading) -> None:
        self.said = said
        self.expected: list[int | None] = []
        self.traced = 0

    def read(
        self, image_bgr: Image, *, expect: int | None = None, trace: Trace | None = None
    ) -> TrayReading:
        self.expected.append(expect)
        self.traced += trace is not None
        return self.said


def draw_two_dice(seed: int, spec: SceneSpec) -> RenderedScene:
    return TWO_DICE


def outcome(truth: RenderedScene, said: TrayReading) -> SceneOutcome:
    return grade("clean trays", truth, said).outcome


def test_every_die_in_its_place_is_exact() -> None:
    said = reading(read_die(5, 122, Polarity.DARK), read_die(3, 41))
    assert grade("clean trays", TWO_DICE, said) == SceneResult(
        7,
        "clean trays",
        SceneOutcome.EXACT,
        polarities=(2, 2),
        dice=(0, 0, 1, 0, 1, 0),
        believed=(0, 0, 1, 0, 1, 0),
    )


def test_a_wrong_polarity_is_counted_and_does_not_make_a_misread() -> None:
    said = reading(read_die(3, 40), read_die(5, 120, Polarity.LIGHT))
    assert grade("clean trays", TWO_DICE, said).polarities == (2, 1)


@pytest.mark.parametrize(
    "said",
    [
        reading(read_die(3, 40), read_die(6, 120)),
        reading(read_die(3, 40)),
        reading(read_die(3, 40), read_die(5, 120), read_die(5, 160)),
        reading(read_die(5, 40), read_die(3, 120)),
        reading(read_die(3, 40), read_die(5, 140)),
        reading(),
    ],
    ids=["wrong face", "missed", "one too many", "swapped", "beside the die", "empty"],
)
def test_what_is_believed_and_not_true_is_misread(said: TrayReading) -> None:
    assert outcome(TWO_DICE, said) is SceneOutcome.MISREAD
    assert outcome(TWO_DICE, said).is_silently_wrong


def test_an_empty_tray_may_be_read_as_empty() -> None:
    assert outcome(shot(), reading()) is SceneOutcome.EXACT


def test_a_doubt_is_no_misread_whatever_faces_stand_beside_it() -> None:
    doubts = (DoubtKind.GLARE, DoubtKind.UNSURE, DoubtKind.GLARE)
    result = grade("wild", TWO_DICE, reading(read_die(1, 40), doubts=doubts))
    assert (result.outcome, result.doubts) == (SceneOutcome.DOUBTED, ("glare", "unsure"))
    assert (result.dice, result.believed) == ((0, 0, 1, 0, 1, 0), (0,) * 6)


def test_a_planted_doubt_must_be_reported_beside_right_faces() -> None:
    planted = shot(shot_die(3, 40), doubt="cocked")
    right = reading(read_die(3, 40))
    assert outcome(planted, right) is SceneOutcome.BELIEVED
    assert outcome(planted, right).is_silently_wrong
    assert outcome(planted, reading(doubts=(DoubtKind.COCKED,))) is SceneOutcome.TOLD


def test_sixteen_seeds_in_a_row_hold_every_kind_of_scene() -> None:
    kinds = Counter(plan_scene(seed)[0] for seed in range(1_000_005, 1_000_021))
    assert kinds == {
        "clean trays": 4,
        "imitations": 4,
        "wild": 4,
        "planted cocked": 1,
        "planted stacked": 1,
        "planted cut off": 1,
        "planted count": 1,
    }
    plans = dict(map(plan_scene, range(16)))
    assert plans["clean trays"] == SceneSpec(clear=True, clutter=False)
    assert plans["imitations"] == SceneSpec(clear=True)
    assert plans["wild"] == SceneSpec()
    assert plans["planted stacked"] == SceneSpec(doubt="stacked", clear=True)


def test_clean_scenes_alone_are_examined_on_request() -> None:
    exam = ExamOptions(is_clean=True)
    results = examine(range(4), exam, reader=ReaderThatSays(reading()), draw=draw_two_dice)
    assert [result.kind for result in results] == ["clean trays"] * 4


def test_without_a_count_no_die_too_many_is_planted() -> None:
    kinds = Counter(plan_scene(seed, tells_count=False)[0] for seed in range(16))
    assert kinds == {
        "clean trays": 5,
        "imitations": 4,
        "wild": 4,
        "planted cocked": 1,
        "planted stacked": 1,
        "planted cut off": 1,
    }


@pytest.mark.parametrize(("tells_count", "expected"), [(True, 2), (False, None)])
def test_the_reader_is_told_the_count_or_not(*, tells_count: bool, expected: int | None) -> None:
    reader = ReaderThatSays(reading())
    list(examine([0, 2], ExamOptions(tells_count=tells_count), reader=reader, draw=draw_two_dice))
    assert reader.expected == [expected, expected]


def test_pictures_of_failures_are_stored_with_truth_and_trace(tmp_path: Path) -> None:
    reader = ReaderThatSays(reading(read_die(6, 40)))
    list(examine([0], ExamOptions(keep=tmp_path / "kept"), reader=reader, draw=draw_two_dice))
    names = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert names == ["0-clean-trays-misread-truth.png", "0-clean-trays-misread.png"]
    assert reader.traced == 1


@pytest.mark.parametrize(("seed", "kind"), [(0, "clean-trays"), (2, "imitations")])
def test_doubts_on_clear_scenes_are_kept(tmp_path: Path, seed: int, kind: str) -> None:
    reader = ReaderThatSays(reading(doubts=(DoubtKind.UNSURE,)))
    list(examine([seed], ExamOptions(keep=tmp_path), reader=reader, draw=draw_two_dice))
    assert f"{seed}-{kind}-doubted.png" in {path.name for path in tmp_path.iterdir()}


def test_nothing_is_kept_of_what_was_right_or_wildly_doubtful(tmp_path: Path) -> None:
    right = reading(read_die(3, 40), read_die(5, 120))
    doubtful = reading(doubts=(DoubtKind.UNSURE,))
    for said, seed in ((right, 0), (doubtful, 1)):
        reader = ReaderThatSays(said)
        list(examine([seed], ExamOptions(keep=tmp_path), reader=reader, draw=draw_two_dice))
        assert reader.traced == 0
    assert list(tmp_path.iterdir()) == []
