# SPDX-License-Identifier: MIT
"""No press is lost and none counts twice, whatever else the program does."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
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
EXACT_S = 0.002  # How exactly the time of a press is known.
BOUNCE_S = 0.015  # Bounces that lasted longer may be presses of their own.


@dataclass(frozen=True, slots=True)
class Contact:
    """A press that was made: its first contact, and the longest time between its bounces."""

    button: Button
    at_s: float
    longest_s: float


def count_events(events: Sequence[PanelEvent], presses: Sequence[Contact]) -> Iterator[int]:
    """Yield how often each press counted, but for those whose bounces took too long."""
    ends_s = [after.at_s for after in presses[1:]] + [math.inf]
    for press, end_s in zip(presses, ends_s, strict=True):
        if press.longest_s < BOUNCE_S:
            yield sum(
                event.button is press.button and press.at_s <= event.at_s + EXACT_S < end_s
                for event in events
            )


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
            events = [event for event in read_events(panel, pressing) if isinstance(event, Press)]
            assert pressing.stdout is not None
            lines = [line.split() for line in pressing.stdout]
    presses = [Contact(list(PINS)[int(which)], *map(float, times)) for which, *times in lines]
    assert len(presses) == count
    counts = Counter(count_events(events, presses))
    sys.stdout.write(f"presses by how often they counted: {dict(counts)}\n")
    assert set(counts) == {1}
