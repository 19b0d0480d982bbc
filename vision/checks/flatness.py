# SPDX-License-Identifier: MIT
"""
Ask a net whether each read die lies flat, or leans.

No tile alone shows that: a flat die under a slanted camera looks like a leaning one under another.
So the net is also shown how a flat die would look in this position, as the felt's plane says. A
tile is cut so that the felt's own squares are square in it, and a fourth channel has the outline of
a flat die: its upper face, and the rest of its body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.checks.plane import Plane
from vision.face import SQUARE, Face, Floats, edge_of
from vision.frame import Image
from vision.nets.onnx_net import WEIGHTS, Net
from vision.pyramid import Pyramid
from vision.tiles import TILE_PX, cut_tiles

BODY_PX = 24  # Edge of a face in these tiles; they show the whole body, with what it rests on.

UPPER, BODY = 255, 127
"""Levels of the fourth channel for the upper face and for the rest of a flat die."""

_QUARTER_TURN = np.array([[0.0, -1.0], [1.0, 0.0]])


@dataclass(frozen=True, slots=True, eq=False)
class FlatCuts:
    """Where to cut the bodies of n dice, if they lie flat."""

    centers: Floats  # Middles of their bodies in the picture, (n, 2).
    half_edges: Floats  # Half edges of the cuts, square on the felt, (n, 2, 2).
    downs: Floats  # From the middle of the upper face to the foot, in edges of the cut, (n, 2).


class FlatnessNet:
    """The net and how it is asked; threads may share it. WeightsError without a sound file."""

    def __init__(self, weights: Path = WEIGHTS / "flatness.onnx") -> None:
        self._net = Net(weights)

    def leans(self, pyramid: Pyramid, faces: Sequence[Face], plane: Plane, downs: Floats) -> Floats:
        """
        Return the odds that each die leans, as a natural logarithm, (n,).

        `downs` is where the feet of flat dice are, in edges from the faces, (n, 2).
        """
        centers = np.array([face.center for face in faces]).reshape(-1, 2)
        cuts = cut_flat(
            centers,
            np.array([face.half_edges for face in faces]).reshape(-1, 2, 2),
            plane.axes_at(centers),
            downs * np.array([[face.edge_px] for face in faces]).reshape(-1, 1),
        )
        return self.leans_of_cuts(pyramid, cuts)

    def leans_of_cuts(self, pyramid: Pyramid, cuts: FlatCuts) -> Floats:
        """
        Return the odds that each die leans, as a natural logarithm, (n,).

        The net learnt from tiles in every quarter turn, and errs less in the mean of all four.
        """
        if not len(cuts.centers):
            return np.empty(0)
        turns = [np.linalg.matrix_power(_QUARTER_TURN, count) for count in range(4)]
        half_edges = np.concatenate([cuts.half_edges @ turn for turn in turns])
        downs = np.concatenate([cuts.downs @ turn for turn in turns])
        tiles = cut_tiles(pyramid, np.tile(cuts.centers, (4, 1)), half_edges, face_px=BODY_PX)
        outlines = np.stack([draw_flat(down) for down in downs])[..., None]
        rows = self._net.run_tiles(np.concatenate([tiles, outlines], axis=3))
        return np.asarray(rows[:, 0].reshape(4, -1).mean(axis=0, dtype=np.float64))


def cut_flat(centers: Floats, half_edges: Floats, axes: Floats, downs_px: Floats) -> FlatCuts:
    """
    Return where to cut dice so that a flat one is upright and square.

    Args:
        centers: Middles of the upper faces, (n, 2).
        half_edges: Their half edges, (n, 2, 2).
        axes: Two columns each, along two axes of the felt that are at right angles and equally
            long, seen in that place, in any unit, (n, 2, 2).
        downs_px: From the middles to where the feet of flat dice are, in pixels, (n, 2).
    """
    square = square_on_felt(half_edges, axes)
    downs = np.asarray(np.linalg.solve(2.0 * square, downs_px[:, :, None])[:, :, 0])
    return FlatCuts(centers + downs_px / 2.0, square, downs)


def square_on_felt(half_edges: Floats, axes: Floats) -> Floats:
    """
    Return faces of the same turn and size that are squares on the felt, (n, 2, 2).

    Args:
        half_edges: The half edges of the faces, (n, 2, 2).
        axes: As in `cut_flat`.
    """
    # Seen from above, the picture's axes may turn the other way.
    axes = axes * np.where(np.linalg.det(axes) < 0.0, -1.0, 1.0)[:, None, None] ** np.array([0, 1])
    left, _, right = np.linalg.svd(np.linalg.solve(axes, half_edges))
    square = axes @ left @ right
    sizes = [edge_of(one) / edge_of(other) for one, other in zip(half_edges, square, strict=True)]
    return np.asarray(square * np.array(sizes).reshape(-1, 1, 1))


def draw_flat(down: Floats) -> Image:
    """
    Return the fourth channel, (64, 64): the outline of a flat die with its foot `down` edges away.
    """
    upper = (SQUARE / 2.0 - down / 2.0) * BODY_PX + (TILE_PX - 1) / 2.0
    body = cv2.convexHull(np.concatenate([upper, upper + down * BODY_PX]).astype(np.float32))
    drawn = np.zeros((TILE_PX, TILE_PX), np.uint8)
    for outline, level in ((body, BODY), (upper, UPPER)):
        corners = np.rint(outline * 16.0).astype(np.int32)
        cv2.fillConvexPoly(drawn, corners, level, cv2.LINE_AA, shift=4)
    return drawn
