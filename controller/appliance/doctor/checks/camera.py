# SPDX-License-Identifier: MIT
"""
The camera that the settings name: is it there, may it be used, how fast is it, and does it
see anything that stays?

The rate is what really arrives, as the table would take it: drivers promise 30 pictures
a second and deliver 12 in dim light or on a slow USB port, and dice are then followed worse.

A throw is read several times before it counts, so a machine that reads slowly makes everybody
wait. The same drawn tray is read on every machine, so that figures can be compared.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.appliance.doctor.host import DiagnosticContext, permission_remedy
from controller.base.errors import InputError
from controller.base.languages.message import Number, chain_messages, message
from controller.base.settings import CameraDriver
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.store import Calibration, load_calibration
from hardware.camera import Camera, CameraLostError
from hardware.clock import Clock, SteppedClock
from hardware.simulated.camera import SimulatedCamera
from vision.calibration.tray_shift import HOLD_ON, UNNOTICED, can_detect_camera_shift
from vision.nets.onnx_net import WeightsError
from vision.pipeline import Reader
from vision.tracking.rest_detector import AGREEING

CAMERA = "camera"
GROUP = "video"
FRAME_TIMEOUT_S = 5.0
WARM_UP_FRAMES = 5
MEASURED_S = 2.0
ENOUGH = 0.8  # Share of the rate in the settings that counts as reached.
FASTER = message(
    "more light (a shorter exposure), a USB 3 port, or a lower fps or size in [camera]"
)
CABLE = message("check its cable; then: rpicam-hello --list-cameras")
PLUG_IN = message(
    "plug it in, or name another path or index in [camera]; v4l2-ctl --list-devices lists them"
)


def check_camera(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Look at the device, then open it and measure how fast pictures come."""
    driver = context.settings.camera.driver
    if context.is_running:
        yield note(CAMERA, message("in use by the running dicebell; /healthz shows its state"))
        return
    devices = list(_check_devices(context))
    yield from devices
    if not devices:
        yield from _check_frames(context, driver)


def _check_devices(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    host, settings = context.host, context.settings.camera
    if settings.driver is CameraDriver.PI:
        devices, mend = host.files("dev", "media*") + host.files("dev", "video*"), CABLE
        missing = message("there is no /dev/media or /dev/video")
    elif settings.driver is CameraDriver.USB:
        name = settings.path or f"/dev/video{settings.index}"
        devices, mend = [each for each in [host.path(name)] if each.exists()], PLUG_IN
        missing = message("there is no {device}", device=name)
    else:
        return
    if not devices:
        yield wrong(CAMERA, missing, mend)
    elif refused := [path for path in devices if not os.access(path, os.R_OK | os.W_OK)]:
        yield wrong(
            CAMERA,
            message("no permission for {device}", device=f"/dev/{refused[0].name}"),
            permission_remedy(host, GROUP),
        )


def _check_frames(context: DiagnosticContext, driver: CameraDriver) -> Iterator[DiagnosticFinding]:
    settings = context.settings.camera
    try:
        with context.open_camera() as camera:
            yield ok(CAMERA, message("{camera} opens", camera=camera.name))
            size_wh, reached = measure_rate(camera, context.clock)
            would_notice = driver is CameraDriver.FILE or _would_notice_knock(camera, context)
    except InputError as error:
        yield wrong(CAMERA, error.args[0], message("correct the section [camera] of the settings"))
        return
    except CameraLostError as error:
        yield wrong(CAMERA, chain_messages([f"{error.camera}:", error.what]), error.mend)
        return
    what = message(
        "{reached} of {wanted} pictures a second, {width} × {height}",
        reached=Number(reached, ".1f"),
        wanted=settings.fps,
        width=size_wh[0],
        height=size_wh[1],
    )
    is_enough = reached >= ENOUGH * settings.fps or driver is CameraDriver.FILE
    yield ok(CAMERA, what) if is_enough else wrong(CAMERA, what, FASTER)
    if not would_notice:
        yield note(CAMERA, UNNOTICED, HOLD_ON)


def _would_notice_knock(camera: Camera, context: DiagnosticContext) -> bool:
    """Return whether there is something in the view by which a moved camera is noticed."""
    one, other = (camera.frame(FRAME_TIMEOUT_S).image_bgr for _ in range(2))
    under_dome = context.settings.tray.is_dome
    live = ActiveCalibration(_load_calibration(context), under_dome=under_dome)
    tray = live.tray_for((other.shape[1], other.shape[0]))
    return can_detect_camera_shift(one, other, live.read(other), tray)


def _load_calibration(context: DiagnosticContext) -> Calibration | None:
    with suppress(InputError):  # The check of the data folder reports a broken one.
        return load_calibration(context.settings.data.folder)
    return None


def measure_rate(camera: Camera, clock: Clock) -> tuple[tuple[int, int], float]:
    """Return size and rate of a camera's pictures, or CameraLostError."""
    for _ in range(WARM_UP_FRAMES):
        frame = camera.frame(FRAME_TIMEOUT_S)
    began_s, frames = clock.now_s(), 0
    while clock.now_s() - began_s < MEASURED_S:
        frame = camera.frame(FRAME_TIMEOUT_S)
        frames += 1
    height, width = frame.image_bgr.shape[:2]
    return (width, height), frames / (clock.now_s() - began_s)


READING = "reading"
SLOW_MS, TOO_SLOW_MS = 500.0, 2000.0
_SEED = 1
_READINGS = 3
FASTER_READING = message(
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
        return wrong(READING, what, FASTER_READING)
    return note(READING, what, FASTER_READING) if reading_ms > SLOW_MS else ok(READING, what)


def measure_reading_ms(clock: Clock) -> float:
    """
    Return how long the fastest of some readings takes; others waited for other programs.

    WeightsError if the weights of a net are missing or torn.
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
