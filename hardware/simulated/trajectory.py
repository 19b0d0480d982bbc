# SPDX-License-Identifier: MIT
"""
Compute the path of one thrown die.

The path is built backwards from the known final position and face: the die slides, rolls over
its edges, hops and flies, ever faster, until it is outside the tray. Forwards it looks like a
throw, and it always ends exactly at the given pose, without a jump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.simulated.placement import FELT_WH_MM
from hardware.simulated.pose import (
    DIE_EDGE_MM,
    DiePose,
    Rotation,
    Vector,
    compute_reach_mm,
    rotation_about,
)

BODY_RADIUS_MM = 11.4  # Approximate radius of a rolling die, which turns about any axis.
PUSH_STEP_S = 0.006  # Time between two pushes; see `ThrowTrajectory.push`.

_GRAVITY_MM_S2 = 9810.0
_SLOWING = 2.1  # Exponent of the remaining path over the remaining time; 2 is constant braking.

_ROLLING_RADIUS_MM = DIE_EDGE_MM / (np.pi / 2.0)
_MOST_TUMBLE_RAD = 16.0
_TIPPING = 0.12  # How strongly a rolling die slows on its edges and speeds up onto its faces.

_BOUNCING_SHARE = 0.35
"""Share of the dice that reach their position after a bounce off the far wall."""

_INSIDE_MM = 12.0  # Distance inside the wall at which a die first touches the felt.

_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True)
class _Bounces:
    """Height of a thrown die's lowest point over the felt: one fall, then ever lower hops."""

    first_height_mm: float
    landing_s: float
    hops_s: tuple[float, ...]

    def height_mm(self, since_s: float) -> float:
        """Return the height at a time after the throw."""
        half_g = _GRAVITY_MM_S2 / 2.0
        if since_s < self.landing_s:
            upward = half_g * self.landing_s - self.first_height_mm / self.landing_s
            return self.first_height_mm + upward * since_s - half_g * since_s * since_s
        into_s = since_s - self.landing_s
        for hop_s in self.hops_s:
            if into_s < hop_s:
                return half_g * into_s * (hop_s - into_s)
            into_s -= hop_s
        return 0.0


