# SPDX-License-Identifier: MIT
"""
Find the upper face of a die whose number is known and whose place is known roughly.

A box says little: it may enclose the whole die with a margin. So the tile net, which learnt from
scenes, puts many cuts of the box right, and the one that shows the known number best is taken. It
is believed only if most cuts end at the same face, and if the pips or both nets confirm it. What
is not believed teaches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.face import SQUARE, edge_of
from vision.frame import Image
from vision.nets.pip_count import count_pips
from vision.nets.tile_net import LearnedOpinion, TileNet, TileOutputs
from vision.pyramid import Pyramid
from vision.tile_verdicts import CLEAR_LEVELS, body_colour, measure_contrast
from vision.tiles import cut_tiles
from vision.training.cuts import Cuts, select_cuts
from vision.training.labels import LEAST_EDGE_PX, MOST_PIPS
from vision.training.photographs.manifest import Box, BoxKind

_TURNS_DEG = (0.0, 22.0, 45.0, 67.0)
_SHIFTS = np.array([(0.0, 0.0), (0.12, 0.12), (-0.12, 0.12), (0.12, -0.12), (-0.12, -0.12)])
"""Where cuts begin, in edges off the middle of the box."""

_BEST, _TIMES = 8, 3  # How many cuts are put right, and how often.
_LEAST_NUMBER = 0.5  # Least probability of the known number.

_SURE_NUMBER, _SURE_OPINION, _SURE_EDGE_PX, _SURE_FROM = 0.7, 0.8, 16.0, 3
"""
Both nets' least probabilities, the least edge and the least number, if the pips are not counted
right: one or two pips do not show where a face ends.
"""

_LEAST_CONTRAST = 10.0  # Grey levels between body and pips below which they are other spots.

_LEAST_ALIKE = 6
_ALIKE = 0.12
"""How far two cuts of the same face are apart, in edges and as a logarithm of their sizes."""

_MOST_SQUEEZE = 3.5

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Fit:
    """How upper faces lie in boxes of one kind."""

    sizes: tuple[float, ...]  # Sizes of cuts to begin with, as shares of the box.
    spans: tuple[float, float]  # Least and most extent of a face, as shares of the box.
    beyond: float  # How far a face may reach beyond the box, in edges.


_FITS = {
    BoxKind.WHOLE: _Fit((0.65, 0.8, 0.95), (0.45, 1.1), 0.16),
    BoxKind.UPPER: _Fit((0.85, 1.0), (0.75, 1.4), 0.3),
}


@dataclass(frozen=True, slots=True, eq=False)
class FoundFace:
    """An upper face in a photograph, in its pixels."""

    box: Box
    center: _Floats  # Its centre, (2,).
    half_edges: _Floats  # Its half edges, (2, 2).
    pips: _Floats  # Its pips, (6, 2); NaN beyond the number, and everywhere if they are not known.
    contrast: float  # How much lighter the body is than the pips, in grey levels; NaN if unknown.

    @property
    def quad(self) -> _Floats:
        """Its corners, clockwise in the picture, (4, 2)."""
        return np.asarray(self.center + SQUARE @ self.half_edges.T)

    @property
    def is_light(self) -> float:
        """1 if the body is lighter than the pips, 0 if it is darker, NaN if that is unclear."""
        is_clear = abs(self.contrast) > CLEAR_LEVELS
        return float(self.contrast > 0.0) if is_clear else float("nan")


class FaceFinder:
    """Finds upper faces in boxes; WeightsError if the weights of a net are missing or torn."""

    def __init__(self, weights: Path) -> None:
        self._tile_net = TileNet(weights / "tile.onnx")
        self._opinion = LearnedOpinion(weights / "opinion.onnx")

    def find(self, pyramid: Pyramid, box: Box) -> FoundFace | None:
        """Return the upper face of a die; `None` if it is not found for sure."""
        cuts, tiles, outputs = self._put_right(pyramid, box)
        shares = outputs.shares[:, box.number]
        counts = [
            count_pips(outputs.maps[i], outputs.centers[i], outputs.half_edges[i], tile=tile)
            for i, tile in enumerate(tiles)
        ]
        agrees = np.array([count.number == box.number for count in counts])
        best = int(np.argmax(shares * (0.2 + agrees)))
        right = _correct(select_cuts(cuts, np.array([best])), outputs.pick([best]))
        center, face = right.centers[0], right.half_edges[0]
        pips = np.full((MOST_PIPS, 2), np.nan)
        contrast = float("nan")
        if agrees[best]:
            pips[: box.number] = center + counts[best].places @ (2.0 * face).T
            colour = body_colour(tiles[best], counts[best])
            contrast = measure_contrast(tiles[best], counts[best], colour)
        found = FoundFace(box, center, face, pips, contrast)
        if shares[best] < _LEAST_NUMBER or not _fits(found):
            return None
        if _count_alike(cuts, best) < _LEAST_ALIKE:
            return None
        if not agrees[best]:
            opinion = float(self._opinion.judge(tiles[best : best + 1])[0, box.number])
            is_sure = shares[best] >= _SURE_NUMBER and opinion >= _SURE_OPINION
            if not is_sure or edge_of(face) < _SURE_EDGE_PX or box.number < _SURE_FROM:
                return None
        return None if abs(contrast) < _LEAST_CONTRAST else found

    def _put_right(self, pyramid: Pyramid, box: Box) -> tuple[Cuts, Image, TileOutputs]:
        """Return the best cuts of a box after the net put them right, with what it says of them."""
        cuts = _begin(box)
        tiles = cut_tiles(pyramid, cuts.centers, cuts.half_edges)
        outputs = self._tile_net.estimate(tiles)
        best = np.argsort(-outputs.shares[:, box.number], kind="stable")[:_BEST]
        cuts, outputs = select_cuts(cuts, best), outputs.pick(best.tolist())
        for _ in range(_TIMES):
            cuts = _correct(cuts, outputs)
            tiles = cut_tiles(pyramid, cuts.centers, cuts.half_edges)
            outputs = self._tile_net.estimate(tiles)
        return cuts, tiles, outputs


def _begin(box: Box) -> Cuts:
    """Return cuts in all turns, each as large as it fits into a share of the box."""
    middle = np.array([box.x + box.width / 2.0, box.y + box.height / 2.0]) - 0.5
    half = np.diag([box.width, box.height]) / 2.0
    centers, halves = [], []
    for turn in np.deg2rad(_TURNS_DEG):
        cosine, sine = np.cos(turn), np.sin(turn)
        turned = half @ np.array([(cosine, -sine), (sine, cosine)]) / (abs(cosine) + abs(sine))
        for size in _FITS[box.kind].sizes:
            for shift in _SHIFTS:
                centers.append(middle + 2.0 * size * turned @ shift)
                halves.append(size * turned)
    return Cuts(np.array(centers), np.array(halves))


def _correct(cuts: Cuts, outputs: TileOutputs) -> Cuts:
    edges = 2.0 * cuts.half_edges
    centers = cuts.centers + np.einsum("nij,nj->ni", edges, outputs.centers)
    return Cuts(centers, edges @ outputs.half_edges)


def _fits(face: FoundFace) -> bool:
    fit, box = _FITS[face.box.kind], face.box
    low, high = face.quad.min(axis=0), face.quad.max(axis=0)
    begin = np.array([box.x, box.y])
    size = np.array([box.width, box.height])
    edge = edge_of(face.half_edges)
    spans = (high - low) / size
    beyond = max((begin - low).max(), (high - begin - size).max()) / edge
    return bool(
        edge >= LEAST_EDGE_PX
        and spans.min() >= fit.spans[0]
        and spans.max() <= fit.spans[1]
        and beyond <= fit.beyond
        and np.linalg.cond(face.half_edges) <= _MOST_SQUEEZE
    )


def _count_alike(cuts: Cuts, best: int) -> int:
    edges = 2.0 * np.sqrt(np.abs(np.linalg.det(cuts.half_edges)))
    apart = np.linalg.norm(cuts.centers - cuts.centers[best], axis=1) / edges[best]
    is_alike = (apart < _ALIKE) & (np.abs(np.log(edges / edges[best])) < _ALIKE)
    return int(is_alike.sum())
