# SPDX-License-Identifier: MIT
"""
Cameras by name: `camera:usb0`, `camera:simulated`.

A camera with useless pictures (dark, frozen, blocked) counts as lost, so a covered lens is never
read as an empty tray.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from controller.base.errors import InputError, UnavailableError
from hardware.camera import Camera, CameraLostError
from hardware.cameras.pi import PiCamera
from hardware.cameras.usb import UsbCamera
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from vision.camera_health.health_check import HealthCheck
from vision.frame import Frame

PREFIX = "camera:"

_FRAME_TIMEOUT_S = 5.0
_NUMBERED = re.compile(r"(?P<kind>usb|pi)(?P<number>\d{1,2})", re.ASCII)


def is_camera(source: str) -> bool:
    """Return whether a source names a camera and no file."""
    return source.startswith(PREFIX)


def camera_frames(source: str, *, for_s: float) -> Iterator[Frame]:
    """
    Yield the frames of a camera for this long by its own clock.

    InputError for an unknown name; UnavailableError if the camera is lost or its pictures are
    useless.
    """
    camera = _camera(source)
    health = HealthCheck(may_move=True)  # Somebody who tries a camera may hold it in a hand.
    try:
        with camera:
            frame = camera.frame(_FRAME_TIMEOUT_S)
            end_s = frame.at_s + for_s
            while frame.at_s < end_s:
                if fault := health.check(frame):
                    raise CameraLostError(camera=camera.name, what=fault.what, mend=fault.remedy)
                if not health.is_suspicious:
                    yield frame
                frame = camera.frame(_FRAME_TIMEOUT_S)
    except CameraLostError as error:
        found = f"{error.what}; {error.mend}"
        raise UnavailableError(expected="a working camera", found=found, where=source) from error


def _camera(source: str) -> Camera:
    name = source.removeprefix(PREFIX)
    if name == "simulated":
        return SimulatedCamera(SteppedClock(), seed=0)
    found = _NUMBERED.fullmatch(name)
    if found is None:
        expected = "camera:usb0, camera:pi0 or camera:simulated"
        raise InputError(expected=expected, found=repr(source), where=source)
    number = int(found["number"])
    return UsbCamera(number) if found["kind"] == "usb" else PiCamera(number)
