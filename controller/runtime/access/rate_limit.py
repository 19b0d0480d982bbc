# SPDX-License-Identifier: MIT
"""
Limit attempts at a secret: a few free ones, then growing waits.

Attempts are counted per client, so one client does not block the others, and per group of
clients. Many clients then guess no faster than a few. No group uses up the attempts of another:
strangers lock out neither the box nor a browser that has logged in before. Only time ends a
wait; the right answer does not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from hardware.clock import Clock

FORGOTTEN_AFTER_S = 3600.0
MOST_CLIENTS = 1000  # The clients of one group that are remembered.

WrongCounts: TypeAlias = Mapping[str, Mapping[str, int]]
"""The wrong attempts of every client by group and name; `ALL` has those of the whole group."""

ALL = "*"


class ClientGroup(Enum):
    """Clients that share a budget of wrong attempts."""

    BOX = "box"
    KNOWN = "known"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LoginClient:
    group: ClientGroup  # The box itself, a browser that has logged in before, or any other.
    name: str = ""  # The address, or the number of a known browser; empty for the box.


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """The number of free attempts, and the waits after them."""

    free: int  # Wrong attempts before the first wait.
    first_s: float  # The first wait; each further wrong attempt doubles it.
    longest_s: float  # The longest wait.

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

    The clock is monotonic, so setting the time of day shortens no wait. `on_change` gets the new
    counts, one call at a time. `together` are the waits of a whole group; None for a secret that is
    too long to be guessed: then each client waits alone.
    """

    def __init__(
        self,
        clock: Clock,
        on_change: Callable[[WrongCounts], None] = lambda counts: None,
        *,
        together: BackoffPolicy | None = ALL_CLIENTS,
    ) -> None:
        self._clock = clock
        self._on_change = on_change
        self._lock = threading.Lock()
        self._groups = {group: _GroupTries(together) for group in ClientGroup}

    def attempt(self, who: LoginClient, is_right: Callable[[], bool]) -> tuple[bool, float]:
        """Check an attempt unless the client waits; return if it was right, and its wait in s."""
        group = self._groups[who.group]
        with self._lock:
            # The lock is held during the check: parallel attempts would all be free ones.
            waits_s = group.remaining_s(who.name, self._clock.now_s())
            if waits_s > 0:
                return False, waits_s
            if is_right():
                if group.forgive(who.name):
                    self._on_change(self._counts())
                return True, 0.0
            group.note_wrong(who.name, self._clock.now_s())
            self._on_change(self._counts())
            return False, group.remaining_s(who.name, self._clock.now_s())

    def resume(self, counts: WrongCounts) -> None:
        """Continue from the counts of an earlier run; every wait starts from its beginning."""
        with self._lock:
            for group, tries in self._groups.items():
                tries.resume(counts.get(group.value, {}), self._clock.now_s())

    def __len__(self) -> int:
        return sum(len(group) for group in self._groups.values())

    def _counts(self) -> WrongCounts:
        return {group.value: tries.counts() for group, tries in self._groups.items()}


class _GroupTries:
    """The wrong attempts of one group of clients."""

    def __init__(self, together: BackoffPolicy | None) -> None:
        self._together = together
        self._of: dict[str, _ClientTries] = {}
        self._all = _ClientTries(0, float("-inf"), float("-inf"))

    def __len__(self) -> int:
        return len(self._of)

    def remaining_s(self, name: str, now_s: float) -> float:
        own = self._of.get(name)
        open_s = max(self._all.open_s, own.open_s if own else self._all.open_s)
        return max(0.0, open_s - now_s)

    def note_wrong(self, name: str, now_s: float) -> None:
        self._forget(now_s)
        own = self._of.pop(name, _ClientTries(0, now_s, now_s))
        self._of[name] = _resume_tries(own.wrong + 1, ONE_CLIENT, now_s)
        self._count_together(self._all.wrong + 1, now_s)

    def forgive(self, name: str) -> bool:
        """Forget the wrong attempts of one client; return whether there were any."""
        return self._of.pop(name, None) is not None

    def counts(self) -> Mapping[str, int]:
        return {ALL: self._all.wrong, **{name: tries.wrong for name, tries in self._of.items()}}

    def resume(self, counts: Mapping[str, int], now_s: float) -> None:
        for name, wrong in counts.items():
            if name == ALL:
                self._count_together(wrong, now_s)
            else:
                self._of[name] = _resume_tries(wrong, ONE_CLIENT, now_s)

    def _count_together(self, wrong: int, now_s: float) -> None:
        if self._together is not None:
            self._all = _resume_tries(wrong, self._together, now_s)

    def _forget(self, now_s: float) -> None:
        """Forget clients without recent attempts, and the oldest of too many."""
        if now_s - self._all.last_s > FORGOTTEN_AFTER_S:
            self._all = _ClientTries(0, now_s, now_s)
        fresh = {
            name: tries
            for name, tries in self._of.items()
            if now_s - max(tries.last_s, tries.open_s) <= FORGOTTEN_AFTER_S
        }
        # One place is left for the client that comes next.
        self._of = dict(list(fresh.items())[-(MOST_CLIENTS - 1) :])


def _resume_tries(wrong: int, policy: BackoffPolicy, now_s: float) -> _ClientTries:
    return _ClientTries(wrong, now_s, now_s + policy.wait_s(wrong))
