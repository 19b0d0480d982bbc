# SPDX-License-Identifier: MIT
"""
Refuse a signed request that is too old, from the future, or has been here before.

Requests from before the start of the server are refused too, so a restart forgets no nonce that
counts. A clock that was set back is like a start. A refused table signs again with the time that
the answer names.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from controller.base.errors import InputError
from controller.tournament.server.wire.http_signature import CLOCK_WINDOW_S, SignedMessage

MOST_NONCES = 1_000_000
"""Some 100 MB, and more than any server answers in two minutes; beyond it requests wait."""


class ReplayGuard:
    """Remembers the nonces of the last minutes by the wall clock; any thread may ask."""

    def __init__(self, now_s: Callable[[], float], most: int = MOST_NONCES) -> None:
        self._now_s = now_s
        self._most = most
        self._began_s = self._newest_s = int(now_s())
        self._lock = threading.Lock()
        self._seen: set[tuple[str, str]] = set()
        self._order: deque[tuple[int, tuple[str, str]]] = deque()

    def admit(self, signed: SignedMessage, *, is_kept: bool = True) -> None:
        """
        Let a request pass once; InputError if its time is off or it is a repeat.

        If it is not kept, this only checks that it could pass now.
        """
        now_s = self._read_clock()
        oldest_s = max(now_s - CLOCK_WINDOW_S, self._began_s)
        if not oldest_s <= signed.created_s <= now_s + CLOCK_WINDOW_S:
            expected = f"a request signed between {oldest_s} and {now_s + CLOCK_WINDOW_S}"
            raise InputError(expected=expected, found=str(signed.created_s), where="created")
        known = (signed.key, signed.nonce)
        with self._lock:
            while self._order and self._order[0][0] < now_s:
                self._seen.discard(self._order.popleft()[1])
            if known in self._seen or len(self._seen) >= self._most:
                raise InputError(
                    expected="a nonce that was not used before", found=signed.nonce, where="nonce"
                )
            if is_kept:
                self._seen.add(known)
                self._order.append((now_s + 2 * CLOCK_WINDOW_S, known))

    def __len__(self) -> int:
        """Return how many nonces it remembers."""
        return len(self._seen)

    def _read_clock(self) -> int:
        now_s = int(self._now_s())
        with self._lock:
            if now_s < self._newest_s - CLOCK_WINDOW_S:
                # It was set back. What is remembered by the old time would be kept too long.
                self._began_s = self._newest_s = now_s
                end_s = now_s + 2 * CLOCK_WINDOW_S
                self._order = deque((end_s, known) for _, known in self._order)
            self._newest_s = max(self._newest_s, now_s)
        return now_s
