# SPDX-License-Identifier: MIT
"""
The output of `dicebell read`: one JSON object, or a few lines of text.

Every doubt is printed with its position. Rejected objects are printed only on request: there are
many, and they need no action.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from vision.reading import DieReading, Doubt, Point, Rejected, Status, TrayReading


@dataclass(frozen=True, slots=True)
class ReadResult:
    file: str  # The source, or the file of a folder.
    reading: TrayReading  # The reading; empty if there was no picture.
    error: str = ""  # Why the file is not a picture; empty otherwise.
    # First and last frame of the rest; only of videos and cameras.
    frames: tuple[int, int] | None = None


def json_text(result: ReadResult, *, with_rejected: bool) -> str:
    """Return a result as the object that other programs read, in one line."""
    reading = result.reading
    row: dict[str, object] = {
        "file": result.file,
        "status": "error" if result.error else reading.status.value,
        "reason": result.error or reading.reason,
        "elapsed_ms": round(reading.elapsed_ms, 2),
        "dice": [_die_row(die) for die in reading.dice],
        "doubts": [_doubt_row(doubt) for doubt in reading.doubts],
    }
    if with_rejected:
        row["rejected"] = [_rejected_row(rejected) for rejected in reading.rejected]
    if result.frames is not None:
        row["frames"] = list(result.frames)
    return json.dumps(row)


def lines_text(result: ReadResult, *, with_rejected: bool) -> str:
    """Return a result for people: a summary, then a line for each die and doubt."""
    if result.error:
        return f"{result.file}: {result.error}"
    reading = result.reading
    place = result.file
    if result.frames is not None:
        place += ", frames {} to {}".format(*result.frames)
    lines = [f"{place}: {_summarize(reading)} ({reading.elapsed_ms:.1f} ms)"]
    lines += [_die_text(die) for die in reading.dice]
    lines += [_doubt_text(doubt) for doubt in reading.doubts]
    if with_rejected:
        lines += [_rejected_text(rejected) for rejected in reading.rejected]
    return "\n".join(lines)


def _die_row(die: DieReading) -> dict[str, object]:
    row: dict[str, object] = {
        "face": die.face,
        "polarity": die.polarity.value,
        "colour": die.colour,
        "center_px": _round_point(die.center_px),
        "angle_deg": round(die.angle_deg, 1),
        "confidence": round(die.confidence, 3),
    }
    if die.origin is not None:
        row["origin"] = die.origin.value
    return row


def _doubt_row(doubt: Doubt) -> dict[str, object]:
    return {
        "kind": doubt.kind.value,
        "text": doubt.text,
        "center_px": None if doubt.center_px is None else _round_point(doubt.center_px),
        "radius_px": round(doubt.radius_px, 1),
    }


def _rejected_row(rejected: Rejected) -> dict[str, object]:
    return {
        "reason": rejected.reason,
        "center_px": _round_point(rejected.center_px),
        "radius_px": round(rejected.radius_px, 1),
    }


def _round_point(point: Point) -> list[float]:
    return [round(value, 1) for value in point]


def _summarize(reading: TrayReading) -> str:
    if reading.status is Status.EMPTY:
        return "no dice"
    if reading.status is Status.READ:
        return f"read {' '.join(map(str, reading.faces))}"
    return f"unsure, {', '.join(dict.fromkeys(doubt.kind.value for doubt in reading.doubts))}"


def _die_text(die: DieReading) -> str:
    origin = die.origin.value if die.origin else ""
    text = (
        f"  {die.face}  {die.colour:<8} {_place_text(die.center_px)}"
        f"  turned {die.angle_deg:3.0f}°  sure {die.confidence:6.1%}  {origin}"
    )
    return text.rstrip()


def _doubt_text(doubt: Doubt) -> str:
    place = _place_text(doubt.center_px) if doubt.center_px else "in the whole tray"
    return f"  ?  {doubt.kind.value} {place}: {doubt.text}"


def _rejected_text(rejected: Rejected) -> str:
    return f"  -  rejected {_place_text(rejected.center_px)}: {rejected.reason}"


def _place_text(center_px: Point) -> str:
    x, y = center_px
    return f"at {x:6.0f}, {y:6.0f} px"
