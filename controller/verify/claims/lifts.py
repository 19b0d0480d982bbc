# SPDX-License-Identifier: MIT
"""
Compare the doubts that a table removed with those that its picture needs removed.

A reading that names what the table had learnt also names every doubt that it removed. The stored
picture is compressed, so a doubt at its limit may come or go: another list is a note.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from controller.journal.continuity.journal_facts import TABLE_MODEL
from controller.journal.hashchain import Entry
from controller.runtime.picture_recorder import to_tray_lift
from controller.table.events import TrayLift
from controller.table.reading_codec import decode_picture_info
from controller.table.view.doubts import describe_lift
from controller.verify.findings import Finding, FindingKind
from vision.reading import TrayReading


def compare_lifts(entry: Entry, reading: TrayReading) -> Iterator[Finding]:
    """Yield a finding if a reading needs other doubts removed than its entry says."""
    if TABLE_MODEL not in entry.body:
        return
    claimed = decode_picture_info(entry.body).lifts
    found = [to_tray_lift(lift) for lift in reading.lifts]
    if _are_among(claimed, found) and _are_among(found, claimed):
        return
    what = f"what the table had learnt removes other doubts than this {entry.kind} says"
    yield Finding(FindingKind.OTHER_LIFTS, what, expected=_format(claimed), found=_format(found))


def _are_among(some: Sequence[TrayLift], others: Sequence[TrayLift]) -> bool:
    return all(any(_are_alike(one, other) for other in others) for one in some)


def _are_alike(one: TrayLift, other: TrayLift) -> bool:
    apart = math.dist(one.center_px, other.center_px)
    return one.kind == other.kind and apart <= 0.5 * max(one.radius_px, other.radius_px)


def _format(lifts: Sequence[TrayLift]) -> str:
    return "; ".join(map(describe_lift, lifts)) or "none"
