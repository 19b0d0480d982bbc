# SPDX-License-Identifier: MIT
"""
The view of the table as server-sent events: whole once, then what changed.

A stream holds no queue. Each turn compares the newest view with the one this client has
and sends the difference, so a slow client skips to the newest state and a client that
comes back simply gets the whole view again; no history is kept for anybody.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping

from controller.table.view.types import Snapshot
from webui.gate import TableApi

RETRY_MS = 1000
"""How long a browser waits before it connects again."""


class StreamSlots:
    """
    Counts the open streams, so that they can never take all of the server's threads.

    Args:
        most: How many there may be.
        on_change: Told how many there are, whenever that changes.
    """

    def __init__(self, most: int, *, on_change: Callable[[int], None] = lambda count: None) -> None:
        self._most = most
        self._on_change = on_change
        self._taken = 0
        self._lock = threading.Lock()

    def acquire(self) -> Callable[[], None] | None:
        """
        Take a slot.

        Returns:
            The call that frees it, safe to make twice; none when every slot is taken.
        """
        if not self._change(1):
            return None
        held = threading.Lock()

        def release() -> None:
            if held.acquire(blocking=False):
                self._change(-1)

        return release

    def _change(self, by: int) -> bool:
        """Count some more streams, or fewer; tell whether there is room for that."""
        with self._lock:
            if self._taken + by > self._most:
                return False
            self._taken += by
            self._on_change(self._taken)
            return True


def diff_views(before: Snapshot, after: Snapshot) -> dict[str, object]:
    """Return the top-level keys of `after` whose value is another one than in `before`."""
    known: Mapping[str, object] = {**before}
    return {key: value for key, value in after.items() if key not in known or known[key] != value}


def format_event(event: str, version: int, data: Mapping[str, object]) -> bytes:
    """Write one server-sent event; its id is the version of the view."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event}\nid: {version}\ndata: {text}\n\n".encode()


def stream_views(
    table: TableApi, *, heartbeat_s: float, is_gone: Callable[[], bool]
) -> Iterator[bytes]:
    """
    Yield the table's view for one client until the table closes or the client is gone.

    Args:
        table: Where the views come from.
        heartbeat_s: Longest silence, in seconds. An event without news breaks it, so that both
            ends notice a broken line; a comment would be heard by no page.
        is_gone: Tells whether the client has hung up.
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
