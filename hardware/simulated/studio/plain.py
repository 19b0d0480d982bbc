# SPDX-License-Identifier: MIT
"""Plain ground and lens."""

import cv2
import numpy as np


def ground(rng, side_px):
    c = np.exp(
        rng.uniform(np.log(0.02), np.log(0.7), 3) * 0.3
        + rng.uniform(np.log(0.02), np.log(0.7)) * 0.7
    )
    t = rng.normal(0, 1, (side_px // 8 + 1, side_px // 8 + 1)).astype(np.float32)
    t = (
        cv2.resize(t, (side_px, side_px), interpolation=cv2.INTER_CUBIC) * 0.1
        + rng.standard_normal((side_px, side_px), dtype=np.float32) * 0.05
    )
    return (np.exp(t)[..., None] * c).astype(np.float32)


def lay_things(rng, albedo, edge_px, keep_out):
    return np.zeros(albedo.shape[:2], bool)


def expose(rng, linear, *, gentle=False):
    g = np.clip(linear * rng.uniform(0.7, 1.3), 0, 1) ** (1 / 2.2) * 255
    return np.clip(g + rng.normal(0, 2, g.shape[:2])[..., None], 0, 255).astype(np.uint8)
