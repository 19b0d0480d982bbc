# SPDX-License-Identifier: MIT
"""
Find circles by the edges around them.

Every edge votes for the centres on both sides of it, one radius away. A centre with many votes is
fitted to the edges near its circle, and then judged by its support: the share of directions in
which an edge lies across the way outwards. Reflections, dice and hands hide some directions; but
nothing else on a table has edges all around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import Floats
from vision.frame import Image
from vision.pyramid import shrink_to

_DIRECTIONS = 96  # Directions in which the edge of a circle is looked for.
_AROUND = 0.25  # Edges this far from a circle, in radii, are never of it.

MIDDLE, SIZE, SHAPE = 2, 3, 5
"""What is fitted, as numbers of terms: the middle, the radius too, an ellipse."""


# Shares are of the radius.
_LONG_PX = 480  # Longer side of the copy in which edges are found.
_LEAST_STEP = 3.0  # Change of a level from pixel to pixel from which on it is an edge.
_MOST_EDGES = 30_000  # Edges that are used, the strongest first; a bound on time.
# Share by which votes and edges may miss at first, if the radius is not known or a slanted view
# bends the circle.
_BENT = 0.06
_EXACT = 0.025  # The same for a circle of known radius: its rims may be this near to each other.
# Shares by which edges may miss the circle while it is fitted, step by step; the last one decides
# what is an edge of it.
_FITS = (0.06, 0.04, 0.025, 0.02)
_MOST_TILT = 0.35  # Sine of the angle between an edge and the circle, at most.
_MOST_FITTED = 12  # Circles that are fitted, those with most votes first; a bound on time.


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges on a plane."""

    places: Floats  # Their positions, (n, 2).
    across: Floats  # Unit vectors across them, one way or the other, (n, 2).

    def first(self, count: int) -> Edges:
        """Return the first of them."""
        return Edges(self.places[:count], self.across[:count])


@dataclass(frozen=True, slots=True, eq=False)
class Circle:
    """A circle, or an ellipse where a plane is seen at a slant."""

    center: Floats  # Its middle, (2,).
    axes: Floats  # Maps the unit circle to its outline around the middle, (2, 2).
    support: float = 0.0  # Share of the directions with an edge there, 0 to 1.

    @property
    def radius(self) -> float:
        return float(np.sqrt(abs(np.linalg.det(self.axes))))

    def outline(self, corners: int = _DIRECTIONS) -> Floats:
        """Return the corners of a polygon on it, (n, 2)."""
        turn = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
        return np.asarray(self.center + np.column_stack([np.cos(turn), np.sin(turn)]) @ self.axes.T)


def find_edges(image_bgr: Image) -> Edges:
    """Return the edges in a picture, (height, width, 3), in its pixels; the strongest first."""
    small = cv2.GaussianBlur(shrink_to(image_bgr, _LONG_PX), (5, 5), 1)
    # Two colours may be equally bright, so the channel with the largest step decides.
    steps = np.zeros((2, *small.shape[:2]), np.float32)
    most = np.zeros(small.shape[:2], np.float32)
    for channel in cv2.split(small):
        right, down = (cv2.Sobel(channel, cv2.CV_32F, *way) / 8.0 for way in ((1, 0), (0, 1)))
        square = right * right + down * down
        np.copyto(steps, (right, down), where=square > most)
        most = np.maximum(most, square)
    size = np.hypot(*steps)
    y, x = np.nonzero(size > _LEAST_STEP)
    is_ridge = _is_ridge(size, steps[:, y, x], y, x)
    y, x = y[is_ridge], x[is_ridge]
    order = np.argsort(-size[y, x], kind="stable")[:_MOST_EDGES]
    y, x = y[order], x[order]
    shrunk = np.array(small.shape[1::-1]) / image_bgr.shape[1::-1]
    places = (np.column_stack([x, y]) + 0.5) / shrunk - 0.5
    return Edges(places, (steps[:, y, x] / size[y, x]).T)


