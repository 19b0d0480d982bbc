# SPDX-License-Identifier: MIT
"""
Stream the journal's events to programs as server-sent events.

Each event has the id of its entry, and a program that returns names the last one that it has. So
nothing is lost over a broken line or a restart of the table: the journal has everything, and no
queue is kept. A slow program is as slow as its own line, and gets every event all the same.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator

from controller.integrations.api.entry_queries import EventFeed
from controller.runtime.event_loop import TableLoop
from webui.stream import format_event

RETRY_MS = 1000
MOST_STREAMS = 24
"""Streams of programs at the public port; its threads suffice for these beside all screens."""

MOST_OWN_STREAMS = 8  # The same at the box's own port, which has fewer threads.

MOST_PER_TOKEN = 8


class TooManyStreamsError(Exception):
    """No further stream may be opened."""

    def __init__(self, most: int, whose: str) -> None:
        super().__init__(f"expected at most {most} open streams {whose}, found {most}; close one")


class ApiStreams:
    """Counts the open streams of programs, so that they cannot use all threads of a port."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: Counter[tuple[bool, str]] = Counter()

    def acquire(self, number: str, *, is_own: bool) -> Callable[[], None]:
        """Count a stream; return what ends it, safe to repeat. TooManyStreamsError at the limit."""
        key = (is_own, number)
        with self._lock:
            at_port = sum(count for (own, _), count in self._open.items() if own is is_own)
            of_token = self._open[False, number] + self._open[True, number]
            most = MOST_OWN_STREAMS if is_own else MOST_STREAMS
            if of_token >= MOST_PER_TOKEN:
                raise TooManyStreamsError(MOST_PER_TOKEN, "of this token")
            if at_port >= most:
                raise TooManyStreamsError(most, "of programs at this port")
            self._open[key] += 1
        left = [key]

        def release() -> None:
            with self._lock:
                if left:
                    self._open[left.pop()] -= 1
                    self._open += Counter()

        return release


def stream_events(
    loop: TableLoop,
    feed: EventFeed,
    *,
    is_same: bool,
    heartbeat_s: float,
    is_over: Callable[[], bool],
) -> Iterator[bytes]:
    """
    Yield events until the table closes or the stream is over.

    Unless the feed `is_same`, this journal does not have its last event, and the program must
    read the table again. After `heartbeat_s` of silence a comment is sent.
    """
    yield f"retry: {RETRY_MS}\n\n".encode()
    head = "open" if is_same else "reset"
    yield format_event(head, feed.last_id, {"type": head, "last": feed.last_id})
    version = loop.snapshot()["version"]
    while not (loop.is_closing() or is_over()):
        events = feed.read_events()
        for event in events or ():
            yield format_event(event.type, event.id, event.data)
        if events is not None:
            continue
        newest = loop.wait_for_change(version, heartbeat_s)
        if newest is None:
            yield b": here\n\n"
        else:
            version = newest["version"]
