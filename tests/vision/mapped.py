# SPDX-License-Identifier: MIT
"""Tray maps for tests: of the simulated camera, and of one that looks straight down."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.camera import SimulatedCamera
from vision.tray_map import TrayMap

FELT_WH_MM = (260.0, 160.0)
SIMULATED_FOCAL_PX = 1280 * 450.75 / 342.0
"""Of the simulated lens: 342 mm fill the width, 450.75 mm away."""


def outline_mm(wh_mm: tuple[float, float] = FELT_WH_MM) -> tuple[tuple[float, float], ...]:
    """Return the corners of a felt around the origin."""
    x, y = wh_mm[0] / 2.0, wh_mm[1] / 2.0
    return ((-x, -y), (x, -y), (x, y), (-x, y))


def simulated_map(camera: SimulatedCamera, die_edge_mm: float = 16.0) -> TrayMap:
    """Return what a calibration of the simulated tray finds from the felt's corners."""
    corners_mm = outline_mm()
    corners_px = [camera.project(x, y, 0.0) for x, y in corners_mm]
    matrix = cv2.getPerspectiveTransform(
        np.array(corners_px, dtype=np.float32), np.array(corners_mm, dtype=np.float32)
    )
    first, second, third = (tuple(row) for row in matrix.tolist())
    return TrayMap((1280, 720), (first, second, third), SIMULATED_FOCAL_PX, corners_mm, die_edge_mm)


def upright_map(
    picture_wh: tuple[int, int] = (640, 480),
    *,
    px_per_mm: float = 3.0,
    felt_wh_mm: tuple[float, float] = (200.0, 150.0),
    die_edge_mm: float = 20.0,
) -> TrayMap:
    """Return the map of a camera far above the middle of the felt that looks straight down."""
    scale = 1.0 / px_per_mm
    x, y = (-(size - 1.0) / 2.0 * scale for size in picture_wh)
    rows = ((scale, 0.0, x), (0.0, scale, y), (0.0, 0.0, 1.0))
    return TrayMap(picture_wh, rows, 1e5, outline_mm(felt_wh_mm), die_edge_mm)
