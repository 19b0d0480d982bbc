# SPDX-License-Identifier: MIT
"""
Dice on calibrated tables whose cameras have slightly oblong pixels, through several lenses.

The tables are rendered; a hand sets the corners of their felt.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.checks.pinhole import DIE_EDGE_MM
from vision.calibration.fit_tray import fit_tray_to_corners
from vision.face import Floats
from vision.pipeline import Reader
from vision.reading import DoubtKind
from vision.training.scenes import SceneSpec, TableCamera, render_scene
from vision.training.scenes.view import View
from vision.training.scenes.warp import Warp
from vision.tray_map import TrayMap

_SIZE_WH = (960, 540)
_DICE_PX = 50.0
_HAND_PX = 1.5


def _calibrate(corners_px: Floats, size_wh: tuple[int, int], felt_mm: Floats) -> TrayMap:
    corners = [(x, y) for x, y in corners_px.tolist()]
    width, depth = felt_mm.tolist()
    tray = fit_tray_to_corners(corners, size_wh, (width, depth)).tray
    return replace(tray, die_edge_mm=DIE_EDGE_MM)


def _set_up_table(
    rng: np.random.Generator, aspect: float, focal: float, tilt_deg: float
) -> tuple[TableCamera, TrayMap]:
    """Return a camera and the calibration that a hand makes of its table."""
    root = float(np.sqrt(1.0 / aspect))
    inner_wh = round(_SIZE_WH[0] * root), round(_SIZE_WH[1] / root)
    focal_px, tilt = focal * max(inner_wh), np.radians(tilt_deg)
    ahead = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    axes = np.stack([right, np.cross(ahead, right), ahead])
    position = np.array([0.0, 0.0, 0.5]) - ahead * focal_px / _DICE_PX
    middle_px = (np.array(inner_wh) - 1.0) / 2.0
    view = View(axes, position, focal_px, middle_px, inner_wh, _DICE_PX)
    camera = TableCamera(view, Warp(_SIZE_WH, inner_wh))
    half = np.array([0.4, 0.38]) * _SIZE_WH / _DICE_PX
    corners = np.array([(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]) * half
    seen = camera.warp.move(view.project(np.column_stack([corners, np.zeros(4)]).T))
    seen += rng.normal(0.0, _HAND_PX, (4, 2))
    return camera, _calibrate(seen, _SIZE_WH, 2.0 * half * DIE_EDGE_MM)


@pytest.mark.parametrize(
    ("aspect", "focal", "tilt_deg"), [(0.97, 1.1, 10.0), (0.985, 1.1, 10.0), (1.03, 0.75, 4.0)]
)
def test_flat_dice_on_rendered_tables_are_not_called_cocked(
    aspect: float, focal: float, tilt_deg: float
) -> None:
    camera, tray = _set_up_table(np.random.default_rng(17), aspect, focal, tilt_deg)
    reader, spec = Reader(tray=tray), SceneSpec(clear=True, clutter=False, expect=5)
    for seed in range(880_100, 880_103):
        scene = render_scene(seed, _SIZE_WH, spec=spec, camera=camera)
        doubts = reader.read(scene.image_bgr, expect=5).doubts
        assert [one.kind for one in doubts if one.kind is DoubtKind.COCKED] == [], seed