def _is_ridge(
    size: NDArray[np.float32],
    steps: NDArray[np.float32],
    y: NDArray[np.intp],
    x: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Return which of some pixels, with steps (2, n), have the largest of those across the edge."""
    eighths = np.rint(np.arctan2(steps[1], steps[0]) / (np.pi / 4.0)).astype(int) % 4
    right, down = np.array([(1, 0), (1, 1), (0, 1), (-1, 1)])[eighths].T
    around, here = np.pad(size, 1), size[y, x]
    after, before = around[y + 1 + down, x + 1 + right], around[y + 1 - down, x + 1 - right]
    return np.asarray((here >= after) & (here >= before))


def find_circles(edges: Edges, radii: Sequence[float], terms: int) -> list[Circle]:
    """Return circles on a plane, with their support."""
    if not len(edges.places):
        return []
    reach = _EXACT if terms == MIDDLE else _BENT
    voted = [found for radius in radii for found in _vote(edges, radius, reach)]
    voted.sort(key=lambda one: -one.support)
    shares = [share for share in _FITS if share <= reach]
    return [_fit(_around(edges, one), one, terms, shares) for one in voted[:_MOST_FITTED]]


def _around(edges: Edges, circle: Circle) -> Edges:
    """Return the edges not far from a circle: fewer to look at in every step of its fit."""
    away = _lengths(edges.places - circle.center) / circle.radius
    near = np.abs(away - 1.0) < _AROUND
    return Edges(edges.places[near], edges.across[near])


def _vote(edges: Edges, radius: float, reach: float) -> list[Circle]:
    """Return the circles of a radius with most votes; `support` is their share of its length."""
    cell = reach * radius
    ways = np.concatenate([edges.across, -edges.across]) * radius
    centers = np.concatenate([edges.places, edges.places]) + ways
    low = edges.places.min(axis=0)
    columns, rows = np.floor(np.ptp(edges.places, axis=0) / cell).astype(int) + 1
    x, y = np.floor((centers - low) / cell).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < columns) & (y < rows)
    votes = np.bincount(y[inside] * columns + x[inside], minlength=rows * columns)
    around = cv2.blur(votes.reshape(rows, columns).astype(np.float32), (3, 3))
    is_peak = (around >= cv2.dilate(around, np.ones((5, 5), np.uint8))) & (around > 0.0)
    y, x = np.nonzero(is_peak)
    best = np.argsort(-around[y, x], kind="stable")[:_MOST_FITTED]
    return [
        Circle(
            low + (np.array([x[k], y[k]]) + 0.5) * cell,
            radius * np.eye(2),
            float(around[y[k], x[k]]) / radius,
        )
        for k in best
    ]


def _fit(edges: Edges, circle: Circle, terms: int, shares: Sequence[float]) -> Circle:
    for share in shares:
        turn, off = _near(edges, circle, share)
        if len(turn) < 2 * terms:
            break
        ways = [np.cos(turn), np.sin(turn)]
        if terms > MIDDLE:
            ways += [np.ones(len(turn)), np.cos(2.0 * turn), np.sin(2.0 * turn)]
        fit = np.linalg.lstsq(np.column_stack(ways[:terms]), off, rcond=None)[0]
        x, y, grown, long, slant = np.pad(fit, (0, 5 - terms))
        stretch = np.array([(1.0 + grown + long, slant), (slant, 1.0 + grown - long)])
        circle = Circle(circle.center + circle.axes @ (x, y), circle.axes @ stretch)
    turn, _ = _near(edges, circle, _FITS[-1])
    steps = np.floor(turn / (2.0 * np.pi) * _DIRECTIONS).astype(int) % _DIRECTIONS
    return replace(circle, support=len(np.unique(steps)) / _DIRECTIONS)


def _lengths(ways: Floats) -> Floats:
    """As `np.linalg.norm`, which takes several times as long for two columns, (n,)."""
    return np.sqrt(ways[:, 0] ** 2 + ways[:, 1] ** 2)


def _near(edges: Edges, circle: Circle, share: float) -> tuple[Floats, Floats]:
    to_unit = np.linalg.inv(circle.axes)
    places = (edges.places - circle.center) @ to_unit.T
    away = np.hypot(*places.T)
    near = np.abs(away - 1.0) < share
    places, away = places[near], away[near]
    # What is across an edge maps like a gradient, not like a way.
    across = edges.across[near] @ circle.axes
    across /= np.maximum(_lengths(across), 1e-9)[:, None]
    tilt = np.abs(places[:, 0] * across[:, 1] - places[:, 1] * across[:, 0]) / away
    along = tilt < _MOST_TILT
    return np.arctan2(places[along, 1], places[along, 0]), away[along] - 1.0
