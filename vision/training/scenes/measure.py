# SPDX-License-Identifier: MIT
"""
Measure the truth about the dice in a finished picture.

Everything is measured after the lens and the camera: the contrast that is left, and the visible
share of a face.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scene_dice.pips import FAR
from vision.training.scenes.body import Body, BodyPixels, SceneModel
from vision.training.scenes.output import DieState, TrueDie
from vision.training.scenes.poses import inside_share, order_clockwise
from vision.training.scenes.view import View
from vision.training.scenes.warp import Warp

Array = NDArray[np.float32]
Points = NDArray[np.float64]
FLAT_STEPS = np.array([(-0.5, 0, 0), (0.5, 0, 0), (0, -0.5, 0), (0, 0.5, 0), (0, 0, -1.0)]).T
"""From the middle of an upper face half an edge along the felt's axes, and to a flat foot."""

RIM_LEFT_OUT = 0.93
"""Share of an upper face that is checked; the pixels of its rim mix with others."""


@dataclass(frozen=True, slots=True, eq=False)
class FinishedPicture:
    """A finished picture."""

    warp: Warp  # From the rendered picture to it.
    grey: Array  # Its grey levels, (h, w).
    owner: NDArray[np.int16]  # The object of each pixel, (h, w).
    rendered_owner: NDArray[np.int16]  # The same in the rendered picture.


def measure_die(
    scene: SceneModel, which: int, picture: FinishedPicture, look: BodyPixels
) -> TrueDie:
    """Return the truth about body `which` of a scene, a die."""
    body, move = scene.bodies[which], picture.warp.move
    project = scene.view.project
    quad = order_clockwise(move(project(body.pose.upper_corners())))
    spots, radius = _project_pips(scene.view, body)
    pips = move(spots)
    top = body.pose.upper_corners().mean(axis=1)[:, None]
    left, right, far, near, flat_foot = move(project(top + FLAT_STEPS))
    return TrueDie(
        face=body.pips.numbers[body.pose.upper_face()],
        state=body.pose.state,
        is_light=body.material.is_light,
        colour=body.material.colour,
        quad_px=quad,
        foot_px=move(project(body.pose.lower_center()[:, None]))[0],
        flat_axes_px=np.column_stack([right - left, near - far]),
        flat_foot_px=flat_foot,
        tilt_deg=body.pose.tilt_deg() if body.pose.state is DieState.COCKED else 0.0,
        visible=_measure_visible(picture, quad, which + 1),
        contrast=_measure_contrast(picture, which + 1, look, pips, radius),
        pips_px=pips,
    )


def _measure_visible(picture: FinishedPicture, quad: Points, own: int) -> float:
    """Return the visible share of an upper face."""
    inside = inside_share(picture.warp.size_wh, quad)
    lid = np.zeros(picture.owner.shape, dtype=np.uint8)
    middle = quad.mean(0)
    inner = middle + (quad - middle) * RIM_LEFT_OUT
    cv2.fillConvexPoly(lid, np.round(inner * 16).astype(np.int32), 1, shift=4)
    seen = picture.owner[lid > 0]
    if not len(seen):
        return 0.0
    return float(inside * np.mean((seen == own) | (seen == 0)))


def _measure_contrast(
    picture: FinishedPicture, own: int, look: BodyPixels, spots: Points, radius: float
) -> float:
    """
    Return the grey levels between body and pips on the upper face in the picture.

    The pip with the least contrast to the body around it counts: if one pip is lost in a glint
    or at a shadow's edge, so is the number.
    """
    shown = look.on_top & (picture.rendered_owner[look.y_px, look.x_px] == own)
    places = picture.warp.move(np.stack([look.x_px, look.y_px], axis=1)[shown].astype(np.float64))
    pip = look.pip[shown]
    plain = pip < 0.05
    if not plain.any():
        return 0.0
    x_px, y_px = np.rint(places).astype(int).T
    high, wide = picture.grey.shape
    level = picture.grey[y_px.clip(0, high - 1), x_px.clip(0, wide - 1)]
    off = np.linalg.norm(places[None] - spots[:, None], axis=2)
    mine = (pip[None] > 0.3) & (off < np.maximum(0.6 * radius, off.min(1, keepdims=True) + 0.5))
    around = plain[None] & (off < 4 * radius + 2)
    if not (mine.any(1) & around.any(1)).all():
        return 0.0
    gaps = (mine @ level) / mine.sum(1) - (around @ level) / around.sum(1)
    return float(max((gaps * np.sign(gaps.mean())).min(), 0))


def _project_pips(view: View, body: Body) -> tuple[Points, float]:
    """Return the upper face's pips in the rendered picture (n, 2), and their radius."""
    face = body.pose.upper_face()
    on_face = body.pips.places[face]
    on_face = on_face[on_face[:, 0] < FAR]
    axis, is_minus = divmod(face, 2)
    own = np.zeros((3, len(on_face)))
    own[axis] = -body.pose.half[axis] if is_minus else body.pose.half[axis]
    own[(axis + 1) % 3], own[(axis + 2) % 3] = on_face.T
    spots = view.project(body.pose.rotation @ own + body.pose.center[:, None])
    return spots, float(body.pips.radii[face, 0]) * view.edge_px
