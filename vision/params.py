# SPDX-License-Identifier: MIT
"""The numbers by which the plane of the upper faces is found, with their reasons."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaneParams:
    """How the plane of the upper faces is found when no calibration gives it."""

    focal: float = 1.2  # Focal length of a usual camera in long sides of the picture.
    focals: tuple[float, ...] = (1.0, 0.65, 1.6)  # Tried, in usual focal lengths.
    focal_spread: float = 0.6  # How unlike the usual one a focal length is, as a logarithm.
    # How far off a flat die's foot is seen besides what the net claims, in edges: lenses bend, dice
    # are no perfect cubes.
    foot_error: float = 0.04
    coarse_deg: float = 4.0  # Distance of the tilts that are tried around each die's own plane.
    fine_deg: float = 1.5  # Distance of those that are tried around the best of them.
    good_fit: float = 1.0  # Mean squared misfit, in errors, below which no other plane is tried.
    # How far, in its own errors, a die may disagree with the plane before it counts as odd, and not
    # as more than that.
    odd: float = 3.0
    # So far a camera may be tilted to any side; farther only towards a viewer who sees the far side
    # of the felt on top.
    any_way_deg: float = 20.0
    upright_deg: float = 50.0  # How far that way may be turned from straight up.
    prior_odds: float = 2.0  # Errors that a plane costs for every 10 degrees beyond these.
    # Focal lengths that are tried with a calibration, in its errors.
    known_focals: tuple[float, ...] = (0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5, -2.0, 2.0)
    # With many dice of one table: shares of a foot's distance that the net may see, the usual one,
    # the deviation of its logarithm between tables, and how many independent dice these are worth.
    seen_shares: tuple[float, ...] = (
        *(0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85),
        *(0.9, 0.95, 1.0, 1.05, 1.1, 1.15),
    )
    seen_share: float = 0.9
    seen_spread: float = 0.15
    most_dice: float = 6.0
