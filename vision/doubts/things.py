# SPDX-License-Identifier: MIT
"""
Find things of a die's size that stand out from the ground and are no die that was read.

A die that nobody saw is as wrong as a face misread, and it need not look like a die: its
pips may be in glare, its body may be cut by a shadow. So one look is enough here, on a
copy in which a die is six pixels wide: the median over a few dice is the ground, and
what differs from it and is compact is a thing. Beside read dice only what is light counts,
for dice cast shadows; a pencil is too thin, a sleeve too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.doubts.body import edge_px_of, outlines_of
from vision.doubts.params import ThingParams
from vision.doubts.plane import Plane
from vision.doubts.telling import doubt_at
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.pips import Bools, Floats
from vision.reading import Doubt, DoubtKind

_SQUARE = np.ones((3, 3), np.uint8)
# Rows of the picture that make a row of the small copy: enough for its means.
_ROWS = 2


@dataclass(frozen=True, slots=True)
class Things:
    """
    Compact regions of about a die's size that stand out from the ground.

    Attributes:
        mask: Where they are in the small copy, not 0 there, (h, w).
        scale: Picture pixels a pixel of the small copy.
        reach_px: How far around a pixel of it a region is looked for; a pip is a hole in one.
        whole: Centres of those that lie wholly in the picture and differ from their surround
            on every side, in picture pixels, (n, 2).
    """

    mask: Image
    scale: float
    reach_px: int
    whole: Floats

    def hold(self, points: Floats) -> Bools:
        """Return which points lie on one, (n,)."""
        window = np.ones((2 * self.reach_px + 1,) * 2, np.uint8)
        near = cv2.dilate(self.mask, window)
        height, width = near.shape
        x, y = np.rint((points + 0.5) / self.scale - 0.5).astype(np.intp).T
        return np.asarray(near[y.clip(0, height - 1), x.clip(0, width - 1)] > 0)


def usual_edge_px(tops: Sequence[Candidate]) -> float:
    """Return the median edge of the dice that were read, at least one."""
    return float(np.median([edge_px_of(top) for top in tops]))


def find_things(
    image_bgr: Image,
    tops: Sequence[Candidate],
    params: ThingParams,
    *,
    plane: Plane | None = None,
) -> list[Doubt]:
    """
    Return the doubts about things that are no die that was read.

    Args:
        image_bgr: The picture in whose pixels the faces are.
        tops: All faces that were read; none where no die tells the size of things.
        params: What a thing is.
        plane: The plane of the top faces, which tells how far their sides show.
    """
    if tops:
        edges = [usual_edge_px(tops)]
    else:
        edges = [share * max(image_bgr.shape[:2]) for share in params.shares]
    doubts = []
    for edge in edges:
        things = see_things(image_bgr, edge, params, tops=tops, plane=plane)
        doubts += [doubt_at(DoubtKind.FOREIGN_OBJECT, xy, 0.8 * edge) for xy in things.whole]
    return doubts[: params.most]


def see_things(
    image_bgr: Image,
    edge_px: float,
    params: ThingParams,
    *,
    tops: Sequence[Candidate] = (),
    plane: Plane | None = None,
) -> Things:
    """
    Return the things of about this size.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        edge_px: Edge of a die.
        params: What a thing is.
        tops: Faces of dice that are no things, nor are the shadows they cast.
        plane: Their plane.
    """
    small, shrink = _small_copy(image_bgr, edge_px, params)
    edge = edge_px / shrink
    bright, dark = _standing_out(small, edge, params)
    for outline in outlines_of(tops, plane, grown_by=params.margin_edges):
        corners = np.rint(_in_small(outline, shrink)).astype(np.int32)
        cv2.fillConvexPoly(bright, corners, 0)
    found = np.zeros_like(bright)
    whole: list[Floats] = []
    # Beside dice most of what is dark is a shadow; a dark die is left to the finder.
    for mask in [bright] if tops else [bright, cv2.bitwise_or(bright, dark)]:
        labels, centers = _compact(np.asarray(mask, dtype=np.uint8), edge, params)
        if labels is None:
            continue
        found[labels > 0] = 255
        for label, center in centers.items():
            thing, place = labels == label, (center + 0.5) * shrink - 0.5
            told = any(np.linalg.norm(place - other) < edge_px for other in whole)
            if not told and _stands_apart(small, thing, params):
                whole.append(place)
    reach_px = max(1, round(0.15 * edge))
    return Things(found, shrink, reach_px, np.array(whole).reshape(-1, 2))


def _small_copy(image: Image, edge_px: float, params: ThingParams) -> tuple[Image, int]:
    """A copy in which a die is a few pixels wide, and how many pixels one of its stands for."""
    shrink = _ROWS * max(1, round(edge_px / params.thing_px / _ROWS))
    small_wh = max(image.shape[1] // shrink, 1), max(image.shape[0] // shrink, 1)
    rows = image[: small_wh[1] * shrink : shrink // _ROWS, : small_wh[0] * shrink]
    return np.asarray(cv2.resize(rows, small_wh, interpolation=cv2.INTER_AREA), np.uint8), shrink


def _in_small(points: Floats, shrink: int) -> Floats:
    return np.asarray((points + 0.5) / shrink - 0.5)


def _standing_out(small: Image, edge: float, params: ThingParams) -> tuple[Image, Image]:
    """What is lighter or of another hue than the ground, and what is darker; 255 there."""
    half_wh = max(small.shape[1] // 2, 1), max(small.shape[0] // 2, 1)
    half = cv2.resize(small, half_wh, interpolation=cv2.INTER_AREA)
    # The median over a few dice widths is the ground: dice cover less than half of it.
    median = cv2.medianBlur(half, min(int(edge * params.window_edges / 2.0) | 1, 127))
    ground = cv2.resize(median, small.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    light = _greatest(cv2.subtract(small, ground)) > params.bright_contrast
    dark = _greatest(cv2.subtract(ground, small)) > params.contrast
    tint = np.abs(_hues(small) - _hues(np.asarray(ground, dtype=np.uint8)))
    bright = light | (tint.max(axis=0) > params.tint_contrast)
    return bright.astype(np.uint8) * 255, dark.astype(np.uint8) * 255


def _greatest(image: NDArray[np.generic]) -> Image:
    """The greatest of the three channels."""
    blue, green, red = cv2.split(np.asarray(image, dtype=np.uint8))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def _hues(image_bgr: Image) -> NDArray[np.float32]:
    """Shares of blue and red in the light, 0 to 255; a shadow does not change them."""
    blue, green, red = (channel.astype(np.float32) for channel in cv2.split(image_bgr))
    # The floor keeps noise in the dark from having a hue.
    share = np.float32(255.0) / (blue + green + red + np.float32(150.0))
    return np.stack([blue * share, red * share])


def _compact(
    mask: Image, edge: float, params: ThingParams
) -> tuple[NDArray[np.int32] | None, dict[int, Floats]]:
    """
    Regions of a die's size and about its shape: labels if there are any, centres of whole ones.

    Whole ones lie wholly in the picture: what reaches into it from outside is mostly the
    rim of the tray, a sleeve, a lamp's shine.
    """
    _, labels, stats, centres = cv2.connectedComponentsWithStats(
        mask, connectivity=4, ltype=cv2.CV_32S
    )
    low, high = params.size
    left, top, width, height, area = stats[:, :5].T
    good = (area > low * edge**2) & (area < high * edge**2)
    good &= area > params.fill * width * height
    good[0] = False
    if not good.any():
        return None, {}
    whole = good & (left > 0) & (top > 0)
    whole &= (left + width < mask.shape[1]) & (top + height < mask.shape[0])
    kept = {int(label): centres[label] for label in np.flatnonzero(whole)}
    return np.asarray(labels * good[labels], dtype=np.int32), kept


def _stands_apart(small: Image, thing: Bools, params: ThingParams) -> bool:
    """Whether a thing differs from its surround on all sides, as a corner of a larger does not."""
    colour = small[thing].mean(axis=0)
    near = cv2.dilate(thing.astype(np.uint8), _SQUARE)
    far = cv2.dilate(near, _SQUARE)
    around = small[far > near].astype(np.float64)
    off = np.abs(around - colour).max(axis=1)
    like = off < max(params.contrast, float(np.percentile(off, 90)) / 2.0)
    return bool(like.mean() < params.most_like_surround)
