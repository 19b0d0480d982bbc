# SPDX-License-Identifier: MIT
"""
The geometric opinion: what number do the pips in a tile make, and what speaks against it?

What is unlike the face in a tile makes spots, the spots make patterns, and a pattern is a
number only where it is proven: all pips alike, nothing left over, all else plain. All tiles of
a picture are looked at together, because small arrays cost their handling and no more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.cutout import TILE_PX
from vision.frame import Image
from vision.geometry.face import Face
from vision.geometry.params import GeometryParams
from vision.geometry.patterns import Patterns, find_patterns
from vision.geometry.pips import Floats
from vision.geometry.proof import (
    STEP_PX,
    Pipped,
    Plainness,
    flaws_of_faces,
    flaws_of_pips,
    see_pips,
    see_plainness,
)
from vision.geometry.segment import Body
from vision.geometry.spots import Spots, find_spots
from vision.geometry.unlike import see_unlike


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


@dataclass(frozen=True, slots=True)
class _Proven:
    """The patterns whose spots nothing speaks against, and what their faces show."""

    patterns: Patterns
    pips: Pipped
    plain: Plainness
    flaws: list[str]


def judge_tiles(tiles: Image, params: GeometryParams) -> list[GeometricOpinion]:
    """
    Say what the pips in each tile make.

    Args:
        tiles: As `vision.cutout.cut_tiles` gives them, (n, 80, 80, 3).
        params: How pips look and lie in a tile.
    """
    if not len(tiles):
        return []
    unlike = see_unlike(tiles)
    spots = find_spots(unlike, params.spots)
    patterns = find_patterns(spots, params.patterns)
    pips = see_pips(patterns, spots)
    flaws = flaws_of_pips(patterns, pips, spots, params.proof)
    good = np.array([not flaw for flaw in flaws], bool)
    patterns, pips = patterns.take(good), pips.take(good)
    plain = see_plainness(patterns, pips, unlike, params.proof)
    proven = _Proven(patterns, pips, plain, flaws_of_faces(patterns, plain, params.proof))
    middle = TILE_PX // 2
    colours = tiles[:, middle, middle] - unlike.off[:, middle, middle]
    return [_opinion(i, proven, spots, colours[i].astype(float)) for i in range(len(tiles))]


def _opinion(tile: int, proven: _Proven, spots: Spots, colour: Floats) -> GeometricOpinion:
    """The opinion on one tile."""
    own = [int(i) for i in np.flatnonzero(proven.patterns.tile == tile)]
    if not own:
        count = int(spots.there[tile].sum())
        return GeometricOpinion(
            None, None, f"{count} spots that make no number" if count else "no pips"
        )
    sure = _largest(proven.patterns, [i for i in own if not proven.flaws[i]])
    best = min(sure or own, key=lambda i: _order(proven.patterns, i))
    numbers = sorted({int(proven.patterns.number[i]) for i in sure})
    against = "" if sure else proven.flaws[best]
    if len(numbers) > 1:
        against = "may be " + " or ".join(f"a {number}" for number in numbers)
    return GeometricOpinion(_face(proven, best), _body(proven, best, colour), against)


def _order(patterns: Patterns, i: int) -> tuple[int, float]:
    """The larger number first, then what lies best in its places."""
    return -int(patterns.number[i]), float(patterns.residual[i])


def _largest(patterns: Patterns, which: list[int]) -> list[int]:
    """Those of some patterns that are no part of another: a three lies in every five."""
    members = {i: {int(m) for m in patterns.members[i] if m >= 0} for i in which}
    return [i for i in which if not any(members[i] < other for other in members.values())]


def _face(proven: _Proven, i: int) -> Face:
    """
    The face of a pattern, told in steps of a usual length.

    How far apart its maker set the pips says little of how large a face is; the tile does.
    """
    patterns, pips = proven.patterns, proven.pips
    number = int(patterns.number[i])
    return Face(
        number=number,
        pips=tuple(patterns.members[i, :number].tolist()),
        center=patterns.center[i],
        axes=pips.axes[i],
        places=pips.places[i, :number],
        residual=float(patterns.residual[i] * patterns.step_px[i] / STEP_PX),
        shape=pips.shape[i],
        light=bool(pips.tint[i].sum() > 0.0),
        step_radii=1.0 / float(pips.radius[i]),
    )


def _body(proven: _Proven, i: int, colour: Floats) -> Body:
    """What the tile shows around the pips of a pattern."""
    level, light = float(proven.pips.level[i]), bool(proven.pips.tint[i].sum() > 0.0)
    grey = float(colour.mean())
    return Body(
        bgr=np.clip(colour, 0.0, 255.0),
        contrast=level,
        clearness=level / max(grey + level if light else grey, level),
        even=float(proven.plain.even[i]),
        spots=float(proven.plain.spots[i]),
        faintest=float(proven.pips.faintest[i]),
        edges=proven.plain.edges[i],
    )
