# SPDX-License-Identifier: MIT
"""
Find faces: groups of pips that lie as the pips of one number lie.

Every number above one has two pips at opposite corners of its lattice. So each
pair of alike pips is asked: if you were opposite corners, where would the other
places be, and which of them hold a pip? What the pips' own outlines tell of the
tilt (a circle seen as an ellipse) says what a right angle looks like there. A
pattern counts only if it is exactly one of a die's: no place missing, none extra.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.geometry.pips import Floats, Pips
from vision.params import FaceParams

# The places beside the two opposite corners, in the order in which they are looked up.
_PLACES = np.array([(-1, 1), (1, -1), (0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)], float)
# Half way between the places: body on every face, whatever its number.
_NEVER_PIPS = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)])
_PATTERNS: dict[tuple[bool, ...], int] = {
    (False, False, False, False, False, False, False): 2,
    (False, False, True, False, False, False, False): 3,
    (True, True, False, False, False, False, False): 4,
    (True, True, True, False, False, False, False): 5,
    (True, True, False, True, True, False, False): 6,
    (True, True, False, False, False, True, True): 6,
}


@dataclass(frozen=True, slots=True)
class Face:
    """
    A group of pips that lies as the pips of one number lie.

    Attributes:
        number: 1 to 6.
        pips: Places of its pips in the list of all pips.
        center: Centre of the face in work pixels, (2,).
        axes: Columns are the two lattice steps in work pixels, (2, 2).
        places: Where its pips should lie, in steps from the centre, (number, 2).
        residual: Root mean square distance of the pips from their places, in steps.
        shape: Mean squared semi-axis matrix of its pips, (2, 2).
        light: Whether its pips are lighter than the body.
        step_radii: Length of a lattice step, in pip radii.
    """

    number: int
    pips: tuple[int, ...]
    center: Floats
    axes: Floats
    places: Floats
    residual: float
    shape: Floats
    light: bool
    step_radii: float

    @property
    def step(self) -> float:
        """Mean length of a lattice step in work pixels."""
        return float(abs(_det(self.axes)) ** 0.5)

    @property
    def roundness(self) -> float:
        """How little the face is foreshortened: 1 seen from straight above."""
        mean = float(self.shape[0, 0] + self.shape[1, 1]) / 2.0
        spread = max(mean**2 - _det(self.shape), 0.0) ** 0.5
        return float((max(mean - spread, 0.0) / (mean + spread)) ** 0.5)

    def coordinates(self, points: Floats) -> Floats:
        """Place of points (n, 2) on the face, in steps from its centre."""
        return np.asarray((points - self.center) @ np.linalg.inv(self.axes).T)


def _det(matrix: Floats) -> float:
    """Determinant of one 2 by 2 matrix, without numpy's overhead for small ones."""
    (a, b), (c, d) = matrix.tolist()
    return float(a * d - b * c)


def root_of(shape: Floats) -> Floats:
    """Square root of symmetric positive matrices, (..., 2, 2)."""
    half = np.sqrt(np.maximum(np.linalg.det(shape), 1e-9))
    trace = shape[..., 0, 0] + shape[..., 1, 1] + 2.0 * half
    return np.asarray((shape + half[..., None, None] * np.eye(2)) / np.sqrt(trace)[..., None, None])


def alike(pips: Pips, params: FaceParams) -> NDArray[np.bool_]:
    """Which pips could belong to one face: same polarity, like size, contrast and body, (n, n)."""

    def ratio(values: Floats) -> Floats:
        return np.maximum(values[:, None], values) / np.minimum(values[:, None], values)

    same = pips.light[:, None] == pips.light
    same &= ratio(pips.radius) < params.most_size_ratio
    same &= ratio(pips.contrast) < params.most_contrast_ratio
    weaker = np.minimum(pips.contrast[:, None], pips.contrast)
    same &= np.abs(pips.body[:, None] - pips.body) < params.most_body_change * weaker
    return np.asarray(same)


