# SPDX-License-Identifier: MIT
"""
Find where dice lie, of whatever colour, on whatever ground.

A fully convolutional net looks at a small copy of the picture and tells maps (see
`vision.learned.maps`). It knows dice of 7 to 60 pixels an edge, so it looks at a copy of 320
pixels and one of 160, and where dice are small or none is found at a larger one as
well. Where the size is known, one look is enough.

A proposal is no reading: whether it is a face, and which, is for the two opinions.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.learned.maps import CELL_PX, Channel, Faces, read_maps, sigmoid
from vision.learned.net import WEIGHTS, Net

_MULTIPLE_PX = 16
"""The net halves its input four times."""

_BEYOND = (127, 127, 127)
"""What lies beyond the picture: the grey that the net takes for 0, as its own borders."""


@dataclass(frozen=True, slots=True)
class FinderParams:
    """
    How the finder looks.

    Attributes:
        least_likeness: Proposals below are left out.
        sure_likeness: From here on a proposal tells how large the dice are.
        surest_share: Share of the best likeness from which on it tells how small they are.
        least_apart: Middles of two faces are at least this far apart, in half edges; two
            dice side by side have 2, one on the other about 1.
        first_px: Long side of the copy looked at first.
        near_px: Long side of the copy for dice that fill the picture.
        far_px: Long side of the copy for small dice.
        least_edge_px: Median edge in the first copy under which the far one is asked as well.
        well_seen_px: Edges in a copy that the net knows best.
        twin_size: Two proposals in one place that differ less in size are one.
        best_edge_px: Edge in the copy when the size of the dice is known.
        most_px: Longest side of a copy for dice of a known size; a bound on time.
    """

    least_likeness: float = 0.1
    sure_likeness: float = 0.3
    surest_share: float = 0.75
    least_apart: float = 1.0
    first_px: int = 320
    near_px: int = 160
    far_px: int = 640
    least_edge_px: float = 14.0
    well_seen_px: tuple[float, float] = (10.0, 50.0)
    twin_size: float = 1.6
    best_edge_px: float = 18.0
    most_px: int = 960


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """
    Where an upper face may lie, in pixels of the given picture.

    Attributes:
        center: Its middle, (2,).
        half_edges: Two columns, from the middle to the middles of two neighbouring sides,
            the second clockwise from the first, (2, 2).
        likeness: That there is a die's upper face, 0 to 1.
        odd: How likely it is cocked, stacked, hidden or cut off, 0 to 1.
    """

    center: NDArray[np.float64]
    half_edges: NDArray[np.float64]
    likeness: float
    odd: float

    @property
    def edge_px(self) -> float:
        """Mean length of the face's sides."""
        (a, b), (c, d) = self.half_edges.tolist()
        return 2.0 * float(abs(a * d - b * c) ** 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """
    What the finder saw.

    Attributes:
        proposals: The likeliest first.
        die_map: How likely each place is part of a die, (h, w), 0 to 1.
        thing_map: How likely it is part of a thing that is no die, (h, w), 0 to 1.
        scale: Pixels of the maps a pixel of the picture.
    """

    proposals: tuple[Proposal, ...]
    die_map: NDArray[np.float32]
    thing_map: NDArray[np.float32]
    scale: float

    def proposes(self, place: tuple[float, float], radius_px: float, least: float) -> bool:
        """
        Return whether a face is proposed at a place of the picture.

        Args:
            place: Its middle.
            radius_px: How far from it the face may have its own.
            least: How likely it must be, 0 to 1.
        """
        return any(
            float(np.linalg.norm(proposal.center - place)) < radius_px
            for proposal in self.proposals
            if proposal.likeness >= least
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One copy of the picture, what the net told of it, and pixels of it a picture pixel."""

    maps: NDArray[np.float32]
    faces: Faces
    scale: float


class Finder:
    """
    The net and how it is asked; may be shared by threads.

    Args:
        weights: An ONNX file.
        params: How it looks; the defaults where none are given.

    Raises:
        WeightsError: There is no such file, or it holds no net.
    """

    def __init__(
        self, weights: Path = WEIGHTS / "finder.onnx", params: FinderParams | None = None
    ) -> None:
        self._net = Net(weights)
        self._params = params or FinderParams()

    def find(self, image_bgr: Image, *, edge_px: float | None = None) -> Sighting:
        """
        Propose upper faces.

        Args:
            image_bgr: Shape (height, width, 3), uint8.
            edge_px: How long a die's edge is in the picture, where that is known.

        Raises:
            ValueError: The picture is no colour picture, or an edge is not above 0.
        """
        if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or not image_bgr.size:
            raise ValueError(f"a colour picture expected, not one of {image_bgr.shape}")
        if edge_px is None:
            return self._seen(self._looks(image_bgr))
        if edge_px <= 0:
            raise ValueError(f"an edge of {edge_px} pixels")
        long_px = max(image_bgr.shape[:2])
        wanted_px = long_px * self._params.best_edge_px / edge_px
        return self._seen([self._look(image_bgr, min(round(wanted_px), self._params.most_px))])

    def _looks(self, image_bgr: Image) -> list[_Look]:
        """Looks at a copy for usual dice, one for large ones, and one for small ones if need be."""
        params = self._params
        looks = [self._look(image_bgr, long_px) for long_px in (params.first_px, params.near_px)]
        edges = np.concatenate([self._surest_edges(look) / look.scale for look in looks])
        small = params.least_edge_px / looks[0].scale
        # What is small in the first copy is seen better in a larger one.
        if not len(edges) or float(np.median(edges)) < small:
            looks.append(self._look(image_bgr, params.far_px))
        return looks

    def _look(self, image_bgr: Image, long_px: int) -> _Look:
        height, width = image_bgr.shape[:2]
        scale = min(1.0, max(long_px, _MULTIPLE_PX) / max(height, width))
        size_wh = max(1, round(width * scale)), max(1, round(height * scale))
        small = _shrunk(image_bgr, size_wh)
        right, bottom = -size_wh[0] % _MULTIPLE_PX, -size_wh[1] % _MULTIPLE_PX
        padded = cv2.copyMakeBorder(small, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=_BEYOND)
        maps = self._net.run(np.asarray(cv2.dnn.blobFromImage(padded), dtype=np.float32))[0]
        maps = maps[:, : -(-size_wh[1] // CELL_PX), : -(-size_wh[0] // CELL_PX)]
        faces = read_maps(
            maps,
            least_likeness=self._params.least_likeness,
            least_apart=self._params.least_apart,
        )
        return _Look(maps, faces, scale)

    def _sure_edges(self, look: _Look) -> NDArray[np.float64]:
        """Edges of the sure faces in a copy."""
        sure = look.faces.half_edges[look.faces.likeness >= self._params.sure_likeness]
        return _edges(sure)

    def _surest_edges(self, look: _Look) -> NDArray[np.float64]:
        """Edges of the likeliest faces in a copy: strays come in all sizes, but less likely."""
        likeness = look.faces.likeness
        best = float(likeness.max(initial=0.0))
        least = max(self._params.sure_likeness, self._params.surest_share * best)
        return _edges(look.faces.half_edges[likeness >= least])

    def _seen(self, looks: list[_Look]) -> Sighting:
        """What several looks tell together; the maps are of the one that saw most dice well."""
        low, high = self._params.well_seen_px

        def well_seen(look: _Look) -> int:
            edges = self._sure_edges(look)
            return int(((edges > low) & (edges < high)).sum())

        best = max(looks, key=well_seen)
        return Sighting(
            proposals=_each_once(looks, self._params),
            die_map=sigmoid(best.maps[Channel.DIE]),
            thing_map=sigmoid(best.maps[Channel.THING]),
            scale=best.scale / CELL_PX,
        )


def _shrunk(image: Image, size_wh: tuple[int, int]) -> Image:
    """A small copy. Halves first: OpenCV does those three times as fast as all at one go."""
    height, width = image.shape[:2]
    while width % 2 == height % 2 == 0 and width >= 2 * size_wh[0] and height >= 2 * size_wh[1]:
        width, height = width // 2, height // 2
        halved = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
        image = np.asarray(halved, dtype=np.uint8)
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _edges(half_edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean edge of faces, (n,)."""
    return np.asarray(2.0 * np.sqrt(np.abs(np.linalg.det(half_edges))))


def _each_once(looks: list[_Look], params: FinderParams) -> tuple[Proposal, ...]:
    """All proposals, the likeliest first, each face but once however many looks saw it."""
    centers = np.concatenate([(look.faces.centers + 0.5) / look.scale - 0.5 for look in looks])
    half_edges = np.concatenate([look.faces.half_edges / look.scale for look in looks])
    likeness = np.concatenate([look.faces.likeness for look in looks])
    odd = np.concatenate([look.faces.odd for look in looks])
    size = _edges(half_edges) / 2.0
    large = np.maximum(size[:, None], size)
    apart = np.linalg.norm(centers[:, None] - centers, axis=2)
    # A pip may pass for a face in one copy; it is no twin of the face it lies on.
    twins = (apart < params.least_apart * large) & (
        large < params.twin_size * np.minimum(size[:, None], size)
    )
    kept: list[int] = []
    for index in np.argsort(-likeness, kind="stable"):
        if not twins[index, kept].any():
            kept.append(int(index))
    return tuple(
        Proposal(centers[i], half_edges[i], float(likeness[i]), float(odd[i])) for i in kept
    )
