# SPDX-License-Identifier: MIT
"""A panel without pins: what is pressed arrives in order, what is lit is seen."""

from __future__ import annotations

import threading

from hardware.clock import SteppedClock
from hardware.panel import Button, PanelEvent, Press
from hardware.simulated.panel import SimulatedPanel


def test_presses_arrive_in_order_with_their_times() -> None:
    clock = SteppedClock(5.0)
    panel = SimulatedPanel(clock)
    panel.press(Button.LEFT)
    clock.wait_s(1.5)
    panel.press(Button.CONFIRM)
    assert panel.event(0.0) == Press(Button.LEFT, 5.0)
    assert panel.event(0.0) == Press(Button.CONFIRM, 6.5)
    assert panel.event(0.0) is None


def test_a_press_wakes_who_waits_for_it() -> None:
    panel = SimulatedPanel(SteppedClock())
    found: list[PanelEvent | None] = []
    waiting = threading.Thread(target=lambda: found.append(panel.event(60.0)))
    waiting.start()
    panel.press(Button.RIGHT)
    waiting.join()
    assert found == [Press(Button.RIGHT, 0.0)]
