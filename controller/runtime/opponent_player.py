# SPDX-License-Identifier: MIT
"""
Opponents at a running table, in a thread of their own.

The thread looks at each new state of the table. If an opponent is to choose, it waits a moment,
so that people can follow, and then asks for the action as any program would. The table drops it
if the game has moved on meanwhile; then there is a new state to look at.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from controller.runtime.event_loop import LoopObserver
from controller.table.decisions import decide_action, find_due_opponent
from controller.table.events import Event
from controller.table.state import TableState

_POLL_S = 1.0


class OpponentPlayer(LoopObserver):
    """Plays all opponents; people look at the table for `pause_s` before each of their choices."""

    def __init__(self, pause_s: float) -> None:
        self._pause_s = pause_s
        self._changed = threading.Condition()
        self._state: TableState | None = None
        self._done: TableState | None = None
        self._is_running = False
        self._send: Callable[[Event], None] = lambda event: None
        self._wait: Callable[[float], bool] = lambda timeout_s: True

    def on_state(self, state: TableState) -> None:
        with self._changed:
            self._state = state
            self._changed.notify()

    def on_idle(self) -> None:
        """Start the thread with the table's own one; it ends when the table closes."""
        if not self._is_running:
            self._is_running = True
            threading.Thread(target=self._run, name="opponents", daemon=True).start()

    def connect(self, send: Callable[[Event], None], wait: Callable[[float], bool]) -> None:
        """Play at this table until `wait` for some seconds returns true."""
        self._send, self._wait = send, wait

    def _run(self) -> None:
        while not self._wait(0):
            if not self._await_turn() or self._wait(self._pause_s):
                continue
            state = self._done = self._state
            action = decide_action(state) if state else None
            if action is not None:
                self._send(action)

    def _await_turn(self) -> bool:
        with self._changed:
            return self._changed.wait_for(self._is_due, _POLL_S)

    def _is_due(self) -> bool:
        state = self._state
        return (
            state is not None and state is not self._done and find_due_opponent(state) is not None
        )
