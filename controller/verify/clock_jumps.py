# SPDX-License-Identifier: MIT
"""
Jumps of the table's clock.

Numbers and links alone order the entries. Times are for people, and a clock may be set. So a
jump is only a note, for anyone who needs to know when something happened.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.journal.hashchain import Entry
from controller.verify.findings import Finding, FindingKind

MAX_FORWARD_MS = 24 * 3_600_000  # A running table is rarely left alone for longer than this.

_MOST_MS = 10**15


class ClockJumps:
    """The times of the entries, in their order."""

    def __init__(self) -> None:
        self._before_ms: int | None = None

    def check_entry(self, entry: Entry, *, is_sound: bool) -> Iterator[Finding]:
        """Check the next entry; after a break of the chain its time is not compared."""
        before_ms, self._before_ms = self._before_ms, entry.at_ms
        if before_ms is None or not is_sound:
            return
        step_ms = entry.at_ms - before_ms
        if step_ms < 0 or (step_ms > MAX_FORWARD_MS and entry.kind != "restart"):
            way = "back" if step_ms < 0 else "forward"
            what = f"the clock jumps {way} by {_format_span(abs(step_ms))} here"
            yield Finding(FindingKind.CLOCK, what)


def _format_span(span_ms: int) -> str:
    """Format a span with its two largest units."""
    if span_ms >= _MOST_MS:
        return "thousands of years"
    seconds = span_ms // 1000
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return f"{days} d {hours} h"
    if seconds >= 3600:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{span_ms / 1000:.3f} s"
