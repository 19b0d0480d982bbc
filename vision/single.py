# SPDX-License-Identifier: MIT
"""
Find the ones: faces of a single pip, which only their body can prove.

One round spot may be anything. It is a one when an even body lies all around it,
ends on all four sides as a square ends, and has the spot in its middle.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.choose import Candidate
from vision.face import Face, root_of
from vision.frame import Image
from vision.params import ReadParams, SingleParams
from vision.pips import Bools, Floats, Pips
from vision.rectify import GRID, PATCH_PX, REACH_STEPS, Pyramid, cut_out
from vision.segment import flaw_of, see_body

_TURN = np.array([[0.0, -1.0], [1.0, 0.0]])


def find_singles(
    pyramid: Pyramid, pips: Pips, known: list[Candidate], params: ReadParams
) -> list[Candidate]:
    """
    Find all dice that show a one.

    Args:
        pyramid: The work picture.
        pips: All spots.
        known: Faces already found; spots on their dice are no ones.
        params: All parameters.
    """
    found: list[Candidate] = []
    taken = {pip for c in known for pip in c.face.pips}
    for i in range(len(pips)):
        if i in taken or pips.roundness[i] < params.singles.least_round:
            continue
        if any(_on(c.face, pips.xy[i], params) for c in (*known, *found)):
            continue
        face = _one(pyramid, pips, i, params.singles)
        if face is None:
            continue
        body = see_body(cut_out(pyramid, face.center, face.axes), face, params.bodies)
        if not flaw_of(face, body, params.bodies):
            found.append(Candidate(face, body))
    return found


def _on(face: Face, point: Floats, params: ReadParams) -> bool:
    """Whether a point lies on the die of a face."""
    return bool(np.abs(face.coordinates(point[None])).max() < params.choose.neighbour_steps)


def _one(pyramid: Pyramid, pips: Pips, i: int, params: SingleParams) -> Face | None:
    """The face of a one around this spot, if its body is a square with the spot in the middle."""
    axes = root_of(pips.shape[i]) * params.step_radii * params.reach
    patch = cut_out(pyramid, pips.xy[i], axes)
    mask = _body_mask(
        patch, 1.0 / (params.step_radii * params.reach), float(pips.contrast[i]), params
    )
    if mask is None:
        return None
    points = cv2.findNonZero(mask.astype(np.uint8)).reshape(-1, 2)
    (x, y), (width, height), angle = cv2.minAreaRect(points)
    width, height = width + 1.0, height + 1.0
    if max(width, height) > params.most_oblong * min(width, height):
        return None
    if len(points) < params.least_square * width * height:
        return None
    side = float(np.sqrt(width * height))
    off = np.hypot(x + 0.5 - PATCH_PX / 2, y + 0.5 - PATCH_PX / 2)
    if off > params.most_off * side:
        return None
    radii = side / PATCH_PX * 2.0 * REACH_STEPS * params.step_radii * params.reach
    if not params.edge_radii[0] <= radii <= params.edge_radii[1]:
        return None
    turn = np.deg2rad(angle)
    cos, sin = np.cos(turn), np.sin(turn)
    step = side / PATCH_PX * 2.0 * REACH_STEPS / params.edge_steps
    face_axes = axes @ (np.array([[cos, -sin], [sin, cos]]) * step)
    return Face(
        number=1,
        pips=(i,),
        center=pips.xy[i],
        axes=face_axes,
        places=np.zeros((1, 2)),
        residual=float(off / side),
        shape=pips.shape[i],
        light=bool(pips.light[i]),
        step_radii=radii / params.edge_steps,
    )


def _body_mask(patch: Image, radius: float, contrast: float, params: SingleParams) -> Bools | None:
    """The connected body around the spot in the middle, spot filled; none if it has no end."""
    away = np.linalg.norm(GRID, axis=2)
    ring = (away > 1.35 * radius) & (away < 2.2 * radius)
    colours = patch[:, :, :3].astype(np.float32)
    body = np.median(colours[ring], axis=0)
    like = np.abs(colours - body).max(axis=2) < max(params.like * contrast, params.least_like)
    like |= away < 1.4 * radius
    _, labels = cv2.connectedComponents(like.astype(np.uint8), connectivity=4)
    mask = labels == labels[PATCH_PX // 2, PATCH_PX // 2]
    border = np.concatenate([mask[0], mask[-1], mask[:, 0], mask[:, -1]])
    return None if border.any() else np.asarray(mask)
