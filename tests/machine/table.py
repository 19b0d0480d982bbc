# SPDX-License-Identifier: MIT
"""
What a person does at the table in the virtual machine, and what the table shows.

Presses and throws go through the kernel's devices; the table is read by the stream of its own
screen, and by the levels of its pins.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from controller.runtime.confirm_guard import LOOK_S
from tests.machine.films import TRUTH
from tests.machine.machine import Machine, MachineError
from vision.tracking.rest_detector import AGREEING

View = dict[str, Any]

BUTTONS = {"left": 5, "right": 6, "confirm": 13, "back": 19}
LAMPS = {"left": 12, "right": 16, "confirm": 20, "back": 21}
LIGHT, BUZZER = 18, 23
DATA = "/var/lib/dicebell"

_PIN = "/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio"
CURL = (
    "curl --silent --no-buffer --max-time {longest_s}"
    ' -H "Cookie: dicebell-box=$(cat /run/dicebell/kiosk.key)" http://127.0.0.1:8081{path}'
)
_COUNT_READINGS = (
    CURL.format(longest_s=60, path="/metrics")
    + " | awk '/^dicebell_reading_milliseconds_count/ { count = $2 } END { print int(count) }'"
)
_FOLLOW = f"while :; do {CURL.format(longest_s=86400, path='/events')}; echo gone; sleep 0.2; done"


class Table:
    """The table of a machine that has booted."""

    def __init__(self, machine: Machine, films: Path) -> None:
        self.machine = machine
        self.rolls: list[tuple[str, str]] = []
        """Name and faces of each roll that the screen has shown, in order."""
        self.on_roll: Callable[[str], None] = lambda roll: None
        """Called with the faces of each, when it is shown."""
        self._truth: dict[str, list[int]] = json.loads((films / TRUTH).read_text())
        self._changed = threading.Condition()
        self._view: View | None = None
        self._is_off = False

    @property
    def view(self) -> View:
        """The newest view; waits for one if the table does not answer yet."""
        return self.wait_for("it answers", lambda view: True, longest_s=120)

    def truth(self, film: str) -> list[int]:
        """Return the faces of the dice that rest in the tray after a film."""
        return sorted(self._truth[film])

    def wait_for(self, what: str, holds: Callable[[View], bool], *, longest_s: float = 40) -> View:
        """Return the first view for which something holds."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_off or (self._view is not None and holds(self._view)),
                longest_s * self.machine.build.slowness,
            )
            view = self._view
        if view is None or not holds(view):
            shown = "nothing" if view is None else describe(view)
            raise MachineError(f"expected that {what}, found {shown}")
        return view

    def press(self, button: str) -> None:
        """Close a button's contact for a moment."""
        pull = f"{_PIN}{BUTTONS[button]}/pull"
        self.machine.run(f"echo pull-down >{pull}; sleep 0.15; echo pull-up >{pull}; sleep 0.1")

    def press_until(self, button: str, what: str, holds: Callable[[View], bool]) -> View:
        """Press as somebody who looks first: the table ignores a confirm that comes too fast."""
        for _ in range(8):
            if holds(self.view):
                return self.view
            time.sleep(LOOK_S)
            self.press(button)
            with contextlib.suppress(MachineError):
                return self.wait_for(what, holds, longest_s=2)
        return self.wait_for(what, holds, longest_s=2)

    def play_film(self, name: str) -> None:
        """Let the webcam show what somebody does at the tray."""
        self.machine.run(f"printf %s {name} >/run/webcam.new && mv /run/webcam.new /run/webcam")

    def throw(self, film: str) -> View:
        """Throw, and return the view of a roll of just the dice that were thrown."""
        before = self.view["version"]
        self.play_film(film)
        faces = self.truth(film)

        def is_read(view: View) -> bool:
            read = sorted(die["face"] for die in view["dice"])
            return view["version"] > before and view["phase"] == "choosing" and read == faces

        with self.machine.timed(f"{film} is thrown and read"):
            return self.wait_for(f"{film} is read as {faces}", is_read)

    def read_levels(self, pins: dict[str, int]) -> dict[str, bool]:
        """Return which of some pins are high."""
        files = " ".join(f"{_PIN}{pin}/value" for pin in pins.values())
        values = self.machine.run(f"cat {files}").split()
        return {name: value == "1" for name, value in zip(pins, values, strict=True)}

    def wait_for_levels(self, pins: dict[str, int], wanted: dict[str, bool]) -> dict[str, bool]:
        """Return the levels of pins once they are as wanted."""
        checks = " && ".join(
            f"[ $(cat {_PIN}{pins[name]}/value) = {int(is_high)} ]"
            for name, is_high in wanted.items()
        )
        status, _ = self.machine.try_run(f"timeout 60 sh -c 'until {checks}; do sleep 0.2; done'")
        levels = self.read_levels(pins)
        if status != 0:
            raise MachineError(f"expected the levels {wanted}, found {levels}")
        return levels

    @contextlib.contextmanager
    def expect_edges(self, pin: int, number: int) -> Iterator[None]:
        """Expect that the level of a pin changes so often, within a `with` block or soon after."""
        # Not before everything else: it asks for the level without a pause.
        script = (
            f"exec nice -n 15 python3 -B /srv/machine/count_edges.py {_PIN}{pin}/value {number}"
        )
        with self.machine.follow(script, longest_s=40) as lines:
            assert next(lines) == "counting"
            yield
            assert next(lines) == f"{number} edges"

    def list_rolls(self) -> list[str]:
        """Return the faces of each roll in the journal."""
        return read_rolls(self.machine.run(f"cat {DATA}/journal.jsonl") + "\n")

    @contextlib.contextmanager
    def expect_rest(self) -> Iterator[None]:
        """Expect that a camera that comes back in a `with` block sees the tray at rest."""
        before = self._count_readings()
        yield
        self._wait_for_readings(before + AGREEING)

    def wait_until_watched(self) -> None:
        """Wait until the tray was seen at rest since the start: only then is a throw followed."""
        self._wait_for_readings(AGREEING)

    def _count_readings(self) -> int:
        return int(self.machine.run(_COUNT_READINGS))

    def _wait_for_readings(self, number: int) -> None:
        until = f"until [ $({_COUNT_READINGS}) -ge {number} ]; do sleep 0.2; done"
        self.machine.run(until, longest_s=120)

    def post(self, **command: object) -> str:
        """Send a command as the table's own screen does; fails if it is refused."""
        body = json.dumps({"about": self.view["question"], **command})
        data = f" --fail-with-body -H 'Content-Type: application/json' --data-binary '{body}'"
        return self.machine.run(
            CURL.format(longest_s=10 * self.machine.build.slowness, path="/command") + data
        )

    def verify(self) -> dict[str, Any]:
        """Return what `dicebell verify` finds in the journal; fails if something is broken."""
        found = self.machine.run(f"dicebell verify --json {DATA}", longest_s=120)
        result: dict[str, Any] = json.loads(found)
        return result

    def expect_no_restart(self) -> None:
        """Expect that systemd has not had to start the table again, such as after a crash."""
        restarts = self.machine.run("systemctl show --property=NRestarts --value dicebell")
        if restarts != "0":
            raise MachineError(f"expected no restart of the table by systemd, found {restarts}")

    @contextlib.contextmanager
    def followed(self) -> Iterator[Table]:
        """Follow what it shows until the machine goes off."""
        with self.machine.follow(_FOLLOW) as lines:
            thread = threading.Thread(target=self._follow, args=(lines,), daemon=True)
            thread.start()
            yield self

    def _follow(self, lines: Iterator[str]) -> None:
        with contextlib.suppress(MachineError):  # the machine goes off
            for line in lines:
                if line == "gone":
                    self._show(None)
                elif line.startswith("data:"):
                    self._show(json.loads(line.removeprefix("data:")))
        with self._changed:
            self._is_off = True
            self._changed.notify_all()

    def _show(self, change: View | None) -> None:
        with self._changed:
            self._view = None if change is None else {**(self._view or {}), **change}
            roll = (self._view or {}).get("last_roll")
            if roll and (not self.rolls or self.rolls[-1][0] != roll["name"]):
                self.rolls.append((roll["name"], roll["roll"]))
                self.on_roll(roll["roll"])
            self._changed.notify_all()


def read_rolls(journal: str) -> list[str]:
    """Return the faces of each roll in a journal, whose last line may be torn."""
    whole, _, _ = journal.rpartition("\n")
    entries = [json.loads(line) for line in whole.splitlines()]
    return [entry["roll"] for entry in entries if entry["kind"] == "roll"]


def describe(view: View) -> str:
    """Return the facts of a view in a line, for the message of a failure."""
    notice, mend = ((view["notice"] or {}).get(key, "") for key in ("text", "mend"))
    faces = "".join(str(die["face"]) for die in view["dice"])
    doubts = ", ".join(doubt["text"] for doubt in view["doubts"])
    shown = f"{view['phase']}: {view['headline']!r}, {notice!r}, dice {faces}"
    return f"{shown}, doubts {doubts!r}, fault {view['fault']}, told {mend!r}"
