# SPDX-License-Identifier: MIT
"""
What entries say of cameras, of their clock, and of changes of the journal itself.

A simulated camera shows drawn dice, which no hand threw. The size of the frames changes only
after a restart, a calibration or a fault of the camera. Otherwise the frames are from another
camera. Numbers and links alone order the entries: times are for people, and a clock may be set.
So a jump is only a note. A rollback entry carries the checkpoint that the table had signed: it
is evidence against the entries before it, and cannot be forged without the key.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.base.errors import InputError
from controller.journal.checkpoint import Checkpoint, decode_key, parse_checkpoint
from controller.journal.continuity.restore_marker import RESTORED
from controller.journal.continuity.signing_memory import MEMORY_LOST, OLDER, ROLLBACK
from controller.journal.entries import READ, STARTS
from controller.journal.hashchain import Body, Entry, Value
from controller.journal.tlog.kept_checkpoints import is_kept_signed
from controller.verify.findings import Finding, FindingKind

SIMULATED = "simulated"

_MAY_CHANGE_FRAMES = STARTS | {"calibration", "back"}
_MOST_NAMES = 50
MAX_FORWARD_MS = 24 * 3_600_000  # A running table is rarely left alone for longer than this.
_MOST_MS = 10**15


class CameraCheck:
    def __init__(self) -> None:
        self.names: list[str] = []  # The cameras that the journal names, in order, each once.
        self._frame: Value = None
        self._has_told_simulated = False

    def check_entry(self, entry: Entry) -> Iterator[Finding]:
        if entry.kind in STARTS:
            yield from self._check_name(entry.body.get("camera"))
        if entry.kind in _MAY_CHANGE_FRAMES:
            self._frame = None
        elif entry.kind in READ and entry.body.get("picture"):
            yield from self._check_frame(entry.body.get("frame_px"))

    def _check_name(self, name: Value) -> Iterator[Finding]:
        if isinstance(name, str) and name not in ("", *self.names[:_MOST_NAMES]):
            self.names = [*self.names, name][:_MOST_NAMES]
        if name == SIMULATED and not self._has_told_simulated:
            self._has_told_simulated = True
            what = "the camera is simulated from here on: nobody threw its dice"
            yield Finding(FindingKind.SIMULATED, what)

    def _check_frame(self, frame: Value) -> Iterator[Finding]:
        if not frame or frame == [0, 0]:
            return
        before, self._frame = self._frame, frame
        if before not in (None, frame):
            what = "the camera's frames have another size, and no entry says that it changed"
            expected, found = _format_size(before), _format_size(frame)
            yield Finding(FindingKind.CAMERA, what, expected=expected, found=found)


def _format_size(frame: Value) -> str:
    return " x ".join(map(str, frame)) if isinstance(frame, list) else str(frame)


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


def check_disclosure(entry: Entry, *, line: int) -> Iterator[Finding]:
    """Report an entry about the journal itself; it concerns every game, so it names none."""
    if entry.kind == ROLLBACK:
        yield _report_rollback(entry, line)
    elif entry.kind == RESTORED:
        made_at = str(entry.body.get("made_at", ""))
        what = f"the data was restored from a backup of {made_at or 'an unknown time'}"
        yield Finding(FindingKind.RESTORED, what, line, entry.seq)
    elif entry.kind == MEMORY_LOST:
        what = "at this start the table did not remember what it had signed"
        yield Finding(FindingKind.MEMORY_LOST, what, line, entry.seq)


def _report_rollback(entry: Entry, line: int) -> Finding:
    size = entry.body.get("size")
    if entry.body.get("how") == OLDER:
        what = f"the table had signed {size} entries, and the journal ended before that"
    else:
        what = f"the table had signed {size} other entries than those before this one"
    signed = _find_signed(entry.body)
    proof = "" if signed else "The checkpoint in this entry is not signed by the key it names."
    expected = f"{signed.size} entries with root {signed.root.hex()}" if signed else ""
    return Finding(
        FindingKind.ROLLED_BACK, what, line, entry.seq, expected=expected, neighbours=proof
    )


def _find_signed(body: Body) -> Checkpoint | None:
    """Return the checkpoint in a rollback's entry; `None` unless its key signed it."""
    try:
        signed, key = parse_checkpoint(str(body.get("signed"))), decode_key(body)
    except InputError:
        return None
    if not isinstance(signed, Checkpoint):
        return None
    return signed if is_kept_signed(signed, key) else None