def find_faces(grey: Image, pips: Pips, params: FaceParams) -> list[Face]:
    """
    Find all groups of two and more pips that lie as a number's pips lie.

    One pip may be in several groups: which of them are top faces of dice is not
    decided here.

    Args:
        grey: The contrast channel in which the pips were found.
        pips: All spots.
        params: How the pips of a face lie.
    """
    same = alike(pips, params)
    pairs = _pairs(pips, same, params)
    faces: dict[tuple[int, ...], Face] = {}
    for face in (
        *_by_diagonal(grey, pips, same, pairs, params),
        *_sixes(pips, same, pairs, params),
    ):
        key = tuple(sorted(face.pips))
        if key not in faces or face.residual < faces[key].residual:
            faces[key] = face
    return [f for f in faces.values() if not _crowded(f, pips, params)]


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs of alike pips, with what turns their ellipses to circles and back."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    whiten: Floats
    radii: Floats

    def take(self, which: NDArray[np.bool_]) -> _Pairs:
        return _Pairs(self.first[which], self.second[which], self.whiten[which], self.radii[which])


def _pairs(pips: Pips, same: NDArray[np.bool_], params: FaceParams) -> _Pairs:
    """Pairs near enough to lie on one face."""
    first, second = np.nonzero(np.triu(same, 1))
    apart = pips.xy[second] - pips.xy[first]
    longest = 2.0 * np.sqrt(2.0) * params.most_step_radii * params.tilt_slack
    # An ellipse's long axis is at most sqrt(1 / thinnest) of its mean radius.
    near = np.linalg.norm(apart, axis=1) < 1.8 * longest * pips.radius[first]
    first, second, apart = first[near], second[near], apart[near]
    whiten = np.linalg.inv(root_of((pips.shape[first] + pips.shape[second]) / 2.0))
    radii = np.linalg.norm(np.einsum("kij,kj->ki", whiten, apart), axis=1)
    fits = radii < longest
    return _Pairs(first[fits], second[fits], whiten[fits], radii[fits])


def _by_diagonal(
    grey: Image, pips: Pips, same: NDArray[np.bool_], pairs: _Pairs, params: FaceParams
) -> list[Face]:
    """Twos to fives, and square sixes, by their opposite corners."""
    shortest = 2.0 * np.sqrt(2.0) * params.least_step_radii / params.tilt_slack
    pairs = pairs.take(pairs.radii > shortest)
    if not len(pairs.first):
        return []
    middle = (pips.xy[pairs.first] + pips.xy[pairs.second]) / 2.0
    diagonal = (pips.xy[pairs.second] - pips.xy[pairs.first]) / 2.0
    axes = _square_axes(diagonal, pairs.whiten)
    bare = _is_body(grey, pips, pairs, middle, axes, _NEVER_PIPS)
    pairs, middle, axes = pairs.take(bare), middle[bare], axes[bare]
    if not len(middle):
        return []
    allowed = same[pairs.first] & same[pairs.second]
    nearest, found = _occupied(pips, allowed, middle, axes, params)
    alone = _is_body(grey, pips, pairs, middle, axes, _PLACES)
    faces = []
    for row in range(len(middle)):
        number = _PATTERNS.get(tuple(found[row].tolist()))
        if number is None:
            continue
        others = nearest[row][found[row]]
        members = (int(pairs.first[row]), int(pairs.second[row]), *(int(m) for m in others))
        if number == 2 and not (alone[row] and _seen_alike(pips, members, params)):
            continue
        if len(set(members)) == number:
            places = np.vstack([[(-1.0, -1.0), (1.0, 1.0)], _PLACES[found[row]]])
            faces.append(_fitted(pips, members, places, middle[row], axes[row]))
    return [face for face in faces if _plausible(face, params)]


def _seen_alike(pips: Pips, members: tuple[int, ...], params: FaceParams) -> bool:
    """Whether pips are as round as each other: one of the top and one of a side are not."""
    roundness = pips.roundness[list(members)]
    return bool(roundness.max() < params.most_round_ratio * roundness.min())


