# SPDX-License-Identifier: MIT
"""
The drivers that the settings name.

What is named is what runs. A driver that is missing says so and is tried again; another
one in its place would show a tray that nobody looks into.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from controller.errors import InputError
from controller.settings import CameraDriver, CameraSettings, PanelDriver, PanelSettings
from hardware.camera import Camera
from hardware.clock import MonotonicClock
from hardware.debounce import DebounceParams
from hardware.file_camera import FileCamera
from hardware.gpio_panel import GpioPanel
from hardware.panel import Button, Panel, PanelLostError
from hardware.pi_camera import PiCamera
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.panel import SimulatedPanel
from hardware.usb_camera import UsbCamera


def chosen_camera(settings: CameraSettings) -> Camera:
    """
    Return the camera that the settings name; it is not opened yet.

    Raises:
        InputError: There is no such recording to play.
    """
    size_wh = (settings.width, settings.height)
    match settings.driver:
        case CameraDriver.SIMULATED:
            seed = secrets.randbits(32)
            return SimulatedCamera(MonotonicClock(), seed=seed, size_wh=size_wh, fps=settings.fps)
        case CameraDriver.PI:
            return PiCamera(settings.index, size_wh=size_wh, fps=settings.fps)
        case CameraDriver.USB:
            source = settings.path or settings.index
            return UsbCamera(source, size_wh=size_wh, fps=settings.fps)
        case CameraDriver.FILE:
            return FileCamera(_recording(settings.path), fps=settings.fps)


def _recording(path: str) -> Path:
    if not Path(path).exists():
        expected = "a video or a folder of pictures"
        raise InputError(expected=expected, found=f"nothing at {path}", where="[camera] path")
    return Path(path)


def chosen_panel(settings: PanelSettings) -> Panel | None:
    """
    Return the panel that the settings name, its pins taken; none where there is to be none.

    Raises:
        InputError: Its pins are not there or in use.
    """
    match settings.driver:
        case PanelDriver.NONE:
            return None
        case PanelDriver.SIMULATED:
            return SimulatedPanel(MonotonicClock())
        case PanelDriver.GPIO:
            return _gpio_panel(settings)


def _gpio_panel(settings: PanelSettings) -> Panel:
    buttons = {
        Button.LEFT: settings.left_pin,
        Button.RIGHT: settings.right_pin,
        Button.CONFIRM: settings.confirm_pin,
        Button.BACK: settings.back_pin,
    }
    lamps = {
        Button.LEFT: settings.left_lamp_pin,
        Button.RIGHT: settings.right_lamp_pin,
        Button.CONFIRM: settings.confirm_lamp_pin,
        Button.BACK: settings.back_lamp_pin,
    }
    params = DebounceParams(bounce_s=settings.bounce_ms / 1000, hold_s=settings.hold_ms / 1000)
    try:
        return GpioPanel(buttons, lamps, params=params)
    except PanelLostError as error:
        raise InputError(
            expected="the pins of the panel", found=f"{error.what}; {error.mend}", where="[panel]"
        ) from error
