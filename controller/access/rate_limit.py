# SPDX-License-Identifier: MIT
"""
Limit attempts at a secret: a few free ones, then growing waits.

Attempts are counted per client, so one client does not block the others, and in total, so many
clients guess no faster than a few. Only time ends a wait; the right answer does not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from hardware.clock import Clock

FORGOTTEN_AFTER_S = 3600.0
MOST_CLIENTS = 1000


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """
    The number of free attempts, and the waits after them.

    Attributes:
        free: Wrong attempts before the first wait.
        first_s: The first wait; each further wrong attempt doubles it.
        longest_s: The longest wait.
    """

    free: int
    first_s: float
    longest_s: float

    def wait_s(self, wrong: int) -> float:
        """Return the wait after this many wrong attempts, in seconds."""
        if wrong < self.free:
            return 0.0
        doublings = min(wrong - self.free, 30)
        return min(self.first_s * 2.0**doublings, self.longest_s)


ONE_CLIENT = BackoffPolicy(free=3, first_s=5.0, longest_s=600.0)
ALL_CLIENTS = BackoffPolicy(free=20, first_s=2.0, longest_s=60.0)


@dataclass(slots=True)
class _ClientTries:
    wrong: int
    last_s: float
    open_s: float


class LoginThrottle:
    """
    Counts wrong attempts at one secret; may be used from any thread.

    Args:
        clock: A monotonic clock, so setting the time of day shortens no wait.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._of: dict[str, _ClientTries] = {}
        self._all = _ClientTries(0, float("-inf"), float("-inf"))

    def attempt(self, who: str, is_right: Callable[[], bool]) -> tuple[bool, float]:
        """
        Check an attempt, unless the client has to wait.

        Args:
            who: The client.
            is_right: Checks the attempt; called only if the client need not wait.

        Returns:
            Whether it was right, and the wait of this client from now on, in seconds.
        """
        with self._lock:
            # The lock is held during the check: parallel attempts would all be free ones.
            waits_s = self._remaining_s(who)
            if waits_s > 0:
                return False, waits_s
            if is_right():
                self._of.pop(who, None)
                return True, 0.0
            self._note_wrong(who)
            return False, self._remaining_s(who)

    def __len__(self) -> int:
        """Return the number of remembered clients."""
        return len(self._of)

    def _remaining_s(self, who: str) -> float:
        now_s = self._clock.now_s()
        own = self._of.get(who)
        open_s = max(self._all.open_s, own.open_s if own else self._all.open_s)
        return max(0.0, open_s - now_s)

    def _note_wrong(self, who: str) -> None:
        now_s = self._clock.now_s()
        self._forget(now_s)
        own = self._of.pop(who, _ClientTries(0, now_s, now_s))
        self._of[who] = _add_wrong(own, ONE_CLIENT, now_s)
        self._all = _add_wrong(self._all, ALL_CLIENTS, now_s)

    def _forget(self, now_s: float) -> None:
        """Forget clients without recent attempts, and the oldest of too many."""
        if now_s - self._all.last_s > FORGOTTEN_AFTER_S:
            self._all = _ClientTries(0, now_s, now_s)
        fresh = {
            who: tries
            for who, tries in self._of.items()
            if now_s - max(tries.last_s, tries.open_s) <= FORGOTTEN_AFTER_S
        }
        self._of = dict(list(fresh.items())[-MOST_CLIENTS:])


def _add_wrong(tries: _ClientTries, patience: BackoffPolicy, now_s: float) -> _ClientTries:
    wrong = tries.wrong + 1
    return _ClientTries(wrong, now_s, now_s + patience.wait_s(wrong))
