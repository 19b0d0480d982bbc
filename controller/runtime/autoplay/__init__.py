# SPDX-License-Identifier: MIT
"""
A table that plays by itself, and is held against the truth of its simulated tray.

`play` moves the dice and presses the buttons, `players` decide what to do, `ground_truth` knows
what really lies in the tray and compares.
"""

from __future__ import annotations

from controller.runtime.autoplay.ground_truth import AutoplayStats
from controller.runtime.autoplay.play import Autoplay, StuckError

__all__ = ["Autoplay", "AutoplayStats", "StuckError"]
