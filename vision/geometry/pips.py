# SPDX-License-Identifier: MIT
"""
Find round spots that may be pips: small, closed, of one contrast all around.

A pip is a basin: dark in a lighter body or light in a darker one, closed on all
sides. Morphological closing fills exactly the basins smaller than its window, up
to the level at which they would spill, whatever the ground beyond the die looks
like. The depth of the filling is the pip's contrast, and where it is half full
runs about the pip's outline. A pyramid lets one window size serve all pip sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.params import PipParams

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_RING = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
_RING_XY = np.stack([np.cos(_RING), np.sin(_RING)], axis=1)


@dataclass(frozen=True, slots=True)
class Pips:
    """
    Spots that may be pips, as parallel arrays of length n, in pixels of the work picture.

    Attributes:
        xy: Centres, (n, 2).
        shape: Squared semi-axis matrices of the ellipses, (n, 2, 2).
        radius: Geometric mean of the semi-axes, (n,).
        light: Whether the pip is lighter than its body, (n,).
        contrast: Grey levels between body and pip, positive, (n,).
        body: Grey level of the body around it, (n,).
        closed: Share of the ring around it that looks like body, 0 to 1, (n,).
        fill: Area against that of the ellipse with the same moments, 0 to 1, (n,).
    """

    xy: Floats
    shape: Floats
    radius: Floats
    light: Bools
    contrast: Floats
    body: Floats
    closed: Floats
    fill: Floats

    def __len__(self) -> int:
        return len(self.radius)

    def take(self, which: NDArray[np.intp] | Bools) -> Pips:
        """Return only the spots at these places."""
        return Pips(
            self.xy[which],
            self.shape[which],
            self.radius[which],
            self.light[which],
            self.contrast[which],
            self.body[which],
            self.closed[which],
            self.fill[which],
        )

    def moved(self, by: Floats) -> Pips:
        """Return the same spots in a picture that begins elsewhere."""
        return replace(self, xy=self.xy + by)

    def grown(self, scale: float) -> Pips:
        """Return the same spots in a picture this many times as large."""
        return replace(
            self,
            xy=(self.xy + 0.5) * scale - 0.5,
            shape=self.shape * scale**2,
            radius=self.radius * scale,
        )

    @property
    def clearness(self) -> Floats:
        """Contrast as a share of the lighter of body and pip, (n,)."""
        lighter = np.where(self.light, self.body + self.contrast, self.body)
        return np.asarray(self.contrast / np.maximum(lighter, 1.0))

    @property
    def roundness(self) -> Floats:
        """Minor against major axis, (n,)."""
        mean = (self.shape[:, 0, 0] + self.shape[:, 1, 1]) / 2.0
        det = self.radius**4
        spread = np.sqrt(np.maximum(mean**2 - det, 0.0))
        return np.asarray(np.sqrt((mean - spread) / (mean + spread)), dtype=np.float64)


def contrast_channel(image_bgr: Image) -> Image:
    """
    Return one grey channel in which coloured pips stand out as well as black ones.

    Half green, half the darkest channel: a saturated pip on white is dark in it, red
    on yellow or orange still differs by its green, white on any colour is bright.
    """
    if image_bgr.ndim == 2:
        return image_bgr
    blue, green, red = cv2.split(image_bgr)
    darkest = cv2.min(cv2.min(blue, green), red)
    return np.asarray(cv2.addWeighted(green, 0.5, darkest, 0.5, 0.0), dtype=np.uint8)


def find_pips(levels: Sequence[Image], params: PipParams) -> Pips:
    """
    Find all spots of a contrast channel that may be pips, of both polarities.

    Args:
        levels: The contrast channel in halving sizes, each (height, width).
        params: What a pip is.

    Returns:
        The spots, each once, the best closed ones first.
    """
    found = [
        pips
        for depth, level in enumerate(levels[: params.levels])
        for light in (False, True)
        for pips in _pips_of_level(level, 2.0**depth, params, light=light)
    ]
    return _each_once(_joined(found), params)


def _pips_of_level(level: Image, scale: float, params: PipParams, *, light: bool) -> list[Pips]:
    """Spots of one polarity between the smallest size and the window of this level."""
    window = np.ones((params.kernel_px, params.kernel_px), np.uint8)
    operation = cv2.MORPH_TOPHAT if light else cv2.MORPH_BLACKHAT
    depth = cv2.morphologyEx(level, operation, window)
    peak = cv2.dilate(depth, np.ones((5, 5), np.uint8))
    # The lighter of body and pip: the filled basin, or the hill before it was cut off.
    lighter = level if light else cv2.add(level, depth)
    share = cv2.convertScaleAbs(lighter, alpha=params.least_clearness)
    floor = np.maximum(share, np.uint8(params.least_contrast))
    deep = cv2.compare(peak, floor, cv2.CMP_GE)
    finest = scale == 1.0
    least = params.smallest_px if finest else params.kernel_px * 0.38
    found = []
    for height in params.outlines[: params.finest_outlines] if finest else params.outlines:
        outline = cv2.max(cv2.convertScaleAbs(peak, alpha=height), cv2.bitwise_not(deep))
        inside = cv2.compare(depth, outline, cv2.CMP_GT)
        labels, stats = _components(np.asarray(inside, dtype=np.uint8))
        wanted = _wanted_components(stats, least, params)
        extent = stats[wanted, 2:4].max(axis=1)
        # Most spots of the finest level are small; they need no large windows.
        half = params.kernel_px // 2 if finest and params.levels > 1 else 0
        for which, side in ((extent <= half, half), (extent > half, params.kernel_px)):
            if which.any():
                found.append(
                    _measured(level, labels, stats, wanted[which], scale, side, params, light=light)
                )
    return found


def _components(mask: Image) -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
    """Labels of the connected components of a mask, and their boxes and areas."""
    # Sixteen bits: OpenCV's fast way, and no picture holds as many spots.
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    return np.asarray(labels, dtype=np.uint16), np.asarray(stats, dtype=np.int32)


def _wanted_components(
    stats: NDArray[np.int32], least: float, params: PipParams
) -> NDArray[np.intp]:
    """Components of the right area and extent."""
    width, height, area = stats[:, 2], stats[:, 3], stats[:, 4]
    fits = (area >= 0.6 * least**2) & (np.maximum(width, height) >= least)
    fits &= np.maximum(width, height) <= params.kernel_px
    # An ellipse fills pi / 4 of its rectangle, a thin one lying askew less.
    fits &= area >= 0.4 * width * height
    fits[0] = False
    return np.flatnonzero(fits)


def _measured(
    level: Image,
    labels: NDArray[np.uint16],
    stats: NDArray[np.int32],
    wanted: NDArray[np.intp],
    scale: float,
    side: int,
    params: PipParams,
    *,
    light: bool,
) -> Pips:
    """Moments and ring of the wanted components, those that are no pips left out."""
    left, top = stats[wanted, cv2.CC_STAT_LEFT], stats[wanted, cv2.CC_STAT_TOP]
    steps = np.arange(side)
    x, y = left[:, None] + steps, top[:, None] + steps
    in_width, in_height = x < level.shape[1], y < level.shape[0]
    at = np.where(in_height, y, 0)[:, :, None], np.where(in_width, x, 0)[:, None, :]
    inside = (labels[at] == wanted[:, None, None]) & in_width[:, None] & in_height[:, :, None]
    inside = inside.astype(np.float32).reshape(len(wanted), -1)
    n = len(wanted)
    area = stats[wanted, cv2.CC_STAT_AREA].astype(np.float64)
    across, down = np.tile(steps, side), np.repeat(steps, side)
    powers = np.stack([across, down, across**2, down**2, across * down], axis=1)
    x_mean, y_mean, xx, yy, xy = (inside @ powers.astype(np.float32) / area[:, None]).T
    inner = np.einsum("nk,nk->n", inside, level[at].reshape(n, -1).astype(np.float32)) / area
    # 1/12: a pixel is a square, not a point.
    xx, yy = xx - x_mean**2 + 1 / 12, yy - y_mean**2 + 1 / 12
    xy = xy - x_mean * y_mean
    x_mean, y_mean = x_mean + left, y_mean + top
    shape = 4.0 * np.stack([np.stack([xx, xy], 1), np.stack([xy, yy], 1)], 1)
    det = np.maximum(shape[:, 0, 0] * shape[:, 1, 1] - shape[:, 0, 1] ** 2, 1e-6)
    fill = area / (np.pi * np.sqrt(det))
    centre = np.stack([x_mean, y_mean], 1)
    body, contrast, closed = _ring(level, centre, shape, det, inner, light=light)
    pips = Pips(
        (centre + 0.5) * scale - 0.5,
        shape * scale**2,
        det**0.25 * scale,
        np.full(n, light),
        contrast,
        body,
        closed,
        fill,
    )
    good = (fill >= params.least_fill) & (closed >= params.least_closed)
    good &= contrast >= params.least_contrast
    good &= pips.roundness >= params.thinnest
    good &= 2.0 * det**0.25 >= params.smallest_px
    return pips.take(good)


def _ring(
    level: Image, centre: Floats, shape: Floats, det: Floats, inner: Floats, *, light: bool
) -> tuple[Floats, Floats, Floats]:
    """Level of the body around each spot, contrast, and how much of the ring is body."""
    half = np.sqrt(det)
    trace = shape[:, 0, 0] + shape[:, 1, 1] + 2.0 * half
    root = (shape + half[:, None, None] * np.eye(2)) / np.sqrt(trace)[:, None, None]
    # 1.2 radii and half a blurred edge: outside this pip, hardly yet in the next.
    points = centre[:, None, :] + 1.2 * (_RING_XY @ root) + 0.7 * _RING_XY
    at = np.rint(points).astype(np.intp)
    at[..., 0] = at[..., 0].clip(0, level.shape[1] - 1)
    at[..., 1] = at[..., 1].clip(0, level.shape[0] - 1)
    ring = level[at[..., 1], at[..., 0]].astype(np.float64)
    ordered = np.sort(ring, axis=1)
    body = (ordered[:, 7] + ordered[:, 8]) / 2.0
    sign = -1.0 if light else 1.0
    contrast = sign * (body - inner)
    off = np.abs(ring - body[:, None])
    closed = (off <= 0.4 * np.maximum(contrast, 1.0)[:, None]).mean(axis=1)
    return body, contrast, np.asarray(closed, dtype=np.float64)


def _joined(parts: list[Pips]) -> Pips:
    """All spots of several lists in one."""
    if not parts:
        return Pips(
            np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros(0), np.zeros(0, bool),
            np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0),
        )  # fmt: skip
    return Pips(
        np.concatenate([p.xy for p in parts]),
        np.concatenate([p.shape for p in parts]),
        np.concatenate([p.radius for p in parts]),
        np.concatenate([p.light for p in parts]),
        np.concatenate([p.contrast for p in parts]),
        np.concatenate([p.body for p in parts]),
        np.concatenate([p.closed for p in parts]),
        np.concatenate([p.fill for p in parts]),
    )


def _each_once(pips: Pips, params: PipParams) -> Pips:
    """Drop what another level saw as well; keep the best of the rest."""
    order = np.argsort(-pips.closed * pips.fill**2 * np.sqrt(pips.contrast), kind="stable")
    pips = pips.take(order[: 2 * params.most])
    apart = np.linalg.norm(pips.xy[:, None] - pips.xy[None], axis=2)
    larger = np.maximum(pips.radius[:, None], pips.radius[None])
    smaller = np.minimum(pips.radius[:, None], pips.radius[None])
    # A die seen as one light spot may lie around its own single pip: not the same.
    near = (apart < 0.7 * larger) & (larger < 1.7 * smaller)
    near &= pips.light[:, None] == pips.light[None]
    earlier = np.tril(near, -1)
    return pips.take(np.flatnonzero(~earlier.any(axis=1))[: params.most])
