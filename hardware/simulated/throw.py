# SPDX-License-Identifier: MIT
"""Throw dice together: their entries, and how they push each other off their paths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.simulated.placement import FELT_WH_MM, WALL_HEIGHT_MM
from hardware.simulated.pose import DiePose, Vector
from hardware.simulated.trajectory import BODY_RADIUS_MM, PUSH_STEP_S, ThrowTrajectory

_ENTRY_MM = (185.0, 110.0)
"""Distance from the middle at which dice enter, along x and y; outside the picture."""

_ENTRY_SPACING_MM = 15.0

_ROOM_MM = 32.0
"""The least distance between a die's target and the side it is thrown from, if possible."""

_PUSH_MM = 4.5  # The largest push off a path in one step.

_KEPT_APART_MM = 2.0 * BODY_RADIUS_MM - 4.0
"""The least distance of moving dice: a small overlap of corners is invisible."""


def throw(
    targets: Sequence[DiePose], lying_dice: Sequence[DiePose], *, start_s: float, rng: Generator
) -> tuple[ThrowTrajectory, ...]:
    """
    Throw dice together from one side of the tray to their final poses, which are free.

    They bounce off dice that lie there.
    """
    inward = _choose_side(targets, rng)
    entries = _choose_entries(targets, inward, rng)
    thrown = tuple(
        ThrowTrajectory(
            target, entry, inward, start_s=start_s + float(rng.uniform(0.0, 0.1)), rng=rng
        )
        for target, entry in zip(targets, entries, strict=True)
    )
    _push_apart(thrown, targets, lying_dice, start_s)
    return thrown


def _choose_side(targets: Sequence[DiePose], rng: Generator) -> Vector:
    sides = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)])
    ends = np.array([target.center_mm[:2] for target in targets])
    room_mm = (ends @ sides.T).min(axis=0) + np.abs(sides) @ FELT_WH_MM / 2.0
    roomy = np.flatnonzero(room_mm >= min(_ROOM_MM, float(room_mm.max())))
    return np.asarray(sides[int(rng.choice(roomy))])


def _choose_entries(
    targets: Sequence[DiePose], inward: Vector, rng: Generator
) -> tuple[Vector, ...]:
    across = np.array([-inward[1], inward[0]])
    aims = np.array([float(target.center_mm[:2] @ across) for target in targets])
    ranks = np.argsort(np.argsort(aims)) - (len(targets) - 1) / 2.0
    outside_mm = _ENTRY_MM[int(np.argmax(np.abs(inward)))]
    return tuple(
        across * (0.4 * aims.mean() + _ENTRY_SPACING_MM * rank + rng.uniform(-3.0, 3.0))
        - inward * (outside_mm + rng.uniform(0.0, 20.0))
        for rank in ranks
    )


def _push_apart(
    thrown: Sequence[ThrowTrajectory],
    targets: Sequence[DiePose],
    lying_dice: Sequence[DiePose],
    start_s: float,
) -> None:
    """
    Let thrown dice bounce off each other, off resting dice, and off the walls.

    This goes back in time from the rest, where nothing overlaps. If two paths come too close, both
    are shifted for all the time before. Forwards the dice meet and bounce.
    """
    end_s = max(die.end_s for die in thrown)
    times = np.arange(end_s, start_s, -PUSH_STEP_S)
    count, still = len(thrown), np.zeros((len(times), len(lying_dice)))
    ways = np.stack([die.path_mm(times) for die in thrown], axis=1)
    heights = np.stack([[die.height_mm(at_s) for at_s in times] for die in thrown], axis=1)
    heights = np.hstack([heights, still])
    moving = np.hstack([np.stack([times < die.end_s for die in thrown], axis=1), still > 0.0])
    places = np.array([pose.center_mm[:2] for pose in (*targets, *lying_dice)])
    wanted_mm = _wanted_distances_mm(places, heights)
    shares = _split_pushes(moving)
    limits = np.maximum(np.array(FELT_WH_MM) / 2.0 - BODY_RADIUS_MM, np.abs(places))
    low = (moving & (heights < WALL_HEIGHT_MM))[..., np.newaxis]
    pushes = np.zeros((len(times), count, 2))
    for step in range(1, len(times)):
        places[:count] = ways[step] + pushes[step - 1]
        pushed = places + _compute_shifts(places, wanted_mm[step], shares[step])
        pushed = np.where(low[step], np.minimum(np.maximum(pushed, -limits), limits), pushed)
        # A push takes time, or a die would jump visibly.
        push = np.minimum(np.maximum(pushed - places, -_PUSH_MM), _PUSH_MM)
        pushes[step] = pushes[step - 1] + push[:count]
    for index, die in enumerate(thrown):
        die.push(pushes[:, index], end_s=end_s)


def _wanted_distances_mm(
    resting_mm: NDArray[np.float64], heights_mm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """
    Return the required distance on the felt of any two dice, at n times: shape (n, m, m).

    At rest, in places (m, 2), they may touch, and dice far enough above each other may pass.
    """
    apart = np.linalg.norm(resting_mm[:, np.newaxis] - resting_mm, axis=2)
    above = heights_mm[:, :, np.newaxis] - heights_mm[:, np.newaxis]
    return np.asarray(np.sqrt(np.maximum(np.minimum(apart, _KEPT_APART_MM) ** 2 - above**2, 0.0)))


def _split_pushes(moving: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the share of a push that each die of a pair takes; two moving dice share it."""
    both = moving[:, :, np.newaxis] + moving[:, np.newaxis].astype(float)
    return np.asarray(moving[:, :, np.newaxis] / np.maximum(both, 1.0))


def _compute_shifts(
    places_mm: NDArray[np.float64], wanted_mm: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the push on each die, shape (m, 2), by dice that are too close."""
    apart = places_mm[:, np.newaxis] - places_mm
    distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1e-6)
    short = np.maximum(wanted_mm / distance - 1.0, 0.0) * shares
    return np.asarray((apart * short[..., np.newaxis]).sum(axis=1))
