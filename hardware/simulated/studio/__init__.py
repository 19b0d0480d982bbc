# SPDX-License-Identifier: MIT
"""The studio: randomised scenes with exact truth, the reader's school and its examination."""

from hardware.simulated.studio.compose import draw_shot
from hardware.simulated.studio.plan import Plan
from hardware.simulated.studio.shot import DieState, Shot, ShotDie

__all__ = ["DieState", "Plan", "Shot", "ShotDie", "draw_shot"]
