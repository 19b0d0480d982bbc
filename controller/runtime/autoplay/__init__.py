# SPDX-License-Identifier: MIT
"""
A table that plays by itself, checked against the truth of its simulated tray.

`play` moves the dice and presses the buttons, `players` make the decisions, `ground_truth`
compares the rolls with the dice in the tray.
"""

from __future__ import annotations

from controller.runtime.autoplay.ground_truth import AutoplayStats
from controller.runtime.autoplay.play import Autoplay, StuckError

__all__ = ["Autoplay", "AutoplayStats", "StuckError"]
