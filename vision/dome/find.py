# SPDX-License-Identifier: MIT
"""
Find where a dome stands in a picture.

Its foot is a circle on the felt. With the felt's map only the middle of a circle of known size is
sought; without one, an ellipse of any size. The whole picture is searched each time, so a picture
says the same whatever was seen before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.dome.circles import Circle, CircleParams, Edges, Floats, find_circles, find_edges
from vision.frame import Image
from vision.reading import DomeFoot
from vision.tray_map import TrayMap

LEAST_MM, MOST_MM = 50.0, 250.0
"""Inner diameters of domes."""

LEAST_SUPPORT = 0.6
"""Share of the foot that must be seen; circles of other things reach less than half of it."""

_AS_GOOD = 0.85
"""Share of the best support from which on a circle within another one is the foot."""

_SAME_MIDDLE = 0.2
"""How far apart the middles of two rims of one dome are at most, as a share of the radius."""

_SHARES = (0.12, 0.48)
"""Least and largest radius in a picture without a map, as shares of its shorter side."""

_STEPS = 24
"""Radii that are tried if the size is not known."""


def find_dome(
    image_bgr: Image, tray: TrayMap | None, params: CircleParams | None = None
) -> DomeFoot | None:
    """
    Return the foot of the dome; `None` if it is not seen completely.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        tray: The map for pictures of this size, with the dome's diameter; `None` if there is none.
        params: What an edge is, and how far it may be from a circle.
    """
    params = params or CircleParams()
    edges = find_edges(image_bgr, params)
    if tray is None:
        short = min(image_bgr.shape[:2])
        radii = np.geomspace(_SHARES[0] * short, _SHARES[1] * short, _STEPS).tolist()
        found = _choose_inner(find_circles(edges, radii, 5, params))
    else:
        radii = [tray.dome_mm / 2.0]
        found = _choose_best(find_circles(_map_edges(edges, tray), radii, 2, params))
    return None if found is None else _to_foot(found, tray, image_bgr)


def measure_dome(
    image_bgr: Image, tray: TrayMap, params: CircleParams | None = None
) -> tuple[DomeFoot, float] | None:
    """
    Return the foot of a dome of unknown size, and its inner diameter in millimetres.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        tray: The map for pictures of this size.
        params: What an edge is, and how far it may be from a circle.

    Returns:
        `None` if no circle of such a size is seen completely.
    """
    params = params or CircleParams()
    edges = _map_edges(find_edges(image_bgr, params), tray)
    radii = np.geomspace(LEAST_MM / 2.0, MOST_MM / 2.0, _STEPS).tolist()
    found = _choose_inner(find_circles(edges, radii, 3, params))
    foot = None if found is None else _to_foot(found, tray, image_bgr)
    return None if found is None or foot is None else (foot, 2.0 * found.radius)


def foot_at(tray: TrayMap, center_px: Sequence[float], diameter_mm: float) -> DomeFoot:
    """Return the foot of a dome of this diameter that stands at a position of the picture."""
    center = tray.to_mm(np.array([center_px], dtype=np.float64))[0]
    outline_px = tray.to_px(Circle(center, diameter_mm / 2.0 * np.eye(2)).outline())
    x, y = (float(value) for value in center_px)
    return DomeFoot((x, y), tuple((float(u), float(v)) for u, v in outline_px), 1.0)


def _map_edges(edges: Edges, tray: TrayMap) -> Edges:
    """Return the edges on the felt, in millimetres."""
    if not len(edges.places):
        return edges
    places = tray.to_mm(edges.places)
    along = edges.across[:, ::-1] * (-1.0, 1.0)
    ways = tray.to_mm(edges.places + along) - places
    across = ways[:, ::-1] * (-1.0, 1.0)
    lengths = np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    return Edges(places, across / lengths)


def _choose_best(circles: Sequence[Circle]) -> Circle | None:
    """Return the circle with the largest support; `None` if no support is large enough."""
    best = max(circles, key=lambda one: one.support, default=None)
    return best if best is not None and best.support >= LEAST_SUPPORT else None


def _choose_inner(circles: Sequence[Circle]) -> Circle | None:
    """Return the innermost of the rims of the best circle: dice lie within it."""
    best = _choose_best(circles)
    if best is None:
        return None
    rims = [
        one
        for one in circles
        if one.support >= max(_AS_GOOD * best.support, LEAST_SUPPORT)
        and np.linalg.norm(one.center - best.center) < _SAME_MIDDLE * best.radius
    ]
    return min(rims, key=lambda one: one.radius)


def _to_foot(circle: Circle, tray: TrayMap | None, image_bgr: Image) -> DomeFoot | None:
    """Return the circle in pixels; `None` if it is not completely in the picture."""
    places: Floats = np.concatenate([circle.center[None], circle.outline()])
    places_px = places if tray is None else tray.to_px(places)
    height, width = image_bgr.shape[:2]
    if (places_px < 0.0).any() or (places_px > np.array([width, height]) - 1.0).any():
        return None
    center, *outline = ((float(x), float(y)) for x, y in places_px)
    return DomeFoot(center, tuple(outline), circle.support)
