# SPDX-License-Identifier: MIT
"""
The geometric opinion: what number do the pips in a tile make, and what speaks against it?

All tiles of a picture are laid side by side and looked at as one, because the steps
that find spots cost little more for eight tiles than for one. Then each tile stands
for itself: its spots must make a number's lattice, on an even body, with nothing left
that the number does not explain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cutout import FACE_PX, TILE_PX
from vision.frame import Image
from vision.geometry.face import Face
from vision.geometry.lattice import fit_lattice
from vision.geometry.pips import Pips, contrast_channel, find_pips
from vision.geometry.rectify import Pyramid, cut_out
from vision.geometry.segment import Body, flaw_of, see_body
from vision.params import GeometryParams

# A face's rounded rim, which has its own shade.
_ROUNDING_PX = 4
# Pips stand out by so many levels in a tile's own channel, noise permitting.
_REACH_LEVELS = 90.0
_MOST_GAIN = 2.5


@dataclass(frozen=True, slots=True)
class GeometricOpinion:
    """
    What geometry says about one tile.

    Attributes:
        face: The face that the pips make, in tile pixels; none where they make none.
        body: What the tile shows around them; none without a face.
        against: Why it is not certain, in words; empty where it is.
    """

    face: Face | None
    body: Body | None
    against: str

    @property
    def number(self) -> int | None:
        """The number it says for certain, if it says one."""
        return self.face.number if self.face is not None and not self.against else None


def judge_tiles(tiles: Image, params: GeometryParams) -> list[GeometricOpinion]:
    """
    Say what the pips in each tile make.

    Args:
        tiles: As `vision.cutout.cut_tiles` gives them, (n, 80, 80, 3).
        params: How pips look and lie in a tile.
    """
    if not len(tiles):
        return []
    opinions = _judged_in(tiles, contrast_channel(np.hstack(list(tiles))), params)
    # Yellow on green, gold on orange: such pips show in a channel of their own.
    again = [i for i, opinion in enumerate(opinions) if opinion.number is None]
    if again:
        own = np.hstack([own_channel(tiles[i]) for i in again])
        for i, opinion in zip(again, _judged_in(tiles[again], own, params), strict=True):
            if opinion.number is not None:
                opinions[i] = opinion
    return opinions


def own_channel(tile: Image) -> Image:
    """
    Return the grey channel in which the colours of a tile's face differ most.

    Args:
        tile: Shape (80, 80, 3).
    """
    rim = (TILE_PX - FACE_PX) // 2 + _ROUNDING_PX
    face = tile[rim:-rim, rim:-rim].reshape(-1, 3).astype(np.float32)
    body = np.median(face, axis=0)
    off = face - body
    _, directions = np.linalg.eigh(off.T @ off)
    # Either way along it is as good; lighter has to stay lighter, or polarity would be lost.
    lighter = directions[:, -1] * (1.0 if directions[:, -1].sum() >= 0.0 else -1.0)
    along = (tile.astype(np.float32) - body) @ lighter
    reach = float(np.percentile(np.abs(off @ lighter), 97))
    gain = float(np.clip(_REACH_LEVELS / max(reach, 1.0), 1.0, _MOST_GAIN))
    return np.asarray(np.clip(np.rint(128.0 + gain * along), 0, 255), dtype=np.uint8)


def _judged_in(tiles: Image, grey: Image, params: GeometryParams) -> list[GeometricOpinion]:
    """The opinions on tiles, in a channel of them side by side."""
    pips = find_pips([grey], params.pips)
    owner = np.floor((pips.xy[:, 0] + 0.5) / TILE_PX).astype(int)
    opinions = []
    for i, tile in enumerate(tiles):
        begin = i * TILE_PX
        own = pips.take(owner == i).moved(np.array([-float(begin), 0.0]))
        opinions.append(_judged(tile, grey[:, begin : begin + TILE_PX], own, params))
    return opinions


def _judged(tile: Image, grey: Image, pips: Pips, params: GeometryParams) -> GeometricOpinion:
    faces, reason = fit_lattice(pips, params.lattice)
    if not faces:
        return GeometricOpinion(None, None, reason)
    levels = Pyramid((np.asarray(cv2.merge([tile, grey]), dtype=np.uint8),))
    opinions = []
    for fitted in faces:
        face = _in_usual_steps(fitted, params.lattice.step_edges * FACE_PX)
        patch = cut_out(levels, face.center, face.axes)
        needs_edges = params.bodies.sides[face.number - 1] > 0
        body = see_body(patch, face, params.bodies, look_for_edges=needs_edges)
        opinions.append(GeometricOpinion(face, body, flaw_of(face, body, params.bodies)))
        if not opinions[-1].against:
            return opinions[-1]
    return opinions[0]


def _in_usual_steps(face: Face, step_px: float) -> Face:
    """
    The same face told in steps of a usual length.

    How far apart its maker set the pips says little of how large a face is; the tile does.
    """
    ratio = face.step / step_px
    return replace(
        face,
        axes=face.axes / ratio,
        places=face.places * ratio,
        residual=face.residual * ratio,
        step_radii=face.step_radii / ratio,
    )
