# SPDX-License-Identifier: MIT
"""
What is decided before anything is laid out: which camera looks at what kind of table.

An infrared camera in a dice tower sees a small round floor from straight above, without colour
and a little out of focus, in a dark surround. It needs the view, the tray, the ground, and the
exposure to agree, so it is drawn once here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.training.scenes.grounds import INFRARED_KINDS, KINDS, PLAIN_KINDS, Kinds
from vision.training.scenes.plan import Plan
from vision.training.scenes.warp import Warp, draw_warp

INFRARED_SHARE = 0.045
STEEPEST_INFRARED_DEG = 12.0


@dataclass(frozen=True, slots=True)
class Setting:
    """
    One camera over one kind of table.

    Attributes:
        plan: The wishes, with the camera's tilt where the setting decides it.
        warp: From the rendered picture to the final one.
        is_infrared: Whether it is an infrared camera in a dice tower.
        kinds: The kinds of ground that may come.
    """

    plan: Plan
    warp: Warp
    is_infrared: bool
    kinds: Kinds


def draw_setting(rng: np.random.Generator, size_wh: tuple[int, int], plan: Plan) -> Setting:
    """Draw the setting of one scene."""
    warp = draw_warp(rng, size_wh, plan)
    kinds = KINDS if plan.clutter else PLAIN_KINDS
    steep = plan.tilt_deg is not None and plan.tilt_deg > STEEPEST_INFRARED_DEG
    if steep or rng.random() > INFRARED_SHARE:
        return Setting(plan, warp, is_infrared=False, kinds=kinds)
    if plan.tilt_deg is None:
        plan = replace(plan, tilt_deg=float(rng.uniform(0, STEEPEST_INFRARED_DEG)))
    return Setting(plan, warp, is_infrared=True, kinds=INFRARED_KINDS)
