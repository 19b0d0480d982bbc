# SPDX-License-Identifier: MIT
"""
Compare what `dicebell read --json` printed on two machines.

    python -m tests.arm64.compare_readings HERE THERE

Status, faces, polarities and doubts must be the same for each file. Confidences and positions may
differ in their last digits, because processors add in another order; they may not differ by more
than a person would notice. Exit status: 0 the same, 1 not, with a line for each difference.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from math import dist
from pathlib import Path
from typing import Any

MOST_CONFIDENCE = 0.01
MOST_PX = 0.5

Reading = dict[str, Any]


def load_readings(path: Path) -> dict[str, Reading]:
    """Return the readings by the name of their file, without its folder."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {Path(row["file"]).name: row for row in rows}


def summarize(reading: Reading) -> tuple[Any, ...]:
    """Return what must be the same on every machine."""
    dice = sorted((die["face"], die["polarity"]) for die in reading["dice"])
    doubts = sorted(doubt["kind"] for doubt in reading["doubts"])
    return reading["status"], reading["reason"], dice, doubts


def measure(here: Reading, there: Reading) -> tuple[float, float]:
    """Return the largest differences of confidence and of position in pixels."""
    confidence = shift = 0.0
    for die in here["dice"]:
        other = min(there["dice"], key=lambda other: dist(other["center_px"], die["center_px"]))
        confidence = max(confidence, abs(other["confidence"] - die["confidence"]))
        shift = max(shift, dist(other["center_px"], die["center_px"]))
    return confidence, shift


def find_differences(here: dict[str, Reading], there: dict[str, Reading]) -> Iterator[str]:
    """Yield a line for each file that the two machines do not read alike."""
    if not here or here.keys() != there.keys():
        yield f"expected the same files, found {sorted(here)} here and {sorted(there)} there"
        return
    for name, reading in here.items():
        expected, found = summarize(reading), summarize(there[name])
        if found != expected:
            yield f"{name}: expected {expected}, found {found} there"
            continue
        confidence, shift = measure(reading, there[name])
        if confidence > MOST_CONFIDENCE or shift > MOST_PX:
            yield f"{name}: confidences differ by {confidence:.3f}, positions by {shift:.1f} px"


def main() -> int:
    """Compare two files; return the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("here", type=Path)
    parser.add_argument("there", type=Path)
    args = parser.parse_args()
    here, there = load_readings(args.here), load_readings(args.there)
    differences = list(find_differences(here, there))
    for line in differences:
        sys.stdout.write(f"     {line}\n")
    if differences:
        return 1
    pairs = [measure(reading, there[name]) for name, reading in here.items()]
    dice = sum(len(reading["dice"]) for reading in here.values())
    doubts = sum(len(reading["doubts"]) for reading in here.values())
    sys.stdout.write(
        f"     {len(here)} pictures, {dice} dice, {doubts} doubts: the same; confidences differ by"
        f" {max(pair[0] for pair in pairs):.3f} at most, positions by"
        f" {max(pair[1] for pair in pairs):.1f} px\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
