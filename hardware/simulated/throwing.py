# SPDX-License-Identifier: MIT
"""Dice thrown together: where they enter, and how they turn each other off their ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.body import Pose, Vector
from hardware.simulated.placement import FELT_WH_MM, WALL_HEIGHT_MM
from hardware.simulated.thrown import BODY_RADIUS_MM, PUSH_STEP_S, Thrown

_ENTRY_MM = (185.0, 110.0)
"""How far from the middle dice come from, along x and y; the camera does not see that far."""

_ENTRY_SPACING_MM = 15.0

_ROOM_MM = 32.0
"""Dice are thrown from a side that they get at least so far away from, if there is one."""

_PUSH_MM = 4.5
"""Most that a die is turned off its way in one step."""

_KEPT_APART_MM = 2.0 * BODY_RADIUS_MM - 4.0
"""Middles of moving dice come no closer: corners may cross a little, which no eye sees."""


def throw(
    targets: Sequence[Pose],
    lying_dice: Sequence[Pose],
    *,
    start_s: float,
    rng: np.random.Generator,
) -> tuple[Thrown, ...]:
    """
    Throw dice together from one side of the tray.

    Args:
        targets: Where each comes to rest; free places that do not overlap.
        lying_dice: Dice that stay; thrown ones bounce off them.
        start_s: When the hand opens.
        rng: Decides the side and everything about the ways.
    """
    inward = _side(targets, rng)
    entries = _entries(targets, inward, rng)
    thrown = tuple(
        Thrown(target, entry, inward, start_s=start_s + float(rng.uniform(0.0, 0.1)), rng=rng)
        for target, entry in zip(targets, entries, strict=True)
    )
    _push_apart(thrown, targets, lying_dice, start_s)
    return thrown


def _side(targets: Sequence[Pose], rng: np.random.Generator) -> Vector:
    """Return the direction into the tray from a side that no die shall lie close to."""
    sides = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)])
    ends = np.array([target.center_mm[:2] for target in targets])
    room_mm = (ends @ sides.T).min(axis=0) + np.abs(sides) @ FELT_WH_MM / 2.0
    roomy = np.flatnonzero(room_mm >= min(_ROOM_MM, float(room_mm.max())))
    return np.asarray(sides[int(rng.choice(roomy))])


def _entries(
    targets: Sequence[Pose], inward: Vector, rng: np.random.Generator
) -> tuple[Vector, ...]:
    """Return where dice come from, side by side in the order they will lie: few ways cross."""
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
    thrown: Sequence[Thrown], targets: Sequence[Pose], lying_dice: Sequence[Pose], start_s: float
) -> None:
    """
    Let thrown dice bounce off each other, off dice that lie there, and off the walls.

    Works back in time from the rest, where nothing overlaps: as soon as two ways
    come too close, both are shifted for all the time before. Played forwards the
    dice meet and part.
    """
    end_s = max(die.end_s for die in thrown)
    times = np.arange(end_s, start_s, -PUSH_STEP_S)
    ways = np.stack([die.unpushed_mm(times) for die in thrown], axis=1)
    resting = np.array([pose.center_mm[:2] for pose in (*targets, *lying_dice)])
    keep_mm = np.minimum(_distances(resting), _KEPT_APART_MM)
    limits = np.maximum(np.array(FELT_WH_MM) / 2.0 - BODY_RADIUS_MM, np.abs(resting))
    count = len(thrown)
    pushes = np.zeros((len(times), count, 2))
    places = resting.copy()
    heights = np.zeros(len(resting))
    for step, at_s in enumerate(times):
        before = pushes[max(step - 1, 0)]
        places[:count] = ways[step] + before
        heights[:count] = [die.height_mm(at_s) for die in thrown]
        moving = np.zeros(len(resting), dtype=bool)
        moving[:count] = [at_s < die.end_s for die in thrown]
        pushed = _parted(places, heights, keep_mm, moving)
        low = (moving & (heights < WALL_HEIGHT_MM))[:, np.newaxis]
        pushed = np.where(low, np.clip(pushed, -limits, limits), pushed)
        # A push takes its time, else a die would be seen to jump.
        pushes[step] = before + np.clip(pushed - places, -_PUSH_MM, _PUSH_MM)[:count]
    for index, die in enumerate(thrown):
        die.push(pushes[:, index], end_s=end_s)


def _distances(places_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(places_mm[:, np.newaxis] - places_mm, axis=2))


def _parted(
    places_mm: NDArray[np.float64],
    heights_mm: NDArray[np.float64],
    keep_mm: NDArray[np.float64],
    moving: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return the places, shape (n, 2), moved so that balls of the kept distance do not meet."""
    apart = places_mm[:, np.newaxis] - places_mm
    distance = np.maximum(np.linalg.norm(apart, axis=2), 1e-6)
    above = heights_mm[:, np.newaxis] - heights_mm
    wanted = np.sqrt(np.maximum(keep_mm**2 - above**2, 0.0))
    np.fill_diagonal(wanted, 0.0)
    short = np.maximum(wanted - distance, 0.0)
    # Two moving dice share the push, one that lies still takes none of it.
    share = moving[:, np.newaxis] / np.maximum(moving[:, np.newaxis] + moving.astype(float), 1.0)
    return np.asarray(places_mm + (apart * (share * short / distance)[..., np.newaxis]).sum(axis=1))
