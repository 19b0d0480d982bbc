# SPDX-License-Identifier: MIT
"""A reader that is told the truth by the simulated tray: for tests of what happens after it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.pose import DIE_EDGE_MM
from vision.frame import Image
from vision.reading import DieReading, Doubt, DoubtKind, Polarity, TrayReading


@dataclass
class TruthfulReader:
    """Reads every frame as the tray really is; a die that leans is a doubt."""

    camera: SimulatedCamera
    read_count: int = field(default=0)

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        self.read_count += 1
        inside = [die for die in self.camera.truth() if die.is_in_tray]
        dice = []
        doubts = []
        for die in inside:
            x, y = self.camera.project(die.x_mm, die.y_mm, 8.0)
            right, _ = self.camera.project(die.x_mm + DIE_EDGE_MM / 2.0, die.y_mm, 8.0)
            if not die.is_flat:
                doubts.append(Doubt(DoubtKind.COCKED, "A die leans. Lay it flat.", (x, y), 30.0))
                continue
            dice.append(
                DieReading(
                    face=die.face,
                    polarity=Polarity(die.kind.polarity),
                    colour=die.kind.value,
                    center_px=(x, y),
                    corners_px=((x, y), (x, y), (x, y), (x, y)),
                    angle_deg=die.angle_deg,
                    edge_px=2.0 * (right - x),
                    center_mm=(die.x_mm, die.y_mm),
                    confidence=1.0,
                )
            )
        if expect not in (None, len(dice)):
            doubts.append(Doubt(DoubtKind.COUNT, f"{len(dice)} dice read where {expect} belong"))
        return TrayReading(tuple(dice), tuple(doubts))
