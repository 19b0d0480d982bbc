# SPDX-License-Identifier: MIT
"""Readings made by hand, and readers that say what the test wrote down for them."""

from __future__ import annotations

from collections.abc import Sequence

from vision.frame import Image
from vision.reading import DieReading, Doubt, DoubtKind, Polarity, TrayReading

EDGE_PX = 30.0


def make_die(
    x: float, y: float, face: int, *, polarity: Polarity = Polarity.LIGHT, edge_px: float = EDGE_PX
) -> DieReading:
    """Return a die that was read at this place."""
    half = edge_px / 2
    return DieReading(
        face=face,
        polarity=polarity,
        colour="white",
        center_px=(x, y),
        corners_px=(
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ),
        angle_deg=0.0,
        edge_px=edge_px,
        center_mm=(x, y),
        confidence=0.99,
    )


def make_reading(*dice: DieReading, doubts: Sequence[Doubt] = ()) -> TrayReading:
    """Return a reading of these dice."""
    return TrayReading(dice, tuple(doubts))


def make_doubt(x: float, y: float, kind: DoubtKind = DoubtKind.COCKED) -> Doubt:
    """Return a doubt about something as large as a die."""
    return Doubt(kind, "straighten it", (x, y), EDGE_PX / 2)


class ScriptedReader:
    """Says what was written down, reading by reading, and the last one again and again."""

    def __init__(self, *script: TrayReading) -> None:
        self._script = script
        self.reads = 0
        self.expected: list[int | None] = []

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        """Return the next reading, whatever the picture shows."""
        reading = self._script[min(self.reads, len(self._script) - 1)]
        self.reads += 1
        self.expected.append(expect)
        return reading
