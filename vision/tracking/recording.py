# SPDX-License-Identifier: MIT
"""Find the rests of a whole recording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vision.frame import Frame
from vision.reading import TrayReading
from vision.tracking.rest_detector import RestDetector, TrayState


@dataclass(frozen=True, slots=True)
class Rest:
    """Consecutive frames without movement, and their reading."""

    reading: TrayReading
    first_frame: int
    last_frame: int


def find_rests(
    frames: Iterable[Frame], detector: RestDetector, *, expect: int | None = None
) -> Iterator[Rest]:
    """Yield the rests of a recording, each when it is over."""
    rest: Rest | None = None
    for frame in frames:
        observation = detector.process(frame, expect=expect)
        if observation.state is TrayState.AT_REST and observation.reading is not None:
            rest = Rest(observation.reading, observation.first_frame, observation.last_frame)
        elif rest is not None:
            yield rest
            rest = None
    if rest is not None:
        yield rest
