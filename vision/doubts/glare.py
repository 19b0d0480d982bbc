# SPDX-License-Identifier: MIT
"""
Find faces on which shine may hide pips.

Where a lamp is mirrored, the sensor is blown out: body and pips alike are white there,
and a three whose middle is hidden reads as a two. A face is in doubt when a blown-out
patches cover all the places that some larger number has beyond its pips; or, on a face
that could not be read at all, when much of it is blown out. A white die that is
simply white all over mirrors no lamp: its body is as bright beside the patch.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.doubts.params import GlareParams
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.pips import Floats

_GRID = np.stack(np.meshgrid(np.linspace(-1.6, 1.6, 33), np.linspace(-1.6, 1.6, 33)), axis=2)
_RISING, _FALLING = {(-1, -1), (1, 1)}, {(-1, 1), (1, -1)}
_CORNERS = _RISING | _FALLING
# All numbers as sets of places, in all ways they may lie.
_PATTERNS = (
    {(0, 0)}, _RISING, _FALLING, _RISING | {(0, 0)}, _FALLING | {(0, 0)}, _CORNERS,
    _CORNERS | {(0, 0)}, _CORNERS | {(-1, 0), (1, 0)}, _CORNERS | {(0, -1), (0, 1)},
)  # fmt: skip


def find_glare(
    image_bgr: Image, candidates: Sequence[Candidate], params: GlareParams
) -> list[Candidate]:
    """
    Return the faces on which shine may hide pips.

    Args:
        image_bgr: The picture in whose pixels the faces are.
        candidates: Faces, read or with a flaw.
        params: What shine is.
    """
    return [c for c in candidates if _may_hide_pips(image_bgr, c, params)]


def _may_hide_pips(image: Image, candidate: Candidate, params: GlareParams) -> bool:
    face = candidate.face
    x, y = (face.center + _GRID @ face.axes.T).astype(np.float32).transpose(2, 0, 1)
    patch = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    blown = patch.min(axis=2) >= params.blown
    if float(candidate.body.bgr.min()) >= params.white_body or not blown.any():
        return False
    if candidate.flaw:
        return float(blown.mean()) > params.much
    radius = params.covered_radii / face.step_radii
    return any(
        all(_share_at(blown, place, radius) > params.covered for place in missing)
        for missing in _what_may_be_missing(face.places)
    )


def _what_may_be_missing(places: Floats) -> list[set[tuple[int, int]]]:
    """The places that each number with these pips and more has beyond them, in steps."""
    own = {(int(x), int(y)) for x, y in np.sign(np.rint(places)).tolist()}
    return [pattern - own for pattern in _PATTERNS if own < pattern]


def _share_at(blown: NDArray[np.bool_], place: tuple[int, int], radius: float) -> float:
    """How much of the place of a pip is blown out."""
    spot = ((_GRID - place) ** 2).sum(axis=2) <= radius**2
    return float(blown[spot].mean()) if spot.any() else 0.0
