# SPDX-License-Identifier: MIT
"""Upper faces and candidates made by hand, for tests of what the reader does with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.face import Face
from vision.nets.finder import Proposal
from vision.nets.weighing import Evidence, Verdict
from vision.tile_verdicts import Candidate
from vision.tiles import TILE_PX

EDGE_PX = 60.0


def make_face(
    x: float,
    y: float,
    *,
    number: int = 5,
    edge_px: float = EDGE_PX,
    turn_deg: float = 0.0,
    foot: tuple[float, float] = (0.0, 0.0),
    foot_error: float = 0.03,
    odd: float = 0.0,
    confidence: float = 0.999,
) -> Face:
    """Return a square face of a white die around (x, y)."""
    turn = np.deg2rad(turn_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    return Face(
        center=np.array([x, y]),
        half_edges=np.array([(cos, -sin), (sin, cos)]) * edge_px / 2.0,
        number=number,
        foot=np.array(foot),
        foot_error=foot_error,
        odd=odd,
        is_light=True,
        bgr=np.array([225.0, 230.0, 230.0]),
        confidence=confidence,
    )


def make_candidate(face: Face, *, die: float, right: float, blown: float = 0.0) -> Candidate:
    """Return a candidate with this verdict."""
    tile = np.full((TILE_PX, TILE_PX, 3), 120, np.uint8)
    rows = round(blown * TILE_PX)
    tile[TILE_PX // 2 - rows // 2 :][:rows] = 255
    even = np.full(7, 1.0 / 7.0)
    evidence = Evidence(make_proposal(face.center), even, even, even)
    return Candidate(face, tile, evidence, Verdict(face.number, die, right))


def make_proposal(
    center: Sequence[float] | NDArray[np.float64] = (0.0, 0.0),
    half_edges: NDArray[np.float64] | None = None,
    *,
    likeness: float = 0.5,
    odd: float = 0.0,
) -> Proposal:
    """Return what a finder proposes; its maps are as sure of a die there as the proposal is."""
    halves = 20.0 * np.eye(2) if half_edges is None else half_edges
    return Proposal(np.array(center), halves, likeness, odd, die=likeness, thing=1.0 - likeness)
