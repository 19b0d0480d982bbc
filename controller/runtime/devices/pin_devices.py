# SPDX-License-Identifier: MIT
"""
Devices on pins that may be unusable for a while: they are opened again until they work.

A device that is not open does nothing. What it shall show is remembered until it opens. It may be
unusable because its pins are in use, its library is missing, or `/dev/gpiochip` appears later.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, Protocol, TypeAlias, TypeVar

from controller.table.events import Event, PeripheralBack, PeripheralLost
from hardware.gpio.buzzer import Buzzer, Melody
from hardware.gpio.light import Light
from hardware.panel import Button, Panel, PanelEvent, PanelLostError

PAUSE_S = 5.0  # Between two attempts to open what is not open.


class Closable(Protocol):
    """A device that is released at the end."""

    def close(self) -> None: ...


_Device = TypeVar("_Device", bound=Closable)


class PinDevice(Generic[_Device]):
    """
    A device that is opened as soon as it can be; may be used from any thread.

    Args:
        name: One of the devices of `controller.table.events`.
        open_device: Opens it; may raise `PanelLostError`.
        seat: The seat of its panel, from 1; `None` if it belongs to the table.

    Attributes:
        loss: Why it could not be opened; `None` while it is open. It is no exception, because the
            traceback of one keeps gpiozero's half-made device alive, and with it the pin.
    """

    def __init__(
        self, name: str, open_device: Callable[[], _Device], *, seat: int | None = None
    ) -> None:
        self.name = name
        self.seat = seat
        self.loss: PeripheralLost | None = None
        self._open_device = open_device
        self._changed = threading.Condition()
        self._device: _Device | None = None
        self._is_closed = False
        self._show: Callable[[_Device], None] = lambda device: None

    @property
    def device(self) -> _Device | None:
        """The device; `None` while it is not open."""
        return self._device

    def open(self) -> None:
        """Open it unless it is open or closed for good, and set `loss`; one thread at a time."""
        if self._device:
            return
        try:
            device = self._open_device()  # outside the lock: a driver may hang
        except PanelLostError as error:
            self.loss = PeripheralLost(self.name, error.what, error.mend, self.seat)
            return
        with self._changed:
            if self._is_closed:
                device.close()
                return
            self._device, self.loss = device, None
            self._show(device)
            self._changed.notify_all()

    def show(self, show: Callable[[_Device], None]) -> None:
        """Let it show something: now, or when it opens."""
        with self._changed:
            self._show = show
            if self._device:
                show(self._device)

    def wait_until_open(self, timeout_s: float) -> _Device | None:
        """Return the device once it is open; `None` after the timeout, or if it was closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._device or self._is_closed, timeout_s)
            return self._device

    def close(self) -> None:
        """Release it for good; safe to call twice."""
        with self._changed:
            self._is_closed = True
            device, self._device = self._device, None
            self._changed.notify_all()
        if device:
            device.close()


AnyPinDevice: TypeAlias = PinDevice[Panel] | PinDevice[Light] | PinDevice[Buzzer]


def open_again(
    devices: Sequence[AnyPinDevice], send: Callable[[Event], None], wait: Callable[[float], bool]
) -> None:
    """
    Report devices that could not be opened, and open them until all work; run it in a thread.

    Args:
        devices: The devices, each opened once before.
        wait: Waits this many seconds; returns true at once if the table is being shut down.
    """
    reported: dict[AnyPinDevice, PeripheralLost] = {}
    while True:
        for device in devices:
            if device.loss and reported.get(device) != device.loss:
                reported[device] = device.loss
                send(device.loss)
            elif not device.loss and device in reported:
                del reported[device]
                send(PeripheralBack(device.name, device.seat))
        if not reported or wait(PAUSE_S):
            return
        for device in reported:
            device.open()


class PinPanel:
    """A panel whose buttons and lamps are opened apart, so that one works without the other."""

    def __init__(self, buttons: PinDevice[Panel], lamps: PinDevice[Panel]) -> None:
        self._buttons = buttons
        self._lamps = lamps

    def event(self, timeout_s: float) -> PanelEvent | None:
        panel = self._buttons.wait_until_open(timeout_s)
        return panel.event(timeout_s) if panel else None

    def buttons(self) -> Mapping[Button, bool]:
        panel = self._buttons.device
        return panel.buttons() if panel else {}

    def lamps(self) -> frozenset[Button]:
        panel = self._lamps.device
        return panel.lamps() if panel else frozenset()

    def show_lamps(self, lit: AbstractSet[Button]) -> None:
        self._lamps.show(lambda panel: panel.show_lamps(lit))

    def close(self) -> None:
        try:
            self._buttons.close()
        finally:
            self._lamps.close()


class PinLight:
    """A light that is opened as soon as it can be."""

    def __init__(self, light: PinDevice[Light]) -> None:
        self._light = light

    def set_brightness(self, brightness_percent: int) -> None:
        self._light.show(lambda light: light.set_brightness(brightness_percent))

    def close(self) -> None:
        self._light.close()


class PinBuzzer:
    """A buzzer that is opened as soon as it can be; until then it is silent."""

    def __init__(self, buzzer: PinDevice[Buzzer]) -> None:
        self._buzzer = buzzer

    def play(self, sound: Melody) -> None:
        if buzzer := self._buzzer.device:
            buzzer.play(sound)

    def close(self) -> None:
        self._buzzer.close()
