# SPDX-License-Identifier: MIT
"""
The ground of a tray without dice, and what of a picture differs from it.

It is learnt from several rests with their dice left out, so the tray need not be emptied. Shadows
only darken, so of a pixel's levels a bright one is kept, but never the brightest. The copy is
small, and a pixel may look like its neighbours, so a camera that trembles changes nothing. If much
of the felt differs, the light or the camera changed, and the background must not be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checks.plane import felt_plane, outline_dice
from vision.face import Face, Floats
from vision.frame import Image
from vision.pyramid import Pyramid, size_within
from vision.reading import Doubt
from vision.tray_crop import crop_to_tray
from vision.tray_map import TrayMap

LONG_PX = 480
"""Longer side of a background; the smallest die that is read still has nine pixels there."""

# Rests in which a pixel was free of dice, at least, or one fewer that saw the same there.
LEAST_RESTS = 3
MOST_NEW = 0.12
"""Share of the felt beside the dice above which what is new shows another light or camera."""

MOST_RESTS = 12  # Rests from which the ground is taken, the newest ones: so it heals itself.

_LEVELS = 14.0  # Levels by which a pixel differs at least from the ground around it.
_DARKEST = 0.3  # A shadow leaves at least this share of the light.
_SAME_HUE = 0.12  # How far the channels of a shadow may differ, as a natural logarithm.
# Mean of a logarithm from which on a shadow shows its hue, how many pixels this takes, and how
# strong a hue may be.
_DEEP, _LEAST_SHADE, _MOST_SHADE = -0.1, 200, 0.5
_OFFSET = 10.0  # Added to levels before their ratio is taken: it means little in the dark.
_BRIGHT = 0.8  # Quantile of a pixel's levels that is its ground.
_FEW_RESTS = 4  # With no more rests than these, that quantile may be the shadow of dice.
_LARGE = 0.25  # The same share in one place, where it may be one large object.
_AROUND_EDGES = 0.35  # How far around a die its ground is not compared, in edges.
_RIM = 0.03  # Share of the felt along its outline that is not compared.
_GROWN = 1.2  # How much larger than its face a place is whose look is compared.
_FLAT = 2.0  # Levels of contrast below which a place has no look.
# Drop of the mean level, and its share, of the faint parts of a shadow.
_FAINT_LEVELS, _FAINT_SHARE = 4.0, 0.05
_NEAR, _GAP = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)

_SEEN_SIDES = 0.25
"""Share of a body that its sides are at least, in the picture, to say that they are there."""

_KNOWN_SHARE = 0.3
"""Share of the ground under a face that must be known to say that a die came there."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NewArea:
    """Something new on the felt: its middle (2,), radius and area in pixels of the picture."""

    center: Floats
    radius_px: float
    area_px: float


