# SPDX-License-Identifier: MIT
"""
Create the drivers that the settings name.

A missing driver is reported and tried again. It is never replaced by another one, which could
show another tray.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from controller.errors import InputError, UnavailableError
from controller.logs import log_event, logger
from controller.runtime.devices.peripherals import Peripherals
from controller.settings import (
    CameraDriver,
    CameraSettings,
    PanelDriver,
    PanelSettings,
    PlayerPanelSettings,
    Settings,
)
from controller.settings.exposure import effective_exposure
from controller.settings.schema import NO_PIN
from controller.table.view.types import SEATS_MOST
from hardware.camera import Camera, Exposure
from hardware.cameras.pi import PiCamera
from hardware.cameras.recording import FileCamera
from hardware.cameras.usb import UsbCamera
from hardware.clock import MonotonicClock
from hardware.debounce import DebounceParams
from hardware.gpio.buzzer import Buzzer, GpioBuzzer, Melody
from hardware.gpio.light import Light, PwmLight
from hardware.gpio.panel import GpioPanel
from hardware.gpio.pins import Pins
from hardware.panel import Button, Panel, PanelLostError
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.light_and_buzzer import SimulatedBuzzer, SimulatedLight
from hardware.simulated.panel import SimulatedPanel


def create_camera(settings: CameraSettings, *, calibrated: Exposure | None = None) -> Camera:
    """
    Return the camera that the settings name; it is not opened yet.

    Args:
        settings: The camera and the exposure values that a person has set.
        calibrated: The exposure that the calibration found; `None` before a calibration.

    Raises:
        InputError: The recording does not exist.
    """
    size_wh = (settings.width, settings.height)
    exposure = effective_exposure(settings, calibrated)
    match settings.driver:
        case CameraDriver.SIMULATED:
            seed = secrets.randbits(32)
            camera = SimulatedCamera(MonotonicClock(), seed=seed, size_wh=size_wh, fps=settings.fps)
            camera.set_exposure(exposure)
            return camera
        case CameraDriver.PI:
            return PiCamera(
                settings.index,
                size_wh=size_wh,
                fps=settings.fps,
                mains_hz=settings.mains_hz,
                exposure=exposure,
            )
        case CameraDriver.USB:
            source = settings.path or settings.index
            return UsbCamera(
                source,
                size_wh=size_wh,
                fps=settings.fps,
                mains_hz=settings.mains_hz,
                exposure=exposure,
            )
        case CameraDriver.FILE:
            return FileCamera(_require_recording(settings.path), fps=settings.fps)


def _require_recording(path: str) -> Path:
    if not Path(path).exists():
        expected = "a video or a folder of pictures"
        raise InputError(expected=expected, found=f"nothing at {path}", where="[camera] path")
    return Path(path)


def create_peripherals(settings: Settings, *, pins: Pins | None = None) -> Peripherals:
    """
    Return the panels, the light and the buzzer that the settings name, and reserve their pins.

    A panel without pins does not exist, and without a driver for panels none does. With
    simulated panels the light and the buzzer are simulated too, and sounds are logged.

    Args:
        settings: The settings of the machine.
        pins: The pins; `None` for those of the Raspberry Pi.

    Raises:
        UnavailableError: Pins are missing or in use.
    """
    if settings.panel.driver is PanelDriver.SIMULATED:
        return _create_simulated(settings)
    with ExitStack() as taken:
        try:
            peripherals = _create_on_pins(settings, pins, taken)
        except PanelLostError as error:
            raise UnavailableError(
                expected="usable pins",
                found=f"{error.what}; {error.mend}",
                where=f"[{error.panel}]",
            ) from error
        taken.pop_all()
    return peripherals


def log_sound(sound: Melody) -> None:
    """Log a sound instead of playing it."""
    log_event(logger("sound"), logging.INFO, "to be heard", sound=sound.value)


def _create_simulated(settings: Settings) -> Peripherals:
    clock = MonotonicClock()
    light = SimulatedLight()
    light.set_brightness(settings.light.brightness_percent)
    own = {
        seat: SimulatedPanel(clock)
        for seat, (_, section) in enumerate(_player_panels(settings), start=1)
        if any(_connected_pins(section))
    }
    return Peripherals(SimulatedPanel(clock), own, light, SimulatedBuzzer(log_sound))


def _create_on_pins(settings: Settings, pins: Pins | None, taken: ExitStack) -> Peripherals:
    everybodys = _create_panel(settings, "panel", settings.panel, pins, taken)
    own = {
        seat: _create_panel(settings, name, section, pins, taken)
        for seat, (name, section) in enumerate(_player_panels(settings), start=1)
    }
    return Peripherals(
        panel=everybodys,
        own={seat: panel for seat, panel in own.items() if panel is not None},
        light=_create_light(settings, pins, taken),
        buzzer=_create_buzzer(settings, pins, taken),
    )


def _player_panels(settings: Settings) -> tuple[tuple[str, PlayerPanelSettings], ...]:
    """Return the sections of the players' panels with their names, in the order of the seats."""
    names = (f"panel_{seat}" for seat in range(1, SEATS_MOST + 1))
    return tuple((name, getattr(settings, name)) for name in names)


def _create_panel(
    settings: Settings,
    name: str,
    section: PanelSettings | PlayerPanelSettings,
    pins: Pins | None,
    taken: ExitStack,
) -> Panel | None:
    buttons, lamps = _connected_pins(section)
    if settings.panel.driver is PanelDriver.NONE or not (buttons or lamps):
        return None
    times = settings.panel
    params = DebounceParams(bounce_s=times.bounce_ms / 1000, hold_s=times.hold_ms / 1000)
    panel = GpioPanel(buttons, lamps, section=name, params=params, pin_factory=pins)
    taken.callback(panel.close)
    return panel


def _create_light(settings: Settings, pins: Pins | None, taken: ExitStack) -> Light | None:
    wanted = settings.light
    if wanted.pin == NO_PIN:
        return None
    light = PwmLight(wanted.pin, frequency_hz=wanted.frequency_hz, pin_factory=pins)
    taken.callback(light.close)
    light.set_brightness(wanted.brightness_percent)
    return light


def _create_buzzer(settings: Settings, pins: Pins | None, taken: ExitStack) -> Buzzer | None:
    if settings.sound.buzzer_pin == NO_PIN:
        return None
    buzzer = GpioBuzzer(settings.sound.buzzer_pin, pin_factory=pins)
    taken.callback(buzzer.close)
    return buzzer


def _connected_pins(
    section: PanelSettings | PlayerPanelSettings,
) -> tuple[dict[Button, int], dict[Button, int]]:
    """Return the connected pins of a panel's buttons and of its lamps."""
    buttons = {
        Button.LEFT: section.left_pin,
        Button.RIGHT: section.right_pin,
        Button.CONFIRM: section.confirm_pin,
        Button.BACK: section.back_pin,
    }
    lamps = {
        Button.LEFT: section.left_lamp_pin,
        Button.RIGHT: section.right_lamp_pin,
        Button.CONFIRM: section.confirm_lamp_pin,
        Button.BACK: section.back_lamp_pin,
    }
    return _select_connected(buttons), _select_connected(lamps)


def _select_connected(pins: Mapping[Button, int]) -> dict[Button, int]:
    return {button: pin for button, pin in pins.items() if pin != NO_PIN}
