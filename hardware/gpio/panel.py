# SPDX-License-Identifier: MIT
"""
Read push buttons to ground and drive lamps on the pins of a Raspberry Pi.

gpiozero reports raw edges only; its own debounce stays off, because it loses presses. Each edge
has the kernel's time: in a busy program the thread that queues it wakes up late. So nothing is
decided about a time whose edges may still be on their way: as late as the last ones came, or until
an edge explains the level that `event` polls. A busy machine may stop either thread between two
lines, so the order in which they read clocks matters. Pin libraries lose an edge now and then (lg
issue 18), and a lost release would block a button, so that is not waited for longer than
`LOST_EDGE_S`, and the next press proves it.
"""

from __future__ import annotations

import math
import queue
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from hardware.clock import Clock, MonotonicClock
from hardware.debounce import DebounceParams, Debouncer
from hardware.gpio.pins import Pins, lose_with_pins, raise_as_panel_lost, release
from hardware.panel import HELD_APART, Button, PanelEvent

if TYPE_CHECKING:
    from gpiozero import LED, InputDevice

POLL_S = 0.1  # How often the levels are polled, which also notices that the chip has vanished.
LOST_EDGE_S = 2.0  # How long a level is waited for that no edge explains.
LATE_S = 2.0  # How long an edge that was reported late lets others be expected as late.
_STALL_S = 0.002  # A thread that needs longer to read two clocks was stopped between them.
_READINGS = 5  # How often the clocks are read again then; no thread is stopped that often.


