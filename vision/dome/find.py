# SPDX-License-Identifier: MIT
"""
Find where a dome stands in a picture.

Its foot is a circle on the felt. With the felt's map only the middle of a circle of known size is
sought; without one, an ellipse of any size. The whole picture is searched each time, so a picture
says the same whatever was seen before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.dome.circles import MIDDLE, SHAPE, SIZE, Circle, Edges, find_circles, find_edges
from vision.face import Floats
from vision.frame import Image
from vision.reading import DomeFoot, Point
from vision.tray_map import TrayMap

LEAST_MM, MOST_MM = 50.0, 250.0  # Inner diameters of domes.

LEAST_SUPPORT = 0.6
"""Share of the foot that must be seen; circles of other things reach less than half of it."""

_FEW, _SURE_SUPPORT = 6_000, 0.8
"""
How many edges are used first, and the share of the foot that must be seen among all edges.

On a patterned felt the strongest edges are its own. Among all of them circles of one known size
reach two thirds of a foot, and circles of any size a whole one.
"""

_AS_GOOD = 0.85  # Share of the best support from which on a circle within another one is the foot.
_SAME_MIDDLE = 0.2  # How far apart the middles of two rims of a dome are at most, in radii.
_SAME_SIZE = 1.05  # Ratio of the radii of two rims between which their size does not decide.
_SHARES = (0.12, 0.48)  # Least and largest radius without a map, by the shorter side.
_STEPS = 24  # Radii that are tried if the size is not known.


@dataclass(frozen=True, slots=True)
class MeasuredDome:
    """A dome and its size."""

    foot: DomeFoot
    diameter_mm: float


def find_dome(image_bgr: Image, tray: TrayMap | None) -> DomeFoot | None:
    """
    Return the foot of the dome; `None` if it is not seen completely.

    The map has the dome's diameter. Without one, a dome of any size is found.
    """
    edges = find_edges(image_bgr)
    if tray is None:
        short = min(image_bgr.shape[:2])
        radii = np.geomspace(_SHARES[0] * short, _SHARES[1] * short, _STEPS).tolist()
        found = _choose_inner(_find_rims(edges, radii, SHAPE))
    else:
        radii = [tray.dome_mm / 2.0]
        found = _choose_foot(_find_rims(_map_edges(edges, tray), radii, MIDDLE), tray)
    return None if found is None else _to_foot(found, tray, image_bgr)


def measure_dome(image_bgr: Image, tray: TrayMap) -> MeasuredDome | None:
    """Return a dome of unknown size on the felt; `None` if none is seen completely."""
    edges = _map_edges(find_edges(image_bgr), tray)
    radii = np.geomspace(LEAST_MM / 2.0, MOST_MM / 2.0, _STEPS).tolist()
    found = _choose_foot(_find_rims(edges, radii, SIZE), tray)
    foot = None if found is None else _to_foot(found, tray, image_bgr)
    return None if found is None or foot is None else MeasuredDome(foot, 2.0 * found.radius)


def mark_dome(tray: TrayMap, middle_px: Point, rim_px: Point) -> MeasuredDome | None:
    """Return the dome that a person marked; `None` if no dome has that size."""
    middle, rim = tray.to_mm(np.array([middle_px, rim_px]))
    diameter_mm = 2.0 * float(np.linalg.norm(rim - middle))
    if not LEAST_MM <= diameter_mm <= MOST_MM:
        return None
    outline = tray.to_px(Circle(middle, diameter_mm / 2.0 * np.eye(2)).outline())
    return MeasuredDome(DomeFoot(middle_px, _to_points(outline), 1.0), diameter_mm)


def _map_edges(edges: Edges, tray: TrayMap) -> Edges:
    if not len(edges.places):
        return edges
    places = tray.to_mm(edges.places)
    along = edges.across[:, ::-1] * (-1.0, 1.0)
    ways = tray.to_mm(edges.places + along) - places
    across = ways[:, ::-1] * (-1.0, 1.0)
    lengths = np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    return Edges(places, across / lengths)


def _find_rims(edges: Edges, radii: Sequence[float], terms: int) -> list[Circle]:
    """Return the rims of a dome, which are circles around one middle; empty without a dome."""
    rims = _list_rims(find_circles(edges.first(_FEW), radii, terms), LEAST_SUPPORT)
    if not rims and terms == MIDDLE:
        rims = _list_rims(find_circles(edges, radii, terms), _SURE_SUPPORT)
    return rims


def _choose_inner(rims: Sequence[Circle]) -> Circle | None:
    """Return the innermost of a dome's rims: dice lie within it."""
    return min(rims, key=lambda one: one.radius, default=None)


def _choose_foot(rims: Sequence[Circle], tray: TrayMap) -> Circle | None:
    """Return the lowest of a dome's inner rims: higher ones are seen farther out."""
    inner = _choose_inner(rims)
    if inner is None:
        return None
    out = (tray.to_mm(tray.tops_to_px(inner.center[None])) - inner.center)[0]
    near = [one for one in rims if one.radius < _SAME_SIZE * inner.radius]
    return min(near, key=lambda one: float(one.center @ out))


def _list_rims(circles: Sequence[Circle], least_support: float) -> list[Circle]:
    best = max(circles, key=lambda one: one.support, default=None)
    if best is None or best.support < least_support:
        return []
    return [
        one
        for one in circles
        if one.support >= max(_AS_GOOD * best.support, least_support)
        and np.linalg.norm(one.center - best.center) < _SAME_MIDDLE * best.radius
    ]


def _to_foot(circle: Circle, tray: TrayMap | None, image_bgr: Image) -> DomeFoot | None:
    """Return the circle in pixels; `None` if it is not completely in the picture."""
    places: Floats = np.concatenate([circle.center[None], circle.outline()])
    places_px = places if tray is None else tray.to_px(places)
    height, width = image_bgr.shape[:2]
    if (places_px < 0.0).any() or (places_px > np.array([width, height]) - 1.0).any():
        return None
    center, *outline = _to_points(places_px)
    return DomeFoot(center, tuple(outline), circle.support)


def _to_points(places: Floats) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in places)
