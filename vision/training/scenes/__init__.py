# SPDX-License-Identifier: MIT
"""Rendered scenes with random dice and exact labels, to train the nets and to test the reader."""

from vision.training.scenes.output import DieState, RenderedScene, TrueDie
from vision.training.scenes.render import TableCamera, render_scene
from vision.training.scenes.spec import SceneSpec

__all__ = ["DieState", "RenderedScene", "SceneSpec", "TableCamera", "TrueDie", "render_scene"]