class GpioPanel:
    """
    Buttons and lamps on GPIO pins, by their BCM numbers; the constructor acquires the pins.

    A pressed button connects its pin to ground, and high lights a lamp. A panel may lack some
    buttons, and buttons may lack a lamp.

    Raises:
        PanelLostError: The pins are missing or in use.
    """

    def __init__(
        self,
        buttons: Mapping[Button, int],
        lamps: Mapping[Button, int],
        *,
        pin_factory: Pins,
        section: str = "panel",
        params: DebounceParams | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or MonotonicClock()
        self._pins, self._section = pin_factory, section
        self._edges: queue.SimpleQueue[tuple[Button, bool, float] | None] = queue.SimpleQueue()
        self._unexplained_since_s: dict[Button, float] = {}  # levels that no edge explains
        self._late: deque[tuple[float, float]] = deque(maxlen=64)  # reports: when, and how late
        self._ready: deque[PanelEvent] = deque()
        self._lock = threading.Lock()  # pins are read by one thread and closed by another
        self._is_closed = False
        with ExitStack() as taken:  # releases all pins if one cannot be acquired
            self._lamps = {
                button: _acquire_lamp(section, pin, pin_factory, taken)
                for button, pin in lamps.items()
            }
            self._inputs = {
                button: _acquire_button(section, pin, pin_factory, taken)
                for button, pin in buttons.items()
            }
            # A pin holds its watcher weakly, so this object keeps the watchers alive.
            self._watchers = {button: partial(self._note_edge, button) for button in buttons}
            for button, device in self._inputs.items():
                with raise_as_panel_lost(section, f"pin {buttons[button]} cannot be watched"):
                    device.pin.when_changed = self._watchers[button]
                # A closed pin goes on reporting; without its watcher that ends lgpio's thread.
                taken.callback(release, partial(setattr, device.pin, "when_changed", None))
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
        until_s = self._clock.now_s() + timeout_s
        while not self._is_closed:
            now_s = self._catch_up()
            if self._ready:
                return self._ready.popleft()
            if now_s >= until_s:
                break
            self._wait_for_edge(min(until_s, *self._deadlines_s(now_s)) - now_s)
        return None

    def buttons(self) -> Mapping[Button, bool]:
        with self._lock, lose_with_pins(self._section):
            return {button: bool(device.is_active) for button, device in self._inputs.items()}

    def lamps(self) -> frozenset[Button]:
        """Return the buttons that have a lamp; none on a closed panel."""
        with self._lock:
            return frozenset(self._lamps)

    def show_lamps(self, lit: AbstractSet[Button]) -> None:
        """Light the lamps of these buttons and no others; on a closed panel they stay dark."""
        with self._lock, lose_with_pins(self._section):
            for button, lamp in self._lamps.items():
                lamp.value = button in lit

    def close(self) -> None:
        self._is_closed = True
        self._edges.put(None)  # wakes a waiting `event`
        with self._lock:
            self._inputs, self._lamps = {}, {}
            self._taken.close()

    def _note_edge(self, button: Button, ticks: object, level: int) -> None:
        """Queue an edge, in the thread that reads the pins; contact pulls the pin low."""
        now_s, ago_s = self._compare_clocks(ticks)
        self._late.append((now_s, ago_s))
        self._edges.put((button, not level, now_s - ago_s))

    def _compare_clocks(self, ticks: object) -> tuple[float, float]:
        """Return now, and how long ago an edge was; a stop in between would shift its time."""
        for _ in range(_READINGS):
            before_s = self._clock.now_s()
            ago_s = self._pins.ticks_diff(self._pins.ticks(), ticks)
            now_s = self._clock.now_s()
            if now_s - before_s < _STALL_S:
                break
        return now_s, max(0.0, ago_s)

    def _catch_up(self) -> float:
        """Process all edges and levels up to now, and return now."""
        # Read before the edges are taken: a later edge may still be on its way.
        now_s = self._clock.now_s()
        while True:
            try:
                self._process_edge(self._edges.get_nowait())
            except queue.Empty:
                break
        with self._lock, lose_with_pins(self._section):
            seen_s = self._clock.now_s()
            levels = {button: bool(device.is_active) for button, device in self._inputs.items()}
        for button, is_down in levels.items():
            if is_down == self._debouncers[button].is_down:
                self._unexplained_since_s.pop(button, None)
            elif seen_s >= self._unexplained_since_s.setdefault(button, seen_s) + LOST_EDGE_S:
                self._process_edge((button, is_down, self._unexplained_since_s[button]))
        self._advance(now_s - self._expected_delay_s(now_s))
        return now_s

    def _expected_delay_s(self, now_s: float) -> float:
        recent = [ago_s for at_s, ago_s in list(self._late) if at_s >= now_s - LATE_S]
        return max(recent, default=0.0)

    def _process_edge(self, edge: tuple[Button, bool, float] | None) -> None:
        if edge is not None:
            button, is_down, at_s = edge
            since_s = self._unexplained_since_s.pop(button, math.inf)
            if is_down == self._debouncers[button].is_down and since_s < at_s:
                # The level was another one meanwhile, so the edge between is lost.
                self._process_edge((button, not is_down, since_s))
            self._advance(at_s)
            self._ready += self._debouncers[button].edge(is_down, at_s)

    def _advance(self, at_s: float) -> None:
        """Collect the events of all buttons that are certain by now, earlier ones first."""
        certain = [
            event
            for button, debouncer in self._debouncers.items()
            if button not in self._unexplained_since_s
            for event in debouncer.tick(at_s)
        ]
        self._ready += sorted(certain, key=lambda event: event.at_s)

    def _deadlines_s(self, now_s: float) -> Iterator[float]:
        """Yield when something may be decided next, however late this is."""
        yield now_s + POLL_S
        delay_s = self._expected_delay_s(now_s)
        for button, debouncer in self._debouncers.items():
            if (since_s := self._unexplained_since_s.get(button)) is not None:
                yield since_s + LOST_EDGE_S
            elif (due_s := debouncer.next_deadline_s) is not None:
                yield due_s + delay_s

    def _wait_for_edge(self, seconds: float) -> None:
        try:
            self._process_edge(self._edges.get(timeout=max(0.0, seconds)))
        except queue.Empty:
            return


def _acquire_lamp(section: str, pin: int, factory: Pins, taken: ExitStack) -> LED:
    from gpiozero import LED

    with raise_as_panel_lost(section, f"pin {pin} cannot be a lamp"):
        lamp = taken.enter_context(LED(pin, pin_factory=factory))
    taken.callback(release, lamp.off)  # a released pin may keep its last level
    return lamp


def _acquire_button(section: str, pin: int, factory: Pins, taken: ExitStack) -> InputDevice:
    from gpiozero import InputDevice

    with raise_as_panel_lost(section, f"pin {pin} cannot be a button"):
        return taken.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory))
