# SPDX-License-Identifier: MIT
"""
Turn a button's raw contact into presses, holds and faults, without bounce.

A contact counts once its level stayed the same for `bounce_s`. No time is blocked out, so a
press right after a glitch is not lost (unlike gpiozero, issues 550 and 1039). A button that is
down at the start or too long, or never comes to rest, is stuck: one event, then none until its
release. If a hold has its own meaning, the press comes only at the release.
Pure: levels come in with their times, events go out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hardware.panel import Button, Freed, Hold, PanelEvent, Press, Stuck


@dataclass(frozen=True, slots=True)
class DebounceParams:
    """
    The times that define bounce, hold and stuck; `ValueError` unless each is longer than the last.
    """

    # How long a level must stay the same to count. Push buttons bounce for 1 to 10 ms; a person
    # cannot press for less than about 40 ms.
    bounce_s: float = 0.02
    hold_s: float = 1.0  # How long a press must last to be a hold as well; longer than `bounce_s`.
    # How long a button must be down, or its contact without rest, to be
    # stuck; longer than `hold_s`.
    stuck_s: float = 10.0

    def __post_init__(self) -> None:
        if not 0 < self.bounce_s < self.hold_s < self.stuck_s:
            found = f"{self.bounce_s}, {self.hold_s}, {self.stuck_s}"
            raise ValueError(f"need 0 < bounce_s < hold_s < stuck_s, got {found}")


class Debouncer:
    """
    The contact of one button, edge by edge.

    A button that is down at the start is stuck until its release, because no person pressed it.
    """

    def __init__(
        self,
        button: Button,
        params: DebounceParams,
        *,
        is_down: bool = False,
        since_s: float = 0.0,
        is_held_apart: bool = False,
    ) -> None:
        self._button = button
        self._params = params
        self._was_down = is_down  # as decided
        self.is_down = is_down  # as last seen
        self._is_held_apart = is_held_apart
        self._pending_press: Press | None = None  # a press that may still become a hold
        self._is_stuck = False
        self._level_since_s = -math.inf
        self._burst_since_s: float | None = None  # first edge that is not decided yet
        self._hold_due_s: float | None = None
        self._stuck_due_s = since_s + params.bounce_s if is_down else None

    @property
    def next_deadline_s(self) -> float | None:
        """When `tick` can next return an event if no edge comes first; None if never."""
        if self._burst_since_s is not None:
            return self._level_since_s + self._params.bounce_s
        return self._stuck_due_s if self._hold_due_s is None else self._hold_due_s

    def edge(self, is_down: bool, at_s: float) -> tuple[PanelEvent, ...]:
        """
        Process an edge to this level, and return the events that are certain now, in order of time.

        Two edges to the same level mean that the one between was lost: before the level counts, the
        contact still bounces. An earlier time than the last counts as the last.
        """
        at_s = max(at_s, self._level_since_s)
        events = self.tick(at_s)
        if is_down != self.is_down:
            self._begin_burst(at_s)
            self.is_down = is_down
        if self._burst_since_s is not None:
            self._level_since_s = at_s
        return events

    def tick(self, at_s: float) -> tuple[PanelEvent, ...]:
        """Return the events that became certain because no edge came until `at_s`."""
        return self._settle(at_s) + self._hold(at_s) + self._stick(at_s)

    def _begin_burst(self, at_s: float) -> None:
        if self._burst_since_s is not None:
            return
        self._burst_since_s = at_s
        if self._stuck_due_s is None and not self._is_stuck:
            self._stuck_due_s = at_s + self._params.stuck_s

    def _settle(self, at_s: float) -> tuple[PanelEvent, ...]:
        if self._burst_since_s is None or at_s < self._level_since_s + self._params.bounce_s:
            return ()
        contact_s, self._burst_since_s = self._burst_since_s, None
        was_down, self._was_down = self._was_down, self.is_down
        if not self.is_down:
            return self._release()
        if was_down or self._is_stuck:
            return ()  # a contact that failed for a moment, or a stuck one
        self._hold_due_s = contact_s + self._params.hold_s
        press = Press(self._button, contact_s)
        self._pending_press = press if self._is_held_apart else None
        return () if self._is_held_apart else (press,)

    def _release(self) -> tuple[PanelEvent, ...]:
        """Handle a button that is up: released, or down only by a glitch."""
        was_stuck, self._is_stuck = self._is_stuck, False
        pending, self._pending_press = self._pending_press, None
        self._hold_due_s = self._stuck_due_s = None
        if was_stuck:
            return (Freed(self._button, self._level_since_s),)
        return (pending,) if pending else ()

    def _hold(self, at_s: float) -> tuple[PanelEvent, ...]:
        # An undecided burst may be the release, so it is waited for even when a hold is due.
        if self._hold_due_s is None or self._burst_since_s is not None or at_s < self._hold_due_s:
            return ()
        due_s, self._hold_due_s, self._pending_press = self._hold_due_s, None, None
        return (Hold(self._button, due_s),)

    def _stick(self, at_s: float) -> tuple[PanelEvent, ...]:
        if self._stuck_due_s is None:
            return ()
        due_s = self._stuck_due_s
        if self._burst_since_s is not None:
            # The burst may be the release, unless it lasts too long.
            due_s = max(due_s, self._burst_since_s + self._params.stuck_s)
        if at_s < due_s:
            return ()
        self._is_stuck, self._pending_press = True, None
        self._stuck_due_s = self._hold_due_s = None
        return (Stuck(self._button, due_s),)
