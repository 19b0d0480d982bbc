# SPDX-License-Identifier: MIT
"""How pictures shall be taken: as a person has set, else as calibrated."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from controller.settings import (
    CameraDriver,
    CameraSettings,
)
from hardware.camera import Exposure

CAMERA_CHOOSES = Exposure(0, 0.0, 0.0, 0.0, 0.0)
"""Leaves everything to the camera: a webcam knows best how to begin, and gives no scale."""
_START = {CameraDriver.PI: Exposure()}
"""What a camera begins with where nobody has said anything; else as it is."""


def effective_exposure(settings: CameraSettings, calibrated: Exposure | None) -> Exposure | None:
    """
    Return how pictures shall be taken: as a person has set, else as calibrated.

    Args:
        settings: Where 0 means that a person has set nothing.
        calibrated: What the calibration found; `None` before one.

    Returns:
        `None` if nobody has said anything: then the driver begins as it does.
    """
    keys = (key.name for key in fields(Exposure))
    said: dict[str, Any] = {key: getattr(settings, key) for key in keys if getattr(settings, key)}
    start = calibrated or _START.get(settings.driver, CAMERA_CHOOSES)
    return replace(start, **said) if said else calibrated
