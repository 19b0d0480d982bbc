# SPDX-License-Identifier: MIT
"""
Model the camera's own effect on a view: brightness, tint and sharpness.

Twice the exposure is twice as bright, white balance scales the colours, and a lens out of focus
blurs. This is enough to show the effect of each setting.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera import Exposure
from hardware.simulated.scene.lens import HEIGHT_MM
from vision.frame import Image

DEFAULT_EXPOSURE = Exposure(10_000, 2.0, 2.0, 1.8, round(1000.0 / HEIGHT_MM, 2))
"""The exposure under which everything looks as drawn, sharp."""

_SMEAR_PER_DIOPTRE = 0.003
_LEAST_SMEAR_PX = 0.3


@dataclass(frozen=True, slots=True)
class Optics:
    """The gains and the blur of a picture."""

    gains_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)  # Factor of each colour.
    smear: float = 0.0  # Standard deviation of the blur, as a share of the picture's width.

    @classmethod
    def from_exposure(cls, exposure: Exposure) -> Optics:
        """Return the optics of an exposure; its values of 0 count as the default."""
        usual = DEFAULT_EXPOSURE
        light = (exposure.exposure_us or usual.exposure_us) / usual.exposure_us
        light *= (exposure.gain or usual.gain) / usual.gain
        red = (exposure.red_gain or usual.red_gain) / usual.red_gain
        blue = (exposure.blue_gain or usual.blue_gain) / usual.blue_gain
        off = abs((exposure.focus_dioptre or usual.focus_dioptre) - usual.focus_dioptre)
        return cls((light * blue, light, light * red), _SMEAR_PER_DIOPTRE * off)

    def apply(self, view: Image) -> Image:
        """Return the view, shape (height, width, 3), as taken; the same object if unchanged."""
        smear_px = self.smear * view.shape[1]
        if smear_px >= _LEAST_SMEAR_PX:
            view = np.asarray(cv2.GaussianBlur(view, (0, 0), smear_px), np.uint8)
        if self.gains_bgr != (1.0, 1.0, 1.0):
            levels = np.arange(256, dtype=np.float32)[:, np.newaxis] * np.array(self.gains_bgr)
            table = np.clip(np.rint(levels), 0, 255).astype(np.uint8)[np.newaxis]
            view = np.asarray(cv2.LUT(view, table), np.uint8)
        return view


NEUTRAL_OPTICS = Optics()
