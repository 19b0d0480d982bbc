# SPDX-License-Identifier: MIT
"""
The calibration as a value: it maps positions in the picture to positions on the felt.

One homography maps the picture to the felt. But dice are read by their top faces, which are one
edge above it: at the picture's border a face appears a few millimetres farther out than its die.
With the focal length the same homography gives the camera's position, and so the plane of the
top faces too.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from vision.face import Floats, measure_insets
from vision.focal_length import PossibleLenses, estimate_focal, split_focal, weigh_lenses
from vision.reading import Point

Row = tuple[float, float, float]

_FIELDS = ("picture_wh", "felt_from_px", "focal_px", "felt_mm", "die_edge_mm")
_LATER = ("focal_error", "felt_error_mm")  # Fields that older maps lack: the last one, or both.
_DOME = "dome_mm"  # A field that only maps of a dome have, so that older versions read all others.
HAND_ERROR_MM = 2.0
"""Standard deviation of a corner of the felt along each axis, if a person set it."""
# No number of a map is larger, and no felt has more corners; both only serve to break the reader.
_MOST_NUMBER, _MOST_CORNERS = 1e9, 1000
_SAME_ASPECT = 0.005  # By which rounding to whole pixels changes a picture of 200 pixels.


# Without slots, because the matrices are made once for each map.
@dataclass(frozen=True)
class TrayMap:
    """
    The tray's position in pictures. Points are arrays of shape (n, 2).

    Functions that take a picture, or faces in it, and a map expect the map for pictures of this
    size; see `scaled_to`.
    """

    picture_wh: tuple[int, int]  # Width and height of these pictures, in pixels.
    felt_from_px: tuple[Row, Row, Row]  # Homography from the picture to the felt, its rows.
    focal_px: float  # Focal length of the camera, in these pixels.
    felt_mm: tuple[Point, ...]  # Corners of the felt's outline in millimetres, in either direction.
    die_edge_mm: float  # Edge of the dice.
    focal_error: float = 0.0  # Standard deviation of its logarithm; 0 if it is exact.
    # Standard deviation of the felt's outline along each axis, by how it was marked; 0 if it is
    # exact.
    felt_error_mm: float = 0.0
    # Inner diameter of the dome over the dice, which stands anywhere on the felt; 0 for an open
    # tray.
    dome_mm: float = 0.0
    # Width of a pixel by its height. Only what a table learnt corrects it, so no stored map has it.
    pixel_aspect: float = 1.0

    def __post_init__(self) -> None:
        _require(min(self.picture_wh) > 0, "picture_wh", "two sizes above 0", self.picture_wh)
        _require(self.focal_px > 0.0, "focal_px", "pixels above 0", self.focal_px)
        _require(self.die_edge_mm > 0.0, "die_edge_mm", "millimetres above 0", self.die_edge_mm)
        # A focal length that may be almost three times as long is not known at all.
        _require(0.0 <= self.focal_error <= 1.0, "focal_error", "0 to 1", self.focal_error)
        _require(self.felt_error_mm >= 0.0, "felt_error_mm", "0 or more", self.felt_error_mm)
        _require(self.dome_mm >= 0.0, _DOME, "0 or more", self.dome_mm)
        _require(self.pixel_aspect > 0.0, "pixel_aspect", "a ratio above 0", self.pixel_aspect)
        corners = len(self.felt_mm)
        expected = f"3 to {_MOST_CORNERS} corners"
        _require(3 <= corners <= _MOST_CORNERS, "felt_mm", expected, corners)
        matrix = np.array(self.felt_from_px)
        sound = np.isfinite(matrix).all() and abs(np.linalg.det(matrix)) > 1e-12
        _require(bool(sound), "felt_from_px", "a homography", self.felt_from_px)
        # Numbers that are sound each by itself may still put the tray behind the camera.
        with np.errstate(all="ignore"):
            edge_px = self.edge_px_at(np.array(self.picture_wh) / 2.0)
            outline_px = self.to_px(np.array(self.felt_mm))
        is_seen = 0.0 < edge_px < np.inf and bool(np.isfinite(outline_px).all())
        _require(is_seen, "felt_from_px", "a tray before the camera", self.felt_from_px)

    @classmethod
    def from_json(cls, text: str) -> TrayMap:
        """
        Return the map that `to_json` wrote.

        Raises:
            ValueError: The text is no map; the message has what was expected, found, and where.
        """
        try:
            found = json.loads(text)
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise ValueError(f"tray map: expected JSON, found {error.msg} at {where}") from error
        except RecursionError as error:
            raise ValueError("tray map: expected JSON, found brackets nested too deep") from error
        names = sorted({*found} - {_DOME}) if isinstance(found, dict) else found
        is_map = any(names == sorted(_FIELDS + _LATER[:count]) for count in range(3))
        _require(is_map, "its fields", ", ".join(_FIELDS + _LATER), names)
        width, height = _decode_numbers(found["picture_wh"], "picture_wh", 2)
        rows = _decode_rows(found["felt_from_px"], "felt_from_px", 3)
        _require(len(rows) == 3, "felt_from_px", "3 rows", len(rows))

        def number(name: str, older: float = 0.0) -> float:
            return _decode_numbers([found.get(name, older)], name, 1)[0]

        tray = cls(
            picture_wh=(int(width), int(height)),
            felt_from_px=cast(tuple[Row, Row, Row], rows),
            focal_px=number("focal_px"),
            felt_mm=cast(tuple[Point, ...], _decode_rows(found["felt_mm"], "felt_mm", 2)),
            die_edge_mm=number("die_edge_mm"),
            focal_error=number("focal_error"),
            # Older maps do not say who set their corners.
            felt_error_mm=number("felt_error_mm", HAND_ERROR_MM),
            dome_mm=number(_DOME),
        )
        # The oldest maps trust their focal length too far.
        return tray if _LATER[0] in names else tray.with_estimated_focal(HAND_ERROR_MM)

    def to_json(self) -> str:
        fields = asdict(self)
        del fields["pixel_aspect"]
        if not self.dome_mm:
            del fields[_DOME]
        return json.dumps(fields, sort_keys=True)

    def scaled_to(self, picture_wh: tuple[int, int]) -> TrayMap:
        """
        Return the map for the same view in pictures of another size.

        Raises:
            ValueError: Their aspect ratio differs, so they cannot show the same view.
        """
        if picture_wh == self.picture_wh:
            return self
        scale = np.array(picture_wh) / self.picture_wh
        if min(picture_wh) < 1 or abs(scale[0] / scale[1] - 1.0) > _SAME_ASPECT:
            made = "{} x {}".format(*self.picture_wh)
            raise ValueError(
                f"tray map: expected the aspect of {made}, found {picture_wh[0]} x {picture_wh[1]}"
            )
        # A pixel's position is its middle, so half a pixel is beyond the first one's.
        back = np.diag([*(1.0 / scale), 1.0])
        back[:2, 2] = 0.5 / scale - 0.5
        first, second, third = map(tuple, (np.array(self.felt_from_px) @ back).tolist())
        focal_px = self.focal_px * float(scale[0])
        return replace(
            self, picture_wh=picture_wh, felt_from_px=(first, second, third), focal_px=focal_px
        )

    def with_estimated_focal(self, corner_error_mm: float) -> TrayMap:
        """
        Return the map with the focal length that its felt shows, by corners of this error.

        Raises:
            ValueError: The felt shows none; the message has what was expected and found.
        """
        focal_px, error = estimate_focal(self.weigh_lenses(corner_error_mm))
        return replace(self, focal_px=focal_px, focal_error=error)

    def weigh_lenses(self, corner_error_mm: float) -> PossibleLenses:
        """
        Return how unlikely lenses are by the felt, with corners of this error.

        Raises:
            ValueError: It shows nothing; the message has what was expected and found.
        """
        low, high = np.min(self.felt_mm, axis=0), np.max(self.felt_mm, axis=0)
        corners_mm = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        # As above: what an odd map amounts to is checked when the result is made.
        try:
            with np.errstate(all="ignore"):
                return weigh_lenses(
                    self._px_from_felt, self.picture_wh, corners_mm, corner_error_mm
                )
        except np.linalg.LinAlgError as error:
            what = f"tray map: expected the corners of a felt in felt_mm, found {self.felt_mm}"
            raise ValueError(what) from error

    def with_lens(self, factor: float, pixel_aspect: float | None = None) -> TrayMap:
        """Return the map if the focal length were this many times as long, with these pixels."""
        return _with_lens(self, factor, pixel_aspect or self.pixel_aspect)

    def to_mm(self, points_px: Floats) -> Floats:
        return _apply_homography(np.array(self.felt_from_px), points_px)

    def to_px(self, points_mm: Floats) -> Floats:
        return _apply_homography(self._px_from_felt, points_mm)

    def tops_to_mm(self, points_px: Floats) -> Floats:
        """Return the positions on the felt below the top faces in these pixels."""
        return _apply_homography(self._tops_from_px, points_px)

    def tops_to_px(self, points_mm: Floats) -> Floats:
        """Return the pixels of top faces above these positions."""
        return _apply_homography(self._px_from_tops, points_mm)

    def beyond_felt_mm(self, points_mm: Floats) -> Floats:
        """Return how far positions are beyond the felt's outline, negative within it, (n,)."""
        return -measure_insets(np.array(self.felt_mm), points_mm)

    def top_errors_mm(self, points_px: Floats) -> Floats:
        """Return how far off the outline may be from the places of these top faces, (n,)."""
        places_mm = self.tops_to_mm(points_px)
        by_lens = [
            np.linalg.norm(self.with_lens(factor).tops_to_mm(points_px) - places_mm, axis=1)
            for factor in (np.exp(self.focal_error), np.exp(-self.focal_error))
        ]
        return np.asarray(np.hypot(self.felt_error_mm, np.maximum(*by_lens)))

    def edge_px_at(self, point_px: Floats) -> float:
        """Return the edge of a flat die's top face with this centre, (2,), in pixels."""
        return float(self.edges_px_at(point_px[None])[0])

    def edges_px_at(self, points_px: Floats) -> Floats:
        """Return the edges of flat dice's top faces with these centres, (n,), in pixels."""
        nearness = points_px @ self._tops_from_px[2, :2] + self._tops_from_px[2, 2]
        # By so much a homography enlarges an area there.
        area = np.abs(np.linalg.det(self._px_from_tops) * nearness**3)
        return np.asarray(np.sqrt(area) * self.die_edge_mm)

    @property
    def axes_px(self) -> Floats:
        """The focal lengths along the picture's axes, (2,)."""
        return split_focal(self.focal_px, self.pixel_aspect)

    @property
    def middle_px(self) -> Floats:
        """The picture's middle, where the optical axis meets it, (2,)."""
        return (np.array(self.picture_wh) - 1.0) / 2.0

    def normal(self) -> Floats:
        """Return the felt's upward normal in the camera's axes (right, down, ahead), (3,)."""
        return np.asarray(self.normals(self.axes_px[None])[0])

    def normals(self, axes_px: Floats) -> Floats:
        """Return the same through lenses with these focal lengths along the axes, (n, 2)."""
        horizon = np.array(self.felt_from_px[2])
        # The felt is where its middle is, and up is towards the camera.
        on_felt = np.append(self.to_px(np.mean(self.felt_mm, axis=0)[None])[0], 1.0)
        horizon *= -np.sign(horizon @ on_felt)
        ahead = np.full((len(axes_px), 1), horizon @ np.append(self.middle_px, 1.0))
        up = np.hstack([axes_px * horizon[:2], ahead])
        return np.asarray(up / np.linalg.norm(up, axis=1, keepdims=True))

    def _lens(self) -> Floats:
        lens = np.diag([*self.axes_px, 1.0])
        lens[:2, 2] = self.middle_px
        return lens

    @cached_property
    def _px_from_felt(self) -> Floats:
        return np.asarray(np.linalg.inv(np.array(self.felt_from_px)))

    @cached_property
    def _pose(self) -> Floats:
        """Return the felt's two axes and its origin in the camera's axes, in mm, (3, 3)."""
        seen = np.linalg.inv(self._lens()) @ self._px_from_felt
        seen *= 2.0 / np.linalg.norm(seen[:, :2], axis=0).sum()
        middle_mm = np.append(np.mean(self.felt_mm, axis=0), 1.0)
        return np.asarray(seen if (seen @ middle_mm)[2] > 0.0 else -seen)

    @cached_property
    def _px_from_tops(self) -> Floats:
        """Return the homography from the plane of the top faces to the picture, (3, 3)."""
        pose = self._pose.copy()
        pose[:, 2] += self.normal() * self.die_edge_mm
        return np.asarray(self._lens() @ pose)

    @cached_property
    def _tops_from_px(self) -> Floats:
        return np.asarray(np.linalg.inv(self._px_from_tops))


