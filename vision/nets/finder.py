# SPDX-License-Identifier: MIT
"""
Find where dice lie, of whatever colour, on whatever ground.

A fully convolutional net looks at a small copy of the picture and returns maps (see
`vision.nets.heatmaps`). It knows dice of 7 to 60 pixels an edge. One look at a copy of 256
pixels is mostly enough; only if dice are small, very large or not found it looks at another
one. If the size is known, one look is always enough.

A proposal is no reading: whether it is a face, and which, is for the two opinions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.face import Floats, edge_of
from vision.frame import Image
from vision.nets.heatmaps import CELL_PX, Channel, Faces, read_maps, sigmoid
from vision.nets.onnx_net import WEIGHTS, Net
from vision.pyramid import Pyramid

_MULTIPLE_PX = 16  # The net halves its input four times.
_BEYOND = 127.0  # Beyond the picture: the grey that the net takes for 0, as its own borders.


_LEAST_LIKENESS = 0.1  # Proposals below are left out.
_SURE_LIKENESS = 0.3  # From here on a proposal shows how large the dice are.
_SUREST_SHARE = 0.75  # Share of the best likeness that shows how small they are.
# Centres of two faces are at least this far apart, in half edges; two dice side by side have 2, one
# on the other about 1. Among touching dice faces are seen too large, and too near to each other.
_LEAST_APART = 0.6
_FIRST_PX = 256  # Long side of the copy looked at first.
# Long sides of the other copies, for dice that fill the picture and small ones.
_COPIES_PX = (128, 512, 960)
_WELL_SEEN_PX = (10.0, 48.0)  # Edges in a copy that the net knows best.
_TWIN_SIZE = 1.6  # Two proposals in one place that differ less in size are one.
_BEST_EDGE_PX = 18.0  # Edge in the copy if the size of the dice is known.
_MOST_PX = 960  # Longest side of a copy for dice of a known size; a bound on time.


# Without slots, because proposals are compared by their edges again and again.
@dataclass(frozen=True, eq=False)
class Proposal:
    """Where an upper face may lie, in pixels of the given picture."""

    center: Floats  # Its middle, (2,).
    # Two columns, from the middle to the middles of two neighbouring sides, the second clockwise
    # from the first, (2, 2).
    half_edges: Floats
    likeness: float  # That there is a die's upper face, 0 to 1.
    odd: float  # How likely it is cocked, stacked, hidden or cut off, 0 to 1.
    die: float  # Mean probability that a place on the face belongs to a die.
    thing: float  # The same of another object.

    @cached_property
    def edge_px(self) -> float:
        """Mean length of the face's sides."""
        return edge_of(self.half_edges)


@dataclass(frozen=True, slots=True, eq=False)
class FinderPass:
    """The result of one copy of the picture; `scale` is its pixels per picture pixel."""

    maps: NDArray[np.float32]
    faces: Faces
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """What the finder saw."""

    proposals: tuple[Proposal, ...]  # The likeliest first.
    die_map: NDArray[np.float32]  # How likely each place is part of a die, (h, w), 0 to 1.
    thing_map: NDArray[np.float32]  # The same of a thing that is no die, (h, w), 0 to 1.
    scale: float  # Pixels of the maps per pixel of the picture.
    passes: tuple[FinderPass, ...] = ()  # Those of all copies of the picture.


