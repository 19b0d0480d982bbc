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

from flask import Response, request

from controller.base.languages.catalogue import Catalogue
from controller.runtime.event_loop import TableLoop
from controller.table.view.types import Snapshot
from controller.table.view.viewer import SHARED, WATCHER
from webui.auth.joining import SeatsView

RETRY_MS = 1000  # Time before a browser connects again.

STREAM_TYPE = "text/event-stream"
SILENCE_S = 10.0
"""An event's stream says this often that nothing changed: both ends notice a line that is cut."""

STILL_HERE = "event: here\ndata: {}\n\n"

STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""The headers of every stream: no cache stores it, and nginx passes each event on at once."""

WHOLE = -1
CACHED_EVENTS = 32


def serve_stream(
    follow: Callable[[Callable[[], bool]], Iterator[str] | Iterator[bytes]],
    release: Callable[[], None],
) -> Response:
    """Serve the events of a stream, which gets the check whether its client is gone."""
    # That is waitress's; other servers fail at the next write.
    is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
    answer = Response(follow(is_gone), mimetype=STREAM_TYPE, headers=STREAM_HEADERS)
    # Also called if the client hangs up before the first event; closing a generator that never
    # started would run none of its code.
    answer.call_on_close(release)
    return answer


class EventCache:
    """
    Formats the events of views, each once for all clients of a version, a viewer and a language.

    Fifty phones would otherwise keep the processor from the table's own screen at every change.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: dict[tuple[int, int, str | None, str], bytes] = {}

    def format_change(
        self, before: Snapshot | None, after: Snapshot, catalogue: Catalogue
    ) -> bytes:
        """Return the event from one view, or none, to another, in the language of a screen."""
        since = before["version"] if before else WHOLE
        key = (since, after["version"], after["viewer"], catalogue.language)
        # Who needs the same event waits for it instead of formatting it too.
        with self._lock:
            if key not in self._events:
                if len(self._events) >= CACHED_EVENTS:
                    self._events.clear()
                name = "change" if before else "snapshot"
                data = diff_views(before, after) if before else {**after}
                self._events[key] = format_event(name, after["version"], catalogue.translate(data))
            return self._events[key]


def diff_views(before: Snapshot, after: Snapshot) -> dict[str, object]:
    """Return the top-level keys of `after` whose value differs from `before`."""
    known: Mapping[str, object] = {**before}
    return {key: value for key, value in after.items() if key not in known or known[key] != value}


def format_event(event: str, number: int | str, data: Mapping[str, object]) -> bytes:
    """Return one server-sent event; its id is a number, such as the version of the view."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event}\nid: {number}\ndata: {text}\n\n".encode()


def stream_views(
    loop: TableLoop,
    events: EventCache,
    *,
    catalogue: Catalogue,
    viewer: str = "",
    heartbeat_s: float,
    is_gone: Callable[[], bool],
    seats: Callable[[], SeatsView] | None = None,
) -> Iterator[bytes]:
    """
    Yield the table's view for one client until the table closes or the client is gone.

    The view of a `viewer`, whose own phone it is, ends with the seat, so that its old phone
    reads no further. After `heartbeat_s` of silence an empty event is sent, so that both ends
    notice a broken connection; a page cannot see a comment. Without `seats` phones do not play.
    """
    shown = loop.snapshot(viewer)
    seated = seats() if seats else None
    yield f"retry: {RETRY_MS}\n\n".encode()
    yield events.format_change(None, shown, catalogue)
    if seated:
        yield format_event("seats", shown["version"], {"seats": seated})
    while not (loop.is_closing() or is_gone()):
        newest = loop.wait_for_change(shown["version"], heartbeat_s, viewer)
        if seats and seated != (now := seats()):
            seated = now
            yield format_event("seats", shown["version"], {"seats": seated})
            if viewer not in (SHARED, WATCHER, seated["mine"]):
                return
        if newest is None:
            yield format_event("here", shown["version"], {})
            continue
        yield events.format_change(shown, newest, catalogue)
        shown = newest
