# SPDX-License-Identifier: MIT
"""The press that finds a moved tray again."""

from __future__ import annotations

import threading
from collections.abc import Callable

from controller.table.devices import CAMERA
from controller.table.events import DeviceLost, Event
from controller.table.state import MOVED
from controller.table.view.types import Snapshot

_WAIT_S = 0.5
_MOVED_WHAT = "the camera or the tray was moved"
_NOT_HERE = "This table has nobody who could calibrate it."


class Recalibration:
    """Finds a moved tray anew when the table's view says that somebody asked for it."""

    def __init__(self) -> None:
        self.do: Callable[[], str] = lambda: _NOT_HERE
        self._asked = threading.Event()

    def show(self, view: Snapshot) -> None:
        """Take note of a view of the table."""
        if view["recalibrating"]:
            self._asked.set()

    def run(self, send: Callable[[Event], None], is_closing: Callable[[], bool]) -> None:
        """Do it whenever it is asked for, until the table is shut down."""
        while not is_closing():
            if not self._asked.wait(_WAIT_S):
                continue
            self._asked.clear()
            # Where it is done, the watch sees that all is well again and says so itself.
            if problem := self.do():
                send(DeviceLost(CAMERA, _MOVED_WHAT, problem, MOVED))
