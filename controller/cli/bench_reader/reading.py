# SPDX-License-Identifier: MIT
"""
Measure the time of a reading, stage by stage, and its memory.

The baseline reads the same frames in the same run. Three surroundings are measured: the tidy
simulated tray, without a calibration and with one, and the cluttered scenes of training. Without a
checkout there are no scenes.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from controller.cli.bench_reader import has_scenes
from controller.cli.bench_reader.baseline import BaselineReader
from controller.cli.bench_reader.memory import measure_reading_memory_mb
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.placement import FELT_WH_MM
from vision.calibration.fit_tray import fit_tray_to_corners
from vision.frame import Frame, Image
from vision.image_files import limit_to_one_thread
from vision.pipeline import Reader
from vision.reading import Status
from vision.tracking.rest_detector import RestDetector, TrayState
from vision.tray_map import TrayMap

Result = TypeVar("Result")

SEED = 1
STUDIO_SEED = 2_000_000
SIZE_WH = (1280, 720)
DICE = 5
FRAME_TIMEOUT_S = 1.0
STILL_FRAMES = 60
MEMORY_FRAMES = 10


def measure_reading(count: int) -> dict[str, float]:
    """Return medians over this many frames of each surrounding, and the memory of a reader."""
    limit_to_one_thread()
    with SimulatedCamera(SteppedClock(), seed=SEED, size_wh=SIZE_WH) as camera:
        rests = [_next_rest(camera).image_bgr for _ in range(count)]
        figures = measure_images("simulated tray", rests)
        calibrated = Reader(tray=_calibrate(camera))
        figures |= measure_images("calibrated tray", rests, calibrated)
        unchanged_ms = statistics.median(_measure_unchanged_ms(camera))
    shots = list(_studio_pictures(count)) if has_scenes() else []
    if shots:
        figures |= measure_images("studio", shots)
    figures["unchanged frame, ms"] = round(unchanged_ms, 3)
    memory = measure_reading_memory_mb((rests + shots)[-MEMORY_FRAMES:], expect=DICE)
    return figures | {f"reading process, {name}": value for name, value in memory.items()}


def measure_images(
    place: str, images: Sequence[Image], reader: Reader | None = None
) -> dict[str, float]:
    """Read every picture by the reader and by the recipe; return medians in milliseconds."""
    reader = reader or Reader()
    recipe, times = BaselineReader(), defaultdict[str, list[float]](list)
    certain = list[bool]()
    # What is only done the first time, such as loading and getting memory, is no reading.
    reader.read(images[0], expect=DICE)
    for image in images:
        elapsed_ms, reading = _time_call(partial(reader.read, image, expect=DICE))
        times["reading, ms"].append(elapsed_ms)
        times["blobs and clusters, ms"].append(_time_call(partial(recipe.read, image))[0])
        certain.append(reading.status is Status.READ)
        for stage in reading.stages:
            times[f"stage {stage.stage}, ms"].append(stage.elapsed_ms)
    figures = {name: round(statistics.median(values), 3) for name, values in times.items()}
    ratio = figures["reading, ms"] / figures["blobs and clusters, ms"]
    figures["reading / blobs and clusters"] = round(ratio, 3)
    figures["share read with certainty"] = round(statistics.mean(certain), 3)
    return {f"{place}: {name}": value for name, value in figures.items()}


def _studio_pictures(count: int) -> Iterator[Image]:
    from vision.training.scenes import SceneSpec, render_scene

    spec = SceneSpec(expect=DICE, clear=True)
    for seed in range(STUDIO_SEED, STUDIO_SEED + count):
        yield render_scene(seed, SIZE_WH, spec=spec).image_bgr


def _calibrate(camera: SimulatedCamera) -> TrayMap:
    """Return the map of the simulated tray, from corners set exactly."""
    x_mm, y_mm = FELT_WH_MM[0] / 2.0, FELT_WH_MM[1] / 2.0
    corners = [camera.project(x, y, 0.0) for x in (-x_mm, x_mm) for y in (-y_mm, y_mm)]
    return fit_tray_to_corners(corners, SIZE_WH, FELT_WH_MM).tray


def _next_rest(camera: SimulatedCamera) -> Frame:
    camera.throw()
    while camera.is_moving:
        camera.frame(FRAME_TIMEOUT_S)
    return camera.frame(FRAME_TIMEOUT_S)


def _measure_unchanged_ms(camera: SimulatedCamera) -> list[float]:
    """Return what frames cost that show what was read already."""
    detector = RestDetector(Reader())
    while detector.process(camera.frame(FRAME_TIMEOUT_S)).state is not TrayState.AT_REST:
        pass
    frames = [camera.frame(FRAME_TIMEOUT_S) for _ in range(STILL_FRAMES)]
    return [_time_call(partial(detector.process, frame))[0] for frame in frames]


def _time_call(work: Callable[[], Result]) -> tuple[float, Result]:
    """Do it; return how many milliseconds that took, and what came of it."""
    began_s = time.perf_counter()
    result = work()
    return (time.perf_counter() - began_s) * 1000, result
