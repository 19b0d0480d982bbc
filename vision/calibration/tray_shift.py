# SPDX-License-Identifier: MIT
"""
Detect that the camera or the tray was moved since the tray map was made.

The look of the felt's rim is stored with the map, as short profiles across it, all around. Later
each profile is searched a little farther in or out. A profile under a hand, a die or a shadow is
not found, and does not count. Neighbours that agree give the shift of their piece of the rim. The
pieces give the shift and turn of the tray. Only the shape of a profile is compared, so the light
may change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np

from controller.base.languages.message import message
from vision.camera_health.camera_shift import CameraShiftDetector, make_small_view
from vision.face import Floats
from vision.frame import Image
from vision.pyramid import to_grey
from vision.reading import TrayReading
from vision.tray_map import TrayMap

PIECES = 8
PROFILES = 6
PROFILE_MM = 29
"""Pieces of the rim (two per side), profiles per piece, and levels per profile, one per mm."""

FAR_MM = 4.0
"""A tray this far off has moved. Below this, dice at the rim are still checked correctly."""

_SMALL_WIDE_PX = 480
_REACH_MM = 26
_CORNER_MM = 34.0
_ALONG_MM = (-2.0, -1.0, 0.0, 1.0, 2.0)
_LEAST_ALIKE = 0.85
_LEAST_SPREAD = 4.0
_AGREEING = 4
_AGREE_MM = 1.5
_FITS_MM = 1.5
_PIECES_LEAST = 4


@dataclass(frozen=True, slots=True)
class RimProfile:
    """The look of the felt's rim."""

    levels: bytes  # Greys of all profiles from the inside out, PIECES x PROFILES x PROFILE_MM.

    def __post_init__(self) -> None:
        expected = PIECES * PROFILES * PROFILE_MM
        if len(self.levels) != expected:
            raise ValueError(f"rim: expected {expected} levels, found {len(self.levels)}")


class TrayPosition(Enum):
    """The tray's position against its map; `UNSEEN` if too little of its rim is visible."""

    IN_PLACE = "in place"
    MOVED = "moved"
    UNSEEN = "unseen"


