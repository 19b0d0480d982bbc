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

import numpy as np

from vision.cutout import FACE_PX, TILE_PX
from vision.frame import Image
from vision.geometry.face import Face
from vision.geometry.lattice import fit_lattice
from vision.geometry.pips import Pips, contrast_channel, find_pips
from vision.geometry.rectify import Pyramid, cut_out
from vision.geometry.segment import Body, flaw_of, see_body
from vision.params import GeometryParams


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
    grey = contrast_channel(np.hstack(list(tiles)))
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
    levels = Pyramid((np.dstack([tile, grey]),))
    opinions = []
    for fitted in faces:
        face = _in_usual_steps(fitted, params.lattice.step_edges * FACE_PX)
        patch = cut_out(levels, face.center, face.axes)
        needs_edges = params.bodies.sides[face.number - 1] > 0
        body = see_body(patch, face, params.bodies, look_for_edges=needs_edges)
        opinions.append(GeometricOpinion(face, body, flaw_of(face, body, params.bodies)))
        if not opinions[-1].against:
            return opinions[-1]
    return opinions[0] if opinions else GeometricOpinion(None, None, reason)


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
