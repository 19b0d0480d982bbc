# SPDX-License-Identifier: MIT
"""Whether the lobby offers the guide to the first roll: until a roll, or until people decline."""

from __future__ import annotations

from pathlib import Path

from controller.base.durable_files import atomic_write
from controller.base.logs import Log
from controller.runtime.event_loop import LoopObserver
from controller.table.state import TableState

DECLINED_FILE = "guide-declined"  # Its presence in the data folder says that people declined.

_LOG = Log("app")


class GuideMemory(LoopObserver):
    """Follows the table's loop; the pages ask and decline from their threads."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / DECLINED_FILE
        self._is_over = self._file.exists()

    @property
    def is_offered(self) -> bool:
        """Whether the table was never used, and its guide was not declined."""
        return not self._is_over

    def note_journal(self, has_rolls: bool) -> None:
        self._is_over |= has_rolls

    def on_state(self, state: TableState) -> None:
        """Offer it no more after the first roll; from then on the journal has one."""
        self._is_over |= state.play.last_roll is not None

    def decline(self) -> None:
        """Offer it no more, also after a restart if the disk allows it."""
        self._is_over = True
        try:
            atomic_write(self._file, b"")
        except OSError as error:
            why = error.strerror or str(error)
            _LOG.warning("the guide will be offered again", why=why)
