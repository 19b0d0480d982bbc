# SPDX-License-Identifier: MIT
"""The studio: randomised scenes with exact truth, the reader's school and its examination."""

from vision.training.scenes.output import DieState, RenderedScene, TrueDie
from vision.training.scenes.render import render_scene
from vision.training.scenes.spec import SceneSpec

__all__ = ["DieState", "RenderedScene", "SceneSpec", "TrueDie", "render_scene"]