@dataclass(frozen=True, slots=True)
class _Wall:
    """
    A wall as a mirror, behind which the path of a bouncing die is straight; without a limit, none.
    """

    axis: int
    sign: float
    limit_mm: float | None

    def mirror(self, place_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mirror images of places, shape (..., 2)."""
        if self.limit_mm is None:
            return place_mm
        image = place_mm.copy()
        image[..., self.axis] = 2.0 * self.sign * self.limit_mm - place_mm[..., self.axis]
        return image

    def fold(self, places_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return places, shape (n, 2), with those behind the wall mirrored to before it."""
        if self.limit_mm is None:
            return places_mm
        behind = self.sign * places_mm[:, self.axis] > self.limit_mm
        return np.where(behind[:, np.newaxis], self.mirror(places_mm), places_mm)

    def direction_after(self, direction: Vector) -> Vector:
        """Return the direction, shape (2,), after the bounce."""
        if self.limit_mm is None:
            return direction
        flip = np.ones(2)
        flip[self.axis] = -1.0
        return np.asarray(direction * flip)


class ThrowTrajectory:
    """
    The path of one die of a throw.

    It starts outside the tray, in a direction that is a unit vector along x or y.
    """

    def __init__(
        self, target: DiePose, entry_mm: Vector, inward: Vector, *, start_s: float, rng: Generator
    ) -> None:
        self._target = target
        self._wall = _choose_wall(target, inward, rng)
        self._straight_end = self._wall.mirror(target.center_mm[:2])
        self._way = self._straight_end - entry_mm
        self._way_mm = float(np.hypot(*self._way))
        self.start_s = start_s
        self.end_s = start_s + 0.75 + self._way_mm / 1000.0 + float(rng.uniform(0.0, 0.12))
        self._bounces = _draw_bounces(rng)
        self._flown = self._share_flown(float(entry_mm @ inward), float(self._way @ inward))
        slide_s = float(rng.uniform(0.1, 0.16))
        self._slide_mm = self._way_mm * float(self._share_left(np.array([self.end_s - slide_s]))[0])
        self._spin_rad = float(rng.uniform(-2.2, 2.2))
        self._tumble_axis = _find_rolling_axis(target, self._wall.direction_after(self._way))
        self._pushes_mm: NDArray[np.float64] = np.zeros((1, 2))
        self._pushes_end_s = self.end_s

    def pose(self, at_s: float) -> DiePose:
        if at_s >= self.end_s:
            return self._target
        now = np.array([max(at_s, self.start_s)])
        rotation = self._rotation(float(self._share_left(now)[0]))
        place = self.path_mm(now)[0] + self._push_mm(at_s)
        return DiePose(
            np.array([*place, self.height_mm(at_s) + compute_reach_mm(rotation)[2]]), rotation
        )

    def path_mm(self, at_s: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return its positions on the felt, shape (n, 2), at n times, ignoring other dice."""
        left = self._share_left(at_s)[:, np.newaxis]
        return self._wall.fold(self._straight_end - self._way * left)

    def height_mm(self, at_s: float) -> float:
        """Return the height of its lowest point above the felt."""
        return self._bounces.height_mm(max(0.0, at_s - self.start_s))

    def push(self, pushes_mm: NDArray[np.float64], *, end_s: float) -> None:
        """Set the displacement by other dice and walls: pushes (n, 2), backwards from `end_s`."""
        self._pushes_mm = pushes_mm
        self._pushes_end_s = end_s

    def _share_flown(self, from_mm: float, way_mm: float) -> float:
        """
        Return the share of its path that it has flown when it lands.

        The share keeps its speed, but is large enough to land inside the wall. A die that must
        land close to its end loses most of its speed.
        """
        landing_s = self._bounces.landing_s
        rolling_s = self.end_s - self.start_s - landing_s
        as_fast = _SLOWING * landing_s / (rolling_s + _SLOWING * landing_s)
        inner_mm = FELT_WH_MM[self._wall.axis] / 2.0 - BODY_RADIUS_MM - _INSIDE_MM
        return min(max(as_fast, (-from_mm - inner_mm) / way_mm), 0.95)

    def _share_left(self, at_s: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the remaining share of its path, 1 to 0, at n times, shape (n,)."""
        landing_s = self._bounces.landing_s
        since_s = np.clip(at_s, self.start_s, self.end_s) - self.start_s
        rolled = (since_s - landing_s) / (self.end_s - self.start_s - landing_s)
        rolling = (1.0 - self._flown) * (1.0 - np.clip(rolled, 0.0, 1.0)) ** _SLOWING
        flying = 1.0 - self._flown * since_s / landing_s
        return np.where(since_s < landing_s, flying, rolling)

    def _rotation(self, left: float) -> Rotation:
        """Return its rotation with a share `left` (1 to 0) of its path remaining."""
        rolling_mm = max(0.0, self._way_mm * left - self._slide_mm)
        most = _MOST_TUMBLE_RAD
        tumble = most * (1.0 - np.exp(-rolling_mm / (_ROLLING_RADIUS_MM * most)))
        tumble += _TIPPING * np.sin(4.0 * tumble)
        rolled = rotation_about(self._tumble_axis, -tumble) @ self._target.rotation
        return np.asarray(rotation_about(_UP, self._spin_rad * left) @ rolled)

    def _push_mm(self, at_s: float) -> Vector:
        step = min((self._pushes_end_s - at_s) / PUSH_STEP_S, len(self._pushes_mm) - 1.0)
        before = int(step)
        after = min(before + 1, len(self._pushes_mm) - 1)
        share = step - before
        return np.asarray((1.0 - share) * self._pushes_mm[before] + share * self._pushes_mm[after])


def _draw_bounces(rng: Generator) -> _Bounces:
    first_s = float(rng.uniform(0.13, 0.17))
    return _Bounces(
        first_height_mm=float(rng.uniform(38.0, 52.0)),
        landing_s=float(rng.uniform(0.18, 0.22)),
        hops_s=(first_s, 0.62 * first_s, 0.36 * first_s),
    )


def _choose_wall(target: DiePose, inward: Vector, rng: Generator) -> _Wall:
    """Return the wall opposite the hand for some dice, and no wall for the others."""
    axis = int(np.argmax(np.abs(inward)))
    limit_mm = FELT_WH_MM[axis] / 2.0 - BODY_RADIUS_MM
    place_mm = float(target.center_mm[axis] * inward[axis])
    hits = rng.random() < _BOUNCING_SHARE and place_mm < limit_mm
    return _Wall(axis, float(inward[axis]), limit_mm if hits else None)


def _find_rolling_axis(target: DiePose, direction: Vector) -> Vector:
    turn = np.radians(target.angle_deg) + np.pi / 2.0 * np.arange(4)
    forwards = np.stack([np.cos(turn), np.sin(turn), np.zeros(4)], axis=1)
    best = forwards[int(np.argmax(forwards[:, :2] @ direction))]
    return np.cross(_UP, best)
