# SPDX-License-Identifier: MIT
"""Every number by which a read die becomes a doubt, with its unit and its reason."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlaneParams:
    """How the plane of the upper faces is found when no calibration gives it."""

    focal: float = 1.2  # Focal length of a usual camera in long sides of the picture.
    # Focal lengths that are tried, in usual ones: the most usual first.
    focals: tuple[float, ...] = (1.0, 0.65, 1.6)
    # How unlike the usual one a camera's focal length is, as a logarithm.
    focal_spread: float = 0.6
    # How far off a flat die's foot is seen besides what the net claims, in edges: lenses bend, dice
    # are no perfect cubes.
    foot_error: float = 0.04
    coarse_deg: float = 4.0  # Distance of the tilts that are tried around each die's own plane.
    fine_deg: float = 1.5  # Distance of those that are tried around the best of them.
    # Mean squared disagreement, in errors, below which no other plane is tried.
    good_fit: float = 1.0
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


@dataclass(frozen=True, slots=True)
class FeltParams:
    """When a die is not wholly on the felt."""

    # Part of the way from a face's middle to its corner that may reach beyond: a real die's corners
    # are round, and its edges are seen to a pixel or two. How far off the outline itself may be is
    # in the calibration.
    rounding: float = 0.2


@dataclass(frozen=True, slots=True)
class StackParams:
    """What of a die is hidden by another."""

    least_like: float = 0.6  # Likeness from which on a place is taken for a die.
    # How far beyond a read die, in half edges, such a place may still be that die; the likeness is
    # a coarse map.
    margin: float = 0.2
    # Thickness of the least part of a die, in edges; slivers along an outline are errors of the
    # plane.
    thinnest: float = 0.5
    # Area of the least part of a die, in faces; less is an error of the map.
    least_area: float = 0.1
    # How far from a read die, in edges, a part belongs to a die beside or under it.
    near: float = 0.35
    most: int = 4  # Doubts reported; a person needs no more than a few.


@dataclass(frozen=True, slots=True)
class BodyParams:
    """What an unread body may be a die, if the count of dice is not known."""

    # Likeness of a die or an object from which on a place belongs to a body.
    least_like: float = 0.5
    # How far beyond a read die, in half edges, such a place may still be that die.
    margin: float = 0.35
    # Least and largest area of the body, in faces of the read dice.
    areas: tuple[float, float] = (0.4, 1.7)
    # How far its colour may be off that of a read die, in levels of a channel.
    most_unlike: float = 30.0


@dataclass(frozen=True, slots=True)
class DomeParams:
    """
    What is under a dome, and what its wall does. The wall's numbers follow from the refraction
    of rays through shells of 2 mm, at dice of 12 mm.
    """

    # How far the foot may reach beyond where it was found, as a share of its radius: another rim of
    # the bell may be seen better.
    error: float = 0.08
    # The same without a map, which would give its size and show how far upper faces are seen beyond
    # it.
    error_unmapped: float = 0.12
    # Largest edge of a face as a share of the dome's diameter; a larger face is the dome itself.
    most_edge: float = 0.4
    # How far from the wall, in edges, the middle of a die is whose foot it moves.
    wall_edges: float = 1.3
    wall_error: float = 0.04  # How far it moves that foot at most, in edges.


@dataclass(frozen=True, slots=True)
class DoubtParams:
    """All parameters of the doubts."""

    stacks: StackParams = field(default_factory=StackParams)
    bodies: BodyParams = field(default_factory=BodyParams)
    felt: FeltParams = field(default_factory=FeltParams)
    planes: PlaneParams = field(default_factory=PlaneParams)
    # Probability from which on a die leans. One that lies on a grain or on the felt's edge leans up
    # to 5 degrees and is read by everybody the same; one that leans on a card or on another die
    # does so by 8 and more.
    least_lean: float = 0.75
    sure_foot: float = 2.0  # Errors beyond which a foot is seen where that of a flat die is not.
    # The same against a plane that is known no better than by these feet.
    sure_foot_fitted: float = 4.0
    # Error in edges that the feet of all dice in a picture may have in common.
    most_shared: float = 0.12
    dome: DomeParams = field(default_factory=DomeParams)
