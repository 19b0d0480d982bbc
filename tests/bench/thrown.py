# SPDX-License-Identifier: MIT
"""
Measure how a loaded machine classifies thrown dice and dice set by hand.

One simulated tray is followed by several watchers that each drop other frames. A truthful reader
replaces the one that reads pixels, so only the tracking is measured.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader
from vision.frame import Frame
from vision.image_files import limit_to_one_thread
from vision.reading import Origin, TrayReading
from vision.tracking.rest_detector import RestDetector, TrayState

SEED = 1
SIZE_WH = (640, 360)
FPS = 30
STILL_S = 1.6
"""The time between throws; long enough to detect a rest under every load."""

FRAME_TIMEOUT_S = 1.0
BY_HAND_EACH = 4
"""The number of throws between two dice that a hand sets."""

_BY_HAND = (Origin.PLACED, Origin.TURNED, Origin.KEPT)


@dataclass(frozen=True, slots=True)
class FrameLoss:
    """
    How frames are dropped.

    Attributes:
        name: What the figures are called.
        share: Each frame is dropped with this probability.
        stall_s: After each third frame, on average, the machine stalls for up to this time.
    """

    name: str
    share: float = 0.0
    stall_s: float = 0.0


FRAME_LOSSES = (
    FrameLoss("no frame dropped"),
    FrameLoss("20 % dropped", share=0.2),
    FrameLoss("50 % dropped", share=0.5),
    FrameLoss("70 % dropped", share=0.7),
    FrameLoss("stalls up to 0.3 s", stall_s=0.3),
    FrameLoss("stalls up to 0.6 s", stall_s=0.6),
)
_STALL_SHARE = 1.0 / 3.0


@dataclass(frozen=True, kw_only=True)
class Thrown(Benchmark):
    """Throw dice in a simulated tray while frames are dropped, and let a hand set some; how
    many are called placed, or unseen."""

    name: ClassVar[str] = "thrown"
    throws: int = option(200, "how many (%(default)s)", whole_number_type(1))

    def measure(self) -> Iterator[Metric]:
        yield from measure_throws(self.throws)


class LossyWatcher:
    """Follows a tray on a machine that drops frames, and counts the origins."""

    def __init__(self, camera: SimulatedCamera, load: FrameLoss, *, seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self._load = load
        self._random = random.Random(seed)
        self._watcher = RestDetector(TruthfulReader(camera))
        self._stalls_until_s = 0.0
        self._reading: TrayReading | None = None

    def process(self, frame: Frame) -> None:
        """Watch a frame, unless it is dropped."""
        if frame.at_s < self._stalls_until_s or self._random.random() < self._load.share:
            return
        if self._load.stall_s and self._random.random() < _STALL_SHARE:
            self._stalls_until_s = frame.at_s + self._random.uniform(0.0, self._load.stall_s)
        seen = self._watcher.process(frame)
        self._reading = seen.reading if seen.state is TrayState.AT_REST else None

    def count_throw(self, thrown: Collection[int]) -> None:
        """Count what is said of a rest after these dice were thrown."""
        origins = self._origins()
        by = Counter(origins[index] for index in thrown if index < len(origins))
        self.counts["throws"] += 1
        self.counts["dice thrown"] += len(thrown)
        self.counts["dice called unseen"] += by[Origin.UNSEEN]
        self.counts["dice called kept or turned"] += by[Origin.KEPT] + by[Origin.TURNED]
        self.counts["throws called placed"] += Origin.PLACED in origins

    def count_hand(self, handled: Collection[int]) -> None:
        """Count what is said of a rest after a hand set these dice."""
        origins = self._origins()
        self.counts["dice set by a hand"] += len(handled)
        noticed = sum(origins[index] in _BY_HAND for index in handled if index < len(origins))
        self.counts["of these noticed"] += noticed

    def _origins(self) -> list[Origin | None]:
        return [die.origin for die in self._reading.dice] if self._reading else []


def measure_throws(
    throws: int, loads: Sequence[FrameLoss] = FRAME_LOSSES, *, seed: int = SEED
) -> Iterator[Metric]:
    """Yield the counts under each load, after this many throws."""
    limit_to_one_thread()
    with SimulatedCamera(SteppedClock(), seed=seed, size_wh=SIZE_WH, fps=FPS) as camera:
        watchers = [LossyWatcher(camera, load, seed=seed + n) for n, load in enumerate(loads)]
        _play(camera, watchers, throws, random.Random(seed))
    for load, watcher in zip(loads, watchers, strict=True):
        for name, count in watcher.counts.items():
            yield Metric(f"{load.name}: {name}", count)


def _play(
    camera: SimulatedCamera, watchers: Sequence[LossyWatcher], throws: int, chance: random.Random
) -> None:
    _watch(camera, watchers, lambda: None)
    for number in range(throws):
        dice = [die.index for die in camera.truth()]
        thrown = chance.sample(dice, chance.choice((len(dice), chance.randint(1, len(dice)))))
        _watch(camera, watchers, partial(camera.throw, which=thrown))
        for watcher in watchers:
            watcher.count_throw(thrown)
        if number % BY_HAND_EACH == BY_HAND_EACH - 1:
            handled = chance.sample(dice, 2)
            _watch(camera, watchers, partial(camera.take_out, handled))
            _watch(camera, watchers, camera.put_back)
            for watcher in watchers:
                watcher.count_hand(handled)


def _watch(
    camera: SimulatedCamera, watchers: Sequence[LossyWatcher], act: Callable[[], None]
) -> None:
    """Let hands do something, and watch until dice have lain still for a while."""
    act()
    still_frames = 0
    while still_frames < STILL_S * FPS:
        frame = camera.frame(FRAME_TIMEOUT_S)
        for watcher in watchers:
            watcher.process(frame)
        still_frames = 0 if camera.is_moving else still_frames + 1
