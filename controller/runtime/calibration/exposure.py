# SPDX-License-Identifier: MIT
"""
Lock a camera's exposure and white balance at values that it chose itself.

First the camera adapts until its values are stable. Then they are locked, with the shutter time
moved to where lamps on the mains do not flicker. A picture is compared with one from before:
if it is much lighter or darker, the camera ignores its settings or the light is unsuitable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from controller.base.languages.message import Message, Number, chain_messages, message
from hardware.camera import Camera, Exposure, without_flicker
from vision.frame import Frame, Image

MIN_SETTLE_FRAMES = 12
MAX_SETTLE_FRAMES = 150
_STABLE_FRAMES = 8
_STABLE_SHARE = 0.02
_APPLIED_SHARE = 0.05
_APPLIED_FRAMES = 20
_TOO_LIGHT, _TOO_DARK = 1.35, 0.72

UNSUPPORTED = message("This camera does not let its exposure be read or set. It stays automatic.")


@dataclass(frozen=True, slots=True)
class ExposureResult:
    exposure: Exposure | None  # The locked exposure; `None` if the camera supports none.
    text: str  # The same in words, with the problem, if any.
    is_well: bool  # Whether there is no problem.


def lock_exposure(
    camera: Camera, next_frame: Callable[[], Frame], *, mains_hz: int, longest_us: float
) -> ExposureResult:
    """
    Let a camera choose exposure and white balance, then lock them.

    Lamps flicker at `mains_hz`, 50 or 60; `longest_us` is one frame. CameraLostError if the camera
    is disconnected.
    """
    before = camera.exposure()
    camera.set_exposure(None)
    own_picture = _wait_until_stable(camera, next_frame)
    chosen = camera.exposure()
    if chosen is None:
        camera.set_exposure(before)
        return ExposureResult(None, UNSUPPORTED, is_well=True)
    wanted = without_flicker(chosen, mains_hz=mains_hz, longest_us=longest_us)
    camera.set_exposure(wanted)
    picture = _wait_until_applied(camera, wanted, next_frame)
    taken = camera.exposure() or wanted
    problem = _find_problem(own_picture, picture, wanted, taken)
    described = describe_exposure(wanted, mains_hz)
    text = chain_messages([described, problem]) if problem else described
    return ExposureResult(wanted, text, is_well=not problem)


def describe_exposure(exposure: Exposure, mains_hz: int) -> Message:
    parts: list[str] = []
    if exposure.exposure_us:
        parts.append(message("shutter {ms} ms", ms=Number(exposure.exposure_us / 1000.0, ".1f")))
    if exposure.gain:
        parts.append(message("gain {gain}", gain=Number(exposure.gain, ".1f")))
    if exposure.red_gain and exposure.blue_gain:
        both = (Number(gain, ".2f") for gain in (exposure.red_gain, exposure.blue_gain))
        gains = chain_messages(tuple(both), " / ")
        parts.append(message("white balance {gains}", gains=gains))
    if exposure.focus_dioptre:
        parts.append(message("focus at {cm} cm", cm=f"{100.0 / exposure.focus_dioptre:.0f}"))
    if exposure.exposure_us:
        parts.append(message("no flicker at {hz} Hz", hz=mains_hz))
    if not parts:
        return message("Fixed as the camera had it.")
    return message("Fixed: {values}.", values=chain_messages(parts, ", "))


def _wait_until_stable(camera: Camera, next_frame: Callable[[], Frame]) -> Image:
    """Wait until the camera's values are stable, or a limit; return the last picture."""
    seen: list[float] = []
    image = next_frame().image_bgr
    for _ in range(MAX_SETTLE_FRAMES):
        exposure = camera.exposure()
        light = exposure.exposure_us * max(exposure.gain, 1.0) if exposure else 0.0
        seen.append(light + _mean_level(image))
        last = seen[-_STABLE_FRAMES:]
        is_alike = max(last) - min(last) <= _STABLE_SHARE * max(max(last), 1.0)
        if len(seen) >= MIN_SETTLE_FRAMES and is_alike:
            break
        image = next_frame().image_bgr
    return image


def _wait_until_applied(camera: Camera, wanted: Exposure, next_frame: Callable[[], Frame]) -> Image:
    """Wait until the exposure is applied, or a limit; return the last picture."""
    for _ in range(_APPLIED_FRAMES):
        reported = camera.exposure()
        next_frame()
        if reported is not None and _is_near(reported.exposure_us, wanted.exposure_us):
            break
    # One more: the reported values may be ahead of the picture.
    return next_frame().image_bgr


def _find_problem(own: Image, picture: Image, wanted: Exposure, taken: Exposure) -> str:
    if not _is_near(taken.exposure_us, wanted.exposure_us):
        taken_ms = taken.exposure_us / 1000.0
        return message(
            "The camera did not accept the shutter time and uses {ms} ms.",
            ms=Number(taken_ms, ".1f"),
        )
    share = (_mean_level(picture) + 1.0) / (_mean_level(own) + 1.0)
    if share > _TOO_LIGHT:
        return message(
            "That is too bright. Dim the lamp or move it away, then fix the light again."
        )
    if share < _TOO_DARK:
        return message("That is too dark. Bring the lamp nearer, then fix the light again.")
    return ""


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= _APPLIED_SHARE * max(one, other, 1.0)


def _mean_level(image_bgr: Image) -> float:
    return float(np.mean(image_bgr[::8, ::8]))
