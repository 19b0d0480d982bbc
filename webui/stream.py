# SPDX-License-Identifier: MIT
"""
Stream the table's view as server-sent events: whole once, then the changes.

A stream has no queue. Each turn sends the difference between the newest view and the one that
the client has. So a slow client skips to the newest state, and a client that returns gets the
whole view again; no history is kept.
"""

from __future__ import annotations

import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set

from controller.languages.catalogue import Catalogue
from controller.table.view.types import Snapshot
from webui.auth.roles import Role
from webui.gate import TableApi

RETRY_MS = 1000
"""Time before a browser connects again."""

OWN_SHARE = 0.6
"""Streams of the box's own port, compared with those of the public one."""

WHOLE = -1
CACHED_EVENTS = 32

ROLE_SHARES = {Role.WATCHER: 0.3, Role.PLAYER: 0.9, Role.OFFICIAL: 1.0}
"""How much of the public pool a role and those below it may fill."""

MOST_PER_CLIENT = 6
"""Streams of one browser: as many tabs as it keeps connections to one server."""


class StreamSlots:
    """
    Counts the open streams, so that they cannot use all threads of the server.

    Streams of the box's own port are counted alone. At the public port each role may fill a
    share together with the roles below it: so watchers leave room for players, and players for
    officials. One client gets a few streams at most.

    Args:
        most: Most open streams of the public port.
        on_change: Called with the number of open streams when it changes.
    """

    def __init__(self, most: int, *, on_change: Callable[[int], None] = lambda count: None) -> None:
        self._most = most
        self._on_change = on_change
        self._open: Counter[tuple[Role, str]] = Counter()
        self._lock = threading.Lock()

    def acquire(self, role: Role = Role.BOX, client: str = "") -> Callable[[], None] | None:
        """
        Acquire a slot.

        Args:
            role: The role of the client.
            client: The identity of the client in that role, such as its address.

        Returns:
            The call that releases it, safe to repeat; None if no slot is free.
        """
        holder = (role, client)
        with self._lock:
            if not self._has_room(holder):
                return None
            self._change(holder, 1)
        held = threading.Lock()

        def release() -> None:
            if held.acquire(blocking=False):
                with self._lock:
                    self._change(holder, -1)

        return release

    def _has_room(self, holder: tuple[Role, str]) -> bool:
        role, _ = holder
        if role is Role.BOX:
            return self._count({Role.BOX}) < math.ceil(self._most * OWN_SHARE)
        lower = {other for other in ROLE_SHARES if other <= role}
        is_room = self._count(lower) < math.ceil(self._most * ROLE_SHARES[role])
        # A higher role may have filled the share already.
        is_room = is_room and self._count(set(ROLE_SHARES)) < self._most
        return is_room and self._open[holder] < MOST_PER_CLIENT

    def _count(self, roles: Set[Role]) -> int:
        return sum(number for (role, _), number in self._open.items() if role in roles)

    def _change(self, holder: tuple[Role, str], by: int) -> None:
        self._open[holder] += by
        if not self._open[holder]:
            del self._open[holder]
        self._on_change(self._open.total())


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
        """
        Return the event that leads from one view to another, in the language of a screen.

        Without a view before, it is the whole view.
        """
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


def format_event(event: str, version: int, data: Mapping[str, object]) -> bytes:
    """Return one server-sent event; its id is the version of the view."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event}\nid: {version}\ndata: {text}\n\n".encode()


def stream_views(
    table: TableApi,
    events: EventCache,
    *,
    catalogue: Catalogue,
    viewer: str = "",
    heartbeat_s: float,
    is_gone: Callable[[], bool],
) -> Iterator[bytes]:
    """
    Yield the table's view for one client until the table closes or the client is gone.

    Args:
        table: Source of the views.
        events: Formats them, for all clients of this table.
        catalogue: The language of the client's screen.
        viewer: The player whose own phone it is; empty for the screen that all share.
        heartbeat_s: Longest silence, in seconds. Then an empty event is sent, so that both ends
            notice a broken connection; a page cannot see a comment.
        is_gone: Returns whether the client has hung up.
    """
    shown = table.snapshot(viewer)
    yield f"retry: {RETRY_MS}\n\n".encode()
    yield events.format_change(None, shown, catalogue)
    while not (table.is_closing() or is_gone()):
        newest = table.wait_for_change(shown["version"], heartbeat_s, viewer)
        if newest is None:
            yield format_event("here", shown["version"], {})
            continue
        yield events.format_change(shown, newest, catalogue)
        shown = newest
