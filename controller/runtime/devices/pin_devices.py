# SPDX-License-Identifier: MIT
"""
Devices on pins that may be unusable for a while: they are opened again until they work.

A device that is not open does nothing. What it shall show is remembered until it opens. It may be
unusable because its pins are in use, its library is missing, or `/dev/gpiochip` appears later. If
the chip vanishes, all devices lose their pins at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, Protocol, TypeAlias, TypeVar

from controller.table.events import Event, PeripheralBack, PeripheralLost
from hardware.gpio.buzzer import Buzzer, Melody
from hardware.gpio.light import Light
from hardware.gpio.pins import SharedPins
from hardware.panel import Button, Panel, PanelEvent, PanelLostError

PAUSE_S = 5.0  # Between two attempts to open what is not open.


class Closable(Protocol):
    """A device that is released at the end."""

    def close(self) -> None: ...


_Device = TypeVar("_Device", bound=Closable)
_Result = TypeVar("_Result")


class PinDevice(Generic[_Device]):
    """
    A device that is opened as soon as it can be; may be used from any thread.

    `open_device` may raise `PanelLostError`. `group` are the devices on the same chip; it belongs
    to them. `seat` is that of its panel, from 1. `loss` is why it cannot be used, `None` while it
    is open. It is no exception, because the traceback of one keeps gpiozero's half-made device
    alive, and with it the pin.
    """

    def __init__(
        self,
        name: str,
        open_device: Callable[[], _Device],
        group: PinGroup,
        *,
        seat: int | None = None,
    ) -> None:
        self.name = name
        self.seat = seat
        self.loss: PeripheralLost | None = None
        self._open_device = open_device
        self._group = group
        self._changed = threading.Condition(group.lock)
        self._device: _Device | None = None
        self._is_closed = False
        self._show: Callable[[_Device], None] = lambda device: None

    @property
    def is_open(self) -> bool:
        return self._device is not None

    def open(self) -> None:
        """Open it unless it is open or closed for good, and set `loss`; one thread at a time."""
        if self._device:
            return
        try:
            device = self._open_device()  # outside the lock: a driver may hang
        except PanelLostError as error:
            self._set_loss(error)
            return
        with self._changed:
            if self._is_closed:
                device.close()
                return
            self._device, self.loss = device, None
            self.use(self._show)
            self._changed.notify_all()

    def use(self, use: Callable[[_Device], _Result]) -> _Result | None:
        """Return what this does with the device; `None` if it is not open, or loses its pins."""
        device = self._device
        if device is None:
            return None
        try:
            return use(device)
        except PanelLostError as error:
            with self._changed:
                if device is self._device:
                    self._group.lose(error)
            return None

    def show(self, show: Callable[[_Device], None]) -> None:
        """Let it show something: now, or when it opens."""
        with self._changed:
            self._show = show
            self.use(show)

    def wait_until_open(self, timeout_s: float) -> bool:
        """Return whether it is open; wait for that until the timeout, or until it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._device or self._is_closed, timeout_s)
            return self.is_open

    def lose(self, error: PanelLostError) -> None:
        """Release it until it is opened again, and set `loss`."""
        with self._changed:
            if device := self._device:
                self._device = None
                self._set_loss(error)
                device.close()

    def close(self) -> None:
        """Release it for good; safe to call twice."""
        with self._changed:
            self._is_closed = True
            device, self._device = self._device, None
            self._changed.notify_all()
        if device:
            device.close()

    def _set_loss(self, error: PanelLostError) -> None:
        self.loss = PeripheralLost(self.name, error.what, error.mend, self.seat)


AnyPinDevice: TypeAlias = PinDevice[Panel] | PinDevice[Light] | PinDevice[Buzzer]


class PinGroup:
    """The devices on the pins of one chip, which vanishes for all; `lock` lets one close others."""

    def __init__(self, pins: SharedPins) -> None:
        self.lock = threading.RLock()
        self.devices: list[AnyPinDevice] = []
        self._pins = pins

    def lose(self, error: PanelLostError) -> None:
        """Release all devices and the chip until they are opened again."""
        with self.lock:
            for device in self.devices:
                device.lose(error)
            self._pins.close()

    def close(self) -> None:
        """Release the chip, after its devices were closed; safe to call twice."""
        self._pins.close()


def open_again(
    devices: Sequence[AnyPinDevice], send: Callable[[Event], None], wait: Callable[[float], bool]
) -> None:
    """Report devices that cannot be used, and open them until they work; run it in a thread."""
    reported: dict[AnyPinDevice, PeripheralLost] = {}
    while devices:
        for device in devices:
            if device.loss and reported.get(device) != device.loss:
                reported[device] = device.loss
                send(device.loss)
            elif not device.loss and device in reported:
                del reported[device]
                send(PeripheralBack(device.name, device.seat))
        if wait(PAUSE_S):
            return
        for device in reported:
            device.open()


class PinPanel:
    """A panel whose buttons and lamps are opened apart, so that one works without the other."""

    def __init__(self, buttons: PinDevice[Panel], lamps: PinDevice[Panel]) -> None:
        self._buttons = buttons
        self._lamps = lamps

    def event(self, timeout_s: float) -> PanelEvent | None:
        if not self._buttons.wait_until_open(timeout_s):
            return None
        return self._buttons.use(lambda panel: panel.event(timeout_s))

    def buttons(self) -> Mapping[Button, bool]:
        return self._buttons.use(lambda panel: panel.buttons()) or {}

    def lamps(self) -> frozenset[Button]:
        return self._lamps.use(lambda panel: panel.lamps()) or frozenset()

    def show_lamps(self, lit: AbstractSet[Button]) -> None:
        self._lamps.show(lambda panel: panel.show_lamps(lit))

    def close(self) -> None:
        try:
            self._buttons.close()
        finally:
            self._lamps.close()


class PinLight:
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
        self._buzzer.use(lambda buzzer: buzzer.play(sound))

    def close(self) -> None:
        self._buzzer.close()
