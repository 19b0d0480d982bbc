# SPDX-License-Identifier: MIT
"""
Draw what must be decided before the layout: the kind of camera and of table.

An infrared camera in a dice tower sees a small round floor from straight above. The picture has
no colour, is a little out of focus, and is dark all around. View, tray, ground and exposure must
agree on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.training.scene_grounds.kinds import INFRARED_KINDS, KINDS, PLAIN_KINDS, Kinds
from vision.training.scenes.spec import SceneSpec
from vision.training.scenes.warp import Warp, draw_warp

INFRARED_SHARE = 0.045
STEEPEST_INFRARED_DEG = 12.0


@dataclass(frozen=True, slots=True)
class Environment:
    """One camera over one kind of table."""

    spec: SceneSpec  # The specification, with the camera's tilt if the environment decides it.
    warp: Warp  # From the rendered picture to the final one.
    is_infrared: bool  # Whether it is an infrared camera in a dice tower.
    kinds: Kinds  # The possible kinds of ground.


def draw_environment(
    rng: np.random.Generator, size_wh: tuple[int, int], spec: SceneSpec
) -> Environment:
    """Draw the environment of one scene."""
    warp = draw_warp(rng, size_wh, spec)
    kinds = KINDS if spec.clutter else PLAIN_KINDS
    steep = spec.tilt_deg is not None and spec.tilt_deg > STEEPEST_INFRARED_DEG
    if steep or rng.random() > INFRARED_SHARE:
        return Environment(spec, warp, is_infrared=False, kinds=kinds)
    if spec.tilt_deg is None:
        spec = replace(spec, tilt_deg=float(rng.uniform(0, STEEPEST_INFRARED_DEG)))
    return Environment(spec, warp, is_infrared=True, kinds=INFRARED_KINDS)
