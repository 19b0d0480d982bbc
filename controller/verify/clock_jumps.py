# SPDX-License-Identifier: MIT
"""
Jumps of the table's clock.

The order of entries comes from their numbers and links alone. Their time is for people, and
a clock may be set: so a jump is no break, but whoever asks when something happened should
know of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.journal.hashchain import Entry
from controller.verify.findings import Finding, FindingKind

MAX_FORWARD_MS = 24 * 3_600_000
"""A table that runs is hardly left alone for longer; a clock that was set jumps by more."""

_MOST_MS = 10**15


class ClockJumps:
    """Follows the times of the entries."""

    def __init__(self) -> None:
        self._before_ms: int | None = None

    def check_entry(
        self, entry: Entry, *, line: int, game: int, is_sound: bool
    ) -> Iterator[Finding]:
        """Take the next entry; one that does not follow on the one before tells no jump."""
        before_ms, self._before_ms = self._before_ms, entry.at_ms
        if before_ms is None or not is_sound:
            return
        step_ms = entry.at_ms - before_ms
        if step_ms < 0 or (step_ms > MAX_FORWARD_MS and entry.kind != "restart"):
            way = "back" if step_ms < 0 else "forward"
            what = f"the clock jumps {way} by {_format_span(abs(step_ms))} here"
            yield Finding(FindingKind.CLOCK, what, line, entry.seq, game)


def _format_span(span_ms: int) -> str:
    """Write a span with its two largest units."""
    if span_ms >= _MOST_MS:
        return "thousands of years"
    seconds = span_ms // 1000
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return f"{days} d {hours} h"
    if seconds >= 3600:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{span_ms / 1000:.3f} s"
