# SPDX-License-Identifier: MIT
"""
Examine the reader on drawn scenes and grade its readings.

Four kinds of scenes alternate: clean trays, imitations of dice, wild scenes, and scenes with a
planted doubt. A careful person reads the first two with certainty. What counts most is the same
everywhere: a reading that is believed and wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from math import dist
from pathlib import Path
from typing import Protocol

import cv2  # noqa: TID251
import numpy as np

from vision.frame import Image
from vision.pipeline import Reader
from vision.reading import DieReading, Polarity, Status, TrayReading
from vision.trace import Trace
from vision.training.scenes import RenderedScene, SceneSpec, TrueDie, render_scene

SIZE_WH = (1280, 720)
COUNT = "count"
PLANTED = ("cocked", "stacked", "cut off", COUNT)
CLEAN, IMITATIONS, WILD = "clean trays", "imitations", "wild"
CLEAR = (CLEAN, IMITATIONS)
CLEAN_SPEC = SceneSpec(clear=True, clutter=False)
NEAR_EDGES = 0.5
NO_DICE = (0,) * 6


class SceneOutcome(Enum):
    """What came of a scene; the last three are of those with a planted doubt or fault."""

    EXACT = "exact"
    MISREAD = "misread"
    DOUBTED = "doubted"
    TOLD = "told"
    ELSEWHERE = "told elsewhere"
    BELIEVED = "believed"

    @property
    def is_silently_wrong(self) -> bool:
        """Whether something was believed that is not true."""
        return self in (SceneOutcome.MISREAD, SceneOutcome.BELIEVED)


@dataclass(frozen=True, slots=True)
class ExamOptions:
    """How the examination is held."""

    # Whether the reader gets the expected number of dice. If it isn't, nothing keeps it from
    # passing over a die, and a die too many cannot be planted.
    tells_count: bool = True
    is_clean: bool = False  # Whether all scenes are clean trays, as on a table set up well.
    keep: Path | None = None  # A folder for the pictures of what went wrong; none are kept without.


@dataclass(frozen=True, slots=True)
class SceneResult:
    """What came of one scene."""

    seed: int
    kind: str  # `clean trays`, `imitations`, `wild`, or `planted` and what.
    outcome: SceneOutcome
    doubts: tuple[str, ...] = ()  # The kinds of doubt of the reading, each once.
    # How many dice of an exact scene there are, and of how many of them the polarity is right.
    polarities: tuple[int, int] = (0, 0)
    dice: tuple[int, ...] = NO_DICE  # How many dice truly show 1, 2, ... 6.
    believed: tuple[int, ...] = NO_DICE  # The same of dice that were read; zero if doubted.


class SceneReader(Protocol):
    """Whatever reads a picture and can write down how."""

    def read(
        self, image_bgr: Image, *, expect: int | None = None, trace: Trace | None = None
    ) -> TrayReading:
        """Read a picture of shape (height, width, 3)."""


Draw = Callable[[int, SceneSpec], RenderedScene]


def draw(seed: int, spec: SceneSpec) -> RenderedScene:
    """Draw a scene in the size in which the reader is examined."""
    return render_scene(seed, SIZE_WH, spec=spec)


def examine(
    seeds: Iterable[int], exam: ExamOptions, *, reader: SceneReader | None = None, draw: Draw = draw
) -> Iterator[SceneResult]:
    """
    Draw the scenes of these seeds, have them read, and yield what came of each.

    Raises:
        OSError: A picture cannot be kept.
    """
    reader = reader or Reader()
    for seed in seeds:
        kind, spec = CLEAN, CLEAN_SPEC
        if not exam.is_clean:
            kind, spec = plan_scene(seed, tells_count=exam.tells_count)
        shot = draw(seed, spec)
        expect = shot.expect if exam.tells_count else None
        result = grade(kind, shot, reader.read(shot.image_bgr, expect=expect))
        if exam.keep is not None and needs_review(result):
            keep_scene(exam.keep, (str(seed), kind, result.outcome.value), shot, reader, expect)
        yield result


def plan_scene(seed: int, *, tells_count: bool = True) -> tuple[str, SceneSpec]:
    """
    Return which kind of scene a seed is for.

    Of sixteen seeds in a row 4 are for clean trays, 4 for imitations, 4 for wild ones and 4 for
    planted doubts.
    """
    place = seed % 16
    planted = PLANTED[place // 4]
    if place % 4 == 1:
        return WILD, SceneSpec()
    if place % 4 == 3 and (tells_count or planted != COUNT):
        return f"planted {planted}", SceneSpec(doubt=planted, clear=True)
    if place % 4 == 2:
        return IMITATIONS, SceneSpec(clear=True)
    return CLEAN, CLEAN_SPEC


def grade(kind: str, shot: RenderedScene, reading: TrayReading) -> SceneResult:
    """Compare a reading with the truth."""
    doubts = tuple(sorted({doubt.kind.value for doubt in reading.doubts}))
    is_unsure = reading.status is Status.UNSURE
    dice = _count_faces(die.face for die in shot.dice)
    if shot.doubt is not None or is_unsure:
        outcome = SceneOutcome.DOUBTED
        if shot.doubt is not None:
            outcome = SceneOutcome.TOLD if is_unsure else SceneOutcome.BELIEVED
        return SceneResult(shot.seed, kind, outcome, doubts, dice=dice)
    believed = _count_faces(die.face for die in reading.dice)
    pairs = pair_dice(shot.dice, reading.dice)
    if pairs is None:
        outcome, polarities = SceneOutcome.MISREAD, (0, 0)
    else:
        right = sum((read.polarity is Polarity.LIGHT) == die.is_light for die, read in pairs)
        outcome, polarities = SceneOutcome.EXACT, (len(pairs), right)
    return SceneResult(
        shot.seed, kind, outcome, polarities=polarities, dice=dice, believed=believed
    )


def pair_dice(
    dice: tuple[TrueDie, ...], readings: tuple[DieReading, ...]
) -> list[tuple[TrueDie, DieReading]] | None:
    """
    Pair every die with its reading; `None` unless all are read at their positions.

    Two wrong faces may make the right roll together, and a side face may show the same
    number as its die's top: neither is exact.
    """
    left = list(readings)
    pairs = []
    for die in dice:
        near = [read for read in left if _is_of(die, read) and read.face == die.face]
        if not near:
            return None
        left.remove(near[0])
        pairs.append((die, near[0]))
    return None if left else pairs


def needs_review(result: SceneResult) -> bool:
    """Return whether a person should see how this came about."""
    return result.outcome.is_silently_wrong or (
        result.kind in CLEAR and result.outcome is SceneOutcome.DOUBTED
    )


def keep_scene(
    folder: Path, names: Iterable[str], shot: RenderedScene, reader: SceneReader, expect: int | None
) -> None:
    """
    Write the picture of a scene, its truth and the trace of its reading into a folder.

    The files' names begin with `names`. The reader reads it again to write the trace.

    Raises:
        OSError: They cannot be written.
    """
    name = "-".join(names).replace(",", "").replace(" ", "-")
    save_scene(shot, folder / f"{name}.png")
    reader.read(shot.image_bgr, expect=expect, trace=Trace(folder, name=name))


def save_scene(shot: RenderedScene, path: Path) -> None:
    """
    Write the picture of a scene, with the truth about its dice drawn on it beside.

    Raises:
        OSError: It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    truth = shot.image_bgr.copy()
    for die in shot.dice:
        cv2.polylines(truth, [np.rint(die.quad_px).astype(np.int32)], True, (0, 220, 0), 1)
        x, y = (round(float(value)) for value in die.quad_px.min(axis=0))
        text = f"{die.face} {die.state.value}"
        cv2.putText(truth, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255), 1)
    for file, image in ((path, shot.image_bgr), (path.with_stem(f"{path.stem}-truth"), truth)):
        file.write_bytes(cv2.imencode(".png", image)[1].tobytes())


def _is_of(die: TrueDie, reading: DieReading) -> bool:
    """Return whether a reading is at the position of the die's upper face."""
    edges = np.linalg.norm(die.quad_px - np.roll(die.quad_px, 1, axis=0), axis=1)
    x, y = die.quad_px.mean(axis=0)
    return dist(reading.center_px, (x, y)) < NEAR_EDGES * float(edges.min())


def _count_faces(faces: Iterable[int]) -> tuple[int, ...]:
    counts = Counter(faces)
    return tuple(counts[face] for face in range(1, 7))
