# SPDX-License-Identifier: MIT
"""
Run `dicebell run` in the folder `$HERE` at a terminal, without settings, with two webcams.

The first one plays the recording `lid` in that folder; the other one sees a simulated tray. Both
are read by the driver of webcams. Each line that is written to the pipe `hands` throws the dice.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from controller.base.settings import Settings
from controller.cli import run
from controller.cli.main import main
from controller.runtime import confirm_guard
from controller.runtime.devices import drivers
from hardware.camera import Camera
from hardware.cameras.recording import FileCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.video_devices import VideoDevice
from hardware.clock import MonotonicClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.recorded import encode_with_restarts
from vision.frame import Image

LID, TRAY = "/dev/video0", "/dev/video2"
FPS = 12
PATIENCE_S = 5.0


class SeenCapture:
    """What OpenCV opens at a webcam: JPEGs of what another camera sees."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        camera.open()
        self._image = camera.frame(PATIENCE_S).image_bgr
        self._controls: dict[int, float] = {cv2.CAP_PROP_EXPOSURE: 156.0}

    def isOpened(self) -> bool:
        return True

    def set_autogain(self, *, is_on: bool) -> None:
        """There is none."""

    def set(self, propId: int, value: float, /) -> bool:
        self._controls[propId] = value
        return True

    def get(self, propId: int, /) -> float:
        height, width = self._image.shape[:2]
        size = {cv2.CAP_PROP_FRAME_WIDTH: width, cv2.CAP_PROP_FRAME_HEIGHT: height}
        return float(size.get(propId, self._controls.get(propId, 0.0)))

    def grab(self) -> bool:
        self._image = self._camera.frame(PATIENCE_S).image_bgr
        return True

    def retrieve(self) -> tuple[bool, Image]:
        return True, np.frombuffer(encode_with_restarts(self._image), np.uint8)[np.newaxis]

    def release(self) -> None:
        self._camera.close()


def throw_when_told(tray: SimulatedCamera) -> None:
    # Opened for writing too, so that it does not end with the first writer.
    with open("hands", "r+b", buffering=0) as hands:
        while hands.readline():
            tray.throw()


def load_settings(_: Path | None) -> Settings:
    """Return the settings of a table that has none, at ports that nobody else uses."""
    settings = Settings()
    return replace(settings, web=replace(settings.web, port=int(os.environ["PORT"])))


def main_with_webcams() -> int:
    tray = SimulatedCamera(MonotonicClock(), seed=4, fps=FPS, longest_gap_s=1 / 6)
    cameras: dict[str | int, Camera] = {
        LID: FileCamera(Path("lid"), fps=FPS),
        TRAY: tray,
    }
    webcams = [VideoDevice(LID, "Camera in the lid"), VideoDevice(TRAY, "Camera above the tray")]
    create: Any = partial(UsbCamera, open_capture=lambda source: SeenCapture(cameras[source]))
    sys.stdout.isatty = lambda: True  # type: ignore[method-assign]
    threading.Thread(target=throw_when_told, args=(tray,), name="hands", daemon=True).start()
    with (
        patch.object(run, "load_settings", load_settings),
        patch.object(drivers, "list_video_devices", lambda: iter(webcams)),
        patch.object(drivers, "UsbCamera", create),
    ):
        return main()


if __name__ == "__main__":
    confirm_guard.LOOK_S = 0.0
    os.chdir(os.environ["HERE"])
    sys.exit(main_with_webcams())
