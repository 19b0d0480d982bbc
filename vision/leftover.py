# SPDX-License-Identifier: MIT
"""
Find what looks like part of a die and found no place in one.

A die that nobody saw is as wrong as a face misread. So what the reader found on
its way and could not use is asked at the end whether a die may stand behind it:
spots like the pips of the dice beside it, and things of a die's size that stand
out from the ground and have spots on them. A shadow has none, a pencil is no
thing of a die's size.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.choose import Candidate
from vision.frame import Image
from vision.params import LeftoverParams, ReadParams
from vision.pips import Bools, Pips
from vision.reading import Doubt, DoubtKind
from vision.rectify import Pyramid


def find_leftovers(
    pyramid: Pyramid,
    pips: Pips,
    chosen: list[Candidate],
    sides: list[Candidate],
    params: ReadParams,
) -> list[Doubt]:
    """
    Find everything that may be an unread die, in work pixels.

    Args:
        pyramid: The work picture.
        pips: All spots.
        chosen: The dice that were read.
        sides: Faces known to be side faces of dice that were read.
        params: All parameters.
    """
    limits = params.leftovers
    if not chosen:
        return [_doubt(pips, i) for i in np.flatnonzero(_striking(pips, limits))[: limits.most]]
    free = _on_no_die(pips, chosen, sides, params)
    suspect = free & (_like_pips(pips, chosen, limits) | _on_things(pyramid, pips, chosen, limits))
    return [_doubt(pips, i) for i in np.flatnonzero(suspect)[: limits.most]]


def _striking(pips: Pips, limits: LeftoverParams) -> Bools:
    """Spots so clear that they may be pips although no die was read."""
    clear = (pips.contrast > limits.striking_contrast) & (pips.closed > limits.striking_closed)
    return np.asarray(clear & (pips.roundness > limits.least_round))


def _on_no_die(
    pips: Pips, chosen: list[Candidate], sides: list[Candidate], params: ReadParams
) -> Bools:
    """Spots that lie neither on a read die nor on its sides."""
    free = np.ones(len(pips), bool)
    limits = params.leftovers
    for candidate in (*chosen, *sides):
        face, edge = candidate.face, 2.0 * candidate.body.half_edge
        place = np.abs(face.coordinates(pips.xy)).max(axis=1) / edge
        flat = pips.roundness < limits.side_flatness * face.roundness
        flat |= pips.radius < limits.side_flatness * face.step / face.step_radii
        free &= (place > limits.side_edges) | ((place > limits.own_edges) & ~flat)
        free[list(face.pips)] = False
    return free


def _like_pips(pips: Pips, chosen: list[Candidate], limits: LeftoverParams) -> Bools:
    """Spots of the size and contrast of the pips that were read."""
    radius = np.median([c.face.step / c.face.step_radii for c in chosen])
    clearness = np.median([c.body.clearness for c in chosen])
    low, high = limits.pip_size
    like = (pips.radius > low * radius) & (pips.radius < high * radius)
    like &= (pips.clearness > limits.pip_clearness * clearness) & (pips.closed > limits.pip_closed)
    return np.asarray(like & (pips.roundness > limits.least_round))


def _on_things(
    pyramid: Pyramid, pips: Pips, chosen: list[Candidate], limits: LeftoverParams
) -> Bools:
    """Spots of about pip size on things of about a die's size."""
    edge = float(np.median([c.face.step for c in chosen])) * limits.edge_steps
    depth = int(np.clip(np.log2(edge / limits.thing_px), 0, len(pyramid.levels) - 1))
    edge_here = edge / 2**depth
    labels, is_thing = _things(pyramid.levels[depth][:, :, :3], edge_here, limits)
    at = np.rint((pips.xy + 0.5) / 2**depth - 0.5).astype(np.intp)
    x, y = at[:, 0].clip(0, labels.shape[1] - 1), at[:, 1].clip(0, labels.shape[0] - 1)
    size = (pips.radius > 0.03 * edge) & (pips.radius < 0.25 * edge)
    # A spot is a hole or a hill in the thing: look a little around it too.
    reach = max(1, round(0.15 * edge_here))
    hit = np.zeros(len(pips), bool)
    for dx, dy in ((0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach)):
        label = labels[(y + dy).clip(0, labels.shape[0] - 1), (x + dx).clip(0, labels.shape[1] - 1)]
        hit |= is_thing[label]
    return np.asarray(hit & size)


def _things(image_bgr: Image, edge: float, limits: LeftoverParams) -> tuple[Image, Bools]:
    """Compact regions of a die's size that stand out from their ground: labels, and which."""
    side = int(edge * limits.window_edges) | 1
    window = np.ones((side, side), np.uint8)
    dark = cv2.morphologyEx(image_bgr, cv2.MORPH_BLACKHAT, window).max(axis=2)
    light = cv2.morphologyEx(image_bgr, cv2.MORPH_TOPHAT, window).max(axis=2)
    out = (np.maximum(dark, light) > limits.thing_contrast).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(out, connectivity=4, ltype=cv2.CV_16U)
    low, high = limits.thing_size
    area = stats[:, cv2.CC_STAT_AREA]
    good = (area > low * edge**2) & (area < high * edge**2)
    good[0] = False
    return labels, np.asarray(good)


def _doubt(pips: Pips, i: int) -> Doubt:
    x, y = pips.xy[i].tolist()
    return Doubt(
        DoubtKind.UNSURE,
        "a spot like a pip on no die that was read",
        (x, y),
        4.0 * float(pips.radius[i]),
    )


def undecided(pair: tuple[Candidate, Candidate]) -> Doubt:
    """Return the doubt about two faces of which either may be the top."""
    face = pair[0].face
    x, y = face.center.tolist()
    return Doubt(
        DoubtKind.UNSURE, "can't tell which face of this die is up", (x, y), 3.0 * face.step
    )
