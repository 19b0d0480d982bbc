# SPDX-License-Identifier: MIT
"""
What the camera itself does to the view: how bright, in which tint, how sharp.

An exposure that is twice as long shows everything twice as bright, white balance scales
the colours, and what the lens is not focused on is smeared. More than that nobody needs
to see what a setting does.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera import Exposure
from hardware.simulated.scene.lens import HEIGHT_MM
from vision.frame import Image

DEFAULT_EXPOSURE = Exposure(10_000, 2.0, 2.0, 1.8, round(1000.0 / HEIGHT_MM, 2))
"""The exposure with which everything looks as it is drawn, sharp."""

_SMEAR_PER_DIOPTRE = 0.003
_LEAST_SMEAR_PX = 0.3


@dataclass(frozen=True, slots=True)
class Optics:
    """
    How a picture is taken.

    Attributes:
        gains_bgr: What every colour is multiplied by.
        smear: Standard deviation by which points are smeared, as a share of the picture's width.
    """

    gains_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    smear: float = 0.0

    @classmethod
    def from_exposure(cls, exposure: Exposure) -> Optics:
        """Return the eye of an exposure; what is 0 in it is as usual."""
        light = (
            exposure.exposure_us or DEFAULT_EXPOSURE.exposure_us
        ) / DEFAULT_EXPOSURE.exposure_us
        light *= (exposure.gain or DEFAULT_EXPOSURE.gain) / DEFAULT_EXPOSURE.gain
        blue = (exposure.blue_gain or DEFAULT_EXPOSURE.blue_gain) / DEFAULT_EXPOSURE.blue_gain
        red = (exposure.red_gain or DEFAULT_EXPOSURE.red_gain) / DEFAULT_EXPOSURE.red_gain
        off = abs(
            (exposure.focus_dioptre or DEFAULT_EXPOSURE.focus_dioptre)
            - DEFAULT_EXPOSURE.focus_dioptre
        )
        return cls((light * blue, light, light * red), _SMEAR_PER_DIOPTRE * off)

    def apply(self, view: Image) -> Image:
        """Return how it takes a view, shape (height, width, 3): the same one where it can."""
        smear_px = self.smear * view.shape[1]
        if smear_px >= _LEAST_SMEAR_PX:
            view = np.asarray(cv2.GaussianBlur(view, (0, 0), smear_px), np.uint8)
        if self.gains_bgr != (1.0, 1.0, 1.0):
            levels = np.arange(256, dtype=np.float32)[:, np.newaxis] * np.array(self.gains_bgr)
            table = np.clip(np.rint(levels), 0, 255).astype(np.uint8)[np.newaxis]
            view = np.asarray(cv2.LUT(view, table), np.uint8)
        return view


NEUTRAL_OPTICS = Optics()