def _is_body(
    grey: Image, pips: Pips, pairs: _Pairs, middle: Floats, axes: Floats, places: Floats
) -> NDArray[np.bool_]:
    """For every pair: whether the picture shows body at all these places of its face."""
    at = np.rint(middle[:, None] + np.einsum("kij,pj->kpi", axes, places)).astype(np.intp)
    x, y = at[..., 0].clip(0, grey.shape[1] - 1), at[..., 1].clip(0, grey.shape[0] - 1)
    body = (pips.body[pairs.first] + pips.body[pairs.second]) / 2.0
    contrast = (pips.contrast[pairs.first] + pips.contrast[pairs.second]) / 2.0
    off = np.abs(grey[y, x].astype(np.float64) - body[:, None])
    return np.asarray((off < 0.6 * contrast[:, None]).all(axis=1))


def _square_axes(diagonal: Floats, whiten: Floats) -> Floats:
    """Lattice steps of the squares that have these half diagonals, (k, 2, 2)."""
    turned = np.einsum("kij,kj->ki", whiten, diagonal)
    quarter = np.stack([-turned[:, 1], turned[:, 0]], axis=1)
    across = np.einsum("kij,kj->ki", np.linalg.inv(whiten), quarter)
    return np.stack([(diagonal - across) / 2.0, (diagonal + across) / 2.0], axis=2)


def _sixes(pips: Pips, same: NDArray[np.bool_], pairs: _Pairs, params: FaceParams) -> list[Face]:
    """Sixes by their two rows of three, because many dice set the rows close together."""
    rows = _rows_of_three(pips, same, pairs, params)
    faces = []
    for i, (ends, mid, whiten) in enumerate(rows):
        along = (pips.xy[ends[1]] - pips.xy[ends[0]]) / 2.0
        for other_ends, other_mid, _ in rows[i + 1 :]:
            if {*ends, mid} & {*other_ends, other_mid} or not same[mid, other_mid]:
                continue
            ends_2 = other_ends
            if (pips.xy[ends_2[1]] - pips.xy[ends_2[0]]) @ along < 0:
                ends_2 = ends_2[::-1]
            face = _six(pips, (*ends, mid, *ends_2, other_mid), whiten, params)
            if face is not None:
                faces.append(face)
    return faces


def _rows_of_three(
    pips: Pips, same: NDArray[np.bool_], pairs: _Pairs, params: FaceParams
) -> list[tuple[tuple[int, int], int, Floats]]:
    """Triples of pips in a line at even steps: the ends, the middle, the whitening."""
    shortest = 2.0 * params.least_step_radii / params.tilt_slack
    longest = 2.0 * params.most_step_radii * params.tilt_slack
    pairs = pairs.take((pairs.radii > shortest) & (pairs.radii < longest))
    if not len(pairs.first):
        return []
    middle = (pips.xy[pairs.first] + pips.xy[pairs.second]) / 2.0
    away = np.einsum("kij,knj->kni", pairs.whiten, pips.xy[None] - middle[:, None])
    off = np.linalg.norm(away, axis=2) / pairs.radii[:, None] * 2.0
    off[~(same[pairs.first] & same[pairs.second])] = np.inf
    mid = off.argmin(axis=1)
    hits = np.flatnonzero(off[np.arange(len(mid)), mid] < params.search_steps / 2.0)
    return [
        ((int(pairs.first[k]), int(pairs.second[k])), int(mid[k]), pairs.whiten[k]) for k in hits
    ]


