# SPDX-License-Identifier: MIT
"""Find a moved tray again when a player asks for it on the kiosk."""

from __future__ import annotations

import threading
from collections.abc import Callable

from controller.base.languages.message import message
from controller.runtime.event_loop import LoopObserver
from controller.table.events import CAMERA, DeviceLost, Event
from controller.table.state import MOVED
from controller.table.view.types import Snapshot

_WAIT_S = 0.5
_MOVED_WHAT = message("the camera or the tray was moved")


def report_no_calibration() -> str:
    """Return why a table without a calibration cannot find its tray."""
    return message("This table is not calibrated. Open the calibration page.")


class Recalibration(LoopObserver):
    """Runs a recalibration in a thread of its own, as soon as a view asks for one."""

    def __init__(self) -> None:
        self._requested = threading.Event()

    def on_view(self, view: Snapshot) -> None:
        if view["recalibrating"]:
            self._requested.set()

    def run(
        self,
        find_tray: Callable[[], str],
        send: Callable[[Event], None],
        is_closing: Callable[[], bool],
    ) -> None:
        """Serve requests until the table is shut down; `send` takes the fault without a tray."""
        while not is_closing():
            if not self._requested.wait(_WAIT_S):
                continue
            self._requested.clear()
            # On success the camera's health check reports by itself that the fault is over.
            if problem := find_tray():
                send(DeviceLost(CAMERA, _MOVED_WHAT, problem, MOVED))
