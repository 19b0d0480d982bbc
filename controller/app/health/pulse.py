# SPDX-License-Identifier: MIT
"""
The sign that a thread is alive: it says when it will be heard of next, and keeps to it.

A thread that died ends the process. One that hangs, in a driver or on a disk, would go
unnoticed: the screen shows its last word for ever. How long a silence is too long only
the thread itself knows, so it says so with every beat.
"""

from __future__ import annotations

import math

from hardware.clock import Clock


class Pulse:
    """
    The pulse of one thread; beaten by that thread, felt by any. None is due before the first.

    Args:
        clock: What time is taken from.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due_s = math.inf

    def beat(self, within_s: float) -> None:
        """Be alive, and be heard of again within so many seconds."""
        self._due_s = self._clock.now_s() + within_s

    def late_s(self) -> float:
        """Return for how many seconds a beat has been overdue; 0 while none is."""
        return max(0.0, self._clock.now_s() - self._due_s)
