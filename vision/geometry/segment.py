# SPDX-License-Identifier: MIT
"""
Find the body around a face: where its colour ends, and whether it is one even face.

A group of pips is a face only when the picture agrees with it: between the pips
lies one even body, where no pip should be there is none, and on the sides the
body ends at about the distance where a die's edges are.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.geometry.face import Face
from vision.geometry.pips import Bools, Floats
from vision.geometry.rectify import GRID, PATCH_PX, STEPS_PER_PIXEL
from vision.params import BodyParams

# Half side of the square that is face for certain: the rounding of the edges begins beyond.
_INNER_STEPS = 1.35
_INNER = np.abs(GRID).max(axis=2) < _INNER_STEPS
_GRID_X = GRID[0, :, 0].astype(np.float32)
# The strip along the middle of a side in which the side's edge is looked for.
_MIDDLE = np.abs(GRID[0, :, 0]) < 0.7
# Pixels under which a median says nothing.
_FEWEST = 30


@dataclass(frozen=True, slots=True)
class Body:
    """
    What the picture shows around a face.

    Attributes:
        bgr: Colour of the body between the pips, (3,).
        contrast: Grey levels between body and pips, positive.
        clearness: The same as a share of the lighter of the two, 0 to 1: how dark a dark pip
            is does not depend on the light that falls on it.
        even: Share of the face between the pips that has the body's colour.
        spots: Strongest sign of a pip where this number has none, in contrasts.
        faintest: Weakest of the face's own pips, in contrasts.
        edges: Distance at which the body ends to the right, below, left and above, in
            steps; nan where no end was seen, or none was looked for on an uneven body.
    """

    bgr: Floats
    contrast: float
    clearness: float
    even: float
    spots: float
    faintest: float
    edges: Floats

    @property
    def half_edge(self) -> float:
        """Half the face's edge in steps, a usual value where no edge was seen."""
        seen = self.edges[np.isfinite(self.edges)]
        return float(np.median(seen)) if len(seen) else 1.9

    @property
    def sides_seen(self) -> int:
        """On how many sides the body's end was seen."""
        return int(np.isfinite(self.edges).sum())


def see_body(patch: Image, face: Face, params: BodyParams, *, look_for_edges: bool = True) -> Body:
    """
    Look at the patch of a face as pixels.

    Args:
        patch: As `vision.geometry.rectify.cut_out` gives it.
        face: The face it was cut for.
        params: How even a body is.
        look_for_edges: Whether the body's ends are looked for; without, they are nan.
    """
    pixels = patch.astype(np.float32)
    grey = pixels[:, :, 3]
    radius = 1.0 / face.step_radii
    distance = _distances(face.places)
    nearest = distance.min(axis=0)
    between = _INNER & (nearest > radius * params.pip_reach)
    if between.sum() < _FEWEST:
        between = _INNER
    body_bgrg = _medians(pixels[between])
    bgr, body_grey = body_bgrg[:3], float(body_bgrg[3])
    sign = 1.0 if face.light else -1.0
    cores = distance < max(radius * 0.7, 1.2 * STEPS_PER_PIXEL)
    depths = sign * ((cores * grey).sum(axis=(1, 2)) / cores.sum(axis=(1, 2)) - body_grey)
    contrast = float(max(np.median(depths), 1.0))
    off = sign * (grey - _shading(grey, between, body_grey, contrast)) / contrast
    even = float(((off < params.pip_like) & (off > -params.glare_like))[between].mean())
    edges = np.full(4, np.nan)
    if look_for_edges and even >= params.least_even:
        edges = _edges(pixels[:, :, :3], bgr, between, contrast, params)
    return Body(
        bgr=bgr.astype(np.float64),
        contrast=contrast,
        clearness=contrast / max(body_grey, body_grey + sign * contrast, 1.0),
        even=even,
        spots=_strongest_spot(off, nearest > radius * params.pip_rim, radius),
        faintest=float(depths.min()) / contrast,
        edges=edges,
    )


