# SPDX-License-Identifier: MIT
"""
Define what the pages need of a table.

The web server runs in many threads, the table in one. A page reads frozen views and queues
events for the table's loop; it never touches the table itself.
"""

from __future__ import annotations

from typing import Protocol

from controller.table.events import Event
from controller.table.view.question import CommandResult
from controller.table.view.types import HintsView, Snapshot
from webui.health import HealthApi


class TableApi(HealthApi, Protocol):
    """A table as other threads use it; every method may be called from any thread."""

    def snapshot(self, viewer: str = "") -> Snapshot:
        """
        Return the newest view; it never changes afterwards.

        Args:
            viewer: The player whose own phone shows it; empty for the screen that all share, and
                `controller.table.view.viewer.WATCHER` for a phone without a seat.
        """
        ...

    def wait_for_change(self, version: int, timeout_s: float, viewer: str = "") -> Snapshot | None:
        """
        Return the newest view of a viewer as soon as its version is not `version`.

        Returns:
            The view; None if `timeout_s` seconds pass first or the table closes.
        """
        ...

    def ask(self, event: Event, about: str | None, viewer: str = "") -> CommandResult:
        """
        Queue an event and wait until the table has handled it.

        Args:
            event: The event.
            about: The question that it answers (`Snapshot.question`); None if it always fits.
            viewer: Who was asked; as in `snapshot`.

        Returns:
            The result; the event does not fit if the table asks something else by then.

        Raises:
            TimeoutError: The table is too busy and will not handle the event.
        """
        ...

    def build_hints(self, viewer: str = "") -> HintsView:
        """
        Return what a coach says of a viewer's choices; `viewer` is as in `snapshot`.

        Raises:
            InputError: The game counts, or no choices are shown there now.
        """
        ...

    def picture(self) -> tuple[int, bytes]:
        """
        Return the newest tray picture as a JPEG, with its number.

        It has the size of the frames that are read, so pixel positions are valid on it. The bytes
        are empty before the first picture.
        """
        ...

    def evidence(self, digest: str) -> bytes | None:
        """Return a stored picture as a JPEG by its digest; None if it is not stored."""
        ...

    def is_closing(self) -> bool:
        """Return whether the table is shutting down, so that streams end."""
        ...


class SimulatorControls(Protocol):
    """The actions of a hand on the simulated tray; a real table has real hands."""

    def throw(self) -> None:
        """Throw the dice in the hand, or all dice if it is empty."""
        ...

    def pick_up(self, x_px: float, y_px: float) -> None:
        """Pick up the die at this position of the tray picture."""
        ...

    def turn_at(self, x_px: float, y_px: float) -> None:
        """Turn the die at this position of the tray picture to the next face: 1, 2, ... 6, 1."""
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
        """Remove a die from the tray."""
        ...

    def put_back(self) -> None:
        """Put the dice that are out back to their old positions."""
        ...

    def lay_cards(self) -> None:
        """Put the printed corner cards on the felt."""
        ...

    def take_cards(self) -> None:
        """Remove the corner cards."""
        ...

    def knock(self) -> None:
        """Push the camera a little; it stays there."""
        ...

    def set_fault(self, name: str | None) -> None:
        """Set one of `FAULTS` of the camera; None clears it."""
        ...


FAULTS = ("dark", "frozen", "dropped", "blocked", "blurred", "moved", "gone")
"""The faults of the simulated camera."""
