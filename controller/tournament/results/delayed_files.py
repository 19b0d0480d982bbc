# SPDX-License-Identifier: MIT
"""What the world may see of an event: its files as they were some seconds ago."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TypeAlias

from controller.tournament.results.public_files import PublicFile

PublicFiles: TypeAlias = Mapping[str, PublicFile]

SHORTEST_PAUSE_S = 1.0
MOST_WAITING = 20


class DelayedFiles:
    """
    The files that wait until they are old enough, and those that are public; for one thread.

    Args:
        delay_s: How old they have to be.

    Attributes:
        pause_s: How long to wait between two additions: their number is limited.
    """

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self.pause_s = max(SHORTEST_PAUSE_S, delay_s / MOST_WAITING)
        self._waiting: deque[tuple[float, PublicFiles]] = deque()

    def add(self, now_s: float, files: PublicFiles) -> None:
        """Add the files as they are now, by a clock that only goes on."""
        self._waiting.append((now_s, files))

    def take_due(self, now_s: float) -> PublicFiles | None:
        """Return the newest files that are old enough; None if there are no newer ones."""
        due = None
        while self._waiting and self._waiting[0][0] + self._delay_s <= now_s:
            _, due = self._waiting.popleft()
        return due

    def find_wait_s(self, now_s: float) -> float | None:
        """Return how long until the next files are old enough; None if none wait."""
        if not self._waiting:
            return None
        return max(0.0, self._waiting[0][0] + self._delay_s - now_s)
