# SPDX-License-Identifier: MIT
"""
Share the streams among the browsers, so that they cannot use all threads of the server.

Anybody who knows the code gets as many tickets as he likes. So a full pool still takes a browser
whose address has fewer streams than another one, or that joined before others: a stream of those
ends for it. Every such step makes the shares more equal or the pool older, so two browsers never
displace each other in turn.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass

from webui.auth.roles import Role, Viewer

OWN_SHARE = 0.6  # Streams of the box's own port, compared with those of the public one.

ROLE_SHARES = {Role.WATCHER: 0.3, Role.GUEST: 0.8, Role.PLAYER: 0.9, Role.OFFICIAL: 1.0}
"""How much of the public pool a role and those below it may fill."""

MOST_PER_CLIENT = 6  # Streams of one browser: as many tabs as it keeps connections to one server.
MOST_ENDING = 8  # Displaced streams that have not ended yet; each still has its thread.


@dataclass(eq=False, slots=True)
class _OpenStream:
    """A stream, how to end it, and whether another one took its slot."""

    viewer: Viewer
    hang_up: Callable[[], None]
    is_ending: bool = False


class StreamSlots:
    """
    The open streams, at most this many in the public pool; each change is told.

    Streams of the box's own screen are counted alone. The others share the public pool: each
    role may fill a share together with the roles below it. So watchers leave room for players,
    and players for officials. One browser gets a few streams at most.
    """

    def __init__(self, most: int, *, on_change: Callable[[int], None] = lambda count: None) -> None:
        self._most = most
        self._on_change = on_change
        self._open: set[_OpenStream] = set()
        self._lock = threading.Lock()

    def acquire(
        self, viewer: Viewer, hang_up: Callable[[], None] = lambda: None
    ) -> Callable[[], None] | None:
        """
        Acquire a slot, perhaps in place of another stream; return what releases it, or None.

        `hang_up` ends the stream early; it is called from another thread and must not wait. The
        release is safe to repeat.
        """
        stream = _OpenStream(viewer, hang_up)
        with self._lock:
            if self._count(client=viewer.client) >= MOST_PER_CLIENT and viewer.role < Role.BOX:
                return None
            if not self._has_room(viewer.role):
                displaced = self._find_displaceable(viewer)
                if displaced is None:
                    return None
                displaced.is_ending = True
                displaced.hang_up()
            self._open.add(stream)
            self._on_change(len(self._open))

        def release() -> None:
            with self._lock:
                if stream in self._open:
                    self._open.remove(stream)
                    self._on_change(len(self._open))

        return release

    def _has_room(self, role: Role) -> bool:
        if role is Role.BOX:
            return self._count({Role.BOX}) < math.ceil(self._most * OWN_SHARE)
        lower = {other for other in ROLE_SHARES if other <= role}
        is_room = self._count(lower) < math.ceil(self._most * ROLE_SHARES[role])
        # A higher role may have filled the share already.
        return is_room and self._count(set(ROLE_SHARES)) < self._most

    def _count(self, roles: Set[Role] = frozenset(Role), client: str | None = None) -> int:
        """Count the streams that stay, of some roles or of one client."""
        viewers = (stream.viewer for stream in self._open if not stream.is_ending)
        return sum(each.role in roles and client in (None, each.client) for each in viewers)

    def _find_displaceable(self, viewer: Viewer) -> _OpenStream | None:
        """Return the stream of the same role that ends for another one; None if none does."""
        ending = sum(stream.is_ending for stream in self._open)
        streams = [
            stream
            for stream in self._open
            if stream.viewer.role is viewer.role and not stream.is_ending
        ]
        if viewer.role is Role.BOX or not streams or ending >= MOST_ENDING:
            return None
        held = Counter(stream.viewer.address for stream in streams)
        own, most = held[viewer.address], max(held.values())
        crowds = {viewer.address} if own == most else {key for key in held if held[key] == most}
        youngest = max(
            (stream for stream in streams if stream.viewer.address in crowds),
            key=lambda stream: stream.viewer.joined_s,
        )
        is_fairer = own + 1 < most or viewer.joined_s < youngest.viewer.joined_s
        return youngest if is_fairer else None
