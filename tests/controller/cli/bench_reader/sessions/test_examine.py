# SPDX-License-Identifier: MIT
"""A fault counts as told only at its position, and a table is calibrated as by a hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from controller.cli.bench_reader.scene_accuracy import ExamOptions, SceneOutcome
from controller.cli.bench_reader.sessions import examine
from controller.cli.bench_reader.sessions.examine import (
    CLUTTERED,
    CONFIRMED,
    FAIR,
    TIDY,
    calibrate,
    examine_table,
    grade_throw,
    prepare_reader,
)
from tests.controller.cli.bench_reader.scenes import read_die, shot, shot_die
from vision.frame import Image
from vision.pipeline import Reader
from vision.reading import Doubt, DoubtKind, TrayReading
from vision.trace import Trace
from vision.training.scenes import RenderedScene
from vision.training.scenes.layout import NoRoomError
from vision.training.scenes.session import Fault, SceneTable, ThrownScene, draw_table
from vision.tray_map import TrayMap

SEED, DOME_SEED, SIZE_WH = 42, 4, (320, 180)
TWO_DICE = shot(shot_die(3, 40), shot_die(5, 120))
READ = (read_die(3, 40), read_die(5, 120))
AT_THE_FIVE = np.array([(120.0, 50.0, 15.0)])
NOWHERE = np.empty((0, 3))


@cache
def table() -> SceneTable:
    return draw_table(SEED, SIZE_WH)


class ReaderThatSaysNothing:
    def __init__(self) -> None:
        self.expected: list[int | None] = []

    def read(
        self, image_bgr: Image, *, expect: int | None = None, trace: Trace | None = None
    ) -> TrayReading:
        self.expected.append(expect)
        return TrayReading(())


def outcome_of(
    fault: Fault | None, *doubts: Doubt, circles: np.ndarray = AT_THE_FIVE
) -> SceneOutcome:
    thrown = ThrownScene(TWO_DICE, fault, circles)
    return grade_throw(TIDY, thrown, TrayReading(READ, doubts)).outcome


def unsure_at(x: float, radius: float = 5.0) -> Doubt:
    return Doubt(DoubtKind.UNSURE, "look there", (x, 50.0), radius)


COUNT = Doubt(DoubtKind.COUNT, "count them")


@pytest.mark.parametrize(
    ("doubts", "outcome"),
    [
        ((), SceneOutcome.BELIEVED),
        ((unsure_at(110),), SceneOutcome.TOLD),
        ((unsure_at(90, radius=40),), SceneOutcome.TOLD),
        ((unsure_at(40), unsure_at(125)), SceneOutcome.TOLD),
        ((unsure_at(40),), SceneOutcome.ELSEWHERE),
        ((COUNT,), SceneOutcome.ELSEWHERE),
    ],
    ids=["believed", "in its circle", "around it", "one of two", "another die", "whole tray"],
)
def test_a_fault_is_told_only_at_its_position(
    doubts: tuple[Doubt, ...], outcome: SceneOutcome
) -> None:
    assert outcome_of(Fault.COCKED, *doubts) is outcome


def test_a_die_too_many_is_told_by_the_count() -> None:
    """Any of the dice may be the one too many."""
    assert outcome_of(Fault.TOO_MANY, COUNT, circles=NOWHERE) is SceneOutcome.TOLD
    assert outcome_of(Fault.TOO_MANY, unsure_at(40), circles=NOWHERE) is SceneOutcome.ELSEWHERE
    assert outcome_of(Fault.TOO_MANY, circles=NOWHERE) is SceneOutcome.BELIEVED


@pytest.mark.parametrize("fault", [None, Fault.LIGHT, Fault.NUDGED])
def test_what_may_still_be_read_is_graded_as_a_fair_throw(fault: Fault | None) -> None:
    assert outcome_of(fault, circles=NOWHERE) is SceneOutcome.EXACT
    assert outcome_of(fault, unsure_at(40), circles=NOWHERE) is SceneOutcome.DOUBTED
    thrown = ThrownScene(TWO_DICE, fault, NOWHERE)
    wrong = TrayReading((read_die(3, 40), read_die(6, 120)))
    assert grade_throw(TIDY, thrown, wrong).outcome is SceneOutcome.MISREAD


def test_a_calibration_by_hand_is_a_little_off() -> None:
    scenes = [table().throw(0).scene]
    tray = calibrate(table(), scenes, SIZE_WH)
    width_mm, depth_mm = table().felt_mm
    outline = np.ptp(np.array(tray.felt_mm), axis=0)
    assert outline == pytest.approx((width_mm, depth_mm), rel=0.02)
    off_px = np.abs(tray.to_px(np.array(tray.felt_mm)) - table().felt_px).max()
    assert 0.05 < off_px < 2
    assert tray.die_edge_mm == pytest.approx(16, abs=2)
    assert calibrate(table(), scenes, SIZE_WH) == tray


def test_a_session_has_fair_throws_and_every_fault(tmp_path: Path) -> None:
    reader, given = ReaderThatSaysNothing(), list[tuple[TrayMap, int]]()

    def prepare(tray: TrayMap, confirmed: Sequence[RenderedScene]) -> ReaderThatSaysNothing:
        given.append((tray, len(confirmed)))
        return reader

    keeping = ExamOptions(keep=tmp_path)
    result = examine_table(SEED, keeping, prepare=prepare, size_wh=SIZE_WH)
    assert [count for _, count in given] == [CONFIRMED]
    assert result.problem == ""
    assert [throw.number for throw in result.throws] == list(range(5, 21))
    kinds = [throw.graded.kind for throw in result.throws]
    assert kinds == [CLUTTERED] * FAIR + [
        fault.value for fault in Fault if fault is not Fault.DOME_MOVED
    ]
    outcomes = {throw.graded.kind: throw.graded.outcome for throw in result.throws}
    assert outcomes[CLUTTERED] is outcomes["light changed"] is SceneOutcome.MISREAD
    assert outcomes["cocked"] is outcomes["die swapped"] is SceneOutcome.BELIEVED
    assert set(reader.expected) == {5}
    assert len(list(tmp_path.glob("*-truth.png"))) == 16
    assert (tmp_path / "42-5-fair-cluttered-misread.png").is_file()


def test_a_session_under_a_dome_measures_it_in_a_confirmed_throw() -> None:
    given = list[tuple[TrayMap, int]]()

    def prepare(tray: TrayMap, confirmed: Sequence[RenderedScene]) -> ReaderThatSaysNothing:
        given.append((tray, len(confirmed)))
        return ReaderThatSaysNothing()

    result = examine_table(
        DOME_SEED, ExamOptions(), confirmed=2, under_dome=True, prepare=prepare, size_wh=SIZE_WH
    )
    ((tray, count),) = given
    assert count == 2
    assert 60 < tray.dome_mm < 200
    kinds = [throw.graded.kind for throw in result.throws]
    assert kinds[FAIR:] == [
        *("cocked", "stacked", "one too many", "die swapped"),
        *("light changed", "camera nudged", "dome moved"),
    ]
    assert result.throws[0].number == 2


def test_a_table_without_room_is_a_result_with_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(seed: int, size_wh: tuple[int, int], *, under_dome: bool) -> SceneTable:
        raise NoRoomError(f"seed {seed} shows no table")

    monkeypatch.setattr(examine, "draw_table", refuse)
    result = examine_table(3, ExamOptions())
    assert (result.seed, result.throws, result.problem) == (3, (), "seed 3 shows no table")


def test_the_reader_of_a_table_knows_its_tray() -> None:
    """Without a calibration, nothing is wrong with a die on the rail."""
    confirmed = [table().throw(0).scene]
    tray = calibrate(table(), confirmed, SIZE_WH)
    thrown = table().throw(18, Fault.OFF_FELT)
    image = thrown.scene.image_bgr
    calibrated = prepare_reader(tray, confirmed).read(image)
    assert DoubtKind.OFF_THE_FELT in {doubt.kind for doubt in calibrated.doubts}
    assert grade_throw(TIDY, thrown, calibrated).outcome is SceneOutcome.TOLD
    assert grade_throw(TIDY, thrown, Reader().read(image)).outcome is not SceneOutcome.TOLD


@pytest.mark.long
def test_a_cut_with_a_pip_of_a_side_is_no_other_number() -> None:
    size_wh = 1280, 720
    table = draw_table(7_640_010, size_wh)
    shown = [table.throw(number).scene for number in range(CONFIRMED)]
    reader = prepare_reader(calibrate(table, shown, size_wh), shown)
    thrown = table.throw(6)
    reading = reader.read(thrown.scene.image_bgr, expect=thrown.scene.expect)
    assert grade_throw(TIDY, thrown, reading).outcome is SceneOutcome.EXACT