# Without slots, because a table compares each of its pictures with the same ground.
@dataclass(frozen=True, eq=False)
class Background:
    """The ground without dice, in a small copy of the picture."""

    image: Image  # Shape (h, w, 3), uint8.
    is_known: Mask  # Which pixels were seen often enough, (h, w).
    # The hue of its shadows, (3,): by how much more or less than the mean of the channels each gets
    # darker, as a share of it. A lamp and the sky leave shadows of other colours.
    shade: Floats = field(default_factory=lambda: np.zeros(3))

    def compare(self, small: Image, tray: TrayMap, dice: Mask) -> Change:
        """
        Compare the ground with a copy made by `shrink`, in which `dice` belong to dice, (h, w).
        """
        beside = _felt_mask(tray, small.shape[:2]) & self.is_known & ~dice
        ground = self._levels
        gain = _gain(small, ground, beside)
        # In rows, because NumPy takes five times as long to divide pixel by pixel.
        height, width = small.shape[:2]
        rows = np.asarray(small.reshape(height, -1) / np.tile(gain, width), np.float32)
        seen = rows.reshape(small.shape)
        differs = (cv2.inRange(seen, *self._around) == 0) & self.is_known
        is_solid = differs.copy()
        # Few pixels may be shadows, and logarithms of all take long.
        maybe = differs & _is_attached(self._is_darker(seen), dice)
        ratios = _log_ratios(seen, ground, maybe)
        is_solid[maybe] = ~_is_shadow(ratios, self.shade)
        is_new = is_solid & beside
        felt = float(beside.sum())
        new_share = float(is_new.sum()) / felt if felt else 1.0
        is_sick = new_share > MOST_NEW and not _is_one_object(is_new, felt, seen, ground)
        scale = small.shape[1] / tray.picture_wh[0]
        known = self.is_known
        return Change(
            seen, ground, differs, known, is_solid, is_new, maybe & beside, gain, scale, new_share,
            is_sick,
        )  # fmt: skip

    @cached_property
    def _levels(self) -> NDArray[np.float32]:
        return self.image.astype(np.float32)

    @cached_property
    def _around(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least and the largest levels of a pixel that looks like one of its neighbours."""
        low, high = cv2.erode(self.image, _NEAR), cv2.dilate(self.image, _NEAR)
        return low.astype(np.float32) - _LEVELS, high.astype(np.float32) + _LEVELS

    @cached_property
    def _means(self) -> NDArray[np.float32]:
        return _mean(self._levels)

    def _is_darker(self, seen: NDArray[np.float32]) -> Mask:
        """Return which pixels are a little darker than the ground, without its finest gaps."""
        faint = np.maximum(_FAINT_LEVELS, _FAINT_SHARE * self._means)
        is_darker = self._means - _mean(seen) > faint
        closed = cv2.morphologyEx(is_darker.astype(np.uint8), cv2.MORPH_CLOSE, _GAP)
        return np.asarray(closed > 0)


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """How a picture differs from the ground, in the background's pixels."""

    seen: NDArray[np.float32]  # The picture in the light of the background, (h, w, 3).
    ground: NDArray[np.float32]  # The background, (h, w, 3).
    differs: Mask  # Which pixels differ, (h, w).
    is_known: Mask  # Of which pixels the ground is known, (h, w).
    is_solid: Mask  # Which of these are no shadows of dice, (h, w).
    is_new: Mask  # Which of those are on the felt beside the dice, (h, w).
    is_darker: Mask  # Which pixels there are darker, and may be shadows of dice, (h, w).
    # How much brighter the picture is than the background, by channel, (3,).
    gain: NDArray[np.float32]
    scale: float  # Pixels of these maps per pixel of the picture.
    new_share: float  # Share of the known felt beside the dice that is new.
    is_sick: bool  # Whether so much differs that the background must not be used.

    def share_of(self, face: Face) -> float:
        """Return the share of a face that differs, or of which the ground is not known."""
        box, (place,) = self._places_of(face.corners)
        if not place.any():
            return 1.0
        return float((self.differs[box] | ~self.is_known[box])[place].mean())

    def changed_share_of(self, face: Face) -> float:
        """
        Return the share of what is known under a face that differs and is no shadow.

        It is 0 if too little is known.
        """
        box, (place,) = self._places_of(face.corners)
        known = place & self.is_known[box]
        if known.sum() < _KNOWN_SHARE * place.sum() or not known.any():
            return 0.0
        return float(self.is_solid[box][known].mean())

    def ground_share_of(self, face: Face) -> float:
        """Return the share of a face that is known to be ground, or a shadow on it."""
        box, (place,) = self._places_of(face.corners)
        if not place.any():
            return 0.0
        return float((self.is_known[box] & ~self.is_solid[box])[place].mean())

    def side_share_of(self, face: Face, outline: Floats) -> float:
        """
        Return the share that differs where a die's sides are seen; 1 if too little is known.

        Args:
            outline: The corners of its body in the picture, (n, 2).
        """
        box, (body, upper) = self._places_of(outline, face.corners)
        sides = body & ~upper & self.is_known[box]
        if sides.sum() < _SEEN_SIDES * body.sum() or not sides.any():
            return 1.0
        return float(self.differs[box][sides].mean())

    def likeness_of(self, face: Face) -> float:
        """Return the correlation of a face with its ground, -1 to 1; 0 if neither has a look."""
        box, (place,) = self._places_of(face.scaled_corners(_GROWN))
        if not place.any():
            return 0.0
        seen, ground = (image[box][place].mean(axis=1) for image in (self.seen, self.ground))
        if min(seen.std(), ground.std()) < _FLAT:
            return 0.0
        return float(np.corrcoef(seen, ground)[0, 1])

    def _places_of(self, *outlines: Floats) -> tuple[tuple[slice, slice], list[Mask]]:
        """Return the part of the maps around the first outline, and all outlines filled in it."""
        points = [_scale_points(outline, self.scale) for outline in outlines]
        height, width = self.differs.shape
        low = np.floor(points[0].min(axis=0)).clip(0, (width - 1, height - 1)).astype(int)
        high = np.ceil(points[0].max(axis=0) + 1.0).clip(low + 1, (width, height)).astype(int)
        box = slice(low[1], high[1]), slice(low[0], high[0])
        return box, [_fill(each - low, (high - low)[::-1]) for each in points]

    def new_areas(self, thickness_px: float) -> list[NewArea]:
        """
        Return what is new on the felt beside the dice, if it is as thick, in pixels of the picture.
        """
        side = max(1, round(thickness_px * self.scale))
        solid = cv2.morphologyEx(
            self.is_new.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8)
        )
        if not solid.any():
            return []
        _, _, stats, centers = cv2.connectedComponentsWithStats(solid, connectivity=8)
        return [
            NewArea(
                np.asarray((center + 0.5) / self.scale - 0.5),
                0.5 * float(np.hypot(row[cv2.CC_STAT_WIDTH], row[cv2.CC_STAT_HEIGHT])) / self.scale,
                float(row[cv2.CC_STAT_AREA]) / self.scale**2,
            )
            for row, center in zip(stats[1:], centers[1:], strict=True)
        ]


