# SPDX-License-Identifier: MIT
"""The simulated tray with corner cards, as a calibration sees it."""

from __future__ import annotations

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from vision.calibration.fit_tray import FittedTray, fit_tray_to_markers
from vision.calibration.markers import find_markers
from vision.frame import Image

PICTURE_WH = (1280, 720)
FELT_MM = (260.0, 160.0)


def open_camera_with_cards(seed: int = 1) -> SimulatedCamera:
    """Return an open camera over a tray with cards in its corners."""
    camera = SimulatedCamera(SteppedClock(), seed=seed)
    camera.open()
    camera.lay_cards()
    return camera


def take_picture(camera: SimulatedCamera) -> Image:
    """Return its next picture."""
    return camera.frame(1.0).image_bgr


def find_tray(picture: Image) -> FittedTray:
    """Return the tray whose cards are seen there."""
    return fit_tray_to_markers(find_markers(picture), PICTURE_WH)
