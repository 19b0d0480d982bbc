# SPDX-License-Identifier: MIT
"""
No press is lost and none counts twice, whatever else the program does.

A slow machine may not tell of a press: its kernel reads a level after the next edge, or drops
edges that nobody fetches. So the panel's edges are kept, and presses that they tell must count.
"""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from hardware.debounce import DebounceParams
from hardware.gpio.panel import GpioPanel
from hardware.gpio.pins import Pins, SharedPins
from hardware.panel import Button, PanelEvent, Press
from tests.machine.gpio import fingers
from tests.machine.gpio.chip import SimulatedChip

PINS = {Button.LEFT: 17, Button.RIGHT: 27, Button.CONFIRM: 22, Button.BACK: 23}
BUSY_THREADS = 3
QUIET_S = 5.0
EXACT_S = 0.03  # How much too early a press may be timed whose first contact was not told.
BOUNCE_S = 0.015  # Bounces that lasted longer may be presses of their own.
AROUND_S = 0.6  # The time around a press of which its edges are printed.
LEAST_TOLD = 0.9  # The share of the presses of which a machine must tell.


@dataclass(frozen=True, slots=True)
class Contact:
    """A press that was made: its first contact, and the longest time between its bounces."""

    button: Button
    at_s: float
    longest_s: float


@dataclass(frozen=True, slots=True)
class Edge:
    """What the kernel told of a button, and how late that was."""

    button: Button
    is_down: bool
    at_s: float
    late_s: float


Timed = TypeVar("Timed", Contact, Edge)


class RecordingPanel(GpioPanel):
    """Keeps the edges that it is told of."""

    def __init__(self, pins: Pins) -> None:
        self.edges: list[Edge] = []
        super().__init__(PINS, {}, pin_factory=pins)

    def _note_edge(self, button: Button, ticks: object, level: int) -> None:
        super()._note_edge(button, ticks, level)
        late_s = self._pins.ticks_diff(self._pins.ticks(), ticks)
        self.edges.append(Edge(button, not level, self._clock.now_s() - late_s, late_s))


def find_presses(edges: Sequence[Edge]) -> Iterator[float]:
    """Yield when a button was down, and stayed so for long enough, by its edges."""
    was_down = False
    for edge, end_s in pair_with_ends(edges):
        if edge.is_down != was_down and end_s - edge.at_s >= DebounceParams().bounce_s:
            was_down = edge.is_down
            if was_down:
                yield edge.at_s


def pair_with_ends(found: Sequence[Timed]) -> Iterator[tuple[Timed, float]]:
    """Yield each with the time of the next."""
    yield from zip(found, [*(after.at_s for after in found[1:]), math.inf], strict=True)


def count_within(times_s: Iterable[float], begin_s: float, end_s: float) -> int:
    return sum(begin_s <= at_s + EXACT_S < end_s for at_s in times_s)


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
    with closing(pins), closing(RecordingPanel(pins.open("panel"))) as panel:
        with (
            busy_threads(BUSY_THREADS),
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pressing,
        ):
            events = [event for event in read_events(panel, pressing) if isinstance(event, Press)]
            assert pressing.stdout is not None
            lines = [line.split() for line in pressing.stdout]
    presses = [Contact(list(PINS)[int(which)], *map(float, times)) for which, *times in lines]
    assert len(presses) == count
    counts: Counter[tuple[int, int]] = Counter()
    for press, end_s in pair_with_ends(presses):
        edges = [edge for edge in panel.edges if edge.button is press.button]
        counted_s = [event.at_s for event in events if event.button is press.button]
        told = count_within(find_presses(edges), press.at_s, end_s)
        counted = count_within(counted_s, press.at_s, end_s)
        if press.longest_s < BOUNCE_S:  # Otherwise its bounces took too long.
            counts[told, counted] += 1
        if (told, counted) != (1, 1):
            sys.stdout.write(describe_press(press, edges, told, counted))
    sys.stdout.write(f"presses by how often they were told and counted: {dict(counts)}\n")
    assert {counted for told, counted in counts if told == 1} == {1}
    assert sum(number for (told, _), number in counts.items() if told == 1) >= LEAST_TOLD * count


def describe_press(press: Contact, edges: Sequence[Edge], told: int, counted: int) -> str:
    """Return a press with the edges around it, in milliseconds after its first contact."""
    near = " ".join(
        f"{'down' if edge.is_down else 'up'}@{1000 * (edge.at_s - press.at_s):.1f}"
        f"(late {1000 * edge.late_s:.0f})"
        for edge in edges
        if -AROUND_S < edge.at_s - press.at_s < AROUND_S
    )
    at = f"{press.button.name} at {press.at_s:.3f} s, bounces up to {1000 * press.longest_s:.0f} ms"
    return f"{at}: told {told} times, counted {counted} times; {near}\n"
