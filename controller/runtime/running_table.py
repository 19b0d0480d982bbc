# SPDX-License-Identifier: MIT
"""
What pages and other programs get of a running table.

The table runs in one thread, its pages and other programs in many. They read frozen views and
queue events for the loop; they never touch the table itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.journal.picture_store import PictureStore
from controller.runtime.event_loop import TableLoop
from controller.runtime.frame_events import FrameEvents
from controller.runtime.monitoring.health import HealthMonitor


@dataclass(frozen=True, slots=True)
class RunningTable:
    """The parts of a table that other threads use."""

    loop: TableLoop  # Its views, and what reaches the table; not `handle` and `retry_disk`.
    frame_events: FrameEvents  # The newest picture of the tray.
    monitor: HealthMonitor  # Its health and its metrics.
    pictures: PictureStore  # The stored pictures.