def measure_rim(image_bgr: Image, tray: TrayMap) -> RimProfile:
    """Return the look of the felt's rim in a picture; the felt has four corners, in order."""
    seen = _sample_profiles(image_bgr, tray, PROFILE_MM // 2)
    return RimProfile(np.clip(np.rint(seen), 0, 255).astype(np.uint8).tobytes())


def check_position(image_bgr: Image, rim: RimProfile, tray: TrayMap) -> TrayPosition:
    """
    Return where the tray is against its map, by its rim; takes a few milliseconds.

    A hand may hide much of the rim for a moment (`UNSEEN`), and people lean on tables. So only
    a lasting result should count.
    """
    kept = np.frombuffer(rim.levels, np.uint8).astype(np.float64)
    kept = kept.reshape(PIECES * PROFILES, PROFILE_MM)
    seen = _sample_profiles(image_bgr, tray, PROFILE_MM // 2 + _REACH_MM)
    off = _find_offsets(kept, seen.reshape(PIECES * PROFILES, -1)).reshape(PIECES, PROFILES)
    agreed = np.array([_find_agreement(piece) for piece in off])
    far_mm = _farthest_mm(agreed, np.array(tray.felt_mm))
    if far_mm is None:
        return TrayPosition.UNSEEN
    return TrayPosition.MOVED if far_mm >= FAR_MM else TrayPosition.IN_PLACE


def _farthest_mm(off_mm: Floats, outline_mm: Floats) -> float | None:
    """
    Return the largest movement of a corner, or `None` if the pieces do not determine it.

    `off_mm` is how far each piece of the rim moved out; NaN if it was not found.
    """
    out, at = _locate_pieces(outline_mm)
    # A small shift and turn move a position by (x - turn * y, y + turn * x).
    ways = np.column_stack([out, out[:, 1] * at[:, 0] - out[:, 0] * at[:, 1]])
    used = np.isfinite(off_mm)
    for _ in range(2):
        if used.sum() < _PIECES_LEAST or np.linalg.matrix_rank(ways[used]) < 3:
            return None
        (x, y, turn), *_ = np.linalg.lstsq(ways[used], off_mm[used], rcond=None)
        misfit = np.where(used, np.abs(ways @ (x, y, turn) - off_mm), 0.0)
        if misfit.max() <= _FITS_MM:
            from_middle = outline_mm - outline_mm.mean(axis=0)
            moved = (x, y) + turn * from_middle[:, ::-1] * (-1.0, 1.0)
            return float(np.linalg.norm(moved, axis=1).max())
        # A long object may hide one piece; the others can still agree.
        used[int(misfit.argmax())] = False
    return None


def _find_offsets(kept: Floats, seen: Floats) -> Floats:
    """Return by how many millimetres each profile is found farther out; NaN if not found."""
    windows = np.lib.stride_tricks.sliding_window_view(seen, PROFILE_MM, axis=1)
    apart = windows - windows.mean(axis=2, keepdims=True)
    own = kept - kept.mean(axis=1, keepdims=True)
    spread = np.sqrt((own**2).sum(axis=1))[:, None] * np.sqrt((apart**2).sum(axis=2))
    alike = np.einsum("nsl,nl->ns", apart, own) / np.maximum(spread, 1e-6)
    best = alike.argmax(axis=1)
    index = np.arange(len(kept))
    # If the old position fits nearly as well, the profile has not moved.
    at_home = alike[:, _REACH_MM] >= np.maximum(alike[index, best] - 0.01, _LEAST_ALIKE)
    off = np.where(at_home, 0.0, best - float(_REACH_MM))
    is_found = (alike[index, best] >= _LEAST_ALIKE) & (kept.std(axis=1) >= _LEAST_SPREAD)
    return np.where(is_found, off, np.nan)


def _find_agreement(piece: Floats) -> float:
    """Return the shift that enough profiles of a piece agree on; NaN if they do not."""
    found = piece[np.isfinite(piece)]
    if len(found) < _AGREEING:
        return np.nan
    near = found[np.abs(found - np.median(found)) <= _AGREE_MM]
    return float(near.mean()) if len(near) >= _AGREEING else np.nan


def _sample_profiles(image_bgr: Image, tray: TrayMap, reach_mm: int) -> Floats:
    """Return levels across the rim, PIECES x PROFILES x (2 * reach + 1), from the inside out."""
    grey = to_grey(image_bgr)
    scale = _SMALL_WIDE_PX / grey.shape[1]
    size_wh = (_SMALL_WIDE_PX, max(1, round(grey.shape[0] * scale)))
    small = cv2.resize(grey, size_wh, interpolation=cv2.INTER_AREA)
    places_mm = _locate_profiles(np.array(tray.felt_mm), reach_mm)
    places = (tray.to_px(places_mm.reshape(-1, 2)) + 0.5) * scale - 0.5
    x, y = places.astype(np.float32).T.reshape(2, PIECES * PROFILES, -1)
    seen = cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    levels = np.asarray(seen, np.float64).reshape(PIECES, PROFILES, -1, len(_ALONG_MM))
    return np.asarray(levels.mean(axis=3))


def _locate_profiles(outline_mm: Floats, reach_mm: int) -> Floats:
    """Return the profiles' positions on the felt, (PIECES, PROFILES, steps, along, 2)."""
    across = np.arange(-reach_mm, reach_mm + 1.0)
    pieces = []
    for start, way, out, length in _sides(outline_mm):
        along = _profile_positions(length)[:, None, None] + np.array(_ALONG_MM)
        side = start + along[..., None] * way + across[:, None, None] * out
        pieces += [side[:PROFILES], side[PROFILES:]]
    return np.array(pieces)


def _locate_pieces(outline_mm: Floats) -> tuple[Floats, Floats]:
    """Return each piece's outward direction, and its middle from the felt's, (n, 2) each."""
    middle = outline_mm.mean(axis=0)
    ways, places = [], []
    for start, way, out, length in _sides(outline_mm):
        for half in np.split(_profile_positions(length), 2):
            ways.append(out)
            places.append(start + half.mean() * way - middle)
    return np.array(ways), np.array(places)


def _profile_positions(length_mm: float) -> Floats:
    """Return the profiles' positions along a side, without its corners, where cards may be."""
    return np.linspace(_CORNER_MM, length_mm - _CORNER_MM, 2 * PROFILES)


def _sides(outline_mm: Floats) -> Iterator[tuple[Floats, Floats, Floats, float]]:
    """Yield each side's start, its direction, its outward direction, and its length."""
    middle = outline_mm.mean(axis=0)
    for start, end in zip(outline_mm, np.roll(outline_mm, -1, axis=0), strict=True):
        length = float(np.linalg.norm(end - start))
        way = (end - start) / length
        out = np.array([way[1], -way[0]])
        yield start, way, out if out @ (start - middle) > 0.0 else -out, length


UNNOTICED = message("In this picture, the table would not notice a knock against the camera.")
HOLD_ON = message(
    "Let the camera see the tray's rim, or leave the printed corner cards in their corners."
)


def can_detect_camera_shift(
    image_bgr: Image, next_bgr: Image, reading: TrayReading, tray: TrayMap | None
) -> bool:
    """
    Return whether a moved camera would be detected in a picture and a little later one.

    A move is detected by what stays in place: the felt's rim, if it is calibrated, or landmarks. A
    bare felt that fills the picture has neither. Dice are no landmarks, because they move, and what
    the next picture does not show was noise.
    """
    if tray is not None:
        position = check_position(next_bgr, measure_rim(image_bgr, tray), tray)
        if position is not TrayPosition.UNSEEN:
            return True
    one, other = (make_small_view(to_grey(picture)) for picture in (image_bgr, next_bgr))
    scale = one.shape[1] / image_bgr.shape[1]
    objects = [(die.center_px, die.edge_px) for die in reading.dice]
    objects += [(doubt.center_px, doubt.radius_px) for doubt in reading.doubts if doubt.center_px]
    place = CameraShiftDetector(one)
    place.confirm(other)
    return place.has_marks_beside([((x * scale, y * scale), r * scale) for (x, y), r in objects])
