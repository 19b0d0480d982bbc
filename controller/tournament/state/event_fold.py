# SPDX-License-Identifier: MIT
"""
The event as a value that a store applies entries to and may drop again.

A store applies an entry before it is on the disk, and drops the result if the disk fails. Copies
of a large event would cost more than the entries. So all values share one state that changes in
place, and a second one follows some entries behind: from there an earlier value is built again.
"""

from __future__ import annotations

import pickle
from collections import deque
from typing import Self

from controller.base.errors import InputError
from controller.journal.hashchain import Entry
from controller.tournament.state.state import EventState

MOST_BEHIND = 4096
"""Entries by which the second state is behind: more than one commit ever holds."""


class _Shared:
    """The two states, and the entries between them."""

    def __init__(self, most_behind: int) -> None:
        self._most_behind = most_behind
        self.state = EventState()
        self.version = 0
        self._behind = EventState()
        self._between: deque[Entry] = deque()

    def apply(self, entry: Entry) -> None:
        self.state.apply(entry)
        self.version += 1
        self._between.append(entry)
        if len(self._between) > self._most_behind:
            self._behind.apply(self._between.popleft(), is_checked=True)

    def apply_table_line(self, box: str, entry: Entry) -> None:
        # Both at once: lines and entries may come in any order.
        self.state.apply_table_line(box, entry)
        self._behind.apply_table_line(box, entry)

    def return_to(self, version: int) -> None:
        """
        Go back to an earlier version.

        Raises:
            InputError: It is too long ago.
        """
        dropped = self.version - version
        if dropped > len(self._between):
            expected = f"one of the last {len(self._between)} versions of the event"
            raise InputError(expected=expected, found=f"one {dropped} entries back")
        for _ in range(dropped):
            self._between.pop()
        self.state = pickle.loads(pickle.dumps(self._behind))
        for entry in self._between:
            self.state.apply(entry, is_checked=True)
        self.version = version


class EventFold:
    """
    An event after some entries; for the one thread that writes.

    Other threads read an `EventState` of their own, to which they apply what is durable.

    Args:
        most_behind: How many entries can be dropped at most.
    """

    def __init__(self, most_behind: int = MOST_BEHIND) -> None:
        self._shared = _Shared(most_behind)
        self._version = 0

    @property
    def state(self) -> EventState:
        """The event, as long as no later value exists."""
        self._refresh()
        return self._shared.state

    def apply(self, entry: Entry) -> Self:
        """
        Return the event after an entry of its own journal.

        Raises:
            InputError: The entry does not follow; nothing has changed.
        """
        self._refresh()
        self._shared.apply(entry)
        return self._next(self._shared.version)

    def apply_table_line(self, box: str, entry: Entry) -> Self:
        """Return the event after a line of a table; a line that is dropped does no harm."""
        self._shared.apply_table_line(box, entry)
        return self

    def _refresh(self) -> None:
        if self._shared.version != self._version:
            self._shared.return_to(self._version)

    def _next(self, version: int) -> Self:
        value = object.__new__(type(self))
        value._shared, value._version = self._shared, version
        return value
