# SPDX-License-Identifier: MIT
"""The effective exposure: as a person set it, otherwise as calibrated."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from controller.base.settings import (
    CameraDriver,
    CameraSettings,
)
from hardware.camera import Exposure

CAMERA_CHOOSES = Exposure(0, 0.0, 0.0, 0.0, 0.0)
"""Leaves everything to the camera: a webcam knows best how to begin."""
_START = {CameraDriver.PI: Exposure()}
"""What a camera begins with if nothing is set; other cameras choose themselves."""


def effective_exposure(settings: CameraSettings, calibrated: Exposure | None) -> Exposure | None:
    """Return what a person set, unless 0, otherwise the calibrated one; `None` if neither."""
    keys = (key.name for key in fields(Exposure))
    changes: dict[str, Any] = {
        key: getattr(settings, key) for key in keys if getattr(settings, key)
    }
    start = calibrated or _START.get(settings.driver, CAMERA_CHOOSES)
    return replace(start, **changes) if changes else calibrated