def measure_shade(changes: Iterable[Change]) -> Floats:
    """Return the hue of the shadows of confirmed dice, (3,); zeros where they have too few."""
    ratios = np.hstack([_log_ratios(one.seen, one.ground, one.is_darker) for one in changes])
    mean = ratios.mean(axis=0)
    is_deep = mean < _DEEP
    if is_deep.sum() < _LEAST_SHADE:
        return np.zeros(3)
    hues = (ratios - mean)[:, is_deep] / -mean[is_deep]
    return np.asarray(np.clip(np.median(hues, axis=1), -_MOST_SHADE, _MOST_SHADE), np.float64)


class GroundLevels:
    """
    The levels of several rests, from which the ground is taken.

    Nothing beside the tray is kept, as in all stored pictures: people may be there. The pictures
    are of one view, as `shrink` makes them, with the dice in each as `dice_mask` gives them.
    """

    def __init__(
        self,
        images: Sequence[Image],
        dice: Sequence[Mask],
        tray: TrayMap,
        *,
        two_suffice: bool = True,  # Whether two rests that saw the same show the ground.
        few_may_be_shadow: bool = True,  # Whether few rests must not know a brighter level.
    ) -> None:
        self._two_suffice = two_suffice
        self._few_may_be_shadow = few_may_be_shadow
        self._hidden = np.stack(dice)
        first = images[0].astype(np.float32)
        self._levels = np.stack(
            [
                image / _gain(image, first, ~self._hidden[0] & ~mask)
                for image, mask in zip(images, self._hidden, strict=True)
            ]
        )
        self._levels[self._hidden] = np.inf
        self._sorted = np.sort(self._levels, axis=0)
        self._seen = (~self._hidden).sum(axis=0)
        self._brightest, self._next = (
            self._find_levels(np.maximum(self._seen - place, 0)) for place in (1, 2)
        )
        self._on_tray = _tray_mask(tray, images[0])

    def take_ground(self, *, without: int | None = None) -> Background:
        """
        Return the ground, `without` one of the rests; where they are too few, it is not known.
        """
        seen = self._seen
        if without is not None:
            seen = seen - ~self._hidden[without]
        rank = np.floor(_BRIGHT * np.maximum(seen - 1, 0)).astype(int)
        ground = self._find_levels(rank)
        low, middle, high = self._sorted[:LEAST_RESTS]
        brightest = self._brightest
        if without is not None:
            # In the order without this rest, all levels from its own on are one rank lower.
            left, last = self._levels[without], len(self._sorted) - 1
            ground = np.where(left <= ground, self._find_levels(np.minimum(rank + 1, last)), ground)
            low, middle = np.where(left <= low, middle, low), np.where(left <= middle, high, middle)
            brightest = np.where(left == brightest, self._next, brightest)
        ground[(seen == 0) | ~self._on_tray] = 0.0
        is_known = seen >= LEAST_RESTS
        if self._two_suffice:
            is_known |= (seen == LEAST_RESTS - 1) & (middle < low + _LEVELS).all(axis=2)
        if self._few_may_be_shadow:
            is_known &= (seen > _FEW_RESTS) | (brightest < ground + _LEVELS).all(axis=2)
        is_known &= self._on_tray
        return Background(np.clip(np.rint(ground), 0, 255).astype(np.uint8), is_known)

    def _find_levels(self, rank: NDArray[np.int_]) -> NDArray[np.float32]:
        """Return the level of each pixel with a rank, from 0 for the darkest, (h, w, 3)."""
        taken = np.take_along_axis(self._sorted, rank[None, :, :, None], axis=0)
        return np.asarray(taken[0], np.float32)


