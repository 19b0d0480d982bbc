# SPDX-License-Identifier: MIT
"""
Measure the time of a reading, stage by stage, and its memory.

The baseline reads the same frames in the same run. Two surroundings are measured: the tidy
simulated tray and the cluttered scenes of training. Without a checkout there are no scenes.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from controller.bench import has_scenes
from controller.bench.baseline import BaselineReader
from controller.bench.memory import measure_reading_memory_mb
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from vision.frame import Frame, Image
from vision.image_files import limit_to_one_thread
from vision.pipeline import Reader
from vision.reading import Status
from vision.tracking.rest_detector import RestDetector, TrayState

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
        unchanged_ms = statistics.median(_measure_unchanged_ms(camera))
    shots = list(_studio_pictures(count)) if has_scenes() else []
    if shots:
        figures |= measure_images("studio", shots)
    figures["unchanged frame, ms"] = round(unchanged_ms, 3)
    memory = measure_reading_memory_mb((rests + shots)[-MEMORY_FRAMES:], expect=DICE)
    return figures | {f"reading process, {name}": value for name, value in memory.items()}


def measure_images(place: str, images: Sequence[Image]) -> dict[str, float]:
    """Read every picture by the reader and by the recipe; return medians in milliseconds."""
    reader, recipe, times = Reader(), BaselineReader(), defaultdict[str, list[float]](list)
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
