# SPDX-License-Identifier: MIT
"""The light over the tray: one lamp with soft edges, and the light reflected by the room."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.pose import Vector

LAMP_MM = np.array([-170.0, 190.0, 560.0])
LAMP_RADIUS_MM = 34.0

_AMBIENT = 0.42
_DIRECT = 0.60


def diffuse_light(points_mm: Vector, normals: Vector) -> NDArray[np.float64]:
    """
    Return the brightness of matt surfaces at points (n, 3) with outward unit vectors (n, 3).

    It is about 1 for level ones in the middle of the tray.
    """
    to_lamp = LAMP_MM - points_mm
    distance = np.linalg.norm(to_lamp, axis=1)
    facing = np.maximum((to_lamp * normals).sum(axis=1) / distance, 0.0)
    middle = LAMP_MM[2] / np.linalg.norm(LAMP_MM)
    fading = (np.linalg.norm(LAMP_MM) / distance) ** 2
    sky = 0.62 + 0.38 * normals[:, 2]
    return np.asarray(_AMBIENT * sky + _DIRECT * facing * fading / middle)


def specular_light(points_mm: Vector, normals: Vector, eye_mm: Vector, sharpness: float) -> Vector:
    """Return the share of the lamp's light mirrored to the camera, 0 to 1, shape (n,)."""
    to_lamp = LAMP_MM - points_mm
    to_eye = eye_mm - points_mm
    half = to_lamp / np.linalg.norm(to_lamp, axis=1, keepdims=True)
    half += to_eye / np.linalg.norm(to_eye, axis=1, keepdims=True)
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    return np.asarray(np.maximum((half * normals).sum(axis=1), 0.0) ** sharpness)


def shadow_mm(points_mm: Vector) -> Vector:
    """Return the positions of the shadows of points on the felt, shape (n, 3)."""
    down = points_mm[:, 2:] / (LAMP_MM[2] - points_mm[:, 2:])
    return np.asarray(points_mm + (points_mm - LAMP_MM) * down)