def shrink(image_bgr: Image | Pyramid) -> Image:
    """Return the copy of a picture that is compared with a background."""
    pyramid = image_bgr if isinstance(image_bgr, Pyramid) else Pyramid(image_bgr)
    return pyramid.shrunk(size_within(pyramid.image, LONG_PX))


def dice_mask(
    small: Image, faces: Sequence[Face], tray: TrayMap, doubts: Sequence[Doubt] = ()
) -> Mask:
    """
    Return which pixels of a copy made by `shrink` belong to dice, with a margin, (h, w).

    `doubts` are what else may be a die.
    """
    mask = np.zeros(small.shape[:2], np.uint8)
    scale = small.shape[1] / tray.picture_wh[0]
    for face, outline in zip(faces, outline_dice(faces, felt_plane(tray)), strict=True):
        hull = np.rint(_scale_points(outline, scale) * 16).astype(np.int32)
        width = max(1, round(2.0 * _AROUND_EDGES * face.edge_px * scale))
        cv2.fillConvexPoly(mask, hull, 1, shift=4)
        cv2.polylines(mask, [hull], True, 1, width, shift=4)
    for doubt in doubts:
        if doubt.center_px is not None:
            x, y = np.rint(_scale_points(np.array(doubt.center_px), scale)).astype(int).tolist()
            cv2.circle(mask, (x, y), max(1, round(doubt.radius_px * scale)), 1, -1)
    return mask > 0


def _scale_points(points: Floats, scale: float) -> Floats:
    """Return points of the picture in the small copy; a pixel's position is its middle."""
    return np.asarray((points + 0.5) * scale - 0.5)


def _tray_mask(tray: TrayMap, small: Image) -> Mask:
    """Return the part of a small copy that stored pictures show, (h, w)."""
    crop = crop_to_tray(tray.scaled_to((small.shape[1], small.shape[0])))
    x, y, width, height = crop.rectangle_px
    mask = np.zeros(small.shape[:2], bool)
    mask[y : y + height, x : x + width] = True if crop.mask is None else crop.mask > 0
    return mask


