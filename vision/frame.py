# SPDX-License-Identifier: MIT
"""One camera picture with its time: the value between cameras and readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
"""
A picture: (height, width, 3) in blue, green, red order, or (height, width) in grey.

An argument `image_bgr` is of the first shape if its function does not name the other one too.
"""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the tray."""

    image_bgr: Image  # Shape (height, width, 3), uint8. Never changed.
    at_s: float  # When its exposure began, on the camera's monotonic clock, in seconds.
    number: int  # Counts up from 0 within one opening of the camera; gaps mean dropped frames.
    # The same view, small and in grey, shape (height, width), uint8, if the camera provides one. It
    # allows cheaper comparisons.
    small_grey: Image | None = None