def _six(pips: Pips, members: tuple[int, ...], whiten: Floats, params: FaceParams) -> Face | None:
    """The six of two rows of three, if the rows lie beside each other."""
    points = pips.xy[list(members)]
    first, second = points[:3], points[3:]
    along = whiten @ ((first[1] - first[0] + second[1] - second[0]) / 4.0)
    across = whiten @ ((second.mean(axis=0) - first.mean(axis=0)) / 2.0)
    step = float(np.linalg.norm(along))
    width = float(np.linalg.norm(across)) / step
    slant = abs(float(along @ across)) / step**2
    low, high = params.six_width
    if not low / params.tilt_slack < width < high * params.tilt_slack or slant > width * 0.5:
        return None
    quarter = np.array([along[1], -along[0]])
    if quarter @ across < 0:
        quarter = -quarter
    axes = np.linalg.inv(whiten) @ np.stack([quarter, along], axis=1)
    places = np.array([(-1, -1), (-1, 1), (-1, 0), (1, -1), (1, 1), (1, 0)], float)
    face = _fitted(
        pips, members, places * (width, 1.0), first.mean(0) / 2 + second.mean(0) / 2, axes
    )
    return face if _plausible(face, params) else None


def _occupied(
    pips: Pips, same: NDArray[np.bool_], middle: Floats, axes: Floats, params: FaceParams
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """For every pair and place: the nearest pip, and whether it is near enough."""
    # In steps of each pair's own lattice, where the places are the same for all pairs.
    steps = (pips.xy - middle[:, None]) @ np.linalg.inv(axes).transpose(0, 2, 1)
    across = steps[:, None, :, 0] - _PLACES[:, 0, None]
    along = steps[:, None, :, 1] - _PLACES[:, 1, None]
    squared = np.where(same[:, None], across**2 + along**2, np.inf)
    nearest = squared.argmin(axis=2)
    least = np.take_along_axis(squared, nearest[..., None], 2)[..., 0]
    return nearest, least < params.search_steps**2


def _fitted(
    pips: Pips, members: tuple[int, ...], places: Floats, middle: Floats, axes: Floats
) -> Face:
    """The lattice moved to where the pips really are."""
    points = pips.xy[list(members)]
    if len(members) >= 4:
        design = np.hstack([places, np.ones((len(members), 1))])
        solved, *_ = np.linalg.lstsq(design, points, rcond=None)
        axes, middle = np.asarray(solved[:2].T, dtype=np.float64), np.asarray(solved[2])
    else:
        middle = points.mean(axis=0)
    off = points - middle - places @ axes.T
    shape = pips.shape[list(members)].mean(axis=0)
    radius = _det(shape) ** 0.25
    step = abs(_det(axes)) ** 0.5
    return Face(
        number=len(members),
        pips=members,
        center=middle,
        axes=axes,
        places=places,
        residual=float(np.sqrt((off**2).sum(axis=1).mean())) / max(step, 1e-6),
        shape=shape,
        light=bool(pips.light[members[0]]),
        step_radii=step / radius,
    )


def _plausible(face: Face, params: FaceParams) -> bool:
    """Whether lattice and outlines tell of the same square, seen from the same side."""
    if not params.least_step_radii <= face.step_radii <= params.most_step_radii:
        return False
    if face.residual > params.most_residual:
        return False
    # The lattice as the outlines see it, squared: its axes' ratio is the square of the skew.
    seen = face.axes.T @ np.linalg.inv(face.shape) @ face.axes
    mean, det = float(seen[0, 0] + seen[1, 1]) / 2.0, _det(seen)
    spread = max(mean**2 - det, 0.0) ** 0.5
    return bool(mean + spread < params.most_skew**2 * max(mean - spread, 1e-9))


def _crowded(face: Face, pips: Pips, params: FaceParams) -> bool:
    """Whether a like pip lies within the face that its number does not explain."""
    place = np.abs(face.coordinates(pips.xy)).max(axis=1)
    radius = _det(face.shape) ** 0.25
    like = (pips.light == face.light) & (pips.radius > 0.55 * radius) & (pips.radius < 1.8 * radius)
    contrast = float(pips.contrast[list(face.pips)].mean())
    like &= pips.contrast > 0.4 * contrast
    like[list(face.pips)] = False
    return bool((like & (place < params.face_reach)).any())