@lru_cache(maxsize=4)  # A camera's pictures have the same one.
def _felt_mask(tray: TrayMap, shape: tuple[int, int]) -> Mask:
    """Return which pixels of a small copy, (h, w), are felt, without its rim."""
    outline = np.array(tray.felt_mm)
    middle = outline.mean(axis=0)
    inner = middle + (outline - middle) * (1.0 - _RIM)
    mask = _fill(_scale_points(tray.to_px(inner), shape[1] / tray.picture_wh[0]), shape)
    mask.setflags(write=False)
    return mask


def _fill(corners: Floats, shape: Sequence[int]) -> Mask:
    mask = np.zeros((shape[0], shape[1]), np.uint8)
    cv2.fillPoly(mask, [np.rint(corners * 16).astype(np.int32)], 1, shift=4)
    return mask > 0


def _gain(image: Image, ground: NDArray[np.float32], where: Mask) -> NDArray[np.float32]:
    """Return how much brighter a picture is than the ground, by channel, (3,)."""
    if not where.any():
        return np.ones(3, np.float32)
    # Of each fifth pixel: a median of all takes as long as the rest of a comparison.
    places = np.flatnonzero(where)[::5]
    seen, usual = (_take_pixels(each, places) for each in (image, ground))
    return np.asarray(np.median((seen + 1.0) / (usual + 1.0), axis=1), np.float32)


def _take_pixels(image: NDArray[np.number], places: NDArray[np.intp]) -> NDArray[np.float32]:
    """Return the levels of some pixels by their index, (3, n); faster than by an index or mask."""
    return np.ascontiguousarray(image.reshape(-1, 3).take(places, axis=0).T, np.float32)


def _mean(image: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.transform(image, np.full((1, 3), 1.0 / 3.0)), np.float32)


def _is_one_object(
    new: Mask, felt: float, seen: NDArray[np.float32], ground: NDArray[np.float32]
) -> bool:
    """Return whether the new pixels, of these of felt, are one object and no patch of light."""
    if not new.any():
        return False
    _, labels, stats, _ = cv2.connectedComponentsWithStats(new.astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    largest = 1 + int(areas.argmax())
    if areas.max() > _LARGE * felt or areas.sum() - areas.max() > MOST_NEW * felt:
        return False
    inside = labels == largest
    ratio = np.median(np.log((seen[inside] + _OFFSET) / (ground[inside] + _OFFSET)), axis=0)
    return not (ratio.mean() > 0.0 and np.ptp(ratio) < _SAME_HUE)


def _is_attached(areas: Mask, dice: Mask) -> Mask:
    """Return which pixels belong to an area that reaches a die; a die's shadow does."""
    count, labels = cv2.connectedComponents((areas | dice).astype(np.uint8), connectivity=8)
    has_die = np.zeros(count, bool)
    has_die[labels[dice]] = True
    return np.asarray(has_die.take(np.asarray(labels, np.int32)))


def _log_ratios(
    seen: NDArray[np.float32], ground: NDArray[np.float32], where: Mask
) -> NDArray[np.float32]:
    """Return the logarithm of how much brighter than their ground some pixels are, (3, n)."""
    places = np.flatnonzero(where)
    some_seen, some_ground = (_take_pixels(each, places) for each in (seen, ground))
    return np.log((np.maximum(some_seen, 0.0) + _OFFSET) / (some_ground + _OFFSET))


def _is_shadow(ratios: NDArray[np.float32], shade: Floats) -> Mask:
    """Return which pixels, (3, n), are darker as a shadow of this hue is, (n,)."""
    mean = ratios.mean(axis=0)
    spread = np.ptp(ratios - mean * (1.0 - shade[:, None]), axis=0)
    return np.asarray((mean < 0.0) & (mean > np.log(_DARKEST)) & (spread < _SAME_HUE))
