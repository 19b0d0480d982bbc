# SPDX-License-Identifier: MIT
"""
Find dice that lean: their faces are foreshortened as no flat one is there.

All flat dice of a picture lie in one plane, and one camera looks at it. So three
numbers, the plane's scale and its tilt in two directions, tell at every place how
a square on the plane is seen. They are fitted to all top faces at once such that
few odd ones do not move them. A die leans when its face is stretched otherwise by
all that tells it (edges, lattice, outlines of the pips), or when one of its side
faces shows more than the plane's tilt lets it show.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry.choose import Candidate, Choice, same_die
from vision.geometry.pips import Floats
from vision.params import ChooseParams, LeanParams


def find_leaning(
    choice: Choice, size_wh: tuple[int, int], params: LeanParams, sides: ChooseParams
) -> list[Candidate]:
    """
    Return the top faces that do not lie in the plane of the others.

    Empty where too few dice lie there to tell, or where most of them disagree with any plane.

    Args:
        choice: The faces that were chosen.
        size_wh: Width and height of the work picture.
        params: What a lean is.
        sides: What makes two faces sides of one die.
    """
    tops = choice.tops
    if len(tops) < params.least_dice:
        return []
    shapes = np.array([_seen_shapes(top) for top in tops])
    plane = _fitting_plane(tops, shapes.mean(axis=1), size_wh, params)
    least, most = _roots(plane)
    stretches = np.stack([_differences(plane[None], shapes[:, k])[0][0] for k in range(3)])
    leans = stretches.min(axis=0) > params.clear_stretch
    for i, top in enumerate(tops):
        shown = [s.face.roundness for s in choice.sides if same_die(top, s, sides)]
        cosines = max(shown, default=0.0) ** 2 + (least[i] / most[i]) ** 2
        stretched = float(stretches[:, i].mean()) > params.slight_stretch
        leans[i] |= cosines > (params.slight_cosines if stretched else params.clear_cosines)
    if 2 * leans.sum() > len(tops):
        return []
    return [top for top, lean in zip(tops, leans, strict=True) if lean]


@dataclass(frozen=True, slots=True)
class _Planes:
    """
    How m planes are seen at the places of k dice.

    Attributes:
        normals: Unit normals in the camera's axes, (m, 3).
        shapes: What a circle in the plane looks like, up to scale, (m, k, 2, 2).
        is_seen: Whether a plane is seen from above at all these places, (m,).
    """

    normals: Floats
    shapes: Floats
    is_seen: NDArray[np.bool_]


def _fitting_plane(
    tops: list[Candidate], seen: Floats, size_wh: tuple[int, int], params: LeanParams
) -> Floats:
    """What a circle in the plane that fits best looks like at each face, up to scale, (k, 2, 2)."""
    middle, focal_px = np.array(size_wh) / 2.0, params.focal * max(size_wh)
    rays = (np.array([top.face.center for top in tops]) - middle) / focal_px
    planes = _planes(_coarse_normals(params), rays)
    best = int(_misfit(planes, seen, params).argmin())
    planes = _planes(_finer_normals(planes.normals[best], params), rays)
    best = int(_misfit(planes, seen, params).argmin())
    return np.asarray(planes.shapes[best])


def _seen_shapes(top: Candidate) -> list[Floats]:
    """What a circle on the face looks like by its edges, its lattice, its pips; one size."""
    face, edges = top.face, top.body.edges
    right, below, left, above = np.where(np.isfinite(edges), edges, top.body.half_edge)
    quad = face.axes @ np.diag([(right + left) / 2.0, (below + above) / 2.0])
    by_edges = quad @ quad.T
    others = (face.axes @ face.axes.T, face.shape)
    size = np.sqrt(np.linalg.det(by_edges))
    return [by_edges, *(shape * size / np.sqrt(np.linalg.det(shape)) for shape in others)]


def _coarse_normals(params: LeanParams) -> Floats:
    """Normals all over the cap of tilts that a camera at a table has, (m, 3)."""
    reach = np.sin(np.deg2rad(params.most_tilt_deg))
    steps = np.arange(-reach, reach + 1e-6, np.deg2rad(params.coarse_deg))
    xy = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    return _upright(xy[(xy**2).sum(axis=1) <= reach**2])


def _finer_normals(normal: Floats, params: LeanParams) -> Floats:
    """Normals around one, (m, 3)."""
    steps = np.deg2rad(params.coarse_deg) * np.linspace(-0.75, 0.75, 7)
    xy = normal[:2] + np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    return _upright(xy[(xy**2).sum(axis=1) < 0.95])


def _upright(xy: Floats) -> Floats:
    """Unit normals towards the camera with these first two parts."""
    return np.column_stack([xy, np.sqrt(1.0 - (xy**2).sum(axis=1))])


def _planes(normals: Floats, rays: Floats) -> _Planes:
    """Let pinhole cameras look at the planes along these rays."""
    look = np.zeros((len(rays), 2, 3))
    look[:, 0, 0] = look[:, 1, 1] = 1.0
    look[:, :, 2] = -rays
    in_plane = np.eye(3) - normals[:, :, None] * normals[:, None, :]
    steep = normals[:, :2] @ rays.T + normals[:, 2:]
    shapes = np.einsum("kai,mij,kbj->mkab", look, in_plane, look, optimize=True)
    return _Planes(
        normals, shapes * (steep**2)[..., None, None], np.asarray((steep > 0.2).all(axis=1))
    )


def _roots(shapes: Floats) -> tuple[Floats, Floats]:
    """Least and greatest semi-axis of these shapes."""
    mean = (shapes[..., 0, 0] + shapes[..., 1, 1]) / 2.0
    det = shapes[..., 0, 0] * shapes[..., 1, 1] - shapes[..., 0, 1] * shapes[..., 1, 0]
    spread = np.sqrt(np.maximum(mean**2 - det, 0.0))
    return np.sqrt(np.maximum(mean - spread, 1e-9)), np.sqrt(mean + spread)


def _differences(shapes: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Stretch of each face against its plane, and its size against the median, as logarithms."""
    (a, b), (c, d) = np.moveaxis(shapes, (2, 3), (0, 1))
    inverse = np.stack([np.stack([d, -b], -1), np.stack([-c, a], -1)], -2)
    det = np.maximum(a * d - b * c, 1e-12)
    least, most = _roots(inverse @ seen / det[..., None, None])
    stretch, size = np.log(most / least), np.log(most * least) / 2.0
    return stretch, np.abs(size - np.median(size, axis=1, keepdims=True))


def _misfit(planes: _Planes, seen: Floats, params: LeanParams) -> Floats:
    """How badly each plane explains the faces; beyond a limit a face is odd, and no more."""
    stretch, size = _differences(planes.shapes, seen)
    odd = params.odd
    cost = np.minimum(stretch, odd) ** 2 + np.minimum(size, odd) ** 2
    return np.asarray(np.where(planes.is_seen, cost.sum(axis=1), np.inf))
