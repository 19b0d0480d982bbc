# SPDX-License-Identifier: MIT
"""
Choose which faces are top faces of dice, and which dice remain in doubt.

The pips of one die make several faces possible: parts of its own pattern, its
side faces, mixtures with a neighbour. The picture itself sorts out most of them
(`vision.geometry.segment`). Of two that want the same pip the larger pattern wins; of two
on one body the one seen less slanted is the top. Where that can't be told, it is
a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry.face import Face
from vision.geometry.pips import Floats
from vision.geometry.segment import Body
from vision.params import ChooseParams


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face with what the picture shows around it, and why it is no die, if it is none."""

    face: Face
    body: Body
    flaw: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """
    Which faces are up.

    Attributes:
        tops: The top faces, one a die.
        sides: Side faces.
        unclear: Pairs of which one is the top and the other a side of the same die,
            without a way to tell which.
    """

    tops: list[Candidate]
    sides: list[Candidate]
    unclear: list[tuple[Candidate, Candidate]]


def overlap(one: Face, other: Face) -> bool:
    """Whether two faces can't both be seen: they share a pip, or one lies in the other."""
    if set(one.pips) & set(other.pips):
        return True
    return _apart(one, other) < 2.0


def same_die(one: Candidate, other: Candidate, params: ChooseParams) -> bool:
    """
    Whether two faces may be two sides of one die.

    They must lie near each other, share an edge's direction and length, and be slanted as
    two sides of a cube can be: a face's roundness is the cosine of its slant, and the
    squares of the cosines of a cube's three visible faces add up to one.
    """
    near = params.neighbour_edges * 2.0
    if not any(
        _chebyshev(a.face, b.face) < near * a.body.half_edge
        for a, b in ((one, other), (other, one))
    ):
        return False
    if one.face.roundness**2 + other.face.roundness**2 > params.most_cosines:
        return False
    return _share_an_edge(one.face, other.face, params)


def _share_an_edge(one: Face, other: Face, params: ChooseParams) -> bool:
    """Whether an edge of one face runs like an edge of the other."""
    lengths = np.linalg.norm(one.axes, axis=0)[:, None], np.linalg.norm(other.axes, axis=0)
    longer = np.maximum(*lengths)
    cosine = np.abs(one.axes.T @ other.axes) / (lengths[0] * lengths[1])
    alike = longer < params.edge_ratio * np.minimum(*lengths)
    return bool((alike & (cosine > np.cos(np.deg2rad(params.edge_turn_deg)))).any())


def top_of(one: Candidate, other: Candidate, params: ChooseParams) -> Candidate | None:
    """
    Which of two faces of a die is up; none where that can't be told.

    Seen steeply from above, the top is the round one. Seen from the side, the top is the
    upper one in the picture, because nobody holds a camera upside down.
    """
    rounder, flatter = sorted((one, other), key=lambda c: -c.face.roundness)
    apart = rounder.face.center - flatter.face.center
    above = -float(apart[1]) / max(float(np.linalg.norm(apart)), 1e-6)
    clear = rounder.face.roundness > params.rounder * flatter.face.roundness
    if above > -params.level:
        return rounder if clear or above > params.level else None
    if flatter.face.roundness < params.least_roundness:
        return rounder
    return flatter if rounder.face.roundness < params.steep else None


def _apart(one: Face, other: Face) -> float:
    """Distance of two faces' centres, in the steps of the one that sees it as nearer."""
    return min(_chebyshev(one, other), _chebyshev(other, one))


def _chebyshev(seen_from: Face, other: Face) -> float:
    return float(np.abs(seen_from.coordinates(other.center[None])).max())


def choose(candidates: list[Candidate], params: ChooseParams) -> Choice:
    """Choose the top faces among faces that the picture agrees with."""
    steps = np.array([c.face.step for c in candidates])
    centers = np.array([c.face.center for c in candidates]).reshape(-1, 2)
    candidates = [c for c in candidates if not _is_made_of_dice(c.face, steps, centers)]
    candidates = _of_one_tray(candidates, params)
    best: list[Candidate] = []
    for candidate in sorted(candidates, key=_strength, reverse=True):
        if not any(overlap(candidate.face, other.face) for other in best):
            best.append(candidate)
    return tops_and_sides(best, params)


def tops_and_sides(
    faces: Sequence[Candidate],
    params: ChooseParams,
    *,
    exclude: Callable[[Candidate, Candidate], bool] = lambda one, other: False,
) -> Choice:
    """
    Sort faces, each die's side faces among them, into tops and sides.

    Args:
        faces: Faces of which none lies in another.
        params: Which faces belong to one die.
        exclude: Whether two faces of different dice can't both be seen; then neither is read.
    """
    sides = [c for c in faces if c.face.roundness < params.least_roundness]
    unclear: list[tuple[Candidate, Candidate]] = []
    for i, one in enumerate(faces):
        for other in faces[i + 1 :]:
            if same_die(one, other, params):
                top = top_of(one, other, params)
                if top is None:
                    unclear.append((one, other))
                else:
                    sides.append(other if top is one else one)
            elif exclude(one, other):
                unclear.append((one, other))
    lost = {id(c) for c in sides} | {id(c) for pair in unclear for c in pair}
    return Choice([c for c in faces if id(c) not in lost], sides, unclear)


def _strength(candidate: Candidate) -> float:
    """Order of trust: many pips first, then how well they lie."""
    return candidate.face.number - candidate.face.residual + 0.5 * candidate.body.even


def _is_made_of_dice(face: Face, steps: Floats, centers: Floats) -> bool:
    """Whether whole faces lie in most of its pips: dice set out in a square are no four."""
    smaller = centers[steps < face.step / face.step_radii]
    if face.number == 1 or not len(smaller):
        return False
    places = face.coordinates(smaller)
    gap = np.linalg.norm(places[:, None] - face.places[None], axis=2).min(axis=0)
    return bool((gap < 0.7 / face.step_radii).sum() * 2 > face.number)


def _of_one_tray(candidates: list[Candidate], params: ChooseParams) -> list[Candidate]:
    """Those whose size and contrast are like those of the clearest faces."""
    if not candidates:
        return []
    most = max(c.face.number for c in candidates)
    telling = [c for c in candidates if c.face.number >= min(most, 4)]
    telling.sort(key=lambda c: -c.body.clearness)
    # The clearer half: two scratches may look like a two, but not so clear a one.
    clear = telling[: (len(telling) + 1) // 2]
    step = float(np.median([c.face.step for c in clear]))
    clearness = float(np.median([c.body.clearness for c in clear]))
    low, high = params.sizes
    return [
        c
        for c in candidates
        if low * step < c.face.step < high * step
        and c.body.clearness > max(params.least_clearness, params.least_share * clearness)
    ]
