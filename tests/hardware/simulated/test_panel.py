# SPDX-License-Identifier: MIT
"""A panel without pins: what is pressed arrives in order, what is lit is seen."""

from __future__ import annotations

import threading

from hardware.clock import SteppedClock
from hardware.panel import Button, Hold, Panel, PanelEvent, Press
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


def test_a_hold_follows_its_press_except_for_held_apart_buttons() -> None:
    panel = SimulatedPanel(SteppedClock())
    panel.hold(Button.RIGHT)
    panel.hold(Button.LEFT)
    panel.hold(Button.BACK)
    assert [panel.event(0.0) for _ in range(4)] == [
        Press(Button.RIGHT, 0.0),
        Hold(Button.RIGHT, 0.0),
        Hold(Button.LEFT, 0.0),
        Hold(Button.BACK, 0.0),
    ]


def test_a_press_wakes_who_waits_for_it() -> None:
    panel = SimulatedPanel(SteppedClock())
    found: list[PanelEvent | None] = []
    waiting = threading.Thread(target=lambda: found.append(panel.event(60.0)))
    waiting.start()
    panel.press(Button.RIGHT)
    waiting.join()
    assert found == [Press(Button.RIGHT, 0.0)]


def test_exactly_the_named_lamps_are_lit_until_close() -> None:
    simulated = SimulatedPanel(SteppedClock())
    panel: Panel = simulated
    assert simulated.lit == frozenset()
    panel.show_lamps({Button.LEFT, Button.BACK})
    assert simulated.lit == {Button.LEFT, Button.BACK}
    panel.show_lamps({Button.CONFIRM})
    assert simulated.lit == {Button.CONFIRM}
    panel.close()
    panel.close()
    assert simulated.lit == frozenset()


def test_closing_lets_a_waiting_event_return() -> None:
    panel = SimulatedPanel(SteppedClock())
    found: list[PanelEvent | None] = []
    waiting = threading.Thread(target=lambda: found.append(panel.event(60.0)))
    waiting.start()
    panel.close()
    waiting.join()
    assert found == [None]
