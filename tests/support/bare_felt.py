# SPDX-License-Identifier: MIT
"""A camera that sees nothing but cloth: nothing in its picture stays where it is."""

from __future__ import annotations

from dataclasses import replace

from hardware.simulated.camera import SimulatedCamera
from tests.vision.drawn import draw_tray
from vision.frame import Frame


class BareFelt(SimulatedCamera):
    """A simulated camera over a felt that fills the picture, 640 x 360, with a sensor's noise."""

    def frame(self, timeout_s: float) -> Frame:
        frame = super().frame(timeout_s)
        return replace(frame, image_bgr=draw_tray((), noise_seed=frame.number, plain=True))
