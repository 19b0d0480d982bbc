# SPDX-License-Identifier: MIT
"""
What the pages need of a table, and nothing more.

The web server runs in many threads, the table in one. A page reads frozen views and
drops events into the table's loop; it never touches the table itself.
"""

from __future__ import annotations

from typing import Protocol

from controller.table.events import Event
from controller.table.view.question import CommandResult
from controller.table.view.types import Snapshot
from webui.health import HealthApi


class TableApi(HealthApi, Protocol):
    """A table as seen from outside its thread; every method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """Return the newest view; nobody changes it afterwards."""
        ...

    def wait_for_change(self, version: int, timeout_s: float) -> Snapshot | None:
        """
        Return the newest view as soon as its version is not `version`.

        Returns:
            The view, or none when `timeout_s` seconds passed first or the table closes.
        """
        ...

    def ask(self, event: Event, about: str | None) -> CommandResult:
        """
        Let the table take an event, in its turn.

        Args:
            event: What shall happen.
            about: The question that it answers (`Snapshot.question`); none if it fits always.

        Returns:
            What became of it: it does not fit when the table asks something else by then.

        Raises:
            TimeoutError: The table is too busy; the event will not be taken any more.
        """
        ...

    def picture(self) -> tuple[int, bytes]:
        """
        Return the newest tray picture as a JPEG, with its number.

        It has the size of the frames that are read, so that places in pixels hold on it. The
        bytes are empty while there is none.
        """
        ...

    def evidence(self, digest: str) -> bytes | None:
        """Return a stored picture by its digest, as a JPEG; none where it cannot be had."""
        ...

    def is_closing(self) -> bool:
        """Tell whether the table is being shut down, so that endless answers end."""
        ...


class SimulatorControls(Protocol):
    """What a hand does to the simulated tray. On a real table there are real hands."""

    def throw(self) -> None:
        """Throw what is in the hand, or all dice where nothing is."""
        ...

    def take(self, x_px: float, y_px: float) -> None:
        """Take the die at this place of the tray picture into the hand."""
        ...

    def turn_at(self, x_px: float, y_px: float) -> None:
        """Turn the die at this place of the tray picture to the next face: 1, 2, ... 6, 1."""
        ...

    def nudge(self) -> None:
        """Push a die a little."""
        ...

    def turn(self) -> None:
        """Turn a die over to another face."""
        ...

    def tilt(self) -> None:
        """Lean a die against the wall."""
        ...

    def take_out(self) -> None:
        """Take a die out of the tray."""
        ...

    def put_back(self) -> None:
        """Put the dice that are out back where they lay."""
        ...

    def lay_cards(self) -> None:
        """Lay the printed corner cards on the felt."""
        ...

    def take_cards(self) -> None:
        """Take the corner cards away."""
        ...

    def knock(self) -> None:
        """Push the camera a little; it stays there."""
        ...

    def set_fault(self, name: str | None) -> None:
        """Let the camera fail by one of `FAULTS`; none mends it."""
        ...


FAULTS = ("dark", "frozen", "dropped", "blocked", "blurred", "moved", "gone")
"""How the simulated camera can fail."""