def _distances(places: Floats) -> NDArray[np.float32]:
    """How far every pixel of a patch is from these places, in steps, (n, side, side)."""
    across = _GRID_X - places[:, 0, None].astype(np.float32)
    down = _GRID_X - places[:, 1, None].astype(np.float32)
    squared = (across**2)[:, None, :] + (down**2)[:, :, None]
    return np.asarray(np.sqrt(squared), dtype=np.float32)


def _medians(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Median of every column; of an even number the upper one, which is near enough here."""
    half = len(values) // 2
    return np.asarray(np.partition(values, half, axis=0)[half])


def _shading(
    grey: NDArray[np.float32], between: Bools, body_grey: float, contrast: float
) -> NDArray[np.float32]:
    """The body's grey level over the patch: light falls off evenly over a face, as a plane."""
    like = between & (np.abs(grey - body_grey) < contrast * 0.6)
    if like.sum() < _FEWEST:
        return np.full_like(grey, body_grey)
    design = np.column_stack([GRID[like], np.ones(int(like.sum()))])
    slope = np.linalg.solve(design.T @ design, design.T @ grey[like].astype(np.float64))
    return np.asarray(GRID @ slope[:2] + slope[2], dtype=np.float32)


def _strongest_spot(off: NDArray[np.float32], free: Bools, radius: float) -> float:
    """Most pip-like mean over a disc of pip size on the face, its own pips apart."""
    side = max(3, round(radius * 1.6 / STEPS_PER_PIXEL))
    mean = cv2.blur(np.where(free, off, 0.0).astype(np.float32), (side, side))
    # The whole disc must lie on the face: beyond it the body's edge falls into shade.
    within = np.abs(GRID).max(axis=2) < _INNER_STEPS - side * STEPS_PER_PIXEL / 2.0
    return float(mean[within].max())


def _edges(
    pixels: NDArray[np.float32],
    bgr: NDArray[np.float32],
    between: Bools,
    contrast: float,
    params: BodyParams,
) -> Floats:
    """Where the body's colour ends on the four sides, in steps, nan where it does not."""
    away = np.abs(pixels - bgr).max(axis=2)
    half = PATCH_PX // 2
    strips = (
        away[_MIDDLE, half:],
        away[half:, _MIDDLE].T,
        away[_MIDDLE, :half][:, ::-1],
        away[:half, _MIDDLE][::-1].T,
    )
    profiles = np.median(np.stack(strips), axis=1)
    clear = _first_beyond(profiles, max(params.edge_contrast * contrast, params.least_edge), params)
    # A black die on dark wood: little, but more than the body differs within itself.
    slight = max(params.least_edge, 2.0 * float(np.percentile(away[between], 90)))
    return np.where(np.isnan(clear), _first_beyond(profiles, slight, params), clear)


def _first_beyond(profiles: NDArray[np.float32], limit: float, params: BodyParams) -> Floats:
    """Distance from the centre at which each profile first exceeds a limit, or nan."""
    distance = GRID[0, PATCH_PX // 2 :, 0]
    beyond = (profiles > limit) & (distance > _INNER_STEPS)
    first = distance[beyond.argmax(axis=1)].astype(np.float64)
    first[~beyond.any(axis=1)] = np.nan
    return np.asarray(first)


def flaw_of(face: Face, body: Body, params: BodyParams) -> str:
    """Return why the picture speaks against this face, in words; empty when it does not."""
    if body.even < params.least_even:
        return "uneven body between the pips"
    if body.spots > params.most_spot:
        return "something where this number has no pip"
    if body.faintest < params.least_faint:
        return "one pip much fainter than the rest"
    if face.number <= 2 and body.half_edge < params.least_half_edge:
        return "body ends too near its pips"
    if body.sides_seen < params.sides[face.number - 1]:
        return "no edges around it"
    return ""
