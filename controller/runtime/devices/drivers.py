# SPDX-License-Identifier: MIT
"""
Create the drivers that the settings name.

A missing driver is reported and tried again. It is never replaced by another one, which could
show another tray.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.base.settings import (
    CameraDriver,
    CameraSettings,
    PanelDriver,
    Settings,
)
from controller.base.settings.schema import NO_PIN
from controller.runtime.devices.exposure_settings import effective_exposure
from controller.runtime.devices.found_camera import Candidate, FoundCamera
from controller.runtime.devices.peripherals import Peripherals
from controller.runtime.devices.pin_devices import (
    PinBuzzer,
    PinDevice,
    PinGroup,
    PinLight,
    PinPanel,
)
from controller.runtime.devices.pin_drivers import (
    PinDrivers,
    debounce_params,
    find_seat,
    list_panels,
)
from controller.table.events import BUTTONS, BUZZER, LAMPS, LIGHT
from hardware.camera import Camera, Exposure
from hardware.cameras.pi import PiCamera
from hardware.cameras.recording import FileCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.video_devices import list_video_devices
from hardware.clock import MonotonicClock
from hardware.gpio.buzzer import Melody
from hardware.gpio.pins import Pins, SharedPins
from hardware.panel import Panel
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.light_and_buzzer import SimulatedBuzzer, SimulatedLight
from hardware.simulated.panel import SimulatedPanel


def create_camera(table: Settings, *, calibrated: Exposure | None = None) -> Camera:
    """Return the camera that the settings name, or what finds it, not yet open; or InputError."""
    settings = table.camera
    size_wh = (settings.width, settings.height)
    exposure = effective_exposure(settings, calibrated)
    match settings.driver:
        case CameraDriver.AUTO:
            cameras = _CameraList(settings)
            found = FoundCamera(table.data.folder, lambda: cameras.list_candidates(used=found.name))
            if calibrated:
                found.set_exposure(exposure)
            return found
        case CameraDriver.SIMULATED:
            seed = secrets.randbits(32)
            camera = SimulatedCamera(
                MonotonicClock(),
                seed=seed,
                size_wh=size_wh,
                fps=settings.fps,
                has_dome=table.tray.is_dome,
            )
            camera.set_exposure(exposure)
            return camera
        case CameraDriver.PI:
            return _create_pi(settings, exposure)
        case CameraDriver.USB:
            return _create_usb(settings, settings.path or settings.index, exposure)
        case CameraDriver.FILE:
            return FileCamera(_require_recording(settings.path), fps=settings.fps)


def _create_pi(settings: CameraSettings, exposure: Exposure | None) -> Camera:
    return PiCamera(
        settings.index,
        size_wh=(settings.width, settings.height),
        fps=settings.fps,
        mains_hz=settings.mains_hz,
        exposure=exposure,
    )


def _create_usb(
    settings: CameraSettings,
    source: int | str,
    exposure: Exposure | None,
    *,
    any_size: bool = False,
) -> Camera:
    return UsbCamera(
        source,
        size_wh=(settings.width, settings.height),
        any_size=any_size,
        fps=settings.fps,
        mains_hz=settings.mains_hz,
        exposure=exposure,
    )


class _CameraList:
    """The cameras of this machine, each created once: an open one must stay the same."""

    def __init__(self, settings: CameraSettings) -> None:
        self._exposure = effective_exposure(settings, None)
        self._create_usb = partial(_create_usb, settings, exposure=self._exposure, any_size=True)
        # The number of a webcam is not that of the Pi's camera, which begins in its own way too.
        pi = replace(settings, driver=CameraDriver.PI, index=0)
        exposure = effective_exposure(pi, None)
        self._pi = Candidate(
            message("Camera of the Raspberry Pi"), _create_pi(pi, exposure), exposure or Exposure()
        )
        self._webcams: dict[str, Camera] = {}

    def list_candidates(self, *, used: str) -> list[Candidate]:
        """
        Return the cameras that are connected now, in the order in which they are tried.

        `used` is the name of the camera that the table has chosen or found.
        """
        devices = [*list_video_devices()]
        for device in devices:
            if device.path not in self._webcams:
                self._webcams[device.path] = self._create_usb(device.path)
        webcams = [Candidate(one.label, self._webcams[one.path], self._exposure) for one in devices]
        # A laptop's owner has no use for a camera that only a Pi has. A Pi whose camera was chosen
        # says that the library is missing.
        if webcams and used != self._pi.camera.name and find_spec("picamera2") is None:
            return webcams
        return [self._pi, *webcams]


def _require_recording(path: str) -> Path:
    expected, where = "a video or a folder of pictures", "[camera] path"
    try:
        # Without the right to enter a folder above it, this is an error.
        is_there = Path(path).exists()
    except OSError as error:
        found = f"{path}, which cannot be read: {error.strerror}"
        raise InputError(expected=expected, found=found, where=where) from error
    if not is_there:
        raise InputError(expected=expected, found=f"nothing at {path}", where=where)
    return Path(path)


def create_peripherals(settings: Settings, *, pins: Pins | None = None) -> Peripherals:
    """
    Return the panels, the light and the buzzer that the settings name, opened as far as
    possible.

    A panel without pins does not exist, and without a driver for panels none does. With
    simulated panels the light and the buzzer are simulated too, and sounds are logged.
    """
    if settings.panel.driver is PanelDriver.SIMULATED:
        return _create_simulated(settings)
    peripherals = _create_on_pins(settings, SharedPins(pins))
    for device in peripherals.devices:
        device.open()
    return peripherals


def log_sound(sound: Melody) -> None:
    """Log a sound instead of playing it."""
    Log("sound").info("to be heard", sound=sound.value)


def _create_simulated(settings: Settings) -> Peripherals:
    clock = MonotonicClock()
    light = SimulatedLight()
    light.set_brightness(settings.light.brightness_percent)
    seats = [find_seat(section) for section in list_panels(settings)]
    own = {seat: SimulatedPanel(clock) for seat in seats if seat is not None}
    return Peripherals(SimulatedPanel(clock), own, light, SimulatedBuzzer(log_sound))


def _create_on_pins(settings: Settings, pins: SharedPins) -> Peripherals:
    drivers, params, group = PinDrivers.on(pins), debounce_params(settings), PinGroup(pins)
    panels: dict[int | None, Panel] = {}
    devices = group.devices
    for section, used in list_panels(settings).items():
        seat, pushed, lit = find_seat(section), replace(used, lamps={}), replace(used, buttons={})
        buttons = PinDevice(
            BUTTONS, partial(drivers.panel, section, pushed, params), group, seat=seat
        )
        lamps = PinDevice(LAMPS, partial(drivers.panel, section, lit, params), group, seat=seat)
        panels[seat] = PinPanel(buttons, lamps)
        devices += [buttons] if used.buttons else []
        devices += [lamps] if used.lamps else []
    light, buzzer = None, None
    if (wanted := settings.light).pin != NO_PIN:
        shining = PinDevice(LIGHT, partial(drivers.light, wanted.pin, wanted.frequency_hz), group)
        light = PinLight(shining)
        light.set_brightness(wanted.brightness_percent)
        devices.append(shining)
    if settings.sound.buzzer_pin != NO_PIN:
        sounding = PinDevice(BUZZER, partial(drivers.buzzer, settings.sound.buzzer_pin), group)
        buzzer = PinBuzzer(sounding)
        devices.append(sounding)
    own = {seat: panel for seat, panel in panels.items() if seat is not None}
    return Peripherals(panels.get(None), own, light, buzzer, group)
