# SPDX-License-Identifier: MIT
"""
Decides what a button's raw contact means: presses, holds and faults, bounce taken out.

A contact counts once its level has stayed the same for `bounce_s`. Bounce at the
press and at the release is therefore part of one burst of edges, a glitch ends
where it began, and since nothing is ever switched off for a while, a press right
after a glitch is seen like any other. (Debouncers that act on the first edge and
then ignore the rest lose it; gpiozero issues 550 and 1039.)

A button that is down when it is first looked at, that stays down longer than anybody
presses, or whose contact never comes to rest, is stuck: that is told once, and then
nothing until it lets go. So a cable that was pinched presses nothing.

Where a hold means something else than a press, nobody can know at the contact which of
the two it will be: such a button tells its press when it lets go.

Pure: levels come in with their times, events go out. Nobody waits here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hardware.panel import Button, Freed, Hold, PanelEvent, Press, Stuck


@dataclass(frozen=True, slots=True)
class DebounceParams:
    """
    What counts as bounce, what as a hold and what as stuck.

    Attributes:
        bounce_s: How long a level must stay the same to count. Push buttons bounce for
            1 to 10 ms; a person cannot press for less than about 40 ms.
        hold_s: How long a press must last to be a hold as well; longer than `bounce_s`.
        stuck_s: How long a button must be down, or its contact without rest, to be stuck;
            longer than `hold_s`.

    Raises:
        ValueError: Not 0 < bounce_s < hold_s < stuck_s.
    """

    bounce_s: float = 0.02
    hold_s: float = 1.0
    stuck_s: float = 10.0

    def __post_init__(self) -> None:
        if not 0 < self.bounce_s < self.hold_s < self.stuck_s:
            found = f"{self.bounce_s}, {self.hold_s}, {self.stuck_s}"
            raise ValueError(f"need 0 < bounce_s < hold_s < stuck_s, got {found}")


class Debouncer:
    """
    One button's contact, followed edge by edge.

    Args:
        button: Whose events these are.
        params: Times that decide.
        is_down: Level at the start. A button that is down from the start is stuck until it
            was let go: nobody pressed it.
        since_s: When that was, in seconds.
        is_held_apart: Whether a hold is no press as well.
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
        self._is_down = is_down  # as last seen
        self._is_held_apart = is_held_apart
        self._untold: Press | None = None  # a press that may still become a hold
        self._is_stuck = False
        self._level_since_s = -math.inf
        self._burst_since_s: float | None = None  # first edge that is not decided yet
        self._hold_due_s: float | None = None
        self._stuck_due_s = since_s + params.bounce_s if is_down else None

    @property
    def next_deadline_s(self) -> float | None:
        """When `tick` can next tell something if no edge comes before; none if never."""
        if self._burst_since_s is not None:
            return self._level_since_s + self._params.bounce_s
        return self._stuck_due_s if self._hold_due_s is None else self._hold_due_s

    def edge(self, is_down: bool, at_s: float) -> tuple[PanelEvent, ...]:
        """
        Take in the contact's level at a moment; the same level again changes nothing.

        Args:
            is_down: Whether the button makes contact.
            at_s: When, in seconds. A time before the last one counts as that one.

        Returns:
            What became certain up to this moment, in order of time.
        """
        at_s = max(at_s, self._level_since_s)
        events = self.tick(at_s)
        if is_down != self._is_down:
            self._begin_burst(at_s)
            self._is_down = is_down
            self._level_since_s = at_s
        return events

    def tick(self, at_s: float) -> tuple[PanelEvent, ...]:
        """Return what became certain because time went by until `at_s` without an edge."""
        return self._settle(at_s) + self._hold(at_s) + self._stick(at_s)

    def _begin_burst(self, at_s: float) -> None:
        if self._burst_since_s is not None:
            return
        self._burst_since_s = at_s
        if self._stuck_due_s is None and not self._is_stuck:
            self._stuck_due_s = at_s + self._params.stuck_s

    def _settle(self, at_s: float) -> tuple[PanelEvent, ...]:
        """Decide a burst whose last level has lasted."""
        if self._burst_since_s is None or at_s < self._level_since_s + self._params.bounce_s:
            return ()
        contact_s, self._burst_since_s = self._burst_since_s, None
        was_down, self._was_down = self._was_down, self._is_down
        if not self._is_down:
            return self._let_go()
        if was_down or self._is_stuck:
            return ()  # a contact that failed for a moment, or one that nobody presses
        self._hold_due_s = contact_s + self._params.hold_s
        press = Press(self._button, contact_s)
        self._untold = press if self._is_held_apart else None
        return () if self._is_held_apart else (press,)

    def _let_go(self) -> tuple[PanelEvent, ...]:
        """Decide that the button is up: let go, or never pressed but by a glitch."""
        was_stuck, self._is_stuck = self._is_stuck, False
        untold, self._untold = self._untold, None
        self._hold_due_s = self._stuck_due_s = None
        if was_stuck:
            return (Freed(self._button, self._level_since_s),)
        return (untold,) if untold else ()

    def _hold(self, at_s: float) -> tuple[PanelEvent, ...]:
        # An undecided burst may be the release, so it is waited for even when a hold is due.
        if self._hold_due_s is None or self._burst_since_s is not None or at_s < self._hold_due_s:
            return ()
        due_s, self._hold_due_s, self._untold = self._hold_due_s, None, None
        return (Hold(self._button, due_s),)

    def _stick(self, at_s: float) -> tuple[PanelEvent, ...]:
        if self._stuck_due_s is None:
            return ()
        due_s = self._stuck_due_s
        if self._burst_since_s is not None:
            # The burst may be the release; but one that goes on and on is no release either.
            due_s = max(due_s, self._burst_since_s + self._params.stuck_s)
        if at_s < due_s:
            return ()
        self._is_stuck, self._untold = True, None
        self._stuck_due_s = self._hold_due_s = None
        return (Stuck(self._button, due_s),)