@lru_cache(maxsize=32)  # The pictures of a camera need the same few, which take long to check.
def _with_lens(tray: TrayMap, factor: float, pixel_aspect: float) -> TrayMap:
    return replace(tray, focal_px=tray.focal_px * factor, pixel_aspect=pixel_aspect)


def _apply_homography(matrix: NDArray[np.floating], points: Floats) -> Floats:
    seen = np.asarray(points, dtype=np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _require(holds: bool, where: str, expected: str, found: object) -> None:
    if not holds:
        raise ValueError(f"tray map: expected {expected} in {where}, found {found}")


def _decode_numbers(found: object, where: str, count: int) -> tuple[float, ...]:
    expected = "a number" if count == 1 else f"{count} numbers"
    _require(isinstance(found, list) and len(found) == count, where, expected, found)
    for number in cast(list[object], found):
        # In Python, though not in JSON, true is a number.
        _require(type(number) in (int, float), where, expected, found)
        # Not a number is not below the limit either.
        _require(
            abs(cast(float, number)) <= _MOST_NUMBER, where, f"{_MOST_NUMBER:.0e} at most", number
        )
    return tuple(float(number) for number in cast(list[float], found))


def _decode_rows(found: object, where: str, width: int) -> tuple[tuple[float, ...], ...]:
    _require(isinstance(found, list), where, f"rows of {width} numbers", found)
    rows = cast(list[object], found)
    return tuple(_decode_numbers(row, f"{where}[{i}]", width) for i, row in enumerate(rows))
