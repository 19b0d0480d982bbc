# SPDX-License-Identifier: MIT
"""The studio: randomised scenes with exact truth, the reader's school and its examination."""

from vision.training.scenes.compose import draw_shot
from vision.training.scenes.plan import Plan
from vision.training.scenes.shot import DieState, Shot, ShotDie

__all__ = ["DieState", "Plan", "Shot", "ShotDie", "draw_shot"]
