# SPDX-License-Identifier: MIT
"""
Stream the table's view as server-sent events: whole once, then the changes.

A stream has no queue. Each turn sends the difference between the newest view and the one that
the client has. So a slow client skips to the newest state, and a client that returns gets the
whole view again; no history is kept.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping

from controller.table.view.types import Snapshot
from webui.gate import TableApi

RETRY_MS = 1000
"""Time before a browser connects again."""


class StreamSlots:
    """
    Counts the open streams, so that they cannot use all threads of the server.

    Args:
        most: Most open streams.
        on_change: Called with the number of open streams when it changes.
    """

    def __init__(self, most: int, *, on_change: Callable[[int], None] = lambda count: None) -> None:
        self._most = most
        self._on_change = on_change
        self._taken = 0
        self._lock = threading.Lock()

    def acquire(self) -> Callable[[], None] | None:
        """
        Acquire a slot.

        Returns:
            The call that releases it, safe to repeat; None if no slot is free.
        """
        if not self._change(1):
            return None
        held = threading.Lock()

        def release() -> None:
            if held.acquire(blocking=False):
                self._change(-1)

        return release

    def _change(self, by: int) -> bool:
        """Change the number of streams; return whether it stays within the limit."""
        with self._lock:
            if self._taken + by > self._most:
                return False
            self._taken += by
            self._on_change(self._taken)
            return True


def diff_views(before: Snapshot, after: Snapshot) -> dict[str, object]:
    """Return the top-level keys of `after` whose value differs from `before`."""
    known: Mapping[str, object] = {**before}
    return {key: value for key, value in after.items() if key not in known or known[key] != value}


def format_event(event: str, version: int, data: Mapping[str, object]) -> bytes:
    """Return one server-sent event; its id is the version of the view."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event}\nid: {version}\ndata: {text}\n\n".encode()


def stream_views(
    table: TableApi, *, heartbeat_s: float, is_gone: Callable[[], bool]
) -> Iterator[bytes]:
    """
    Yield the table's view for one client until the table closes or the client is gone.

    Args:
        table: Source of the views.
        heartbeat_s: Longest silence, in seconds. Then an empty event is sent, so that both ends
            notice a broken connection; a page cannot see a comment.
        is_gone: Returns whether the client has hung up.
    """
    shown = table.snapshot()
    yield f"retry: {RETRY_MS}\n\n".encode()
    yield format_event("snapshot", shown["version"], {**shown})
    while not (table.is_closing() or is_gone()):
        newest = table.wait_for_change(shown["version"], heartbeat_s)
        if newest is None:
            yield format_event("here", shown["version"], {})
            continue
        yield format_event("change", newest["version"], diff_views(shown, newest))
        shown = newest
