# SPDX-License-Identifier: MIT
"""
The peripherals of a table: panels, a light, a buzzer; each is optional.

A panel is shared or belongs to one player. Button presses become events that name the seat.
Lamps follow the view, and the buzzer follows the sounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from controller.base.logs import Log
from controller.runtime.devices.pin_devices import AnyPinDevice, PinGroup
from controller.table import events as on
from controller.table.effects import SoundCue
from controller.table.view.types import Snapshot
from hardware.gpio import buzzer as sounding
from hardware.gpio.light import Light
from hardware.panel import Button, Freed, Hold, Panel, PanelEvent, Press, Stuck

_LOG = Log("panel")


@dataclass(frozen=True, slots=True)
class Peripherals:
    """All peripherals, on pins or simulated; a table works without any of them."""

    panel: Panel | None = None  # The shared panel.
    # The players' panels, by the number of their seat, from 1.
    own: Mapping[int, Panel] = field(default_factory=dict)
    light: Light | None = None  # The light over the tray.
    buzzer: sounding.Buzzer | None = None  # Plays the sounds.
    # What of these is on pins, and so may have to be opened again.
    on_pins: PinGroup | None = None

    @property
    def devices(self) -> Sequence[AnyPinDevice]:
        return self.on_pins.devices if self.on_pins else ()

    def panels(self) -> Iterator[tuple[int | None, Panel]]:
        """Yield every panel with the number of its seat; `None` for the shared panel."""
        if self.panel is not None:
            yield None, self.panel
        yield from self.own.items()

    def show(self, view: Snapshot) -> None:
        """Light only the lamps of the buttons that work now."""
        for seat, panel in self.panels():
            panel.show_lamps(lit_buttons(view, seat))

    def play(self, sound: SoundCue) -> None:
        """Play a sound, if there is a buzzer; returns at once."""
        if self.buzzer is not None:
            self.buzzer.play(sounding.Melody(sound.value))

    def close(self) -> None:
        """Switch everything off and release the pins; safe to call twice."""
        panels = (panel for _, panel in self.panels())
        with ExitStack() as closing:  # closes every one, whatever another raises
            for one in (self.on_pins, self.buzzer, self.light, *panels):
                if one is not None:
                    closing.callback(one.close)


def lit_buttons(view: Snapshot, seat: int | None) -> frozenset[Button]:
    """Return the buttons that work now on a seat's panel, from 1; `None` for the shared panel."""
    if seat is not None:
        return _to_buttons(view["lamps"][seat - 1])
    words: Mapping[str, object] = {**view["buttons"]}
    return _to_buttons([key for key, word in words.items() if word])


def to_table_event(panel_event: PanelEvent, seat: int | None) -> on.Event | None:
    """Return the table's event for one of a seat's panel, `None` for the shared; or `None`."""
    key = on.Key(panel_event.button.value)
    match panel_event:
        case Press():
            return on.KeyPressed(key, seat)
        case Hold():
            return _hold_event(panel_event.button, seat)
        case Stuck():
            _LOG.warning("button is stuck", button=key.value, seat=seat or "all")
            return on.ButtonStuck(key, seat)
        case Freed():
            _LOG.info("button is free again", button=key.value, seat=seat or "all")
            return on.ButtonReleased(key, seat)


def _hold_event(button: Button, seat: int | None) -> on.Event | None:
    """Return the event of a long press; most buttons have none."""
    if button is Button.BACK:
        return on.PauseRequested(seat)
    return on.ReviewRequested(seat) if button is Button.LEFT else None


def _to_buttons(keys: Sequence[str]) -> frozenset[Button]:
    return frozenset(Button(key) for key in keys)
