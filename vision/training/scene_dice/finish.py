# SPDX-License-Identifier: MIT
"""
The finish of a die's surface: shaded pips, glints, haze, and transparent bodies.

A pip of a real die is seldom an even disc: paint collects in its middle or at its rim, and a shiny
bowl has a glint. Under a broad light a glossy face has haze, which fades its pips.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
HAZE_ALBEDO = np.float32(0.7)


@dataclass(frozen=True, slots=True)
class Finish:
    """How a die's surface differs from even paint."""

    rim: float = 0.0  # > 0 for pips with a dark rim and a light middle, < 0 for the opposite.
    glint: float = 0.0  # Albedo added by the glint in each pip.
    glint_at: tuple[float, float] = (0.0, 0.0)  # Position of the glint in a pip, in radii, (x, y).
    haze: float = 0.0  # Share of the surface's light that is haze, 0 to 1.
    # Growth of the haze in the world per edge, (x, y).
    haze_slope: tuple[float, float] = (0.0, 0.0)
    through: float = 0.0  # Share of the body's light that comes from behind it, 0 to 1.


def draw_finish(rng: np.random.Generator, *, clear: bool) -> Finish:
    """Draw a finish; five of six dice have an even one."""
    mild = 0.4 if clear else 1.0
    rim = float(rng.uniform(-1, 1)) * mild if rng.random() < 0.07 else 0.0
    glint = float(rng.uniform(0.1, 0.7)) * mild if rng.random() < 0.05 else 0.0
    turn, off = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.6)
    haze = float(rng.uniform(0.05, 0.4)) * mild if rng.random() < 0.06 else 0.0
    direction, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.9)
    return Finish(
        rim=rim,
        glint=glint,
        glint_at=(float(off * np.cos(turn)), float(off * np.sin(turn))),
        haze=haze,
        haze_slope=(float(slope * np.cos(direction)), float(slope * np.sin(direction))),
    )


def shade_pips(finish: Finish, along: Array, in_radii: Array) -> tuple[Array, Array]:
    """
    Return the factor on the albedo of pips (n,), and what is added to it (n,).

    Args:
        along: Distance of points from the middle of their pip, in radii up to 1, (n,).
        in_radii: The vector of that distance, (2, n).
    """
    rim = np.float32(finish.rim)
    factor = np.exp(-rim * (along * along - np.float32(0.35)))
    added = np.abs(rim) * np.float32(0.06) * (1 - along if finish.rim > 0 else along)
    if finish.glint:
        off = in_radii - np.array(finish.glint_at, dtype=np.float32)[:, None]
        spot = np.exp(np.einsum("ij,ij->j", off, off) * np.float32(-9))
        added = added + np.float32(finish.glint) * spot
    return np.asarray(factor, np.float32), np.asarray(added, np.float32)


def add_haze(finish: Finish, albedo: Array, from_middle: Array) -> Array:
    """Return an albedo (3, n) under haze at points (3, n) from the body's middle."""
    if not finish.haze:
        return albedo
    grown = finish.haze_slope[0] * from_middle[0] + finish.haze_slope[1] * from_middle[1]
    share = np.float32(finish.haze) * np.clip(np.float32(0.6) + grown, 0, 1)
    return np.asarray(albedo + (HAZE_ALBEDO - albedo) * share, dtype=np.float32)
