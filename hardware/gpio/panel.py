# SPDX-License-Identifier: MIT
"""
A panel on the pins of a Raspberry Pi: push buttons to ground, and lamps.

gpiozero tells raw edges and nothing more; its own debounce stays off, because it
loses presses. Each edge gets its time where it is told, in the thread that reads
the pins, and goes into a queue; `hardware.debounce` decides what it means. The
levels are looked at too whenever somebody asks, since pin libraries lose an edge
now and then (lg issue 18) and a lost release would leave a button dead.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING

from hardware.clock import Clock, MonotonicClock
from hardware.debounce import DebounceParams, Debouncer
from hardware.gpio.pins import Pins, pi_pins, raise_as_panel_lost
from hardware.panel import HELD_APART, Button, PanelEvent

if TYPE_CHECKING:
    from gpiozero import LED, InputDevice


class GpioPanel:
    """
    Buttons and lamps on GPIO pins; the pins are taken at once.

    Args:
        buttons: Pin of each button, BCM numbers; pressed connects it to ground. A panel may
            lack some of the four.
        lamps: Pin of each lamp, BCM numbers; high is lit. Buttons may lack one.
        section: Where its pins stand in the settings, for what is told of them.
        params: What counts as bounce, as a hold and as stuck.
        clock: Gives the edges their times.
        pin_factory: Whose pins; none for those of the Raspberry Pi, through lgpio.

    Raises:
        PanelLostError: There are no pins here, or not these.
    """

    def __init__(
        self,
        buttons: Mapping[Button, int],
        lamps: Mapping[Button, int],
        *,
        section: str = "panel",
        params: DebounceParams | None = None,
        clock: Clock | None = None,
        pin_factory: Pins | None = None,
    ) -> None:
        self._clock = clock or MonotonicClock()
        self._edges: queue.SimpleQueue[tuple[Button, bool, float] | None] = queue.SimpleQueue()
        self._ready: deque[PanelEvent] = deque()
        self._lock = threading.Lock()  # pins are read by one thread and closed by another
        self._is_closed = False
        with ExitStack() as taken:  # gives everything back if the rest cannot be had
            factory = pin_factory or taken.enter_context(closing(pi_pins(section)))
            self._lamps = {
                button: _take_lamp(section, pin, factory, taken) for button, pin in lamps.items()
            }
            self._inputs = {
                button: _take_button(section, pin, factory, taken)
                for button, pin in buttons.items()
            }
            # A pin remembers its watcher weakly, so the watchers live here.
            self._watchers = {button: partial(self._note_edge, button) for button in buttons}
            for button, device in self._inputs.items():
                with raise_as_panel_lost(section, f"pin {buttons[button]} cannot be watched"):
                    device.pin.when_changed = self._watchers[button]
            now_s, decide = self._clock.now_s(), params or DebounceParams()
            self._debouncers = {
                button: Debouncer(
                    button,
                    decide,
                    is_down=device.is_active,
                    since_s=now_s,
                    is_held_apart=button in HELD_APART,
                )
                for button, device in self._inputs.items()
            }
            self._taken = taken.pop_all()

    def event(self, timeout_s: float) -> PanelEvent | None:
        """
        Return the next thing that a button did, in order of time; none if nothing came in time.

        Waits for an edge or for the moment something becomes certain, never in between.
        Closing the panel ends the waiting, with none.
        """
        until_s = self._clock.now_s() + timeout_s
        while not self._is_closed:
            now_s = self._catch_up()
            if self._ready:
                return self._ready.popleft()
            if now_s >= until_s:
                break
            self._wait_for_edge(min([until_s, *self._deadlines_s()]) - now_s)
        return None

    def buttons(self) -> Mapping[Button, bool]:
        """Return every button that is there, and whether it makes contact at this moment."""
        with self._lock:
            return {button: bool(device.is_active) for button, device in self._inputs.items()}

    def lamps(self) -> frozenset[Button]:
        """Return the buttons that have a lamp; on a closed panel none."""
        with self._lock:
            return frozenset(self._lamps)

    def show_lamps(self, lit: AbstractSet[Button]) -> None:
        """Light the lamps of these buttons and no others; on a closed panel they stay dark."""
        with self._lock:
            for button, lamp in self._lamps.items():
                lamp.value = button in lit

    def close(self) -> None:
        """Release the pins, lamps dark; safe to call twice, and while `event` waits."""
        with self._lock:
            self._is_closed = True
            self._inputs, self._lamps = {}, {}
            self._taken.close()
        self._edges.put(None)  # wakes whoever waits

    def _note_edge(self, button: Button, _ticks: object, level: int) -> None:
        """Take an edge from the thread that reads the pins; contact pulls the pin low."""
        self._edges.put((button, not level, self._clock.now_s()))

    def _catch_up(self) -> float:
        """Take in all edges and levels up to now, and return now."""
        while True:
            try:
                self._take_in(self._edges.get_nowait())
            except queue.Empty:
                break
        with self._lock:
            now_s = self._clock.now_s()
            levels = {button: device.is_active for button, device in self._inputs.items()}
        for button, is_down in levels.items():
            self._take_in((button, is_down, now_s))
        return now_s

    def _take_in(self, edge: tuple[Button, bool, float] | None) -> None:
        if edge is not None:
            button, is_down, at_s = edge
            self._advance(at_s)
            self._ready += self._debouncers[button].edge(is_down, at_s)

    def _advance(self, at_s: float) -> None:
        """Let all buttons tell what is certain by now, the earlier events first."""
        told = [event for debouncer in self._debouncers.values() for event in debouncer.tick(at_s)]
        self._ready += sorted(told, key=lambda event: event.at_s)

    def _deadlines_s(self) -> list[float]:
        due_s = (debouncer.next_deadline_s for debouncer in self._debouncers.values())
        return [at_s for at_s in due_s if at_s is not None]

    def _wait_for_edge(self, seconds: float) -> None:
        try:
            self._take_in(self._edges.get(timeout=max(0.0, seconds)))
        except queue.Empty:
            return


def _take_lamp(section: str, pin: int, factory: Pins, taken: ExitStack) -> LED:
    from gpiozero import LED

    with raise_as_panel_lost(section, f"pin {pin} cannot be a lamp"):
        lamp = taken.enter_context(LED(pin, pin_factory=factory))
    taken.callback(lamp.off)  # a pin that is merely let go may leave its lamp as it was
    return lamp


def _take_button(section: str, pin: int, factory: Pins, taken: ExitStack) -> InputDevice:
    from gpiozero import InputDevice

    with raise_as_panel_lost(section, f"pin {pin} cannot be a button"):
        return taken.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory))
