# SPDX-License-Identifier: MIT
"""Every number by which a read die becomes a doubt, with its unit and its reason."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PlaneParams:
    """
    How the plane of the upper faces is found when no calibration gives it.

    Attributes:
        focal: Focal length of a usual camera in long sides of the picture.
        focals: Focal lengths that are tried, in usual ones: the most usual first.
        focal_spread: How unlike the usual one a camera's focal length is, as a logarithm.
        foot_error: How far off a flat die's foot is seen besides what the net claims, in edges:
            lenses bend, dice are no perfect cubes.
        coarse_deg: Distance of the tilts that are tried around each die's own plane.
        fine_deg: Distance of those that are tried around the best of them.
        good_fit: Mean squared disagreement, in errors, below which no other plane is tried.
        odd: How far, in its own errors, a die may disagree with the plane before it counts
            as odd, and not as more than that.
        any_way_deg: So far a camera may be tilted to any side; farther only towards a
            viewer who sees the far side of the felt on top.
        upright_deg: How far that way may be turned from straight up.
        prior_odds: Errors that a plane costs for every 10 degrees beyond these.
        known_focals: Focal lengths that are tried with a calibration, in its errors.
    """

    focal: float = 1.2
    focals: tuple[float, ...] = (1.0, 0.65, 1.6)
    focal_spread: float = 0.6
    foot_error: float = 0.04
    coarse_deg: float = 4.0
    fine_deg: float = 1.5
    good_fit: float = 1.0
    odd: float = 3.0
    any_way_deg: float = 20.0
    upright_deg: float = 50.0
    prior_odds: float = 2.0
    known_focals: tuple[float, ...] = (0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5, -2.0, 2.0)


@dataclass(frozen=True, slots=True)
class FeltParams:
    """
    When a die is not wholly on the felt.

    Attributes:
        rounding: Part of the way from a face's middle to its corner that may reach beyond: a
            real die's corners are round, and its edges are seen to a pixel or two. How far off
            the outline itself may be is in the calibration.
    """

    rounding: float = 0.2


@dataclass(frozen=True, slots=True)
class StackParams:
    """
    What of a die is hidden by another.

    Attributes:
        least_like: Likeness from which on a place is taken for a die.
        margin: How far beyond a read die, in half edges, such a place may still be that die;
            the likeness is a coarse map.
        thinnest: Thickness of the least part of a die, in edges; slivers along an outline are
            errors of the plane.
        least_area: Area of the least part of a die, in faces; less is an error of the map.
        near: How far from a read die, in edges, a part belongs to a die beside or under it.
        most: Doubts told; a person needs no more than a few.
    """

    least_like: float = 0.6
    margin: float = 0.2
    thinnest: float = 0.5
    least_area: float = 0.1
    near: float = 0.35
    most: int = 4


@dataclass(frozen=True, slots=True)
class BodyParams:
    """
    What an unread body may be a die, if the count of dice is not known.

    Attributes:
        least_like: Likeness of a die or an object from which on a place belongs to a body.
        margin: How far beyond a read die, in half edges, such a place may still be that die.
        areas: Least and largest area of the body, in faces of the read dice.
        most_unlike: How far its colour may be off that of a read die, in levels of a channel.
    """

    least_like: float = 0.5
    margin: float = 0.35
    areas: tuple[float, float] = (0.4, 1.7)
    most_unlike: float = 30.0


@dataclass(frozen=True, slots=True)
class DomeParams:
    """
    What is under a dome, and what its wall does. The wall's numbers follow from the refraction
    of rays through shells of 2 mm, at dice of 12 mm.

    Attributes:
        error: How far the foot may reach beyond where it was found, as a share of its radius:
            another rim of the bell may be seen better.
        error_unmapped: The same without a map, which would give its size and show how far
            upper faces are seen beyond it.
        most_edge: Largest edge of a face as a share of the dome's diameter; a larger face is the
            dome itself.
        wall_edges: How far from the wall, in edges, the middle of a die is whose foot it moves.
        wall_error: How far it moves that foot at most, in edges.
    """

    error: float = 0.08
    error_unmapped: float = 0.12
    most_edge: float = 0.4
    wall_edges: float = 1.3
    wall_error: float = 0.04


@dataclass(frozen=True, slots=True)
class DoubtParams:
    """
    All parameters of the doubts.

    Attributes:
        stacks: What of a die is hidden by another.
        bodies: What an unread body is.
        felt: When a die is not wholly on the felt.
        planes: How the plane of the upper faces is found.
        least_lean: Probability from which on a die leans. One that lies on a grain or on the
            felt's edge leans up to 5 degrees and is read by everybody the same; one that leans on
            a card or on another die does so by 8 and more.
        sure_foot: Errors beyond which a foot is seen where that of a flat die is not.
        sure_foot_fitted: The same against a plane that is known no better than by these feet.
        most_shared: Error in edges that the feet of all dice in a picture may have in common.
        dome: What is under a dome.
    """

    stacks: StackParams = field(default_factory=StackParams)
    bodies: BodyParams = field(default_factory=BodyParams)
    felt: FeltParams = field(default_factory=FeltParams)
    planes: PlaneParams = field(default_factory=PlaneParams)
    least_lean: float = 0.75
    sure_foot: float = 2.0
    sure_foot_fitted: float = 4.0
    most_shared: float = 0.12
    dome: DomeParams = field(default_factory=DomeParams)
