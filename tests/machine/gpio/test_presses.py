# SPDX-License-Identifier: MIT
"""No press is lost and none counts twice, whatever else the program does."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hardware.gpio.panel import GpioPanel
from hardware.gpio.pins import SharedPins
from hardware.panel import Button, PanelEvent, Press
from tests.machine.gpio import fingers
from tests.machine.gpio.chip import SimulatedChip

PINS = {Button.LEFT: 17, Button.RIGHT: 27, Button.CONFIRM: 22, Button.BACK: 23}
BUSY_THREADS = 3
QUIET_S = 5.0
EXACT_S = 0.02


@contextmanager
def busy_threads(count: int) -> Iterator[None]:
    """Keep the interpreter busy, as the reading of dice does."""
    is_done = threading.Event()

    def work() -> None:
        while not is_done.is_set():
            sum(number * number for number in range(1000))

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    yield
    is_done.set()
    for thread in threads:
        thread.join()


def read_events(panel: GpioPanel, pressing: subprocess.Popen[str]) -> Iterator[PanelEvent]:
    """Yield the events until the fingers have ended and nothing comes any more."""
    while True:
        if event := panel.event(QUIET_S):
            yield event
        elif pressing.poll() is not None:
            return


def test_every_press_counts_once_beside_busy_threads(
    chip: SimulatedChip, request: pytest.FixtureRequest
) -> None:
    count = request.config.getoption("--presses")
    for pin in PINS.values():
        chip.pull(pin, up=True)
    command = [sys.executable, str(Path(fingers.__file__)), str(count), "7"]
    command += [str(chip.line(pin)) for pin in PINS.values()]
    pins = SharedPins()
    with closing(pins), closing(GpioPanel(PINS, {}, pin_factory=pins.open("panel"))) as panel:
        with (
            busy_threads(BUSY_THREADS),
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pressing,
        ):
            events = sorted(read_events(panel, pressing), key=lambda event: event.at_s)
            assert pressing.stdout is not None
            lines = [line.split() for line in pressing.stdout]
    pressed = [(list(PINS)[int(which)], float(at_s)) for which, at_s in lines]
    assert len(pressed) == count
    assert [type(event) for event in events] == [Press] * count
    assert [event.button for event in events] == [button for button, _ in pressed]
    late_s = [abs(event.at_s - at_s) for event, (_, at_s) in zip(events, pressed, strict=True)]
    assert max(late_s) < EXACT_S
