# SPDX-License-Identifier: MIT
"""
Examine the reader at drawn tables: calibrate, confirm some throws, then throw and plant faults.

A single scene cannot show what a calibration or a confirmed throw is worth, because nothing stays
from one scene to the next. The tables are calibrated by the product's own code, from corners and
sizes with the error of a hand. A fault counts as told only if a doubt is at its position: a doubt
elsewhere would let a person confirm the fault.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import dist

import numpy as np

from controller.cli.bench_reader.scene_accuracy import (
    SIZE_WH,
    ExamOptions,
    SceneOutcome,
    SceneReader,
    SceneResult,
    grade,
    keep_scene,
)
from vision import pipeline
from vision.calibration.fit_tray import (
    TrayError,
    fit_tray_to_corners,
    is_usual_edge,
    measure_edge_mm,
)
from vision.dome.find import mark_dome, measure_dome
from vision.pipeline import Reader
from vision.reading import Doubt, DoubtKind, Point, Status, TrayReading
from vision.table_model.confirmed import ConfirmedDie
from vision.training.scenes import RenderedScene, TrueDie
from vision.training.scenes.layout import NoRoomError
from vision.training.scenes.session import Fault, SceneTable, ThrownScene, draw_table
from vision.tray_map import TrayMap

CONFIRMED, FAIR = 5, 8
"""Throws of a session that a person confirms before it begins, and fair throws after them."""

TIDY, CLUTTERED = "fair, tidy", "fair, cluttered"
"""Kinds of fair throws: by whether strangers stay on the felt or a print is on it."""

HAND_PX = 1.5  # Spread of the corners that a hand sets, in pixels of a picture that is 1280 wide.

HAND_SIZE = 0.004  # Spread of the felt's sides that a hand measures, as a share.


@dataclass(frozen=True, slots=True)
class ThrowResult:
    """What came of one throw."""

    number: int  # Which throw of its table.
    graded: SceneResult  # Against the truth; its kind is `TIDY`, `CLUTTERED` or a fault.
    elapsed_ms: float  # Processor time of the reading.


@dataclass(frozen=True, slots=True)
class SessionResult:
    """What came of the throws at one table."""

    seed: int
    throws: tuple[ThrowResult, ...] = ()  # The fair throws and those with a fault.
    prepared_ms: float = 0.0  # Processor time to prepare the reader from the confirmed throws.
    problem: str = ""  # Why there are no throws; empty if there are.


PrepareReader = Callable[[TrayMap, Sequence[RenderedScene]], SceneReader]


def prepare_reader(tray: TrayMap, confirmed: Sequence[RenderedScene]) -> SceneReader:
    """Return the reader of a table that learnt from throws whose dice a person confirmed."""
    return pipeline.prepare_reader(
        tray,
        [
            (shot.image_bgr, [ConfirmedDie(die.face, _center_of(die)) for die in shot.dice])
            for shot in confirmed
        ],
    )


def _center_of(die: TrueDie) -> Point:
    x, y = die.quad_px.mean(axis=0).tolist()
    return x, y


def examine_table(
    seed: int,
    exam: ExamOptions,
    *,
    confirmed: int = CONFIRMED,
    under_dome: bool = False,
    prepare: PrepareReader = prepare_reader,
    size_wh: tuple[int, int] = SIZE_WH,
) -> SessionResult:
    """
    Draw a table, calibrate it, confirm some throws, and examine the reader on its other throws.

    Raises:
        OSError: A picture cannot be kept.
    """
    try:
        table = draw_table(seed, size_wh, under_dome=under_dome)
        shown = [table.throw(number).scene for number in range(confirmed)]
        tray = calibrate(table, shown, size_wh)
    except (NoRoomError, TrayError) as error:
        return SessionResult(seed, problem=str(error))
    began_s = time.process_time()
    reader = prepare(tray, shown)
    prepared_ms = (time.process_time() - began_s) * 1000
    results = []
    for number, thrown in _throw_all(table, confirmed):
        scene, expect = thrown.scene, thrown.scene.expect
        began_s = time.process_time()
        reading = reader.read(scene.image_bgr, expect=expect)
        elapsed_ms = (time.process_time() - began_s) * 1000
        graded = grade_throw(CLUTTERED if table.is_cluttered else TIDY, thrown, reading)
        result = ThrowResult(number, graded, elapsed_ms)
        if exam.keep is not None and needs_review(result):
            names = (str(seed), str(number), graded.kind, graded.outcome.value)
            keep_scene(exam.keep, names, scene, reader, expect)
        results.append(result)
    return SessionResult(seed, tuple(results), prepared_ms)


def calibrate(
    table: SceneTable, confirmed: Sequence[RenderedScene], size_wh: tuple[int, int]
) -> TrayMap:
    """
    Return the map of a table as a person calibrates it, with the edge of its dice.

    Raises:
        TrayError: The calibration refuses the corners or the size of the felt.
    """
    rng = np.random.default_rng([table.seed, 0xCA11B])
    corners = table.felt_px + rng.normal(0.0, HAND_PX * size_wh[0] / 1280, (4, 2))
    corners = corners.clip(0.0, np.array(size_wh) - 1.0)
    width_mm, depth_mm = np.rint(table.felt_mm * (1.0 + rng.normal(0.0, HAND_SIZE, 2))).tolist()
    points = [(float(x), float(y)) for x, y in corners]
    tray = fit_tray_to_corners(points, size_wh, (width_mm, depth_mm)).tray
    if confirmed[0].dome_px is not None:
        tray = replace(tray, dome_mm=_measure_dome(rng, confirmed[0], tray))
    plain = Reader(under_dome=confirmed[0].dome_px is not None)
    for scene in confirmed:
        edge_mm = measure_edge_mm(plain.read(scene.image_bgr).dice, tray)
        if edge_mm is not None and is_usual_edge(edge_mm):
            return replace(tray, die_edge_mm=round(edge_mm, 2))
    return tray


def _measure_dome(rng: np.random.Generator, scene: RenderedScene, tray: TrayMap) -> float:
    """Return the diameter of a dome in millimetres: as it is found, or as a hand marks it."""
    assert scene.dome_px is not None
    found = measure_dome(scene.image_bgr, tray)
    if found is None:
        spread_px = HAND_PX * scene.image_bgr.shape[1] / 1280
        marks = np.stack([scene.dome_px.mean(axis=0), scene.dome_px[0]])
        middle, rim = (marks + rng.normal(0.0, spread_px, (2, 2))).tolist()
        found = mark_dome(tray, (middle[0], middle[1]), (rim[0], rim[1]))
    if found is None:
        raise TrayError("no dome of a usual size is on the felt")
    return round(found.diameter_mm, 1)


def grade_throw(kind: str, thrown: ThrownScene, reading: TrayReading) -> SceneResult:
    """Compare a reading with the truth; `kind` is that of a fair throw."""
    fault = thrown.fault
    graded = grade(fault.value if fault else kind, thrown.scene, reading)
    if fault is None or not fault.must_be_doubted:
        return graded
    if reading.status is not Status.UNSURE:
        return replace(graded, outcome=SceneOutcome.BELIEVED)
    is_at_fault = any(map(partial(_is_about, thrown), reading.doubts))
    return replace(graded, outcome=SceneOutcome.TOLD if is_at_fault else SceneOutcome.ELSEWHERE)


def needs_review(result: ThrowResult) -> bool:
    """Return whether a person should see how this came about."""
    outcome, is_fair = result.graded.outcome, result.graded.kind in (TIDY, CLUTTERED)
    return (
        outcome.is_silently_wrong
        or outcome is SceneOutcome.ELSEWHERE
        or (is_fair and outcome is SceneOutcome.DOUBTED)
    )


def _throw_all(table: SceneTable, first: int) -> Iterator[tuple[int, ThrownScene]]:
    """Yield fair throws and each fault once; what is not possible at this table is left out."""
    for number, fault in enumerate([*[None] * FAIR, *Fault], start=first):
        try:
            yield number, table.throw(number, fault)
        except NoRoomError:
            continue


def _is_about(thrown: ThrownScene, doubt: Doubt) -> bool:
    """Return whether a doubt is at the position of the fault, or about the count if it is that."""
    if thrown.fault is Fault.TOO_MANY:
        return doubt.kind is DoubtKind.COUNT
    center = doubt.center_px
    return center is not None and any(
        dist(center, (x, y)) <= max(doubt.radius_px, radius) for x, y, radius in thrown.circles_px
    )
