# SPDX-License-Identifier: MIT
"""
Measure how long this machine takes to read dice.

A throw is read several times before it counts, so a slow machine makes everybody wait. The same
drawn tray is read on every machine, so that figures can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.languages.message import message
from hardware.clock import Clock, SteppedClock
from hardware.simulated.camera import SimulatedCamera
from vision.nets.onnx_net import WeightsError
from vision.pipeline import Reader
from vision.tracking.rest_detector import AGREEING

READING = "reading"
SLOW_MS, TOO_SLOW_MS = 500.0, 2000.0
_SEED = 1
_READINGS = 3
FASTER = message(
    "end other programs, cool the machine, or take a faster one; until then a throw waits for its"
    " score"
)


def check_reading(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    try:
        yield judge_reading(measure_reading_ms(context.clock))
    except WeightsError as error:
        yield wrong(READING, str(error), message("install dicebell again"))


def judge_reading(reading_ms: float) -> DiagnosticFinding:
    """Report whether dice are read fast enough."""
    what = message(
        "five dice are read in {reading} ms, {times} times for each throw",
        reading=f"{reading_ms:.0f}",
        times=AGREEING,
    )
    if reading_ms > TOO_SLOW_MS:
        return wrong(READING, what, FASTER)
    return note(READING, what, FASTER) if reading_ms > SLOW_MS else ok(READING, what)


def measure_reading_ms(clock: Clock) -> float:
    """
    Return how long the fastest of some readings takes; others waited for other programs.

    Raises:
        WeightsError: The weights of a net are missing or torn.
    """
    with SimulatedCamera(SteppedClock(), seed=_SEED) as camera:
        image = camera.frame(1.0).image_bgr
        expect = len(camera.truth())
    reader = Reader()
    times_ms = []
    for _ in range(_READINGS):
        began_s = clock.now_s()
        reader.read(image, expect=expect)
        times_ms.append((clock.now_s() - began_s) * 1000)
    return min(times_ms)
