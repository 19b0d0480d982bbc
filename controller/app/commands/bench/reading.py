# SPDX-License-Identifier: MIT
"""
How many milliseconds a reading takes, stage by stage.

The common recipe, finding blobs and clustering them, reads the very same frames in the
same run, turn by turn with the reader: what it takes stands beside the reader's time.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial

import cv2  # noqa: TID251
import numpy as np
from numpy.typing import NDArray

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from vision.frame import Frame, Image
from vision.pipeline import Reader
from vision.watching.settle import TrayState, TrayWatcher

SEED = 1
FRAME_TIMEOUT_S = 1.0
STILL_FRAMES = 30


def measured(rests: int) -> dict[str, float]:
    """Return medians over this many rests of dice thrown before a simulated camera."""
    cv2.setNumThreads(1)
    with SimulatedCamera(SteppedClock(), seed=SEED) as camera:
        return _figures(camera, rests)


def _figures(camera: SimulatedCamera, rests: int) -> dict[str, float]:
    reader, times = Reader(), defaultdict[str, list[float]](list)
    for _ in range(rests):
        frame = _next_rest(camera)
        reading = reader.read(frame.image_bgr)
        for stage in reading.stages:
            times[f"stage {stage.stage}, ms"].append(stage.elapsed_ms)
        times["reading, ms"].append(_elapsed_ms(partial(reader.read, frame.image_bgr)))
        times["blobs and clusters, ms"].append(_elapsed_ms(partial(blob_recipe, frame.image_bgr)))
    times["unchanged frame, ms"] = _unchanged_ms(camera, reader)
    figures = {name: round(statistics.median(values), 3) for name, values in times.items()}
    ratio = figures["reading, ms"] / figures["blobs and clusters, ms"]
    figures["reading / blobs and clusters"] = round(ratio, 3)
    figures["memory at its highest, MB"] = _highest_mb()
    return figures


def blob_recipe(image_bgr: Image) -> tuple[int, ...]:
    """Read dice as most demonstrations do: dark round blobs, those that are near are one die."""
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    params = cv2.SimpleBlobDetector.Params()
    params.filterByInertia = True
    params.minInertiaRatio = 0.6
    detector = cv2.SimpleBlobDetector.create(params)
    blobs = detector.detect(gray)
    if not blobs:
        return ()
    places = np.array([blob.pt for blob in blobs])
    sizes = np.array([blob.size for blob in blobs])
    near = np.linalg.norm(places[:, None] - places[None], axis=2) < 3.0 * np.median(sizes)
    return _cluster_sizes(near)


def _cluster_sizes(near: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return how many members each group of things has that are near each other, sorted."""
    dice: list[int] = []
    left = set(range(len(near)))
    while left:
        reached, ahead = set(), {left.pop()}
        while ahead:
            place = ahead.pop()
            reached.add(place)
            ahead |= (set(np.flatnonzero(near[place]).tolist()) & left) - reached
            left -= ahead
        dice.append(len(reached))
    return tuple(sorted(dice))


def _next_rest(camera: SimulatedCamera) -> Frame:
    camera.throw()
    while camera.is_moving:
        camera.frame(FRAME_TIMEOUT_S)
    return camera.frame(FRAME_TIMEOUT_S)


def _unchanged_ms(camera: SimulatedCamera, reader: Reader) -> list[float]:
    """Return what frames cost that show what was read already."""
    watcher = TrayWatcher(reader)
    while watcher.look(camera.frame(FRAME_TIMEOUT_S)).state is not TrayState.AT_REST:
        pass
    frames = [camera.frame(FRAME_TIMEOUT_S) for _ in range(STILL_FRAMES)]
    return [_elapsed_ms(partial(watcher.look, frame)) for frame in frames]


def _elapsed_ms(work: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    work()
    return (time.perf_counter() - began_s) * 1000


def _highest_mb() -> float:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