class Finder:
    """The net and how it is asked; threads may share it. WeightsError without a sound file."""

    def __init__(
        self, weights: Path = WEIGHTS / "finder.onnx", *, least_likeness: float = _LEAST_LIKENESS
    ) -> None:
        self._net = Net(weights)
        self._least_likeness = least_likeness

    def find(self, image_bgr: Image | Pyramid, *, edge_px: float | None = None) -> Sighting:
        """
        Propose upper faces; `edge_px` is how long a die's edge is in the picture, where that is
        known.

        Raises:
            ValueError: The picture is no colour picture, or an edge is not above 0.
        """
        pyramid = image_bgr if isinstance(image_bgr, Pyramid) else Pyramid(image_bgr)
        shape = pyramid.image.shape
        if len(shape) != 3 or shape[2] != 3 or 0 in shape:
            raise ValueError(f"expected a colour picture, found one of shape {shape}")
        if edge_px is not None:
            if edge_px <= 0:
                raise ValueError(f"expected an edge above 0 pixels, found {edge_px}")
            wanted_px = max(shape[:2]) * _BEST_EDGE_PX / edge_px
            return _merge_passes([self._run_pass(pyramid, min(round(wanted_px), _MOST_PX))])
        passes = [self._run_pass(pyramid, _FIRST_PX)]
        better_px = _better_px(passes[0].faces)
        if better_px is not None:
            passes.append(self._run_pass(pyramid, better_px))
        return _merge_passes(passes)

    def find_more(self, pyramid: Pyramid, sighting: Sighting) -> Sighting:
        """Add a pass over a copy that shows the dice in another size, if there is such a copy."""
        long_px = max(pyramid.image.shape[:2])
        done = [round(one.scale * long_px) for one in sighting.passes]
        left = [
            px
            for px in sorted(_COPIES_PX, key=lambda px: px < max(done))
            if not any(0.75 < px / other < 1.33 for other in done) and px < 1.2 * long_px
        ]
        if not left:
            return sighting
        return _merge_passes([*sighting.passes, self._run_pass(pyramid, left[0])])

    def _run_pass(self, pyramid: Pyramid, long_px: int) -> FinderPass:
        height, width = pyramid.image.shape[:2]
        scale = min(1.0, max(long_px, _MULTIPLE_PX) / max(height, width))
        size_wh = max(1, round(width * scale)), max(1, round(height * scale))
        small = pyramid.shrunk(size_wh)
        whole = [-(-side // _MULTIPLE_PX) * _MULTIPLE_PX for side in small.shape[:2]]
        blob = np.full((1, 3, *whole), _BEYOND, np.float32)
        blob[0, :, : size_wh[1], : size_wh[0]] = small.transpose(2, 0, 1)
        maps = self._net.run(blob)[0]
        maps = maps[:, : -(-size_wh[1] // CELL_PX), : -(-size_wh[0] // CELL_PX)]
        faces = read_maps(maps, least_likeness=self._least_likeness, least_apart=_LEAST_APART)
        return FinderPass(maps, faces, scale)


def _better_px(faces: Faces) -> int | None:
    """Return the long side of a copy that shows these faces better; `None` if this one does."""
    # Only the likeliest faces count: false ones come in all sizes.
    best = _SUREST_SHARE * float(faces.likeness.max(initial=0.0))
    edges = _edges(faces.half_edges[faces.likeness >= max(_SURE_LIKENESS, best)])
    smaller, *larger = _COPIES_PX
    if not len(edges):
        return larger[0]
    low, high = _WELL_SEEN_PX
    edge = float(np.median(edges))
    if edge < low:
        return larger[0] if edge * larger[0] > low * _FIRST_PX else larger[1]
    return smaller if edge > high else None


def _merge_passes(passes: Sequence[FinderPass]) -> Sighting:
    """Merge several passes; the maps are those of the pass that saw most dice well."""
    low, high = _WELL_SEEN_PX

    def count_well_seen(one: FinderPass) -> int:
        edges = _edges(one.faces.half_edges[one.faces.likeness >= _SURE_LIKENESS])
        return int(((edges > low) & (edges < high)).sum())

    best = max(passes, key=count_well_seen)
    return Sighting(
        proposals=_each_once(passes),
        die_map=sigmoid(best.maps[Channel.DIE]),
        thing_map=sigmoid(best.maps[Channel.THING]),
        scale=best.scale / CELL_PX,
        passes=tuple(passes),
    )


def _edges(half_edges: Floats) -> Floats:
    return np.asarray(2.0 * np.sqrt(np.abs(np.linalg.det(half_edges))))


def _each_once(passes: Sequence[FinderPass]) -> tuple[Proposal, ...]:
    """All proposals, the likeliest first, each face once however many passes saw it."""
    centers = np.concatenate([(one.faces.centers + 0.5) / one.scale - 0.5 for one in passes])
    half_edges = np.concatenate([one.faces.half_edges / one.scale for one in passes])
    likeness = np.concatenate([one.faces.likeness for one in passes])
    names = ("likeness", "odd", "die", "thing")
    shares = [np.concatenate([getattr(one.faces, name) for one in passes]) for name in names]
    size = _edges(half_edges) / 2.0
    large = np.maximum(size[:, None], size)
    apart = np.linalg.norm(centers[:, None] - centers, axis=2)
    # A pip may pass for a face in one copy; it is no twin of the face it lies on.
    twins = (apart < _LEAST_APART * large) & (large < _TWIN_SIZE * np.minimum(size[:, None], size))
    kept: list[int] = []
    for index in np.argsort(-likeness, kind="stable"):
        if not twins[index, kept].any():
            kept.append(int(index))
    return tuple(
        Proposal(centers[i], half_edges[i], *(float(share[i]) for share in shares)) for i in kept
    )
